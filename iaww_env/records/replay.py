"""Play a game again from its record, with the cards that stand there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from iaww_env import rulebook
from iaww_env.cards import kinds
from iaww_env.errors import IllegalActionError, RecordError
from iaww_env.game import Game, lend_state
from iaww_env.records.capture import list_decks
from iaww_env.records.form import ParsedRecord, parse_record


def replay(record: Mapping[str, Any], moves: int | None = None, *, number: int = 1) -> Game:
    """The game of a record, after all its moves or the first few. Checks and result are not compared.

    Args:
        record: A record, as `read_records` or a `Recorder` gives it.
        moves: How many moves to play; None plays them all.
        number: Place of the record in its file, for messages.

    Raises:
        RecordError: The record is garbled, or its moves cannot be played.
    """
    parsed = parse_record(record, number)
    if moves is not None and not 0 <= moves <= len(parsed.moves):
        raise RecordError(f"record {number} has {len(parsed.moves)} moves: {moves} cannot be played")
    wanted = len(parsed.moves) if moves is None else moves
    return next(game for played, game in play_moves(parsed) if played == wanted)


def play_moves(parsed: ParsedRecord) -> Iterator[tuple[int, Game]]:
    """Play a record: before each move its number and the game, and once more after the last move.

    It is the same game each time: copy what you keep.

    Raises:
        RecordError: A move or a dig cannot be played, or the moves end too early for the result.
    """
    where = f"record {parsed.number}"
    game = Game(parsed.config, parsed.seed or 0, deals=parsed.deals, pools=parsed.pools)
    dug = 0
    for number, (seat, action) in enumerate(parsed.moves):
        yield number, game
        try:
            dug += play_move(game, partial(game.step, seat, action), parsed.digs[dug : dug + 1])
        except IllegalActionError as error:
            raise RecordError(f"{where}: move {number}: {error}") from error
        except RecordError as error:
            raise RecordError(f"{where}: move {number}: dig {dug}: {error}") from error
    number = len(parsed.moves)
    if dug < len(parsed.digs):
        raise RecordError(f"{where}: {len(parsed.digs)} digs stand in the record, but the moves make {dug}")
    if parsed.result is not None and not game.over:
        raise RecordError(f"{where}: {describe_early_end(number)}")
    yield number, game


def describe_early_end(moves: int) -> str:
    """What is wrong with a record whose moves end before the game does."""
    return f"there is a result, but the game is not over after all {moves} moves"


def play_move(game: Game, play: Callable[[], object], digs: Sequence[Sequence[str]]) -> int:
    """Play a move; returns 1 where it began to look at dug cards, which are then the first of `digs`.

    Raises:
        RecordError: It shows cards, and `digs` does not say which, or others than can be shown.
    """
    if not game.config.solo or game.state.tosses != 1:
        play()
        return 0
    deck = int(game.state.dig_deck) - 1
    left = list_decks(game)[deck]
    play()
    if not game.state.pack_size:  # something else than the second toss
        return 0
    if not digs:
        raise RecordError("the record does not say which cards were shown")
    # Where the discards were shuffled under the deck, the cards that were left lie on top (ruling 13).
    too_few = len(left) < rulebook.LOOKS[deck]
    show_dug_cards(game, digs[0], left if too_few else ())
    return 1


def show_dug_cards(game: Game, cards: Sequence[str], on_top: Sequence[int] = ()) -> None:
    """Put the named cards in the place of those that a dig shows.

    The cards shown go into the deck, where the named ones come out; all others stay where they lie.

    Args:
        game: A solo game in which cards of a dig are shown.
        cards: Kinds to be shown, as many as are shown now.
        on_top: Kinds that are shown in any case, being the last of the deck before its discards were
            shuffled under it.

    Raises:
        RecordError: These cards cannot be the ones shown; the game is unchanged.
    """
    state, table = lend_state(game), kinds(game.config.expansions)
    size, deck = int(state.pack_size), int(state.dig_deck) - 1
    if len(cards) != size:
        raise RecordError(f"{len(cards)} cards stand in the record, where {size} are shown")
    shown = Counter(state.packs[0, :size].tolist())
    wanted = Counter(next(kind.index for kind in table if kind.id == card) for card in cards)
    window = (state.base_deck, state.ascension_deck)[deck]
    rest = window[int(state.deck_next[deck]) : int(state.deck_end[deck])]
    into, out_of = shown - wanted, wanted - shown
    if lost := out_of - Counter(rest.tolist()):
        raise RecordError(f"{table[min(lost)].id!r} cannot be shown: no such card is left in the deck")
    if lost := Counter(on_top) - wanted:
        raise RecordError(f"{table[min(lost)].id!r} lies on top of the deck and is not among the cards shown")
    for old, new in zip(into.elements(), out_of.elements(), strict=True):
        rest[rest.tolist().index(new)] = old
    state.packs[0, :size] = sorted(wanted.elements())
