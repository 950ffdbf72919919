"""The parallel environment: who acts, what is shown and paid, and how games begin and end."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import iaww_env
from iaww_env import ConfigError, Game, GameConfig
from iaww_env.cards import kind
from iaww_env.observation import observation_table
from tests.dealt_cards import draw_deals
from tests.envs.frozen import freeze
from tests.envs.multi.last_decision import bring_to_last_decision, set_points
from tests.envs.multi.table_play import (
    NAMES,
    choose_first,
    count_legal,
    make_choice,
    play_parallel,
    start_parallel,
)
from tests.modes import OPTIONS, SCHEMES

# --- Agents, observations, the end -------------------------------------------------------------------


@pytest.mark.parametrize("profile", ["full", "compact", "cards"])
@pytest.mark.parametrize("mode", OPTIONS)
def test_agents_stay_to_the_end_and_see_what_the_game_shows_them(mode: str, profile: str) -> None:
    env = iaww_env.parallel_env(**OPTIONS[mode], observation=profile)
    names = [f"seat_{seat}" for seat in range(OPTIONS[mode]["players"])]
    table = observation_table(env.config, profile)
    assert env.possible_agents == names
    assert env.agents == []
    steps = 0
    for actions, answer in play_parallel(env, 5):
        assert all(list(part) == names for part in answer)
        for seat, name in enumerate(names):
            shown = answer[0][name]
            vector, mask = table.observe(env.game, seat)
            assert freeze(shown) == freeze({"observation": vector, "action_mask": mask})
            assert env.observation_space(name).contains(shown)
            assert np.flatnonzero(mask).tolist() == env.game.legal_actions(seat)
        if actions is None:
            continue
        steps += 1
        over = env.game.over
        assert answer[2] == dict.fromkeys(names, over)
        assert answer[3] == dict.fromkeys(names, False)
        assert env.agents == ([] if over else names)
        assert all(bool(info) == over for info in answer[4].values())
        assert all(type(reward) is float for reward in answer[1].values())
        if over:
            wait = len(env.game.actions) - 1
            assert all(
                np.flatnonzero(shown["action_mask"]).tolist() == [wait] for shown in answer[0].values()
            )
            points, places = env.game.scores(), env.game.places()
            assert answer[4] == {n: {"points": points[s], "place": places[s]} for s, n in enumerate(names)}
        else:
            assert max(map(count_legal, answer[0].values())) > 1, "a step in which nobody has a choice"
    assert env.game.over
    assert steps > 4 * 7


@pytest.mark.parametrize("mode", ["2", "4", "7-ascension"])
def test_forced_decisions_can_be_asked_for(mode: str) -> None:
    env = iaww_env.parallel_env(**OPTIONS[mode], skip_forced=False)
    game = Game(env.config, 8)
    forced = 0
    for actions, _ in play_parallel(env, 8):
        if actions is None:
            continue
        owing = game.seats_to_act()
        forced += sum(len(game.legal_actions(seat)) == 1 for seat in owing)
        assert {seat for seat in range(len(actions)) if actions[f"seat_{seat}"] != game.actions.wait} == set(
            owing
        )
        for seat in owing:
            game.step(seat, actions[f"seat_{seat}"])
        assert env.game == game, "nothing but the actions was played"
    assert game.over
    assert forced > 4


def test_the_spaces_are_always_the_same_objects_and_a_reset_does_not_seed_them() -> None:
    env = iaww_env.parallel_env(players=3)
    for spaces in (env.action_space, env.observation_space):
        before = [spaces(name) for name in env.possible_agents]
        assert len({id(space) for space in before}) == 3, "each agent's space has a random stream of its own"
        env.reset(seed=1)
        assert all(spaces(name) is space for name, space in zip(env.possible_agents, before, strict=True))
    action_space = env.action_space("seat_1")
    assert action_space == env.action_spaces["seat_1"]
    assert action_space.n == len(env.game.actions) == 627
    draws = []
    for seed in (None, 4):
        action_space.seed(9)
        env.reset(seed=seed)
        draws.append([int(action_space.sample()) for _ in range(5)])
    assert draws[0] == draws[1]
    mask_space = env.observation_space("seat_0")["action_mask"]
    assert (mask_space.dtype, mask_space.shape) == (np.int8, (627,))
    assert (mask_space.low.min(), mask_space.high.max()) == (0, 1)
    with pytest.raises(ValueError, match="no agent 'seat_3': the agents are seat_0, seat_1, seat_2"):
        env.action_space("seat_3")
    with pytest.raises(ValueError, match="no agent 3"):
        env.observation_space(3)  # type: ignore[arg-type]


def test_what_is_returned_is_fresh_and_changing_it_changes_nothing() -> None:
    clean, spoilt = (
        iaww_env.parallel_env(players=3, reward="points_gain"),
        iaww_env.parallel_env(players=3, reward="points_gain"),
    )
    choose = make_choice(clean, 1)
    kept: list[np.ndarray[Any, Any]] = []
    one, other = clean.reset(seed=2), spoilt.reset(seed=2)
    while True:
        assert freeze(one) == freeze(other)
        arrays = [array for shown in other[0].values() for array in shown.values()]
        assert not any(np.shares_memory(new, old) for new in arrays for old in kept[-12:])
        assert not any(np.shares_memory(a, b) for i, a in enumerate(arrays) for b in arrays[:i])
        if not clean.agents:
            break
        actions = {agent: choose(agent, one[0][agent]) for agent in clean.agents}
        kept += arrays
        for array in arrays:
            array[:] = 77
        for part in other:
            for agent in spoilt.agents:
                part[agent] = {"spoilt": 1}
        spoilt.agents.reverse()
        one, other = clean.step(actions), spoilt.step(dict(reversed(actions.items())))


# --- Seeds and beginnings ----------------------------------------------------------------------------


@pytest.mark.parametrize("mode", OPTIONS)
def test_a_seed_fixes_the_whole_game(mode: str) -> None:
    one, other = (iaww_env.parallel_env(**OPTIONS[mode]) for _ in range(2))
    traces = [[freeze(step) for step in play_parallel(env, 12)] for env in (one, other)]
    assert len(traces[0]) > 28
    assert traces[0] == traces[1]
    again = [freeze(step) for step in play_parallel(one, 12)]
    assert again == traces[0], "a reset with a seed forgets what was before"
    assert next(freeze(step) for step in play_parallel(one, 13)) != traces[0][0]


def test_seed_0_is_a_seed_and_without_one_games_differ() -> None:
    shown = [freeze(iaww_env.parallel_env().reset(seed=seed)) for seed in (0, 0, None, None)]
    assert shown[0] == shown[1]
    assert len({repr(one) for one in shown}) == 3


@pytest.mark.parametrize("bad", [-1, 1.5, "7", True])
def test_a_bad_seed_is_refused_and_the_game_goes_on(bad: Any) -> None:
    env, _ = start_parallel()
    before = env.game.to_bytes()
    with pytest.raises(ConfigError, match="seed is a whole number from 0"):
        env.reset(seed=bad)
    assert env.game.to_bytes() == before
    assert env.agents == NAMES


def test_a_reset_without_a_seed_goes_on_in_the_stream_of_the_last_game() -> None:
    chains = []
    for _ in range(2):
        env = iaww_env.parallel_env(players=2)
        list(play_parallel(env, 4))
        chains.append([freeze(env.reset()) for _ in range(3)])
    assert chains[0] == chains[1]
    assert len({repr(one) for one in chains[0]}) == 3


def test_given_deals_and_empires_are_played_in_this_game_only() -> None:
    config = GameConfig(players=3, expansions=("corruption_and_ascension",))
    deals = draw_deals(config, 1)
    empires = ["north_hegemony", None, "aztec_empire"]
    env = iaww_env.parallel_env(config=config)
    observations, _ = env.reset(seed=6, options={"deals": deals, "empires": empires, "unknown": object()})
    hand = next(piece for piece in observation_table(config, "full").pieces if piece.name == "hand")
    for seat, agent in enumerate(NAMES[:3]):
        assert sorted(env.game.hand(seat)) == sorted(deals[0][seat])
        shown = observations[agent]["observation"][hand.start : hand.end]
        assert {kind(id).index for id in deals[0][seat]} == set(np.flatnonzero(shown))
    assert env.game.empires[0::2] == ["north_hegemony", "aztec_empire"]
    assert Game.from_bytes(env.game.to_bytes()) == env.game, "they are no part of the configuration"
    round_2 = next(
        env.game.hand(0) for _ in play_parallel(env, 6, options={"deals": deals}) if env.game.round == 2
    )
    assert sorted(round_2) == sorted(deals[1][0])
    env.reset(options={"deals": deals})
    assert sorted(env.game.hand(2)) == sorted(deals[0][2]), "in the middle of a game, without a seed"
    plain = iaww_env.parallel_env(config=config)
    assert freeze(env.reset(seed=9)) == freeze(plain.reset(seed=9)), "the next game is dealt at random again"
    assert freeze(env.reset(seed=9, options={"anything": 1})) == freeze(plain.reset(seed=9, options={}))


def test_empires_of_the_environment_come_back_after_a_game_with_others() -> None:
    fixed = ["republic_of_europe", "noram_states"]
    env = iaww_env.parallel_env(players=2, empires=fixed, empire_side="C")
    env.reset(seed=1, options={"empires": ["aztec_empire", None]})
    assert env.game.empires[0] == "aztec_empire"
    env.reset()
    assert env.game.empires == fixed
    env.reset(options={"empires": [None, None]})
    env.reset()
    assert env.game.empires == fixed


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"deals": [[["zeppelin"]]]}, ConfigError, "4 rounds"),
        ({"empires": ["noram_states"]}, ConfigError, "1 empires for 4 seats"),
        ({"empires": ["noram_states"] * 4}, ConfigError, "distinct"),
        ({"pools": [["zeppelin"] * 5] * 8}, ConfigError, "pools are for solo games"),
        (["deals"], TypeError, "options of a reset"),
    ],
)
def test_bad_options_are_refused_and_the_game_goes_on(options: Any, error: type, message: str) -> None:
    env, observations = start_parallel()
    env.step(choose_first(observations))
    before = env.game.to_bytes()
    for seed in (None, 5):
        with pytest.raises(error, match=message):
            env.reset(seed=seed, options=options)
    assert env.game.to_bytes() == before
    assert env.agents == NAMES
    fresh = iaww_env.parallel_env()
    with pytest.raises(error, match=message):
        fresh.reset(seed=1, options=options)
    with pytest.raises(RuntimeError, match="call reset"):
        fresh.step({})


# --- Rewards -----------------------------------------------------------------------------------------

ENDS = {
    "a lone winner, two share the third place": (
        [300, 200, 250, 200],
        [1, 3, 2, 3],
        {
            "outcome": [1, -1 / 3, -1 / 3, -1 / 3],
            "rank": [1, -2 / 3, 1 / 3, -2 / 3],
            "points": [300, 200, 250, 200],
            "margin": [50, -100, -50, -100],
        },
    ),
    "two share the first place": (
        [210, 300, 250, 300],
        [4, 1, 3, 1],
        {
            "outcome": [-1 / 3, 1 / 3, -1 / 3, 1 / 3],
            "rank": [-1, 2 / 3, -1 / 3, 2 / 3],
            "points": [210, 300, 250, 300],
            "margin": [-90, 0, -50, 0],
        },
    ),
    "two players": (
        [200, 203],
        [2, 1],
        {"outcome": [-1, 1], "rank": [-1, 1], "points": [200, 203], "margin": [-3, 3]},
    ),
    "all are equal": (
        [250, 250, 250],
        [1, 1, 1],
        {"outcome": [0, 0, 0], "rank": [0, 0, 0], "points": [250] * 3, "margin": [0] * 3},
    ),
}


@pytest.mark.parametrize("scheme", ["outcome", "rank", "points", "margin"])
@pytest.mark.parametrize("end", ENDS)
def test_rewards_of_ends_worked_out_by_hand(end: str, scheme: str) -> None:
    points, places, expected = ENDS[end]
    env, _ = start_parallel(players=len(points), reward=scheme)
    bring_to_last_decision(env.game, 2)
    set_points(env.game, points)
    _, rewards, terminations, _, infos = env.step(dict.fromkeys(env.agents, env.game.actions.end))
    assert all(terminations.values())
    assert list(rewards.values()) == pytest.approx(expected[scheme])
    assert [info["points"] for info in infos.values()] == points
    assert [info["place"] for info in infos.values()] == places


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("mode", ["2-ascension", "5"])
def test_rewards_on_the_way(mode: str, scheme: str) -> None:
    """Nothing before the end; points_gain pays what a seat would score more than a step ago."""
    env = iaww_env.parallel_env(**OPTIONS[mode], reward=scheme)
    paid, gains = np.zeros(env.config.players), 0
    for actions, answer in play_parallel(env, 21):
        if actions is None:
            assert env.game.scores() == [0] * env.config.players
            continue
        rewards = np.array(list(answer[1].values()))
        if scheme == "points_gain":
            paid += rewards
            gains += bool(rewards.any())
            assert paid.tolist() == env.game.scores()
        elif not env.game.over:
            assert not rewards.any()
    if scheme == "points_gain":
        assert gains > 3
        observations, _ = env.reset()
        assert not any(env.step(choose_first(observations))[1].values()), "the next game pays from 0"
    elif scheme in ("outcome", "rank"):
        assert rewards.sum() == pytest.approx(0)
        assert rewards.max() > 0 > rewards.min()
    else:
        best = max(env.game.scores())
        assert rewards.max() == (
            best if scheme in ("points", "goal") else best - sorted(env.game.scores())[-2]
        )
