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

from pathlib import Path

import numpy as np
import numpy.typing as npt

from iaww_agents.base import KernelAgent, View
from iaww_env.config import GameConfig
from iaww_env.engine.facts import (
    BONUS,
    COST,
    DUOS,
    FLAT_POINTS,
    N_BASE_KINDS,
    N_DUOS,
    N_RESOURCES,
    N_SPACES,
    N_TYPES,
    PER_RESOURCE,
    PER_TYPE,
    RATE,
    RATE_OF,
    RECYCLING,
    TYPE,
)
from iaww_env.engine.facts import PRODUCTION as MADE
from iaww_env.engine.fields import (
    COUNTS,
    HELD,
    KINDS,
    LOOSE,
    LOOSE_RESOURCE,
    MOST_LEGAL,
    N_SITES,
    OPEN,
    PER_TYPE_NOW,
    PHASE,
    POINT_RATE,
    PRODUCTION,
    ROUND,
    ROUNDS,
    SEAT_PRODUCTION,
    SITE,
    SITE_AT,
    SITE_KIND,
    SITE_LEFT,
    SITE_MISSING,
    STEP,
    TYPES_BUILT,
    States,
)
from iaww_env.engine.jit import SOURCES, chapter, compile_into, digest_sources, find_cache_root, rule
from iaww_env.engine.kernels.lanes import ASKED, Codes, Lane, Settings, Streams, answer_lane, awaits_bot
from iaww_env.engine.rules.construction import FIRST_CHARACTER, find_site, find_token
from iaww_env.engine.rules.deal import find_seat
from iaww_env.engine.rules.legal import Actions, list_legal
from iaww_env.engine.verbs import CHOOSE, DIG, END, N_USES, PICK, RECYCLE, SLATE, USE, find_verb

# Points for: a cube made in a round to come; krystallium gained, and kept in hand.
CUBE, GAINED, KEPT = 0.6, 0.5, 0.8
# Points against: a space that production fills; one that it does not; one for a token that is not at hand.
FILLED, SHORT, SCARCE = 0.5, 1.5, 3.0
# Points for the cube of a recycled card: where no space takes it, where one does, where production fails to.
SPARE, USEFUL, NEEDED = 0.2, 0.8, 1.6
# How much more a space that production will not fill delays a card.
DELAY = 1.5
NEVER = -1000.0

# A family of its own: it needs no other bot's rules, so their edits leave its machine code as it is.
kernel = compile_into(find_cache_root() / digest_sources(*SOURCES, Path(__file__)))


@rule
def count_runs(row: States, resource: int) -> int:
    """How often a resource will still be produced, the step under way not counted."""
    runs = ROUNDS - int(row[ROUND])
    if row[PHASE] != PRODUCTION or row[STEP] < resource:
        runs += 1
    return runs


@rule
def count_supply(row: States, at: int, space: int) -> int:
    """What the seat will have for one sort of space, as it produces now; tokens: what it holds."""
    if space >= N_RESOURCES:
        return int(row[at + find_token(space)])
    supply = max(0, int(row[at + SEAT_PRODUCTION + space])) * count_runs(row, space)
    if row[at + LOOSE_RESOURCE] == space:
        supply += int(row[at + LOOSE])
    return supply


@rule
def count_points(row: States, at: int, kind: int) -> int:
    """The points that a kind would score if it were built now."""
    of_type = int(TYPE[kind])
    points = int(FLAT_POINTS[kind]) + int(row[at + POINT_RATE + of_type])
    if RATE_OF[kind] >= 0:
        counted = int(RATE_OF[kind])
        points += int(RATE[kind]) * (int(row[at + COUNTS + counted]) + (1 if counted == of_type else 0))
    if row[KINDS] > N_BASE_KINDS:
        for i in range(N_DUOS):
            if DUOS[i, 0] == kind:
                first, second = int(DUOS[i, 2]), int(DUOS[i, 3])
                one = int(row[at + COUNTS + first]) + (1 if first == of_type else 0)
                two = int(row[at + COUNTS + second]) + (1 if second == of_type else 0)
                points += int(DUOS[i, 1]) * min(one, two)
    return points


@rule
def count_made(row: States, at: int, kind: int) -> int:
    """The cubes that a kind would add to each round, corruption against them."""
    of_type, made = int(TYPE[kind]), 0
    for resource in range(N_RESOURCES):
        made += int(MADE[kind, resource]) + int(row[at + PER_TYPE_NOW + resource * N_TYPES + of_type])
    if PER_RESOURCE[kind] >= 0:
        counted = int(PER_TYPE[kind])
        made += int(row[at + TYPES_BUILT + counted]) + (1 if counted == of_type else 0)
    return made


@chapter
def value_kind(row: States, at: int, kind: int) -> float:
    """What a kind is worth, built."""
    worth = count_points(row, at, kind) + CUBE * count_made(row, at, kind) * (ROUNDS - int(row[ROUND]))
    worth += GAINED * int(BONUS[kind, 0])
    for character in range(2):
        rate = 1 + int(row[at + POINT_RATE + N_TYPES + character])
        worth += int(BONUS[kind, 1 + character]) * rate
    return worth


