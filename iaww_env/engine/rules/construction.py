"""Cards under construction: cubes and tokens on spaces, completion, giving up, and the empire card."""

from __future__ import annotations

from iaww_env.engine.facts import (
    BONUS,
    COST,
    FIRST_CARD,
    FLAT_POINTS,
    N_RESOURCES,
    N_SPACES,
    N_TYPES,
    PER_RESOURCE,
    PER_TYPE,
    PRODUCTION,
    RATE,
    RATE_OF,
    RECYCLING,
    SPACES_TO_FILL,
    TYPE,
)
from iaww_env.engine.fields import (
    EMPIRE_CUBES,
    EMPIRE_CUBES_FOR_KRYSTALLIUM,
    FINANCIERS,
    FLAT_POINTS_NOW,
    GENERALS,
    HELD,
    KINDS,
    KRYSTALLIUM,
    LOOSE,
    LOOSE_RESOURCE,
    N_BUILT,
    N_SITES,
    OPEN,
    PER_TYPE_NOW,
    POINT_RATE,
    SEAT_PRODUCTION,
    SITE,
    SITE_AT,
    SITE_CARD,
    SITE_KIND,
    SITE_LEFT,
    SITE_MISSING,
    SITE_TWIN,
    SITES,
    SLATED_PRODUCTION,
    TYPES_BUILT,
    TYPES_SLATED,
    States,
)
from iaww_env.engine.jit import chapter, rule

FIRST_CHARACTER = N_SPACES - 2


@rule
def find_built(row: States, at: int) -> int:
    """Where the counts of built cards begin, for the seat whose block begins at `at`."""
    return at + SITE_AT + int(row[SITES]) * SITE


@rule
def find_discarded(row: States, at: int) -> int:
    """Where the counts of discarded cards begin, for the seat whose block begins at `at`."""
    return find_built(row, at) + int(row[KINDS])


@rule
def find_site(row: States, at: int, card: int) -> int:
    """Where the card under construction with this card number lies."""
    site = at + SITE_AT
    while row[site + SITE_CARD] != card:
        site += SITE
    return site


@rule
def is_same_site(row: States, site: int, other: int) -> bool:
    """Whether two cards under construction have the same open spaces."""
    for i in range(SITE_MISSING, SITE_MISSING + N_SPACES):
        if row[site + i] != row[other + i]:
            return False
    return True


@chapter
def mark_copies(row: States, at: int, kind: int) -> None:
    """Number the copies of a kind from the oldest, and mark those equal to an older one."""
    site = at + SITE_AT
    end = site + int(row[at + N_SITES]) * SITE
    while site < end and row[site + SITE_KIND] < kind:
        site += SITE
    oldest = site
    card = int(FIRST_CARD[kind])
    while site < end and row[site + SITE_KIND] == kind:
        row[site + SITE_CARD] = card
        row[site + SITE_TWIN] = 0
        other = oldest
        while other < site:
            if is_same_site(row, site, other):
                row[site + SITE_TWIN] = 1
                break
            other += SITE
        card += 1
        site += SITE


@rule
def count_slated(row: States, at: int, kind: int, by: int) -> None:
    """Keep count of the types and the fixed production under construction."""
    row[at + TYPES_SLATED + int(TYPE[kind])] += by
    for resource in range(N_RESOURCES):
        row[at + SLATED_PRODUCTION + resource] += by * int(PRODUCTION[kind, resource])


@chapter
def open_site(row: States, at: int, kind: int) -> None:
    """Put a card under construction: behind the others of its kind, kinds ascending."""
    start = at + SITE_AT
    site = start + int(row[at + N_SITES]) * SITE
    while site > start and row[site - SITE + SITE_KIND] > kind:
        for i in range(SITE):
            row[site + i] = row[site - SITE + i]
        site -= SITE
    row[site + SITE_KIND] = kind
    row[site + SITE_CARD] = FIRST_CARD[kind]
    row[site + SITE_TWIN] = 0
    row[site + SITE_LEFT] = SPACES_TO_FILL[kind]
    for i in range(N_SPACES):
        row[site + SITE_MISSING + i] = COST[kind, i]
        row[at + OPEN + i] += COST[kind, i]
    row[at + N_SITES] += 1
    count_slated(row, at, kind, 1)
    if site > start and row[site - SITE + SITE_KIND] == kind:
        mark_copies(row, at, kind)


@chapter
def close_site(row: States, at: int, site: int) -> None:
    """Take a card out of construction; later ones move up and copies are numbered anew."""
    kind = int(row[site + SITE_KIND])
    end = at + SITE_AT + int(row[at + N_SITES]) * SITE
    for i in range(site, end - SITE):
        row[i] = row[i + SITE]
    for i in range(end - SITE, end):
        row[i] = 0
    row[at + N_SITES] -= 1
    count_slated(row, at, kind, -1)
    mark_copies(row, at, kind)


