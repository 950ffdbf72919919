"""Variants of a bot on the same deals: what is told is counted anew, game by game."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from iaww_agents.arena.measure import ingredients
from iaww_agents.arena.play.results import Result
from iaww_agents.arena.play.tournament import run_tournament
from iaww_env.config import GameConfig

DEALS = 20


def read_cells(page: str, begin: str) -> list[str]:
    line = next(line for line in page.splitlines() if line.startswith(f"| {begin} |"))
    return [cell.strip() for cell in line.split("|")[2:-1]]


def find_margins(spec: str) -> dict[tuple[int, int], float]:
    """By deal and seat: points ahead of the other."""
    kept: list[Result] = []
    line_up, config = [spec, "greedy"], GameConfig(2)
    said: dict[str, Any] = {"games": DEALS, "key": "ingredients", "duplicates": False}
    run_tournament(line_up, config, **said, workers=1, keep=kept.extend)
    found = {}
    for game in kept:
        seat = game.agents.index(spec)
        found[game.fixture.seed, seat] = float(game.points[seat] - game.points[1 - seat])
    assert len(found) == DEALS
    assert len({seat for _, seat in found}) == 2
    return found


def test_differences_are_those_of_the_same_seats_of_the_same_deals(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options = ["--bot", "heuristic", "--opponent", "greedy", "--variants", "", "check=0", "deny=0.2755"]
    options += ["--players", "2", "--deals", str(DEALS), "--workers", "1", "--out", str(tmp_path / "x.jsonl")]
    assert ingredients.main(options) == 0
    page = capsys.readouterr().out
    margins = [find_margins(spec) for spec in ("heuristic", "heuristic:check=0")]
    change = [margins[1][place] - margins[0][place] for place in margins[0]]
    assert float(read_cells(page, "as it is")[1].split()[0]) == pytest.approx(
        np.mean(list(margins[0].values())), abs=0.051
    )
    cells = read_cells(page, "`check=0`")
    assert float(cells[3].split()[0]) == pytest.approx(np.mean(change), abs=0.051)
    assert any(change), "the two play otherwise"
    assert read_cells(page, "`deny=0.2755`")[2:4] == ["0.0% (all deals alike)", "0.0 (all deals alike)"]


def test_a_card_has_a_place_for_each_table(tmp_path: Path) -> None:
    page = tmp_path / "CARD.md"
    marked = "".join(
        f"<!-- {mark} -->\nof {mark}\n<!-- end of {mark} -->\n" for mark in ("ingredients", "budget")
    )
    page.write_text(marked)
    options = ["--bot", "greedy", "--opponent", "random", "--variants", "", "--players", "2", "--deals", "2"]
    options += ["--workers", "1", "--out", str(tmp_path / "x.jsonl"), "--into", str(page), "--write"]
    assert ingredients.main([*options, "--mark", "budget"]) == 0
    text = page.read_text()
    assert "of ingredients\n" in text, "the other place stays as it is"
    assert "\nof budget" not in text
    assert "| as it is |" in text
