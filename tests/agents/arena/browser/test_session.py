"""A game through the protocol of its pages: what is shown, taken back, refused, told, and saved."""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

for library in ("starlette", "uvicorn", "wsproto"):
    pytest.importorskip(library, reason='the server needs pip install "iaww-env[browser]"')

from iaww_agents.arena.browser import person, play  # noqa: E402
from iaww_agents.arena.browser.session import Session  # noqa: E402
from iaww_agents.arena.browser.showing import show_position  # noqa: E402
from iaww_env.cards import RESOURCES, kind  # noqa: E402
from iaww_env.config import GameConfig  # noqa: E402
from iaww_env.game import Game  # noqa: E402
from iaww_env.records import read_records, replay, verify_file  # noqa: E402
from iaww_env.viewer.letters import measure_text  # noqa: E402
from tests.agents.arena.browser.served import choose_first, serve_game  # noqa: E402
from tests.modes import CA, SOLO  # noqa: E402

MODES = {"3-ascension": (GameConfig(3, CA), 2), "solo": (SOLO["solo"], 0)}


@pytest.mark.parametrize("mode", MODES)
def test_a_whole_game_is_played_and_saved_and_shows_nothing_hidden(
    mode: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every position that is sent is the same with all that the seat cannot know drawn anew."""
    config, seat = MODES[mode]
    compared = 0

    def show_and_compare(game: Game, viewer: int | None, agents: Sequence[str]) -> list[dict[str, Any]]:
        nonlocal compared
        shown = show_position(game, viewer, agents)
        if viewer is not None and not game.over and compared % 5 == 0:
            assert show_position(game.redeterminize(viewer, compared), viewer, agents) == shown
        compared += 1
        return shown

    monkeypatch.setattr(person, "show_position", show_and_compare)
    path = tmp_path / "game.jsonl"
    with serve_game(config, seat=seat, path=path) as served:
        state = served.await_question()
        while state["status"] == "asked":
            assert all(fits_button(one["label"]) for one in state["choices"] if one["in_row"])
            drawn = {
                action
                for panel in state["panels"]
                for strip in panel["strips"]
                for action in strip[2].split()
            }
            assert {choice["action"] for choice in state["choices"]} == drawn, "each can be clicked"
            state = served.play(state, choose_first(state))
        assert compared > 40
        assert state["status"] == "over"
        typed = re.compile(r"_|\b(pick|slate|place|recycle|use|dig|toss|choose):|\b1 materials\b")
        assert [line for line in state["news"] if typed.search(line)] == [], "cards go by their names"
        shown = {panel["name"]: panel["title"] for panel in state["panels"]}
        for at, agent in enumerate(served.fixture.agents):
            assert shown[f"seat-{at}"].endswith(f" \u00b7 {agent}")
        (record,) = read_records(path)
        assert verify_file(path).results == 1
        scores = replay(record).scores()
        assert state["sources"]["rows"][-1] == ["in all", scores]
        for at in range(config.players):
            assert sum(counts[at] for _, counts in state["sources"]["rows"][:-1]) == scores[at]
        assert state["outcome"][0].startswith("1. seat ")
        assert state["saved"].endswith(f"iaww replay {path}")
        assert served.ask("play", 1, "pick:zeppelin") == (409, "the game is over")


def fits_button(label: str) -> bool:
    """Whether a label fits one of the two buttons beside each other (choices.js)."""
    return bool(measure_text(label, 13) <= 160)


def test_every_way_to_use_and_place_fits_its_button() -> None:
    for resource in RESOURCES:
        assert fits_button(f"krystallium as {resource}")
        assert fits_button(f"put 1 {resource} here")


def test_a_question_is_answered_once() -> None:
    with serve_game(GameConfig(2)) as served:
        first = served.await_question()
        action = first["choices"][0]["action"]
        second = served.play(first, action)
        for kind in ("play", "undo", "hint"):
            status, said = served.ask(kind, first["question"], action)
            assert status == 409
            assert said.startswith("that was decided already, perhaps in another tab")
        assert served.ask("play", second["question"] + 5, action)[0] == 409
        assert served.ask("play", second["question"], "end") == (409, "this cannot be chosen now")
        assert served.state["question"] == second["question"]
        assert sum(seat == 0 for seat, _ in served.file.moves) == 1


def test_decisions_are_taken_back_inside_the_phase_and_no_further() -> None:
    with serve_game(GameConfig(2)) as served:
        state = served.await_question()
        assert served.ask("undo", state["question"]) == (409, "there is nothing to take back in this phase")
        while "planning" not in state["stage"]:
            state = served.play(state, choose_first(state))
            assert state["undo"], "a pick stands once all have picked"
        later = served.play(state, choose_first(state))
        assert later["undo"] == ""
        moves = len(served.file.moves)
        assert served.ask("undo", later["question"]) == (200, "")
        again = served.await_question(later["question"])
        assert (again["panels"], again["choices"]) == (state["panels"], state["choices"])
        assert len(served.file.moves) == moves - 1
        assert any("taken back: slate " in line for line in again["news"])


def test_a_card_is_given_up_only_by_who_is_sure() -> None:
    with serve_game(GameConfig(2)) as served:
        state = served.await_question()
        while not any(choice["loss"] for choice in state["choices"]):
            state = served.play(state, choose_first(state))
        choice = next(one for one in state["choices"] if one["loss"])
        assert "goes to the empire card" in choice["loss"]
        status, said = served.ask("play", state["question"], choice["action"])
        assert (status, said) == (409, "this gives a card up: say that you are sure")
        later = served.play(state, choice["action"])
        label, _, copy = choice["action"].removeprefix("discard:").partition("#")
        name = f"{kind(label).name_en} #{copy}" if copy else kind(label).name_en
        assert choice["loss"].startswith(f"{name}: ")
        assert any(f"you discard {name}: given up" in line for line in later["news"])


def test_a_hint_is_told_to_all_pages_and_answers_nothing() -> None:
    with serve_game(GameConfig(2)) as served:
        state = served.await_question()
        assert state["hint"] is None
        assert served.ask("hint", state["question"]) == (200, "")
        hinted = served.await_state(lambda one: one["hint"] and one["hint"]["action"])
        assert hinted["question"] == state["question"]
        card = kind(hinted["hint"]["action"].removeprefix("pick:"))
        assert hinted["hint"]["words"] == f"greedy would pick {card.name_en}"
        assert served.play(hinted, hinted["hint"]["action"])["hint"] is None


def test_what_is_forced_is_told_as_such() -> None:
    game, session = Game(GameConfig(2), seed=7), Session()
    seat = person.BrowserPerson(session, 0)
    while "end" not in game.legal_texts(0):
        for at in game.seats_to_act():
            game.step(at, game.legal_texts(at)[0])
    after = game.clone()
    after.step(0, "end")
    end = game.legal_actions(0)[game.legal_texts(0).index("end")]
    for forced in (False, True):
        seat.tell_move(game, end, after, forced=forced)
    news = json.loads(session.read()[1])["news"]
    assert news == [f"forced: you end {game.phase if game.phase == 'planning' else f'the {game.phase} step'}"]


def test_what_the_others_did_is_told() -> None:
    with serve_game(GameConfig(3)) as served:
        state = served.await_question()
        later = served.play(state, choose_first(state))
        told = later["news"][later["since"] :]
        assert any("seat 1 (greedy) picked " in line and "seat 2 (greedy) picked " in line for line in told)


class Slow:
    """A bot that thinks until it is told to stop, once it has been told to begin."""

    def __init__(self) -> None:
        self.asked, self.goes_on = 0, threading.Event()
        self.goes_on.set()

    def act(self, view: Any) -> int:
        self.asked += 1
        assert self.goes_on.wait(60)
        return int(view.legal_actions()[0])


def test_leaving_waits_for_nobody_but_the_bot_that_is_thinking(tmp_path: Path) -> None:
    bots, path = {1: Slow(), 2: Slow()}, tmp_path / "game.jsonl"
    with serve_game(GameConfig(3), bots.__getitem__, path=path) as served:
        state = served.await_question()
        state = served.play(state, choose_first(state))
        before = bots[1].asked, bots[2].asked
        bots[1].goes_on.clear()
        assert served.ask("play", state["question"], choose_first(state)) == (200, "")
        latest = time.monotonic() + 60
        while bots[1].asked == before[0]:
            assert time.monotonic() < latest
            time.sleep(0.002)
        assert served.ask("leave", 0) == (200, "")
        bots[1].goes_on.set()
        state = served.await_state(lambda one: one["status"] == "closed")
        assert state["outcome"] == ["You have left the game."]
        assert (bots[1].asked, bots[2].asked) == (before[0] + 1, before[1]), "the next one is not asked"
        served.thread.join(10)
        (record,) = read_records(path)
        assert [seat for seat, _ in record["moves"]][-2:] == [0, 1], "what was decided is saved"


class Crashing:
    """A bot that has no ideas after a while."""

    asked = 0

    def act(self, view: Any) -> int:
        self.asked += 1
        if self.asked > 9:
            raise ValueError("out of ideas")
        return int(view.legal_actions()[0])


def test_a_bot_that_crashes_is_named_and_loses_nothing_of_the_game(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    with serve_game(GameConfig(2), lambda at: Crashing(), path=path) as served:
        state = served.await_question()
        while state["status"] == "asked":
            state = served.play(state, choose_first(state))
        assert state["status"] == "broken"
        assert "bot in seat 1 crashed when it was asked: ValueError: out of ideas" in state["outcome"][0]
        assert "unfinished" in state["saved"]
        (record,) = read_records(path)
        assert len(record["moves"]) == len(served.file.moves) > 14


def test_leaving_saves_the_game_and_ends_it(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    with serve_game(GameConfig(2), path=path) as served:
        state = served.await_question()
        served.play(state, choose_first(state))
        assert served.ask("leave", 0) == (200, "")
        state = served.await_state(lambda one: one["status"] == "closed")
        served.thread.join(10)
        assert not served.thread.is_alive()
        assert state["outcome"] == ["You have left the game."]
        assert "unfinished, 2 moves" in state["saved"]
        (record,) = read_records(path)
        assert len(record["moves"]) == 2


def test_where_the_game_cannot_be_saved_the_page_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(self: Any) -> str:
        raise OSError(28, "No space left on device")

    caught: list[BaseException] = []
    monkeypatch.setattr("threading.excepthook", lambda one: caught.append(one.exc_value))
    with serve_game(GameConfig(2), path=tmp_path / "game.jsonl") as served:
        state = served.await_question()
        monkeypatch.setattr(play.GameFile, "finish", fail)
        served.play(state, choose_first(state))
        served.ask("leave", 0)
        state = served.await_state(lambda one: one["status"] == "closed" and "saved" in one)
        assert "could not be saved" in state["saved"]
        assert "No space left" in state["saved"]
        served.thread.join(10)
    assert [type(one) for one in caught] == [OSError]
