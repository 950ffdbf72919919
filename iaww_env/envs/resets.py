"""Games of an environment that begin with given cards or empires: the options of `reset`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from iaww_env.config import GameConfig
from iaww_env.engine import fields
from iaww_env.engine.fields import States
from iaww_env.engine.kernels import game as kernels
from iaww_env.engine.new_rows import make_rows
from iaww_env.errors import quote
from iaww_env.game import make_game

GIVEN = ("deals", "pools", "empires")


def pick_given(options: Mapping[str, Any] | None) -> dict[str, Any]:
    """What of the options of a reset is looked at: `deals` (solo: `pools`) and `empires`."""
    options = check_options(options)
    return {name: options[name] for name in GIVEN if options.get(name) is not None}


def check_options(options: Mapping[str, Any] | None) -> Mapping[str, Any]:
    """The options of a reset; none where there are none."""
    if options is None:
        return {}
    if not isinstance(options, Mapping):
        raise TypeError(f"options of a reset are a table of names, not {quote(options)}")
    return options


def begin_given(row: States, config: GameConfig, given: Mapping[str, Any]) -> States:
    """Begin a game in a copy of a row, from the row's own stream, with empires or cards of this one game."""
    cards = dict(given)
    this_time = config.replace(empires=cards.pop("empires")) if "empires" in cards else config
    fresh = row.copy()
    named = slice(fields.NAMED_EMPIRE, fields.NAMED_EMPIRE + fields.MOST_SEATS)
    if this_time.empires is not None or row[named].any():
        fresh[named] = make_rows(this_time, [0])[0][named]
    kernels.set_up_row(fresh)
    if cards:
        make_game(this_time, fresh).stack_cards(**cards)
    kernels.start_row(fresh)
    fresh[named] = row[named]
    return fresh
