"""Bad bots lose their games, each for the right reason, and harm nobody else."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from iaww_agents.arena.play.pool import LocalPool
from iaww_agents.arena.play.results import CRASH, ILLEGAL, OK, TIMEOUT, Result
from iaww_agents.arena.play.schedule import Fixture
from iaww_agents.arena.play.tournament import run_tournament
from iaww_agents.arena.play.worker import Task
from iaww_agents.arena.publish.report import make_report
from iaww_env import Game, GameConfig
from iaww_env.errors import ConfigError

ZOO = str(Path(__file__).with_name("bad_bots.py"))
TWO = GameConfig(players=2)


def name_bot(name: str) -> str:
    return f"{ZOO}:{name}"


GOOD = name_bot("FirstLegal")
# What each does, and what the reason must say.
BAD = {
    "Crashes": (CRASH, "ZeroDivisionError: no divisor (bad_bots.py, line "),
    "CrashesAtReset": (CRASH, "crashed when it was told of the game: LookupError: nothing found"),
    "CrashesWithBrokenError": (CRASH, "BrokenError"),
    "AnswersNone": (ILLEGAL, "answered None (NoneType): an action is a whole number"),
    "AnswersFloat": (ILLEGAL, "(float): an action is a whole number"),
    "AnswersText": (ILLEGAL, "(str): an action is a whole number"),
    "PlaysIllegal": (ILLEGAL, "which is illegal; legal: pick:"),
    "PlaysOutside": (ILLEGAL, "played -1, which is illegal"),
    "Exits": (CRASH, "SystemExit: 3"),
    "KillsProcess": (CRASH, "ended the process it played in (exit code 7)"),
    "ReadsInput": (CRASH, "EOFError"),
    "Raises": (CRASH, "KeyboardInterrupt"),
    "HangsInSleep": (TIMEOUT, "did not answer within 0.8 s"),
    "Hangs": (TIMEOUT, "did not answer within 0.8 s"),
    "TooSlow": (TIMEOUT, "0.8 s"),
}
HARMLESS = ("Scribbles", "PrintsMegabyte")


@pytest.fixture(scope="module")
def results() -> dict[str, list[Result]]:
    """Each of the zoo against the good bot, in both seats, and the good bot against itself."""
    names = (*BAD, *HARMLESS, "FirstLegal")
    fixtures = [
        Fixture(0, 5, lineup, TWO)
        for name in names
        for lineup in ((name_bot(name), GOOD), (GOOD, name_bot(name)))
    ]
    Game(TWO, 1).redeterminize(0, 1)  # compiled here, and not against the clock of the first bot that samples
    with LocalPool(2, time_limit=0.8, first_limit=0.8) as pool:
        played = list(itertools.chain(*pool.play(Task((fixture,)) for fixture in fixtures)))
        assert all(worker.job is None for worker in pool.workers)
    assert len(played) == len(fixtures)
    found: dict[str, list[Result]] = {name: [] for name in names}
    for result in sorted(played, key=lambda one: fixtures.index(one.fixture)):
        others = [spec for spec in result.agents if spec != GOOD]
        found[others[0].partition(":")[2] if others else "FirstLegal"].append(result)
    return found


@pytest.mark.parametrize("name", BAD)
def test_a_bad_bot_loses_and_the_reason_is_told(results: dict[str, list[Result]], name: str) -> None:
    status, reason = BAD[name]
    for seat, result in enumerate(results[name]):
        assert (result.status, result.offender) == (status, seat)
        assert reason in result.reason
        assert f"{name_bot(name)} in seat {seat} " in result.reason
        assert result.places[seat] == 2
        assert result.places[1 - seat] == 1
        assert len(result.reason) < 1000


@pytest.mark.parametrize("name", HARMLESS)
def test_scribbling_and_printing_change_nothing(
    results: dict[str, list[Result]], name: str, capfd: pytest.CaptureFixture[str]
) -> None:
    for result, without in zip(results[name], results["FirstLegal"], strict=True):
        assert result.status == OK
        assert (result.points, result.places) == (without.points, without.places)
    assert len("".join(capfd.readouterr())) < 1000


def test_a_tournament_with_bad_bots_ends_and_reports_each(tmp_path: Path) -> None:
    agents = [GOOD, *map(name_bot, ("Crashes", "AnswersNone", "KillsProcess", "HangsInSleep"))]
    out = tmp_path / "games.jsonl"
    options = {"games": 12, "out": out, "time_limit": 0.8, "first_limit": 0.8, "workers": 2}
    tournament = run_tournament(agents, GameConfig(players=3), **options)
    statuses = {result.status for result in tournament.results}
    assert statuses == {CRASH, ILLEGAL, TIMEOUT}
    # In each game the seat that is asked first breaks it off, so the good bot never loses.
    assert tournament.ratings.rank()[0] == GOOD
    report = make_report(tournament).to_markdown()
    for word in ("ZeroDivisionError", "answered None", "exit code 7", "within 0.8 s", "iaww watch"):
        assert word in report
    seeds = [f"--seed {result.fixture.seed}" for result in tournament.results]
    assert seeds[0] in report
    assert len(out.read_text().splitlines()) == len(tournament.results)


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        (name_bot("CannotBeMade"), "weights are missing"),
        (name_bot("NoSuchBot"), "has no 'NoSuchBot'"),
        ("heuristik", "there is no bot 'heuristik'"),
        ("greedy:depth=2", "has no option 'depth'"),
        ("nowhere.py", "there is no file"),
    ],
)
def test_bots_that_do_not_exist_are_refused_before_the_first_game(spec: str, words: str) -> None:
    with pytest.raises(ConfigError, match=r"bot|file") as error:
        run_tournament([GOOD, spec], TWO, games=2, workers=1)
    assert words in str(error.value)
