"""One decision ahead: every action has a value in points, and the greatest is played.

What a card is *worth*: the points it would score now, and `CUBE` for each cube that it will make in the
rounds to come; its bonus besides. What a card *costs*: `FILLED` for each of its spaces that the seat's own
production will fill in time, `SHORT` for each that must come from recycling, and `SCARCE` for each character
or krystallium that is not at hand. From these follow all values:

- slate a card: its worth less its costs, less what recycling it would bring;
- recycle a card: something small where no slating gains, so the cards that gain are slated first;
- pick a card: the better of slating and recycling it;
- place a cube or a token on a card: its worth, divided by the spaces still open on it (those that production
  will not fill count more), so cards near completion and dear ones come first;
- use a token: the value of the best card for it, less what the token is worth in hand.

It never digs, never gives up a card, and looks at no other seat: only at its own cards, cubes and tokens, the
round, the phase and the step. The numbers are round ones that did well in a few hundred games, not tuned.
"""

from __future__ import annotations

import numpy as np

from iaww_agents.base import DeterministicAgent, LaneArrays
from iaww_agents.jit import compile_apart
from iaww_env import rulebook
from iaww_env.engine import facts, fields, verbs
from iaww_env.engine.fields import States
from iaww_env.engine.jit import called, inlined
from iaww_env.engine.kernels import lanes
from iaww_env.engine.row import count_duos, find_seat, find_site, find_token, find_verb
from iaww_env.engine.rules.legal import Actions, list_legal
from iaww_env.engine.rules.production import count_production

# Points for: a cube made in a round to come; krystallium gained, and kept in hand.
CUBE, GAINED, KEPT = 0.6, 0.5, 0.8
# Points against: a space that production fills; one that it does not; one for a token that is not at hand.
FILLED, SHORT, SCARCE = 0.5, 1.5, 3.0
# Points for the cube of a recycled card: where no space takes it, where one does, where production fails to.
SPARE, USEFUL, NEEDED = 0.2, 0.8, 1.6
# How much more a space that production will not fill delays a card.
DELAY = 1.5
NEVER = -1000.0

kernel = compile_apart(__file__)


@inlined
def count_runs(row: States, resource: int) -> int:
    """How often a resource will still be produced, the step under way not counted."""
    runs = rulebook.ROUNDS - int(row[fields.ROUND])
    if row[fields.PHASE] != rulebook.PRODUCTION or row[fields.STEP] < resource:
        runs += 1
    return runs


@inlined
def count_supply(row: States, at: int, space: int) -> int:
    """What the seat will have for one sort of space, as it produces now; tokens: what it holds."""
    if space >= facts.N_RESOURCES:
        return int(row[at + find_token(space)])
    supply = count_production(row, at, space) * count_runs(row, space)
    if row[at + fields.LOOSE_RESOURCE] == space:
        supply += int(row[at + fields.LOOSE])
    return supply


@inlined
def count_points(row: States, at: int, kind: int) -> int:
    """The points that a kind would score if it were built now."""
    of_type = int(facts.TYPE[kind])
    points = int(facts.FLAT_POINTS[kind]) + int(row[at + fields.POINT_RATE + of_type])
    if facts.RATE_OF[kind] >= 0:
        counted = int(facts.RATE_OF[kind])
        points += int(facts.RATE[kind]) * (
            int(row[at + fields.COUNTS + counted]) + (1 if counted == of_type else 0)
        )
    for i in range(count_duos(row)):
        if facts.DUOS[i, 0] == kind:
            first, second = int(facts.DUOS[i, 2]), int(facts.DUOS[i, 3])
            one = int(row[at + fields.COUNTS + first]) + (1 if first == of_type else 0)
            two = int(row[at + fields.COUNTS + second]) + (1 if second == of_type else 0)
            points += int(facts.DUOS[i, 1]) * min(one, two)
    return points


@inlined
def count_made(row: States, at: int, kind: int) -> int:
    """The cubes that a kind would add to each round, corruption against them."""
    of_type, made = int(facts.TYPE[kind]), 0
    for resource in range(facts.N_RESOURCES):
        made += int(facts.PRODUCTION[kind, resource]) + int(
            row[at + fields.PER_TYPE + resource * facts.N_TYPES + of_type]
        )
    if facts.PER_RESOURCE[kind] >= 0:
        counted = int(facts.PER_TYPE[kind])
        made += int(row[at + fields.TYPES_BUILT + counted]) + (1 if counted == of_type else 0)
    return made


@called
def value_kind(row: States, at: int, kind: int) -> float:
    """What a kind is worth, built."""
    worth = count_points(row, at, kind) + CUBE * count_made(row, at, kind) * (
        rulebook.ROUNDS - int(row[fields.ROUND])
    )
    worth += GAINED * int(facts.BONUS[kind, 0])
    for character in range(2):
        rate = 1 + int(row[at + fields.POINT_RATE + facts.N_TYPES + character])
        worth += int(facts.BONUS[kind, 1 + character]) * rate
    return worth


