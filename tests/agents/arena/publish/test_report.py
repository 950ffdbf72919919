"""What reports say where there is little to say it from, and of scenarios won and lost."""

from __future__ import annotations

import io
import math
import re
from collections.abc import Sequence

import pytest

from iaww_agents.arena.measure.intervals import Interval
from iaww_agents.arena.measure.leaderboard import make_scenario_table
from iaww_agents.arena.measure.ratings import rate
from iaww_agents.arena.measure.standings import summarize_agents
from iaww_agents.arena.play.results import CRASH, Result, make_fault
from iaww_agents.arena.play.schedule import Fixture
from iaww_agents.arena.play.tournament import Tournament, run_tournament
from iaww_agents.arena.publish.plots import list_errors
from iaww_agents.arena.publish.report import (
    TextTable,
    TournamentReport,
    make_console,
    make_report,
    make_solo_table,
    show_interval,
)
from iaww_env import GameConfig

SCENARIO = GameConfig(players=1, scenario="base_sc01")


def make_game(agents: Sequence[str], places: Sequence[int], seed: int) -> Result:
    points = tuple(50 - 10 * place for place in places)
    return Result(Fixture(seed, seed, tuple(agents), GameConfig(players=len(agents))), points, tuple(places))


def report(results: list[Result]) -> str:
    agents = tuple(dict.fromkeys(spec for result in results for spec in result.agents))
    return make_report(Tournament(agents, results[0].fixture.config, "k", results)).to_markdown()


@pytest.mark.parametrize(
    ("ends", "shown"),
    [
        ((40.0, 44.0), "42.0 (40.0–44.0)"),
        ((-1.0, 44.0), "42.0 (-1.0 to 44.0)"),
        ((math.nan, math.nan), "42.0"),
        ((40.0, math.inf), "42.0 (40.0 or more)"),
        ((-math.inf, 44.0), "42.0 (44.0 or less)"),
        ((-math.inf, math.inf), "42.0 (no bounds)"),
        ((math.inf, math.inf), "42.0 (no upper bound)"),
        ((-math.inf, -math.inf), "42.0 (no lower bound)"),
        ((42.0, 42.0), "42.0 (all deals alike)"),
    ],
)
def test_bounds_that_there_are_not_are_said_in_words(ends: tuple[float, float], shown: str) -> None:
    assert show_interval(Interval(42.0, *ends), 1) == shown


def test_nothing_to_estimate_is_a_dash() -> None:
    assert show_interval(Interval(math.nan, math.nan, math.nan), 1) == "–"
    assert show_interval(Interval(-0.02, -0.3, 0.3), 1) == "0.0 (-0.3 to 0.3)", "nothing is less than nothing"


def test_a_bot_that_won_every_game_has_no_upper_bound() -> None:
    text = report([make_game("ab", (1, 2), seed) for seed in range(20)])
    for words in ("(no upper bound)", "(no lower bound)", "A rating without a bound"):
        assert words in text
    assert "nan" not in text


def test_a_bot_that_lost_a_single_deal_has_a_bound_on_one_side_only() -> None:
    """A third of the resamples lack the deal that it lost, so they say nothing of how strong it may be."""
    games = [make_game("ab", (1, 2), seed) for seed in range(29)]
    found = rate([*games, make_game("ab", (2, 1), 29)])
    strong, weak = found.find_interval("a"), found.find_interval("b")
    assert math.isinf(strong.high)
    assert math.isfinite(strong.low)
    assert math.isinf(weak.low)
    assert math.isfinite(weak.high)
    assert "or more)" in show_interval(strong, 0)
    many = [make_game("ab", (1 + (seed % 4 == 0), 2 - (seed % 4 == 0)), seed) for seed in range(100)]
    assert math.isfinite(rate(many).find_interval("a").width)


