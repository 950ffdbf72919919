"""Where things lie in a row, and lists of cards in it."""

from __future__ import annotations

from iaww_env import rulebook
from iaww_env.engine import facts, fields, verbs
from iaww_env.engine.fields import States
from iaww_env.engine.jit import inlined


@inlined
def find_seat(row: States, seat: int) -> int:
    """Where the block of a seat begins in the row."""
    return int(row[fields.SEATS_AT]) + seat * int(row[fields.SEAT_SIZE])


@inlined
def find_shown(row: States) -> int:
    """Where the seats' blocks begin as the other seats see them: as when the phase began.

    In the draft nothing but the secret pick changes before all reveal, so the seats are shown as they stand.
    """
    return int(row[fields.SEATS_AT]) if row[fields.PHASE] == rulebook.DRAFT else int(row[fields.SEEN_AT])


@inlined
def find_visible(row: States, seat: int, other: int) -> int:
    """Where a seat's block begins as this seat sees it; its own as it stands."""
    if other == seat:
        return find_seat(row, other)
    return find_shown(row) + other * int(row[fields.SEAT_SIZE])


@inlined
def find_built(row: States, at: int) -> int:
    """Where the counts of built cards begin, for the seat whose block begins at `at`."""
    return at + fields.SITE + int(row[fields.SITES]) * fields.SITE_SIZE


@inlined
def find_discarded(row: States, at: int) -> int:
    """Where the counts of discarded cards begin, for the seat whose block begins at `at`."""
    return find_built(row, at) + int(row[fields.KINDS])


@inlined
def find_site(row: States, at: int, card: int) -> int:
    """Where the card under construction with this card number lies."""
    site = at + fields.SITE
    last = site + (int(row[at + fields.N_SITES]) - 1) * fields.SITE_SIZE
    while site < last and row[site + fields.SITE_CARD] != card:
        site += fields.SITE_SIZE
    return site


@inlined
def find_token(space: int) -> int:
    """Where the token that fills a space lies in a block: characters fill their own, krystallium the rest."""
    if space >= facts.FIRST_CHARACTER:
        return fields.GENERALS + space - facts.FIRST_CHARACTER
    return fields.KRYSTALLIUM


@inlined
def find_pack(row: States, seat: int) -> int:
    """Where the pack that a seat holds begins in the row."""
    origin = seat + int(row[fields.PACK_SHIFT])
    if origin >= row[fields.PLAYERS]:
        origin -= int(row[fields.PLAYERS])
    return fields.PACKS_AT + origin * fields.PACK


@inlined
def find_deck(row: States, deck: int) -> int:
    """Where the places of a deck begin in the row."""
    return int(row[fields.DECKS_AT]) + deck * facts.N_BASE_CARDS


@inlined
def find_pools(row: States) -> int:
    """Where the solo pools begin in the row."""
    return int(row[fields.DECKS_AT]) + int(row[fields.CARDS])


@inlined
def find_kinds(row: States, deck: int) -> tuple[int, int]:
    """The first kind of a deck, and the one after its last."""
    if deck == 0:
        return 0, facts.N_BASE_KINDS
    return facts.N_BASE_KINDS, int(row[fields.KINDS])


@inlined
def find_neighbour(seat: int, n: int, by: int) -> int:
    """The seat so many places to the left."""
    other = seat + by
    return other - n if other >= n else other


@inlined
def insert_kind(row: States, start: int, size: int, kind: int) -> None:
    """Put a kind into the ascending list row[start:start + size]."""
    i = start + size
    while i > start and row[i - 1] > kind:
        row[i] = row[i - 1]
        i -= 1
    row[i] = kind


@inlined
def remove_kind(row: States, start: int, size: int, kind: int) -> None:
    """Take one card of a kind out of the ascending list row[start:start + size]."""
    i, last = start, start + size - 1
    while i < last and row[i] != kind:
        i += 1
    for j in range(i, last):
        row[j] = row[j + 1]
    row[last] = -1


@inlined
def copy_cells(source: States, target: States) -> None:
    """Copy one part of a row over another of the same length."""
    for i in range(len(source)):
        target[i] = source[i]


@inlined
def fill_cells(cells: States, value: int) -> None:
    """Set every cell of a part of a row."""
    for i in range(len(cells)):
        cells[i] = value


@inlined
def find_verb(row: States, verb: int) -> int:
    """The number of a verb's first action."""
    by_kind, by_card = (
        verbs.KIND_VERBS[verb] * int(row[fields.KINDS]),
        verbs.CARD_VERBS[verb] * int(row[fields.CARDS]),
    )
    return by_kind + by_card + verbs.OTHERS[verb]


@inlined
def count_actions(row: States) -> int:
    """How many actions the table of this card pool has."""
    return find_verb(row, verbs.WAIT) + 1


@inlined
def has_ascension(row: States) -> bool:
    """Whether Corruption & Ascension is played."""
    return bool(row[fields.KINDS] > facts.N_BASE_KINDS)


@inlined
def count_duos(row: States) -> int:
    """How many of the duos are in the card pool; those of the base game stand first."""
    return facts.N_DUOS if has_ascension(row) else facts.N_BASE_DUOS
