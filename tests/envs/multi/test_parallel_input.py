"""The parallel environment: illegal actions, and input that no action is."""

from __future__ import annotations

import logging
from typing import Any

import numpy as np
import pytest

import iaww_env
from iaww_env import ConfigError, GameConfig, IllegalActionError
from tests.envs.frozen import freeze
from tests.envs.multi.last_decision import set_points
from tests.envs.multi.table_play import NAMES, choose_first, make_choice, play_parallel, start_parallel

FAR, HUGE = 10**30, 9**9999
OUT_OF_RANGE = [-1, -(2**15), -(2**15) - 1, 627, 2**15, 2**16, 2**16 + 5, 2**63, FAR, HUGE]


# --- Illegal actions ---------------------------------------------------------------------------------


def test_the_first_seat_with_an_illegal_action_forfeits(caplog: pytest.LogCaptureFixture) -> None:
    env, observations = start_parallel()
    before = env.game.to_bytes()
    actions = choose_first(observations) | {"seat_1": 626, "seat_3": -7}
    with caplog.at_level(logging.WARNING, "iaww_env"):
        shown, rewards, terminations, truncations, infos = env.step(actions)
    assert "seat 1 played the illegal action 626 and forfeits" in caplog.text
    assert env.game.to_bytes() == before, "nobody's action was played"
    assert list(rewards.values()) == pytest.approx([1 / 9, -1 / 3, 1 / 9, 1 / 9])
    assert terminations == dict.fromkeys(NAMES, True)
    assert truncations == dict.fromkeys(NAMES, False)
    assert env.agents == []
    assert infos["seat_1"] == {"points": 0, "place": 4, "illegal_action": 1}
    assert infos["seat_0"] == infos["seat_2"] == infos["seat_3"] == {"points": 0, "place": 1}
    for agent in NAMES:
        assert np.flatnonzero(shown[agent]["action_mask"]).tolist() == [626]
        assert env.observation_space(agent).contains(shown[agent])
        assert (shown[agent]["observation"] == observations[agent]["observation"]).all()
    with pytest.raises(RuntimeError, match="the game is over: call reset"):
        env.step(actions)
    after, _ = env.reset(seed=3)
    assert freeze(after) == freeze(observations)
    assert all(info == {} for info in env.step(choose_first(after))[4].values()), "the count begins anew"


def test_all_seats_illegal_at_once_costs_seat_0_the_game() -> None:
    env, _ = start_parallel()
    infos = env.step(dict.fromkeys(NAMES, FAR))[4]
    assert [info["place"] for info in infos.values()] == [4, 1, 1, 1]
    assert [agent for agent in NAMES if "illegal_action" in infos[agent]] == ["seat_0"]


@pytest.mark.parametrize(
    ("scheme", "expected"),
    [
        ("outcome", [1 / 4, -1 / 2, 1 / 4]),
        ("rank", [1 / 2, -1, 1 / 2]),
        ("points", [40, 0, 30]),
        ("margin", [10, -40, -10]),
        ("points_gain", [40, 0, 30]),
    ],
)
def test_rewards_of_a_forfeit(scheme: str, expected: list[float]) -> None:
    env, observations = start_parallel(players=3, reward=scheme)
    set_points(env.game, [40, 60, 30])
    _, rewards, _, _, infos = env.step(choose_first(observations) | {"seat_1": 600})
    assert list(rewards.values()) == pytest.approx(expected)
    assert [info["place"] for info in infos.values()] == [1, 3, 2], (
        "who was first is last, the others move up"
    )


def test_points_gain_of_a_forfeit_takes_back_what_was_paid() -> None:
    env, observations = start_parallel(players=2, reward="points_gain")
    set_points(env.game, [40, 60])
    observations, rewards, *_ = env.step(choose_first(observations))
    assert list(rewards.values()) == [40, 60]
    assert list(env.step(choose_first(observations) | {"seat_1": -1})[1].values()) == [0, -60]


@pytest.mark.parametrize("bad", OUT_OF_RANGE, ids=lambda bad: f"{bad % 2**70}")
def test_numbers_out_of_range_are_illegal_actions(bad: int) -> None:
    """None of them is taken for the legal action that it would be after losing its upper bits."""
    env, observations = start_parallel(illegal_action="replace")
    legal = choose_first(observations)
    infos = env.step(legal | {"seat_2": bad})[4]
    assert infos == {"seat_0": {}, "seat_1": {}, "seat_2": {"illegal_action": 1}, "seat_3": {}}
    forfeit, _ = start_parallel()
    assert forfeit.step(legal | {"seat_2": bad})[4]["seat_2"]["illegal_action"] == 1
    strict, _ = start_parallel(illegal_action="raise")
    with pytest.raises(IllegalActionError, match="there is no action"):
        strict.step(legal | {"seat_2": bad})
    wrapped = legal["seat_2"] + 2**16
    for number in (wrapped, np.int64(wrapped)):
        env.reset(seed=3)
        assert env.step(legal | {"seat_2": number})[4]["seat_2"] == {"illegal_action": 1}


