"""Records in which moves, cards or numbers were changed: refused with an error of ours, or played.

    python -m tests.records.mutated_records 1000 7        so many records, and the seed

A record that is replayed may end the game otherwise than it says; nothing else may happen.
"""

from __future__ import annotations

import copy
import random
import sys
from collections import Counter
from collections.abc import Callable
from typing import Any

from iaww_env.actions import action_table
from iaww_env.cards import kinds
from iaww_env.errors import RecordError
from iaww_env.random_games import record_games
from iaww_env.records import RecordMismatch, replay, verify_record
from tests.modes import CA, MODES

Record = dict[str, Any]
Change = Callable[[random.Random, Record], None]

JUNK: tuple[Any, ...] = (None, True, -1, 0, 30_000, 1 << 70, 1.5, "", "pick:zeppelin", [], {}, [[]], "\0")
ANY_KIND = [kind.id for kind in kinds(CA)]


def list_places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The path to every value in a record."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path] * bool(path) + [place for key, item in items for place in list_places(item, (*path, key))]


def find_holder(record: Record, place: tuple[Any, ...]) -> Any:
    for key in place[:-1]:
        record = record[key]
    return record


def put_junk(rng: random.Random, record: Record) -> None:
    place = rng.choice(list_places(record))
    find_holder(record, place)[place[-1]] = copy.deepcopy(rng.choice(JUNK))


def remove_value(rng: random.Random, record: Record) -> None:
    place = rng.choice(list_places(record))
    del find_holder(record, place)[place[-1]]


def swap_values(rng: random.Random, record: Record) -> None:
    places = list_places(record)
    one, other = rng.choice(places), rng.choice(places)
    if one[: len(other)] != other and other[: len(one)] != one:
        first, second = find_holder(record, one), find_holder(record, other)
        first[one[-1]], second[other[-1]] = second[other[-1]], first[one[-1]]


def change_move(rng: random.Random, record: Record) -> None:
    """Another move of the table of actions, or of another seat."""
    move = rng.choice(record["moves"])
    table = action_table(tuple(record["config"]["expansions"]))
    move[1] = table.to_text(rng.randrange(len(table)))
    move[0] = rng.choice((move[0], move[0], rng.randrange(8)))


def move_moves(rng: random.Random, record: Record) -> None:
    """Moves come in another order, twice, or not at all."""
    moves = record["moves"]
    start = rng.randrange(len(moves))
    part = moves[start : start + rng.randrange(1, 6)]
    way = rng.randrange(4)
    if way == 0:
        del moves[start : start + len(part)]
    elif way == 1:
        moves[start:start] = copy.deepcopy(part)
    elif way == 2:
        moves[start : start + len(part)] = part[::-1]
    else:
        rng.shuffle(moves)


def change_cards(rng: random.Random, record: Record) -> None:
    """Another card is dealt or dug, or cards change hands."""
    hands = record.get("deals") or [record.get("pools") or [[]]]
    dealt = [hand for seats in hands for hand in seats] + (record.get("digs") or [])
    hand, other = rng.choice(dealt), rng.choice(dealt)
    if hand and other:
        i, j = rng.randrange(len(hand)), rng.randrange(len(other))
        if rng.random() < 0.5:
            hand[i] = rng.choice(ANY_KIND)
        else:
            hand[i], other[j] = other[j], hand[i]


def change_config(rng: random.Random, record: Record) -> None:
    name, values = rng.choice(
        (
            ("players", (1, 2, 3, 5, 7, 8)),
            ("expansions", ([], [*CA])),
            ("empire_side", tuple("ABCDEFG")),
            ("scenario", (None, "base_sc01", "ascension_sc06")),
        )
    )
    record["config"][name] = rng.choice(values)


CHANGES: tuple[Change, ...] = (
    *(put_junk, remove_value, swap_values),
    *(change_move, change_move, move_moves, move_moves, change_cards, change_cards, change_config),
)


def try_record(record: Record) -> str:
    """What became of a record."""
    try:
        verify_record(record)
        return "agrees"
    except RecordMismatch:
        found = "differs"
    except RecordError:
        found = "refused"
    try:
        game = replay(record)
    except RecordError:
        return found
    assert min(game.scores()) >= 0
    return found


def try_records(count: int, seed: int) -> Counter[str]:
    """What became of so many records."""
    rng, found = random.Random(seed), Counter[str]()
    originals = [
        next(record_games(config, 1, seed + number, checks=number % 2 == 0, discards=True))
        for number, config in enumerate(MODES.values())
    ]
    while found.total() < count:
        record = copy.deepcopy(rng.choice(originals))
        for _ in range(rng.choice((1, 1, 1, 2, 4))):
            try:
                rng.choice(CHANGES)(rng, record)
            except (KeyError, IndexError, TypeError, AttributeError, ValueError):
                break  # an earlier change has taken away what this one looks for
        found[try_record(record)] += 1
    return found


if __name__ == "__main__":
    found = try_records(int(sys.argv[1]), int(sys.argv[2]))
    print(found["agrees"], found["differs"], found["refused"])
