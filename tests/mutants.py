"""Plants rule bugs, one at a time, in a copy of the project, and shows that the normal tests catch every one.

    python tests/mutants.py                       all bugs of mutants.txt; some minutes
    python tests/mutants.py --only "duo_*" --jobs 2
    python tests/mutants.py --list --check        show the table; check that every bug can be planted

A bug is caught when a test fails that passes without it, or when a test crashes or never comes to its end.
Tests run interpreted at first (NUMBA_DISABLE_JIT=1), which saves compiling every copy: the tests that the
table names, then tests/rules and the recorded games. What is still alive then meets all normal tests,
compiled. A bug that survives them too makes the exit code 1. Bugs outside of the rules, in agents/ and
training/, meet compiled tests from the beginning, those that the table names and then all.
"""

from __future__ import annotations

import argparse
import ast
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TABLE = Path(__file__).with_suffix(".txt")
NOT_COPIED = (".*", "__pycache__", "build", "dist", "runs", "*.egg-info")
OWN_TEST = Path("tests", "engine", "test_mutants.py")  # in a copy it would see every bug in the text itself

INVARIANTS = "tests/rules/test_invariants.py"
RECORDED = "tests/records/test_recorded_games.py"
SECONDS, SECONDS_FOR_ALL = 600, 3600
OTHERS = ("agents/", "training/")  # folders of bugs that are no mistakes in rules
OPTIONS = ("-x", "-v", "-rfE", "--tb=no", "--no-header", "-p", "no:cacheprovider")
# What a slip of the one who wrote the bug leads to, and no mistake in a rule.
SLIPS = (
    "NameError",
    "SyntaxError",
    "IndentationError",
    "ImportError",
    "ModuleNotFoundError",
    "UnboundLocalError",
)


class BrokenBugError(Exception):
    """A bug that cannot be planted, or that breaks more than a rule."""


# --- The table -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Bug:
    """One mistake: in `file` of iaww_env, agents or training, `old` becomes `new`; `tests` are run first."""

    name: str
    breaks: str
    file: str
    tests: tuple[str, ...]
    old: str
    new: str

    @property
    def is_rule(self) -> bool:
        """Whether it is a mistake in the rules, so that tests need not be compiled to see it."""
        return not self.file.startswith(OTHERS)

    @property
    def path(self) -> Path:
        """The file, from the root of the project."""
        return Path("iaww_env", self.file) if self.is_rule else Path(self.file)

    def plant(self, root: Path) -> str:
        """The source with the bug in it."""
        path = root / self.path
        if not path.is_file():
            raise BrokenBugError(f"{self.name}: there is no {self.path}")
        source = path.read_text(encoding="utf-8")
        if source.count(self.old) != 1:
            times = source.count(self.old)
            raise BrokenBugError(f"{self.name}: {self.path} holds the old text {times} times, not once")
        planted = source.replace(self.old, self.new)
        if planted == source:
            raise BrokenBugError(f"{self.name}: old and new text are the same")
        if path.suffix == ".py":
            try:
                ast.parse(planted)
            except SyntaxError as error:
                raise BrokenBugError(f"{self.name}: what comes out is no Python: {error}") from None
        return planted


def read_table(text: str) -> list[Bug]:
    """The bugs of the table, in its order."""
    bugs, head = list[Bug](), list[str]()
    for block in re.split(r"\n\s*\n", text):
        lines = [line for line in block.splitlines() if line and not line.startswith("#")]
        if lines and lines[0].startswith("== "):
            head = [part.strip() for part in lines.pop(0)[3:].split("|")]
        if not lines:
            continue
        name, *change = lines
        old, new = ([line[2:] for line in change if line[0] == sign] for sign in "-+")
        if len(head) != 3 or not old or len(old) + len(new) != len(change):
            raise BrokenBugError(f"{TABLE.name}: the block of {name!r} is garbled")
        tests = tuple(f"tests/{test}" for test in head[2].split())
        bugs.append(Bug(name, head[0], head[1], tests, "\n".join(old), "\n".join(new)))
    return bugs


def has_test(target: str) -> bool:
    """Whether a file of tests, or a test in it, exists."""
    file, _, name = target.partition("::")
    path = ROOT / file
    return path.is_file() and (not name or f"def {name}(" in path.read_text(encoding="utf-8"))


def find_faults(bugs: Sequence[Bug]) -> list[str]:
    """What is wrong with the table: bugs that cannot be planted, missing tests, names that stand twice."""
    faults = []
    for number, bug in enumerate(bugs):
        if not bug.name.isidentifier() or bug.name in [other.name for other in bugs[:number]]:
            faults.append(f"{bug.name}: a name is one word with underscores, and stands once")
        faults += [f"{bug.name}: there is no {test}" for test in bug.tests if not has_test(test)]
        try:
            bug.plant(ROOT)
        except BrokenBugError as error:
            faults.append(str(error))
    return faults


