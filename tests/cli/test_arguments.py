"""Bots, files and names stand anywhere among the options, also behind those that take several words."""

from __future__ import annotations

import importlib
import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from iaww_env.cli import learning, matches
from iaww_env.cli.app import COMMANDS, main
from iaww_env.cli.arguments import arrange_words, list_arguments
from iaww_env.config import GameConfig

BOTS = ("heuristic", "greedy")
ASCENSION = GameConfig(players=2, expansions=("corruption_and_ascension",))
EMPIRES = GameConfig(players=2, empires=("aztec_empire", "noram_states"))


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, ...]]:
    """What a command that needs bots would have played: bots, what is played, and the other options."""
    calls: list[tuple[Any, ...]] = []

    def note(agents: tuple[str, ...], config: GameConfig, **options: Any) -> int:
        calls.append((agents, config, options))
        return 0

    commands = SimpleNamespace(hold_tournament=note, play_in_terminal=note, watch_game=note)
    monkeypatch.setattr(matches, "load_commands", lambda: commands)
    return calls


@pytest.mark.parametrize(
    ("typed", "config"),
    [
        ("heuristic greedy --players 2", GameConfig(players=2)),
        ("--players 2 heuristic greedy", GameConfig(players=2)),
        ("heuristic --players 2 greedy", GameConfig(players=2)),
        ("--players=2 heuristic greedy", GameConfig(players=2)),
        ("--expansions corruption_and_ascension heuristic greedy --players 2", ASCENSION),
        ("heuristic greedy --expansions corruption_and_ascension --players 2", ASCENSION),
        ("--players 2 --expansions corruption_and_ascension heuristic greedy", ASCENSION),
        ("heuristic --expansions corruption_and_ascension greedy --players 2", ASCENSION),
        ("--expansions=corruption_and_ascension heuristic greedy --players 2", ASCENSION),
        ("--empires aztec_empire noram_states heuristic greedy --players 2", EMPIRES),
        ("--players 2 --empires aztec_empire noram_states heuristic greedy", EMPIRES),
        ("heuristic --empires aztec_empire noram_states greedy --players 2", EMPIRES),
        ("heuristic greedy --players 2 --empires aztec_empire noram_states", EMPIRES),
        (
            "--empires None noram_states heuristic greedy --players 2",
            GameConfig(players=2, empires=(None, "noram_states")),
        ),
    ],
)
@pytest.mark.parametrize("command", ["tournament", "watch", "play"])
def test_bots_stand_anywhere(
    command: str, typed: str, config: GameConfig, held: list[tuple[Any, ...]]
) -> None:
    assert main([command, *typed.split()]) == 0
    assert [(agents, played) for agents, played, _ in held] == [(BOTS, config)]


def test_a_flag_takes_no_bot_and_a_number_may_be_negative(held: list[tuple[Any, ...]]) -> None:
    typed = "--markdown heuristic --games -3 --no-duplicates greedy --until_decided a.b:Bot --time-limit .5"
    assert main(["tournament", *typed.split()]) == 0
    ((agents, _, options),) = held
    assert agents == (*BOTS, "a.b:Bot")
    assert (options["markdown"], options["games"], options["duplicates"]) == (True, -3, False)
    assert (options["until_decided"], options["time_limit"]) == (True, 0.5)


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("--empires noram_stats aztec_empire heuristic greedy", "did you mean 'noram_states'"),
        ("--empires aztec_empire noram_stats heuristic greedy", "did you mean 'noram_states'"),
        ("--expansions war_or_peace heuristic greedy", "war_or_peace"),
        ("heuristic --no-such-option 4 greedy", "--no-such-option"),
    ],
)
def test_what_is_misspelt_is_not_taken_for_a_bot(
    typed: str, said: str, held: list[tuple[Any, ...]], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["tournament", "--players", "2", *typed.split()]) == 2
    assert held == []
    assert said in capsys.readouterr().err


def test_a_bot_may_be_called_as_an_empire_is(held: list[tuple[Any, ...]]) -> None:
    typed = "--players 2 --empires aztec_empire noram_states aztec_empire.py noram_state:Bot"
    assert main(["tournament", *typed.split()]) == 0
    assert held[0][:2] == (("aztec_empire.py", "noram_state:Bot"), EMPIRES)


@pytest.mark.parametrize(
    "typed",
    [
        "--records q1.jsonl q2.jsonl --games 3",
        "--records q1.jsonl --records q2.jsonl --games 3",
        "--records=q1.jsonl --games 3 --records q2.jsonl",
        "--records=q1.jsonl --records=q2.jsonl --games 3",
    ],
)
def test_files_of_records_may_be_several(typed: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """An option that takes files cannot tell them from bots: all that follow are its own."""
    calls: list[tuple[Any, ...]] = []

    def note(agents: tuple[str, ...], config: GameConfig, **options: Any) -> int:
        calls.append((agents, options["records"], options["games"]))
        return 0

    monkeypatch.setattr(importlib.import_module("iaww_agents.analysis.commands"), "analyze", note)
    assert main(["analyze", *typed.split()]) == 0
    assert calls == [((), (Path("q1.jsonl"), Path("q2.jsonl")), 3)]


@pytest.mark.parametrize("typed", ["--modes base2 base3", "--modes base2 --games 8 --modes base3"])
def test_what_is_said_in_two_places_is_joined(typed: str, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[str, ...]] = []

    def note(preset: str, out: Path, resume: Path, modes: tuple[str, ...], *others: Any) -> int:
        asked.append(modes)
        return 0

    monkeypatch.setattr(learning, "load_commands", lambda: SimpleNamespace(train=note))
    assert main(["train", *typed.split()]) == 0
    assert asked == [("base2", "base3")]


def test_empires_may_be_named_one_by_one(held: list[tuple[Any, ...]]) -> None:
    typed = "--players 2 --empires aztec_empire heuristic --empires noram_states greedy"
    assert main(["tournament", *typed.split()]) == 0
    assert held[0][:2] == (BOTS, EMPIRES)


def test_words_are_neither_lost_nor_doubled() -> None:
    typed = "a --cost gold b --json c --gives points --nothing 1 2 --type vehicle d".split()
    arranged = arrange_words(COMMANDS["cards"], typed)
    assert arranged == "a b c d --cost gold --json --gives points --nothing 1 2 --type vehicle".split()
    for cut in range(len(typed)):
        assert sorted(arrange_words(COMMANDS["cards"], typed[:cut])) == sorted(typed[:cut])


@pytest.mark.parametrize("command", COMMANDS)
def test_what_a_command_takes_is_what_its_help_shows(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([command, "--help"]) == 0
    shown = capsys.readouterr().out
    flags = re.findall(r"^  (--[a-z][a-z-]*)(?:, (--[a-z][a-z-]*))?", shown, re.MULTILINE)
    assert sorted(flag for one in list_arguments(COMMANDS[command]) for flag in one.flags) == sorted(
        flag for pair in flags for flag in pair if flag
    )