def test_between_groups_that_never_mixed_there_is_no_bound_and_within_them_there_is() -> None:
    """Of a and b each wins sometimes, and both always beat c."""
    places = [(1, 2, 3), (2, 1, 3)]
    found = rate([make_game("abc", places[seed % 2], seed) for seed in range(60)])
    assert math.isfinite(found.find_gap("a", "b").width)
    assert found.find_gap("a", "c").low == math.inf
    assert found.find_interval("c").high == -math.inf
    assert found.list_unbounded() == ["a", "b", "c"]


def test_bots_that_never_met_can_be_at_any_distance() -> None:
    games = [
        make_game(pair, (1 + seed % 2, 2 - seed % 2), seed) for seed in range(40) for pair in ("ab", "cd")
    ]
    gap = rate(games).find_gap("a", "c")
    assert (gap.low, gap.high) == (-math.inf, math.inf)
    assert not rate(games).is_decided()


def test_a_single_deal_has_no_interval() -> None:
    text = report([make_game("ab", (1, 2), 7), make_game("ba", (1, 2), 7)])
    (row,) = (line for line in text.splitlines() if line.startswith("| a |") and line.count("|") == 8)
    assert row.split("|")[2].strip() == "1500"
    assert "One deal alone does not say how sure these numbers are" in text
    assert "nan" not in text
    won = report([make_game("ab", (1, 2), 7)])
    assert "(no upper bound)" in won


def test_deals_that_are_all_alike_are_no_certainty() -> None:
    text = report([make_game(pair, (1, 2), seed) for seed in range(9) for pair in ("ab", "ba")])
    assert "1500 (all deals alike)" in text
    assert "(1500–1500)" not in text


def test_one_bot_alone_has_the_mean_for_its_rating() -> None:
    text = report([make_game("aa", (1, 2), seed) for seed in range(9)])
    assert "| a | 1500 |" in text
    assert "nan" not in text


def test_games_that_all_broke_off_have_no_points_and_no_nan() -> None:
    fixtures = [Fixture(n, n, ("a", "b"), GameConfig(players=2)) for n in range(8)]
    text = report([make_fault(one, 0, CRASH, "why") for one in fixtures])
    assert "nan" not in text
    assert "–" in text
    nobody = report([make_fault(one, None, CRASH, "why") for one in fixtures])
    assert "nan" not in nobody


def test_a_plot_has_no_reach_where_there_is_no_bound() -> None:
    found = [Interval(5.0, 4.0, math.inf), Interval(5.0, math.nan, math.nan), Interval(5.0, 4.0, 7.0)]
    assert list_errors(found) == [[1.0, 0.0, 1.0], [0.0, 0.0, 2.0]]


# --- Scenarios -------------------------------------------------------------------------------------


def make_scenario_game(seed: int, award: str | None, won: bool) -> Result:
    return Result(Fixture(seed, seed, ("a",), SCENARIO), (20,), (1,), award=award, scenario_won=won)


def test_a_lost_scenario_is_told_from_one_won_without_a_medal() -> None:
    results = [
        make_scenario_game(0, "gold", True),
        make_scenario_game(1, None, True),
        *(make_scenario_game(seed, None, False) for seed in range(2, 7)),
        make_fault(Fixture(7, 7, ("a",), SCENARIO), 0, CRASH, "why"),
    ]
    table = make_solo_table(summarize_agents(results), results)
    cells = dict(zip(table.heads, table.rows[0], strict=True))
    assert {name: cells[name] for name in ("won", "gold", "won without a medal", "lost")} == {
        "won": "25.0%",
        "gold": "12.5%",
        "won without a medal": "12.5%",
        "lost": "75.0%",
    }
    assert table.heads[-2:] == ("games", "faults")
    published = make_scenario_table({SCENARIO: results}, ["a"])
    assert published.heads[0].startswith("won; gold")
    assert published.rows[0][1].startswith("25%; 12% / 0% / 0%; ")


