"""What changed at a seat between two looks at it, in words: by a move of its own, or over a whole phase."""

from __future__ import annotations

from collections import Counter

from iaww_agents.human.wording import TYPED, Wording
from iaww_env.cards import SPACES
from iaww_env.game import Game
from iaww_env.render import phrases
from iaww_env.render.seen import SeenSeat, Site, look_at_game

HOLDINGS = ("krystallium", "generals", "financiers")


def tell_changes(before: SeenSeat, after: SeenSeat, wording: Wording = TYPED) -> list[str]:
    """What a move did to the seat that played it: cards, cubes, tokens, points."""
    cards = [*_tell_sites(before, after, wording), *_tell_built(before, after, wording)]
    return [*cards, *_tell_numbers(before, after)]


def describe_own_move(
    before: Game, seat: int, action: int, after: Game, *, forced: bool, wording: Wording = TYPED
) -> str:
    """What a seat has just played, and what came of it; nothing where there is nothing to tell."""
    looks = [look_at_game(one, seat).seats[seat] for one in (before, after)]
    text, kind = before.actions.to_text(action), before.actions.kind(action)
    if text == "end" and not forced:
        return ""
    ends = before.phase == "draft" or text == "end"  # what follows is not of this move
    told = [] if ends else tell_changes(looks[0], looks[1], wording)
    said = "; ".join(one.removeprefix(f"{wording.name_card(kind.id)} is ") if kind else one for one in told)
    named = wording.name_action(before, seat, text)
    return f"  {'forced: ' if forced else ''}{named}{f': {said}' if said else ''}"


def list_built(before: SeenSeat, after: SeenSeat, wording: Wording = TYPED) -> list[str]:
    """Cards that were built in the meantime."""
    had = {kind.id: count for kind, count in before.built}
    new = [(kind, count - had.get(kind.id, 0)) for kind, count in after.built]
    return [wording.count_cards(kind.id, count) for kind, count in new if count > 0]


def _tell_sites(before: SeenSeat, after: SeenSeat, wording: Wording) -> list[str]:
    """Cards under construction that are new, that took something, or that are given up."""
    old, new = _count_sites(before), _count_sites(after)
    gone, told = Counter(kind for kind, _ in (old - new).elements()), []
    for kind, missing in (new - old).elements():
        is_new = not gone[kind]
        gone[kind] -= 1
        now = "under construction," if is_new else "still"
        told.append(f"{wording.name_card(kind)} is {now} missing {wording.list_amounts(missing)}")
    had, has = dict(before.built), dict(after.built)
    built = Counter({kind.id: count - had.get(kind, 0) for kind, count in has.items()})
    return told + [f"{wording.name_card(kind)} is given up" for kind in (+gone - built).elements()]


def _count_sites(seat: SeenSeat) -> Counter[tuple[str, tuple[int, ...]]]:
    """Cards under construction; copies have no names, for they are numbered anew where one is built."""
    return Counter((site.kind.id, site.missing) for site in seat.sites)


def _tell_built(before: SeenSeat, after: SeenSeat, wording: Wording) -> list[str]:
    """Cards that are built, with what they give from now on."""
    had = {kind.id: count for kind, count in before.built}
    told = []
    for kind, count in after.built:
        if count > had.get(kind.id, 0):
            gains = wording.list_gains(kind)
            told.append(f"{wording.name_card(kind.id)} is built{f': {gains}' if gains else ''}")
    return told


def _tell_numbers(before: SeenSeat, after: SeenSeat) -> list[str]:
    """Cubes on the empire card, tokens, points; loose cubes are shown with what can be done with them."""
    told = []
    if after.empire_cubes != before.empire_cubes:
        told.append(
            f"cubes on the empire card {phrases.describe_empire_cubes(before)} to "
            f"{phrases.describe_empire_cubes(after)}"
        )
    pairs = [*zip(HOLDINGS, before.tokens, after.tokens, strict=True)]
    pairs.append(("points", before.points, after.points))
    return told + [f"{name} {old} to {new}" for name, old, new in pairs if old != new]


def describe_loss(site: Site, wording: Wording = TYPED) -> str:
    """What becomes of a card under construction that is given up, and of what lies on it (ruling 6)."""
    filled, spaces = sum(site.kind.cost) - sum(site.missing), sum(site.kind.cost)
    lost = f"{filled} of its {spaces} spaces are filled, and what lies there is lost; " if filled else ""
    return f"{wording.name_card(site.label)}: {lost}its {site.kind.recycling} cube goes to the empire card"


def describe_give_up(game: Game, seat: int, label: str, wording: Wording = TYPED) -> str:
    """The same of a card that is named as in `discard:zeppelin#2`."""
    sites = look_at_game(game, seat).seats[seat].sites
    return describe_loss(next(site for site in sites if site.label == label), wording)


def describe_state(seat: SeenSeat) -> str:
    """A seat in a line: points, what it makes, what it holds."""
    made = TYPED.list_amounts(seat.production) or "nothing"
    tokens = TYPED.list_amounts((*(0,) * (len(SPACES) - len(seat.tokens)), *seat.tokens))
    held = f"; holds {tokens}" if tokens else ""
    cubes = f"; cubes {phrases.describe_empire_cubes(seat)}"
    return f"You, seat {seat.seat}: {seat.points} points; makes {made}{held}{cubes}"
