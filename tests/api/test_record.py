"""Our own records: every mode round-trips, and a replay rests on the record alone, digs included."""

import json
import pickle
from collections import Counter
from typing import Any

import numpy as np
import pytest

from iaww_env.cards import EXPANSIONS, kinds, scenario, scenarios
from iaww_env.config import GameConfig
from iaww_env.errors import ActionTextError, IllegalActionError, RecordError
from iaww_env.game import Game
from iaww_env.random_games import choose_at_random
from iaww_env.records.capture import describe_seat, hide_chance, list_deals, list_decks, list_pools
from iaww_env.records.recorder import Recorder, record_game
from iaww_env.records.replay import replay, show_dug_cards
from iaww_env.records.verify import RecordMismatch, Tally, verify_record

MODES = [
    *(GameConfig(players=players) for players in (1, 2, 3, 4, 5)),
    *(GameConfig(players=players, expansions=EXPANSIONS) for players in range(1, 8)),
    GameConfig(players=3, empire_side="F", empires=(None, "aztec_empire", None)),
    GameConfig(players=7, expansions=EXPANSIONS, empire_side="B"),
]
SCENARIOS = [
    GameConfig(players=1, expansions=EXPANSIONS if one.needs_expansion else (), scenario=one.id)
    for one in scenarios()
]
SOLO = [GameConfig(players=1), GameConfig(players=1, expansions=EXPANSIONS), *SCENARIOS[::5]]


def name_mode(config: GameConfig) -> str:
    if config.scenario is not None:
        return config.scenario
    return f"{config.players}{'-ascension' if config.ascension else ''}-{config.empire_side}"


def play_recorded(
    config: GameConfig, seed: int, *, moves: int | None = None, discards: bool = True
) -> Recorder:
    """A random game, noted; the seats decide in random order."""
    rng = np.random.default_rng(seed)
    recorder = Recorder(Game(config, seed), seed, checks=True)
    game = recorder.game
    while (seats := game.seats_to_act()) and (moves is None or len(recorder.record()["moves"]) < moves):
        seat = seats[int(rng.integers(len(seats)))]
        recorder.step(seat, choose_at_random(game, seat, rng, discards=discards))
    return recorder


def choose_eagerly(deck: str = "base") -> Any:
    """Digs whenever it can, keeps the first card shown, and recycles what it has; never gives a card up."""
    wanted = (f"dig:{deck}", "toss:", "pick:", "recycle:", "to_empire", "end", "choose:")

    def choose(game: Game, seat: int) -> str:
        legal = game.legal_texts(seat)
        return next(text for verb in wanted for text in legal if text.startswith(verb))

    return choose


def same_cards(one: Game, other: Game) -> bool:
    return np.array_equal(hide_chance(one), hide_chance(other))


# --- Round trips ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("config", MODES + SCENARIOS, ids=name_mode)
def test_a_recorded_game_verifies_and_replays_to_the_same_state(config: GameConfig) -> None:
    for discards in (False, True):
        recorder = play_recorded(config, seed=11, discards=discards)
        game, record = recorder.game, json.loads(json.dumps(recorder.record()))
        assert record == recorder.record()
        assert (record["seed"], record["result"]["scores"]) == (11, game.scores())
        n_checks = 24 * config.players  # planning and five steps in each of four rounds
        assert verify_record(record) == Tally(1, len(record["moves"]), n_checks, 1)
        again = replay(record)
        assert same_cards(again, game)
        assert (again.scores(), again.places(), again.winners()) == (
            game.scores(),
            game.places(),
            game.winners(),
        )
        assert (again.medal(), again.title()) == (game.medal(), game.title())


@pytest.mark.parametrize("config", [*MODES, *SCENARIOS[::4]], ids=name_mode)
def test_a_record_needs_no_seed(config: GameConfig) -> None:
    recorder = play_recorded(config, seed=4)
    record = recorder.record()
    del record["seed"]
    for changed in (record, record | {"seed": 99}):
        assert verify_record(changed).results == 1
        assert same_cards(replay(changed), recorder.game)


@pytest.mark.parametrize("config", MODES, ids=name_mode)
def test_the_recorded_seed_sets_up_the_same_game(config: GameConfig) -> None:
    record = play_recorded(config, seed=21, moves=0).record()
    game = Game(config, record["seed"])
    assert list(record["config"]["empires"]) == game.empires
    if config.solo:
        assert record["pools"] == list_pools(game)
    else:
        assert record["deals"] == list_deals(game)


