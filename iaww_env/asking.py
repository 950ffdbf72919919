"""What a seat is asked: decisions with one legal action or not, and whether to give up constructions.

`asks` is one number for both, as kernels take it. The game itself is always the complete one: what is not
asked is left out of masks, and refused like an illegal action.
"""

from __future__ import annotations

from iaww_env.engine.rules.legal import ASK_DISCARDS, ASK_FORCED
from iaww_env.errors import IllegalActionError
from iaww_env.game import Game

NOT_ASKED = "constructions cannot be given up here: the option discards is off"


def count_asks(skip_forced: bool, discards: bool) -> int:
    """What is asked, as a number."""
    return (0 if skip_forced else ASK_FORCED) + (ASK_DISCARDS if discards else 0)


def list_asked(game: Game, seat: int, asks: int) -> list[int]:
    """The legal actions of a seat, without giving up constructions where that is not asked."""
    legal, table = game.legal_actions(seat), game.actions
    if asks & ASK_DISCARDS:
        return legal
    return [action for action in legal if not table.discard <= action < table.use]


def refuse_action(game: Game, seat: int, action: int, asks: int, where: str = "") -> IllegalActionError:
    """The error that says why a seat cannot play this."""
    legal = list_asked(game, seat, asks)
    assert action not in legal, f"action {action} of seat {seat} was taken for illegal, but is legal"
    texts = [game.actions.to_text(one) for one in legal]
    if action in game.legal_actions(seat):
        return IllegalActionError(seat, action, game.actions.to_text(action), where + NOT_ASKED, texts)
    try:
        game.clone().step(seat, action)
    except IllegalActionError as error:
        return IllegalActionError(seat, action, error.text, where + error.reason, texts)
    raise AssertionError(f"action {action} of seat {seat} is not legal, and was played")