def select_bugs(bugs: Sequence[Bug], patterns: Sequence[str]) -> list[Bug]:
    """The bugs whose name fits one of the patterns; all where there is none."""
    for pattern in patterns:
        if not any(fnmatchcase(bug.name, pattern) for bug in bugs):
            raise BrokenBugError(f"no bug is called {pattern!r}: see --list")
    return [bug for bug in bugs if not patterns or any(fnmatchcase(bug.name, one) for one in patterns)]


# --- Running tests in a copy -----------------------------------------------------------------------


@dataclass(frozen=True)
class Outcome:
    """What a run of tests has shown: the test that failed (or the empty text), and how."""

    test: str
    how: str


@dataclass(frozen=True)
class Stage:
    """Tests that are run against a bug, compiled or not, and how long they may take.

    With `shares` the machine code of unchanged rules is that of this project.
    """

    tests: tuple[str, ...]
    compiled: bool
    seconds: int
    left_out: tuple[str, ...] = ()
    shares: bool = False


def list_stages(bug: Bug) -> list[Stage]:
    """What is run against a bug until it is caught; the tests that the table names come first."""
    rules = sorted(f"tests/rules/{path.name}" for path in (ROOT / "tests" / "rules").glob("test_*.py"))
    rules.remove(INVARIANTS)
    if not bug.is_rule:
        return [Stage(tests, True, SECONDS_FOR_ALL, shares=True) for tests in (bug.tests, ("tests",))]
    return [
        Stage(bug.tests, False, SECONDS),
        Stage(tuple(rules), False, SECONDS),
        Stage((RECORDED, INVARIANTS), False, SECONDS),
        Stage(("tests",), True, SECONDS_FOR_ALL),
    ]


def copy_project(source: Path, target: Path) -> None:
    """Copy the project without what belongs to the machine, and without the test of this table."""
    shutil.copytree(source, target, ignore=shutil.ignore_patterns(*NOT_COPIED))
    (target / OWN_TEST).unlink(missing_ok=True)