def test_deals_are_the_hands_that_come_in_every_round() -> None:
    """Read from the decks at the start, seen in the packs when each round begins."""
    for config in (GameConfig(players=3), GameConfig(players=2, expansions=EXPANSIONS)):
        record = play_recorded(config, seed=8).record()
        game = replay(record | {"checks": []}, 0)
        seen: list[list[Counter[str]]] = []
        for seat, text in record["moves"]:
            if game.round > len(seen):
                assert game.phase == "draft"
                seen.append([Counter(game.hand(one)) for one in range(config.players)])
            game.step(seat, text)
        assert [[Counter(hand) for hand in deal] for deal in record["deals"]] == seen


def test_a_replay_stops_after_any_number_of_moves() -> None:
    for config in (GameConfig(players=3), GameConfig(players=1)):
        recorder = Recorder(Game(config, 5))
        states, rng = [recorder.game.clone()], np.random.default_rng(0)
        while seats := recorder.game.seats_to_act():
            recorder.step(seats[0], choose_at_random(recorder.game, seats[0], rng))
            states.append(recorder.game.clone())
        record = recorder.record()
        for played in range(0, len(states), 25):
            assert same_cards(replay(record, played), states[played])
        assert same_cards(replay(record), states[-1])
        for beyond in (-1, len(states)):
            with pytest.raises(RecordError, match="cannot be played"):
                replay(record, beyond)


@pytest.mark.parametrize("config", [GameConfig(players=4), GameConfig(players=1)], ids=name_mode)
def test_an_unfinished_game_has_no_result_and_verifies(config: GameConfig) -> None:
    recorder = play_recorded(config, seed=2, moves=40)
    record = recorder.record()
    assert "result" not in record
    tally = verify_record(record)
    assert (tally.moves, tally.results) == (40, 0)
    assert same_cards(replay(record), recorder.game)


# --- The recorder --------------------------------------------------------------------------------------


def test_a_game_that_has_gone_on_cannot_be_recorded() -> None:
    for config in (GameConfig(players=2), GameConfig(players=1), SCENARIOS[0]):
        game = Game(config, 3)
        game.step(0, game.legal_actions(0)[0])
        with pytest.raises(RecordError, match="gone on"):
            Recorder(game)
    # Nothing was drafted or slated, but a card of the scenario is gone.
    game = Game(SCENARIOS[0], 3)
    game.step(0, next(text for text in game.legal_texts(0) if text.startswith("discard:")))
    with pytest.raises(RecordError, match="gone on"):
        Recorder(game)
    over = play_recorded(GameConfig(players=2), 1).game
    with pytest.raises(RecordError, match="gone on"):
        Recorder(over)


def test_an_illegal_action_is_not_noted() -> None:
    recorder = Recorder(Game(GameConfig(players=2), 3), checks=True)
    before = recorder.game.to_bytes()
    for action in ("end", "wait", 625, -1):
        with pytest.raises(IllegalActionError):
            recorder.step(1, action)
    with pytest.raises(ActionTextError):
        recorder.step(1, "pick:nothing")
    assert recorder.game.to_bytes() == before
    assert (recorder.record()["moves"], recorder.record()["checks"]) == ([], [])


def test_a_record_shares_nothing_with_its_recorder() -> None:
    recorder = play_recorded(GameConfig(players=2), 1, moves=30)
    record = recorder.record()
    for name in ("config", "deals", "moves", "checks"):
        record[name].clear()
    assert verify_record(recorder.record()).moves == 30


def test_checks_are_noted_before_each_end_only_where_asked() -> None:
    record = play_recorded(GameConfig(players=2), 1).record()
    ends = [(number, seat) for number, (seat, text) in enumerate(record["moves"]) if text == "end"]
    assert [(check["before"], check["seat"]) for check in record["checks"]] == ends
    config = GameConfig(players=2)
    plain = record_game(config, lambda game, seat: game.legal_actions(seat)[-1], seed=1)
    assert "checks" not in plain
    assert plain["seed"] == 1
    assert record_game(config, lambda game, seat: game.legal_texts(seat)[-1], seed=1) == plain


def test_a_check_says_how_a_seat_stands() -> None:
    """A seat set up by hand: corruption below 0 stays visible, cards come in the order of their ids."""
    game = Game(GameConfig(players=2, empires=("noram_states", "aztec_empire")), 0)
    row = game.state
    row.generals[1], row.financiers[1], row.krystallium[1], row.empire_cubes[1] = 2, 3, 4, 1
    row.production[1] = [0, 2, -1, 0, 5]
    index = {kind.id: kind.index for kind in kinds()}
    row.built[1, index["zeppelin"]] = 2
    row.n_sites[1] = 3
    for site, card in enumerate(("zeppelin", "zeppelin", "icebreaker")):
        row.site_kind[1, site] = index[card]
    row.site_missing[1, 0, 1] = 2
    row.site_missing[1, 1, 1] = 1
    row.site_missing[1, 2, [2, 7]] = [1, 1]
    found = describe_seat(game, 1)
    assert {name: found[name] for name in found if name != "points"} == {
        "round": 1,
        "phase": "draft",
        "generals": 2,
        "financiers": 3,
        "krystallium": 4,
        "empire_cubes": 1,
        "under_construction": [
            {"card": "icebreaker", "missing": {"science": 1, "financier": 1}},
            {"card": "zeppelin", "missing": {"energy": 1}},
            {"card": "zeppelin", "missing": {"energy": 2}},
        ],
        "built": {"zeppelin": 2},
        "net_production": [0, 2, -1, 0, 5],
    }
    assert found["points"] == game.scores()[1]


