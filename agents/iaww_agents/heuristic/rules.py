"""The quick decisions of the heuristic, built on its values: pick, slate, recycle, place, use, dig."""

from __future__ import annotations

from iaww_agents.heuristic import weights as named
from iaww_agents.heuristic.values import (
    chance_to_build,
    count_rounds_left,
    expect_drafted_demand,
    expect_short,
    find_bias,
    is_to_come,
    value_engine,
    value_krystallium,
    value_points,
    value_recycle,
    value_slate,
)
from iaww_agents.heuristic.weights import Weights
from iaww_env import rulebook
from iaww_env.engine import facts, fields, verbs
from iaww_env.engine.fields import States
from iaww_env.engine.jit import called, inlined
from iaww_env.engine.row import find_pack, find_seat, find_token, find_verb
from iaww_env.engine.rules.draft import find_receiver
from iaww_env.engine.rules.production import count_production
from iaww_env.engine.rules.solo import can_dig

NEVER = -1e9


@inlined
def value_in_hand(row: States, at: int, kind: int, weights: Weights) -> float:
    """What a card in hand is worth: the better of slating and recycling it."""
    extra = expect_drafted_demand(row, at, kind, weights)
    return max(value_slate(row, at, kind, extra, weights), value_recycle(row, at, kind, weights))


@inlined
def value_pick(row: States, at: int, kind: int, weights: Weights) -> float:
    """What a card is worth to pick: that, and what search has found beyond it."""
    return value_in_hand(row, at, kind, weights) + find_bias(row, kind, named.PICK_BIAS, weights)


@inlined
def value_offer(row: States, seat: int, at: int, kind: int, weights: Weights) -> float:
    """What a card of a pack is worth to a seat, a little more where the next seat would like it."""
    value = value_pick(row, at, kind, weights)
    if row[fields.PHASE] == rulebook.DRAFT and weights[named.DENY] > 0:
        other = find_seat(row, find_receiver(row, seat))
        value += weights[named.DENY] * max(0.0, value_slate(row, other, kind, 0.0, weights))
    return value


@inlined
def decide_pick(row: States, seat: int, at: int, start: int, weights: Weights) -> int:
    """Pick the card worth most."""
    best, chosen = NEVER, int(row[start])
    for i in range(start, start + int(row[fields.PACK_SIZE])):
        kind = int(row[i])
        if i > start and row[i - 1] == kind:
            continue
        value = value_offer(row, seat, at, kind, weights)
        if value > best:
            best, chosen = value, kind
    return find_verb(row, verbs.PICK) + chosen


@called
def decide_lesser_pick(row: States, seat: int, rank: int, weights: Weights) -> int:
    """Pick the card worth most but for `rank` others, or the last where there are not so many kinds."""
    at, start = find_seat(row, seat), find_pack(row, seat)
    bound, last, chosen = -NEVER, -1, int(row[start])
    for _ in range(rank + 1):
        best, place = NEVER, -1
        for i in range(start, start + int(row[fields.PACK_SIZE])):
            kind = int(row[i])
            if i > start and row[i - 1] == kind:
                continue
            value = value_offer(row, seat, at, kind, weights)
            if (value < bound or (value == bound and i > last)) and value > best:
                best, place = value, i
        if place < 0:
            break
        bound, last, chosen = best, place, int(row[place])
    return find_verb(row, verbs.PICK) + chosen


@inlined
def find_lowest(row: States, at: int, weights: Weights) -> tuple[int, float, float]:
    """The card in hand worth least, its value and the second lowest value."""
    lowest, second, kind = 1e9, 1e9, -1
    for i in range(int(row[at + fields.N_DRAFTED])):
        value = value_in_hand(row, at, int(row[at + fields.DRAFTED + i]), weights)
        if value < lowest:
            lowest, second, kind = value, lowest, int(row[at + fields.DRAFTED + i])
        elif value < second:
            second = value
    return kind, lowest, second


@inlined
def decide_planning(row: States, at: int, weights: Weights) -> int:
    """Slate the best card while slating beats recycling; then recycle, the most wanted cube first."""
    best_slate, slate, best_recycle, recycle = NEVER, -1, NEVER, -1
    for i in range(int(row[at + fields.N_DRAFTED])):
        kind = int(row[at + fields.DRAFTED + i])
        cube = value_recycle(row, at, kind, weights)
        value = value_slate(row, at, kind, 0.0, weights) - cube - weights[named.SLATE_BAR]
        if value > best_slate:
            best_slate, slate = value, kind
        # Of cards to recycle, the one least missed goes first.
        if cube - 0.1 * value > best_recycle:
            best_recycle, recycle = cube - 0.1 * value, kind
    if best_slate > 0:
        return find_verb(row, verbs.SLATE) + slate
    return find_verb(row, verbs.RECYCLE) + recycle


