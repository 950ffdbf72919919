"""What bots chose by is kept with their games: of the right move, with the actions that were weighed."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import numpy as np
import pytest

from iaww_agents.base import Agent
from iaww_agents.ppo.bot import PpoAgent
from iaww_agents.search.bot import SearchAgent
from iaww_env.actions import action_table
from iaww_env.bots.views import make_view
from iaww_env.cli.app import main
from iaww_env.cli.exit_codes import REFUSED
from iaww_env.config import GameConfig
from iaww_env.game import Game
from iaww_env.records import read_records, verify_record
from iaww_env.records.form import ParsedRecord, parse_record
from iaww_env.records.replay import play_moves


def record_game(folder: Path, words: str) -> ParsedRecord:
    """A game of the command line, checked."""
    path = folder / "games.jsonl"
    assert main([*words.split(), str(path)]) == 0
    record = next(read_records(path))
    assert verify_record(record).results == 1
    return parse_record(record)


@pytest.mark.parametrize(
    "words",
    [
        "record ppo heuristic --players 2 --thoughts --out",
        "watch ppo heuristic --players 2 --record",
    ],
)
def test_probabilities_stand_where_the_network_had_a_choice(words: str, tmp_path: Path) -> None:
    parsed = record_game(tmp_path, words)
    thoughts = {one.move: one for one in parsed.thoughts}
    for number, game in islice(play_moves(parsed), len(parsed.moves)):
        seat, action = parsed.moves[number]
        legal = game.legal_texts(seat)
        if seat == 1 or len(legal) == 1:
            assert number not in thoughts
        else:
            values = thoughts[number].values
            assert thoughts[number].of == "probability"
            assert set(values) <= set(legal)
            assert sum(values.values()) == pytest.approx(1, abs=1e-4 * len(legal))
            assert values[game.actions.to_text(action)] == max(values.values())


def test_search_tells_values_of_what_it_compared(tmp_path: Path) -> None:
    parsed = record_game(tmp_path, "record search:worlds=8 --thoughts --out")
    assert parsed.thoughts
    to_text = action_table(()).to_text
    for thought in parsed.thoughts:
        action = to_text(parsed.moves[thought.move][1])
        assert thought.of == "value"
        assert len(thought.values) >= 2
        assert action in thought.values
        verbs = {text.partition(":")[0] for text in thought.values}
        assert verbs & {"pick", "slate", "recycle"}, "elsewhere it plays as the heuristic"


@pytest.mark.parametrize("bot", [PpoAgent(), SearchAgent(worlds=8)])
def test_nothing_is_told_of_a_game_that_has_not_begun(bot: Agent) -> None:
    config = GameConfig(2)
    bot.reset(0, config, 1)
    assert bot.explain() is None
    bot.act(make_view(Game(config, 1), 0, bot.profile))
    first = bot.explain()
    assert first is not None
    assert np.isfinite(list(first.values.values())).all()
    bot.reset(0, config, 1)
    assert bot.explain() is None


def test_thoughts_are_for_bots(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["record", "--thoughts", "--out", str(tmp_path / "games.jsonl")]) == REFUSED
    assert "--thoughts is for games of bots" in capsys.readouterr().err
    parsed = record_game(tmp_path, "record ppo --players 2 --out")
    assert parsed.thoughts == (), "nobody has asked"