# --- Solo: digs -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("config", "deck"),
    [
        (config, deck)
        for config in SOLO
        for deck in ("base", "ascension")
        if deck == "base" or config.ascension
    ],
    ids=lambda value: value if isinstance(value, str) else name_mode(value),
)
def test_digs_are_replayed_through_a_reshuffled_deck(config: GameConfig, deck: str) -> None:
    number = ("base", "ascension").index(deck)
    recorder = Recorder(Game(config, 6), checks=True)
    while recorder.game.seats_to_act():
        recorder.step(0, choose_eagerly(deck)(recorder.game, 0))
    game, record = recorder.game, recorder.record()
    assert game.state.reshuffled[number] == 1
    assert len(record["digs"]) == sum(text.startswith("dig:") for _, text in record["moves"]) > 20
    for seed in (None, 1, 2):
        changed = record if seed is None else record | {"seed": seed}
        assert verify_record(changed).games == 1
        assert same_cards(replay(changed), game)


def play_to_dig(game: Game, deck: str = "base") -> None:
    """Play on until the cards of a dig are shown."""
    while not game.state.pack_size:
        game.step(0, choose_eagerly(deck)(game, 0))


def count_cards(game: Game) -> Counter[int]:
    state = game.state
    found = Counter(
        state.pools.ravel().tolist() + state.packs.ravel().tolist() + state.drafted.ravel().tolist()
    )
    for deck in list_decks(game):
        found.update(deck)
    found.update(state.site_kind[0, : state.n_sites[0]].tolist())
    for field in (state.built, state.discarded):
        found.update(Counter(dict(enumerate(field[0].tolist()))))
    del found[-1]
    return +found


@pytest.mark.parametrize("deck", ["base", "ascension"])
def test_showing_dug_cards_trades_places_and_leaves_the_deck_in_order(deck: str) -> None:
    config = GameConfig(players=1, expansions=EXPANSIONS)
    number = ("base", "ascension").index(deck)
    game = Game(config, 9)
    play_to_dig(game, deck)
    before, shown, left = count_cards(game), game.hand(0), list_decks(game)
    assert before == Counter({kind.index: kind.copies for kind in kinds(EXPANSIONS)})
    table = kinds(EXPANSIONS)
    # Keep one card that is shown, take the others from the bottom of the deck.
    fresh = [kind for kind in dict.fromkeys(reversed(left[number])) if table[kind].id not in shown]
    wanted = [shown[0], *(table[kind].id for kind in fresh[: len(shown) - 1])]
    show_dug_cards(game, wanted[::-1])
    assert Counter(game.hand(0)) == Counter(wanted)
    assert game.legal_texts(0)[: len(wanted)] == [f"pick:{card}" for card in game.hand(0)]
    assert count_cards(game) == before
    after = list_decks(game)
    assert after[1 - number] == left[1 - number]
    changed = [place for place, kind in enumerate(left[number]) if after[number][place] != kind]
    assert Counter(table[left[number][place]].id for place in changed) == Counter(wanted[1:])
    assert Counter(table[after[number][place]].id for place in changed) == Counter(shown[1:])


def test_cards_that_a_dig_cannot_show_are_refused_and_nothing_changes() -> None:
    game = Game(GameConfig(players=1, expansions=EXPANSIONS), 9)
    play_to_dig(game)
    shown, before = game.hand(0), game.to_bytes()
    other_deck = next(kind.id for kind in kinds(EXPANSIONS) if kind.deck == "ascension")
    for cards, match in (
        (shown[:-1], "4 cards"),
        ([*shown, shown[0]], "6 cards"),
        ([], "0 cards"),
        ([*shown[:-1], other_deck], other_deck),
        (["roswell"] * 5, "roswell"),  # there is one
    ):
        with pytest.raises(RecordError, match=match):
            show_dug_cards(game, cards)
        assert game.to_bytes() == before


def record_eager_digs(config: GameConfig, deck: str) -> dict[str, Any]:
    return record_game(config, choose_eagerly(deck), seed=6)


