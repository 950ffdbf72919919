"""What is counted of a game is what a few slow lines count from its moves."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from iaww_agents.analysis import trace
from iaww_agents.analysis.games import trace_game, trace_record
from iaww_agents.analysis.tables import OF_ROUND, TOKEN_COLUMNS, TracedGame
from iaww_env.bots.games import BotGames
from iaww_env.bots.specs import make_agent
from iaww_env.breakdown import PARTS
from iaww_env.cards import RESOURCES, kind, kinds
from iaww_env.cards import scenario as find_scenario
from iaww_env.config import GameConfig
from iaww_env.engine.new_rows import make_rows, seed_stream
from iaww_env.errors import RecordError
from iaww_env.game import Game
from iaww_env.records import Recorder, read_records
from iaww_env.records.form import parse_record
from tests.modes import MODES
from tests.processes import ROOT
from tests.random_play import choose_action

Counted = dict[str, Counter[tuple[int, int]]]  # by seat and kind, or by seat and round


def play(config: GameConfig, seed: int) -> tuple[Recorder, list[tuple[int, int]], Counted, Counted]:
    """A random game, with what each move did noted from the game as people see it."""
    recorder, rng = Recorder(Game(config, seed), seed), random.Random(seed)
    game, moves = recorder.game, list[tuple[int, int]]()
    cards: Counted = {
        name: Counter() for name in ("offered", "picked", "slated", "recycled", "tossed", "given_up", "built")
    }
    rounds: Counted = {name: Counter() for name in OF_ROUND}
    while not game.over:
        seat = rng.choice(game.seats_to_act())
        action = choose_action(game, seat, rng, discards=seed % 2 == 1)
        before, verb, card = game.clone(), game.actions.verb(action), game.actions.kind(action)
        recorder.step(seat, action)
        moves.append((seat, action))
        count_move(before, game, seat, verb, -1 if card is None else card.index, cards, rounds)
    return recorder, moves, cards, rounds


def count_move(
    before: Game, game: Game, seat: int, verb: str, card: int, cards: Counted, rounds: Counted
) -> None:
    turn, alone = before.round, before.config.solo
    names = {
        "pick": "picked",
        "slate": "slated",
        "recycle": "recycled",
        "toss": "tossed",
        "discard": "given_up",
    }
    if verb in names:
        cards[names[verb]][seat, card] += 1
    if verb == "pick":
        for name in before.hand(seat):
            cards["offered"][seat, kind(name).index] += 1
        cards["offered"][seat, card] -= alone
    elif alone and verb in ("slate", "recycle", "toss"):
        cards["offered"][seat, card] += 1
    rounds["recycled"][seat, turn] += verb == "recycle"
    if sum(game.built(seat).values()) > sum(before.built(seat).values()):
        cards["built"][seat, card] += 1
        rounds["built"][seat, turn] += 1
    token = before.state.held[seat]
    rounds["krystallium_used"][seat, turn] += verb == "place" and 1 <= token <= 6
    rounds["characters_used"][seat, turn] += verb == "place" and token > 6
    began = (before.round, before.phase) != (game.round, game.phase)
    for other in range(game.config.players):
        if began and game.phase in RESOURCES:
            made = max(0, int(game.state.production[other, RESOURCES.index(game.phase)]))
            rounds[f"produced_{game.phase}"][other, game.round] = made
        for name in ("generals", "financiers"):
            won = int(getattr(game.state, name)[other]) - int(getattr(before.state, name)[other])
            if began or (other == seat and verb == "choose"):
                rounds[f"{name}_won"][other, turn] += won
        if game.round != turn or game.over:
            rounds["points"][other, turn] = game.scores()[other]


def check_trace(found: TracedGame, game: Game, cards: Counted, rounds: Counted) -> None:
    columns = {
        "offered": trace.OFFERED,
        "picked": trace.PICKED,
        "slated": trace.SLATED,
        "recycled": trace.RECYCLED,
    }
    columns |= {"tossed": trace.TOSSED, "given_up": trace.GIVEN_UP, "built": trace.BUILT}
    for name, column in columns.items():
        counted = {key: n for key, n in cards[name].items() if n}
        seats, numbers = np.nonzero(found.cards[:, :, column])
        traced = {
            (s, k): int(found.cards[s, k, column])
            for s, k in zip(seats.tolist(), numbers.tolist(), strict=True)
        }
        assert traced == counted, name
    for name, column in OF_ROUND.items():
        if name != "cubes_to_empire":
            for (seat, turn), number in rounds[name].items():
                assert found.rounds[seat, turn - 1, column] == number, (name, seat, turn)
            assert found.rounds[:, :, column].sum() == sum(rounds[name].values()), name
    assert list(found.points) == game.scores()
    brought = found.cards[:, :, trace.BROUGHT].sum(1)
    others = found.parts[:, PARTS.index("empire") :].sum(1)
    assert (brought + others).tolist() == game.scores()
    unfinished = game.state.n_sites.tolist()
    assert found.tokens[:, TOKEN_COLUMNS.index("unfinished")].tolist() == unfinished
    begun = found.cards[:, :, [trace.SLATED, trace.STARTED]].sum((1, 2))
    ended = found.cards[:, :, [trace.BUILT, trace.GIVEN_UP]].sum((1, 2))
    assert (begun - ended).tolist() == unfinished
    scenario = game.config.scenario
    started = Counter(kind(id).index for id in find_scenario(scenario).cards) if scenario else {}
    assert {k: n for k, n in enumerate(found.cards[0, :, trace.STARTED].tolist()) if n} == started


@pytest.mark.parametrize("mode", MODES)
def test_what_is_traced_is_what_happened(mode: str) -> None:
    for seed in (2, 3):
        recorder, moves, cards, rounds = play(MODES[mode], seed)
        fresh = Game(MODES[mode], seed)
        found = trace_game(fresh, np.array(moves, np.int16), (), {})
        assert fresh == recorder.game
        check_trace(found, recorder.game, cards, rounds)
        record = recorder.record()
        again = trace_record(record, parse_record(record), 0)
        assert again.cards.tobytes() == found.cards.tobytes()
        assert again.rounds.tobytes() == found.rounds.tobytes()


@pytest.mark.parametrize("mode", ["4", "solo-ascension"])
def test_cubes_on_the_empire_card_are_counted(mode: str) -> None:
    """All that ever came to lie there: five each for the krystallium that neither cards nor empires gave."""
    config, by_cards = MODES[mode], 0
    bots, seeds = [make_agent("heuristic")] * config.players, range(4)
    played = BotGames(bots, config).play(make_rows(config, seeds), [*map(seed_stream, seeds)], noting=True)
    for seed, moves in zip(seeds, played, strict=True):
        start, game = Game(config, seed), Game(config, seed)
        found = trace_game(start.clone(), moves, (), {})
        for seat, action in moves.tolist():
            game.step(seat, action)
        for seat in range(config.players):
            bonus = sum(n * kind(name).bonus_krystallium for name, n in game.built(seat).items())
            by_cards += bonus
            given = int(start.state.krystallium[seat]) + bonus
            used = int(found.rounds[seat, :, OF_ROUND["krystallium_used"]].sum())
            made = int(game.state.krystallium[seat]) + used - given
            total = int(found.rounds[seat, :, OF_ROUND["cubes_to_empire"]].sum())
            assert total == 5 * made + int(game.state.empire_cubes[seat])
            assert total > 0
    assert by_cards > 0, "else cards that give krystallium are not seen"


def test_first_picks_and_first_built_ones_have_their_rounds() -> None:
    _, moves, *_ = play(MODES["3"], 2)
    found = trace_game(Game(MODES["3"], 2), np.array(moves, np.int16), (), {})
    game, first, built = (
        Game(MODES["3"], 2),
        dict[tuple[int, int], tuple[int, int]](),
        dict[tuple[int, int], int](),
    )
    for seat, action in moves:
        turn, pick, card = game.round, int(game.state.pick) + 1, game.actions.kind(action)
        count = int(game.state.n_built[seat])
        verb = game.actions.verb(action)
        game.step(seat, action)
        if card is not None and verb == "pick":
            first.setdefault((seat, card.index), (turn, pick))
        if card is not None and int(game.state.n_built[seat]) > count:
            built.setdefault((seat, card.index), turn)
    for (seat, number), when in first.items():
        assert tuple(found.cards[seat, number, [trace.PICK_ROUND, trace.PICK_NUMBER]]) == when
    for (seat, number), turn in built.items():
        assert found.cards[seat, number, trace.BUILT_ROUND] == turn
    assert np.count_nonzero(found.cards[:, :, trace.PICK_ROUND]) == len(first)
    assert np.count_nonzero(found.cards[:, :, trace.BUILT_ROUND]) == len(built) > 0


def test_games_of_others_are_traced_too() -> None:
    """Recorded games of another implementation, whose cards follow from no seed."""
    path = ROOT / "tests" / "oracle" / "recorded_games.jsonl.gz"
    for number, record in enumerate(read_records(path)):
        found = trace_record(record, parse_record(record), number)
        assert list(found.points) == record["result"]["scores"]
        assert found.about["seed"] == record.get("seed", -1)
        assert found.about["deal"] == number
        picks = sum(text.startswith("pick:") for _, text in record["moves"])
        assert found.cards[:, :, trace.PICKED].sum() == picks


def test_moves_that_are_not_legal_are_refused(tmp_path: Path) -> None:
    _, moves, *_ = play(MODES["2"], 2)
    broken = np.array(moves, np.int16)
    broken[9, 1] = len(kinds()) * 20
    with pytest.raises(RecordError, match="move 9 of seat"):
        trace_game(Game(MODES["2"], 2), broken, (), {})
