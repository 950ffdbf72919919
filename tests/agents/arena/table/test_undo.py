"""Decisions are taken back byte for byte, as far as nothing was learnt since, and no further."""

from __future__ import annotations

import random

import pytest

from iaww_env.bots.views import make_view
from iaww_env.config import GameConfig
from iaww_env.game import Game
from iaww_env.records import replay
from tests.agents.arena.table.scripted import Table, play_wisely
from tests.modes import CA

MODES = {
    "2": (GameConfig(2), 0),
    "3-last": (GameConfig(3), 2),
    "3-ascension": (GameConfig(3, CA), 1),
    "solo": (GameConfig(1), 0),
    "solo-ascension": (GameConfig(1, CA), 0),
    "scenario": (GameConfig(scenario="base_sc01", players=1), 0),
}


class Wavering:
    """Types random legal actions, and takes back what can be taken back every now and then.

    Attributes:
        back: The bytes of the games that can be reached by taking back, the last one last.
        undone: The phases in which something was taken back.
        refused: What was said where nothing could be.
    """

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.back: list[bytes] = []
        self.undone: list[str] = []
        self.refused: list[str] = []
        self.asked_last = ""
        self.phase: tuple[int, str] | None = None
        self.expected: bytes | None = None

    def __call__(self, table: Table) -> str:
        if "y/N" in table.prompts[-1]:
            return "y"
        now = table.game.to_bytes()
        if self.expected is not None:
            assert now == self.expected
            self.expected = None
        if self.asked_last == "undo":
            self.refused.append(table.shown[-1])
        self.asked_last = ""
        # What is offered again was decided here, in this order; with others at the table all of the phase.
        phase = table.game.round, table.game.phase
        if phase != self.phase or phase[1] == "draft":
            self.phase, self.back = phase, []
        offered = [one.game.to_bytes() for one in table.match.decided]
        assert offered == self.back[len(self.back) - len(offered) :]
        assert table.game.config.solo or len(offered) == len(self.back)
        self.back = self.back[len(self.back) - len(offered) :]
        assert all(learns_nothing(table, one.game, one.moves) for one in table.match.decided)
        if self.rng.random() < 0.25:
            if offered:
                self.expected = self.back.pop()
                self.undone.append(table.game.phase)
            else:
                self.asked_last = "undo"
            return "undo"
        self.back.append(now)
        legal = table.legal()
        kept = [one for one in legal if not one.startswith("discard:")] or legal
        if self.rng.random() < 0.7:
            return play_wisely(table)
        return self.rng.choice(legal if self.rng.random() < 0.05 else kept)


def learns_nothing(table: Table, before: Game, moves: int) -> bool:
    """Whether the moves since then would have shown the same, had the hidden cards lain otherwise."""
    seen = make_view(table.game, table.seat).observation.tobytes()
    other = before.redeterminize(table.seat, len(table.match.moves))
    for seat, action in table.match.moves[moves:]:
        assert seat == table.seat
        other.step(seat, action)
    return bool(make_view(other, table.seat).observation.tobytes() == seen)


@pytest.mark.parametrize("mode", MODES)
def test_what_is_taken_back_stands_as_before_and_nothing_was_learnt_by_it(mode: str) -> None:
    config, seat = MODES[mode]
    wavering = Wavering(8)
    table = Table(config, wavering, seat=seat, seed=21)
    result = table.play()
    assert result.status == "ok", result.reason
    assert "planning" in wavering.undone
    assert len(set(wavering.undone)) > 2  # production steps among them
    assert "draft" not in wavering.undone
    assert wavering.refused
    # What was taken back stands in no record.
    record = table.file.make_record()
    assert len(record["moves"]) == len(table.match.moves) == len(table.file.moves)
    assert replay(record).scores() == list(result.points)


def test_a_pick_stands_once_the_others_have_picked() -> None:
    lines = iter(["1", "undo", "q"])
    table = Table(GameConfig(2), lambda table: next(lines))
    with pytest.raises(KeyboardInterrupt):
        table.play()
    assert table.shown[-1] == "a pick stands once all have picked"
    assert len(table.match.moves) == 2


def test_an_end_that_is_forced_can_still_be_declined() -> None:
    """Whoever has decided something in a step is asked before the step ends by itself."""
    seen: list[tuple[str, int]] = []

    def type_line(table: Table) -> str:
        legal = table.legal()
        if len(legal) == 1:
            assert table.match.decided
            seen.append((legal[0], len(table.match.decided)))
            return ""
        if "y/N" in table.prompts[-1]:
            return "y"
        # Nothing is put under construction, so that nothing but the end is left.
        return next((one for one in legal if one.startswith("recycle")), legal[0])

    table = Table(GameConfig(2), type_line, seed=5)
    assert table.play().status == "ok"
    assert {text for text, _ in seen} == {"end"}
    assert "  forced: end" in table.text  # where nothing was decided


@pytest.mark.parametrize("expansions", [(), CA])
def test_nothing_behind_a_dig_or_a_pool_is_taken_back(expansions: tuple[str, ...]) -> None:
    said: set[str] = set()
    asked: list[bool] = []

    def type_line(table: Table) -> str:
        if asked and asked.pop():
            said.add(table.shown[-1])
        elif not table.match.decided:
            asked.append(True)
            return "undo"
        legal = table.legal()
        dig = [one for one in legal if one.startswith(("dig", "toss", "pick"))]
        return dig[0] if dig else next(one for one in legal if not one.startswith("discard"))

    table = Table(GameConfig(1, expansions), type_line, seed=4)
    assert table.play().status == "ok"
    assert said == {
        "there is nothing to take back in this phase",
        "what was decided before the cards were dug up stands",
        "what was decided before the next pool was seen stands",
    }
    assert len(table.file.make_record()["digs"]) > 5
