"""Cards under construction: cubes and tokens on spaces, completion, giving up, and the empire card."""

from __future__ import annotations

from iaww_env import rulebook
from iaww_env.engine import facts, fields
from iaww_env.engine.fields import States
from iaww_env.engine.jit import called, inlined
from iaww_env.engine.row import find_built, find_discarded, find_token


@inlined
def is_same_site(row: States, site: int, other: int) -> bool:
    """Whether two cards under construction have the same open spaces."""
    for i in range(fields.SITE_MISSING, fields.SITE_MISSING + facts.N_SPACES):
        if row[site + i] != row[other + i]:
            return False
    return True


@called
def mark_copies(row: States, at: int, kind: int) -> None:
    """Number the copies of a kind from the oldest, and mark those equal to an older one."""
    site = at + fields.SITE
    end = site + int(row[at + fields.N_SITES]) * fields.SITE_SIZE
    while site < end and row[site + fields.SITE_KIND] < kind:
        site += fields.SITE_SIZE
    oldest = site
    card = int(facts.FIRST_CARD[kind])
    while site < end and row[site + fields.SITE_KIND] == kind:
        row[site + fields.SITE_CARD] = card
        row[site + fields.SITE_TWIN] = 0
        other = oldest
        while other < site:
            if is_same_site(row, site, other):
                row[site + fields.SITE_TWIN] = 1
                break
            other += fields.SITE_SIZE
        card += 1
        site += fields.SITE_SIZE


@inlined
def count_slated(row: States, at: int, kind: int, by: int) -> None:
    """Keep count of the types and the fixed production under construction."""
    row[at + fields.TYPES_SLATED + int(facts.TYPE[kind])] += by
    for resource in range(facts.N_RESOURCES):
        row[at + fields.SLATED_PRODUCTION + resource] += by * int(facts.PRODUCTION[kind, resource])


@called
def open_site(row: States, at: int, kind: int) -> None:
    """Put a card under construction: behind the others of its kind, kinds ascending."""
    start = at + fields.SITE
    site = start + int(row[at + fields.N_SITES]) * fields.SITE_SIZE
    while site > start and row[site - fields.SITE_SIZE + fields.SITE_KIND] > kind:
        for i in range(fields.SITE_SIZE):
            row[site + i] = row[site - fields.SITE_SIZE + i]
        site -= fields.SITE_SIZE
    row[site + fields.SITE_KIND] = kind
    row[site + fields.SITE_CARD] = facts.FIRST_CARD[kind]
    row[site + fields.SITE_TWIN] = 0
    row[site + fields.SITE_LEFT] = facts.SPACES_TO_FILL[kind]
    for i in range(facts.N_SPACES):
        row[site + fields.SITE_MISSING + i] = facts.COST[kind, i]
        row[at + fields.OPEN + i] += facts.COST[kind, i]
    row[at + fields.N_SITES] += 1
    count_slated(row, at, kind, 1)
    if site > start and row[site - fields.SITE_SIZE + fields.SITE_KIND] == kind:
        mark_copies(row, at, kind)


@called
def close_site(row: States, at: int, site: int) -> None:
    """Take a card out of construction; later ones move up and copies are numbered anew."""
    kind = int(row[site + fields.SITE_KIND])
    end = at + fields.SITE + int(row[at + fields.N_SITES]) * fields.SITE_SIZE
    for i in range(site, end - fields.SITE_SIZE):
        row[i] = row[i + fields.SITE_SIZE]
    for i in range(end - fields.SITE_SIZE, end):
        row[i] = 0
    row[at + fields.N_SITES] -= 1
    count_slated(row, at, kind, -1)
    mark_copies(row, at, kind)


@inlined
def fill_space(row: States, at: int, site: int, space: int) -> None:
    """Something is laid on a space; with the last one the card is built at once (ruling 7)."""
    row[site + fields.SITE_MISSING + space] -= 1
    row[site + fields.SITE_LEFT] -= 1
    row[at + fields.OPEN + space] -= 1
    kind = int(row[site + fields.SITE_KIND])
    if row[site + fields.SITE_LEFT] == 0:
        close_site(row, at, site)
        complete_construction(row, at, kind)
    else:
        start = at + fields.SITE
        end = start + int(row[at + fields.N_SITES]) * fields.SITE_SIZE
        if (site > start and row[site - fields.SITE_SIZE + fields.SITE_KIND] == kind) or (
            site + fields.SITE_SIZE < end and row[site + fields.SITE_SIZE + fields.SITE_KIND] == kind
        ):
            mark_copies(row, at, kind)


