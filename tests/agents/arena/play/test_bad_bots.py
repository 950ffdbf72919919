"""Bad bots lose their games, each for the right reason, and harm nobody else."""

from __future__ import annotations

import contextlib
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
SEED = 6_917_529_027_641_081_856  # none that a bot would try


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
    "ForksAndLeaves": (CRASH, "ended the process it played in (exit code 5)"),
    "ClosesEverything": (CRASH, "closed the line to its referee"),
    "TalksNonsense": (CRASH, "sent its referee what is no answer"),
    "SendsMuch": (CRASH, "sent its referee what is no answer"),
    "SaysTooMuch": (CRASH, "ValueError: xxxx"),
    "EatsMemory": (CRASH, "MemoryError"),
    "KillsGroup": (CRASH, "ended the process it played in (exit code -9)"),
    "KillsReferee": (CRASH, "ended the process it played in (exit code -9)"),
    "Segfaults": (CRASH, "ended the process it played in (exit code -11)"),
    "OverflowsStack": (CRASH, "RecursionError"),
    "HidesBehindSignals": (TIMEOUT, "did not answer within 0.8 s"),
    "HangsAtExit": (CRASH, "SystemExit: 4"),
    "AnswersHuge": (ILLEGAL, "which is illegal"),
    "AnswersTwice": (ILLEGAL, "which is illegal"),
    "AnswersUglyText": (CRASH, "ValueError: ?[2J?]0;owned? gone"),
}
HARMLESS = (
    *("Scribbles", "PrintsMegabyte", "Forks", "ForksAndStays", "PatchesModules"),
    *("ReadsEverything", "Divines", "Remembers", "LeavesProcesses", "ChangesPlace"),
    *("LeavesSessions", "ReadsRivals"),
)


# Those that play in both seats; of the others one in each.
BOTH = ("Crashes", "PlaysIllegal", "HangsInSleep", "FirstLegal", "Remembers", "Divines")


@pytest.fixture(scope="module")
def results() -> dict[str, list[Result]]:
    """Each of the zoo against the good bot, and the good bot against itself."""
    slow = [name for name, (status, _) in BAD.items() if status == TIMEOUT]
    quick = [name for name in (*BAD, *HARMLESS, "FirstLegal") if name not in slow]
    return play_zoo(slow, 0.8) | play_zoo(quick, 20.0)


def play_zoo(names: list[str], limit: float) -> dict[str, list[Result]]:
    """Games of each against the good bot."""
    lineups = [
        (seat, name, (GOOD, name_bot(name)) if seat else (name_bot(name), GOOD))
        for seat in range(2)
        for number, name in enumerate(names)
        if name in BOTH or number % 2 == seat
    ]
    fixtures = [Fixture(0, SEED, lineup, TWO, seat) for seat, _, lineup in lineups]
    Game(TWO, 1).redeterminize(0, 1)  # compiled here, and not against the clock of the first bot that samples
    with LocalPool(2, time_limit=limit, first_limit=limit, memory_limit=1.0) as pool:
        tasks = [Task((one,), sitting=str(one.turn)) for one in fixtures]
        played = list(itertools.chain(*pool.play(tasks)))
        assert all(worker.job is None for worker in pool.workers)
    assert len(played) == len(fixtures)
    found = {one.fixture.agents: one for one in played}
    return {name: [found[lineup] for _, one, lineup in lineups if one == name] for name in names}


def find_seats(results: list[Result], name: str) -> list[tuple[int, Result]]:
    """The games of one of the zoo, with its seat."""
    return [(result.agents.index(name_bot(name)), result) for result in results]


@pytest.mark.parametrize("name", BAD)
def test_a_bad_bot_loses_and_the_reason_is_told(results: dict[str, list[Result]], name: str) -> None:
    status, reason = BAD[name]
    for seat, result in find_seats(results[name], name):
        assert (result.status, result.offender) == (status, seat)
        assert reason in result.reason
        assert f"{name_bot(name)} in seat {seat} " in result.reason
        assert result.places[seat] == 2
        assert result.places[1 - seat] == 1
        assert len(result.reason) < 1000
        assert result.reason.isprintable()


@pytest.mark.parametrize("name", HARMLESS)
def test_whatever_else_they_do_changes_nothing(
    results: dict[str, list[Result]], name: str, capfd: pytest.CaptureFixture[str]
) -> None:
    """The game goes as that of the good bot with itself, and is counted so."""
    without = results["FirstLegal"][0]
    for _, result in find_seats(results[name], name):
        assert result.status == OK, result.reason
        assert (result.points, result.places) == (without.points, without.places)
    assert len("".join(capfd.readouterr())) < 1000


def test_nothing_is_left_running(results: dict[str, list[Result]]) -> None:
    """Neither guests without a referee, nor what guests have started that are gone."""
    assert results
    left = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            said = path.read_text().split("\0")
            session = path.with_name("stat").read_text().rpartition(")")[2].split()[3]
            keeper = said[4] if "arena.play.guest" in "".join(said[2:3]) else session
            is_sleep = said[:2] == ["sleep", "1000"]
            if is_sleep or (keeper != session and not Path("/proc", keeper).exists()):
                left.append(said)
    assert left == []


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
    assert len(out.read_text().splitlines()) == 1 + len(tournament.results)


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
