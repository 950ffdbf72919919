"""What the Gymnasium environments share: lanes, each one game with a learner, stepped by one kernel.

A single environment is one lane, a vector environment many, so lane i of a vector goes as the single
environment of its seed. The rules of illegal actions, rewards and new games
are in `engine/kernels/learner.py`.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from iaww_env import rulebook
from iaww_env.batch import find_offsets, find_scheme
from iaww_env.bots.specs import BotSpec
from iaww_env.cards import scenario
from iaww_env.config import GameConfig
from iaww_env.engine.fields import States
from iaww_env.engine.kernels import learner as versus
from iaww_env.engine.new_rows import check_seed, make_rows, seed_words
from iaww_env.envs.multi.seats import BYTE, FLOAT
from iaww_env.envs.multi.session import ILLEGAL_ACTION, make_game_in
from iaww_env.envs.single.opponents import Opponents
from iaww_env.errors import ConfigError, IllegalActionError, quote
from iaww_env.game import Game, make_game

logger = logging.getLogger("iaww_env")

SEATS = {"random": versus.RANDOM_SEAT, "rotate": versus.ROTATING_SEAT}
# Away from the seeds of the games, so that no game's cards and its bots' chance come from one stream.
STREAM_SEED = 1 << 65


class Lanes:
    """N games, each with one learner and bots in the other seats.

    Attributes:
        config: What is played.
        states: (lanes, state_size) int16, the state tensor.
        lanes: (lanes, LANE) int16, see `engine/kernels/learner.py`; likewise settings and streams.
        observations: (lanes, size) float32 of the learners, fresh at every call; likewise masks.
        masks: (lanes, actions) int8.
        actions: (lanes,) int16, what `play` plays.
        rewards: (lanes,) float64, written in place.
        last_observations: (lanes, size) float32, where a game ended and the next began in the same step.
    """

    def __init__(
        self,
        config: GameConfig,
        num: int,
        *,
        opponents: Sequence[BotSpec] = (),
        seat: int | str = 0,
        observation: str = "full",
        reward: str = "outcome",
        illegal_action: str = "forfeit",
        skip_forced: bool = True,
        same_step: bool = False,
    ) -> None:
        """Check the options; the first games begin with `reset`."""
        if illegal_action not in ILLEGAL_ACTION:
            raise ConfigError(
                f"illegal_action is {quote(illegal_action)}: choose from {', '.join(ILLEGAL_ACTION)}"
            )
        self.config, self.num, self.profile = config, num, observation
        self.illegal_rule = ILLEGAL_ACTION.index(illegal_action)
        self.offsets, self.size = find_offsets(config, observation)
        self.n_actions = 4 * config.kinds + 2 * config.cards + 15
        self.opponents = Opponents(config, opponents if config.players > 1 else ())
        self.settings = np.zeros(versus.SETTINGS, np.int64)
        self.settings[versus.SEAT_OPTION] = check_seat_option(config, seat)
        self.settings[versus.SKIP_FORCED] = bool(skip_forced)
        self.settings[versus.SCHEME] = find_scheme(reward)
        self.settings[versus.ILLEGAL_RULE] = self.illegal_rule
        self.settings[versus.SAME_STEP] = bool(same_step)
        self.states = make_rows(config, [0] * num)
        self.lanes = np.zeros((num, versus.LANE), np.int16)
        self.streams = np.zeros((num, versus.STREAM), np.int64)
        self.actions = np.zeros(num, np.int16)
        self.last_observations = np.zeros((num if same_step else 0, self.size), np.float32)
        self.rewards = np.zeros(num)
        self._masks_shape, self._observations_shape = (num, self.n_actions), (num, self.size)
        self.is_begun = self.is_stuck = self.has_warned = False

    # --- Beginning -------------------------------------------------------------------------------

    def reset(
        self,
        seeds: Sequence[int | None],
        options: Mapping[str, Any] | None = None,
        which: npt.NDArray[np.bool_] | None = None,
    ) -> None:
        """Begin games, each from its seed, or where its stream stands; in all lanes or in some.

        Options that are looked at: `deals` (solo: `pools`) and `empires`; others are left alone.
        """
        chosen = list(range(self.num)) if which is None else np.flatnonzero(which).tolist()
        if which is not None and (self.is_stuck or not self.is_begun):
            raise RuntimeError("some lanes cannot begin alone: call reset() without a reset_mask first")
        given = pick_options(options)
        # Nothing is kept before everything has proved good: a refused reset leaves the games as they were.
        begun = [self._make_row(g, seeds[g], given) for g in chosen]
        for g, (row, stream) in zip(chosen, begun, strict=True):
            self.states[g], self.streams[g] = row, stream
        self.lanes[chosen, versus.STAGE] = versus.SEAT if given else versus.BEGIN
        self.opponents.forget(chosen)
        self.is_begun, self.is_stuck = True, False
        self.rewards[:] = 0
        self._run(versus.RESET)

    def _make_row(self, g: int, seed: int | None, given: dict[str, Any]) -> tuple[States, versus.Streams]:
        """Row and stream with which a lane begins its next game."""
        row, stream = self.states[g], self.streams[g]
        if seed is not None or not self.is_begun:
            seed = check_seed(seed)
            row = make_rows(self.config, [seed])[0]
            stream = np.zeros(versus.STREAM, np.int64)
            stream[:4] = seed_words(seed + STREAM_SEED)
            stream[versus.NEXT_SEAT] = seed % self.config.players
        return make_given_row(row, self.config, given) if given else row, stream

    # --- Stepping --------------------------------------------------------------------------------

    def play(self) -> None:
        """Play what stands in `actions` (ended lanes begin their next game), up to the next decisions.

        Raises:
            IllegalActionError: With illegal_action="raise"; then nothing was played in any lane.
        """
        if self.is_stuck:
            raise RuntimeError("a bot failed in the last step, and the games cannot go on: call reset()")
        if self.illegal_rule == versus.RAISES:
            self._refuse_illegal()
        self._run(versus.STEP)

    def _run(self, call: int) -> None:
        """Call the kernel, and the bots that lanes wait for, until every lane is settled."""
        masks = self.masks = np.empty(self._masks_shape, BYTE)
        observations = self.observations = np.empty(self._observations_shape, FLOAT)
        rest = (self.settings, self.opponents.codes, self.lanes, self.streams, self.offsets, masks)
        last = (observations, self.last_observations, self.rewards)
        waiting = versus.step_lanes(call, self.states, self.actions, *rest, *last)
        if waiting:
            self.is_stuck = True
            while waiting:
                self.opponents.answer(self)
                waiting = versus.step_lanes(versus.RESUME, self.states, self.actions, *rest, *last)
            self.is_stuck = False

    def _refuse_illegal(self) -> None:
        g = versus.find_illegal_lane(self.lanes, self.actions)
        if g < 0:
            return
        try:
            self.game(g).step(self.seat(g), int(self.actions[g]))
        except IllegalActionError as error:
            where = f"lane {g}: " if self.num > 1 else ""
            raise IllegalActionError(
                error.seat, error.action, error.text, f"{where}{error.reason}", error.legal
            ) from None

    def warn_of_forfeit(self, g: int, action: int) -> None:
        """Log a forfeit: the first as a warning; later ones, there may be thousands, for debugging."""
        level = logging.DEBUG if self.has_warned else logging.WARNING
        self.has_warned = True
        seat = int(self.lanes[g, versus.END_SEAT])
        logger.log(level, "seat %d played the illegal action %d and forfeits the game", seat, action)

    # --- What stands in a lane -------------------------------------------------------------------

    def game(self, g: int) -> Game:
        """The game of a lane, as a copy that goes its own way."""
        return make_game(self.config, self.states[g].copy())

    def seat(self, g: int) -> int:
        """The learner's seat in a lane."""
        return int(self.lanes[g, versus.LEARNER_SEAT])

    def last_words(self, g: int) -> dict[str, Any]:
        """What the infos say of the game that ended last in a lane."""
        lane, n = self.lanes[g], self.config.players
        seat, illegal = int(lane[versus.END_SEAT]), int(lane[versus.END_ILLEGAL])
        points = lane[versus.END_POINTS : versus.END_POINTS + n].astype(np.int64)
        places = lane[versus.END_PLACES : versus.END_PLACES + n].astype(np.int64)
        words: dict[str, Any] = {"points": int(points[seat]), "place": int(places[seat]), "seat": seat}
        words |= {"scores": points, "places": places}
        if self.config.solo:
            words["medal"] = self._find_medal(int(points[0])) if lane[versus.END_WON] else None
            words["title"] = None if lane[versus.END_FORFEIT] else self._find_title(int(points[0]))
        if illegal:
            words["illegal_action"] = illegal
        return words

    def _find_medal(self, points: int) -> str | None:
        assert self.config.scenario is not None
        asked = scenario(self.config.scenario)
        return next((medal for medal in rulebook.MEDALS if points >= getattr(asked, medal)), None)

    def _find_title(self, points: int) -> str | None:
        if self.config.scenario is not None:
            return None
        return next((title for least, title in rulebook.TITLES if points >= least), "apprentice")


def check_seat_option(config: GameConfig, seat: int | str) -> int:
    """The option `seat` as the kernel knows it."""
    if isinstance(seat, str) and seat in SEATS:
        return SEATS[seat]
    is_number = isinstance(seat, int | np.integer) and not isinstance(seat, bool)
    if not is_number or not 0 <= int(seat) < config.players:
        names = " or ".join(map(repr, SEATS))
        raise ConfigError(f"seat is {quote(seat)}: give a number from 0 to {config.players - 1}, or {names}")
    return int(seat)


def pick_options(options: Mapping[str, Any] | None) -> dict[str, Any]:
    """What of the options of a reset is looked at."""
    if options is None:
        return {}
    if not isinstance(options, Mapping):
        raise TypeError(f"options of a reset are a table of names, not {quote(options)}")
    return {name: options[name] for name in ("deals", "pools", "empires") if options.get(name) is not None}


def make_given_row(row: States, config: GameConfig, given: dict[str, Any]) -> States:
    """A row with a game begun from its own stream, with given empires or cards."""
    if "empires" in given:
        config = config.replace(empires=given["empires"])
    cards = {name: value for name, value in given.items() if name != "empires"}
    return make_game_in(row, config, cards)