def run_tests(copy: Path, stage: Stage) -> Outcome:
    """Run tests in a copy, up to the first that fails."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("NUMBA_", "PYTEST_"))}
    # CI: hypothesis draws the same examples each time, so that what is caught once is caught again.
    settings = {"PYTHONPATH": str(copy), "PYTHONDONTWRITEBYTECODE": "1", "PYTHONUNBUFFERED": "1", "CI": "1"}
    if not stage.compiled:
        settings["NUMBA_DISABLE_JIT"] = "1"
    elif not stage.shares:
        settings["NUMBA_CACHE_DIR"] = str(copy / ".cache")
    command = [sys.executable, "-m", "pytest", *OPTIONS]
    command += [*stage.tests, *(f"--deselect={test}" for test in stage.left_out)]
    with tempfile.TemporaryFile() as log:
        run = subprocess.Popen(
            command, cwd=copy, env=kept | settings, stdout=log, stderr=log, start_new_session=True
        )
        try:
            code: int | None = run.wait(stage.seconds)
        except subprocess.TimeoutExpired:
            code = None
        finally:
            if run.poll() is None:
                os.killpg(run.pid, signal.SIGKILL)  # its own session: the tests and what they have started
                run.wait()
        log.seek(0)
        return judge_run(code, log.read().decode(errors="replace"))


def judge_run(code: int | None, log: str) -> Outcome:
    """What the exit code of pytest (None: it was stopped) and its output say."""
    if code == 0:
        return Outcome("", "passed")
    begun = re.findall(r"^(\S+\.py::.*?)(?= [A-Z]+ +\[|\s*$)", log, re.MULTILINE)
    if code is None or code < 0:
        return Outcome(begun[-1] if begun else "", "no end" if code is None else f"crash {-code}")
    failed = re.search(r"^(?:FAILED|ERROR) (\S+\.py::.+?)(?: - (.*))?$", log, re.MULTILINE)
    if code != 1 or not failed:
        raise BrokenBugError(f"the tests do not run:\n{log[-2000:]}")
    if failed[2] and failed[2].startswith(SLIPS):
        raise BrokenBugError(f"{failed[1]} fails for {failed[2]}")
    return Outcome(failed[1], "failed")


@dataclass(frozen=True)
class Verdict:
    """What became of a bug: what the last run has shown, and which run that was."""

    bug: Bug
    outcome: Outcome
    stage: int
    compiled: bool
    seconds: float

    @property
    def caught(self) -> bool:
        """Whether a test has noticed the bug."""
        return self.outcome.how != "passed"


def fails_anyway(test: str, base: Path) -> bool:
    """Whether a test of the last stage fails without a bug too: not every test is at home in a copy."""
    return run_tests(base, Stage((test,), True, SECONDS_FOR_ALL)).how != "passed"


def try_bug(bug: Bug, base: Path) -> Verdict:
    """Plant a bug in a copy of its own and run tests until one catches it."""
    start = time.monotonic()
    stages = list_stages(bug)
    with tempfile.TemporaryDirectory(prefix="mutant-") as folder:
        copy = Path(folder, "copy")
        copy_project(base, copy)
        (copy / bug.path).write_text(bug.plant(copy), encoding="utf-8")
        number, outcome = -1, Outcome("", "passed")
        while outcome.how == "passed" and number + 1 < len(stages):
            number += 1
            outcome = run_tests(copy, stages[number])
        while outcome.test and number + 1 == len(stages) and fails_anyway(outcome.test, base):
            stages[-1] = replace(stages[-1], left_out=(*stages[-1].left_out, outcome.test))
            outcome = run_tests(copy, stages[-1])
    return Verdict(bug, outcome, number, stages[number].compiled, time.monotonic() - start)


def find_void(verdicts: Iterable[Verdict], base: Path) -> set[str]:
    """Tests that have caught a bug and fail without any bug too: they prove nothing."""
    void = set[str]()
    for compiled in (False, True):
        tests = {one.outcome.test for one in verdicts if one.outcome.test and one.compiled == compiled}
        while tests - void:
            outcome = run_tests(
                base, Stage(tuple(sorted(tests - void)), compiled, SECONDS_FOR_ALL, shares=True)
            )
            if outcome.how == "passed":
                break
            void.add(outcome.test)
    return void


# --- The report ------------------------------------------------------------------------------------


def print_table(bugs: Sequence[Bug]) -> None:
    """Show every bug: name, what it breaks, file, old and new text."""
    for bug in bugs:
        print(f"{bug.name}  ({bug.breaks}; {bug.path}; first {' '.join(bug.tests)})")
        for sign, text in (("-", bug.old), ("+", bug.new)):
            print("\n".join(f"    {sign} {line}" for line in text.splitlines()) or f"    {sign}")


def print_verdict(number: str, verdict: Verdict) -> None:
    """One line for a bug."""
    test, how = verdict.outcome.test or "no single test", verdict.outcome.how
    what = {"failed": test, "passed": "SURVIVED every test"}.get(how, f"{test} ({how})")
    compiled = ", compiled" if verdict.compiled and verdict.caught else ""
    print(f"{number} {verdict.seconds:6.1f} s  {verdict.bug.name:<42} {what}{compiled}", flush=True)


def try_bugs(bugs: Sequence[Bug], jobs: int) -> int:
    """Plant one bug after the other and report; the exit code."""
    start = time.monotonic()
    verdicts, broken = list[Verdict](), list[str]()
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder, ThreadPoolExecutor(jobs) as pool:
        base = Path(folder, "base")
        copy_project(ROOT, base)  # once, so that all bugs meet the same project
        tries = [pool.submit(try_bug, bug, base) for bug in bugs]
        for place, (bug, one) in enumerate(zip(bugs, tries, strict=True), start=1):
            number = f"{place:3}/{len(bugs)}"
            try:
                verdicts.append(one.result())
                print_verdict(number, verdicts[-1])
            except BrokenBugError as error:
                broken.append(bug.name)
                print(f"{number} BROKEN    {bug.name}: {error}", flush=True)
        void = find_void(verdicts, base)
    print_totals(verdicts, broken, void)
    print(f"{time.monotonic() - start:.0f} s")
    return 0 if all(one.caught for one in verdicts) and not broken and not void else 1


def print_totals(verdicts: Sequence[Verdict], broken: Sequence[str], void: set[str]) -> None:
    """How many bugs were caught, and what is left to do."""
    caught = [one for one in verdicts if one.caught]
    first = sum(one.stage == 0 for one in caught)
    planted = len(verdicts) + len(broken)
    print(f"\n{planted} bugs planted, {len(caught)} caught ({first} by the tests named first)")
    lists = {
        "survived": [one.bug.name for one in verdicts if not one.caught],
        "broken": list(broken),
        "tests that fail without a bug too": sorted(void),
        "caught by such tests only": [one.bug.name for one in caught if one.outcome.test in void],
    }
    for title, names in lists.items():
        if names:
            print(f"{title} ({len(names)}): {', '.join(names)}")


def main(arguments: Sequence[str] | None = None) -> int:
    """Read the command line and do what it says."""
    parser = argparse.ArgumentParser(description="Plant rule bugs; the normal tests must catch every one.")
    parser.add_argument(
        "--only", nargs="+", default=[], metavar="NAME", help="these bugs (* stands for anything)"
    )
    parser.add_argument("--list", action="store_true", help="show the table and plant nothing")
    parser.add_argument(
        "--check", action="store_true", help="check that every bug could be planted; plant nothing"
    )
    parser.add_argument(
        "--jobs", type=int, default=1, metavar="N", help="bugs that are tried at the same time"
    )
    options = parser.parse_args(arguments)
    try:
        bugs = select_bugs(read_table(TABLE.read_text(encoding="utf-8")), options.only)
    except BrokenBugError as error:
        parser.error(str(error))
    if options.list:
        print_table(bugs)
    faults = find_faults(bugs)
    for fault in faults:
        print(fault)
    if options.list or options.check or faults:
        print(f"{len(bugs)} bugs, {len(faults)} faults")
        return 1 if faults else 0
    return try_bugs(bugs, max(1, options.jobs))


if __name__ == "__main__":
    sys.exit(main())
