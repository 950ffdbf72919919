"""The single Gymnasium environments: Gymnasium's checks, whole games against the engine, seeds, options."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import iaww_env
from iaww_agents.greedy import GreedyAgent
from iaww_env.bots.views import make_view
from iaww_env.cards import SIDES, kind, scenario
from iaww_env.engine.fields import find_layout
from iaww_env.engine.kernels import lanes as record
from iaww_env.observation import observation_table
from tests.api.learners import (
    CA,
    OWN_CHANCE,
    SCHEMES,
    SEATINGS,
    SOLO,
    TABLES,
    VERSUS,
    WAYS,
    freeze,
    make,
    play_game,
    play_on,
    play_some,
    trace,
    write_bot,
)
from tests.engine.play import draw_hands, run_python

# --- Gymnasium's checks ----------------------------------------------------------------------------


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("table", TABLES)
def test_gymnasium_finds_nothing(table: str, way: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Its warnings are errors here; it makes the environment anew in every render mode and plays unmasked."""
    check_env(make(table, **WAYS[way]))
    assert "seat" in capsys.readouterr().out, "one of the modes prints"


@pytest.mark.parametrize("seating", SEATINGS)
@pytest.mark.parametrize("table", ["2", "4", "7-ascension"])
def test_gymnasium_finds_nothing_with_other_opponents(table: str, seating: str) -> None:
    options = dict(SEATINGS[seating])
    if table != "4" and seating == "mixed":
        options |= {"opponents": ["greedy"], "seat": 1}
    check_env(make(table, **options))


@pytest.mark.parametrize("side", SIDES)
def test_every_empire_side(side: str) -> None:
    check_env(make("3", empire_side=side))
    check_env(make("solo", empire_side=side))


@pytest.mark.parametrize("table", ["4", "solo"])
def test_the_wrappers_of_make_have_nothing_to_say(table: str) -> None:
    """As users make it: the order of calls and what is returned are checked all along."""
    id, named = TABLES[table]
    env = gymnasium.make(id, **named)
    env.action_space.seed(1)
    for seed in range(20):
        env.reset(seed=seed)
        ended = False
        while not ended:
            *_, ended, truncated, _ = env.step(env.action_space.sample())
            assert not truncated
    env.close()


def test_the_spec_can_be_written_down() -> None:
    env = gymnasium.make(VERSUS, players=3, opponents=["greedy"])
    assert env.spec is not None
    again = gymnasium.make(gymnasium.envs.registration.EnvSpec.from_json(env.spec.to_json()))
    assert trace(again, 4, games=1) == trace(env, 4, games=1)


# --- Registration ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "code",
    [
        f"import iaww_env, gymnasium; gymnasium.make('{VERSUS}')",
        f"import gymnasium, iaww_env; gymnasium.make('{SOLO}')",
        f"import gymnasium; gymnasium.make('iaww_env:{VERSUS}')",
        f"import iaww_env; from gymnasium import make_vec; make_vec('{SOLO}', num_envs=2)",
        "import iaww_env, sys; assert not {'numba', 'iaww_agents'} & set(sys.modules)",
        "import iaww_env; iaww_env.VersusEnv(); iaww_env.SoloEnv(); iaww_env.VersusVectorEnv(2)",
    ],
)
def test_importing_iaww_env_registers_and_compiles_nothing(code: str) -> None:
    run_python("-c", code)


# --- A whole game, decision by decision --------------------------------------------------------------


@pytest.mark.parametrize("profile", ["full", "compact"])
@pytest.mark.parametrize("table", TABLES)
def test_what_is_shown_is_what_the_seat_may_know(table: str, profile: str) -> None:
    """Observation and mask of the learner at each of its decisions, and nothing but its decisions."""
    env = (
        make(table, observation=profile, seat="random")
        if table[0] in "234567"
        else make(table, observation=profile)
    )
    shown, _ = env.reset(seed=5)
    pieces = observation_table(env.config, profile)
    for _, (after, _, ended, truncated, _) in play_on(env, shown, random.Random(5)):
        game, seat = env.game, env.learner_seat
        expected, mask = pieces.observe(game, seat)
        assert after["observation"].tobytes() == expected.tobytes()
        assert after["action_mask"].tobytes() == mask.tobytes()
        assert after in env.observation_space
        assert ended == game.over
        assert truncated is False
        assert np.flatnonzero(env.action_masks()).tolist() == game.legal_actions(seat)
        assert ended or mask.sum() > 1, "forced decisions are taken by the environment"
    assert np.flatnonzero(mask).tolist() == [game.actions.wait]


