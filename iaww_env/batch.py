"""Many games stepped together: one seat of each game per call, one kernel call for all."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from iaww_env.actions import action_table
from iaww_env.config import GameConfig
from iaww_env.engine.fields import StateViews, find_layout
from iaww_env.engine.kernels import batch as kernels
from iaww_env.engine.new_rows import check_seed, make_rows, seed_stream
from iaww_env.engine.observe.pieces import PROFILES, Offsets, place_pieces
from iaww_env.engine.rewards import SCHEMES
from iaww_env.errors import ConfigError, IllegalActionError, quote
from iaww_env.game import Game, make_game


class Batch:
    """N games of one configuration that begin anew by themselves.

    Each step plays one decision in every game: that of seat `seats[g]`, whose legal actions stand in
    `masks[g]` and whose observation in `observations[g]`. A finished game is flagged in `done[g]` and scored
    into `points[g]` and `places[g]`; the next one begins in its row, drawn from the row's own stream. All
    arrays are made once and written in place: copy what you keep.

    `rewards[g, s]` is what seat s has earned since it last decided: where `done[g]` it closes the trajectory
    of every seat, elsewhere only the entry of the seat that decides now can differ from 0.

    Attributes:
        config: What is played.
        states: (games, state_size) int16, the state tensor.
        seats: (games,) int16, the seat that decides.
        masks: (games, actions) int8, its legal actions.
        observations: (games, size) float32, what it may know; size 0 without a profile.
        rewards: (games, players) float32.
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
        observation: str | None = None,
        reward: str = "outcome",
        skip_forced: bool = True,
    ) -> None:
        """Begin `num_games` games.

        Args:
            config: What to play; four players and the base game where it is left out.
            num_games: Games in the batch.
            seed: One seed (game g gets seed + g), a seed for each game, or None to draw one.
            observation: `"full"`, `"compact"`, or None to write no observations.
            reward: A reward scheme: outcome, rank, points, margin or points_gain.
            skip_forced: Play decisions with one legal action without asking.
        """
        self.config = GameConfig() if config is None else config
        if not isinstance(self.config, GameConfig):
            raise ConfigError(f"a batch needs a GameConfig, not {type(config).__name__}")
        if isinstance(num_games, bool) or not isinstance(num_games, int | np.integer) or num_games < 1:
            raise ConfigError(f"num_games is a whole number from 1, not {num_games!r}")
        self._scheme = find_scheme(reward)
        self.num_games = int(num_games)
        self.skip_forced = bool(skip_forced)
        n, players = self.num_games, self.config.players
        self._offsets, size = find_offsets(self.config, observation)
        self.states = make_rows(self.config, self._spread_seed(seed))
        self.masks = np.zeros((n, len(action_table(self.config.expansions))), np.int8)
        self.observations = np.zeros((n, size), np.float32)
        self.rewards = np.zeros((n, players), np.float32)
        self._turns = np.zeros((n, kernels.TURN), np.int16)
        self.seats = self._turns[:, kernels.TURN_SEAT]
        self.done = self._turns[:, kernels.TURN_DONE]
        self.points = self._turns[:, kernels.TURN_POINTS : kernels.TURN_POINTS + players]
        self.places = self._turns[:, kernels.TURN_PLACES : kernels.TURN_PLACES + players]
        self._paid = self._turns[:, kernels.TURN_PAID : kernels.TURN_PAID + players]
        self._actions = np.zeros(n, np.int16)
        self._stream = np.zeros(4, np.int64)  # the last whose form was checked; at first one of nobody's
        self._buffers = (self._turns, self.masks, self.rewards, self._offsets, self.observations)
        kernels.step_batch(self.states, self._actions, True, self.skip_forced, self._scheme, *self._buffers)

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
        bad = kernels.step_batch(self.states, chosen, False, self.skip_forced, self._scheme, *self._buffers)
        if bad >= 0:
            self._refuse(bad, int(actions[bad]))

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

    def _refuse(self, g: int, action: int) -> None:
        try:
            self.game(g).step(int(self.seats[g]), action)
        except IllegalActionError as error:
            raise IllegalActionError(
                error.seat, error.action, error.text, f"game {g}: {error.reason}", error.legal
            ) from None

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
        if not kernels.sample_batch(self.states, self._turns, bool(discards), stream, self._actions):
            raise ValueError("a stream is four words from 0 to 2**32 - 1, and not all 0: see make_stream")
        return self._actions

    def game(self, g: int) -> Game:
        """Game g as it stands, as a copy that goes its own way."""
        return make_game(self.config, self.states[g].copy())


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
