"""The card of `ppo`: its tables say of every kind of game what was played there."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from iaww_agents.arena.measure import answers, network
from iaww_agents.base import Agent, View
from iaww_env.cards import scenarios
from iaww_env.config import GameConfig


def test_the_card_has_every_match_and_every_scenario(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    card = tmp_path / "CARD.md"
    card.write_text("# Card\n\n<!-- network -->\n<!-- end of network -->\n\nLimits\n")
    typed = ["--bot", "heuristic:check=0", "--deals", "2", "--slow-deals", "0", "--scenario-games", "1"]
    typed += ["--own-deals", "3", "--no-rotations"]
    typed += ["--out", str(tmp_path / "runs" / "games.jsonl"), "--workers", "1"]
    assert network.main([*typed, "--write", "--into", str(card)]) == 0
    text = card.read_text()
    assert text.startswith("# Card\n")
    assert text.endswith("\nLimits\n")
    for players in (2, 3, 4, 5):
        assert f"| base, {players} players | {players - 1} x heuristic |" in text
    for players in (2, 3, 4, 5, 6, 7):
        assert f"| C&A, {players} players | {players - 1} x heuristic |" in text
    assert "| base, alone |" in text
    assert text.count("| 2 |\n") == 11, "deals of the matches"
    assert text.count("| 3 |\n") == 5, "and of those alone and with itself"
    assert "each game of a match is a deal of its own" in text
    games = (tmp_path / "runs" / "games.jsonl").read_text().splitlines()
    assert sum(line.count("heuristic:check=0") == 1 and line.count('"heuristic"') == 6 for line in games) == 2
    assert "search" not in text
    assert "CPU milliseconds of its decisions in 4 games" in text
    for one in scenarios():
        assert f"({one.id})" in text
    assert "| goal reached |" in text


def read_rows(table: str) -> dict[str, list[str]]:
    cells = [line.strip("| ").split(" | ") for line in table.splitlines() if line.startswith("| ")]
    return {first: others for first, *others in cells}


def test_a_bot_that_answers_many_decisions_at_once_is_timed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answers, "ROWS", 4)
    monkeypatch.setattr(answers, "STEPS", 3)
    rows = read_rows(network.make_speed_table(network.Options(bot="ppo")))
    assert set(rows) == {"game", "---", "base, 4 players", "base, alone", "C&A, 4 players", "C&A, 7 players"}
    assert float(rows["C&A, 7 players"][0].replace(",", "")) > 0


def test_of_a_bot_that_is_asked_decision_by_decision_each_is_timed() -> None:
    table = network.make_speed_table(network.Options(bot="search:worlds=8", ascension=False))
    rows = read_rows(table)
    assert set(rows) == {"game", "---", "base, 4 players", "base, alone"}
    mean, most, slowest, number = (float(cell) for cell in rows["base, 4 players"])
    assert 0 < mean <= most <= slowest
    assert 100 < number < 1000
    assert "4 games" in table


class Waiting(Agent):
    """Takes long over all of its first game, and over the fifth decision of the others."""

    def __init__(self) -> None:
        self.games, self.asked = 0, 0

    def reset(self, seat: int, config: GameConfig, seed: int) -> None:
        self.games, self.asked = self.games + 1, 0

    def act(self, view: View) -> int:
        self.asked += 1
        begun, wait = time.process_time(), 0.05 if self.games == 1 else 0.02 if self.asked == 5 else 0.0
        while time.process_time() - begun < wait:
            pass
        assert len(view.legal_actions()) > 1
        return view.legal_actions()[0]


def test_decisions_are_timed_one_by_one_and_those_of_the_first_game_are_not() -> None:
    spent = answers.time_answers(Waiting(), GameConfig(2), 2)
    assert (spent >= 20).sum() == 2, "the fifth decision of two games, and nothing of the first"


def test_the_first_match_may_have_deals_of_its_own() -> None:
    """The base game with four players: not that of side B, and not that against search."""
    for options, first in (
        (network.Options(deals=2, slow_deals=3), 2),
        (network.Options(deals=2, slow_deals=3, first_deals=5), 5),
    ):
        deals = {(rival, config): number for rival, config, number in network.list_matches(options)}
        assert deals.pop(("heuristic", GameConfig(4))) == first
        assert {number for (rival, _), number in deals.items() if rival == "heuristic"} == {2}
        assert {number for (rival, _), number in deals.items() if rival == "search"} == {3}


def test_games_alone_tell_how_often_the_best_title_is_won(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = network.Options("greedy", own_deals=1, solo_games=40, ascension=False, out=tmp_path / "games")
    played = network.play_alone(options, GameConfig(1), 40)
    titles = [result.award for result in played]
    assert len(set(titles)) > 1
    often = max(set(titles), key=titles.count)
    monkeypatch.setattr(network, "list_awards", lambda is_scenario: (often,))
    *_, alone = network.make_own_table(options).splitlines()
    assert alone.startswith("| base, alone |")
    assert alone.endswith(f"| {titles.count(often) / 40:.1%} | 40 |")


def test_search_is_met_where_deals_are_left_for_it() -> None:
    rivals = [rival for rival, *_ in network.list_matches(network.Options(slow_deals=3))]
    assert rivals.count("search") == 3
    assert network.list_matches(network.Options(slow_deals=3))[-1][2] == 3


def test_the_card_may_be_of_the_base_game_alone() -> None:
    played: list[str] = []
    options = network.Options(ascension=False, slow_deals=1)
    for rival, config, _ in network.list_matches(options):
        assert not config.ascension
        played.append(rival)
    assert played.count("heuristic") == 5
    assert played.count("search") == 1
    assert len(network.list_matches(network.Options())) == 14


def test_each_card_pool_may_have_a_place_of_its_own(tmp_path: Path) -> None:
    options = network.Options(base=False, players=(4, 7), slow_deals=2, mark="there")
    told = [(rival, config.players) for rival, config, _ in network.list_matches(options)]
    assert told == [("heuristic", 4), ("heuristic", 7), ("search", 4), ("search", 7)]
    assert all(config.ascension for _, config, _ in network.list_matches(options))
    without = [rival for rival, *_ in network.list_matches(network.Options(slow_ascension=False))]
    assert without.count("search") == 1
    card = tmp_path / "CARD.md"
    card.write_text("<!-- network -->\n<!-- end of network -->\n<!-- there -->\n<!-- end of there -->\n")
    typed = "--bot greedy --deals 1 --own-deals 1 --slow-deals 0 --scenario-games 1 --no-base --players 7"
    out = ["--out", str(tmp_path / "games.jsonl"), "--workers", "1", "--mark", "there"]
    assert network.main([*typed.split(), *out, "--write", "--into", str(card)]) == 0
    first, second = card.read_text().split("<!-- there -->")
    assert "|" not in first
    assert second.count("| C&A, 7 players | 6 x heuristic |") == 1
    assert "| base, " not in second
    assert "(base_sc" not in second
