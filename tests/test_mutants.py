"""The table of planted bugs can be planted still: each old text stands once, each named test exists."""

from __future__ import annotations

import dataclasses
from collections import Counter

import pytest

from tests.mutants import (
    TABLE,
    BrokenBugError,
    Outcome,
    Verdict,
    find_faults,
    judge_run,
    list_stages,
    main,
    read_table,
    select_bugs,
)

TEXT = TABLE.read_text(encoding="utf-8")
BUGS = read_table(TEXT)


# --- The table -------------------------------------------------------------------------------------


def test_every_bug_can_be_planted() -> None:
    assert find_faults(BUGS) == []
    assert main(["--check"]) == 0


def test_the_table_covers_every_ruling_and_more() -> None:
    broken = Counter(bug.breaks for bug in BUGS)
    assert {f"ruling {number}" for number in range(1, 20)} <= set(broken)
    more = {
        "masks",
        "hidden information",
        "random stream",
        "batch resets",
        "rewards",
        "card facts",
        "dealing",
    }
    assert more <= set(broken)
    assert len(BUGS) >= 40


def test_bugs_outside_of_the_rules_meet_compiled_tests_alone() -> None:
    others = [bug for bug in BUGS if not bug.is_rule]
    assert {bug.path.parts[0] for bug in others} == {"agents", "training"}
    for bug in (others[0], BUGS[0]):
        stages = list_stages(bug)
        assert stages[0].tests == bug.tests
        assert stages[-1].tests == ("tests",)
        assert all(stage.compiled and stage.shares for stage in stages) == (bug is others[0])


def test_no_bug_stands_twice() -> None:
    planted = Counter((bug.file, bug.old, bug.new) for bug in BUGS)
    assert [change for change, count in planted.items() if count > 1] == []


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"old": "what nobody wrote"}, "0 times"),
        ({"old": "row"}, "times, not once"),
        ({"file": "engine/nowhere.py"}, "no iaww_env/engine/nowhere.py"),
        ({"new": BUGS[0].old}, "the same"),
        ({"new": ") ("}, "no Python"),
        ({"name": "two words"}, "one word"),
        ({"name": BUGS[1].name}, "stands once"),
        ({"tests": ("tests/rules/test_nothing.py",)}, "no tests/rules/test_nothing.py"),
        (
            {"tests": ("tests/rules/test_draft.py::test_nothing",)},
            "no tests/rules/test_draft.py::test_nothing",
        ),
    ],
)
def test_a_bug_that_cannot_be_planted_is_noticed(change: dict[str, str], fault: str) -> None:
    broken = dataclasses.replace(BUGS[0], **change)
    faults = find_faults([BUGS[1], broken])
    assert len(faults) == 1
    assert fault in faults[0]


@pytest.mark.parametrize(
    "block",
    [
        "pass_the_wrong_way\n+ only a new text",
        "pass_the_wrong_way",
        "pass_the_wrong_way\n- old\n? new",
        "== ruling 1 | engine/rules/draft.py\n\nname\n- old\n+ new",
    ],
)
def test_a_garbled_block_is_noticed(block: str) -> None:
    with pytest.raises(BrokenBugError, match="garbled"):
        read_table(f"{TEXT}\n\n{block}\n")


def test_bugs_are_selected_by_name() -> None:
    assert select_bugs(BUGS, []) == BUGS
    assert select_bugs(BUGS, [BUGS[3].name]) == [BUGS[3]]
    assert {bug.name for bug in select_bugs(BUGS, ["duo_*"])} == {
        bug.name for bug in BUGS if bug.name.startswith("duo_")
    }
    with pytest.raises(BrokenBugError, match="no_such_bug"):
        select_bugs(BUGS, ["no_such_bug"])


# --- What a run says -------------------------------------------------------------------------------

ONE = "tests/rules/test_draft.py::test_one[3-1]"
PASSED, BEGUN = f"{ONE} PASSED [ 50%]\n", "tests/rules/test_draft.py::test_two "


@pytest.mark.parametrize(
    ("code", "log", "outcome"),
    [
        (0, PASSED, Outcome("", "passed")),
        (1, f"{PASSED}FAILED {ONE} - assert 3 - 1 == 1\n", Outcome(ONE, "failed")),
        (1, f"{PASSED}FAILED {ONE}\n", Outcome(ONE, "failed")),
        (1, f"{PASSED}ERROR {ONE} - IndexError: index 9\n", Outcome(ONE, "failed")),
        (None, PASSED + BEGUN, Outcome(BEGUN.strip(), "no end")),
        (-11, PASSED + BEGUN, Outcome(BEGUN.strip(), "crash 11")),
    ],
)
def test_what_a_run_has_shown(code: int | None, log: str, outcome: Outcome) -> None:
    assert judge_run(code, log) == outcome


@pytest.mark.parametrize(
    ("code", "log"),
    [
        (1, "ERROR tests/rules/test_draft.py - ImportError: no name\n"),  # it was not even collected
        (2, "ERROR tests/rules/test_draft.py\n"),
        (4, "ERROR: file or directory not found: tests/rules/test_nothing.py\n"),
        (5, "no tests ran\n"),
        (1, f"FAILED {ONE} - NameError: name 'rwo' is not defined\n"),  # a slip, not a rule
    ],
)
def test_a_run_that_proves_nothing_is_no_catch(code: int, log: str) -> None:
    with pytest.raises(BrokenBugError):
        judge_run(code, log)


def test_only_a_failure_is_a_catch() -> None:
    assert not Verdict(BUGS[0], Outcome("", "passed"), 3, True, 1.0).caught
    assert Verdict(BUGS[0], Outcome(ONE, "failed"), 0, False, 1.0).caught
