"""Matches, schedules, results and tournaments: the same games whichever way they are played."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import chain, islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from iaww_agents.arena.measure.standings import summarize_agents
from iaww_agents.arena.play.batches import play_together
from iaww_agents.arena.play.guests import BotShelf
from iaww_agents.arena.play.match import play_match
from iaww_agents.arena.play.results import OK, Result, make_fault
from iaww_agents.arena.play.runner import list_tasks, warm_up
from iaww_agents.arena.play.schedule import Fixture, list_lineups, list_rotations, schedule_games, take_deals
from iaww_agents.arena.play.tournament import cut_stages, run_tournament
from iaww_agents.arena.publish.plots import plot_ratings
from iaww_agents.arena.publish.report import make_report
from iaww_agents.heuristic.bot import HeuristicAgent
from iaww_env import GameConfig
from iaww_env.errors import ConfigError
from tests.modes import CA

LADDER = ("greedy", "random:nodiscard", "random")


def play_one_by_one(fixtures: list[Fixture]) -> list[Result]:
    shelf = BotShelf()
    return [play_match(one, lambda seat, of=one.agents: shelf.take(of, seat)) for one in fixtures]


def strip_time(results: list[Result]) -> list[tuple[object, ...]]:
    return [(one.fixture, one.points, one.places, one.status, one.award) for one in results]


# --- Games -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "config",
    [
        GameConfig(players=3),
        GameConfig(players=2, expansions=CA, empire_side="B"),
        GameConfig(players=6, expansions=CA),
        GameConfig(players=1),
        GameConfig(players=1, expansions=CA),
        GameConfig(players=1, scenario="base_sc01"),
    ],
    ids=["3", "2-CA-B", "6-CA", "solo", "solo-CA", "scenario"],
)
def test_games_in_kernels_go_as_one_decision_at_a_time(config: GameConfig) -> None:
    fixtures = list(islice(schedule_games(config, LADDER, "k"), 6))
    slow = play_one_by_one(fixtures)
    fast = [play_together([one], [BotShelf().take((spec,), 0) for spec in one.agents])[0] for one in fixtures]
    assert strip_time(slow) == strip_time(fast)
    assert all(one.decisions > 30 for one in slow)


def test_a_batch_plays_each_game_as_if_alone() -> None:
    lineup = ("random", "greedy", "random:nodiscard")
    fixtures = [Fixture(seed, seed, lineup, GameConfig(players=3)) for seed in range(20)]
    shelf = BotShelf()
    together = play_together(fixtures, [shelf.take((spec,), 0) for spec in lineup])
    alone = [play_together([one], [shelf.take((spec,), 0) for spec in lineup])[0] for one in fixtures]
    assert strip_time(together) == strip_time(alone)
    assert len({one.points for one in together}) > 15


def test_every_copy_of_a_bot_is_a_bot_of_its_own() -> None:
    shelf = BotShelf()
    lineup = ("greedy", "random", "greedy")
    bots = [shelf.take(lineup, seat) for seat in range(3)]
    assert bots[0] is not bots[2]
    assert shelf.take(lineup, 2) is bots[2]


# --- Schedule --------------------------------------------------------------------------------------


def test_lineups_give_every_bot_as_many_seats() -> None:
    assert list_lineups(["a", "b", "c", "d"], 4) == [("a", "b", "c", "d")]
    assert list_lineups(["a"], 3) == [("a", "a", "a")]
    assert sorted(map(sorted, list_lineups(["a", "b"], 3))) == [["a", "a", "b"], ["a", "b", "b"]]
    assert len(list_lineups(list("abcdef"), 4)) == 15
    assert list_rotations(("a", "b", "a", "b")) == [("a", "b", "a", "b"), ("b", "a", "b", "a")]


def test_duplicate_deals_seat_every_bot_everywhere_on_the_same_cards() -> None:
    fixtures = list(islice(schedule_games(GameConfig(players=4), list("abcd"), "k"), 400))
    assert len({one.seed for one in fixtures}) == 100
    for deal in (0, 99):
        games = [one for one in fixtures if one.deal == deal]
        assert len({one.seed for one in games}) == 1
        assert [one.turn for one in games] == [0, 1, 2, 3]
        for seat in range(4):
            assert {one.agents[seat] for one in games} == set("abcd")
    # Who sits to a's left changes from deal to deal.
    left = Counter(one.agents[(one.agents.index("a") + 1) % 4] for one in fixtures)
    assert min(left[spec] for spec in "bcd") > 60


def test_more_bots_than_seats_take_turns() -> None:
    fixtures = list(islice(schedule_games(GameConfig(players=2), list("abc"), "k"), 300))
    seats = Counter(chain(*(one.agents for one in fixtures)))
    assert set(seats.values()) == {200}
    solo = list(islice(schedule_games(GameConfig(players=1), list("abc"), "k"), 6))
    assert [(one.agents[0], one.deal) for one in solo] == [(spec, deal) for deal in (0, 1) for spec in "abc"]
    assert len({one.seed for one in solo}) == 2


def test_games_come_in_whole_deals() -> None:
    deals = list(take_deals(schedule_games(GameConfig(players=4), list("abcd"), "k"), 10))
    assert [len(deal) for deal in deals] == [4, 4, 4]
    stages = cut_stages([[deal[0]] for deal in deals] * 50, until_decided=True)
    assert [len(stage) for stage in stages] == [32, 32, 64, 22]
    assert [len(stage) for stage in cut_stages(deals, until_decided=False)] == [12]


def test_only_games_of_kernel_bots_alone_are_batched() -> None:
    """The batches by line-up; games of bots of others rotation by rotation, each a sitting of its own."""
    fast = {"greedy": True, "heuristic": True, "search": False, "x:Y": False}
    fixtures = list(islice(schedule_games(GameConfig(players=2), list(fast), "k"), 48))
    tasks = list(list_tasks(fixtures, fast, "s"))
    assert sorted(chain(*(task.fixtures for task in tasks)), key=fixtures.index) == fixtures
    for task in tasks:
        assert task.is_batch == ({"search", "x:Y"}.isdisjoint(task.fixtures[0].agents))
        assert len({one.agents for one in task.fixtures}) == 1
    guests = [task for task in tasks if "x:Y" in task.fixtures[0].agents]
    assert len(guests) == 24
    turns = [task.fixtures[0].turn for task in guests]
    assert turns == sorted(turns) == [0] * 12 + [1] * 12
    assert len({task.sitting for task in guests}) == 2
    assert {task.sitting for task in tasks if task not in guests} == {""}


# --- Results ---------------------------------------------------------------------------------------


def test_a_fault_puts_the_offender_last_and_the_others_share_the_rest() -> None:
    fixture = Fixture(0, 1, ("a", "b", "c"), GameConfig(players=3))
    assert make_fault(fixture, 1, "crash", "why").places == (1, 3, 1)
    assert make_fault(fixture, None, "crash", "why").places == (1, 1, 1)
    assert make_fault(fixture, None, "crash", "why").is_void


# --- Tournaments -----------------------------------------------------------------------------------


def test_a_tournament_goes_on_where_it_was_stopped_and_ends_the_same(tmp_path: Path) -> None:
    config = GameConfig(players=3)
    path = tmp_path / "games.jsonl"
    whole = run_tournament(LADDER, config, games=24, key="k", out=path, workers=2)
    assert [one.status for one in whole.results] == [OK] * 24
    lines = path.read_bytes().splitlines(keepends=True)
    # As if it had been killed in the middle of a line.
    path.write_bytes(b"".join(lines[:11]) + lines[11][:50])
    again = run_tournament(LADDER, config, games=24, key="k", out=path, workers=1)
    assert again.n_read == 10
    assert strip_time(again.results) == strip_time(whole.results)
    assert path.read_bytes().startswith(b"".join(lines[:11]))
    assert len(path.read_bytes().splitlines()) == 1 + 24


def test_a_tournament_stops_when_the_order_is_decided() -> None:
    found = run_tournament(
        ["greedy", "random:nodiscard"],
        GameConfig(players=2),
        games=2000,
        key="k",
        until_decided=True,
        workers=1,
    )
    assert found.decided is True
    assert len(found.results) == 64  # the first look: 32 deals in both rotations
    assert found.ratings.rank() == ["greedy", "random:nodiscard"]
    assert found.level > 0.98


def test_duplicate_deals_shrink_the_interval() -> None:
    """As many games with and without: the luck of the cards cancels between the rotations of a deal."""
    agents = ["iaww_agents.heuristic.bot:HeuristicAgent", "iaww_agents.heuristic.bot:HeuristicAgent:deny=0.5"]
    config = GameConfig(players=2)
    options = {"games": 400, "key": "k", "workers": 1}
    with_them = summarize_agents(run_tournament(agents, config, **options).results)
    without = summarize_agents(run_tournament(agents, config, duplicates=False, **options).results)
    ratio = with_them[agents[0]].margin.width / without[agents[0]].margin.width
    assert ratio < 0.85
    assert np.isfinite(ratio)


def test_the_report_has_tables_for_every_bot(tmp_path: Path) -> None:
    found = run_tournament(LADDER, GameConfig(players=2, expansions=CA), games=30, workers=1)
    text = make_report(found).to_markdown()
    for words in ("| bot | rating | wins |", "placed before", "2 players, Corruption & Ascension", *LADDER):
        assert words in text
    solo = run_tournament(LADDER, GameConfig(players=1), games=9, workers=1)
    assert "| bot | points |" in make_report(solo).to_markdown()
    assert "apprentice" in make_report(solo).to_markdown()
    assert plot_ratings(found.results, tmp_path / "plot.svg").read_text().count("greedy") >= 1


def test_a_ray_cluster_plays_the_same_games(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("ray", reason="Ray is not installed: pip install 'iaww-env[ray]'")
    config = GameConfig(players=2)
    options = {"games": 8, "key": "k", "workers": 2}
    here = run_tournament(["greedy", "random"], config, **options)
    there = run_tournament(["greedy", "random"], config, backend="ray", **options)
    assert strip_time(here.results) == strip_time(there.results)


@pytest.mark.parametrize(
    ("agents", "options", "words"),
    [
        ([], {}, "name at least one bot"),
        (["greedy"], {"games": 0}, "play at least one game"),
        (["greedy"], {"backend": "slurm"}, "choose from local, ray"),
        (["greedy"], {"time_limit": 0.0}, "more than nothing"),
        (["greedy"], {"time_limit": float("nan")}, "more than nothing"),
        (["greedy"], {"first_limit": -1.0}, "more than nothing"),
        (["greedy"], {"memory_limit": -1.0}, "0 for no limit"),
        (["greedy"], {"workers": -1}, "give at least 1"),
        (["greedy"], {"workers": 0}, "give at least 1"),
        (["greedy"], {"workers": 10**9}, "give at most 1,024"),
        (["greedy"], {"workers": -1, "backend": "ray"}, "give at least 1"),
        (["greedy"], {"time_limit": 1e300}, "or inf for none"),
        (["greedy"], {"memory_limit": 1e300}, "or 0 for no limit"),
        (["greedy"], {"memory_limit": float("nan")}, "or 0 for no limit"),
        (["greedy"], {"games": 10**12}, "play at most 10,000,000"),
        (["greedy"], {"key": ""}, "a key is a text of 1 to 200 letters"),
        (["greedy"], {"key": "a\nb"}, "a key is a text of 1 to 200 letters"),
    ],
)
def test_options_that_make_no_sense_are_refused(
    agents: list[str], options: dict[str, object], words: str
) -> None:
    with pytest.raises(ConfigError, match=words):
        run_tournament(agents, **options)  # type: ignore[arg-type]


def note_use(name: str, used: list[str]) -> Callable[..., Any]:
    """The method of the heuristic, which writes down that it was asked."""
    method = getattr(HeuristicAgent, name)

    def noted(*arguments: Any) -> Any:
        used.append(name)
        return method(*arguments)

    return noted


@pytest.mark.parametrize(("in_kernels", "unused"), [(True, "act"), (False, "play_lanes")])
def test_only_the_kernels_that_will_play_are_warmed_up(
    in_kernels: bool, unused: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The others would be compiled for nothing, while everybody waits."""
    used: list[str] = []
    for name in ("act", "play_lanes"):
        monkeypatch.setattr(HeuristicAgent, name, note_use(name, used))
    warm_up(["heuristic", "greedy", "random"], GameConfig(players=2), in_kernels=in_kernels)
    assert used
    assert unused not in used
