"""Moves in words: what a decision does, as it is told beside the table."""

from __future__ import annotations

from iaww_env import rulebook
from iaww_env.cards import RESOURCES, kind
from iaww_env.game import Game


def describe_move(game: Game, seat: int, text: str) -> str:
    """A legal action of a seat in words: `recycles Zeppelin for 1 exploration`."""
    verb, _, named = text.partition(":")
    if verb == "end":
        return f"ends {game.phase if game.phase == 'planning' else f'the {game.phase} step'}"
    if verb == "to_empire":
        return f"puts 1 {_find_loose(game, seat)} on the empire card"
    if verb == "use":
        token, _, space = named.partition("_as_")
        return f"takes a {token} in hand, as {space}" if space else f"takes a {token} in hand"
    if verb == "choose":
        return f"chooses a {named} for science supremacy"
    if verb == "dig":
        return f"digs in the {named} deck"
    if verb == "wait":
        return "waits"
    id, _, copy = named.partition("#")
    name = kind(id).name_en + (f" #{copy}" if copy else "")
    if verb == "place":
        return f"puts {_name_cube(game, seat)} on {name}"
    ends = {"slate": " for construction", "recycle": f" for 1 {kind(id).recycling}"}
    return f"{verb}{'es' if verb == 'toss' else 's'} {name}{ends.get(verb, '')}"


def _find_loose(game: Game, seat: int) -> str:
    return RESOURCES[int(game.state.loose_resource[seat])]


def _name_cube(game: Game, seat: int) -> str:
    """What would be placed: the token in hand, or a loose cube."""
    held = int(game.state.held[seat])
    if not held:
        return f"1 {_find_loose(game, seat)}"
    if held <= len(RESOURCES):
        return f"krystallium as {RESOURCES[held - 1]}"
    return "the token in hand"


def name_stage(game: Game) -> str:
    """Where a position stands, in short: `round 2, draft, pick 3`."""
    if game.over:
        return "game over"
    stage = f"round {game.round}, {game.phase}"
    return f"{stage}, pick {int(game.state.pick) + 1}" if game.state.phase == rulebook.DRAFT else stage
