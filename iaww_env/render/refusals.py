"""Why an action is not legal, in words: the slow path of an error message."""

from __future__ import annotations

from typing import TYPE_CHECKING

from iaww_env import rulebook
from iaww_env.errors import quote

if TYPE_CHECKING:
    from iaww_env.game import Game


def explain_refusal(game: Game, seat: int, action: int) -> str:
    """Say why a seat may not take an action now."""
    state = game.state
    if not 0 <= action < len(game.actions):
        return f"there is no action {quote(action)}: the numbers are 0 to {len(game.actions) - 1}"
    if state.phase == rulebook.OVER:
        return "the game is over"
    if state.acted[seat]:
        return (
            "the seat has picked already" if state.phase == rulebook.DRAFT else "the seat has ended the phase"
        )
    verb = game.actions.verb(action)
    if verb == "wait":
        return "the seat owes a decision"
    if state.phase == rulebook.DRAFT:
        return "the card is not in the pack in hand" if verb == "pick" else "in the draft a card is picked"
    if state.held[seat]:
        return "the token in hand must be placed on an open space that it fills"
    if state.must_choose[seat]:
        return "the choice of science supremacy comes first"
    return _explain_verb(game, seat, verb)


def _explain_verb(game: Game, seat: int, verb: str) -> str:
    state = game.state
    if verb in ("slate", "recycle", "toss", "dig") and state.phase != rulebook.PLANNING:
        return f"cards are handled in planning only, and this is the {game.phase} step"
    reasons = {
        "pick": "the card is not among those shown" if state.pack_size else "there is nothing to pick from",
        "slate": _explain_card(game, seat),
        "recycle": _explain_card(game, seat),
        "toss": "no dig is waiting for a card" if not state.tosses else "the card is not in hand",
        "place": _explain_place(game, seat),
        "discard": "no such card is under construction, or an equal older copy stands for it",
        "use": "the seat has no such token, or no open space that it could fill",
        "to_empire": "there is no loose cube",
        "choose": "the seat has no science supremacy to choose for",
        "dig": _explain_dig(game, seat),
        "end": _explain_end(game, seat),
    }
    return reasons[verb]


def _explain_card(game: Game, seat: int) -> str:
    if game.state.loose[seat]:
        return "a loose cube must be placed first"
    if game.state.dig_deck:
        return "the dig must be finished first"
    return "the card is not among the seat's undecided cards"


def _explain_place(game: Game, seat: int) -> str:
    if not game.state.loose[seat]:
        return "there is no loose cube and no token in hand"
    return "no such card with an open space for the cube, or an equal older copy stands for it"


def _explain_dig(game: Game, seat: int) -> str:
    if not game.config.solo:
        return "digs are for solo games"
    if game.state.loose[seat] or game.state.dig_deck:
        return "something else must be finished first"
    return "a dig takes two cards in hand and a card left in the deck"


def _explain_end(game: Game, seat: int) -> str:
    if game.state.loose[seat]:
        return "a loose cube must be placed first"
    return "there are undecided cards"
