"""Many games stepped together: one seat of each game per call, one kernel call for all."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from iaww_env.actions import action_table
from iaww_env.arrays import Arrays, check_arrays, lend_array, take_array
from iaww_env.asking import count_asks, list_asked, refuse_action
from iaww_env.config import GameConfig, choose_config
from iaww_env.engine.fields import States, StateViews, find_layout
from iaww_env.engine.kernels import batch as kernels
from iaww_env.engine.new_rows import check_seed, make_rows, seed_stream
from iaww_env.engine.observe.pieces import PROFILES, Offsets, place_pieces
from iaww_env.engine.rewards import SCHEMES
from iaww_env.errors import ConfigError, StateError, quote
from iaww_env.game import Game, make_game, show_only
from iaww_env.soundness import check_rows
from iaww_env.threads import Threads

PROFILE = "full"  # what environments show where nothing else is asked for
MOST_GAMES = 1 << 24  # of one batch


class Batch:
    """N games of one configuration that begin anew by themselves.

    Each step plays one decision in every game: that of seat `seats[g]`, whose legal actions stand in
    `masks[g]` and whose observation in `observations[g]`. A finished game is flagged in `done[g]` and scored
    into `points[g]` and `places[g]`; the next one begins in its row, drawn from the row's own stream. All
    arrays are made once and written in place: copy what you keep. The state and what is said of it can only
    be read; masks, observations and rewards are yours to change.

    `rewards[g, s]` is what seat s has earned since it last decided: where `done[g]` it closes the trajectory
    of every seat, elsewhere only the entry of the seat that decides now can differ from 0.

    Attributes:
        states: (games, state_size) int16, the state tensor.
        seats: (games,) int16, the seat that decides.
        masks: (games, actions) int8, its legal actions.
        observations: (games, size) float32, what it may know; size 0 with `observation=None`.
        rewards: (games, players) float32.
        profile: The profile of the observations, or None.
        done: (games,) int16, 1 where the last step ended a game.
        points: (games, players) int16, points of the last finished game.
        places: (games, players) int16, places in it.
    """

    def __init__(
        self,
        config: GameConfig | None = None,
        num_games: int = 256,
        seed: int | Sequence[int] | None = None,
        *,
        players: int | None = None,
        expansions: Sequence[str] | None = None,
        empire_side: str | None = None,
        empires: Sequence[str | None] | None = None,
        scenario: str | None = None,
        observation: str | None = PROFILE,
        reward: str = "outcome",
        skip_forced: bool = True,
        discards: bool = True,
        threads: int = 1,
        arrays: Arrays | None = None,
    ) -> None:
        """Begin `num_games` games.

        Args:
            config: What to play; or say it by the five names behind `seed`.
            num_games: Games in the batch.
            seed: One seed (game g gets seed + g), a seed for each game, or None to draw one.
            players: Seats; four where nothing is said, one in a scenario.
            expansions: As in `GameConfig`; likewise the three behind it.
            empire_side: Side of the empire cards.
            empires: One id for each seat, or None where it is drawn.
            scenario: Id of a solo scenario.
            observation: `"full"`, `"compact"`, `"cards"`, or None to write no observations.
            reward: A reward scheme: outcome, rank, points, margin, points_gain or goal.
            skip_forced: Play decisions with one legal action without asking.
            discards: Whether constructions can be given up; without it learning begins far quicker.
            threads: Threads that share the games of a step; the same bytes for any number of them.
            arrays: Arrays of yours to be written into, by name: `observations`, `masks`, `rewards`.
        """
        said = {"players": players, "expansions": expansions, "empire_side": empire_side}
        self._config = choose_config(config, **said, empires=empires, scenario=scenario)
        is_whole = isinstance(num_games, int | np.integer) and not isinstance(num_games, bool)
        if not is_whole or not 1 <= num_games <= MOST_GAMES:
            raise ConfigError(f"num_games is a whole number from 1 to {MOST_GAMES:,}, not {quote(num_games)}")
        self._scheme = find_scheme(reward)
        self._num_games = int(num_games)
        self._asks = count_asks(skip_forced, discards)
        self.profile = observation
        n = self.num_games
        self._offsets, size = find_offsets(self.config, observation)
        self._states = make_rows(self.config, self._spread_seed(seed))
        given = check_arrays(arrays)
        self.masks = take_array(given, "masks", (n, len(action_table(self.config.expansions))), np.int8)
        self.observations = take_array(given, "observations", (n, size), np.float32)
        self.rewards = take_array(given, "rewards", (n, self.config.players), np.float32)
        self._turns = np.zeros((n, kernels.TURN), np.int16)
        self._actions = np.zeros(n, np.int16)
        self._threads = Threads(threads, n)
        self._lay_windows()
        kernels.step_batch(self._states, self._actions, True, self._asks, self._scheme, *self._buffers)

    def _lay_windows(self) -> None:
        """What is shown of the games, and what the kernels write into."""
        turns, players = self._turns, self.config.players
        self.states = show_only(self._states)
        self.seats = show_only(turns[:, kernels.TURN_SEAT])
        self.done = show_only(turns[:, kernels.TURN_DONE])
        self.points = show_only(turns[:, kernels.TURN_POINTS : kernels.TURN_POINTS + players])
        self.places = show_only(turns[:, kernels.TURN_PLACES : kernels.TURN_PLACES + players])
        self._paid = turns[:, kernels.TURN_PAID : kernels.TURN_PAID + players]
        self._stream = np.zeros(4, np.int64)  # the last whose form was checked; at first one of nobody's
        shown = (lend_array(self.masks), lend_array(self.rewards), self._offsets)
        self._buffers = (turns, *shown, lend_array(self.observations))

    # --- Copies ----------------------------------------------------------------------------------

    def __getstate__(self) -> dict[str, Any]:
        """Everything but the windows: they are laid anew."""
        return {name: value for name, value in self.__dict__.items() if name not in _WINDOWS}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Take over what was pickled, once it has proved to be games and what is known of them."""
        self.__dict__.update(state)
        check_rows(self.config, self._states)
        self._check_turns()
        self._lay_windows()

    def _check_turns(self) -> None:
        """Refuse turns that do not belong to the rows: kernels play what stands there."""
        for g, turn in enumerate(self._turns):
            seat, count = int(turn[kernels.TURN_SEAT]), int(turn[kernels.TURN_COUNT])
            listed = turn[kernels.TURN_LEGAL : kernels.TURN_LEGAL + count].tolist()
            game = self.game(g)
            if seat not in game.seats_to_act() or listed != list_asked(game, seat, self._asks):
                raise StateError("these are no turns of a batch: a seat that is asked, and what it may do")

    @property
    def config(self) -> GameConfig:
        """What is played."""
        return self._config

    @property
    def num_games(self) -> int:
        """Games in the batch."""
        return self._num_games

    @property
    def threads(self) -> int:
        """Threads that may share the games of a step."""
        return self._threads.count

    def _spread_seed(self, seed: int | Sequence[int] | None) -> list[int]:
        if isinstance(seed, np.ndarray):
            seed = seed.tolist()
        if isinstance(seed, Sequence):
            if len(seed) != self.num_games:
                raise ConfigError(f"{len(seed)} seeds for {self.num_games} games: give one for each, or one")
            return [check_seed(one) for one in seed]
        first = check_seed(seed)
        return [first + g for g in range(self.num_games)]

    @property
    def state(self) -> StateViews:
        """Named windows into all rows: `batch.state.krystallium[g, seat]`, ..."""
        return find_layout(self.config).views(self.states)

    def step(self, actions: npt.NDArray[np.integer]) -> None:
        """Play one action in every game.

        Raises:
            IllegalActionError: An action is not legal; then nothing was played in any game.
        """
        # What `sample_legal` drew lies as the kernel needs it: a batch of few games feels every check.
        chosen = self._actions if actions is self._actions else self._read_actions(actions)
        if self._threads.parts:
            bad = self._step_parts(chosen)
        else:
            bad = kernels.step_batch(self._states, chosen, False, self._asks, self._scheme, *self._buffers)
        if bad >= 0:
            seat = int(self.seats[bad])
            raise refuse_action(self.game(bad), seat, int(actions[bad]), self._asks, f"game {bad}: ")

    def _step_parts(self, chosen: npt.NDArray[np.int16]) -> int:
        """The same with several threads; nothing is played if one is illegal."""
        bad: int = kernels.find_illegal_turn(chosen, self._turns)
        if bad < 0:
            shares = []
            for part in self._threads.parts:
                buffers = (one if one is self._offsets else one[part] for one in self._buffers)
                asked = (self._states[part], chosen[part], False, self._asks, self._scheme)
                shares.append((*asked, *buffers))
            self._threads.run(kernels.step_batch, shares)
        return bad

    def _read_actions(self, actions: npt.NDArray[np.integer]) -> npt.NDArray[np.int16]:
        """Actions as the kernel reads them."""
        chosen = np.asarray(actions)
        if chosen.shape != (self.num_games,) or chosen.dtype.kind not in "iu":
            raise ValueError(
                f"actions are {self.num_games} whole numbers, one a game, not {chosen.dtype} {chosen.shape}"
            )
        if chosen.dtype != np.int16:
            # Numbers outside the table stay outside it when they are narrowed.
            chosen = np.clip(chosen, -1, np.iinfo(np.int16).max).astype(np.int16)
        return np.ascontiguousarray(chosen)

    def sample_legal(self, stream: npt.NDArray[np.int64], *, discards: bool = True) -> npt.NDArray[np.int16]:
        """A uniformly random legal action for every game, drawn with `stream` (see `make_stream`).

        The array returned is the same one at every call. `discards=False` never gives up a construction.

        Raises:
            TypeError: This is no array of four int64.
            ValueError: The words cannot be those of a stream; nothing was drawn.
        """
        if stream is not self._stream:
            self._stream = check_stream(stream)
        # The words are looked at in the kernel, at every call: they are the caller's to change.
        if not kernels.sample_batch(self._states, self._turns, bool(discards), stream, self._actions):
            raise ValueError("a stream is four words from 0 to 2**32 - 1, and not all 0: see make_stream")
        return self._actions

    def game(self, g: int) -> Game:
        """Game g as it stands, as a copy that goes its own way."""
        return make_game(self.config, self._states[g].copy())