def test_every_decision_is_asked_where_forced_ones_are_not_skipped() -> None:
    counts = [
        sum(answer[0]["action_mask"].sum() == 1 for answer in play_game(make("3", skip_forced=skip), 2)[:-1])
        for skip in (True, False)
    ]
    assert counts[0] == 0
    assert counts[1] >= 4, "at least the last pick of each draft"


def test_the_learner_plays_its_own_seat_and_no_other() -> None:
    """What it picks lies before it; its picks are all that it decides in a draft."""
    env = make("4", seat=2, skip_forced=False)
    shown, infos = env.reset(seed=1)
    assert infos == {"seat": 2}
    picks: list[str] = []
    while env.game.phase == "draft":
        action = int(shown["action_mask"].argmax())
        picks.append(env.game.actions.to_text(action).partition(":")[2])
        shown, *_ = env.step(action)
    assert len(picks) == 7
    assert sorted(env.game.drafted(2)) == sorted(picks)


def test_spaces_stay_the_same_and_arrays_are_fresh() -> None:
    env = make("3")
    spaces = env.action_space, env.observation_space
    answers = play_game(env, 1)
    assert (env.action_space, env.observation_space) == spaces
    assert env.action_space is spaces[0]
    assert env.observation_space is spaces[1]
    kept = [answer[0][key] for answer in answers for key in answer[0]]
    assert len({array.__array_interface__["data"][0] for array in kept}) == len(kept)
    before = freeze(answers[3][0])
    env.reset(seed=2)
    env.step(int(env.action_masks().argmax()))
    assert freeze(answers[3][0]) == before


def test_scribbling_on_what_was_returned_changes_nothing() -> None:
    env, other = make("2"), make("2")
    shown, infos = env.reset(seed=3)
    other.reset(seed=3)
    legal = env.action_masks()
    shown["action_mask"][:], shown["observation"][:] = 1, 7
    infos["seat"] = 9
    assert (env.action_masks() == legal).all()
    assert freeze(env.step(int(legal.argmax()))) == freeze(other.step(int(legal.argmax())))


# --- Rewards and last words --------------------------------------------------------------------------


def expect_reward(scheme: str, scores: list[int], places: list[int], seat: int) -> float:
    """The last reward of a seat, from the final scores and places."""
    n, level = len(scores), [other for other in places if other == places[seat]]
    if scheme in ("points", "points_gain"):
        return scores[seat]
    if n == 1:
        return scores[0] / 100
    if scheme == "margin":
        return scores[seat] - max(score for other, score in enumerate(scores) if other != seat)
    if scheme == "rank":
        shared = sum(1 - 2 * (places[seat] - 1 + k) / (n - 1) for k in range(len(level)))
        return shared / len(level)
    share = 1 / len(level) if places[seat] == 1 else 0
    return (n * share - 1) / (n - 1)


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("table", ["2", "4", "6-ascension", "solo", "ascension_sc03"])
def test_rewards_of_whole_games(table: str, scheme: str) -> None:
    options: dict[str, Any] = {} if table in ("solo", "ascension_sc03") else {"seat": "random"}
    env = make(table, reward=scheme, **options)
    dense = 0
    for seed in range(6):
        answers = play_game(env, seed)[1:]
        rewards, infos = [answer[1] for answer in answers], answers[-1][4]
        scores, places = env.game.scores(), env.game.places()
        assert sum(rewards) == pytest.approx(expect_reward(scheme, scores, places, env.learner_seat))
        assert all(type(reward) is float for reward in rewards)
        assert scheme == "points_gain" or not any(rewards[:-1])
        dense += sum(map(bool, rewards[:-1]))
        assert all(answer[4] == {} for answer in answers[:-1])
        assert infos["scores"].tolist() == scores
        assert infos["places"].tolist() == places
        assert (infos["points"], infos["place"]) == (scores[env.learner_seat], places[env.learner_seat])
        assert infos["seat"] == env.learner_seat
    assert (dense > 0) == (scheme == "points_gain")


def test_gains_are_paid_at_the_next_decision() -> None:
    env = make("solo", reward="points_gain")
    shown, _ = env.reset(seed=4)
    before = 0
    for _, (_, reward, *_) in play_on(env, shown, random.Random(4)):
        assert reward == env.game.scores()[0] - before
        before = env.game.scores()[0]


