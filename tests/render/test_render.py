"""The table as text: everything that a seat may see is there."""

import re

import numpy as np
import pytest

from iaww_env.cards import RESOURCES, kind, kinds, scenario
from iaww_env.config import GameConfig
from iaww_env.game import Game, lend_state
from iaww_env.render import describe_game, render_table
from iaww_env.render.seen import look_at_game
from iaww_env.viewer import game_to_html
from tests.modes import CA
from tests.render.played_games import play, play_to
from tests.render.shown_text import count_cards, cut_block, join_lines, list_missing, name_sites, read_cards

ANSI = re.compile(r"\x1b\[(\d+)m")


# --- All that may be seen ----------------------------------------------------------------------------


@pytest.mark.parametrize("players", [1, 2, 7])
def test_every_card_under_construction_appears_with_its_missing_spaces(players: int) -> None:
    for game, step, _ in play(GameConfig(players, CA), seed=8):
        if step % 23 and not game.over:
            continue
        whole, seat = describe_game(game), step % players
        for other in range(players):
            words = [f"{label} ({list_missing(missing)})" for label, missing in name_sites(game, other)]
            expected = f"construction {', '.join(words)}" if words else ""
            assert expected in join_lines(cut_block(whole, other))
        own = name_sites(game, seat)
        if own:
            assert read_cards(render_table(game, seat), "under construction") == dict(own)


def test_hand_and_drafted_cards_appear_with_what_they_cost() -> None:
    game = Game(GameConfig(3), seed=6)
    for _ in range(3):
        for seat in range(3):
            game.step(seat, game.legal_actions(seat)[0])
    text = render_table(game, 1)
    for title, cards in (("hand", game.hand(1)), ("drafted", game.drafted(1))):
        expected = {one if cards.count(one) == 1 else f"{one} x{cards.count(one)}": one for one in cards}
        assert read_cards(text, title) == {label: kind(one).cost for label, one in expected.items()}


@pytest.mark.parametrize(
    ("one", "words"),
    [
        ("industrial_complex", "gold 1 mat, 1 gold, bonus 1 fin"),
        ("aircraft_carrier", "mat 1 exp/vehicle, bonus 2 gen"),
        ("super_soldiers", "exp bonus 1 gen, 1 pt/general"),
        ("mobile_base", "sci -1 mat, 2 sci, 2 exp, bonus 1 gen"),
        ("utopia", "gold 12 pts/project+discovery"),
        ("intercontinental_network", "mat 6 pts/discovery+financier"),
        ("ancient_astronauts", "sci 1 sci/discovery, bonus 2 kry, 10 pts"),
    ],
)
@pytest.mark.parametrize("width", [80, 99, 130])
def test_cards_in_hand_say_what_they_give(one: str, words: str, width: int) -> None:
    game = play_to(GameConfig(1, CA), 6, "planning")
    lend_state(game).drafted[0, :5] = kind(one).index
    text = render_table(game, 0, width=width)
    assert re.search(rf" {one} x5 [a-z ]+[\d ]+ {re.escape(words)} ", join_lines(text))
    assert max(map(len, text.splitlines())) <= width


def test_the_whole_position_names_every_card_in_sight() -> None:
    for game, step, _ in play(GameConfig(4), seed=12):
        if step % 31:
            continue
        text = describe_game(game)
        assert str(game) == text
        for seat in range(4):
            block = cut_block(text, seat)
            for one in [*game.hand(seat), *game.drafted(seat), *game.built(seat)]:
                assert re.search(rf"\b{one}\b", block)
            for one, count in game.built(seat).items():
                assert count == 1 or f"{one} x{count}" in block


def test_the_overview_counts_what_each_seat_has() -> None:
    for game, step, _ in play(GameConfig(3, CA), seed=21):
        if step % 29:
            continue
        state = lend_state(game)
        for seat in range(3):
            row = re.search(rf"^  {seat}    \D+(.*)$", describe_game(game), re.M)
            assert row is not None
            assert row[1].split() == [
                str(game.scores()[seat]),
                *(str(max(0, n)) for n in state.production[seat].tolist()),
                *(str(window[seat]) for window in (state.krystallium, state.generals, state.financiers)),
                f"{state.empire_cubes[seat]}/5",
                str(state.n_built[seat]),
            ]
            seen = look_at_game(game, None).seats[seat]
            left = [made - lost for made, lost in zip(seen.made, seen.corruption, strict=True)]
            assert left == state.production[seat].tolist()


