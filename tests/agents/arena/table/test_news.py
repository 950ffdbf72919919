"""What a person at the table is shown: all that happened, and nothing that the seat cannot know."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest

from iaww_agents.base import make_agent
from iaww_agents.human.chronicle import Chronicle
from iaww_env.bots.views import make_view
from iaww_env.config import GameConfig
from iaww_env.game import Game
from tests.agents.arena.table.scripted import Table, ask_apart, play_wisely
from tests.modes import CA, SOLO

LINES = ["?", "hint", "info zep", "undo", "help", "99", "zz top", "recycle:zeppelin", "place", "", "q"]
MODES = {"2": (GameConfig(2), 1), "4-ascension": (GameConfig(4, CA), 2), "solo": (SOLO["solo-ascension"], 0)}


# --- Nothing hidden --------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", MODES)
def test_nothing_that_is_shown_depends_on_hidden_cards(mode: str) -> None:
    config, seat = MODES[mode]
    compared = 0

    def type_line(table: Table) -> str:
        nonlocal compared
        if len(table.match.moves) % 7 == 0 and "y/N" not in table.prompts[-1]:
            shown = ask_apart(table, table.game, LINES)
            for seed in (1, 2):
                assert ask_apart(table, table.game.redeterminize(seat, seed), LINES) == shown
            assert "greedy would play" in shown
            compared += 1
        return play_wisely(table)

    assert Table(config, type_line, seat=seat).play().status == "ok"
    assert compared > 8


def test_news_do_not_depend_on_hidden_cards() -> None:
    """Told of the same moves, with all that is hidden after each of them drawn anew."""
    game, bot = Game(GameConfig(3), seed=9), make_agent("greedy")
    real, drawn = Chronicle(1, "abc"), Chronicle(1, "abc")
    lines = 0
    while not game.over:
        seat = game.seats_to_act()[0]
        bot.reset(seat, game.config, 0)
        legal = game.legal_actions(seat)
        action = bot.act(make_view(game, seat)) if len(legal) > 1 else legal[0]
        before = game.clone()
        game.step(seat, action)
        real.note(before, seat, action, game)
        drawn.note(before, seat, action, game.redeterminize(1, len(legal)))
        news = real.take_news()
        assert drawn.take_news() == news
        lines += len(news)
    assert lines > 60


class Differing:
    """Takes the first legal action, and in one phase the last that gives nothing up."""

    def __init__(self, phase: str) -> None:
        self.phase = phase

    def act(self, view: Any) -> int:
        legal = view.legal_actions()
        kept = [one for one in legal if not view.text(one).startswith("discard")]
        game = view.sample_game(0)
        is_there = (
            game.round == 1 and game.phase == self.phase and (self.phase != "draft" or not game.state.pick)
        )
        return int(kept[-1] if is_there else kept[0])


@pytest.mark.parametrize("phase", ["draft", "planning"])
@pytest.mark.parametrize("seat", [0, 1])
def test_what_others_do_is_told_when_their_phase_is_over_and_not_before(phase: str, seat: int) -> None:
    shown: list[list[str]] = []
    for other in ("none", phase):
        texts: list[str] = []

        def type_line(table: Table, texts: list[str] = texts) -> str:
            texts.append(table.text)
            game = table.game
            if game.phase not in ("draft", phase) or (phase == "draft" and game.state.pick):
                return "q"
            return next(one for one in table.legal() if not one.startswith("discard"))

        table = Table(GameConfig(2), type_line, seat=seat, bots=lambda at, other=other: Differing(other))
        with pytest.raises(KeyboardInterrupt):
            table.play()
        shown.append(texts)
    first, second = shown
    assert len(first) == len(second) > 1
    assert first[:-1] == second[:-1]  # while the phase goes on
    assert first[-1] != second[-1]


# --- All that happened -----------------------------------------------------------------------------


def test_every_move_of_the_others_is_told_in_its_phase() -> None:
    table = Table(GameConfig(3), play_wisely, seat=1, seed=12)
    assert table.play().status == "ok"
    table.match.tell_news()
    told = re.sub(r"\s+", " ", table.text)
    game, slated, recycled = Game(GameConfig(3), seed=12), 0, 0
    for seat, action in table.match.moves:
        text = game.actions.to_text(action)
        name = text.partition(":")[2]
        if seat != 1 and text.startswith("pick"):
            assert f"seat {seat} (greedy) picked {name}" in told
        slated += seat != 1 and text.startswith("slate")
        recycled += seat != 1 and text.startswith("recycle")
        game.step(seat, action)
    for verb, count in (("slated", slated), ("recycled", recycled)):
        lists = re.findall(rf"seat [02] \(greedy\)[^.]*?{verb} ([a-z_0-9, ]+)", told)
        counts = [int(one.partition(" x")[2] or 1) for part in lists for one in part.strip().split(", ")]
        assert sum(counts) == count > 10
    for seat in (0, 2):
        for kind in game.built(seat):
            assert re.search(rf"seat {seat} \(greedy\) [^.]*built [^;]*\b{kind}\b", told)


def test_production_is_told_with_its_supremacy_before_each_step() -> None:
    table = Table(GameConfig(3), play_wisely, seat=1, seed=12)
    table.play()
    made = re.findall(
        r"^(\w+) made: (\d+) by seat 0, (\d+) by you, (\d+) by seat 2(?:; supremacy: a (\w+) for (.+))?$",
        table.text,
        re.M,
    )
    assert len(made) == 20
    assert [one[0] for one in made[:5]] == ["materials", "energy", "science", "gold", "exploration"]
    gives = {"materials": "financier", "energy": "general", "science": "character"}
    gives |= {"gold": "financier", "exploration": "general"}
    for step, *counts, given, who in made:
        numbers = list(map(int, counts))
        leader = numbers.index(max(numbers))
        has_leader = max(numbers) > 0 and numbers.count(max(numbers)) == 1
        assert given == (gives[step] if has_leader else "")
        assert not who or who.removesuffix(" to choose") == ("seat 0", "you", "seat 2")[leader]


def test_what_is_forced_is_told_and_the_rest_is_asked() -> None:
    table = Table(GameConfig(2), play_wisely, seat=0, seed=12)
    asked: list[str] = []
    inner = table.type_line

    def type_line(table: Table) -> str:
        text = inner(table)
        asked.extend([] if "y/N" in table.prompts[-1] else [text])
        return text

    table.type_line = type_line
    table.play()
    own = [table.game.actions.to_text(action) for seat, action in table.match.moves if seat == 0]
    forced = re.findall(r"^  forced: ([\w#]+(?::[\w#]+)?)", table.text, re.M)
    assert sorted(asked + forced) == sorted(own)
    assert len(forced) >= 4  # the last picks at least


def test_numbers_mean_the_same_through_a_phase() -> None:
    rng, seen, repeated = random.Random(3), {}, 0

    def type_line(table: Table) -> str:
        nonlocal repeated
        if "y/N" in table.prompts[-1]:
            return "y"
        numbers, game = table.person._numbers, table.game
        phase = game.round, min(int(game.state.phase), 2)
        for action in game.legal_actions(0):
            known = seen.setdefault((phase, numbers.find_number(action)), action)
            repeated += 1
            assert known == action
        if table.match.decided and rng.random() < 0.2:
            return "undo"
        text = play_wisely(table)
        return str(numbers.find_number(game.actions.parse(text))) if rng.random() < 0.7 else text

    for config in (GameConfig(3), SOLO["solo-ascension"]):
        seen.clear()
        assert Table(config, type_line, seed=6).play().status == "ok"
    assert repeated > 500


def test_a_number_typed_twice_plays_nothing_else() -> None:
    lines = iter(["1", "1", "q"])
    table = Table(GameConfig(3), lambda table: next(lines))
    with pytest.raises(KeyboardInterrupt):
        table.play()
    assert len([seat for seat, _ in table.match.moves if seat == 0]) == 1
    said = re.sub(r"\s+", " ", table.text)
    assert "pick:nuclear_plant is not legal now: the card is not in the pack in hand; legal: 2 pick:" in said
