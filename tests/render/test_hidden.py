"""Views of a seat: nothing that is hidden from it is there."""

import re

import numpy as np
import pytest

from iaww_env.config import GameConfig
from iaww_env.game import Game, lend_state
from iaww_env.render import describe_game, render_table
from iaww_env.viewer import game_to_html
from tests.modes import CA
from tests.render.played_games import play, play_to
from tests.render.shown_text import count_cards, cut_block, join_lines, read_cards

MODES = [(n, ()) for n in range(1, 6)] + [(n, CA) for n in range(1, 8)]


@pytest.mark.parametrize(("players", "expansions"), MODES)
def test_views_of_a_seat_never_change_with_what_it_cannot_know(
    players: int, expansions: tuple[str, ...]
) -> None:
    for game, step, _ in play(GameConfig(players, expansions), seed=players):
        seat = step % players
        shown = render_table(game, seat)
        assert shown.partition("\nLegal actions\n")[2].split() == game.legal_texts(seat)
        for seed in (step, step + 1, step + 2) if step % 16 == 0 else (step,):
            assert render_table(game.redeterminize(seat, seed), seat) == shown
        if step % 16 == 0:
            assert game_to_html(game.redeterminize(seat, step), seat) == game_to_html(game, seat)


@pytest.mark.parametrize("players", [2, 3, 5])
def test_views_of_a_seat_never_change_with_what_others_decide(players: int) -> None:
    before: dict[int, tuple[tuple[int, ...], str]] = {}
    unchanged = 0
    for game, step, acted in play(GameConfig(players, CA), seed=3, discards=True):
        state = lend_state(game)
        now = tuple(int(part) for part in (state.round, state.phase, state.step, state.pick))
        seat = step % players
        shown = render_table(game, seat)
        before.pop(acted, None)
        if seat in before and before[seat][0] == now:
            assert shown == before[seat][1]
            unchanged += 1
        before[seat] = (now, shown)
    assert unchanged > 20


def test_secret_picks_are_hidden_from_the_other_seats() -> None:
    first, second = (Game(GameConfig(3), seed=11) for _ in range(2))
    a, b = first.legal_actions(1)[:2]
    first.step(1, a)
    second.step(1, b)
    for seat in (0, 2):
        assert render_table(first, seat) == render_table(second, seat)
        assert game_to_html(first, seat) == game_to_html(second, seat)
    picked = first.actions.to_text(a).partition(":")[2]
    for viewer in (None, 1):
        assert re.search(rf"^  picked +{picked}$", render_table(first, viewer), re.M)
    assert count_cards(read_cards(render_table(first, 1), "hand")) == len(first.hand(1)) - 1


@pytest.mark.parametrize("players", [1, 4])
def test_the_order_of_the_decks_is_hidden_from_everybody(players: int) -> None:
    game = play_to(GameConfig(players, CA), 5, "planning")
    other = game.clone()
    for deck, window in enumerate((lend_state(other).base_deck, lend_state(other).ascension_deck)):
        left = window[int(other.state.deck_next[deck]) : int(other.state.deck_end[deck])]
        left[...] = left[::-1].copy()
    if players == 1:
        lend_state(other).pools[...] = other.state.pools[::-1].copy()
    assert other != game
    for seat in (None, *range(players)):
        assert render_table(other, seat) == render_table(game, seat)
        assert game_to_html(other, seat) == game_to_html(game, seat)


@pytest.mark.parametrize("round", [1, 2])
def test_packs_are_shown_once_they_have_been_in_the_hand(round: int) -> None:
    # Packs go to the next seat in rounds 1 and 3, to the one before in rounds 2 and 4 (ruling 1).
    by = 1 if round == 1 else -1
    game = play_to(GameConfig(5), 9, "draft", round)
    for pick in range(6):
        text = render_table(game, 2)
        assert {name.partition(" x")[0] for name in read_cards(text, "hand")} == set(game.hand(2))
        for distance in range(1, 5):
            other = (2 + by * distance) % 5
            shown = re.search(r"^  hand +([^:]+?)(?=^  [a-z]|\Z)", cut_block(text, other), re.M)
            assert shown is not None
            words = join_lines(shown[1])
            if distance <= pick:
                count = {one: game.hand(other).count(one) for one in game.hand(other)}
                assert words == ", ".join(one if n == 1 else f"{one} x{n}" for one, n in count.items())
            else:
                assert words == f"{7 - pick} cards not seen yet"
        for seat in range(5):
            game.step(seat, game.legal_actions(seat)[0])


def test_a_pack_not_seen_can_be_any_pack() -> None:
    game = Game(GameConfig(4), seed=2)
    other = game.clone()
    lend_state(other).packs[3, :7] = np.sort(other.state.base_deck[other.state.deck_next[0] :][:7])
    assert render_table(other, 0) == render_table(game, 0)
    assert game_to_html(other, 0) == game_to_html(game, 0)
    assert render_table(other, 3) != render_table(game, 3)
    assert render_table(other, None) != render_table(game, None)


def test_other_seats_stand_as_they_stood_when_the_phase_began() -> None:
    game = play_to(GameConfig(2, empire_side="B"), 4, "planning")
    one = game.drafted(1)[0]
    game.step(1, f"slate:{one}")
    assert f"construction   {one} (" not in cut_block(render_table(game, 0), 1)
    assert f"construction   {one} (" in cut_block(describe_game(game), 1)
    for seat in (1, 0):
        while seat in game.seats_to_act() and game.phase == "planning":
            game.step(seat, next(a for a in game.legal_texts(seat) if a[:5] in ("slate", "end")))
    assert game.phase == "materials"
    assert f"  construction   {one} (" in cut_block(render_table(game, 0), 1)
    game.step(1, "to_empire")
    assert re.search("^  loose cubes +2 materials$", cut_block(render_table(game, 0), 1), re.M)
    for viewer in (None, 1):
        assert re.search("^  loose cubes +1 material$", render_table(game, viewer), re.M)
