"""One seat's part of the table as a panel: what it has, owes, builds and has built."""

from __future__ import annotations

from functools import lru_cache

from iaww_env import rulebook
from iaww_env.breakdown import CHARACTERS, PARTS
from iaww_env.cards import COUNTED, RESOURCES, SPACES, TYPES, Empire
from iaww_env.render.phrases import count_things
from iaww_env.render.seen import SeenSeat, group_kinds
from iaww_env.viewer.cards import draw_built, draw_card, draw_names, draw_site
from iaww_env.viewer.drawing import (
    MARGIN,
    RISE,
    TEXT,
    WIDTH,
    Box,
    Disc,
    Panel,
    Piece,
    Shape,
    Strip,
    Text,
    flow_pieces,
    join_pieces,
    move_shapes,
    write_piece,
)
from iaww_env.viewer.letters import cut_text, measure_text
from iaww_env.viewer.symbols import draw_points, draw_sign, repeat_sign

VIEWER, TURN = "you", "next"  # marks behind the name of a seat; the head of the table says who is to act
# Actions that no card stands for, by verb, and how they are told.
CHOICES = {
    "to_empire": "put a cube on the empire card",
    "choose": "choose a {}",
    "dig": "dig in the {} deck",
    "end": "end the phase",
}
_TOKENS = SPACES[len(RESOURCES) :]


@lru_cache(maxsize=2048)
def draw_seat(
    seat: SeenSeat,
    parts: tuple[int, ...],
    mark: str,
    legal: tuple[str, ...],
    has_pack: bool,
    solo: bool,
    agent: str = "",
) -> Panel:
    """A seat's panel.

    Args:
        seat: What is seen of it.
        parts: Where its points come from, in the order of `PARTS`.
        mark: A word behind its name, or nothing.
        legal: What the viewer may do with what lies here, in text form.
        has_pack: Whether its pack has a panel of its own.
        solo: Whether it plays alone.
        agent: Who plays it; empty where nobody knows.
    """
    strips = [_draw_name(seat, mark, agent), _draw_production(seat.production)]
    strips.append(_draw_holdings(seat.tokens, seat.empire_cubes, _choose(legal, "use")))
    if any(seat.corruption):
        strips.append(_draw_corruption(seat.made, seat.corruption))
    if seat.n_built or any(parts):
        strips.append(_draw_sources(parts))
    strips += _draw_duties(seat)
    strips += [draw_choice(action) for action in _choose(legal, *CHOICES)]
    if not has_pack:
        strips += _draw_pack(seat)
    if seat.drafted:
        strips.append(draw_heading("In hand" if solo else "Drafted", str(len(seat.drafted))))
        for kind, count in group_kinds(seat.drafted):
            strips.append(draw_card(kind, count, _name_card(kind.id, legal, "slate", "recycle", "toss")))
    if seat.sites:
        strips.append(draw_heading("Under construction", str(len(seat.sites))))
        for site in seat.sites:
            actions = _name_card(site.label, legal, "place", "discard")
            strips.append(draw_site(site.kind, site.copy, site.missing, actions))
    if seat.built:
        strips += [
            draw_heading("Built", str(seat.n_built)),
            _draw_types(tuple(seat.types_built.items()), seat.empire),
        ]
        by_type = sorted(seat.built, key=lambda one: TYPES.index(one[0].type))
        strips += [draw_built(kind, count) for kind, count in by_type]
    strips.append(Strip(6, (), ""))
    title = f"Seat {seat.seat}, {seat.empire.name_en}"
    return Panel(f"seat-{seat.seat}", f"{title} \u00b7 {agent}" if agent else title, tuple(strips))


def _choose(legal: tuple[str, ...], *verbs: str) -> tuple[str, ...]:
    return tuple(one for one in legal if one.partition(":")[0] in verbs)


def _name_card(label: str, legal: tuple[str, ...], *verbs: str) -> tuple[str, ...]:
    return tuple(text for text in (f"{verb}:{label}" for verb in verbs) if text in legal)


@lru_cache(maxsize=256)
def draw_heading(title: str, note: str = "") -> Strip:
    """A line above what follows; with how many."""
    shapes: list[Shape] = [Text(MARGIN, 19, title, "muted", TEXT, True)]
    if note:
        shapes.append(Text(MARGIN + measure_text(title, TEXT, True) + 6, 19, note, "muted"))
    shapes.append(Box(MARGIN, 1, WIDTH - 2 * MARGIN, 1, "line", "", 0))
    return Strip(25, tuple(shapes), f"{title}: {note}" if note else title)


