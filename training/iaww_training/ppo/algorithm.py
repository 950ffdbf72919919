"""MaskablePPO of sb3-contrib that learns by self-play at tables of the native batch."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import numpy as np
import torch
from gymnasium import spaces
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.buffers import MaskableRolloutBuffer, MaskableRolloutBufferSamples
from stable_baselines3.common.callbacks import BaseCallback

from iaww_agents.networks.inputs import PROFILE
from iaww_env.actions import action_table
from iaww_env.config import GameConfig
from iaww_env.observation import observation_table
from iaww_training.decisions import cut
from iaww_training.ppo.policy import ScoringPolicy
from iaww_training.ppo.tables import Collected, Ended, Tables


class SelfPlayBuffer(MaskableRolloutBuffer):  # type: ignore[misc]  # SB3 is left out of the check
    """Holds the decisions of a rollout as the network takes them, and hands them out in minibatches."""

    def reset(self) -> None:
        """Nothing is kept from the last rollout."""
        self.collected: Collected | None = None

    def fill(self, collected: Collected, rng: np.random.Generator) -> None:
        """Take over the decisions of a rollout; the order of minibatches is drawn with `rng`."""
        self.collected, self._rng = collected, rng
        self.values, self.returns = collected.values, collected.returns

    def get(self, batch_size: int | None = None) -> Iterator[MaskableRolloutBufferSamples]:
        """All decisions once in random order; what is left over at the end is dropped."""
        held = self.collected
        assert held is not None
        for chosen in cut(len(held.seen), batch_size or len(held.seen), self._rng):
            actions, values, log_probs, advantages, returns = (torch.from_numpy(a[chosen]) for a in held[1:])
            yield MaskableRolloutBufferSamples(
                held.seen.take(chosen), actions, values, log_probs, advantages, returns, None
            )


class SelfPlayPPO(MaskablePPO):  # type: ignore[misc]  # SB3 is left out of the check
    """PPO with masks in which every seat of many games learns.

    The update is MaskablePPO's own; what differs is where decisions come from. Without tables (a loaded
    model) it can be asked, and learns when it is given some.
    """

    policy: ScoringPolicy

    def __init__(
        self,
        policy: type[ScoringPolicy] = ScoringPolicy,
        env: None = None,
        tables: Tables | None = None,
        entropy_end: float | None = None,
        expansions: tuple[str, ...] = (),
        _init_setup_model: bool = True,
        **options: Any,
    ) -> None:
        """Make a model.

        Args:
            policy: Its policy.
            env: None: it plays at tables.
            tables: Where it learns.
            entropy_end: What the weight of the entropy falls to, from `ent_coef`; None: it stays.
            expansions: The card pool.
            options: Those of MaskablePPO.
        """
        super().__init__(policy, env, _init_setup_model=False, **options)
        self.tables = tables
        self.entropy_begin = float(options.get("ent_coef", 0.0))
        self.entropy_end = entropy_end
        self.expansions = tuple(expansions)
        self.seconds = {"collecting": 0.0, "learning": 0.0}
        if _init_setup_model:
            self._setup_model()

    def _setup_model(self) -> None:
        config = GameConfig(2, self.expansions)
        table, actions = observation_table(config, PROFILE), len(action_table(config.expansions))
        self.observation_space = spaces.Dict(
            {
                "observation": spaces.Box(table.low, table.high),
                "action_mask": spaces.MultiBinary(actions),
            }
        )
        self.action_space = spaces.Discrete(actions)
        self.n_envs = 1
        self.rollout_buffer_class = SelfPlayBuffer
        super()._setup_model()

    def _excluded_save_params(self) -> list[str]:
        return [*super()._excluded_save_params(), "tables"]

    def play(self) -> list[Ended]:
        """Collect the decisions of a rollout; the games that have ended meanwhile."""
        assert self.tables is not None, "a model learns at tables: give it some"
        begun = time.perf_counter()
        self.policy.set_training_mode(False)
        collected, ended = self.tables.collect(self.policy.network)
        self.rollout_buffer.fill(collected, self.tables.rng)
        self.num_timesteps += len(collected.seen)
        self.seconds["collecting"] += time.perf_counter() - begun
        return ended

    def train(self) -> None:
        """Learn from the decisions of a rollout."""
        begun = time.perf_counter()
        if self.entropy_end is not None:
            left = self._current_progress_remaining
            self.ent_coef = self.entropy_end + (self.entropy_begin - self.entropy_end) * left
        super().train()
        self.seconds["learning"] += time.perf_counter() - begun

    def learn(self, total_timesteps: int, callback: BaseCallback | None = None, **_: Any) -> SelfPlayPPO:
        """Learn until so many decisions were made in all."""
        called = self._init_callback(callback)
        if not hasattr(self, "_logger"):
            from stable_baselines3.common.logger import configure

            self.set_logger(configure(None, []))
        called.on_training_start(locals(), globals())
        while self.num_timesteps < total_timesteps:
            called.on_rollout_start()
            ended = self.play()
            self._update_current_progress_remaining(self.num_timesteps, total_timesteps)
            called.update_locals({"ended": ended})
            if not called.on_step():
                break
            self.train()
            called.on_rollout_end()
        called.on_training_end()
        return self
