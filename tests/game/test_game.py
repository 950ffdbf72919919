"""The game object: who decides, what is legal, given deals, copies that go their own way."""

from __future__ import annotations

import copy
import pickle
import random
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from iaww_env.cards import EMPIRE_IDS, kinds
from iaww_env.config import GameConfig
from iaww_env.errors import ConfigError
from iaww_env.game import Game, lend_row, lend_state
from tests.dealt_cards import count_cards, count_pool, draw_hands, make_given_game
from tests.modes import CA, MODES, SOLO, VERSUS
from tests.random_play import choose_action, play_on, play_some

# --- What there is to decide -----------------------------------------------------------------------


@pytest.mark.parametrize("mode", MODES)
def test_numbers_texts_and_masks_say_the_same(mode: str) -> None:
    game = Game(MODES[mode], 3)
    seen = set()
    for _ in play_on(game, random.Random(3), discards=True):
        for seat in range(game.config.players):
            legal = game.legal_actions(seat)
            assert legal == sorted(set(legal))
            assert [type(action) for action in legal] == [int] * len(legal)
            assert game.legal_texts(seat) == [game.actions.to_text(action) for action in legal]
            mask = game.action_mask(seat)
            assert (mask.dtype, mask.shape) == (np.int8, (len(game.actions),))
            assert np.flatnonzero(mask).tolist() == legal
            assert mask.max() == 1
            assert legal
            waits = seat not in game.seats_to_act()
            assert (legal == [game.actions.wait]) == waits
            assert (game.legal_texts(seat) == ["wait"]) == waits
            seen.add((game.phase, waits))
    phases = {"planning", "materials", "energy", "science", "gold", "exploration", "over"}
    assert {phase for phase, _ in seen} == phases | ({"draft"} if mode in VERSUS else set())
    assert game.seats_to_act() == []


def test_seats_act_until_they_have_ended_the_phase() -> None:
    game = Game(GameConfig(players=3), 5)
    assert (game.round, game.phase, game.seats_to_act()) == (1, "draft", [0, 1, 2])
    game.step(1, game.legal_actions(1)[0])
    assert game.seats_to_act() == [0, 2]
    assert game.drafted(1) == [], "picks are revealed together"
    game.step(0, game.legal_actions(0)[0])
    game.step(2, game.legal_actions(2)[0])
    assert game.seats_to_act() == [0, 1, 2]
    assert [len(game.drafted(seat)) for seat in range(3)] == [1, 1, 1]
    while game.phase == "draft":
        seat = game.seats_to_act()[-1]
        game.step(seat, game.legal_actions(seat)[-1])
    assert (game.round, game.phase, game.seats_to_act()) == (1, "planning", [0, 1, 2])
    assert [len(game.drafted(seat)) for seat in range(3)] == [7, 7, 7]


@pytest.mark.parametrize("mode", MODES)
def test_texts_play_as_numbers_do(mode: str) -> None:
    by_number = Game(MODES[mode], 8)
    by_text = by_number.clone()
    for seat, action in play_on(by_number, random.Random(8), discards=True):
        by_text.step(seat, by_text.actions.to_text(action))
        assert by_text == by_number


@pytest.mark.parametrize("kind", [np.int8, np.uint8, np.int16, np.int64, np.uint64])
def test_whole_numbers_of_every_type_are_taken(kind: type[np.integer[Any]]) -> None:
    game = Game(MODES["2"], 3)
    plain = game.clone()
    game.step(kind(0), kind(game.legal_actions(0)[0]))  # type: ignore[arg-type]
    plain.step(0, plain.legal_actions(0)[0])
    assert game == plain
    assert game.legal_actions(kind(1)) == plain.legal_actions(1)  # type: ignore[arg-type]


@pytest.mark.parametrize("mode", MODES)
def test_what_is_shown_agrees_with_the_state(mode: str) -> None:
    game = Game(MODES[mode], 4)
    table = kinds(game.config.expansions)
    assert len(set(game.empires)) == game.config.players
    assert set(game.empires) <= set(EMPIRE_IDS)
    for played, _ in enumerate(play_on(game, random.Random(4))):
        if played % 7:
            continue
        for seat in range(game.config.players):
            picks = [text for text in game.legal_texts(seat) if text.startswith("pick:")]
            if picks:
                assert picks == [f"pick:{one.id}" for one in table if one.id in game.hand(seat)]
            built = Counter(game.built(seat))
            assert built.total() == game.state.n_built[seat]
            assert all(game.state.built[seat, one.index] == built[one.id] for one in table)
            assert len(game.drafted(seat)) == game.state.n_drafted[seat]
        assert f"round {game.round}, {game.phase}" in repr(game) or game.over
    assert "over" in repr(game)


