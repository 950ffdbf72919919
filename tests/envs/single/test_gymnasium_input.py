"""What Gymnasium environments do with illegal actions and bad input, and what the messages say."""

from __future__ import annotations

import logging
import random
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest

import iaww_env
from iaww_env import ConfigError, IllegalActionError
from iaww_env.envs.multi.session import Session
from iaww_env.envs.options import Options
from iaww_env.errors import IawwError
from iaww_env.game import lend_row
from tests.bots.bot_files import OWN_CHANCE, write_bot
from tests.envs.frozen import freeze
from tests.envs.single.learner_play import SOLO_ID, TABLES, VERSUS_ID, make, play_game, play_some
from tests.modes import CA, SCHEMES

# --- Illegal actions ---------------------------------------------------------------------------------


@pytest.mark.parametrize("table", TABLES)
def test_unmasked_samplers_survive_the_defaults(table: str) -> None:
    env = make(table)
    env.action_space.seed(5)
    ends = 0
    for _ in range(60):
        shown, _ = env.reset(seed=ends)
        ended = False
        while not ended:
            shown, _, ended, truncated, infos = env.step(env.action_space.sample())
            assert shown in env.observation_space
            assert not truncated
        assert infos.get("illegal_action", 1) == 1, "each game is counted for itself"
        ends += infos.get("illegal_action", 0)
    assert ends > 50


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("table", ["2", "4", "7-ascension", "solo"])
def test_an_illegal_action_forfeits(table: str, scheme: str, caplog: pytest.LogCaptureFixture) -> None:
    """The game ends, the learner has the lowest outcome and is last, and a log line says so."""
    solo = table == "solo"
    env = make(table, reward=scheme, **({} if solo else {"seat": 1}))
    shown = play_some(env, 3, 25)
    paid = env.game.scores()[env.learner_seat]
    before, illegal = env.game, int((shown["action_mask"] == 0).argmax())
    with caplog.at_level(logging.WARNING, "iaww_env"):
        last, reward, terminated, truncated, infos = env.step(illegal)
    assert (terminated, truncated) == (True, False)
    assert env.game == before, "nothing was played"
    assert np.flatnonzero(last["action_mask"]).tolist() == [env.game.actions.wait]
    assert last["observation"].tobytes() == shown["observation"].tobytes()
    assert infos["illegal_action"] == 1
    assert f"seat {env.learner_seat} played the illegal action {illegal}" in caplog.text
    n, scores = env.config.players, env.game.scores()
    others = [score for seat, score in enumerate(scores) if seat != env.learner_seat]
    lowest = {"outcome": -1 / max(1, n - 1), "rank": -1, "points": 0, "goal": 0, "points_gain": -paid}
    expected = 0 if solo and scheme != "points_gain" else lowest.get(scheme, -max(others, default=0))
    assert reward == pytest.approx(expected)
    assert infos["place"] == n
    assert infos["places"].tolist() == move_last(env.game.places(), env.learner_seat)
    if solo:
        assert (infos["medal"], infos["title"]) == (None, None)


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("table", ["3", "5", "6-ascension", "solo", "ascension_sc01"])
def test_a_forfeit_counts_as_in_the_parallel_environment(table: str, scheme: str) -> None:
    """The same position, left by the same seat: the reward that the shared core of the others pays."""
    env = make(table, reward=scheme)
    for steps in (0, 15, 40):
        shown = play_some(env, 7, steps) if steps else env.reset(seed=7)[0]
        session = Session(env.config, Options(reward=scheme))
        session.begin(1)
        session.row = lend_row(env.game)
        session.points[:] = session.paid[:] = env.game.scores()
        session.offender = 0
        reward = env.step(int((shown["action_mask"] == 0).argmax()))[1]
        assert reward == pytest.approx(session.settle()[0])


def move_last(places: list[int], seat: int) -> list[int]:
    """Places when this seat forfeits: it is last, and those behind it move up."""
    moved = [place - (place > places[seat]) for place in places]
    moved[seat] = len(places)
    return moved


