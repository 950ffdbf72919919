"""A game as RLlib plays it in self-play: it is shown the seats that have something to decide, and no others.

It is imported where RLlib runs, on every machine of the cluster.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from ray.rllib.env.multi_agent_env import MultiAgentEnv

from iaww_env.envs.adapters.rllib import Renamed, make_parallel

NAME = "iaww_self_play"  # of the environment, for RLlib
POLICY = "all"  # one policy in all seats

Shown = dict[str, Renamed]


class SelfPlayGame(MultiAgentEnv):  # type: ignore[misc]  # Ray is left out of the check
    """The parallel environment without the seats that wait: their one legal action is played here.

    So nothing is computed for decisions that are none, and nothing is learnt from them.
    """

    def __init__(self, env_config: Any) -> None:
        """Make a game.

        Args:
            env_config: Options of `parallel_env`; `scale`, what a unit of the reward is worth; and `stream`,
                numbers that set the deals of this run apart from those of others.
        """
        super().__init__()
        options = dict(env_config)
        self._scale, self._stream = float(options.pop("scale")), tuple(options.pop("stream"))
        self._worker = int(getattr(env_config, "worker_index", 0))
        self._rng: np.random.Generator | None = None
        self._env = make_parallel(options)
        self._waiting: dict[str, int] = {}
        self.observation_space, self.action_space = self._env.observation_space, self._env.action_space
        self.observation_spaces, self.action_spaces = self.observation_space.spaces, self.action_space.spaces
        self.possible_agents = sorted(self.observation_spaces)
        self.agents = list(self.possible_agents)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Shown, dict[str, Any]]:
        """Begin a game.

        RLlib gives neighbouring seeds to neighbouring workers and to the games of each, so that they overlap,
        and the same ones again whenever it has whole games played. Here each worker has numbers of its own,
        and a stream goes on once it has begun.
        """
        if self._rng is None:
            self._rng = np.random.default_rng([*self._stream, self._worker, seed or 0])
        shown, infos = self._env.reset(seed=int(self._rng.integers(2**63)), options=options)
        asked = self._leave_out_waiting(shown)
        return asked, {name: infos[name] for name in asked}

    def step(
        self, action_dict: dict[str, int]
    ) -> tuple[Shown, dict[str, float], dict[str, bool], dict[str, bool], dict[str, Any]]:
        """Play one action of every seat that was shown; at the end all seats are shown."""
        shown, rewards, ended, cut, infos = self._env.step({**action_dict, **self._waiting})
        rewards = {name: reward * self._scale for name, reward in rewards.items()}
        if ended["__all__"]:
            return shown, rewards, ended, cut, infos
        asked = self._leave_out_waiting(shown)
        none = {"__all__": False}
        return asked, rewards, none, none.copy(), {name: infos[name] for name in asked}

    def close(self) -> None:
        """Nothing is left behind."""
        self._env.close()

    def _leave_out_waiting(self, shown: Shown) -> Shown:
        """The seats that have a choice; what the others play is kept for the next step."""
        waiting = {name: seen["action_mask"] for name, seen in shown.items() if seen["action_mask"].sum() < 2}
        self._waiting = {name: int(mask.argmax()) for name, mask in waiting.items()}
        return {name: seen for name, seen in shown.items() if name not in waiting}


def note_game(*, episode: Any, metrics_logger: Any, **_: Any) -> None:
    """Called by RLlib when a game has ended: its decisions, and the points of its seats."""
    points = [info["points"] for info in episode.get_infos(-1).values()]
    metrics_logger.log_value("games", 1, reduce="sum")
    metrics_logger.log_value("points", float(np.mean(points)), reduce="sum")
    decisions = sum(len(seat) for seat in episode.agent_episodes.values())
    metrics_logger.log_value("decisions", decisions, reduce="sum")
