"""The scoring network as a policy of Stable-Baselines3: its models are saved, loaded and asked as usual."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from gymnasium import spaces
from sb3_contrib.common.maskable.distributions import MaskableDistribution
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.type_aliases import Schedule
from torch import Tensor

from iaww_agents.networks.inputs import PROFILE, make_inputs
from iaww_env.config import GameConfig
from iaww_env.observation import observation_table
from iaww_training.decisions import Seen, look
from iaww_training.network import LegalTensors, ScoringNetwork

UNLIKELY = -1e8  # as sb3-contrib scores what is masked

Asked = tuple[Tensor, LegalTensors]


class ScoringPolicy(MaskableActorCriticPolicy):  # type: ignore[misc]  # SB3 is left out of the check
    """A policy over all actions that computes the legal ones alone.

    It is asked like any policy of MaskablePPO: with observations of the profile `cards`, alone or beside
    their masks. The trainer hands it decisions in the form in which the network takes them.
    """

    network: ScoringNetwork

    def __init__(
        self,
        observation_space: spaces.Space[Any],
        action_space: spaces.Space[Any],
        lr_schedule: Schedule,
        expansions: tuple[str, ...] = (),
        width: int = 256,
        depth: int = 64,
        advised: bool = False,
        **others: Any,
    ) -> None:
        """Make a policy with fresh weights.

        Args:
            observation_space: Of the environments; what the network sees follows from the card pool.
            action_space: All actions of the card pool.
            lr_schedule: Learning rate by what is left of the run, from 1 to 0.
            expansions: The card pool.
            width: Numbers of each hidden layer of the trunk.
            depth: Numbers that stand for an action.
            advised: Whether it is told what the heuristic says; it then plays at tables alone, and not from
                observations.
            others: What MaskablePPO gives to its policies; of it only the optimizer counts.
        """
        self.expansions, self.width, self.depth = tuple(expansions), width, depth
        self.advised = advised
        super().__init__(observation_space, action_space, lr_schedule, **others)

    def _build(self, lr_schedule: Schedule) -> None:
        inputs = make_inputs(self.expansions, advised=self.advised)
        self.network = ScoringNetwork(inputs, width=self.width, depth=self.depth)
        tables = [observation_table(GameConfig(n, self.network.inputs.expansions), PROFILE) for n in (2, 1)]
        self._sources = {table.size: self.network.inputs.find(table.config) for table in tables}
        self.optimizer = self.optimizer_class(
            self.network.parameters(), lr=lr_schedule(1), **self.optimizer_kwargs
        )

    def _get_constructor_parameters(self) -> dict[str, Any]:
        kept: dict[str, Any] = super()._get_constructor_parameters()
        own = {"expansions": self.expansions, "width": self.width, "depth": self.depth}
        return kept | own | {"advised": self.advised}

    # --- As the trainer asks ---------------------------------------------------------------------

    def evaluate_actions(
        self,
        obs: Asked | Any,
        actions: Tensor,
        action_masks: npt.NDArray[Any] | Tensor | None = None,
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Values, log-probabilities of the actions, and entropies: (decisions,) each."""
        known, legal = obs if isinstance(obs, tuple) else self._look(obs, action_masks).tensors()
        scores, values = self.network(known, legal)
        log_probs = torch.log_softmax(scores, 1)
        is_played = legal.actions == actions.index_select(0, legal.rows)
        places = legal.places[is_played]
        played = log_probs.gather(1, places[:, None])[:, 0]
        entropies = -(log_probs.exp() * log_probs.clamp(min=-1e3)).sum(1)
        return values, played, entropies

    # --- As anybody asks -------------------------------------------------------------------------

    def get_distribution(
        self, obs: Any, action_masks: npt.NDArray[Any] | None = None
    ) -> MaskableDistribution:
        """What the policy would play, over all actions."""
        return self._ask(obs, action_masks)[0]

    def forward(
        self, obs: Any, deterministic: bool = False, action_masks: npt.NDArray[Any] | None = None
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Actions, values and log-probabilities."""
        distribution, values = self._ask(obs, action_masks)
        actions = distribution.get_actions(deterministic=deterministic)
        return actions, values[:, None], distribution.log_prob(actions)

    def predict_values(self, obs: Any) -> Tensor:
        """Values: (decisions, 1)."""
        return self._ask(obs, None)[1][:, None]

    def _ask(self, obs: Any, masks: npt.NDArray[Any] | None) -> tuple[MaskableDistribution, Tensor]:
        known, legal = self._look(obs, masks).tensors()
        scores, values = self.network(known, legal)
        logits = scores.new_full((len(known), int(self.action_space.n)), UNLIKELY)
        logits = logits.index_put((legal.rows, legal.actions.long()), scores[legal.rows, legal.places])
        distribution = self.action_dist.proba_distribution(action_logits=logits)
        is_legal = np.zeros(logits.shape, np.bool_)
        is_legal[legal.rows.numpy(), legal.actions.numpy()] = True
        distribution.apply_masking(is_legal)
        return distribution, values

    def _look(self, obs: Any, masks: npt.NDArray[Any] | Tensor | None) -> Seen:
        """What the network sees; without masks all actions are taken for legal."""
        if isinstance(obs, dict):
            masks = obs["action_mask"] if masks is None else masks
            obs = obs["observation"]
        observations = np.ascontiguousarray(torch.as_tensor(obs).numpy(), np.float32)
        if masks is None:
            found = np.ones((len(observations), int(self.action_space.n)), np.int8)
        else:
            found = np.asarray(masks).reshape(len(observations), -1).astype(np.int8)
        return look(self.network.inputs, self._sources[observations.shape[1]], observations, found)
