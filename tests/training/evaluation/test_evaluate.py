"""`iaww evaluate`: the weak fall below a fair share, equals cover it, parts sum, deals are the units."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from iaww_agents.arena.measure.intervals import estimate_share
from iaww_agents.arena.play.pool import LocalPool
from iaww_agents.arena.play.results import Result, make_fault
from iaww_agents.arena.play.schedule import Fixture
from iaww_env import GameConfig, rulebook
from iaww_env.breakdown import PARTS
from iaww_env.cli.app import main
from iaww_env.cli.options import GameOptions
from iaww_env.errors import ConfigError
from iaww_training.evaluation.games import Match, Played, list_configs, list_matches, play_matches
from iaww_training.evaluation.measures import (
    Figures,
    measure_games,
    measure_mirror,
    measure_rung,
    number_deals,
    to_plain,
)
from iaww_training.evaluation.report import describe_mirrors
from tests.modes import CA

THREE = GameConfig(players=3)


@pytest.fixture(scope="module")
def played() -> list[Played]:
    """Greedy against a weaker and a stronger bot, itself, and alone."""
    matches = list(list_matches("greedy", ("random:nodiscard", "heuristic"), (GameConfig(players=1), THREE)))
    with LocalPool(1) as pool:
        return play_matches(matches, 90, "tests", pool)


@pytest.fixture(scope="module")
def figures(played: list[Played]) -> Figures:
    return measure_games(played)


# --- What is measured ------------------------------------------------------------------------------


def test_the_weak_are_below_a_fair_share_and_the_strong_above(figures: Figures) -> None:
    weaker, stronger = figures.ladder
    assert (weaker.bot, stronger.bot) == ("random:nodiscard", "heuristic")
    assert weaker.fair == stronger.fair == 1 / 3
    assert weaker.standing.wins.low > 1 / 3
    assert stronger.standing.wins.high < 1 / 3
    assert stronger.standing.margin.high < 0 < weaker.standing.margin.low
    assert weaker.standing.n == stronger.standing.n == 90, "each deal in three rotations"


def test_a_mirror_covers_the_fair_share(played: list[Played], figures: Figures) -> None:
    (mirror,) = figures.mirror
    assert mirror.is_covered
    assert mirror.wins.low < 1 / 3 < mirror.wins.high
    assert mirror.n == 90, "one learner in each game"
    scores = [one for part in played if part.match.is_mirror for game in part.results for one in game.points]
    assert mirror.points.value == pytest.approx(np.mean(scores))
    assert "agrees" in describe_mirrors([mirror])[0]


def make_result(deal: int, winner: int, points: tuple[int, ...] = (5, 5, 5)) -> Result:
    """A game of three of one bot, won by a seat."""
    places = tuple(1 if seat == winner else 2 for seat in range(3))
    return Result(Fixture(deal, deal, ("greedy",) * 3, THREE), points, places)


def test_a_mirror_in_which_one_seat_is_favoured_is_told() -> None:
    """The learner goes round the seats; a referee that favours it cannot hide."""
    match = Match(THREE, "greedy", "greedy")
    fair = measure_mirror(Played(match, tuple(make_result(deal, 0) for deal in range(60))))
    assert fair.is_covered, "a favoured seat is no favoured learner"
    unfair = measure_mirror(Played(match, tuple(make_result(deal, deal % 3) for deal in range(60))))
    assert not unfair.is_covered
    assert "NOT cover" in describe_mirrors([fair, unfair])[0]


def test_mirrors_share_the_share_in_which_a_fair_one_fails() -> None:
    """28 of 60 in place of 20: too many for the only mirror, nothing unusual for one of twenty."""
    match, results = Match(THREE, "greedy", "greedy"), []
    for deal in range(60):
        result = make_result(deal, (deal + (deal >= 28)) % 3)
        object.__setattr__(result, "parts", ((5,) + (0,) * (len(PARTS) - 1),) * 3)
        object.__setattr__(result, "empires", ("noram_states",) * 3)
        results.append(result)
    played = Played(match, tuple(results))
    (alone,) = measure_games([played]).mirror
    among = measure_games([played] * 20).mirror
    assert not alone.is_covered
    assert [one.is_covered for one in among] == [True] * 20
    assert {one.wins for one in among} == {alone.wins}, "what is told is at one level"
    assert alone.wins.value == pytest.approx(28 / 60)


def test_intervals_take_deals_as_units() -> None:
    """The same games as three times as many deals would make narrower intervals."""
    rng = np.random.default_rng(3)
    results = []
    for deal in range(30):
        winner = "greedy" if rng.random() < 0.5 else "random"
        for turn in range(3):
            agents = tuple("greedy" if seat == turn else "random" for seat in range(3))
            seat = agents.index(winner)
            places = tuple(1 if one == seat else 2 for one in range(3))
            results.append(Result(Fixture(deal, deal, agents, THREE), (1, 1, 1), places))
    wins = measure_rung(Played(Match(THREE, "greedy", "random"), tuple(results))).standing.wins
    shares = [1.0 if one.places[one.agents.index("greedy")] == 1 else 0.0 for one in results]
    assert wins == estimate_share(shares, [one.fixture.deal for one in results])
    assert wins.width > 1.5 * estimate_share(shares, list(range(90))).width


def test_a_deal_is_a_seed_and_what_is_played() -> None:
    """A seed deals other cards to four than to three; its rotations are one deal."""
    four = Fixture(0, 7, ("greedy",) * 4, GameConfig(players=4))
    other = Result(four, (1, 1, 1, 1), (1, 1, 1, 1))
    seats = [(make_result(7, 0), 0), (make_result(7, 1), 2), (other, 0), (make_result(8, 0), 0)]
    assert number_deals(seats) == [0, 0, 1, 2]


def test_empires_are_counted_over_all_numbers_of_players(played: list[Played]) -> None:
    more = GameConfig(players=4)
    with LocalPool(1) as pool:
        others = play_matches([Match(more, "greedy", "random:nodiscard")], 8, "tests", pool)
    first = next(one for one in played if one.match.bot == "random:nodiscard")
    alone, both = measure_games([first]), measure_games([first, *others])
    assert sum(one.n for one in both.empires) == 98
    assert sum(one.n for one in alone.empires) == 90
    assert all(1 / 4 <= one.fair <= 1 / 3 for one in both.empires)
    assert any(1 / 4 < one.fair < 1 / 3 for one in both.empires)


def test_the_parts_sum_to_the_score(played: list[Played], figures: Figures) -> None:
    assert [one.bot for one in figures.sources] == ["greedy", "random:nodiscard"], "self-play, first rung"
    for one in figures.sources:
        assert list(one.parts) == list(PARTS)
        assert sum(part.value for part in one.parts.values()) == pytest.approx(one.points.value)
    assert figures.sources[0].n == 3 * 90
    mirror = next(one for one in played if one.match.is_mirror)
    broken = make_result(0, 1)
    object.__setattr__(broken, "parts", ((4,) + (0,) * (len(PARTS) - 1),) * 3)
    object.__setattr__(broken, "empires", ("noram_states",) * 3)
    with pytest.raises(AssertionError, match="do not sum"):
        measure_games([Played(mirror.match, (broken,))])


def test_each_empire_is_counted_where_the_agent_has_it(played: list[Played], figures: Figures) -> None:
    mirror = next(one for one in played if one.match.is_mirror)
    own = {one.empire: one for one in figures.empires if one.bot == "greedy"}
    seated = [name for result in mirror.results for name in result.empires]
    assert {name: one.n for name, one in own.items()} == {name: seated.count(name) for name in set(seated)}
    wins = sum(one.wins.value * one.n for one in own.values())
    assert wins == pytest.approx(90), "each game has one win to share"
    assert all(one.wins.low <= one.wins.value <= one.wins.high for one in own.values())


def test_alone_all_play_the_same_deals(figures: Figures) -> None:
    assert [one.bot for one in figures.solo] == ["greedy", "random:nodiscard", "heuristic"]
    assert [one.n for one in figures.solo] == [90] * 3
    assert all(sum(one.awards.values()) == pytest.approx(1) for one in figures.solo)
    assert figures.solo[1].points.high < figures.solo[0].points.low


def test_an_agent_that_breaks_games_off_loses_them() -> None:
    fixture = Fixture(1, 1, ("bad.py", "greedy", "greedy"), THREE)
    faults = tuple(make_fault(fixture, 0, "crash", "it fell") for _ in range(2))
    found = measure_games([Played(Match(THREE, "bad.py", "greedy"), faults)])
    assert found.ladder[0].standing.wins.value == 0
    assert found.ladder[0].standing.n_faults == 2
    assert to_plain(found.sources[0].points) == {"value": None, "low": None, "high": None}


# --- What is played --------------------------------------------------------------------------------


def test_without_a_number_of_players_all_are_played() -> None:
    assert [one.players for one in list_configs(GameOptions())] == sorted(rulebook.HANDS_BASE)
    found = list_configs(GameOptions(expansions=CA, empire_side="B"))
    assert [one.players for one in found] == sorted(rulebook.HANDS_ASCENSION)
    assert {(one.expansions, one.empire_side) for one in found} == {(CA, "B")}
    assert [one.players for one in list_configs(GameOptions(scenario="base_sc01"))] == [1]


def test_an_agent_meets_itself_in_the_mirror_alone() -> None:
    matches = list(list_matches("greedy", ("greedy", "heuristic"), (THREE,)))
    assert [one.bot for one in matches] == ["heuristic", "greedy"]
    assert [one.is_mirror for one in matches] == [False, True]


# --- The command -----------------------------------------------------------------------------------


def test_figures_are_written_and_repeat_with_the_key(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "figures.json"
    words = "evaluate greedy --players 2 --games 6 --ladder random:nodiscard --workers 1 --key k --markdown"
    assert main([*words.split(), "--out", str(out)]) == 0
    shown, first = capsys.readouterr().out, json.loads(out.read_text())
    assert "| 2 players, 1 x random:nodiscard |" in shown
    assert "| all points |" in shown
    assert first["format"] == "iaww-evaluation"
    assert first["ladder"][0]["standing"]["wins"].keys() == {"value", "low", "high"}
    assert main([*words.split(), "--out", str(out)]) == 0, "figures may be written anew"
    assert json.loads(out.read_text()) == first


def test_a_curve_is_told_and_drawn(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = [
        {
            "kind": "measure",
            "decisions": 0,
            "greedy_points": 10.0,
            "greedy_wins": 0.1,
            "greedy_wins_error": 0.02,
        },
        {"kind": "update", "decisions": 50, "loss": 1.0},
        {"kind": "measure", "decisions": 100_000, "greedy_points": 30.5, "greedy_wins": 0.25},
    ]
    (tmp_path / "metrics.jsonl").write_text("".join(json.dumps(one) + "\n" for one in lines))
    plot = tmp_path / "curve.svg"
    words = "evaluate greedy --players 2 --games 2 --ladder random --workers 1 --markdown"
    assert main([*words.split(), "--curve", str(tmp_path), "--plot", str(plot)]) == 0
    shown = capsys.readouterr().out
    assert "| 0 | 10.0 | 10.0 ± 2.0 % |" in shown
    assert "| 100,000 | 30.5 | 25.0 % |" in shown
    assert "loss" not in shown
    assert b"<svg" in plot.read_bytes()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("nobody --players 2", "there is no bot 'nobody'"),
        ("greedy --players 2 --ladder nobody", "there is no bot 'nobody'"),
        ("greedy --players 2 --ladder greedy greedy", "names 'greedy' twice"),
        ("greedy --games 1", "at least 2"),
        ("greedy --players 9", "players"),
        ("greedy --empires noram_states None", "say --players"),
        ("greedy --plot curve.svg", "--curve"),
        ("greedy --curve nowhere", "no folder of a run"),
        ("greedy --curve .", "no folder of a run"),
        ("greedy --minutes 3", "--best-response"),
        ("greedy --decisions 3", "--best-response"),
        ("greedy --folder here", "--best-response"),
        ("greedy --best-response --minutes 0", "--minutes is 0"),
        ("greedy --best-response --minutes nan", "--minutes is nan"),
        ("greedy --best-response --decisions -4", "--decisions is -4"),
        ("greedy --best-response --players 1", "nobody to respond to"),
        ("greedy --best-response --folder full", "holds something already"),
        ("greedy --best-response --folder a,b", "comma"),
        ("greedy --out full/of.txt", "holds something else"),
        ("greedy --curve empty", "nothing was measured yet"),
        ("greedy --curve bad", "line 1"),
    ],
)
def test_what_cannot_be_is_said_in_one_line(
    words: str,
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in {
        "full/of.txt": "things\n",
        "empty/metrics.jsonl": "",
        "bad/metrics.jsonl": "[]\n",
    }.items():
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_text(text)
    assert main(["evaluate", *words.split()]) == 2
    shown = capsys.readouterr()
    assert said in shown.err
    assert shown.err.count("\n") == 1
    assert shown.out == ""


def test_a_bot_that_cannot_play_is_named_before_any_game() -> None:
    matches = [Match(THREE, "greedy", "greedy"), Match(GameConfig(players=2), "greedy", "nobody")]
    with LocalPool(1) as pool, pytest.raises(ConfigError, match="nobody"):
        play_matches(matches, 10**6, "tests", pool)
