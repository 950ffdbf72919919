"""Which game a single Gymnasium environment plays: seeds, seats, opponents, deals."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest

import iaww_env
from tests.bots.bot_files import OWN_CHANCE, write_bot
from tests.dealt_cards import draw_deals, draw_hands
from tests.envs.frozen import freeze
from tests.envs.single.learner_play import SOLO_ID, VERSUS_ID, make, play_game, play_on, play_some, trace
from tests.envs.taking_turns import take_turns
from tests.modes import CA

# --- Seeds -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("table", ["2", "4", "7-ascension", "solo", "ascension_sc01"])
def test_the_same_seed_gives_the_same_games(table: str) -> None:
    options: dict[str, Any] = {"seat": "random"} if table[0] in "247" else {}
    env = make(table, **options)
    first = trace(env, 7)
    play_some(env, 3, 5)
    assert trace(env, 7) == first, "also after other games"
    assert trace(make(table, **options), 7) == first
    assert trace(env, 8) != first


def test_bots_begin_anew_with_the_same_seed(tmp_path: Path) -> None:
    env = make("3", opponents=[write_bot(tmp_path, "from_seed", OWN_CHANCE)])
    assert trace(env, 7) == trace(env, 7)


def test_games_without_a_seed_go_on_with_the_streams() -> None:
    env = make("3")
    games = [freeze(play_game(env, 0 if number == 0 else None)) for number in range(3)]
    assert games[0] != games[1] != games[2]
    fresh = [make("3").reset()[0]["observation"].tobytes() for _ in range(4)]
    assert len(set(fresh)) == 4


@pytest.mark.parametrize("seed", [0, 1, 2**31, 2**63, 10**30, np.int64(5), np.uint8(7)])
def test_every_whole_number_is_a_seed(seed: Any) -> None:
    env = make("2")
    assert freeze(env.reset(seed=seed)) == freeze(make("2").reset(seed=seed))
    assert env.np_random_seed == seed


def test_global_random_states_are_left_alone() -> None:
    random.seed(1)
    np.random.seed(1)
    before = random.getstate(), freeze(np.random.get_state())
    trace(make("4", opponents=["greedy", "random", "random:nodiscard"], seat="random"), 3)
    assert (random.getstate(), freeze(np.random.get_state())) == before


def test_the_cards_do_not_depend_on_who_plays() -> None:
    """Bots take their chance from a stream of their own, not from the one that deals."""
    decks = []
    for opponents in (["random"], ["greedy"], ["random:nodiscard"]):
        env = make("4", opponents=opponents)
        play_game(env, 6)
        env.reset()
        decks.append((env.game.empires, sorted(env.game.hand(0) + env.game.hand(1))))
    assert decks[0] == decks[1] == decks[2]


def test_two_environments_do_not_disturb_each_other() -> None:
    alone = [trace(make("3", seat="random"), 1, 1), trace(make("solo"), 2, 1)]
    envs = [make("3", seat="random"), make("solo")]
    games = [[env.reset(seed=seed)] for env, seed in zip(envs, (1, 2), strict=True)]
    plays = [
        play_on(env, game[0][0], random.Random(str(seed)))
        for env, game, seed in zip(envs, games, (1, 2), strict=True)
    ]
    for game, answers in zip(games, take_turns(plays, random.Random(9)), strict=True):
        game += [answer for _, answer in answers]
    assert [freeze([game]) for game in games] == alone


# --- What is played ----------------------------------------------------------------------------------


def test_seats_of_the_learner() -> None:
    fixed = [make("3", seat=1).reset(seed=seed)[1]["seat"] for seed in range(4)]
    assert fixed == [1] * 4
    drawn = make("3", seat="random")
    seats = [drawn.reset(seed=0 if number == 0 else None)[1]["seat"] for number in range(60)]
    assert all(8 <= seats.count(seat) <= 35 for seat in range(3))
    rotating = make("3", seat="rotate")
    seats = [rotating.reset(seed=4 if number == 0 else None)[1]["seat"] for number in range(7)]
    assert seats == [(4 + number) % 3 for number in range(7)]


@pytest.mark.parametrize("seat", range(4))
def test_opponents_sit_from_the_learners_left(seat: int, tmp_path: Path) -> None:
    """Each notes its seat, and is asked only where it has a choice, although the learner always is."""
    noted = tmp_path / "seats"
    body = f"""
def __init__(self, name):
    self.name = name
def reset(self, seat, config, seed):
    with open({str(noted)!r}, "a") as file:
        print(self.name, seat, seed, file=file)
def act(self, view):
    assert len(view.legal_actions()) > 1
    return view.legal_actions()[0]
"""
    path = write_bot(tmp_path, "noting", body)
    env = make("4", opponents=[f"{path}:Bot:name={name}" for name in "abc"], seat=seat, skip_forced=False)
    for seed in (1, None):
        play_game(env, seed)
    lines = [line.split() for line in noted.read_text().splitlines()]
    assert {(name, int(at)) for name, at, _ in lines} == {("abc"[k], (seat + 1 + k) % 4) for k in range(3)}
    assert len(lines) == 6, "each is told once in each game"
    assert len({number for *_, number in lines}) == 6, "each has a seed of its own"


def test_deals_and_empires_of_one_game() -> None:
    env = make("3", empires=["federation_of_asia", None, None])
    deals = draw_deals(env.config, 3)
    empires = ["aztec_empire", "noram_states", "republic_of_europe"]
    env.reset(seed=1, options={"deals": deals, "empires": empires, "unknown": 7})
    assert [sorted(env.game.hand(seat)) for seat in range(3)] == [sorted(hand) for hand in deals[0]]
    assert env.game.empires == empires
    env.reset()
    assert env.game.empires[0] == "federation_of_asia", "only that one game"
    alone = make("solo")
    pools = draw_hands(alone.config, 4)
    alone.reset(seed=1, options={"pools": pools})
    assert sorted(alone.game.drafted(0)) == sorted(pools[0])
    assert freeze(env.reset(seed=5, options={})) == freeze(env.reset(seed=5))


def test_a_configuration_in_place_of_options() -> None:
    config = iaww_env.GameConfig(players=3, expansions=CA, empire_side="B")
    named = gymnasium.make(VERSUS_ID, players=3, expansions=CA, empire_side="B")
    assert trace(gymnasium.make(VERSUS_ID, config=config), 1, 1) == trace(named, 1, 1)
    alone = iaww_env.GameConfig(players=1, scenario="base_sc02")
    assert trace(gymnasium.make(SOLO_ID, config=alone), 1, 1) == trace(
        gymnasium.make(SOLO_ID, scenario="base_sc02"), 1, 1
    )