def test_a_place_that_was_shared_is_lost_by_a_forfeit() -> None:
    """At the start all seats are equal: the others stay first, and the learner is last."""
    env = make("4", seat=2)
    shown, _ = env.reset(seed=1)
    infos = env.step(int((shown["action_mask"] == 0).argmax()))[4]
    assert infos["places"].tolist() == [1, 1, 4, 1]


def test_after_many_forfeits_the_log_is_still_short(caplog: pytest.LogCaptureFixture) -> None:
    env = make("3")
    with caplog.at_level(logging.INFO, "iaww_env"):
        for _ in range(50):
            shown, _ = env.reset()
            env.step(int((shown["action_mask"] == 0).argmax()))
    assert len(caplog.records) == 1


@pytest.mark.parametrize("table", ["3", "solo"])
def test_illegal_actions_are_replaced_and_counted(table: str) -> None:
    env = make(table, illegal_action="replace")
    shown, _ = env.reset(seed=2)
    stream, illegal, ended, infos = random.Random(1), 0, False, {}
    while not ended:
        wrong = stream.random() < 0.3
        wanted = [int(a) for a in np.flatnonzero(shown["action_mask"] == (0 if wrong else 1))]
        before = env.game
        shown, _, ended, _, infos = env.step(stream.choice(wanted))
        assert env.game != before
        illegal += wrong
        assert infos.get("illegal_action") == (illegal if illegal and (wrong or ended) else None)
    assert illegal > 10
    assert env.game.over
    assert "illegal_action" not in play_game(env, None)[-1][4]


def test_replacements_come_from_the_environments_own_stream() -> None:
    """Many legal actions are drawn, the same ones from the same seed."""
    env = make("2", illegal_action="replace")

    def draw(seed: int) -> list[bytes]:
        shown, _ = env.reset(seed=seed)
        wrong = int((shown["action_mask"] == 0).argmax())
        return [env.step(wrong)[0]["observation"].tobytes() for _ in range(3)]

    assert draw(1) == draw(1)
    assert len({freeze(env.reset(seed=4, options={}))[0]["observation"] for _ in range(2)}) == 1
    firsts = set()
    env.reset(seed=9)
    deals = env.game
    for _ in range(40):
        shown, _ = env.reset()
        env._lanes.states[0] = deals.row
        env.step(int((shown["action_mask"] == 0).argmax()))
        firsts.add(tuple(env.game.drafted(0)))
    assert len(firsts) > 4


def test_an_error_where_it_is_asked_for() -> None:
    env = make("3", illegal_action="raise", seat=1)
    shown = play_some(env, 3, 25)
    before, other = env.game, make("3", seat=1)
    play_some(other, 3, 25)
    illegal = int((shown["action_mask"] == 0).argmax())
    for action in (illegal, -1, 10**9, len(shown["action_mask"])):
        with pytest.raises(IllegalActionError) as caught:
            env.step(action)
        assert caught.value.seat == 1
        assert caught.value.legal == tuple(env.game.legal_texts(1))
        assert env.game == before
    legal = int(shown["action_mask"].argmax())
    assert freeze(env.step(legal)) == freeze(other.step(legal)), "it goes on as if nothing had been tried"


@pytest.mark.parametrize("action", [-1, 627, 891, 2**15, 2**16, 2**31, -(2**40), 2**64, 10**100])
def test_numbers_that_no_table_reaches_are_illegal_actions(action: int) -> None:
    env = make("2")
    env.reset(seed=1)
    *_, ended, _, infos = env.step(action)
    assert ended
    assert infos["illegal_action"] == 1


# --- Actions that are none -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "action", [1.0, "pick:zeppelin", None, True, np.bool_(True), np.float32(1), [1], np.array([1, 2]), {}]
)
def test_what_is_no_number_is_refused(action: Any) -> None:
    env = make("2")
    env.reset(seed=1)
    before = env.game
    with pytest.raises(TypeError, match="integer"):
        env.step(action)
    assert env.game == before


@pytest.mark.parametrize("kind", [int, np.int8, np.uint8, np.int16, np.int32, np.int64, np.uint64, np.array])
def test_whole_numbers_of_every_type_are_taken(kind: Any) -> None:
    env, other = make("2"), make("2")
    action = int(env.reset(seed=1)[0]["action_mask"].argmax())
    other.reset(seed=1)
    assert action < 127
    assert freeze(env.step(kind(action))) == freeze(other.step(action))