def test_digs_that_do_not_fit_the_moves_are_refused() -> None:
    record = record_eager_digs(GameConfig(players=1), "base")
    digs = record["digs"]
    spare = "zeppelin"
    unknown = next(kind.id for kind in kinds(EXPANSIONS) if kind.deck == "ascension")
    for changed, match in (
        (digs[:-1], "does not say which cards"),
        ([*digs, [spare]], "digs stand in the record"),
        ([digs[0][:-1], *digs[1:]], "where 5 are shown"),
        ([[*digs[0][:-1], unknown], *digs[1:]], "dig 0"),
        ([[], *digs[1:]], "dig 0 shows 0 cards"),
        ([digs[0] * 2, *digs[1:]], "dig 0 shows 10 cards"),
        (None, "digs"),
        ({}, "digs"),
        ([None, *digs[1:]], "dig 0"),
        ([[None] * 5, *digs[1:]], "dig 0"),
    ):
        with pytest.raises(RecordError, match=match):
            verify_record(record | {"digs": changed})
    del record["digs"]
    with pytest.raises(RecordError, match="does not say which cards"):
        verify_record(record)


def test_a_dig_cannot_show_a_card_that_is_out_of_the_deck() -> None:
    """A single card that lies in a pool cannot come out of the deck."""
    record = record_eager_digs(GameConfig(players=1), "base")
    single = {kind.id for kind in kinds() if kind.copies == 1}
    pooled = next(card for pool in record["pools"][1:] for card in pool if card in single)
    record["digs"][0][0] = pooled
    with pytest.raises(RecordError, match=f"move .*dig 0: '{pooled}'"):
        verify_record(record)


def test_the_last_cards_of_a_deck_come_before_its_shuffled_discards() -> None:
    """56 ascension cards less 16 in the pools leave 40: thirteen digs, and one card that lies on top."""
    record = record_eager_digs(GameConfig(players=1, expansions=EXPANSIONS), "ascension")
    tosses = [number for number, (_, text) in enumerate(record["moves"]) if text.startswith("toss:")][1::2]
    before = replay(record, tosses[13])
    (last,) = list_decks(before)[1]
    assert before.state.reshuffled[1] == 0
    name = kinds(EXPANSIONS)[last].id
    after = replay(record, tosses[13] + 1)
    assert after.state.reshuffled[1] == 1
    assert name in after.hand(0)
    other = next(kind for kind in list_decks(after)[1] if kind != last)
    shown = list(record["digs"][13])
    shown[shown.index(name)] = kinds(EXPANSIONS)[other].id
    record["digs"][13] = shown
    with pytest.raises(RecordError, match=f"move {tosses[13]}: dig 13: '{name}' lies on top"):
        verify_record(record)


@pytest.mark.parametrize("field", ["digs", "pools", "deals"])
def test_solo_and_other_records_do_not_mix(field: str) -> None:
    solo = record_eager_digs(GameConfig(players=1), "base")
    versus = play_recorded(GameConfig(players=2), 1, moves=3).record()
    if field == "deals":
        with pytest.raises(RecordError, match="unknown field 'deals'"):
            verify_record(solo | {"deals": versus["deals"]})
    else:
        with pytest.raises(RecordError, match=f"unknown field '{field}'"):
            verify_record(versus | {field: solo[field]})


def test_titles_and_medals_are_compared() -> None:
    solo = record_eager_digs(GameConfig(players=1), "base")
    assert (solo["result"]["places"], solo["result"]["winners"]) == ([1], [0])
    assert solo["result"]["title"] == "apprentice"
    with pytest.raises(RecordMismatch, match="title"):
        verify_record(solo | {"result": solo["result"] | {"title": "emperor"}})
    with pytest.raises(RecordError, match="unknown field 'medal'"):
        verify_record(solo | {"result": solo["result"] | {"medal": None}})
    played = record_eager_digs(SCENARIOS[0], "base")
    assert scenario("base_sc01").bronze > played["result"]["scores"][0]
    assert played["result"]["medal"] is None
    with pytest.raises(RecordMismatch, match="medal"):
        verify_record(played | {"result": played["result"] | {"medal": "bronze"}})
    with pytest.raises(RecordError, match="unknown field 'title'"):
        verify_record(played | {"result": played["result"] | {"title": "apprentice"}})


# --- Errors ----------------------------------------------------------------------------------------


def test_a_mismatch_says_where_and_survives_pickling() -> None:
    error = RecordMismatch(3, 17, 1, "points", 5, 7)
    assert str(error) == "record 3, before move 17, seat 1: points: the record says 5, the rules give 7"
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), vars(again)) == (str(error), vars(error))