@chapter
def value_slating(row: States, at: int, kind: int) -> float:
    """What a kind is worth, less what it costs."""
    value = value_kind(row, at, kind)
    for space in range(N_SPACES):
        cost = int(COST[kind, space])
        if cost > 0:
            left = count_supply(row, at, space) - int(row[at + OPEN + space])
            short = min(cost, max(0, cost - left))
            value -= FILLED * (cost - short) + (SHORT if space < N_RESOURCES else SCARCE) * short
    return value


@chapter
def value_recycling(row: States, at: int, kind: int) -> float:
    """What the cube of a recycled card is worth."""
    resource = int(RECYCLING[kind])
    spaces = int(row[at + OPEN + resource])
    if spaces == 0:
        return SPARE
    return NEEDED if spaces > count_supply(row, at, resource) else USEFUL


@chapter
def value_site(row: States, at: int, site: int, filled: int) -> float:
    """What it is worth to fill one space, of the sort `filled`, on a card under construction."""
    short = 0
    for space in range(N_SPACES):
        missing = int(row[site + SITE_MISSING + space]) - (1 if space == filled else 0)
        if missing > 0:
            short += max(0, missing - count_supply(row, at, space))
    return value_kind(row, at, int(row[site + SITE_KIND])) / (int(row[site + SITE_LEFT]) + DELAY * short)


@chapter
def value_use(row: States, at: int, space: int) -> float:
    """What a token gains on the card that is best for it, over keeping it."""
    best = NEVER
    site = at + SITE_AT
    for _ in range(int(row[at + N_SITES])):
        if row[site + SITE_MISSING + space] > 0:
            best = max(best, value_site(row, at, site, space))
        site += SITE
    if space < FIRST_CHARACTER:
        return best - KEPT
    return best - (1 + int(row[at + POINT_RATE + N_TYPES + space - FIRST_CHARACTER]))


@rule
def value_card(row: States, at: int, verb: int, kind: int) -> float:
    """The value of picking, slating, recycling or tossing a kind."""
    slated, recycled = value_slating(row, at, kind), value_recycling(row, at, kind)
    if verb == PICK:
        return max(slated, recycled)
    if verb == SLATE:
        return slated - recycled
    # Less than any gain worth slating for; the card that would lose the most by slating goes first.
    return 1e-6 * (recycled - slated) if verb == RECYCLE else -slated


@chapter
def value_action(row: States, at: int, action: int) -> float:
    """The value of a legal action; ending the phase and cubes for the empire card are worth 0."""
    kinds = int(row[KINDS])
    if action < 4 * kinds:
        return value_card(row, at, action // kinds, action % kinds)
    if action < find_verb(row, USE):
        filled = int(row[at + HELD]) - 1 if row[at + HELD] > 0 else int(row[at + LOOSE_RESOURCE])
        return value_site(row, at, find_site(row, at, action - 4 * kinds), filled)
    use = action - find_verb(row, USE)
    if use < N_USES:
        return value_use(row, at, use)
    character = action - find_verb(row, CHOOSE)
    if character == 0 or character == 1:
        wanted = min(1, int(row[at + OPEN + FIRST_CHARACTER + character]))
        return float(row[at + POINT_RATE + N_TYPES + character]) + 0.5 * wanted
    is_dig = action >= find_verb(row, DIG) and action < find_verb(row, END)
    return NEVER if is_dig else 0.0


@chapter
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
    """The action of a seat; `legal` is room for its legal actions."""
    return choose_action(row, seat, legal)


@kernel
def play_greedily(
    code: int,
    states: States,
    settings: Settings,
    codes: Codes,
    lanes: Lane,
    streams: Streams,
    legal: Actions,
) -> None:
    """Play every lane that waits for this bot until it waits for somebody else."""
    for g in range(states.shape[0]):
        row, lane = states[g], lanes[g]
        while awaits_bot(row, lane, codes, code):
            action = choose_action(row, int(lane[ASKED]), legal)
            answer_lane(row, lane, streams[g], codes, settings, action)


class GreedyAgent(KernelAgent):
    """Plays the action of the greatest value, one decision ahead; it leaves nothing to chance."""

    def __init__(self) -> None:
        """Make the bot."""
        self._seat = 0
        self._legal = np.zeros(MOST_LEGAL, np.int16)
        self._rng = np.random.default_rng(0)

    def reset(self, seat: int, config: GameConfig, seed: int) -> None:
        """Take a seat."""
        self._seat = seat

    def act(self, view: View) -> int:
        """Choose by the values; a drawn game will do, since nothing that is hidden counts."""
        row = view.sample_game(self._rng).row
        return choose_greedily(row, self._seat, self._legal)

    def play_lanes(
        self,
        code: int,
        states: npt.NDArray[np.int16],
        settings: npt.NDArray[np.int64],
        codes: npt.NDArray[np.int16],
        lanes: npt.NDArray[np.int16],
        streams: npt.NDArray[np.int64],
    ) -> None:
        """Play the lanes that wait for it."""
        play_greedily(code, states, settings, codes, lanes, streams, self._legal)