@pytest.mark.parametrize("mode", MODES)
def test_results_at_the_end(mode: str) -> None:
    for seed in range(5):
        game = Game(MODES[mode], seed)
        for _ in play_on(game, random.Random(seed)):
            assert game.over or (game.winners(), game.medal(), game.title()) == ([], None, None)
            assert game.over or game.scenario_won() is None
        scores, places = game.scores(), game.places()
        assert len(scores) == len(places) == game.config.players
        assert min(places) == 1
        for one in range(game.config.players):
            for other in range(game.config.players):
                assert scores[one] <= scores[other] or places[one] < places[other]
        assert all(places[seat] == 1 for seat in game.winners())
        if mode in SOLO:
            points = scores[0]
            titles = {0: "apprentice", 60: "dictator", 80: "emperor", 100: "living god"}
            expected = titles[max(least for least in titles if points >= least)]
            assert game.title() == (expected if game.config.scenario is None else None)
            assert (game.scenario_won() is None) == (game.config.scenario is None)
        else:
            assert game.winners() == [seat for seat, place in enumerate(places) if place == 1]
            assert (game.medal(), game.title(), game.scenario_won()) == (None, None, None)


@pytest.mark.parametrize("mode", MODES)
def test_every_card_is_in_one_place(mode: str) -> None:
    game = Game(MODES[mode], 6)
    whole = count_pool(game.config)
    assert count_cards(game) == whole
    for _ in play_on(game, random.Random(6), discards=True):
        assert count_cards(game) == whole


# --- Given cards -----------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", VERSUS)
def test_given_deals_are_dealt(mode: str) -> None:
    config, n = MODES[mode], MODES[mode].players
    hands = draw_hands(config, 12)
    game = make_given_game(mode, 12)
    rounds = []
    while not game.over:
        if game.phase == "draft" and game.round > len(rounds):
            rounds.append([sorted(game.hand(seat)) for seat in range(n)])
        seat = game.seats_to_act()[0]
        game.step(seat, choose_action(game, seat, random.Random(1)))
    assert rounds == [[sorted(hand) for hand in hands[at : at + n]] for at in range(0, 4 * n, n)]


@pytest.mark.parametrize("mode", SOLO)
def test_given_pools_are_dealt(mode: str) -> None:
    hands = draw_hands(MODES[mode], 12)
    game = make_given_game(mode, 12)
    assert sorted(game.drafted(0)) == sorted(hands[0])
    pools = []
    rng, before = random.Random(1), 0
    while not game.over:
        sequence = 2 * (game.round - 1) + int(game.state.sequence)
        if game.phase == "planning" and sequence > before:
            pools.append(sorted(game.drafted(0)))
            before = sequence
        legal = [text for text in game.legal_texts(0) if not text.startswith("dig:")]
        game.step(0, rng.choice(legal))
    assert pools == [sorted(hand) for hand in hands]


def test_given_deals_leave_the_rest_to_the_seed() -> None:
    games = [make_given_game("3", seed=12), make_given_game("3", seed=12)]
    assert games[0] == games[1]
    config, hands = MODES["3"], draw_hands(MODES["3"], 12)
    deals = [hands[at : at + 3] for at in range(0, 12, 3)]
    decks = {Game(config, seed, deals=deals).state.base_deck.tobytes() for seed in range(5)}
    assert len(decks) == 5
    given = Game(config, 1, deals=deals)
    turned = Game(config, 1, deals=[[list(reversed(hand)) for hand in seats] for seats in deals])
    assert (given.state.packs == turned.state.packs).all(), "the order inside a hand is nothing"
    assert count_cards(given) == count_pool(config)


def test_named_empires_sides_and_scenarios_are_played() -> None:
    game = Game(GameConfig(players=3, empire_side="B", empires=("aztec_empire", None, "noram_states")), 1)
    assert (game.empires[0], game.empires[2]) == ("aztec_empire", "noram_states")
    assert game.empires[1] not in ("aztec_empire", "noram_states")
    assert (game.state.empire % 6 == 1).all()
    assert game.state.n_sites.tolist() == [0, 0, 0]
    solo = Game(MODES["solo-ascension-sc01"], 1)
    assert solo.state.n_sites[0] > 0


# --- Copies ----------------------------------------------------------------------------------------

COPIES: dict[str, Callable[[Game], Game]] = {
    "clone": Game.clone,
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "deepcopy in a list": lambda game: copy.deepcopy([[game]])[0][0],
    "bytes": lambda game: Game.from_bytes(game.to_bytes()),
    **{
        f"pickle {protocol}": lambda game, protocol=protocol: pickle.loads(pickle.dumps(game, protocol))
        for protocol in range(pickle.HIGHEST_PROTOCOL + 1)
    },
}


@pytest.mark.parametrize("way", COPIES)
@pytest.mark.parametrize("mode", MODES)
def test_copies_continue_alike_and_apart(mode: str, way: str) -> None:
    rng = random.Random(f"{mode} {way}")
    for decisions in (0, 5, 40, rng.randrange(300)):
        game = play_some(mode, rng.randrange(1000), decisions)
        before = game.row.tobytes()
        copied = COPIES[way](game)
        assert type(copied) is Game
        assert copied == game
        assert copied.config == game.config
        assert not np.shares_memory(copied.row, game.row)
        trace = [(step, copied.row.tobytes()) for step in play_on(copied, random.Random(5), discards=True)]
        assert game.row.tobytes() == before, "the original stays where it was"
        for (seat, action), row in trace:
            game.step(seat, action)
            assert game.row.tobytes() == row
        assert game.over
        assert game == copied


