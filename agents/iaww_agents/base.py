"""What a bot is: `Agent`, and the ways in which it may answer.

Every bot answers one decision at a time from a `View`. Two ways are faster where many games are played:

- `act_batch(view)` answers many decisions with one call, from a `BatchView`: for neural networks.
- `play_lanes(...)` plays whole lanes of games inside a numba kernel: for rules that fit into one. A bot that
  leaves nothing to chance is a `DeterministicAgent`, and `greedy.py` beside this file the model.

A bot that has such a way gives the same action on it. No way may look at what the seat cannot know: with
`View` none can; with a kernel it is upon the bot's author to prove, as tests/agents/test_honest.py does it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt

from iaww_env.bots.specs import list_agents, make_agent
from iaww_env.bots.views import BatchView, View, make_view
from iaww_env.config import GameConfig
from iaww_env.game import lend_row

__all__ = [
    "Agent",
    "BatchAgent",
    "BatchView",
    "DeterministicAgent",
    "KernelAgent",
    "LaneArrays",
    "View",
    "Weighed",
    "list_agents",
    "make_agent",
    "make_view",
]


class Weighed(NamedTuple):
    """What a bot thought of the actions of a decision.

    Attributes:
        of: "probability": how likely it was to take each; "value": what it took each to be worth.
        values: By the number of the action; not every legal one must stand here.
    """

    of: str
    values: dict[int, float]


class Agent(ABC):
    """A bot for one seat.

    Attributes:
        profile: The profile of `view.observation`: "full", "compact" or "cards".
        is_slow: Whether it takes long over a decision: the leaderboard then plays fewer deals with it.
        lane_code: What stands for it in the kernel that steps lanes, where that plays it by itself, as it
            does random bots; None for all others.
    """

    profile: ClassVar[str] = "full"
    is_slow: ClassVar[bool] = False
    lane_code: int | None = None

    def reset(self, seat: int, config: GameConfig, seed: int) -> None:  # noqa: B027  # most have nothing to do
        """A game begins.

        Args:
            seat: The seat this bot plays.
            config: What is played.
            seed: Where the bot's own chance begins: the same seed, the same moves.
        """

    @abstractmethod
    def act(self, view: View) -> int:
        """Choose one of `view.legal_actions()`. Asked only where there are two or more."""

    def explain(self) -> Weighed | None:
        """What the last answer of `act` was chosen by; None where nothing was weighed. Kept in records."""
        return None


class BatchAgent(Agent):
    """A bot that also answers many decisions at once.

    One bot then serves all games and seats, so it keeps nothing from one decision to the next, and takes its
    chance from `view.draw_uniforms()`.

    Attributes:
        imagines: Whether its views come with imagined games (`BatchView.imagined`), for bots that must see
            more than an observation says to think it over.
    """

    imagines: bool = False

    def reset_batch(self, config: GameConfig) -> None:
        """Many games of one configuration begin; later ones follow without a further call."""

    @abstractmethod
    def act_batch(self, view: BatchView) -> npt.NDArray[np.integer]:
        """(decisions,) numbers of legal actions, one for each decision of the view."""


class KernelAgent(Agent):
    """A bot that also plays inside a numba kernel.

    One bot then serves all games and seats. Its chance comes from the streams of the games.
    """

    @abstractmethod
    def play_lanes(
        self,
        code: int,
        states: npt.NDArray[np.int16],
        settings: npt.NDArray[np.int64],
        codes: npt.NDArray[np.int16],
        lanes: npt.NDArray[np.int16],
        streams: npt.NDArray[np.int64],
    ) -> None:
        """Play every lane that waits for this bot until it waits for somebody else.

        In a kernel: while `awaits_bot(states[g], lanes[g], codes, code)`, choose an action of seat
        `lanes[g, ASKED]` and give it to `answer_lane` (see `iaww_env.engine.kernels.lanes`). The
        rows hold the whole game: look only at what that seat may know.
        """


class LaneArrays(NamedTuple):
    """What kernels know of the lanes of games, as one thing: an entry a game, but for settings and codes."""

    states: npt.NDArray[np.int16]
    settings: npt.NDArray[np.int64]
    codes: npt.NDArray[np.int16]
    lanes: npt.NDArray[np.int16]
    streams: npt.NDArray[np.int64]


class DeterministicAgent(KernelAgent):
    """A bot of two kernels that leaves nothing to chance: with the same cards it plays the same.

    Attributes:
        choose: Kernel `choose(row, seat, *arrays)`: the action of a seat that owes a decision.
        play: Kernel `play(code, games, *arrays)`: the loop of `play_lanes` over `games`, a `LaneArrays`.
    """

    choose: ClassVar[Callable[..., int]]
    play: ClassVar[Callable[..., None]]
    _seat = 0
    _rng: np.random.Generator | int = 0

    @abstractmethod
    def lend_arrays(self, row: npt.NDArray[np.int16]) -> tuple[Any, ...]:
        """The arrays that both kernels take behind the others for rows like this: weights, spare rows."""

    def reset(self, seat: int, config: GameConfig, seed: int) -> None:
        """Take a seat."""
        self._seat, self._rng = seat, np.random.default_rng(seed)

    def act(self, view: View) -> int:
        """Choose in a kernel; a drawn game will do, since nothing that is hidden counts."""
        row = lend_row(view.sample_game(self._rng))
        return self.choose(row, self._seat, *self.lend_arrays(row))

    def play_lanes(
        self,
        code: int,
        states: npt.NDArray[np.int16],
        settings: npt.NDArray[np.int64],
        codes: npt.NDArray[np.int16],
        lanes: npt.NDArray[np.int16],
        streams: npt.NDArray[np.int64],
    ) -> None:
        """Play the lanes that wait for it."""
        games = LaneArrays(states, settings, codes, lanes, streams)
        self.play(code, games, *self.lend_arrays(states[0]))
