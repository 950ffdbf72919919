"""The single Gymnasium environments: Gymnasium's checks, whole games against the engine, rendering."""

from __future__ import annotations

import json
import random

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from iaww_env.cards import SIDES
from iaww_env.observation import observation_table
from tests.envs.frozen import freeze
from tests.envs.single.learner_play import (
    SEATINGS,
    SOLO_ID,
    TABLES,
    VERSUS_ID,
    WAYS,
    make,
    play_game,
    play_on,
    play_some,
    trace,
)
from tests.processes import run_python

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
    env = gymnasium.make(VERSUS_ID, players=3, opponents=["greedy"])
    assert env.spec is not None
    again = gymnasium.make(gymnasium.envs.registration.EnvSpec.from_json(env.spec.to_json()))
    assert trace(again, 4, games=1) == trace(env, 4, games=1)


# --- Registration ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "code",
    [
        f"import iaww_env, gymnasium; gymnasium.make('{VERSUS_ID}')",
        f"import gymnasium, iaww_env; gymnasium.make('{SOLO_ID}')",
        f"import gymnasium; gymnasium.make('iaww_env:{VERSUS_ID}')",
        f"import iaww_env; from gymnasium import make_vec; make_vec('{SOLO_ID}', num_envs=2)",
        "import iaww_env, sys; assert not {'numba', 'iaww_agents'} & set(sys.modules)",
        "import iaww_env; iaww_env.VersusEnv(); iaww_env.SoloEnv(); iaww_env.VersusVectorEnv(2)",
    ],
)
def test_importing_iaww_env_registers_and_compiles_nothing(code: str) -> None:
    run_python("-c", code)


# --- A whole game, decision by decision --------------------------------------------------------------


@pytest.mark.parametrize("profile", ["full", "compact", "cards"])
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
