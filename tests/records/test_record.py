"""Our own records: every mode round-trips, and a replay rests on the record alone."""

import json
import pickle
from collections import Counter

import numpy as np
import pytest

from iaww_env.cards import EXPANSIONS, kinds
from iaww_env.config import GameConfig
from iaww_env.errors import ActionTextError, IllegalActionError, RecordError
from iaww_env.game import Game, lend_state
from iaww_env.random_games import choose_at_random
from iaww_env.records.capture import describe_seat, list_deals, list_pools
from iaww_env.records.recorder import Recorder, record_game
from iaww_env.records.replay import replay
from iaww_env.records.verify import RecordMismatch, Tally, verify_record
from tests.records.recorded_play import MODES, SCENARIOS, name_mode, play_recorded, same_cards

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
    row = lend_state(game)
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


# --- Errors ----------------------------------------------------------------------------------------


def test_a_mismatch_says_where_and_survives_pickling() -> None:
    error = RecordMismatch(3, 17, 1, "points", 5, 7)
    assert str(error) == "record 3, before move 17, seat 1: points: the record says 5, the rules give 7"
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), vars(again)) == (str(error), vars(error))