def test_corruption_shows_what_is_made_and_what_is_left() -> None:
    game = Game(GameConfig(3, CA, empire_side="A", empires=("noram_states", None, None)), seed=1)
    lend_state(game).built[0, kind("mobile_base").index] = 2
    for viewer in (None, 0, 1):
        text = render_table(game, viewer)
        assert re.search(r"^  corruption +3-2=1 mat$", text, re.M)
    lend_state(game).built[0, kind("mobile_base").index] = 4
    assert re.search(r"^  corruption +3-4=0 mat$", render_table(game, 0), re.M)
    # Each of two cards makes 1 gold for each of two projects, beside the empire's own.
    lend_state(game).built[0, kind("propaganda_center").index] = 2
    assert look_at_game(game, 0).seats[0].made[RESOURCES.index("gold")] == 1 + 2 * 2


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"loose": 2, "loose_resource": 4}, "loose cubes    2 exploration"),
        ({"held": 3}, "token in hand  krystallium for a science space"),
        ({"held": 6}, "token in hand  krystallium for a krystallium space"),
        ({"held": 8}, "token in hand  financier for a financier space"),
        ({"must_choose": 1}, "to choose      general or financier"),
        ({"empire_cubes": 4}, " 4/5 "),
    ],
)
def test_what_a_seat_has_in_hand_or_owes(fields: dict[str, int], words: str) -> None:
    game = play_to(GameConfig(2), 4, "planning")
    for name, value in fields.items():
        for prefix in ("", "seen_"):
            getattr(lend_state(game), prefix + name)[1] = value
    assert words in render_table(game, 1)
    assert words in render_table(game, 0)
    assert words in describe_game(game)


def test_the_first_line_says_when_it_is() -> None:
    def head(game: Game, seat: int | None) -> str:
        return render_table(game, seat).splitlines()[0]

    game = play_to(GameConfig(4), 3, "draft")
    assert head(game, 3) == "Round 1 of 4, draft: pick 1 of 7, packs pass left (to seat 0, from seat 2)"
    assert head(game, None) == "Round 1 of 4, draft: pick 1 of 7, packs pass left (seat 0 to seat 1)"
    game = play_to(GameConfig(4), 3, "draft", 2)
    assert head(game, 3) == "Round 2 of 4, draft: pick 1 of 7, packs pass right (to seat 2, from seat 0)"
    for _ in range(6):
        for seat in range(4):
            game.step(seat, game.legal_actions(seat)[0])
    assert head(game, 0) == "Round 2 of 4, draft: pick 7 of 7, the last"
    assert head(play_to(GameConfig(4), 3, "planning", 3), 0) == "Round 3 of 4, planning"
    assert head(play_to(GameConfig(4), 3, "gold", 4), 0) == "Round 4 of 4, production step 4 of 5: gold"


def test_the_end_names_the_winners() -> None:
    game = play_to(GameConfig(3), 3, "over", 4)
    best = max(game.scores())
    assert describe_game(game).startswith(f"Game over: seat {game.winners()[0]} wins with {best} points\n")
    lend_state(game).flat_points[...] = lend_state(game).n_built[...] = 0
    for name in ("point_rate", "generals", "financiers"):
        getattr(lend_state(game), name)[...] = 0
    assert game.winners() == [0, 1, 2]
    assert render_table(game, 1).startswith("Game over: seats 0, 1 and 2 share the win with 0 points\n")


# --- Solo --------------------------------------------------------------------------------------------


def test_solo_counts_pools_decks_and_digs() -> None:
    seen = set()
    for game, _, _ in play(GameConfig(1, CA), seed=13):
        text = render_table(game, 0)
        state = lend_state(game)
        pools = int((state.pools[:, 0] >= 0).sum())
        left = (state.deck_end - state.deck_next).tolist()
        gone = [int(part.sum()) for part in np.split(state.discarded[0], [len(kinds())])]
        assert (
            f"\npools left {pools}, base deck {left[0]} (+{gone[0]} discarded), "
            f"ascension deck {left[1]} (+{gone[1]} discarded)\n"
        ) in text
        digs = [one[4:] for one in game.legal_texts(0) if one.startswith("dig:")]
        assert (f"\ncan dig: {', '.join(digs)}\n" in text) == bool(digs)
        if game.phase == "planning":
            assert f", planning: sequence {int(state.sequence)} of 2\n" in text
        tosses, deck = int(state.tosses), ("", "base", "ascension")[int(state.dig_deck)]
        if tosses:
            assert (
                f"  digging        {deck} deck, {tosses} card{'s' if tosses == 2 else ''} to toss\n" in text
            )
        elif deck:
            assert f"  digging        {deck} deck, one card to keep\n" in text
            assert count_cards(read_cards(text, "dug up")) == len(game.hand(0))
        seen.add((bool(digs), bool(tosses), bool(deck)))
    assert len(seen) == 4  # no dig, a dig possible, two stages of one
    assert text.startswith(f"Game over: {game.scores()[0]} points, {game.title()}\n")
    assert "\ntitles: dictator 60, emperor 80, living god 100\n" in text


