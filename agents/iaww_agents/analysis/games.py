"""Where tables come from: games that bots play now, or records of any games, people's included."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from iaww_agents.analysis.tables import TableMaker, Tables, TracedGame
from iaww_agents.analysis.trace import make_trace, trace_moves
from iaww_agents.arena.play.results import OK, Result
from iaww_agents.arena.play.tournament import run_tournament
from iaww_env.breakdown import count_parts
from iaww_env.config import GameConfig
from iaww_env.engine import fields
from iaww_env.engine.kernels.game import Moves
from iaww_env.errors import RecordError
from iaww_env.game import Game, lend_row
from iaww_env.records import read_records
from iaww_env.records.form import ParsedRecord, list_agents, parse_record
from iaww_env.records.replay import describe_early_end, play_move

MOST_SEED = (1 << 63) - 1  # the greatest that a column of whole numbers holds; one beyond stands there as -1

Report = Callable[[int, int], None]


def analyze_bots(
    agents: Sequence[str],
    config: GameConfig | None = None,
    *,
    games: int = 1000,
    key: str | None = None,
    workers: int | None = None,
    report: Report | None = None,
) -> Tables:
    """Let bots play a tournament, and make tables of its games; games that broke off are left out.

    A script that calls it needs `if __name__ == "__main__":`, for its processes.

    Args:
        agents: Specs of the bots, as `run_tournament` takes them.
        config: What is played.
        games: At least so many games, in whole deals.
        key: All deals follow from it: the same key, the same games.
        workers: Processes; one for each core by default.
        report: Called with the games done and the games to be played.
    """
    maker, played = TableMaker(), list[Result]()
    run_tournament(agents, config, games=games, key=key, workers=workers, report=report, keep=played.extend)
    for result in sorted(played, key=lambda one: (one.fixture.deal, one.fixture.turn, one.agents)):
        if result.status == OK:
            maker.add(trace_result(result))
    return maker.make()


def trace_result(result: Result) -> TracedGame:
    """A game of a tournament that came with its moves, played again."""
    assert result.moves is not None
    fixture = result.fixture
    about = {"deal": fixture.deal, "turn": fixture.turn, "seed": fixture.seed}
    game = Game(fixture.config, fixture.seed)
    return trace_game(game, result.moves, fixture.agents, about)


def analyze_records(paths: Sequence[Path], report: Report | None = None) -> Tables:
    """Make tables of recorded games; those that were not played to their end are left out.

    Whether a game is at its end its moves say: a record need not tell the result.

    Games from one seed are of one deal, whichever file they stand in, for they share their cards; a game
    whose record tells no seed is a deal of its own.

    Raises:
        RecordError: A record is garbled, its moves cannot be played, or they end too early for its result.
    """
    maker, number = TableMaker(), 0
    deals: dict[int, int] = {}
    for path in paths:
        for within, record in enumerate(read_records(path), 1):
            parsed = parse_record(record, within)
            number += 1
            key = -number if parsed.seed is None else parsed.seed  # numbers below 0 are no seeds
            game = trace_record(record, parsed, deals.get(key, len(deals)))
            if game.over:
                maker.add(game)
                deals.setdefault(key, len(deals))
            if report is not None:
                report(number, 0)
    return maker.make()


def trace_record(record: Mapping[str, Any], parsed: ParsedRecord, deal: int) -> TracedGame:
    """A recorded game of a deal, played again.

    Raises:
        RecordError: Its moves cannot be played, or end too early for its result.
    """
    bots = list_agents(record.get("meta"))
    seed = -1 if parsed.seed is None or parsed.seed > MOST_SEED else parsed.seed
    about = {"deal": deal, "turn": 0, "seed": seed}
    game = Game(parsed.config, parsed.seed or 0, deals=parsed.deals, pools=parsed.pools)
    moves = np.array(parsed.moves, np.int16).reshape(-1, 2)
    agents = bots if len(bots) == parsed.config.players else ()
    try:
        traced = trace_game(game, moves, agents, about, parsed.digs)
    except RecordError as error:
        raise RecordError(f"record {parsed.number}: {error}") from error
    if parsed.result is not None and not traced.over:
        raise RecordError(f"record {parsed.number}: {describe_early_end(len(moves))}")
    return traced


def trace_game(
    game: Game,
    moves: Moves,
    bots: Sequence[str],
    about: Mapping[str, Any],
    digs: Sequence[Sequence[str]] | None = None,
) -> TracedGame:
    """Play a game from its start by its moves, and count what they do.

    Args:
        game: The game, untouched; it is played on.
        moves: (moves, 2) seats and actions.
        bots: Who played, by seat; empty where nobody knows.
        about: What is known of the game.
        digs: Alone: cards that digs showed, where they are not those of the game's own stream.

    Raises:
        RecordError: A move cannot be played.
    """
    config = game.config.replace(empires=tuple(game.empires))
    trace = make_trace(config.players, game.actions.kinds)
    legal, row = np.empty(fields.MOST_LEGAL, np.int16), lend_row(game)

    def play(first: int, last: int) -> None:
        done = trace_moves(row, moves, first, last, legal, trace)
        if done < last:
            seat, action = moves[done].tolist()
            raise RecordError(f"move {done} of seat {seat}, action {action}, is not legal")

    if digs is None or not config.solo:
        play(0, len(moves))
    else:
        dug = 0
        for number in range(len(moves)):
            dug += play_move(game, partial(play, number, number + 1), digs[dug : dug + 1])
    state = game.state
    tokens = (state.krystallium, state.generals, state.financiers, state.empire_cubes, state.n_sites)
    return TracedGame(
        config,
        {**about, "moves": len(moves)},
        bots,
        game.scores(),
        game.places(),
        count_parts(row, config.players)[0],
        np.stack(tokens, axis=1),
        trace.cards,
        trace.rounds,
        game.over,
    )