# --- The order of calls ----------------------------------------------------------------------------------


def test_before_reset_and_after_the_end() -> None:
    env = make("2")
    for call in (lambda: env.step(0), env.action_masks, lambda: env.game):
        with pytest.raises(gymnasium.error.ResetNeeded, match="reset"):
            call()
    play_game(env, 1)
    with pytest.raises(gymnasium.error.ResetNeeded, match="over"):
        env.step(0)
    assert env.reset(seed=1)[1] == {"seat": 0}


# --- Options -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("id", "options", "said"),
    [
        (VERSUS_ID, {"players": 1}, "Solo-v0"),
        (VERSUS_ID, {"players": 8}, "7"),
        (VERSUS_ID, {"players": 6}, "corruption_and_ascension"),
        (VERSUS_ID, {"seat": 4}, "0 to 3"),
        (VERSUS_ID, {"seat": -1}, "rotate"),
        (VERSUS_ID, {"seat": "left"}, "'random'"),
        (VERSUS_ID, {"seat": 1.0}, "number"),
        (VERSUS_ID, {"seat": True}, "number"),
        (VERSUS_ID, {"opponents": []}, "0 opponents for 3 seats"),
        (VERSUS_ID, {"opponents": ["random", "greedy"]}, "2 opponents for 3 seats"),
        (VERSUS_ID, {"opponents": ["gready"]}, "greedy"),
        (VERSUS_ID, {"opponents": 7}, "list"),
        (VERSUS_ID, {"opponents": [7]}, "class"),
        (VERSUS_ID, {"observation": "ful"}, "full, compact"),
        (VERSUS_ID, {"reward": "win"}, "outcome, rank"),
        (VERSUS_ID, {"illegal_action": "ignore"}, "forfeit, replace, raise"),
        (VERSUS_ID, {"config": iaww_env.GameConfig(players=3), "players": 3}, "leave players"),
        (VERSUS_ID, {"config": {"players": 3}}, "GameConfig"),
        (VERSUS_ID, {"config": iaww_env.GameConfig(players=1)}, "Solo-v0"),
        (SOLO_ID, {"scenario": "base_sc99"}, "base_sc01"),
        (SOLO_ID, {"scenario": "ascension_sc01", "expansions": ()}, "corruption_and_ascension"),
        (SOLO_ID, {"scenario": "base_sc01", "empire_side": "A"}, "side B"),
        (SOLO_ID, {"config": iaww_env.GameConfig(players=2)}, "Versus-v0"),
        (SOLO_ID, {"config": iaww_env.GameConfig(players=1), "scenario": "base_sc01"}, "leave scenario"),
    ],
)
def test_options_that_cannot_be(id: str, options: dict[str, Any], said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        gymnasium.make(id, **options)
    with pytest.raises(ConfigError, match=said):
        gymnasium.make_vec(id, 2, **options)


def test_render_modes_that_are_none() -> None:
    with pytest.raises(ConfigError, match="human, ansi, rgb_array"):
        iaww_env.VersusEnv(render_mode="rgb")
    with pytest.raises(ConfigError, match="human, ansi, rgb_array"):
        iaww_env.SoloVectorEnv(2, render_mode="depth_array")
    with pytest.raises(TypeError, match="colour"):
        gymnasium.make(SOLO_ID, colour=True)
    with pytest.raises(TypeError, match="colour"):
        gymnasium.make_vec(SOLO_ID, 2, colour=True)


@pytest.mark.parametrize("seed", [-1, 1.5, "7", True, [1]])
def test_seeds_that_cannot_be(seed: Any) -> None:
    env = make("2")
    env.reset(seed=1)
    before = env.game
    with pytest.raises(ConfigError, match="seed"):
        env.reset(seed=seed)
    assert env.game == before


@pytest.mark.parametrize(
    "options",
    [
        {"deals": [["zeppelin"]]},
        {"pools": [["zeppelin"] * 5] * 8},
        {"empires": ["aztec_empire"]},
        {"empires": ["aztec_empire", "aztec_empire", None]},
        {"empires": "aztec_empire"},
        [("deals", None)],
        "deals",
    ],
)
def test_a_reset_that_is_refused_leaves_the_game_as_it_was(options: Any) -> None:
    env, other = make("3"), make("3")
    shown = play_some(env, 1, 12)
    play_some(other, 1, 12)
    for seed in (None, 5):
        with pytest.raises((IawwError, TypeError)):
            env.reset(seed=seed, options=options)
    action = int(shown["action_mask"].argmax())
    assert freeze(env.step(action)) == freeze(other.step(action))
    env.reset()
    other.reset()
    assert env.game == other.game


# --- Bots that fail ------------------------------------------------------------------------------------

BAD_BOTS = {
    "raises": ("raise KeyError('lost')", KeyError, "lost"),
    "answers None": ("return None", TypeError, "None"),
    "answers a float": ("return float(view.legal_actions()[0])", TypeError, "whole number"),
    "answers a truth value": ("return True", TypeError, "whole number"),
    "answers text": ("return view.text(view.legal_actions()[0])", TypeError, "whole number"),
    "answers nothing legal": ("return len(view.action_mask) - 1", IllegalActionError, "bot"),
    "allows itself all": (
        "view.action_mask[:] = 1; return len(view.action_mask) - 1",
        IllegalActionError,
        "bot",
    ),
    "answers far outside": ("return 10**20", IllegalActionError, "bot"),
}


def begin_and_step(env: Any) -> None:
    """A game begins, and the learner decides once; the bots are asked before or behind it."""
    env.reset(seed=1)
    env.step(env.unwrapped.action_masks().argmax(axis=-1))


@pytest.mark.parametrize("how", BAD_BOTS)
def test_a_bot_that_fails_is_named_and_the_game_waits_for_reset(how: str, tmp_path: Path) -> None:
    body, error, said = BAD_BOTS[how]
    good = write_bot(tmp_path, "good", OWN_CHANCE)
    spec = write_bot(tmp_path, "bad", f"def act(self, view):\n    {body}")
    env = make("3", opponents=[good, spec], seat=0)
    with pytest.raises(error, match=said) as caught:
        begin_and_step(env)
    assert "bad.py" in str(caught.value) or how == "raises"
    with pytest.raises(RuntimeError, match="reset"):
        env.step(int(env.action_masks().argmax()))


def test_a_batch_bot_that_answers_too_little(tmp_path: Path) -> None:
    answer = "return view.action_masks.argmax(axis=1)[:-1]"
    body = f"def act(self, view):\n    ...\ndef act_batch(self, view):\n    {answer}"
    env = gymnasium.make_vec(VERSUS_ID, 3, players=2, opponents=[write_bot(tmp_path, "short", body)])
    with pytest.raises(ValueError, match=r"short\.py"):
        begin_and_step(env)


def test_bots_scribbling_on_their_views_change_nothing(tmp_path: Path) -> None:
    """Neither what the learner sees nor what is legal."""
    body = """
def act(self, view):
    action = view.legal_actions()[-1]
    from iaww_env.game import lend_state
    lend_state(view.sample_game(1)).krystallium[:] = 99
    view.observation[:] = 7
    view.action_mask[:] = 1
    return action
"""
    plain = "def act(self, view):\n    return view.legal_actions()[-1]"
    specs = [write_bot(tmp_path, "scribbling", body), write_bot(tmp_path, "plain", plain)]
    games = [freeze(play_game(make("3", opponents=[spec]), 3)) for spec in specs]
    assert games[0] == games[1]


def test_a_view_that_a_bot_keeps_stays_as_it_was(tmp_path: Path) -> None:
    body = """
kept = None
def act(self, view):
    drawn = view.sample_game(1)
    self.kept = self.kept or (view, drawn)
    assert self.kept[0].sample_game(1) == self.kept[1]
    return view.legal_actions()[0]
"""
    assert len(play_game(make("2", opponents=[write_bot(tmp_path, "keeping", body)]), 3)) > 20


def test_expansions_may_be_written_in_every_way() -> None:
    for expansions in (CA, list(CA), CA[0]):
        assert gymnasium.make(VERSUS_ID, expansions=expansions).unwrapped.config.ascension
        assert gymnasium.make(SOLO_ID, expansions=expansions).unwrapped.config.ascension