# What `Batch` shows, and what it hands to its kernels, over arrays that it holds.
_WINDOWS = ("states", "seats", "done", "points", "places", "_paid", "_stream", "_buffers")


def lend_states(batch: Batch) -> States:
    """The state tensor for kernels of the package; whoever writes into it answers for it."""
    return batch._states


def make_stream(seed: int | None = None) -> npt.NDArray[np.int64]:
    """A random stream for `Batch.sample_legal`: four words that every draw moves on."""
    return seed_stream(check_seed(seed))


def check_stream(stream: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """A stream of the form that kernels know; what the words are is looked at when they draw."""
    if not (isinstance(stream, np.ndarray) and stream.dtype == np.int64 and stream.shape == (4,)):
        raise TypeError("a stream is an array of four int64: see make_stream")
    if not stream.flags.carray:
        raise TypeError("a stream is a writable array in one piece: see make_stream")
    return stream


def find_scheme(reward: str) -> int:
    """The number of a reward scheme."""
    if reward not in SCHEMES:
        raise ConfigError(f"there is no reward {quote(reward)}: choose from {', '.join(SCHEMES)}")
    return SCHEMES.index(reward)


def find_offsets(config: GameConfig, observation: str | None) -> tuple[Offsets, int]:
    """Where the pieces of a profile lie, and the length of its observation; nothing for None."""
    if observation is None:
        return np.zeros(0, np.int64), 0
    if observation not in PROFILES:
        raise ConfigError(f"there is no observation {quote(observation)}: choose from {', '.join(PROFILES)}")
    return place_pieces(observation, config.players, config.kinds)
