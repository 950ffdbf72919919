"""Note a game while it is played.

The cards dealt stand in the record, and in solo the cards that each dig showed, so that a replay rests on no
random numbers. The seed is kept for information: with it and the same configuration (empires that were drawn
left out) the game can be set up anew.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import numpy as np

from iaww_env.config import GameConfig
from iaww_env.engine.new_rows import check_seed
from iaww_env.errors import RecordError
from iaww_env.game import Game
from iaww_env.records.capture import (
    describe_result,
    describe_seat,
    hide_chance,
    is_untouched,
    list_deals,
    list_pools,
)
from iaww_env.records.form import FORMAT, VERSION

Chooser = Callable[[Game, int], int | str]
"""Chooses an action, given the game and the seat that decides."""


class Recorder:
    """Notes a game from its start: play through `step`, then take `record()`.

    >>> recorder = Recorder(Game(GameConfig(players=2), seed=7), seed=7)
    >>> recorder.step(0, recorder.game.legal_actions(0)[0])
    >>> len(recorder.record()["moves"])
    1

    Attributes:
        game: The game that is played.
    """

    def __init__(self, game: Game, seed: int | None = None, *, checks: bool = False) -> None:
        """Note how the game begins.

        Args:
            game: A game in which nothing has been decided yet.
            seed: What the game was set up with, to be saved with the record.
            checks: Note how each seat stands before it ends a phase.

        Raises:
            RecordError: The game has gone on already.
        """
        self.game = game
        self._with_checks = checks
        config = game.config.replace(empires=tuple(game.empires))
        if not is_untouched(game):
            raise RecordError("a record begins before the first decision: this game has gone on")
        dealt: dict[str, Any] = {"pools": list_pools(game)} if config.solo else {"deals": list_deals(game)}
        if not np.array_equal(hide_chance(Game(config, 0, **dealt)), hide_chance(game)):
            raise RecordError("a record begins before the first decision: this game has gone on")
        self._head: dict[str, Any] = {"format": FORMAT, "version": VERSION, "config": config.to_dict()}
        if seed is not None:
            self._head["seed"] = check_seed(seed)
        self._head.update(dealt)
        self._digs: list[list[str]] = []
        self._moves: list[list[Any]] = []
        self._checks: list[dict[str, Any]] = []

    def step(self, seat: int, action: int | str) -> None:
        """Play a seat's decision and note it.

        Raises:
            IllegalActionError: The action is not legal; nothing was played or noted.
        """
        table = self.game.actions
        number = table.parse(action) if isinstance(action, str) else action
        check = None
        if self._with_checks and number == table.end and seat in self.game.seats_to_act():
            check = {"before": len(self._moves), "seat": int(seat), **describe_seat(self.game, seat)}
        shown = int(self.game.state.pack_size)
        self.game.step(seat, number)
        if check is not None:
            self._checks.append(check)
        self._moves.append([int(seat), table.to_text(number)])
        if self.game.config.solo and not shown and self.game.state.pack_size:
            self._digs.append(self.game.hand(0))

    def record(self) -> dict[str, Any]:
        """The record so far, with the result where the game is over; it shares nothing with the recorder."""
        record = {**self._head, "moves": self._moves}
        if self.game.config.solo:
            record["digs"] = self._digs
        if self._with_checks:
            record["checks"] = self._checks
        if self.game.over:
            record["result"] = describe_result(self.game)
        return copy.deepcopy(record)


def record_game(
    config: GameConfig, choose: Chooser, seed: int | None = None, *, checks: bool = False
) -> dict[str, Any]:
    """Play a whole game, every decision taken by `choose`, and return its record with the seed."""
    seed = check_seed(seed)
    recorder = Recorder(Game(config, seed), seed, checks=checks)
    while seats := recorder.game.seats_to_act():
        recorder.step(seats[0], choose(recorder.game, seats[0]))
    return recorder.record()
