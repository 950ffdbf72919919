"""What a bot is: `Agent`, and the ways in which it may answer.

Every bot answers one decision at a time from a `View`. Two ways are faster where many games are played:

- `act_batch(view)` answers many decisions with one call, from a `BatchView`: for neural networks.
- `play_lanes(...)` plays whole lanes of games inside a numba kernel: for rules that fit into one. See
  `KernelAgent`; `agents/iaww_agents/greedy.py` is the model.

A bot that has such a way gives the same action on it. No way may look at what the seat cannot know: with
`View` none can; with a kernel it is upon the bot's author to prove, as tests/agents/test_agents.py does it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from iaww_env.bots.specs import list_agents, make_agent
from iaww_env.bots.views import BatchView, View, make_view
from iaww_env.config import GameConfig

__all__ = [
    "Agent",
    "BatchAgent",
    "BatchView",
    "KernelAgent",
    "View",
    "list_agents",
    "make_agent",
    "make_view",
]


class Agent(ABC):
    """A bot for one seat.

    Attributes:
        profile: The profile of `view.observation`, "full" or "compact".
    """

    profile: ClassVar[str] = "full"

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


class BatchAgent(Agent):
    """A bot that also answers many decisions at once.

    One bot then serves all games and seats, so it keeps nothing from one decision to the next, and takes its
    chance from `view.draw_uniforms()`.
    """

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