@inlined
def value_finishing(row: States, at: int, site: int, weights: Weights) -> float:
    """What finishing a card under construction is worth, times its chance."""
    kind = int(row[site + fields.SITE_KIND])
    left = count_rounds_left(row)
    short = expect_short(row, at, row, site + fields.SITE_MISSING, 0.0, weights)
    brings = value_points(row, at, kind, weights) + value_engine(row, at, kind, 0.3, weights)
    return brings * chance_to_build(short, left, weights)


@inlined
def is_taker(row: States, site: int, space: int) -> bool:
    """Whether a card under construction takes something on a space; of equal copies the oldest does."""
    return bool(row[site + fields.SITE_MISSING + space] > 0 and row[site + fields.SITE_TWIN] == 0)


@inlined
def find_only_taker(row: States, at: int, space: int) -> int:
    """The one site that takes a cube for a space; -1 where there are more, or none."""
    found, site = -1, at + fields.SITE
    for _ in range(int(row[at + fields.N_SITES])):
        if is_taker(row, site, space):
            if found >= 0:
                return -1
            found = site
        site += fields.SITE_SIZE
    return found


@inlined
def decide_place(row: States, at: int, space: int, weights: Weights) -> int:
    """Place where value per missing space is highest; on the empire card where nothing is worth it."""
    # With one card to take it there is nothing to compare, unless it is worth less than nothing.
    site = find_only_taker(row, at, space)
    if site >= 0 and weights[named.EMPIRE] <= 0:
        kind = int(row[site + fields.SITE_KIND])
        if value_points(row, at, kind, weights) + value_engine(row, at, kind, 0.3, weights) >= 0:
            return find_verb(row, verbs.PLACE) + int(row[site + fields.SITE_CARD])
    best, card = NEVER, -1
    site = at + fields.SITE
    for _ in range(int(row[at + fields.N_SITES])):
        if is_taker(row, site, space):
            left = int(row[site + fields.SITE_LEFT])
            value = value_finishing(row, at, site, weights) / left ** weights[named.PLACE_POWER]
            if left == 1:
                value *= 1 + weights[named.PLACE_FINISH]
            if value > best:
                best, card = value, int(row[site + fields.SITE_CARD])
        site += fields.SITE_SIZE
    if card < 0 or best < weights[named.EMPIRE]:
        return find_verb(row, verbs.TO_EMPIRE)
    return find_verb(row, verbs.PLACE) + card


@inlined
def count_gap(row: States, at: int, site: int) -> int:
    """Spaces of a card that this round's steps to come will not fill: what tokens would have to fill."""
    gap = 0
    for resource in range(facts.N_RESOURCES):
        made = count_production(row, at, resource) * is_to_come(row, resource)
        gap += max(0, int(row[site + fields.SITE_MISSING + resource]) - made)
    for space in range(facts.N_RESOURCES, facts.N_SPACES):
        gap += int(row[site + fields.SITE_MISSING + space])
    return gap


@inlined
def find_use(row: States, at: int, site: int) -> int:
    """The space of a card to lay a token on next, or -1 where the tokens do not reach to fill the gap."""
    krystallium, first = 0, -1
    for space in range(facts.N_SPACES):
        asked = int(row[site + fields.SITE_MISSING + space])
        if space < facts.N_RESOURCES:
            asked = max(0, asked - count_production(row, at, space) * is_to_come(row, space))
        if asked > 0:
            if space <= facts.N_RESOURCES:
                krystallium += asked
            elif row[at + find_token(space)] < asked:
                return -1
            if first < 0:
                first = space
    if krystallium > row[at + find_token(0)]:
        return -1
    return first


@inlined
def price_tokens(row: States, at: int, site: int, weights: Weights) -> float:
    """What the tokens are worth that would fill the gap of a card."""
    left = count_rounds_left(row)
    characters, price = 0, 0.0
    for character in range(2):
        asked = int(row[site + fields.SITE_MISSING + facts.FIRST_CHARACTER + character])
        characters += asked
        price += asked * (1 + int(row[at + fields.POINT_RATE + facts.N_TYPES + character]))
    krystallium = count_gap(row, at, site) - characters
    return price + krystallium * value_krystallium(weights, left)