@rule
def fill_space(row: States, at: int, site: int, space: int) -> None:
    """Something is laid on a space; with the last one the card is built at once (ruling 7)."""
    row[site + SITE_MISSING + space] -= 1
    row[site + SITE_LEFT] -= 1
    row[at + OPEN + space] -= 1
    kind = int(row[site + SITE_KIND])
    if row[site + SITE_LEFT] == 0:
        close_site(row, at, site)
        complete_construction(row, at, kind)
    else:
        start = at + SITE_AT
        end = start + int(row[at + N_SITES]) * SITE
        if (site > start and row[site - SITE + SITE_KIND] == kind) or (
            site + SITE < end and row[site + SITE + SITE_KIND] == kind
        ):
            mark_copies(row, at, kind)


@rule
def place_cube(row: States, at: int, site: int) -> None:
    """A loose cube goes onto a card under construction."""
    resource = int(row[at + LOOSE_RESOURCE])
    take_loose(row, at, 1)
    fill_space(row, at, site, resource)


@rule
def find_token(space: int) -> int:
    """Where the token that fills a space lies in a block: characters fill their own, krystallium the rest."""
    return GENERALS + space - FIRST_CHARACTER if space >= FIRST_CHARACTER else KRYSTALLIUM


@rule
def place_token(row: States, at: int, site: int) -> None:
    """The token in hand goes onto a card under construction (ruling 5)."""
    space = int(row[at + HELD]) - 1
    row[at + HELD] = 0
    row[at + find_token(space)] -= 1
    fill_space(row, at, site, space)
    settle_surplus(row, at)


@chapter
def complete_construction(row: States, at: int, kind: int) -> None:
    """A card is built: bonus, production and points (rulings 7, 8, 11)."""
    built = find_built(row, at) + kind
    row[built] += 1
    row[at + N_BUILT] += 1
    row[at + KRYSTALLIUM] += BONUS[kind, 0]
    row[at + GENERALS] += BONUS[kind, 1]
    row[at + FINANCIERS] += BONUS[kind, 2]
    row[at + FLAT_POINTS_NOW] += FLAT_POINTS[kind]
    if RATE_OF[kind] >= 0:
        row[at + POINT_RATE + int(RATE_OF[kind])] += RATE[kind]
    of_type = int(TYPE[kind])
    row[at + TYPES_BUILT + of_type] += 1
    per_type = at + PER_TYPE_NOW
    for resource in range(N_RESOURCES):
        made = int(PRODUCTION[kind, resource]) + int(row[per_type + resource * N_TYPES + of_type])
        row[at + SEAT_PRODUCTION + resource] += made
    if PER_RESOURCE[kind] >= 0:
        resource, counted = int(PER_RESOURCE[kind]), int(PER_TYPE[kind])
        row[per_type + resource * N_TYPES + counted] += 1
        row[at + SEAT_PRODUCTION + resource] += row[at + TYPES_BUILT + counted]


@rule
def give_up_construction(row: States, at: int, site: int) -> None:
    """Give up a card: its cube goes to the empire card, what lay on it is lost (ruling 6)."""
    kind = int(row[site + SITE_KIND])
    for i in range(N_SPACES):
        row[at + OPEN + i] -= row[site + SITE_MISSING + i]
    close_site(row, at, site)
    row[find_discarded(row, at) + kind] += 1
    add_empire_cubes(row, at, 1)
    settle_surplus(row, at)


@rule
def add_empire_cubes(row: States, at: int, cubes: int) -> None:
    """Cubes go onto the empire card; five become a krystallium at once (ruling 4)."""
    cubes += int(row[at + EMPIRE_CUBES])
    while cubes >= EMPIRE_CUBES_FOR_KRYSTALLIUM:
        cubes -= EMPIRE_CUBES_FOR_KRYSTALLIUM
        row[at + KRYSTALLIUM] += 1
    row[at + EMPIRE_CUBES] = cubes


@rule
def take_loose(row: States, at: int, cubes: int) -> None:
    """Take loose cubes away; the last one takes its resource with it."""
    row[at + LOOSE] -= cubes
    if row[at + LOOSE] == 0:
        row[at + LOOSE_RESOURCE] = 0


@rule
def settle_surplus(row: States, at: int) -> None:
    """Loose cubes that no open space could take go to the empire card at once (ruling 3)."""
    surplus = int(row[at + LOOSE]) - int(row[at + OPEN + int(row[at + LOOSE_RESOURCE])])
    if surplus > 0:
        take_loose(row, at, surplus)
        add_empire_cubes(row, at, surplus)


@rule
def send_to_empire(row: States, at: int) -> None:
    """One loose cube goes to the empire card by choice."""
    take_loose(row, at, 1)
    add_empire_cubes(row, at, 1)


@rule
def recycling_of(kind: int) -> int:
    """The resource of the one cube that a recycled card gives."""
    return int(RECYCLING[kind])