def test_illegal_actions_are_replaced_and_counted() -> None:
    env, observations = start_parallel(illegal_action="replace")
    table = env.game.actions
    first = choose_first(observations)
    hands = [env.game.hand(seat) for seat in range(4)]
    infos = env.step(first | {"seat_1": table.end, "seat_2": -1})[4]
    assert infos == {
        "seat_0": {},
        "seat_1": {"illegal_action": 1},
        "seat_2": {"illegal_action": 1},
        "seat_3": {},
    }
    assert env.game.drafted(0) == [table.kind(first["seat_0"]).id], "a legal action stays what it was"
    assert env.game.drafted(3) == [table.kind(first["seat_3"]).id]
    assert env.game.drafted(1)[0] in hands[1]
    assert env.game.drafted(2)[0] in hands[2]


def test_a_game_of_replaced_actions_alone_is_random_legal_play() -> None:
    results, places = [], set()
    for seed in (3, 3, 4, 5, 6, 7, 8, 9):
        env, _ = start_parallel(seed, players=2, illegal_action="replace")
        legal = env.game.legal_actions(0)
        env.step({"seat_0": -1, "seat_1": -1})
        places.add(legal.index(env.game.actions.parse(f"pick:{env.game.drafted(0)[0]}")))
        steps = 1
        while env.agents:
            infos = env.step({"seat_0": -1, "seat_1": 10**6})[4]
            steps += 1
        assert infos["seat_0"]["illegal_action"] == infos["seat_1"]["illegal_action"] == steps
        assert env.game.over
        results.append(env.game.to_bytes())
    assert results[0] == results[1], "replacements come from the environment's own stream, fixed by the seed"
    assert len(places) > 3, "not always the first or the last that is legal"


def test_illegal_actions_can_raise_and_leave_everything_as_it_was() -> None:
    env, observations = start_parallel(illegal_action="raise", reward="points_gain")
    other, _ = start_parallel(illegal_action="raise", reward="points_gain")
    legal = choose_first(observations)
    before = env.game.to_bytes()
    with pytest.raises(
        IllegalActionError, match=r"seat 2 cannot play 'end'.*in the draft a card is picked"
    ) as caught:
        env.step(legal | {"seat_2": env.game.actions.end})
    assert (caught.value.seat, caught.value.action) == (2, env.game.actions.end)
    with pytest.raises(IllegalActionError, match=r"seat 0 cannot play 'wait'.*the seat owes a decision"):
        env.step(legal | {"seat_0": env.game.actions.wait})
    assert env.game.to_bytes() == before
    assert env.agents == NAMES
    assert freeze(env.step(legal)) == freeze(other.step(legal))


def test_a_seat_that_waits_may_do_nothing_else() -> None:
    env = iaww_env.parallel_env(players=2, illegal_action="raise")
    choose = make_choice(env, 1)
    observations, _ = env.reset(seed=1)
    while not observations["seat_1"]["action_mask"][env.game.actions.wait]:
        observations = env.step({agent: choose(agent, observations[agent]) for agent in env.agents})[0]
    with pytest.raises(IllegalActionError, match=r"seat 1 cannot play 'end'.*the seat has ended the phase"):
        env.step({"seat_0": choose("seat_0", observations["seat_0"]), "seat_1": env.game.actions.end})


# --- Bad input ---------------------------------------------------------------------------------------


def test_nothing_works_before_the_first_reset() -> None:
    env = iaww_env.parallel_env(render_mode="ansi")
    for call in (lambda: env.step({}), env.state, env.render, lambda: env.game):
        with pytest.raises(RuntimeError, match=r"no game yet: call reset\(\) first"):
            call()


def test_a_step_after_the_end_is_refused() -> None:
    env = iaww_env.parallel_env(players=2)
    list(play_parallel(env, 1))
    before = env.game.to_bytes()
    for actions in ({}, {"seat_0": 626, "seat_1": 626}):
        with pytest.raises(RuntimeError, match=r"the game is over: call reset\(\)"):
            env.step(actions)
    assert env.game.to_bytes() == before