@inlined
def decide_use(row: States, at: int, weights: Weights) -> int:
    """Lay a token where that lets a card be finished in this round and is worth its price; -1 for none."""
    best, chosen = 0.0, -1
    if row[at + fields.KRYSTALLIUM] + row[at + fields.GENERALS] + row[at + fields.FINANCIERS] == 0:
        return chosen
    site = at + fields.SITE
    left = count_rounds_left(row)
    for _ in range(int(row[at + fields.N_SITES])):
        space = find_use(row, at, site) if row[site + fields.SITE_TWIN] == 0 else -1
        if space >= 0:
            kind = int(row[site + fields.SITE_KIND])
            brings = value_points(row, at, kind, weights) + value_engine(row, at, kind, 0.3, weights)
            # Later rounds could still fill it with cubes: only what is won by finishing now counts.
            short = expect_short(row, at, row, site + fields.SITE_MISSING, 0.0, weights)
            later = value_points(row, at, kind, weights) + value_engine(row, at, kind, 1.3, weights)
            waiting = later * chance_to_build(short, left - 1, weights) if left > 0 else 0.0
            won = brings - waiting - price_tokens(row, at, site, weights)
            if won > best:
                best, chosen = won, space
        site += fields.SITE_SIZE
    return chosen


@inlined
def place_held(row: States, at: int, weights: Weights) -> int:
    """Place the token in hand on the card it was taken for: the best one whose gap the tokens fill."""
    space = int(row[at + fields.HELD]) - 1
    best, card = NEVER, -1
    site = at + fields.SITE
    for _ in range(int(row[at + fields.N_SITES])):
        if is_taker(row, site, space):
            # The token is in hand but still counted, so the gap is judged as it was when it was taken.
            value = value_finishing(row, at, site, weights) - price_tokens(row, at, site, weights)
            if find_use(row, at, site) == space:
                value += 1000
            if value > best:
                best, card = value, int(row[site + fields.SITE_CARD])
        site += fields.SITE_SIZE
    return find_verb(row, verbs.PLACE) + card


@inlined
def decide_character(row: States, at: int) -> int:
    """Science supremacy: the character that scores more, or that cards under construction ask for."""
    general = 1 + int(row[at + fields.POINT_RATE + facts.N_TYPES])
    financier = 1 + int(row[at + fields.POINT_RATE + facts.N_TYPES + 1])
    general += 3 if row[at + fields.OPEN + facts.FIRST_CHARACTER] > row[at + fields.GENERALS] else 0
    financier += 3 if row[at + fields.OPEN + facts.FIRST_CHARACTER + 1] > row[at + fields.FINANCIERS] else 0
    return find_verb(row, verbs.CHOOSE) + (0 if general >= financier else 1)


@inlined
def decide_dig(row: States, at: int, weights: Weights) -> int:
    """Solo: dig while the two cards worth least are not worth keeping; -1 for not."""
    if row[at + fields.N_DRAFTED] < rulebook.TOSSES or row[at + fields.LOOSE] > 0:
        return -1
    _, lowest, second = find_lowest(row, at, weights)
    if lowest + second < weights[named.DIG_BAR]:
        for deck in range(facts.N_DECKS):
            if can_dig(row, deck):
                return find_verb(row, verbs.DIG) + deck
    return -1


@inlined
def decide_idle(row: States, at: int, weights: Weights) -> int:
    """Nothing is loose: use a token, decide a card, or end the phase."""
    if row[fields.PHASE] == rulebook.PLANNING and row[at + fields.N_DRAFTED] > 0:
        # Not in a projection, where ever more decisions are pending than one: the cards dug up are not known.
        if row[fields.PLAYERS] == 1 and row[fields.PENDING] == 1:
            dig = decide_dig(row, at, weights)
            if dig >= 0:
                return dig
        return decide_planning(row, at, weights)
    use = decide_use(row, at, weights)
    if use >= 0:
        return find_verb(row, verbs.USE) + use
    return find_verb(row, verbs.END)


@called
def choose_by_rules(row: States, seat: int, weights: Weights) -> int:
    """The quick rules' action for a seat that owes a decision; always legal."""
    at = find_seat(row, seat)
    if row[fields.PHASE] == rulebook.DRAFT:
        return decide_pick(row, seat, at, find_pack(row, seat), weights)
    if row[at + fields.HELD] > 0:
        return place_held(row, at, weights)
    if row[at + fields.MUST_CHOOSE] > 0:
        return decide_character(row, at)
    if row[fields.PLAYERS] == 1 and row[fields.PHASE] == rulebook.PLANNING and row[fields.DIG_DECK] > 0:
        if row[fields.PACK_SIZE] > 0:
            return decide_pick(row, seat, at, fields.PACKS_AT, weights)
        kind, _, _ = find_lowest(row, at, weights)
        return find_verb(row, verbs.TOSS) + kind
    if row[at + fields.LOOSE] > 0:
        return decide_place(row, at, int(row[at + fields.LOOSE_RESOURCE]), weights)
    return decide_idle(row, at, weights)