def _draw_name(seat: SeenSeat, mark: str, agent: str) -> Strip:
    """Number, empire and points; below the empire who plays it."""
    name = seat.empire.name_en
    middle = 13 if agent else 21  # of the line on which the empire stands
    shapes: list[Shape] = [
        Disc(MARGIN + 13, 21, 13, f"seat{seat.seat}"),
        Text(MARGIN + 13, 21 + RISE * 15, str(seat.seat), "paper", 15, True, "middle"),
        Text(MARGIN + 34, middle + RISE * 15, name, "ink", 15, True),
        Text(WIDTH - MARGIN - 46, 21 + RISE * 22, str(seat.points), "ink", 22, True, "end"),
        Text(WIDTH - MARGIN, 21 + RISE * 13, "points", "muted", 13, anchor="end"),
    ]
    if mark:
        left = MARGIN + 34 + measure_text(name, 15, True) + 8
        width = measure_text(mark, TEXT, True) + 12
        shapes += [
            Box(left, middle - 9, width, 18, "accent", "", 9),
            Text(left + width / 2, middle + RISE * TEXT, mark, "paper", TEXT, True, "middle"),
        ]
    if agent:
        points = measure_text(str(seat.points), 22, True)
        space = WIDTH - MARGIN - 46 - points - 8 - (MARGIN + 34)
        shapes.append(Text(MARGIN + 34, 31 + RISE * TEXT, cut_text(agent, TEXT, space), "muted"))
    side = f"Seat {seat.seat}: {name}, side {seat.empire.side}, {seat.points} points"
    told = [side, *([f"played by {agent}"] if agent else []), *([mark] if mark else [])]
    return Strip(40, tuple(shapes), ", ".join(told))


@lru_cache(maxsize=4096)
def _draw_production(production: tuple[int, ...]) -> Strip:
    """What is made of each resource, corruption taken off."""
    shapes: list[Shape] = [Text(MARGIN, 14 + RISE * TEXT, "makes", "muted")]
    for number, (resource, made) in enumerate(zip(RESOURCES, production, strict=True)):
        x = MARGIN + 50 + 58 * number
        shapes += move_shapes(draw_sign(resource).shapes, x, 14)
        fill = "ink" if made else "muted"
        shapes.append(Text(x + 21, 14 + RISE * 16, str(made), fill, 16, bool(made)))
    amounts = ", ".join(map(count_things, production, RESOURCES))
    return Strip(28, tuple(shapes), f"Makes {amounts}")


@lru_cache(maxsize=4096)
def _draw_holdings(tokens: tuple[int, ...], cubes: int, actions: tuple[str, ...]) -> Strip:
    """Krystallium and characters, and the cubes on the empire card."""
    shapes: list[Shape] = [Text(MARGIN, 14 + RISE * TEXT, "holds", "muted")]
    for number, (token, count) in enumerate(zip(_TOKENS, tokens, strict=True)):
        x = MARGIN + 50 + 48 * number
        shapes += move_shapes(draw_sign(token).shapes, x, 14)
        shapes.append(Text(x + 21, 14 + RISE * 16, str(count), "ink" if count else "muted", 16, bool(count)))
    places = rulebook.CUBES_FOR_KRYSTALLIUM
    left = WIDTH - MARGIN - 14 * places
    shapes.append(Text(left - 7, 14 + RISE * TEXT, "empire card", "muted", anchor="end"))
    for place in range(places):
        fill = "ink" if place < cubes else ""
        shapes.append(Box(left + 14 * place + 1.5, 8.5, 11, 11, fill, "muted", 2))
    amounts = [*map(count_things, tokens, _TOKENS)]
    amounts.append(f"{cubes} of {places} cubes on the empire card")
    return Strip(28, tuple(shapes), f"Holds {', '.join(amounts)}", actions)


@lru_cache(maxsize=512)
def _draw_corruption(made: tuple[int, ...], lost: tuple[int, ...]) -> Strip:
    """Where corruption takes something away (ruling 8)."""
    pieces = [write_piece("corruption", "muted")]
    told = []
    for resource, one, other in zip(RESOURCES, made, lost, strict=True):
        if other:
            left = max(0, one - other)
            pieces.append(join_pieces([draw_sign(resource), write_piece(f"{one} - {other} = {left}")], 5))
            told.append(f"{resource} {one} less {other} is {left}")
    shapes, bottom = flow_pieces(pieces, MARGIN, WIDTH - MARGIN, 2, gap=12)
    return Strip(bottom + 2, tuple(shapes), f"Corruption: {', '.join(told)}")