@pytest.mark.parametrize("table", ["solo", "solo-ascension", "base_sc01", "base_sc04", "ascension_sc02"])
def test_medals_and_titles(table: str) -> None:
    """A greedy learner, so that some are earned."""
    env, bot, found = make(table), GreedyAgent(), set()
    for seed in range(30):
        env.reset(seed=seed)
        ended, infos = False, {}
        while not ended:
            *_, ended, _, infos = env.step(bot.act(make_view(env.game, 0)))
        game = env.game
        assert (infos["medal"], infos["title"]) == (game.medal(), game.title())
        found.add(infos["medal"] or infos["title"])
    assert "title" not in play_game(make("3"), 1)[-1][4]
    assert len(found) > 1 or table.startswith(("base", "asc"))


def test_a_won_scenario_has_its_medal() -> None:
    """Points and named cards are given; the last decision ends the game."""
    env = make("base_sc01")
    env.reset(seed=1)
    asked = scenario("base_sc01")
    for points, medal in (
        (asked.bronze - 1, None),
        (asked.bronze, "bronze"),
        (asked.silver, "silver"),
        (asked.gold, "gold"),
    ):
        lanes = finish_solo(env, points, won=True)
        assert lanes == (medal, None)
        assert finish_solo(env, points, won=False) == (None, None)


def finish_solo(env: Any, points: int, won: bool) -> tuple[Any, Any]:
    """End a game of a scenario with so many points, its named cards built or not; medal and title."""
    shown, _ = env.reset(seed=1)
    state = find_layout(env.config).views(env._lanes.states)
    for _, answer in play_on(env, shown, random.Random(1)):  # noqa: B007  # the last one is used
        if state.round[0] == 4 and state.step[0] == 4:
            break
    state.n_sites[0, 0], state.loose[0, 0], state.held[0, 0] = 0, 0, 0
    state.open[0, 0] = 0
    state.built[0, 0] = 0
    for name in scenario(env.config.scenario).cards if won else ():
        state.built[0, 0, kind(name).index] += 1
    state.flat_points[0, 0] += points - env.game.scores()[0]
    while not answer[2]:
        end = env.game.actions.end
        env._lanes.lanes[0, record.LEGAL] = end  # whatever was legal before
        answer = env.step(end)
    return answer[4]["medal"], answer[4]["title"]


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
    left = [0, 1]
    order = random.Random(9)
    while left:
        which = order.choice(left)
        step = next(plays[which], None)
        if step is None:
            left.remove(which)
        else:
            games[which].append(step[1])
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
    config = env.config
    hands = draw_hands(config, 3)
    deals = [hands[at : at + 3] for at in range(0, 12, 3)]
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
    named = gymnasium.make(VERSUS, players=3, expansions=CA, empire_side="B")
    assert trace(gymnasium.make(VERSUS, config=config), 1, 1) == trace(named, 1, 1)
    alone = iaww_env.GameConfig(players=1, scenario="base_sc02")
    assert trace(gymnasium.make(SOLO, config=alone), 1, 1) == trace(
        gymnasium.make(SOLO, scenario="base_sc02"), 1, 1
    )


# --- Rendering ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("table", ["3", "solo"])
def test_rendering_shows_the_learners_table(table: str, capsys: pytest.CaptureFixture[str]) -> None:
    env = make(table, render_mode="ansi")
    env.reset(seed=1)
    text = env.render()
    assert text is not None
    assert env.game.legal_texts(env.learner_seat)[0].partition(":")[2] in text
    assert capsys.readouterr().out == ""
    loud = make(table, render_mode="human")
    loud.reset(seed=1)
    assert capsys.readouterr().out == text + "\n"
    loud.step(int(loud.action_masks().argmax()))
    assert capsys.readouterr().out
    assert loud.render() is None
    mute = make(table)
    mute.reset(seed=1)
    with pytest.warns(UserWarning, match="render_mode"):
        assert mute.render() is None


def test_hidden_cards_are_not_shown() -> None:
    """The table of another game that the learner could not tell from this one."""
    env = make("3", render_mode="ansi", seat=1)
    play_some(env, 5, 3)
    text = env.render()
    drawn = env.game.redeterminize(1, 7)
    assert drawn != env.game
    env._lanes.states[0] = drawn.row
    assert env.render() == text


def test_infos_can_be_written_as_json() -> None:
    infos = play_game(make("solo"), 1)[-1][4]
    plain = {key: value.tolist() if isinstance(value, np.ndarray) else value for key, value in infos.items()}
    assert json.loads(json.dumps(plain)) == plain
