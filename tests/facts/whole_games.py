"""Plays whole games with facts that somebody has added: run by test_added_facts.py in a copy of the packages.

It is given the names of what was added, and prints what it has played, as JSON.
"""

from __future__ import annotations

import copy
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np

import iaww_agents
import iaww_env
from iaww_env import Game, GameConfig, cards
from iaww_env.bots import list_agents, make_agent, make_view
from iaww_env.errors import ConfigError
from iaww_env.records import Recorder, read_records, verify_file, write_records

PROFILES = ("full", "compact", "cards")
OWN = {"search": "search:worlds=8"}  # as little as it searches


def list_configs(side: str, empire: str, scenario: str) -> dict[str, GameConfig]:
    """Games in which everything added has its place."""
    everything = cards.EXPANSIONS
    return {
        "two": GameConfig(2, (), side),
        "four": GameConfig(4, everything, side, (None, empire, None, None)),
        "seven": GameConfig(7, everything, side, (None,) * 6 + (empire,)),
        "solo": GameConfig(1, everything, side, (empire,)),
        "scenario": GameConfig(1, (), scenario=scenario),
    }


def look(game: Game, spaces: dict[str, Any]) -> None:
    """What every seat is shown, in its spaces; and the game saved and loaded."""
    for seat in range(game.config.players):
        for profile, space in spaces.items():
            observation, mask = iaww_env.observation_table(game.config, profile).observe(game, seat)
            assert (space.low <= observation).all(), profile
            assert (observation <= space.high).all(), profile
            assert mask[game.legal_actions(seat)].all()
    assert Game.from_bytes(game.to_bytes()) == copy.deepcopy(game) == game


def play_recorded(config: GameConfig, added: str, path: Path) -> int:
    """A random game that builds what it can, recorded and verified; how often the added card was seen."""
    rng, seen = np.random.default_rng(1), 0
    recorder = Recorder(Game(config, 3), 3, checks=True)
    game = recorder.game
    spaces = {profile: iaww_env.observation_table(config, profile) for profile in PROFILES}
    while not game.over:
        look(game, spaces)
        seat = int(rng.choice(game.seats_to_act()))
        legal = [
            one for one in game.legal_actions(seat) if not game.actions.discard <= one < game.actions.use
        ]
        wanted = [one for one in legal if added in game.actions.to_text(one)]
        seen += len(wanted)
        recorder.step(seat, int(rng.choice(wanted or legal)))
    write_records(path, [recorder.record()])
    assert verify_file(path).games == 1
    assert next(read_records(path)) == recorder.record()
    return seen


def play_bots(config: GameConfig, spec: str) -> list[int]:
    """A game with one bot in all seats."""
    game = Game(config, 5)
    bots = [make_agent(spec) for _ in range(config.players)]
    for seat, bot in enumerate(bots):
        bot.reset(seat, config, seat)
    while not game.over:
        seat = game.seats_to_act()[0]
        legal = game.legal_actions(seat)
        choose = bots[seat].act
        game.step(seat, legal[0] if len(legal) == 1 else int(choose(make_view(game, seat))))
    return game.scores()


def play_environments(config: GameConfig) -> float:
    """A game of an environment with bots, or of all seats."""
    env: Any = (
        iaww_env.SoloEnv(config=config)
        if config.solo
        else iaww_env.VersusEnv(config=config, opponents=["heuristic"])
    )
    shown, _ = env.reset(seed=1)
    paid, ended = 0.0, False
    while not ended:
        assert env.observation_space.contains(shown)
        shown, reward, ended, *_ = env.step(int(shown["action_mask"].argmax()))
        paid += float(reward)
    return paid


def main(card: str, side: str, empire: str, scenario: str, folder: str) -> None:
    """Play everything."""
    found: dict[str, Any] = {"packages": [iaww_env.__file__, iaww_agents.__file__], "seen": {}}
    found |= {"scores": {}, "refused": {}}
    for name, config in list_configs(side, empire, scenario).items():
        found["seen"][name] = play_recorded(config, card, Path(folder) / f"{name}.jsonl")
        play_environments(config)
        for spec in list_agents():
            try:
                found["scores"][f"{name}, {spec}"] = play_bots(config, OWN.get(spec, spec))
            except ConfigError as error:
                found["refused"][f"{name}, {spec}"] = str(error)
    print(json.dumps(found))


if __name__ == "__main__":
    main(*sys.argv[1:])