@lru_cache(maxsize=4096)
def _draw_sources(parts: tuple[int, ...]) -> Strip:
    """Where the points come from: the parts that are not 0."""
    pieces, told = [write_piece("points", "muted")], []
    for name, points in zip(PARTS, parts, strict=True):
        if points:
            pieces.append(join_pieces([*_name_part(name), write_piece(str(points), bold=True)], 4))
            told.append(f"{points} {name}")
    if len(pieces) == 1:
        pieces.append(write_piece("none yet", "muted"))
    shapes, bottom = flow_pieces(pieces, MARGIN, WIDTH - MARGIN, 3, gap=12)
    return Strip(bottom + 3, tuple(shapes), f"Points: {', '.join(told) or 'none yet'}")


def _name_part(name: str) -> list[Piece]:
    """A part of the score, by the sign of what it is paid for where there is one."""
    counted = name.removeprefix("per ").replace(" ", "_")
    if counted in COUNTED:
        return [write_piece("per"), draw_sign(counted)]
    for character in CHARACTERS:
        if name == f"{character}s held":
            return [draw_sign(character), write_piece("held")]
    return [write_piece("cards" if name.endswith("cards") else name)]


def _draw_duties(seat: SeenSeat) -> list[Strip]:
    """What a seat has in hand or owes."""
    pieces: list[Piece] = []
    told: list[str] = []
    if seat.loose:
        cubes = repeat_sign(seat.loose_resource, seat.loose)
        pieces.append(join_pieces([write_piece("to place", bold=True), cubes], 6))
        told.append(f"to place: {count_things(seat.loose, seat.loose_resource)}")
    if seat.held:
        space = SPACES[seat.held - 1]
        token = "krystallium" if space in RESOURCES else space
        held = [write_piece("in hand", bold=True), draw_sign(token), write_piece("for"), draw_sign(space)]
        pieces.append(join_pieces(held, 6))
        told.append(f"in hand: {token} for a {space} space")
    if seat.must_choose:
        one, other = (draw_sign(character) for character in CHARACTERS)
        pieces.append(join_pieces([write_piece("to choose", bold=True), one, write_piece("or"), other], 6))
        told.append("to choose: general or financier")
    if seat.acted and seat.picked is None:
        pieces.append(write_piece("has ended this phase", "muted"))
        told.append("has ended this phase")
    if not pieces:
        return []
    shapes, bottom = flow_pieces(pieces, MARGIN, WIDTH - MARGIN, 3, gap=14)
    return [Strip(bottom + 3, tuple(shapes), "; ".join(told))]


@lru_cache(maxsize=64)
def draw_choice(action: str) -> Strip:
    """An action that no card stands for, as something to be pressed."""
    verb, _, named = action.partition(":")
    told = CHOICES[verb].format(named)
    shapes: tuple[Shape, ...] = (
        Box(MARGIN - 2, 2, WIDTH - 2 * MARGIN + 4, 24, "tile", "line", 6),
        Text(MARGIN + 9, 14 + RISE * 13, told, "ink", 13),
    )
    return Strip(28, shapes, f"Can {told}", (action,))


def _draw_pack(seat: SeenSeat) -> list[Strip]:
    """The pack in hand by name, or how many cards it holds; and a pick that is not revealed yet."""
    strips: list[Strip] = []
    if seat.picked is not None:
        strips += [draw_heading("Picked, not revealed yet"), draw_card(seat.picked)]
    if seat.hand is None and seat.hand_size:
        told = f"{seat.hand_size} cards not seen yet"
        strips += [draw_heading("Pack in hand"), Strip(20, (Text(MARGIN, 13, told, "muted"),), told)]
    elif seat.hand:
        strips.append(draw_heading("Pack in hand", str(seat.hand_size)))
        strips.append(draw_names(tuple(group_kinds(seat.hand)), "Pack in hand"))
    return strips


@lru_cache(maxsize=1024)
def _draw_types(counts: tuple[tuple[str, int], ...], empire: Empire) -> Strip:
    """How many cards of each type are built; and what the empire scores."""
    pieces = [
        join_pieces([draw_sign(name), write_piece(str(count), bold=True)], 3)
        for name, count in counts
        if count
    ]
    points = draw_points(empire)
    if points:
        pieces.append(join_pieces([write_piece("empire", "muted"), *points], 5))
    shapes, bottom = flow_pieces(pieces, MARGIN, WIDTH - MARGIN, 0, gap=10)
    told = ", ".join(f"{count} {name}" for name, count in counts if count)
    return Strip(bottom + 4, tuple(shapes), f"Built by type: {told}")
