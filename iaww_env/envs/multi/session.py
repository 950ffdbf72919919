"""What all single-game environments share: one row, resets, illegal actions, rewards, and last words."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from iaww_env import rulebook
from iaww_env.batch import find_scheme
from iaww_env.config import GameConfig
from iaww_env.engine import fields
from iaww_env.engine.fields import States
from iaww_env.engine.kernels import batch
from iaww_env.engine.kernels import parallel as together
from iaww_env.engine.new_rows import check_seed, make_rows, seed_words
from iaww_env.engine.rewards import POINTS_GAIN, RANK, SCHEMES
from iaww_env.engine.rng import Words
from iaww_env.errors import ConfigError, IllegalActionError, quote
from iaww_env.game import Game, make_game
from iaww_env.observation import ObservationTable, observation_table

logger = logging.getLogger("iaww_env")

ILLEGAL_ACTION = ("forfeit", "replace", "raise")
FARTHEST = 2**62


class Host:
    """One game for an environment: it begins games, judges actions, and says what they were worth."""

    def __init__(
        self,
        config: GameConfig,
        *,
        observation: str = "full",
        reward: str = "outcome",
        illegal_action: str = "forfeit",
        skip_forced: bool = True,
    ) -> None:
        """Check the options; the first game begins with `begin`."""
        if illegal_action not in ILLEGAL_ACTION:
            raise ConfigError(
                f"illegal_action is {quote(illegal_action)}: choose from {', '.join(ILLEGAL_ACTION)}"
            )
        self.config = config
        self.table: ObservationTable = observation_table(config, observation)
        self.profile = observation
        self.scheme = find_scheme(reward)
        self.illegal_action = illegal_action
        self.skip_forced = bool(skip_forced)
        n = config.players
        self.n_actions = 4 * config.kinds + 2 * config.cards + 15
        self.wait = self.n_actions - 1
        self.row: States | None = None
        self.points = np.zeros(n, np.int16)
        self.places = np.zeros(n, np.int16)
        self.paid = np.zeros(n, np.int16)
        self.rewards = np.zeros(n, np.float32)
        self.room = np.zeros(fields.MOST_LEGAL, np.int16)
        self.words: Words | None = None
        self.offender: int | None = None
        self.illegal_count = np.zeros(n, np.int64)

    # --- Beginning -------------------------------------------------------------------------------

    def begin(self, seed: int | None, options: Mapping[str, Any] | None = None) -> None:
        """Begin a game, from a seed or where the stream of the game before stands; play forced decisions.

        Options that are looked at: `deals` (or `pools` in solo) and `empires`; others are left alone.
        """
        if options is not None and not isinstance(options, Mapping):
            raise TypeError(f"options of a reset are a table of names, not {quote(options)}")
        config, given = self._read_options(options or {})
        row, words = self.row, self.words
        if seed is not None or row is None:
            seed = check_seed(seed)
            row, words = make_rows(self.config, [seed])[0], seed_words(seed)
        # Nothing is kept before the options have proved good: a refused reset leaves the game as it was.
        self.row, self.words = make_game_in(row, config, given), words
        if self.skip_forced:
            together.skip_forced_now(self.row, self.room)
        self.offender = None
        self.paid[:] = 0
        self.illegal_count[:] = 0

    def _read_options(self, options: Mapping[str, Any]) -> tuple[GameConfig, dict[str, Any]]:
        config = self.config
        if options.get("empires") is not None:
            config = config.replace(empires=options["empires"])
        return config, {name: options[name] for name in ("deals", "pools") if options.get(name) is not None}

    def __getstate__(self) -> dict[str, Any]:
        """Everything but the table: it is one for all environments of a configuration, and read-only."""
        return {name: value for name, value in self.__dict__.items() if name != "table"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.table = observation_table(self.config, self.profile)

    @property
    def game(self) -> Game:
        """The game as a readable object over the very row."""
        return make_game(self.config, self.state_row)

    @property
    def state_row(self) -> States:
        """The row of the game."""
        if self.row is None:
            raise RuntimeError("there is no game yet: call reset() first")
        return self.row

    @property
    def over(self) -> bool:
        """Whether the game has ended, by its rules or by forfeit."""
        return self.offender is not None or bool(self.state_row.item(fields.PHASE) == rulebook.OVER)

    # --- Illegal actions -------------------------------------------------------------------------

    def draw_legal(self, seat: int) -> int:
        """A legal action of a seat, drawn from the environment's own stream."""
        legal = self.game.legal_actions(seat)
        lanes, drawn = np.zeros((1, batch.LANE), np.int16), np.zeros(1, np.int16)
        lanes[0, batch.LANE_COUNT] = len(legal)
        lanes[0, batch.LANE_LEGAL : batch.LANE_LEGAL + len(legal)] = legal
        assert self.words is not None
        batch.sample_batch(self.state_row.reshape(1, -1), lanes, True, self.words, drawn)
        return int(drawn[0])

    def handle_illegal(self, seat: int, action: int) -> int | None:
        """What an illegal action leads to: a replacement to play, None after a forfeit, or an error."""
        action = max(-FARTHEST, min(int(action), FARTHEST))  # a number that kernels and messages can hold
        if self.illegal_action == "raise":
            try:
                self.game.step(seat, action)
            except IllegalActionError:
                raise
            raise AssertionError(f"action {action} of seat {seat} was taken for illegal, but is legal")
        self.illegal_count[seat] += 1
        if self.illegal_action == "replace":
            return self.draw_legal(seat)
        self.offender = seat
        logger.warning("seat %d played the illegal action %d and forfeits the game", seat, action)
        return None

    # --- Rewards ---------------------------------------------------------------------------------

    def settle(self) -> npt.NDArray[np.float32]:
        """Rewards of the last step, by seat; fresh. Call once a step, after the points have been written."""
        if self.offender is not None:
            return self._settle_forfeit(self.offender)
        if self.state_row[fields.PHASE] == rulebook.OVER:
            together.finish_row(
                self.state_row, self.scheme, self.points, self.places, self.paid, self.rewards
            )
            return self.rewards.copy()
        if self.scheme == POINTS_GAIN:
            gained = (self.points - self.paid).astype(np.float32)
            self.paid[:] = self.points
            return gained
        return np.zeros(self.config.players, np.float32)

    def _settle_forfeit(self, offender: int) -> npt.NDArray[np.float32]:
        """The offender gets the lowest outcome, the others share the rest."""
        n = self.config.players
        batch.score_row(self.state_row, self.points, self.places)
        name = SCHEMES[self.scheme]
        points = self.points.astype(np.float32)
        if name in ("points", "points_gain", "margin"):
            points[offender] = 0
            if name == "margin" and n > 1:
                best = [max(np.delete(points, seat)) for seat in range(n)]
                return np.array(points - np.array(best, np.float32), np.float32)
            return points - self.paid if name == "points_gain" else points
        if n == 1:
            return np.zeros(1, np.float32)
        lowest = -1.0 if self.scheme == RANK else -1.0 / (n - 1)
        rewards = np.full(n, -lowest / (n - 1), np.float32)
        rewards[offender] = lowest
        return rewards

    def last_words(self, seat: int) -> dict[str, Any]:
        """What `infos` of the last step carry: points, place, illegal actions; solo: medal and title."""
        game = self.game
        points, places = game.scores(), game.places()
        if self.offender is not None:
            places = forfeit_places(places, self.offender)
        words: dict[str, Any] = {"points": points[seat], "place": places[seat], "scores": points}
        if self.config.solo:
            words["medal"], words["title"] = game.medal(), game.title()
        if self.illegal_count[seat]:
            words["illegal_action"] = int(self.illegal_count[seat])
        return words


def forfeit_places(places: list[int], offender: int) -> list[int]:
    """Places when a seat forfeits: it is last, and those behind it move up."""
    moved = [place - (place > places[offender]) for place in places]
    moved[offender] = len(places)
    return moved


def make_game_in(row: States, this_time: GameConfig, given: dict[str, Any]) -> States:
    """Begin a game in a copy of a row, from the row's own stream, with empires or cards of this one game."""
    fresh = row.copy()
    named = slice(fields.NAMED_EMPIRE, fields.NAMED_EMPIRE + fields.MOST_SEATS)
    if this_time.empires is not None or row[named].any():
        fresh[named] = make_rows(this_time, [0])[0][named]
    batch.set_up_row(fresh)
    if given:
        make_game(this_time, fresh).stack_cards(**given)
    batch.start_row(fresh)
    fresh[named] = row[named]
    return fresh
