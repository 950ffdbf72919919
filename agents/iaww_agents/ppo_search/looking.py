"""What bots have in common that look ahead with a network: weights, sampled worlds, and what they thought."""

from __future__ import annotations

from abc import abstractmethod
from pathlib import Path
from typing import ClassVar

import numpy as np

from iaww_agents.base import Agent, Weighed
from iaww_agents.networks.inputs import PROFILE
from iaww_agents.ppo.bot import load_forward
from iaww_agents.ppo_search.playouts import Lookahead, Playouts
from iaww_env.config import GameConfig
from iaww_env.random_games import mask_out_discards


class LookingAgent(Agent):
    """A bot that plays sampled worlds on with a network, of its own or shipped with the package."""

    profile: ClassVar[str] = PROFILE
    is_slow = True

    def __init__(self, path: str | None, lookahead: Lookahead) -> None:
        """Take the weights of `path`, or for each configuration those that are shipped."""
        self._lookahead = lookahead
        self._path = None if path is None else Path(path)
        if self._path is not None:  # what is wrong with it is said before any game
            self.profile = load_forward(self._path).inputs.profile  # type: ignore[misc]  # of this network
        self._held: Playouts | None = None
        self._rng = np.random.default_rng(0)
        self._weighed: dict[int, float] = {}

    @abstractmethod
    def find_weights(self, config: GameConfig) -> Path:
        """The weights that are shipped for a configuration."""

    def reset(self, seat: int, config: GameConfig, seed: int) -> None:
        """Take a seat; the worlds come from the seed."""
        self._rng, self._weighed = np.random.default_rng(seed), {}
        if self._held is None or self._held.config != config:
            forward = load_forward(self._path or self.find_weights(config))
            self._held = Playouts(forward, config, self._lookahead)
            self._allowed = mask_out_discards(config.expansions)

    @property
    def _playouts(self) -> Playouts:
        assert self._held is not None, "a game begins with reset"
        return self._held

    def explain(self) -> Weighed | None:
        """The mean value of each action that the last decision compared, over the worlds it was tried in."""
        return Weighed("value", dict(self._weighed)) if self._weighed else None
