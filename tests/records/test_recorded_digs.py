"""Records of solo games: digs rest on the record alone, and other cards than could be shown are refused."""

from collections import Counter
from typing import Any

import pytest

from iaww_env.cards import EXPANSIONS, kinds, scenario
from iaww_env.config import GameConfig
from iaww_env.errors import RecordError
from iaww_env.game import Game, lend_state
from iaww_env.records.capture import list_decks
from iaww_env.records.recorder import Recorder, record_game
from iaww_env.records.replay import replay, show_dug_cards
from iaww_env.records.verify import RecordMismatch, verify_record
from tests.records.recorded_play import SCENARIOS, SOLO, choose_digs, name_mode, play_recorded, same_cards


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
        recorder.step(0, choose_digs(deck)(recorder.game, 0))
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
        game.step(0, choose_digs(deck)(game, 0))


def count_cards(game: Game) -> Counter[int]:
    state = lend_state(game)
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
    return record_game(config, choose_digs(deck), seed=6)


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


def test_whether_a_scenario_is_won_is_written_and_compared() -> None:
    played = record_eager_digs(SCENARIOS[0], "base")
    result = played["result"]
    assert result["scenario_won"] is False
    with pytest.raises(RecordMismatch, match="scenario_won: the record says True, the rules give False"):
        verify_record(played | {"result": result | {"scenario_won": True}})
    # Records of before do not say it, and are read as they stand.
    before = {name: value for name, value in result.items() if name != "scenario_won"}
    assert verify_record(played | {"result": before}).results == 1
    for other in (None, 0, "false", []):
        with pytest.raises(RecordError, match=r"scenario_won is .* where true or false stands"):
            verify_record(played | {"result": result | {"scenario_won": other}})
    solo = record_eager_digs(GameConfig(players=1), "base")
    assert "scenario_won" not in solo["result"]
    with pytest.raises(RecordError, match="unknown field 'scenario_won'"):
        verify_record(solo | {"result": solo["result"] | {"scenario_won": False}})


def test_a_scenario_that_was_won_is_written_so() -> None:
    recorder = Recorder(Game(SCENARIOS[0], 6))
    while not recorder.game.over:
        recorder.step(0, choose_digs("base")(recorder.game, 0))
    state = lend_state(recorder.game)
    for card in scenario("base_sc01").cards:
        state.built[0, next(one.index for one in kinds() if one.id == card)] = 1
    assert recorder.record()["result"]["scenario_won"] is True