def test_a_copy_keeps_its_own_random_stream() -> None:
    """Solo shuffles discards with the stream in the row, so a copy must have it and not share it."""
    game = play_some("solo-ascension", 2, 30)
    copied = game.clone()
    lend_state(copied).rng[0] += 1
    assert copied != game
    assert game.state.rng.tolist() != copied.state.rng.tolist()


@pytest.mark.parametrize("mode", MODES)
def test_rows_of_every_origin_have_one_form(mode: str) -> None:
    """Kernels are compiled for one form of row: flat, contiguous, 16 bits, writable, aligned."""
    game = play_some(mode, 1, 20)
    made = [Game(MODES[mode], 1), make_given_game(mode, 1), game.redeterminize(0, 1)]
    made += [way(game) for way in COPIES.values()]
    for one in made:
        flags = lend_row(one).flags
        assert (one.row.ndim, one.row.dtype) == (1, np.dtype(np.int16))
        assert (flags.c_contiguous, flags.writeable, flags.aligned) == (True, True, True)


def test_games_compare_by_value() -> None:
    game = play_some("2", 1, 30)
    assert game == game.clone()
    assert game != play_some("2", 1, 31)
    assert game != Game(MODES["3"], 1)
    assert game != game.row.tobytes()
    with pytest.raises(TypeError, match="hash"):
        hash(game)


# --- Configurations and deals that cannot be -------------------------------------------------------


@pytest.mark.parametrize(
    "seed", [-1, -(2**70), 1.0, 1.5, "1", b"1", True, np.bool_(True), [1], (1, 2), {}, object()]
)
def test_seeds_that_cannot_be(seed: Any) -> None:
    with pytest.raises(ConfigError, match="seed"):
        Game(GameConfig(players=2), seed)


@pytest.mark.parametrize("config", ["4", 4, {"players": 4}, GameConfig, [GameConfig()]])
def test_configurations_of_another_form_are_refused(config: Any) -> None:
    with pytest.raises(ConfigError, match="GameConfig"):
        Game(config, 1)


def test_deals_are_for_seats_and_pools_for_solo() -> None:
    hands = draw_hands(MODES["solo"], 1)
    with pytest.raises(ConfigError, match="pools"):
        Game(MODES["solo"], 1, deals=[[hand] for hand in hands[:4]])
    with pytest.raises(ConfigError, match="deals"):
        Game(MODES["2"], 1, pools=hands)


def give(mode: str, hands: list[list[Any]]) -> Game:
    config, n = MODES[mode], MODES[mode].players
    if config.solo:
        return Game(config, 1, pools=hands)
    return Game(config, 1, deals=[hands[at : at + n] for at in range(0, len(hands), n)])


@pytest.mark.parametrize("mode", ["3", "4-ascension", "solo", "solo-sc01", "solo-ascension-sc01"])
def test_cards_that_cannot_be_dealt(mode: str) -> None:
    config, good = MODES[mode], draw_hands(MODES[mode], 9)
    give(mode, good)
    base = [kind for kind in kinds() if kind.deck == "base"]
    single = next(kind.id for kind in base if kind.copies == 1)
    for wrong in ("no_such_card", 5, None, ["zeppelin"], "zeppelin " * 1000):
        with pytest.raises(ConfigError):
            give(mode, [[wrong, *good[0][1:]], *good[1:]])
    twice = [[single, *hand[1:]] if at < 2 else hand for at, hand in enumerate(good)]
    with pytest.raises(ConfigError, match=single):
        give(mode, twice)
    for hands in (good[:-1], [*good, good[0]], [good[0][1:], *good[1:]], [[*good[0], single], *good[1:]], []):
        with pytest.raises(ConfigError):
            give(mode, hands)
    if not config.ascension:
        foreign = next(kind.id for kind in kinds(CA) if kind.deck == "ascension")
        with pytest.raises(ConfigError, match=foreign):
            give(mode, [[foreign, *good[0][1:]], *good[1:]])


def test_a_card_of_the_scenario_cannot_be_dealt_too() -> None:
    game = Game(MODES["solo-sc01"], 1)
    named = kinds()[int(game.state.site_kind[0, 0])]
    there = named.copies - int((game.state.site_kind[0, : game.state.n_sites[0]] == named.index).sum())
    hands = [list(hand) for hand in draw_hands(MODES["solo-sc01"], 9)]
    hands = [[card for card in hand if card != named.id] for hand in hands]
    rest = (kind.id for kind in kinds() if kind.copies > 3 and kind.id != named.id)
    hands = [[*hand, *(next(rest) for _ in range(5 - len(hand)))] for hand in hands]
    give("solo-sc01", hands)
    for at in range(there + 1):
        hands[at][0] = named.id
    with pytest.raises(ConfigError, match=named.id):
        give("solo-sc01", hands)
