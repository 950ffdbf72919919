"""What the Gymnasium environments share: lanes, each one game with a learner, stepped by one kernel.

A single environment is one lane, a vector environment many, so lane i of a vector goes as the single
environment of its seed. The rules of illegal actions, rewards and new games
are in `engine/kernels/learner.py`, the record of a lane in `engine/kernels/lanes.py`.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from iaww_env.actions import action_table
from iaww_env.arrays import check_arrays, lend_array, take_array
from iaww_env.asking import count_asks, list_asked, refuse_action
from iaww_env.batch import find_offsets, find_scheme
from iaww_env.bots.seeds import derive_stream_seed
from iaww_env.bots.specs import BotSpec
from iaww_env.cards import scenario
from iaww_env.config import GameConfig
from iaww_env.engine.fields import States
from iaww_env.engine.kernels import lanes as record
from iaww_env.engine.kernels import learner as kernels
from iaww_env.engine.new_rows import check_seed, make_rows, seed_stream
from iaww_env.envs.autoreset import AutoresetMode, read_autoreset_mode
from iaww_env.envs.options import ILLEGAL_ACTION, Options, VectorOptions
from iaww_env.envs.resets import begin_given, pick_given
from iaww_env.envs.single.opponents import Opponents
from iaww_env.envs.spaces import BYTE, FLOAT
from iaww_env.errors import ConfigError, StateError, quote
from iaww_env.game import Game, make_game
from iaww_env.rulebook import find_title
from iaww_env.soundness import check_rows
from iaww_env.threads import Threads

logger = logging.getLogger("iaww_env")

SEATS = {"random": record.RANDOM_SEAT, "rotate": record.ROTATING_SEAT}


class Lanes:
    """N games, each with one learner and bots in the other seats.

    Attributes:
        config: What is played.
        states: (lanes, state_size) int16, the state tensor.
        lanes: (lanes, LANE) int16, see `engine/kernels/lanes.py`; likewise settings and streams.
        observations: (lanes, size) float32 of the learners, fresh at every call, or the caller's; likewise
            masks.
        masks: (lanes, actions) int8.
        actions: (lanes,) int16, what `play` plays.
        rewards: (lanes,) float64, written in place.
        last_observations: (lanes, size) float32, where a game ended and the next began in the same step.
        threads: Who shares the lanes of a call.
        arrays: What the caller has brought to be written into.
    """

    def __init__(
        self,
        config: GameConfig,
        options: Options,
        many: VectorOptions | None = None,
        *,
        opponents: Sequence[BotSpec] = (),
        seat: int | str = 0,
    ) -> None:
        """Seat learners and bots; the first games begin with `reset`."""
        many = many or VectorOptions()
        self.num = num = check_num_envs(many.num_envs)
        same_step = read_autoreset_mode(many.autoreset_mode) == AutoresetMode.SAME_STEP
        self.threads, self.arrays = Threads(many.threads, num), check_arrays(many.arrays)
        self.config, self.profile = config, options.observation
        self.illegal_rule = ILLEGAL_ACTION.index(options.illegal_action)
        self.offsets, self.size = find_offsets(config, options.observation)
        self.n_actions = len(action_table(config.expansions))
        self.opponents = Opponents(config, opponents if config.players > 1 else ())
        self.settings = np.zeros(record.SETTINGS, np.int64)
        self.settings[record.SEAT_OPTION] = check_seat_option(config, seat)
        self.settings[record.ASKS] = self.asks = count_asks(options.skip_forced, options.discards)
        self.settings[record.SCHEME] = find_scheme(options.reward)
        self.settings[record.ILLEGAL_RULE] = self.illegal_rule
        self.settings[record.SAME_STEP] = same_step
        self.states = make_rows(config, [0] * num)
        self.lanes = np.zeros((num, record.LANE), np.int16)
        self.streams = np.zeros((num, record.STREAM), np.int64)
        self.actions = np.zeros(num, np.int16)
        self.last_observations = np.zeros((num if same_step else 0, self.size), np.float32)
        self._masks_shape, self._observations_shape = (num, self.n_actions), (num, self.size)
        self.observations = take_array(self.arrays, "observations", self._observations_shape, np.float32)
        self.masks = take_array(self.arrays, "masks", self._masks_shape, np.int8)
        self.rewards = take_array(self.arrays, "rewards", (num,), np.float64)
        self._lend_arrays()
        self.is_begun = self.is_stuck = self.has_warned = False

    def _lend_arrays(self) -> None:
        """What kernels write into, where it stays the same."""
        self._lent = {name: lend_array(getattr(self, name)) for name in {*self.arrays, "rewards"}}

    def __getstate__(self) -> dict[str, Any]:
        """Everything but the second view of arrays that are kept."""
        return {name: value for name, value in self.__dict__.items() if name != "_lent"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Take over what was pickled, once its rows have proved to be games, and its lanes to be theirs."""
        self.__dict__.update(state)
        self._lend_arrays()
        check_rows(self.config, self.states)
        if self.is_begun and not self.is_stuck:
            for g in range(self.num):
                self._check_lane(g)

    def _check_lane(self, g: int) -> None:
        """Refuse a lane that does not belong to its row: kernels play what stands there."""
        lane, stream = self.lanes[g], self.streams[g]
        seat, count, n = self.seat(g), int(lane[record.COUNT]), self.config.players
        sound = 0 <= seat < n and 0 <= stream[record.NEXT_SEAT] < n and can_draw(stream[: record.BOT_SEED])
        if sound and lane[record.STAGE] == record.LEARNER_ASKED:
            listed = lane[record.LEGAL : record.LEGAL + count].tolist()
            legal = list_asked(self.game(g), seat, self.asks)
            sound = lane[record.ASKED] == seat and listed == legal
        elif lane[record.STAGE] != record.ENDED:
            sound = False
        if not sound:
            raise StateError(f"lane {g} does not belong to its game: who is asked, and what is legal")

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
        given = pick_given(options)
        # Nothing is kept before everything has proved good: a refused reset leaves the games as they were.
        begun = [self._make_row(g, seeds[g], given) for g in chosen]
        for g, (row, stream) in zip(chosen, begun, strict=True):
            self.states[g], self.streams[g] = row, stream
        self.lanes[chosen, record.STAGE] = record.SEAT if given else record.BEGIN
        self.opponents.forget(chosen)
        self.is_begun, self.is_stuck = True, False
        self._lent["rewards"][:] = 0
        self._run(kernels.RESET)

    def _make_row(self, g: int, seed: int | None, given: dict[str, Any]) -> tuple[States, record.Streams]:
        """Row and stream with which a lane begins its next game."""
        row, stream = self.states[g], self.streams[g]
        if seed is not None or not self.is_begun:
            seed = check_seed(seed)
            row = make_rows(self.config, [seed])[0]
            stream = np.zeros(record.STREAM, np.int64)
            stream[:4] = seed_stream(derive_stream_seed(seed))
            stream[record.NEXT_SEAT] = seed % self.config.players
        return begin_given(row, self.config, given) if given else row, stream

    # --- Stepping --------------------------------------------------------------------------------

    def play(self) -> None:
        """Play what stands in `actions` (ended lanes begin their next game), up to the next decisions.

        Raises:
            IllegalActionError: With illegal_action="raise"; then nothing was played in any lane.
        """
        if self.is_stuck:
            raise RuntimeError("a bot failed in the last step, and the games cannot go on: call reset()")
        if self.illegal_rule == record.RAISES:
            self._refuse_illegal()
        self._run(kernels.STEP)

    def _run(self, call: int) -> None:
        """Call the kernel, and the bots that lanes wait for, until every lane is settled."""
        masks, observations = self._lent.get("masks"), self._lent.get("observations")
        if masks is None:
            masks = self.masks = np.empty(self._masks_shape, BYTE)
        if observations is None:
            observations = self.observations = np.empty(self._observations_shape, FLOAT)
        step = self._step_parts if self.threads.parts else kernels.step_lanes
        rest = (self.settings, self.opponents.codes, self.lanes, self.streams, self.offsets)
        written = (masks, observations, self.last_observations, self._lent["rewards"])
        waiting = step(call, self.states, self.actions, *rest, *written)
        if waiting:
            self.is_stuck = True
            while waiting:
                self.opponents.answer(self)
                waiting = step(kernels.RESUME, self.states, self.actions, *rest, *written)
            self.is_stuck = False

    def _step_parts(self, call: int, *arrays: npt.NDArray[Any]) -> int:
        """The same with several threads: each steps a part of the lanes."""
        same = (id(self.settings), id(self.opponents.codes), id(self.offsets))
        shares = [
            (call, *(one if id(one) in same else one[part] for one in arrays)) for part in self.threads.parts
        ]
        return sum(self.threads.run(kernels.step_lanes, shares))

    def _refuse_illegal(self) -> None:
        g = kernels.find_illegal_lane(self.lanes, self.actions)
        if g < 0:
            return
        where = f"lane {g}: " if self.num > 1 else ""
        raise refuse_action(self.game(g), self.seat(g), int(self.actions[g]), self.asks, where)

    def warn_of_forfeit(self, g: int, action: int) -> None:
        """Log a forfeit: the first as a warning; later ones, there may be thousands, for debugging."""
        level = logging.DEBUG if self.has_warned else logging.WARNING
        self.has_warned = True
        seat = int(self.lanes[g, record.END_SEAT])
        logger.log(level, "seat %d played the illegal action %d and forfeits the game", seat, action)

    # --- What stands in a lane -------------------------------------------------------------------

    def game(self, g: int) -> Game:
        """The game of a lane, as a copy that goes its own way."""
        return make_game(self.config, self.states[g].copy())

    def seat(self, g: int) -> int:
        """The learner's seat in a lane."""
        return int(self.lanes[g, record.LEARNER_SEAT])

    def final_info(self, g: int) -> dict[str, Any]:
        """What the infos say of the game that ended last in a lane."""
        lane, n = self.lanes[g], self.config.players
        seat, illegal = int(lane[record.END_SEAT]), int(lane[record.END_ILLEGAL])
        points = lane[record.END_POINTS : record.END_POINTS + n].astype(np.int64)
        places = lane[record.END_PLACES : record.END_PLACES + n].astype(np.int64)
        infos: dict[str, Any] = {"points": int(points[seat]), "place": int(places[seat]), "seat": seat}
        infos |= {"scores": points, "places": places}
        if self.config.solo:
            infos["scenario_won"] = self._find_won(lane)
            infos["medal"], infos["title"] = self._find_award(lane, int(points[0]))
        if illegal:
            infos["illegal_action"] = illegal
        return infos

    def final_infos(self, which: npt.NDArray[np.intp]) -> dict[str, Any]:
        """The same of many lanes in which nobody did anything illegal: an entry for each."""
        lanes, n, row = self.lanes[which], self.config.players, np.arange(len(which))
        seats = lanes[:, record.END_SEAT].astype(np.int64)
        scores = lanes[:, record.END_POINTS : record.END_POINTS + n].astype(np.int64)
        places = lanes[:, record.END_PLACES : record.END_PLACES + n].astype(np.int64)
        infos: dict[str, Any] = {"points": scores[row, seats], "place": places[row, seats], "seat": seats}
        infos |= {"scores": scores, "places": places}
        if self.config.solo:
            awards = [self._find_award(lane, int(lane[record.END_POINTS])) for lane in lanes]
            infos["scenario_won"] = [self._find_won(lane) for lane in lanes]
            infos["medal"], infos["title"] = ([one[i] for one in awards] for i in range(2))
        return infos

    def _find_won(self, lane: record.Lane) -> bool | None:
        """Whether the scenario that ended last in a lane is won (ruling 14): not by a forfeit."""
        return None if self.config.scenario is None else bool(lane[record.END_WON])

    def _find_award(self, lane: record.Lane, points: int) -> tuple[str | None, str | None]:
        """Medal and title of the solo game that ended last in a lane; there is one of the two at most."""
        if self.config.scenario is not None:
            return scenario(self.config.scenario).find_medal(points) if lane[record.END_WON] else None, None
        return None, None if lane[record.END_FORFEIT] else find_title(points)


def check_num_envs(num_envs: int) -> int:
    """The number of lanes."""
    if isinstance(num_envs, bool) or not isinstance(num_envs, int | np.integer) or num_envs < 1:
        raise ConfigError(f"num_envs is a whole number from 1, not {quote(num_envs)}")
    return int(num_envs)


def can_draw(cells: npt.NDArray[np.int64]) -> bool:
    """Whether this is a random stream: four numbers of 32 bits, and not all zero."""
    return bool(cells.any() and (cells >= 0).all() and (cells >> 32 == 0).all())


def check_seat_option(config: GameConfig, seat: int | str) -> int:
    """The option `seat` as the kernel knows it."""
    if isinstance(seat, str) and seat in SEATS:
        return SEATS[seat]
    is_number = isinstance(seat, int | np.integer) and not isinstance(seat, bool)
    if not is_number or not 0 <= int(seat) < config.players:
        names = " or ".join(map(repr, SEATS))
        raise ConfigError(f"seat is {quote(seat)}: give a number from 0 to {config.players - 1}, or {names}")
    return int(seat)
