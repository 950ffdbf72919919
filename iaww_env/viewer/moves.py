"""Moves in words: what a decision does, as it is told beside the table."""

from __future__ import annotations

from iaww_env import rulebook
from iaww_env.cards import RESOURCES, kind
from iaww_env.game import Game
from iaww_env.render.phrases import count_things


def describe_move(game: Game, seat: int, text: str) -> str:
    """A legal action of a seat in words: `recycles Zeppelin for 1 exploration`."""
    verb, _, rest = describe_choice(game, seat, text).partition(" ")
    return f"{verb}{'es' if verb.endswith('ss') else 's'} {rest}".rstrip()


def describe_choice(game: Game, seat: int, text: str) -> str:
    """The same as it is said to who may choose it: `recycle Zeppelin for 1 exploration`."""
    verb, _, named = text.partition(":")
    if verb == "end":
        return f"end {game.phase if game.phase == 'planning' else f'the {game.phase} step'}"
    if verb == "to_empire":
        return f"put {count_things(1, _find_loose(game, seat))} on the empire card"
    if verb == "use":
        token, _, space = named.partition("_as_")
        return f"take a {token} in hand, as {space}" if space else f"take a {token} in hand"
    if verb == "choose":
        return f"choose a {named} for science supremacy"
    if verb == "dig":
        return f"dig in the {named} deck"
    if verb == "wait":
        return "wait"
    id, _, copy = named.partition("#")
    name = kind(id).name_en + (f" #{copy}" if copy else "")
    if verb == "place":
        return f"put {_name_cube(game, seat)} on {name}"
    ends = {"slate": " for construction", "recycle": f" for {count_things(1, kind(id).recycling)}"}
    return f"{verb} {name}{ends.get(verb, '')}"


def _find_loose(game: Game, seat: int) -> str:
    return RESOURCES[int(game.state.loose_resource[seat])]


def _name_cube(game: Game, seat: int) -> str:
    """What would be placed: the token in hand, or a loose cube."""
    held = int(game.state.held[seat])
    if not held:
        return count_things(1, _find_loose(game, seat))
    if held <= len(RESOURCES):
        return f"krystallium as {RESOURCES[held - 1]}"
    return "the token in hand"


def name_stage(game: Game) -> str:
    """Where a position stands, in short: `round 2, draft, pick 3`."""
    if game.over:
        return "game over"
    stage = f"round {game.round}, {game.phase}"
    return f"{stage}, pick {int(game.state.pick) + 1}" if game.state.phase == rulebook.DRAFT else stage