def test_a_standard_solo_game_is_neither_won_nor_lost() -> None:
    result = Result(Fixture(0, 0, ("a",), GameConfig(players=1)), (20,), (1,), award="apprentice")
    heads = make_solo_table(summarize_agents([result]), [result]).heads
    assert heads == ("bot", "points", "apprentice", "games", "faults")


def test_results_say_what_the_rules_say_of_scenarios() -> None:
    found = run_tournament(["greedy", "random"], SCENARIO, games=60, workers=1)
    won = [result.scenario_won for result in found.results]
    assert set(won) == {True, False}
    assert all(result.award is None for result in found.results if not result.scenario_won)
    text = make_report(found).to_markdown()
    assert "| won |" in text
    assert "| lost |" in text


# --- At the terminal -------------------------------------------------------------------------------------

WIDE = TextTable(
    "standings",
    ("bot", "rating", "wins", "points", "margin", "seats"),
    (
        (
            "random:nodiscard",
            "812 (-221 to 385)",
            "12.5% (0.1–96.4)",
            "6.3 (6.2–6.4)",
            "-40.1 (-41 to -39)",
            "100",
        ),
        (
            "ppo:path=runs/first/network.npz",
            "–",
            "87.5% (3.6–99.9)",
            "74.1 (73.7–74.4)",
            "+40.1 (39–41)",
            "100",
        ),
    ),
)
NOTES = (
    "One game again, move by move: iaww watch random:nodiscard greedy --players 2 --seed 8594108687705315741",
    "Words without any command, which are broken between words where the terminal is narrow, as all are.",
)


def print_at(width: int, table: TextTable, *, terminal: bool = False) -> list[str]:
    """What a terminal of this width shows, in lines."""
    from rich.console import Console

    out = io.StringIO()
    TournamentReport((table,), NOTES).print(Console(file=out, width=width, force_terminal=terminal))
    return [re.sub(r"\x1b\[[\d;]*m", "", line) for line in out.getvalue().splitlines()]


@pytest.mark.parametrize("width", [40, 60, 80, 120, 200])
@pytest.mark.parametrize("terminal", [False, True])
def test_a_narrow_terminal_cuts_no_number_and_no_name(width: int, terminal: bool) -> None:
    lines = print_at(width, WIDE, terminal=terminal)
    shown = "\n".join(lines)
    assert "…" not in shown
    for cell in (*WIDE.heads, *(cell for row in WIDE.rows for cell in row)):
        assert cell in shown, cell
    tables = [line for line in lines if line.startswith(("┃", "│", "┏"))]
    assert max(map(len, tables)) <= max(width, 60), "two columns of which one is a long name may be wider"


def test_a_table_that_fits_stays_one() -> None:
    assert len(list(WIDE.split(200))) == 1
    assert [part.heads for part in WIDE.split(84)] == [
        ("bot", "rating", "wins"),
        ("bot", "points", "margin", "seats"),
    ]


@pytest.mark.parametrize("terminal", [False, True])
def test_a_command_is_printed_on_one_line(terminal: bool) -> None:
    lines = print_at(60, WIDE, terminal=terminal)
    assert NOTES[0] in lines
    assert (NOTES[1] in lines) == (not terminal)


def test_the_width_of_the_output_can_be_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdout", io.StringIO())
    monkeypatch.setenv("COLUMNS", "93")
    assert make_console().width == 93
    monkeypatch.delenv("COLUMNS")
    assert make_console().width == 200


def test_a_rating_without_a_bound_is_explained_by_the_bots_that_always_lost() -> None:
    """Three that beat each other in turn have no bound either, only because a fourth lost everything."""
    orders = [(1, 2, 3, 4), (2, 3, 1, 4), (3, 1, 2, 4)]
    games = [make_game(("a", "b", "c", "loser"), places, seed) for seed, places in enumerate(orders * 6)]
    said = report(games)
    assert "no upper bound" in said or "or more" in said
    assert "it leaves other ratings without a bound too" in said