@inlined
def place_cube(row: States, at: int, site: int) -> None:
    """A loose cube goes onto a card under construction."""
    resource = int(row[at + fields.LOOSE_RESOURCE])
    take_loose(row, at, 1)
    fill_space(row, at, site, resource)


@inlined
def place_token(row: States, at: int, site: int) -> None:
    """The token in hand goes onto a card under construction (ruling 5)."""
    space = int(row[at + fields.HELD]) - 1
    row[at + fields.HELD] = 0
    row[at + find_token(space)] -= 1
    fill_space(row, at, site, space)
    settle_surplus(row, at)


@called
def complete_construction(row: States, at: int, kind: int) -> None:
    """A card is built: bonus, production and points (rulings 7, 8, 11)."""
    built = find_built(row, at) + kind
    row[built] += 1
    row[at + fields.N_BUILT] += 1
    row[at + fields.KRYSTALLIUM] += facts.BONUS[kind, 0]
    row[at + fields.GENERALS] += facts.BONUS[kind, 1]
    row[at + fields.FINANCIERS] += facts.BONUS[kind, 2]
    row[at + fields.FLAT_POINTS] += facts.FLAT_POINTS[kind]
    if facts.RATE_OF[kind] >= 0:
        row[at + fields.POINT_RATE + int(facts.RATE_OF[kind])] += facts.RATE[kind]
    of_type = int(facts.TYPE[kind])
    row[at + fields.TYPES_BUILT + of_type] += 1
    per_type = at + fields.PER_TYPE
    for resource in range(facts.N_RESOURCES):
        made = int(facts.PRODUCTION[kind, resource]) + int(row[per_type + resource * facts.N_TYPES + of_type])
        row[at + fields.PRODUCTION + resource] += made
    if facts.PER_RESOURCE[kind] >= 0:
        resource, counted = int(facts.PER_RESOURCE[kind]), int(facts.PER_TYPE[kind])
        row[per_type + resource * facts.N_TYPES + counted] += 1
        row[at + fields.PRODUCTION + resource] += row[at + fields.TYPES_BUILT + counted]


@inlined
def give_up_construction(row: States, at: int, site: int) -> None:
    """Give up a card: its cube goes to the empire card, what lay on it is lost (ruling 6)."""
    kind = int(row[site + fields.SITE_KIND])
    for i in range(facts.N_SPACES):
        row[at + fields.OPEN + i] -= row[site + fields.SITE_MISSING + i]
    close_site(row, at, site)
    row[find_discarded(row, at) + kind] += 1
    add_empire_cubes(row, at, 1)
    settle_surplus(row, at)


@inlined
def add_empire_cubes(row: States, at: int, cubes: int) -> None:
    """Cubes go onto the empire card; five become a krystallium at once (ruling 4)."""
    cubes += int(row[at + fields.EMPIRE_CUBES])
    while cubes >= rulebook.CUBES_FOR_KRYSTALLIUM:
        cubes -= rulebook.CUBES_FOR_KRYSTALLIUM
        row[at + fields.KRYSTALLIUM] += 1
    row[at + fields.EMPIRE_CUBES] = cubes


@inlined
def take_loose(row: States, at: int, cubes: int) -> None:
    """Take loose cubes away; the last one takes its resource with it."""
    row[at + fields.LOOSE] -= cubes
    if row[at + fields.LOOSE] == 0:
        row[at + fields.LOOSE_RESOURCE] = 0


@inlined
def settle_surplus(row: States, at: int) -> None:
    """Loose cubes that no open space could take go to the empire card at once (ruling 3)."""
    surplus = int(row[at + fields.LOOSE]) - int(row[at + fields.OPEN + int(row[at + fields.LOOSE_RESOURCE])])
    if surplus > 0:
        take_loose(row, at, surplus)
        add_empire_cubes(row, at, surplus)


@inlined
def send_to_empire(row: States, at: int) -> None:
    """One loose cube goes to the empire card by choice."""
    take_loose(row, at, 1)
    add_empire_cubes(row, at, 1)


@inlined
def recycling_of(kind: int) -> int:
    """The resource of the one cube that a recycled card gives."""
    return int(facts.RECYCLING[kind])
