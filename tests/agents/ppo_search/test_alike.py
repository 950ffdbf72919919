"""Decisions that look alike are found, all of them and no others, and the network is asked once for each."""

from __future__ import annotations

import numpy as np
import pytest

from iaww_agents.networks.inputs import Rows
from iaww_agents.ppo.bot import find_shipped, load_forward
from iaww_agents.ppo_search.alike import tell_apart
from iaww_agents.ppo_search.playouts import Floats, Lookahead, Playouts
from iaww_env import Game, GameConfig, rulebook
from iaww_env.engine.rules.legal import Mask
from iaww_env.game import lend_row

WIDTH, ACTIONS = 11, 6  # of the widths, none is a multiple of four


def group(observations: Floats, masks: Mask) -> tuple[list[int], list[int]]:
    """The same by a dictionary."""
    seen: dict[tuple[bytes, bytes], int] = {}
    firsts, places = [], []
    for g, (numbers, mask) in enumerate(zip(observations, masks, strict=True)):
        key = numbers.tobytes(), mask.tobytes()
        if key not in seen:
            seen[key] = len(seen)
            firsts.append(g)
        places.append(seen[key])
    return firsts, places


@pytest.mark.parametrize("count", [0, 1, 2, 40, 500])
def test_what_looks_alike_is_found_and_nothing_else(count: int) -> None:
    """Rows that differ in one number, or in one legal action alone, stay apart."""
    rng = np.random.default_rng(count)
    observations = np.zeros((count, WIDTH), np.float32)
    masks = np.ones((count, ACTIONS), np.int8)
    changed = rng.random(count) < 0.7
    for g in np.flatnonzero(changed).tolist():
        observations[g, rng.integers(WIDTH)] = rng.choice(np.float32([1, 2, 0.5, -1e-30]))
    for g in np.flatnonzero(rng.random(count) < 0.4).tolist():
        masks[g, rng.integers(ACTIONS)] = 0
    firsts, places = tell_apart(observations, masks)
    assert (firsts.tolist(), places.tolist()) == group(observations, masks)


def test_the_network_is_asked_once_for_what_a_seat_cannot_tell_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    """While a seat plans, worlds differ in what it does not see: one decision for all of them."""
    config = GameConfig(4)
    game = Game(config, 31)
    rng = np.random.default_rng(31)
    while game.phase != rulebook.PHASES[rulebook.PLANNING]:
        seat = game.seats_to_act()[0]
        game.step(seat, int(rng.choice(game.legal_actions(seat))))
    seat = game.seats_to_act()[0]
    playouts = Playouts(load_forward(find_shipped(config)), config, Lookahead())
    asked: list[int] = []
    score = playouts.score

    def count(observations: Floats, masks: Mask, rows: Rows) -> tuple[Floats, Floats]:
        asked.append(len(observations))
        return score(observations, masks, rows)

    monkeypatch.setattr(playouts, "score", count)
    worlds = playouts.draw_worlds(lend_row(game), seat, 8, np.random.default_rng(1))
    candidates = np.array(game.legal_actions(seat)[:2], np.int16)
    playouts.compare(worlds, seat, candidates)
    assert asked[0] == 2, "one for each candidate, not for each world"
