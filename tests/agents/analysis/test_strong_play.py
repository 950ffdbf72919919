"""The page on strong play: what it says of a bot is what the bot did in its seat, counted by hand."""

from __future__ import annotations

import numpy as np
import pytest

from iaww_agents.analysis import strong_play
from iaww_agents.arena.play.results import Result
from iaww_agents.arena.play.tournament import run_tournament
from iaww_env import Game, GameConfig
from iaww_env.rulebook import PHASES

DEALS = 12


def play_again() -> list[Result]:
    """The games of greedy that the page is made from."""
    kept: list[Result] = []
    run_tournament(
        ["greedy", "heuristic"],
        GameConfig(2),
        games=2 * DEALS,
        key="strong play",
        workers=1,
        keep=kept.extend,
    )
    return kept


def count_by_hand(result: Result) -> dict[str, float]:
    """What greedy did in its seat, from the moves alone."""
    fixture, seat = result.fixture, result.fixture.agents.index("greedy")
    game, counts = (
        Game(fixture.config, fixture.seed),
        {"slated": 0.0, "recycled in round 2": 0.0, "structures": 0.0},
    )
    picks = 0
    assert result.moves is not None
    for mover, action in result.moves.tolist():
        if mover == seat:
            text = game.actions.to_text(action)
            verb = text.partition(":")[0]
            counts["slated"] += verb == "slate"
            counts["recycled in round 2"] += verb == "recycle" and game.round == 2
            if verb == "pick" and PHASES[int(game.state.phase)] == "draft":
                picks += 1
                kind = game.actions.kind(action)
                counts["structures"] += kind is not None and kind.type == "structure"
        game.step(mover, action)
    return counts | {"structures": counts["structures"] / picks, "points": result.points[seat]}


def read_cell(page: str, line: str) -> float:
    """The number of greedy in a line of the page."""
    cells = next(one for one in page.splitlines() if one.startswith(f"| {line} |")).split("|")
    return float(cells[3].split()[0].rstrip("%"))


def test_the_page_says_what_happened(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(strong_play, "LEAST_OFFERS", 5)
    options = ["--bots", "heuristic", "greedy", "--players", "2", "--deals", str(DEALS), "--cards", "3"]
    assert strong_play.main([*options, "--workers", "1"]) == 0
    page = capsys.readouterr().out
    counted = [count_by_hand(result) for result in play_again()]
    assert len(counted) == 2 * DEALS
    means = {name: np.mean([one[name] for one in counted]) for name in counted[0]}
    assert read_cell(page, "points") == pytest.approx(means["points"], abs=0.051)
    assert read_cell(page, "cards slated") == pytest.approx(means["slated"], abs=0.051)
    assert read_cell(page, "recycled, round 2") == pytest.approx(means["recycled in round 2"], abs=0.051)
    share = read_cell(page, "of its picks: structure")
    assert share == pytest.approx(means["structures"], abs=0.0051)
    picks = [line.split("|") for line in page.split("## Picks")[1].splitlines() if line.count("%") > 2]
    gaps = [float(cells[4].split("%")[0]) for cells in picks]
    assert gaps == sorted(gaps, reverse=True)
    assert len(gaps) == 6
