"""What a shell completes: commands, options, bots, empires, sides, scenarios, and names of files."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from iaww_env.bots.specs import list_agents
from iaww_env.cards import EMPIRE_IDS, EXPANSIONS, SIDES, scenarios
from iaww_env.cli.app import COMMANDS, main
from iaww_env.cli.completion import write_completion

SCENARIOS = [one.id for one in scenarios()]


def complete(typed: str, folder: Path) -> list[str]:
    """What bash offers for the last word of a line; where that is nothing, it completes files."""
    bash = shutil.which("bash")
    if bash is None:
        pytest.skip("there is no bash here")
    *before, current = typed.split(" ")
    typed_words = " ".join(f"'{word}'" for word in (*before, current))
    asked = f"""
        complete -p iaww
        COMP_WORDS=({typed_words}); COMP_CWORD={len(before)}
        _iaww iaww '{current}' '{before[-1]}'
        printf '%s\\n' "${{COMPREPLY[@]}}"
    """
    script = write_completion(COMMANDS, "bash") + asked
    done = subprocess.run(
        [bash, "-c", script], capture_output=True, text=True, cwd=folder, check=False, timeout=60
    )
    assert (done.returncode, done.stderr) == (0, "")
    first, *offered = done.stdout.splitlines()
    assert first == "complete -o default -F _iaww iaww"
    return [word for word in offered if word]


@pytest.mark.parametrize("shell", ["bash", "zsh"])
@pytest.mark.parametrize("asked", [["completion"], ["--tyro-print-completion"]])
def test_the_script_holds_every_word(
    asked: list[str], shell: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*asked, shell]) == 0
    script = capsys.readouterr().out
    assert ("bashcompinit" in script) == (shell == "zsh")
    for words in (list_agents(), SCENARIOS, EMPIRE_IDS, SIDES, EXPANSIONS, COMMANDS):
        assert " ".join(words) in script
    assert main(["completion", "fish"]) == 2


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("iaww ver", ["verify", "version"]),
        ("iaww --v", ["--version"]),
        ("iaww tournament ", list_agents()),
        ("iaww tournament heur", ["heuristic"]),
        ("iaww tournament heuristic gr", ["greedy"]),
        ("iaww watch --seed 7 gr", ["greedy"]),
        ("iaww play --markdown gr", ["greedy"]),
        ("iaww tournament --expansions corruption_and_ascension heur", ["heuristic"]),
        ("iaww tournament --empires aztec_empire nor", ["noram_states", "north_hegemony"]),
        ("iaww tournament --empires aztec_empire noram_states gr", ["greedy"]),
        ("iaww batch --empires aztec_empire gr", []),
        ("iaww batch --empire-side ", list(SIDES)),
        ("iaww batch --scenario base_sc0", [id for id in SCENARIOS if id.startswith("base")]),
        ("iaww batch --scenario base_sc01 base_sc0", []),
        ("iaww batch --expansions ", list(EXPANSIONS)),
        ("iaww tournament --scenario base_sc01 --ga", ["--games"]),
        ("iaww tournament --key gr", []),
        ("iaww spec act", ["actions"]),
        ("iaww cards --gives points_per_s", ["points_per_structure"]),
        ("iaww bench ", ["engine", "env", "cold", "compare"]),
        ("iaww verify ", []),
        ("iaww completion b", ["bash"]),
    ],
)
def test_bash_offers(typed: str, offered: list[str], tmp_path: Path) -> None:
    assert complete(typed, tmp_path) == offered


# Names as entry points of other packages can have them: a shell would run something.
WILD = ["o'brien;touch", "$(touch${IFS}one)", "`touch${IFS}two`", "a|touch${IFS}three", "touch four"]


def test_a_bot_with_a_wild_name_runs_nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("iaww_env.bots.specs.list_agents", lambda: [*WILD, "b"])
    for typed in ("iaww watch b", "iaww watch "):
        assert complete(typed, tmp_path) in (["b"], [])
    assert list(tmp_path.iterdir()) == []