def test_a_scenario_shows_its_cards_and_medals() -> None:
    played = scenario("ascension_sc05")
    game = Game(GameConfig(1, CA, scenario=played.id), seed=1)
    assert f"\nscenario {played.title_en}: bronze 95, silver 105, gold 120\n" in render_table(game, 0)
    # Fewer, as many, and more icebreakers than the scenario asks for.
    for count, shown in ((0, 0), (2, 2), (3, 3), (4, 3)):
        lend_state(game).built[0, kind("icebreaker").index] = count
        listed = f"hyperborea 0/1, icebreaker {shown}/3, quantum_generator 0/1, underwater_city 0/1"
        assert f"\nto build: {listed}\n" in describe_game(game)


def test_a_scenario_ends_with_its_medal() -> None:
    game = play_to(GameConfig(1, scenario="base_sc04"), 2, "over", 4)
    lend_state(game).built[0] = 0
    assert "points, the scenario is lost: not all its cards are built\n" in describe_game(game)
    for one in scenario("base_sc04").cards:
        lend_state(game).built[0, kind(one).index] = 1
    lend_state(game).flat_points[0] = 90
    assert f"Game over: {game.scores()[0]} points, the scenario is won with silver\n" in describe_game(game)
    lend_state(game).flat_points[0] = 0
    assert "points, the scenario is won, without a medal\n" in describe_game(game)


# --- Form --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("players", "expansions"), [(1, CA), (2, ()), (4, CA), (7, CA)])
def test_lines_fit_and_colours_add_nothing_but_colour(players: int, expansions: tuple[str, ...]) -> None:
    for game, step, _ in play(GameConfig(players, expansions), seed=31, discards=True):
        if step % 19:
            continue
        seat = None if step % 2 else step % players
        for width in (80, 100, 130):
            plain = render_table(game, seat, width=width)
            coloured = render_table(game, seat, width=width, colour=True)
            assert ANSI.sub("", coloured) == plain
            codes = {int(code) for code in ANSI.findall(coloured)}
            assert codes <= {0, 1, *range(30, 38), *range(90, 98)}
            assert len(codes) > 5  # bold, and the colours of the cubes
            assert plain.isascii()
            assert not re.search(r" $|\n\n\n|\n\Z", plain, re.M)
            assert max(map(len, plain.splitlines())) <= width
        assert render_table(game, seat, width=10) == render_table(game, seat, width=80)


def test_looking_changes_nothing() -> None:
    game = play_to(GameConfig(3), 3, "planning", 2)
    before = game.to_bytes()
    for seat in (None, 0, 1, 2):
        render_table(game, seat)
        game_to_html(game, seat)
    assert game.to_bytes() == before


@pytest.mark.parametrize("seat", [-1, 2, 7])
def test_a_seat_that_is_not_there_is_refused(seat: int) -> None:
    with pytest.raises(IndexError, match=f"there is no seat {seat}"):
        render_table(Game(GameConfig(2), seed=1), seat)


@pytest.mark.parametrize("players", [1, 3])
def test_the_position_at_the_end_says_where_the_points_come_from(players: int) -> None:
    for game, _, _ in play(GameConfig(players, CA), seed=5):
        assert ("Where the points come from" in str(game)) == game.over
    told = join_lines(str(game).partition("Where the points come from\n")[2])
    for seat, points in enumerate(game.scores()):
        found = re.search(rf"seat {seat}: {points} ([a-z 0-9,-]*?)(?= seat \d:|$)", told.strip())
        assert found is not None
        parts = [one.rpartition(" ")[::2] for one in found[1].strip().split(", ") if one]
        assert {name: int(n) for name, n in parts} == {
            name: n for name, n in game.score_breakdown(seat).parts.items() if n
        }
        assert sum(int(n) for _, n in parts) == points
