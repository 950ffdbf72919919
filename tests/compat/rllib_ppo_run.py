"""Self-play on a local Ray cluster of two cores; test_rllib_ppo.py runs it with RLlib's Python.

    rllib_ppo_run.py FOLDER

Every illegal action that is played raises an error. The last line is JSON: what was seen.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")

import numpy as np
import ray

from iaww_env.config import GameConfig
from iaww_training import datasets, rllib_ppo
from iaww_training.rllib_game import POLICY
from iaww_training.rllib_network import OWN

FOLDER = Path(sys.argv[1])
SMALL = rllib_ppo.Options(
    env_runners=2,
    players=3,
    iterations=2,
    decisions=700,
    games=2,
    minibatch=128,
    width=32,
    depth=16,
    checkpoint=FOLDER / "run",
)


def read_network() -> dict[str, Any]:
    with np.load(FOLDER / "run" / rllib_ppo.NETWORK) as file:
        return {name: file[name] for name in file.files if name != "about"}


def is_same(one: dict[str, Any], other: dict[str, Any]) -> bool:
    return sorted(one) == sorted(other) and all(np.array_equal(one[name], other[name]) for name in one)


def list_games(algorithm: Any) -> Iterator[Any]:
    """What both workers play in two calls."""
    for _ in range(2):
        for games in algorithm.env_runner_group.foreach_env_runner(
            lambda worker: worker.sample(), local_env_runner=False
        ):
            yield from games


def check_game(game: Any) -> str:
    """Decisions are those of the seats that had a choice, rewards those of the game; a digest of the deal."""
    points = {name: told["points"] for name, told in game.get_infos(-1).items()}
    for name, seat in game.agent_episodes.items():
        masks, actions = seat.get_observations()["action_mask"], np.asarray(seat.get_actions())
        assert seat.is_terminated
        assert len(masks) == len(actions) + 1
        assert (masks[np.arange(len(actions)), actions] == 1).all()
        assert (masks[:-1].sum(1) > 1).all()
        margin = points[name] - max(other for rival, other in points.items() if rival != name)
        np.testing.assert_allclose(seat.get_rewards(), [0.0] * (len(actions) - 1) + [margin * SMALL.scale])
    first = game.agent_episodes["seat_0"].get_observations()["observations"][0]
    return hashlib.sha256(np.asarray(first).tobytes()).hexdigest()


def look_closer(begun: Path) -> dict[str, Any]:
    """A run that is gone on with: its weights, its deals, and what its workers play."""
    algorithm = rllib_ppo.build(SMALL, begun)
    held = algorithm.learner_group.get_weights([POLICY])[POLICY]
    games = list(list_games(algorithm))
    streams = algorithm.env_runner_group.foreach_env_runner(
        lambda worker: worker.env.envs[0].unwrapped._stream, local_env_runner=False
    )
    played = algorithm.env_runner_group.foreach_env_runner(
        lambda worker: {name: np.asarray(value) for name, value in worker.module[POLICY].get_state().items()},
        local_env_runner=False,
    )
    written = read_network()
    algorithm.stop()
    deals = [check_game(game) for game in games]
    return {
        "restored": is_same({name.removeprefix(OWN): value for name, value in held.items()}, written),
        "shared": all(
            is_same({name.removeprefix(OWN): value for name, value in one.items()}, written) for one in played
        ),
        "streams": [list(stream) for stream in streams],
        "deals": len(deals),
        "different": len(set(deals)),
    }


def learn() -> dict[str, Any]:
    lines = [dataclasses.asdict(one) for one in rllib_ppo.train(SMALL)]
    (begun,) = rllib_ppo.list_checkpoints(FOLDER / "run")
    seen = look_closer(begun)
    before = read_network()
    more = dataclasses.replace(SMALL, iterations=3, resume=True, env_runners=1)
    lines += [dataclasses.asdict(one) for one in rllib_ppo.train(more)]
    return {"lines": lines, "moved": not is_same(before, read_network()), **seen}


def write_games() -> dict[str, Any]:
    """The same games by one process and by two workers of the cluster, one of them gone on with."""
    options = datasets.Options(
        "greedy", GameConfig(2), games=40, first=70, folder=FOLDER / "local", workers=1
    )
    there = dataclasses.replace(options, folder=FOLDER / "ray", workers=2, backend="ray")
    told = list(datasets.write_games(options))
    list(datasets.write_games(dataclasses.replace(there, games=16)))
    told_there = list(datasets.write_games(there))
    files = {path.name: path.read_bytes() for path in options.folder.iterdir()}
    return {
        "told": [told[-1], *told_there],
        "files": sorted(files),
        "same": files == {path.name: path.read_bytes() for path in there.folder.iterdir()},
    }


def main() -> None:
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, object_store_memory=200_000_000)
    told = {"games": write_games(), "learnt": learn()}
    ray.shutdown()
    print(json.dumps(told))


if __name__ == "__main__":
    main()
