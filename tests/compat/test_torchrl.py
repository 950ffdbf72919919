"""TorchRL: its PettingZoo wrapper over the parallel and the AEC form, with action masks."""

from __future__ import annotations

from typing import Any

import pytest

import iaww_env

pytestmark = [
    pytest.mark.compat,
    # TorchRL names the one version of PettingZoo that it is tested with itself.
    pytest.mark.filterwarnings("ignore:PettingZoo in TorchRL is tested using:UserWarning"),
]
torch = pytest.importorskip("torch", reason="torch is not installed: extra [compat]")
pytest.importorskip("torchrl", reason="torchrl is not installed: extra [compat]")

from tensordict.nn import TensorDictModule
from torchrl.envs import TransformedEnv
from torchrl.envs.libs.pettingzoo import PettingZooWrapper
from torchrl.envs.transforms import ActionMask
from torchrl.envs.utils import check_env_specs

SEATS = "seat"  # agents `seat_0`, `seat_1`, ... are one group of this name


def wrap_parallel(**options: Any) -> Any:
    return PettingZooWrapper(env=iaww_env.parallel_env(observation="compact", **options), seed=5)


def check_actions_were_legal(steps: Any) -> None:
    """Each action drawn was one that the mask beside it allows."""
    masks, actions = steps[SEATS, "action_mask"], steps[SEATS, "action"]
    assert masks.dtype == torch.bool
    assert masks.gather(-1, actions.unsqueeze(-1)).all()


def test_specs_hold() -> None:
    check_env_specs(wrap_parallel(players=3, illegal_action="replace"))


def test_masked_rollout_plays_a_whole_game() -> None:
    env = wrap_parallel(players=3, illegal_action="raise")
    steps = env.rollout(1000)  # ends with the game
    check_actions_were_legal(steps)
    assert steps[SEATS, "action"].shape[1] == 3
    assert steps["next", "done"][-1].all()
    assert not steps["next", "done"][:-1].any()
    rewards = steps["next", SEATS, "reward"]
    assert (rewards[:-1] == 0).all()
    assert rewards[-1].sum().item() == pytest.approx(0, abs=1e-5)
    assert rewards[-1].max() > 0


def test_masks_follow_a_policy_through_automatic_resets() -> None:
    env = wrap_parallel(players=2, illegal_action="raise")
    size = env.observation_spec[SEATS, "observation", "observation"].shape[-1]
    actions = env.full_action_spec[SEATS, "action"].space.n
    net = torch.nn.Linear(size, actions)

    def play(seen: Any, mask: Any) -> Any:
        logits = net(seen).masked_fill(~mask, -torch.inf)
        return torch.distributions.Categorical(logits=logits).sample()

    keys = [(SEATS, "observation", "observation"), (SEATS, "action_mask")]
    policy = TensorDictModule(play, in_keys=keys, out_keys=[(SEATS, "action")])
    steps = env.rollout(400, policy=policy, break_when_any_done=False)
    check_actions_were_legal(steps)
    assert steps["next", "done"].sum() >= 1


def test_aec_form_is_masked_too() -> None:
    table = iaww_env.aec_env(players=3, observation="compact", illegal_action="raise")
    group = {SEATS: table.possible_agents}
    env = PettingZooWrapper(env=table, use_mask=True, done_on_any=True, group_map=group, seed=5)
    steps = env.rollout(60)
    assert len(steps) == 60
    acting = steps[SEATS, "mask"]
    assert (acting.sum(-1) == 1).all()  # one seat is asked at a time


def test_action_mask_transform_of_one_group() -> None:
    env = TransformedEnv(
        wrap_parallel(players=2, illegal_action="raise"),
        ActionMask(action_key=(SEATS, "action"), mask_key=(SEATS, "action_mask")),
    )
    check_actions_were_legal(env.rollout(40))
