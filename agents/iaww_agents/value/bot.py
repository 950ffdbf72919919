"""What a network expects of the positions behind each action: the best of these is played, without a policy.

Every legal action is played in the same few worlds that agree with all the seat knows, and no further: what
the network expects there, on the mean over the worlds, is what the action is worth. How far its expectations
can be trusted is measured by `iaww_training.values.calibration`.
"""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

import numpy as np

from iaww_agents.base import Agent, View, Weighed
from iaww_agents.networks.inputs import PROFILE
from iaww_agents.ppo.bot import find_shipped, load_forward
from iaww_agents.ppo_search.playouts import Lookahead, Playouts
from iaww_agents.search.bot import MOST_WORLDS
from iaww_env.bots.numbers import check_whole
from iaww_env.config import GameConfig
from iaww_env.game import lend_row
from iaww_env.random_games import mask_out_discards

WORLDS = 8
HERE = Path(__file__).resolve().parent
SHIPPED: dict[tuple[str, ...], str] = {
    (): "base.npz"
}  # by card pool; alone, and where there is none, the value of `ppo` is played


def find_value(config: GameConfig) -> Path:
    """The weights whose value is played."""
    own = SHIPPED.get(config.expansions)
    return find_shipped(config) if own is None or config.solo else HERE / own


class ValueAgent(Agent):
    """A learnt value, one decision ahead."""

    profile: ClassVar[str] = PROFILE
    is_slow = True

    def __init__(self, worlds: int = WORLDS, path: str | None = None) -> None:
        """Make the bot.

        Args:
            worlds: Sampled worlds for a decision.
            path: Weights whose value is played; by default those that come with this package.
        """
        self._worlds = check_whole("value", "worlds", worlds, 1, MOST_WORLDS)
        self._path = None if path is None else Path(path)
        if self._path is not None:  # what is wrong with it is said before any game
            self.profile = load_forward(self._path).inputs.profile  # type: ignore[misc]  # of this network
        self._playouts: Playouts | None = None
        self._rng = np.random.default_rng(0)
        self._weighed: dict[int, float] = {}

    def reset(self, seat: int, config: GameConfig, seed: int) -> None:
        """Take a seat; the worlds come from the seed."""
        self._rng, self._weighed = np.random.default_rng(seed), {}
        if self._playouts is None or self._playouts.config != config:
            forward = load_forward(self._path or find_value(config))
            self._playouts = Playouts(forward, config, Lookahead(rounds=0))
            self._allowed = mask_out_discards(config.expansions)

    def act(self, view: View) -> int:
        """The action behind which most is expected."""
        playouts = self._playouts
        assert playouts is not None, "a game begins with reset"
        actions = np.flatnonzero(view.action_mask * self._allowed).astype(np.int16)
        if len(actions) == 1:
            self._weighed = {}
            return int(actions[0])
        worlds = playouts.draw_worlds(lend_row(view.sample_game(0)), view.seat, self._worlds, self._rng)
        values = playouts.compare(worlds, view.seat, actions).mean(axis=1)
        self._weighed = dict(zip(actions.tolist(), values.tolist(), strict=True))
        return int(actions[values.argmax()])

    def explain(self) -> Weighed | None:
        """What was expected behind each action of the last decision, in points."""
        return Weighed("value", dict(self._weighed)) if self._weighed else None