@called
def value_slating(row: States, at: int, kind: int) -> float:
    """What a kind is worth, less what it costs."""
    value = value_kind(row, at, kind)
    for space in range(facts.N_SPACES):
        cost = int(facts.COST[kind, space])
        if cost > 0:
            left = count_supply(row, at, space) - int(row[at + fields.OPEN + space])
            short = min(cost, max(0, cost - left))
            value -= FILLED * (cost - short) + (SHORT if space < facts.N_RESOURCES else SCARCE) * short
    return value


@called
def value_recycling(row: States, at: int, kind: int) -> float:
    """What the cube of a recycled card is worth."""
    resource = int(facts.RECYCLING[kind])
    spaces = int(row[at + fields.OPEN + resource])
    if spaces == 0:
        return SPARE
    return NEEDED if spaces > count_supply(row, at, resource) else USEFUL


@called
def value_site(row: States, at: int, site: int, filled: int) -> float:
    """What it is worth to fill one space, of the sort `filled`, on a card under construction."""
    short = 0
    for space in range(facts.N_SPACES):
        missing = int(row[site + fields.SITE_MISSING + space]) - (1 if space == filled else 0)
        if missing > 0:
            short += max(0, missing - count_supply(row, at, space))
    return value_kind(row, at, int(row[site + fields.SITE_KIND])) / (
        int(row[site + fields.SITE_LEFT]) + DELAY * short
    )


@called
def value_use(row: States, at: int, space: int) -> float:
    """What a token gains on the card that is best for it, over keeping it."""
    best = NEVER
    site = at + fields.SITE
    for _ in range(int(row[at + fields.N_SITES])):
        if row[site + fields.SITE_MISSING + space] > 0:
            best = max(best, value_site(row, at, site, space))
        site += fields.SITE_SIZE
    if space < facts.FIRST_CHARACTER:
        return best - KEPT
    return best - (1 + int(row[at + fields.POINT_RATE + facts.N_TYPES + space - facts.FIRST_CHARACTER]))


@inlined
def value_card(row: States, at: int, verb: int, kind: int) -> float:
    """The value of picking, slating, recycling or tossing a kind."""
    slated, recycled = value_slating(row, at, kind), value_recycling(row, at, kind)
    if verb == verbs.PICK:
        return max(slated, recycled)
    if verb == verbs.SLATE:
        return slated - recycled
    # Less than any gain worth slating for; the card that would lose the most by slating goes first.
    return 1e-6 * (recycled - slated) if verb == verbs.RECYCLE else -slated


@called
def value_action(row: States, at: int, action: int) -> float:
    """The value of a legal action; ending the phase and cubes for the empire card are worth 0."""
    if action < find_verb(row, verbs.PLACE):
        return value_card(row, at, action // int(row[fields.KINDS]), action % int(row[fields.KINDS]))
    if action < find_verb(row, verbs.USE):
        filled = (
            int(row[at + fields.HELD]) - 1
            if row[at + fields.HELD] > 0
            else int(row[at + fields.LOOSE_RESOURCE])
        )
        return value_site(row, at, find_site(row, at, action - find_verb(row, verbs.PLACE)), filled)
    use = action - find_verb(row, verbs.USE)
    if use < verbs.N_USES:
        return value_use(row, at, use)
    character = action - find_verb(row, verbs.CHOOSE)
    if character == 0 or character == 1:
        wanted = min(1, int(row[at + fields.OPEN + facts.FIRST_CHARACTER + character]))
        return float(row[at + fields.POINT_RATE + facts.N_TYPES + character]) + 0.5 * wanted
    is_dig = action >= find_verb(row, verbs.DIG) and action < find_verb(row, verbs.END)
    return NEVER if is_dig else 0.0


@called
def choose_action(row: States, seat: int, legal: Actions) -> int:
    """The legal action of the greatest value; of equal ones that with the smallest number."""
    n = list_legal(row, seat, False, legal)  # without giving up cards
    at = find_seat(row, seat)
    chosen, best = int(legal[0]), 2 * NEVER
    for i in range(n):
        value = value_action(row, at, int(legal[i]))
        if value > best:
            chosen, best = int(legal[i]), value
    return chosen


@kernel
def choose_greedily(row: States, seat: int, legal: Actions) -> int:
    """The action of a seat; `legal` is scratch for its legal actions."""
    return choose_action(row, seat, legal)


@kernel
def play_greedily(code: int, games: LaneArrays, legal: Actions) -> None:
    """Play every lane that waits for this bot until it waits for somebody else."""
    for g in range(games.states.shape[0]):
        row, lane = games.states[g], games.lanes[g]
        for _ in range(rulebook.MOST_DECISIONS):
            if not lanes.awaits_bot(row, lane, games.codes, code):
                break
            action = choose_action(row, int(lane[lanes.ASKED]), legal)
            lanes.answer_lane(row, lane, games.streams[g], games.codes, games.settings, action)


class GreedyAgent(DeterministicAgent):
    """Plays the action of the greatest value, one decision ahead; it leaves nothing to chance."""

    choose = staticmethod(choose_greedily)
    play = staticmethod(play_greedily)

    def __init__(self) -> None:
        """Make the bot."""
        self._legal = np.zeros(fields.MOST_LEGAL, np.int16)

    def lend_arrays(self, row: States) -> tuple[Actions]:
        """Scratch for legal actions."""
        return (self._legal,)
