"""What a page shows of a game, as plain data: panels, what can be chosen, the end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from iaww_agents.arena.play.results import OK, Result
from iaww_agents.arena.table.ending import list_outcome, list_sources
from iaww_agents.human.changes import describe_give_up
from iaww_agents.human.wording import SPOKEN
from iaww_env.cards import RESOURCES
from iaww_env.game import Game
from iaww_env.render.phrases import count_things
from iaww_env.viewer import draw_game
from iaww_env.viewer.moves import describe_choice
from iaww_env.viewer.svg import panel_to_json

# What a decision is about, by the verbs that are legal; giving a card up is never what is asked.
DUTIES = {
    "pick": "pick a card",
    "toss": "toss a card",
    "choose": "choose a character",
    "place": "place {}",
    "slate": "slate or recycle a card",
    "dig": "dig for cards",
    "use": "use krystallium or a character",
    "to_empire": "put a cube on the empire card",
    "end": "end the phase",
}
# What stands on a button below a card; other choices are pressed as a whole.
LABELS = {"slate": "slate", "recycle": "recycle", "toss": "toss", "discard": "give up ..."}
ROWS = (*LABELS, "place", "use")


def show_position(game: Game, viewer: int | None, agents: Sequence[str] = ()) -> list[dict[str, Any]]:
    """The panels of a position with the eyes of a seat; None shows all there is. `agents` play, by seat."""
    return [panel_to_json(panel) for panel in draw_game(game, viewer, agents=agents)]


def list_choices(game: Game, seat: int, legal: Sequence[int]) -> list[dict[str, Any]]:
    """What a seat may choose.

    Each has its `action`, the same in `words`, a `label` for a button, whether that stands in a row below its
    card (`in_row`), and where a card is given up what is lost by it (`loss`).
    """
    return [_describe_choice(game, seat, game.actions.to_text(action)) for action in legal]


def _describe_choice(game: Game, seat: int, text: str) -> dict[str, Any]:
    verb, _, named = text.partition(":")
    said = describe_choice(game, seat, text)
    label = LABELS.get(verb, said)
    if verb == "place":
        label = "put it here" if game.state.held[seat] else f"{said.partition(' on ')[0]} here"
    elif verb == "use":
        label = named.replace("_", " ")
    loss = describe_give_up(game, seat, named, SPOKEN) if verb == "discard" else ""
    return {"action": text, "words": said, "label": label, "in_row": verb in ROWS, "loss": loss}


def describe_duty(game: Game, seat: int, legal: Sequence[int]) -> str:
    """What is asked, in a sentence."""
    verbs = {game.actions.verb(action) for action in legal}
    loose, resource = int(game.state.loose[seat]), RESOURCES[int(game.state.loose_resource[seat])]
    placed = "the token in hand" if game.state.held[seat] else count_things(loose, resource)
    parts = [said.format(placed) for verb, said in DUTIES.items() if verb in verbs]
    if len(parts) > 1:
        parts[-2:] = [f"{parts[-2]} or {parts[-1]}"]
    said = ", ".join(parts)
    return f"{said[:1].upper()}{said[1:]}."


def show_end(result: Result) -> dict[str, Any]:
    """How a game ended: places, and where the points of the seats come from."""
    outcome = list_outcome(result)
    if result.status != OK:
        return {"outcome": outcome, "sources": None}
    seats = [f"seat {seat}" for seat in range(len(result.agents))]
    return {"outcome": outcome, "sources": {"seats": seats, "rows": list_sources(result)}}