BAD_ACTIONS: list[tuple[Any, type, str]] = [
    (lambda legal: {k: v for k, v in legal.items() if k != "seat_2"}, ValueError, "none for seat_2"),
    (lambda legal: {}, ValueError, "none for seat_0, seat_1, seat_2, seat_3"),
    (lambda legal: legal | {"seat_4": 1}, ValueError, "one for 'seat_4', no agent of this game"),
    (
        lambda legal: {("you" if k == "seat_1" else k): v for k, v in legal.items()},
        ValueError,
        "none for seat_1 and one for 'you'",
    ),
    (lambda legal: dict(enumerate(legal.values())), ValueError, "none for seat_0.*one for 0, 1, 2, 3"),
    (lambda legal: list(legal.values()), TypeError, "actions are a dict"),
    (lambda legal: None, TypeError, "actions are a dict, one for each agent, not None"),
    (lambda legal: 5, TypeError, "actions are a dict, one for each agent, not 5"),
]
BAD_ACTION = [1.0, None, "3", True, False, np.True_, np.float32(3), [3], np.array([3]), np.array([[3]])]
BAD_ACTION += [np.array(3.0), np.array(True), np.array([1, 2]), {}, object()]


@pytest.mark.parametrize("number", range(len(BAD_ACTIONS)))
def test_bad_dicts_of_actions_are_refused(number: int) -> None:
    spoil, error, message = BAD_ACTIONS[number]
    env, observations = start_parallel()
    legal = choose_first(observations)
    before = env.game.to_bytes()
    with pytest.raises(error, match=message):
        env.step(spoil(legal))
    assert env.game.to_bytes() == before
    assert env.agents == NAMES
    assert not env.step(legal)[2]["seat_0"]


@pytest.mark.parametrize("illegal_action", ["forfeit", "replace", "raise"])
@pytest.mark.parametrize("bad", BAD_ACTION, ids=[f"{i}-{type(x).__name__}" for i, x in enumerate(BAD_ACTION)])
def test_actions_of_a_wrong_type_are_refused(bad: Any, illegal_action: str) -> None:
    """A wrong type is a mistake of the program, not a move of the seat: an error in every case."""
    env, observations = start_parallel(illegal_action=illegal_action)
    legal = choose_first(observations)
    before = env.game.to_bytes()
    with pytest.raises(TypeError, match=f"the action of seat_3 .*{type(bad).__name__}.* an integer"):
        env.step({"seat_0": -1} | legal | {"seat_3": bad})
    assert env.game.to_bytes() == before
    assert env.agents == NAMES


@pytest.mark.parametrize(
    "form", [np.int64, np.int8, np.uint16, np.uint64, np.array, lambda n: np.array(n, np.int16)]
)
def test_integers_of_numpy_are_as_good_as_pythons(form: Any) -> None:
    one, observations = start_parallel()
    other, _ = start_parallel()
    legal = choose_first(observations)
    assert max(legal.values()) < 128
    plain = freeze(one.step(legal))
    assert freeze(other.step({agent: form(action) for agent, action in legal.items()})) == plain


def test_options_that_cannot_be_played_are_refused() -> None:
    cases: list[tuple[dict[str, Any], str]] = [
        ({"players": 1}, "iaww/Solo-v0"),
        ({"config": GameConfig(players=1, scenario="base_sc01")}, "iaww/Solo-v0"),
        ({"players": 6}, "need Corruption & Ascension"),
        ({"players": 8, "expansions": ["corruption_and_ascension"]}, "1 to 7"),
        ({"config": GameConfig(players=2), "players": 3}, "leave players"),
        ({"config": GameConfig(players=2), "empire_side": "B"}, "leave players"),
        ({"config": {"players": 2}}, "give a GameConfig"),
        ({"render_mode": "rgb"}, "no render_mode 'rgb'"),
        ({"observation": "tiny"}, "no observation 'tiny'"),
        ({"reward": "money"}, "no reward 'money'"),
        ({"illegal_action": "ignore"}, "choose from forfeit, replace, raise"),
        ({"expansions": ["war_or_peace"]}, "War or Peace"),
    ]
    for options, message in cases:
        for factory in (iaww_env.parallel_env, iaww_env.aec_env):
            with pytest.raises(ConfigError, match=message):
                factory(**options)


def test_a_config_says_the_same_as_the_options() -> None:
    config = GameConfig(
        players=2, expansions=("corruption_and_ascension",), empire_side="D", empires=("north_hegemony", None)
    )
    named = iaww_env.parallel_env(
        2, "corruption_and_ascension", empire_side="D", empires=["north_hegemony", None]
    )
    assert named.config == config
    given = iaww_env.parallel_env(config=config)
    assert freeze(list(play_parallel(named, 3))) == freeze(list(play_parallel(given, 3)))
