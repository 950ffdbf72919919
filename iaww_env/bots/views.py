"""What a bot is given to decide by: a view of one decision, or of many at once.

A bot sees what its seat may know and nothing else. The game itself stands behind a function that draws a
*possible* game: no attribute of a view leads to the real one, and a bot that digs into closures or private
names to find it is not playing by the rules.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from iaww_env.actions import action_table
from iaww_env.config import GameConfig
from iaww_env.game import Game
from iaww_env.observation import observation_table

Rng = np.random.Generator | int


class View:
    """One decision of one seat, as the seat sees it.

    Attributes:
        config: What is played.
        observation: (size,) float32, in the profile the bot asked for; `iaww_env.observation.views` names
            its pieces.
        action_mask: (actions,) int8, 1 for each legal action.
    """

    __slots__ = ("__sample", "action_mask", "config", "observation")

    config: GameConfig
    observation: npt.NDArray[np.float32]
    action_mask: npt.NDArray[np.int8]

    def __init__(
        self,
        config: GameConfig,
        observation: npt.NDArray[np.float32],
        action_mask: npt.NDArray[np.int8],
        sample: Callable[[Rng], Game],
    ) -> None:
        """Put a view together; `make_view` makes one from a game."""
        self.config = config
        self.observation = observation
        self.action_mask = action_mask
        self.__sample = sample

    def legal_actions(self) -> list[int]:
        """Numbers of the legal actions, ascending."""
        legal: list[int] = np.flatnonzero(self.action_mask).tolist()
        return legal

    def text(self, action: int) -> str:
        """The text form of an action."""
        return action_table(self.config.expansions).to_text(action)

    def sample_game(self, rng: Rng) -> Game:
        """A game that agrees with everything the seat knows, all else drawn with `rng`: for searching.

        It is a copy: whatever is played in it stays in it.
        """
        return self.__sample(rng)


def make_view(game: Game, seat: int, profile: str = "full") -> View:
    """What a seat sees of a game as it stands now; later moves do not change the view."""
    observation, mask = observation_table(game.config, profile).observe(game, seat)
    return View(game.config, observation, mask, make_sampler(game.clone(), seat))


def make_sampler(game: Game, seat: int) -> Callable[[Rng], Game]:
    """The function behind `View.sample_game`; it holds this very game, so give it a copy."""

    def sample(rng: Rng) -> Game:
        return game.redeterminize(seat, rng)

    return sample


class BatchView:
    """Decisions of one bot in many games, for bots that answer them all at once.

    Attributes:
        config: What is played.
        games: (decisions,) int64, the game of each decision.
        seats: (decisions,) int64, the seat that decides.
        observations: (decisions, size) float32.
        action_masks: (decisions, actions) int8.
    """

    __slots__ = ("__draw", "action_masks", "config", "games", "observations", "seats")

    def __init__(
        self,
        config: GameConfig,
        games: npt.NDArray[np.int64],
        seats: npt.NDArray[np.int64],
        observations: npt.NDArray[np.float32],
        action_masks: npt.NDArray[np.int8],
        draw: Callable[[], npt.NDArray[np.float64]],
    ) -> None:
        """Put a view together."""
        self.config, self.games, self.seats = config, games, seats
        self.observations, self.action_masks = observations, action_masks
        self.__draw = draw

    def __len__(self) -> int:
        return len(self.games)

    def draw_uniforms(self) -> npt.NDArray[np.float64]:
        """(decisions,) random numbers from 0 to 1, never 1; each from the own stream of its game.

        A bot that takes its chance from here plays the same in a game whichever games stand beside it.
        """
        return self.__draw()
