"""What bots are told does not lead to what is hidden from them."""

from __future__ import annotations

import multiprocessing
import subprocess
import sys
from itertools import islice
from pathlib import Path

import numpy as np
import pytest

from iaww_agents.arena.play import worker
from iaww_agents.arena.play.guests import HouseRules
from iaww_agents.arena.play.results import OK
from iaww_agents.arena.play.schedule import Fixture, check_key, draw_key, schedule_games
from iaww_agents.arena.play.tournament import run_tournament
from iaww_agents.arena.publish.report import make_report
from iaww_env import Game, GameConfig
from iaww_env.bots.seeds import derive_bot_seed, derive_number
from iaww_env.bots.views import imagine_game, make_unpacker, make_view, pack_view
from iaww_env.cli.app import main
from tests.modes import MODES
from tests.random_play import play_on

ZOO = str(Path(__file__).with_name("bad_bots.py"))
TWO = GameConfig(players=2)


def list_deals(key: str, deals: int) -> list[int]:
    fixtures = islice(schedule_games(GameConfig(players=1), ["random"], key), deals)
    return [one.seed for one in fixtures]


# --- Seeds -----------------------------------------------------------------------------------------


def test_deals_follow_from_the_key_and_from_nothing_less() -> None:
    assert list_deals("a", 50) == list_deals("a", 50)
    found = [seed for key in ("a", "b", "a ", draw_key()) for seed in list_deals(key, 50)]
    assert len(set(found)) == 200
    # All 63 bits are used, each about half of the time: no seed is small enough to be tried.
    bits = np.array([[seed >> bit & 1 for bit in range(64)] for seed in list_deals("many", 4000)])
    assert bits[:, 63].sum() == 0
    assert (abs(bits[:, :63].mean(axis=0) - 0.5) < 0.05).all()


def test_a_key_is_drawn_where_none_is_given() -> None:
    drawn = {check_key(None) for _ in range(20)}
    assert len(drawn) == 20
    assert {len(bytes.fromhex(key)) for key in drawn} == {16}
    first, second = (run_tournament(["random"], TWO, games=2, workers=1) for _ in range(2))
    assert first.key != second.key
    assert [one.fixture.seed for one in first.results] != [one.fixture.seed for one in second.results]


def test_the_seed_of_a_bot_says_nothing_of_the_deal() -> None:
    told = {
        (deal, seat): Fixture(0, deal, ("a",) * 7, TWO).seed_bot(seat)
        for deal in range(60)
        for seat in range(7)
    }
    assert len(set(told.values())) == len(told)
    for (deal, seat), seed in told.items():
        assert seed == derive_bot_seed(deal, seat)
        assert seed > 1 << 40
        assert deal not in (seed, seed // 7, seed - seat, seed >> 32)
    assert derive_number("1", "bot", 2) != derive_number("12", "bot") != derive_number("1", "bot2")


# --- Views -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", MODES)
def test_what_is_sent_to_a_bot_does_not_depend_on_what_is_hidden(mode: str) -> None:
    """Every byte of it; and the bot gets the view that was sent."""
    import random

    game, changed = Game(MODES[mode], 4), 0
    for number, _ in enumerate(play_on(game, random.Random(4))):
        if number % 9 or game.over:
            continue
        for seat in game.seats_to_act():
            view = make_view(game, seat, "compact")
            sent = pack_view(view)
            drawn = game.redeterminize(seat, number)
            changed += drawn != game
            assert pack_view(make_view(drawn, seat, "compact")) == sent
            got = make_unpacker(game.config, seat, "compact")(bytearray(sent))
            assert got.legal_actions() == view.legal_actions()
            assert got.observation.tobytes() == view.observation.tobytes()
            # From what was sent a bot draws the same games as from the real one.
            assert got.sample_game(7) == view.sample_game(7) == game.redeterminize(seat, 7)
    assert changed > 10


@pytest.mark.parametrize("mode", ["2", "4-ascension"])
def test_a_view_holds_no_game_that_shows_hidden_cards(mode: str) -> None:
    game = Game(MODES[mode], 5)
    imagined = imagine_game(game, 1)
    assert imagined.hand(1) == game.hand(1)
    assert imagined.hand(0) != game.hand(0)
    assert imagined.state.base_deck.tolist() != game.state.base_deck.tolist()
    assert imagined.state.rng.tolist() != game.state.rng.tolist()


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has the switch")
def test_a_referee_is_shielded_from_its_user_s_other_processes() -> None:
    """Its memory cannot be opened, though bots run as the same user (root opens everything)."""
    body = (
        "import ctypes; ask = ctypes.CDLL(None).prctl; "
        "from iaww_agents.arena.play.shielding import shield_process; "
        "before = ask(3, 0, 0, 0, 0); shield_process(); print(before, ask(3, 0, 0, 0, 0))"
    )
    done = subprocess.run([sys.executable, "-c", body], capture_output=True, text=True)
    assert done.stdout == "1 0\n"


def test_a_tournament_shields_its_referees(monkeypatch: pytest.MonkeyPatch) -> None:
    shielded: list[str] = []
    monkeypatch.setattr(worker, "shield_process", lambda: shielded.append("worker"))
    for name in ("silence_process", "adopt_orphans"):  # this process is to stay as it is
        monkeypatch.setattr(worker, name, lambda: None)
    monkeypatch.setattr(worker.announcer, "is_silent", False)
    ours, theirs = multiprocessing.Pipe()
    ours.send(None)
    worker.serve_jobs(theirs, [0.0] * 3, HouseRules())
    assert shielded == ["worker"]


# --- Tournaments -----------------------------------------------------------------------------------


def test_bots_find_neither_key_nor_seed_nor_game_nor_the_same_cards_again() -> None:
    spies = [f"{ZOO}:{name}" for name in ("Divines", "ReadsEverything", "Remembers")]
    for spy in spies:
        lineup = [spy, f"{ZOO}:FirstLegal"]
        found = run_tournament(lineup, TWO, games=2, key="the secret of the deals", workers=1)
        assert [one.reason for one in found.results if one.status != OK] == []


def test_the_report_says_how_to_play_the_games_again(capsys: pytest.CaptureFixture[str]) -> None:
    found = run_tournament(["greedy", "random"], TWO, games=4, workers=1)
    again = run_tournament(["greedy", "random"], TWO, games=4, key=found.key, workers=1)
    assert [one.points for one in again.results] == [one.points for one in found.results]
    report = make_report(found)
    assert any(found.key in note for note in report.notes)
    (command,) = [note.partition("iaww ")[2] for note in report.notes if "iaww watch" in note]
    assert main(command.split()) == 0
    first = found.results[0]
    printed = capsys.readouterr().out
    for seat, points in enumerate(first.points):
        assert f"seat {seat} ({first.agents[seat]}): {points} points" in printed
