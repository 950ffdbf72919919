"""A position as panels: the head of the table, the pack that is drafted from, and the seats."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from iaww_env import rulebook
from iaww_env.breakdown import count_parts
from iaww_env.cards import RESOURCES, kind
from iaww_env.game import Game, lend_row
from iaww_env.render import phrases
from iaww_env.render.seen import SeenGame, SeenSeat, group_kinds, look_at_game
from iaww_env.viewer.cards import draw_card
from iaww_env.viewer.drawing import MARGIN, RISE, WIDTH, Box, Panel, Shape, Strip, Text, move_shapes
from iaww_env.viewer.letters import measure_text, wrap_text
from iaww_env.viewer.seats import TURN, VIEWER, draw_heading, draw_seat
from iaww_env.viewer.symbols import draw_sign

TOP = Strip(5, (), "")  # free above a title


def draw_game(
    game: Game, viewer: int | None = None, turn: int | None = None, agents: Sequence[str] = ()
) -> tuple[Panel, ...]:
    """The panels of a position, in the order in which they are read.

    Args:
        game: The game.
        viewer: Whose eyes to see with; None shows all seats (decks stay face down).
        turn: For a spectator, who decides next; by default the first seat that owes a decision.
        agents: Who plays, by seat; empty where nobody knows.
    """
    return draw_seen(game, look_at_game(game, viewer, agents=agents), turn)


def draw_seen(game: Game, seen: SeenGame, turn: int | None = None) -> tuple[Panel, ...]:
    """The panels of what is seen of a game; see `draw_game`."""
    owing = game.seats_to_act()
    decides = seen.viewer
    if decides is None:
        decides = turn if turn is not None else owing[0] if owing else None
    legal = seen.legal if seen.viewer is not None else game.legal_texts(decides) if decides in owing else ()
    return _draw_table(seen, decides, tuple(legal))


def _draw_table(seen: SeenGame, decides: int | None, legal: tuple[str, ...]) -> tuple[Panel, ...]:
    """The panels, with the legal actions of the seat whose decision is shown."""
    game, solo = seen.game, seen.game.config.solo
    panels = [_draw_head(seen)]
    chooser = None if decides is None else seen.seats[decides]
    has_pack = chooser is not None and bool(chooser.hand or chooser.picked)
    if chooser is not None and has_pack:
        picks = tuple(text for text in legal if text.startswith("pick:"))
        title = "Your hand" if decides == seen.viewer else f"Pack in hand of seat {chooser.seat}"
        panels.append(_draw_pack(chooser, picks, "Dug up: keep one" if solo else title))
    parts, _ = count_parts(lend_row(game), game.config.players)
    for seat in _order_seats(seen):
        own = seat.seat == decides
        mark = "" if game.over or solo or not own else VIEWER if decides == seen.viewer else TURN
        sources = tuple(parts[seat.seat].tolist())
        agent = seen.name_agent(seat.seat)
        panels.append(draw_seat(seat, sources, mark, legal if own else (), own and has_pack, solo, agent))
    return tuple(panels)


def _order_seats(seen: SeenGame) -> list[SeenSeat]:
    """The viewer first, then the others from the left."""
    start = seen.viewer or 0
    return [*seen.seats[start:], *seen.seats[:start]]


# --- The head of the table -----------------------------------------------------------------------------


def _draw_head(seen: SeenGame) -> Panel:
    """When it is and what is played, in words and as a track of phases."""
    title, *lines = phrases.describe_table(seen, lambda card: kind(card).name_en)
    strips = [TOP, *write_lines(title, "ink", 15, True)]
    if not seen.game.over:
        strips.append(_draw_track(seen.game.round, _find_stop(seen.game)))
    for line in lines:
        strips += write_lines(line, "muted", 13)
    return Panel("head", title, (*strips, Strip(8, (), "")))


@lru_cache(maxsize=512)
def write_lines(text: str, fill: str, size: int, bold: bool = False) -> tuple[Strip, ...]:
    """A text as strips, as many as it takes; the first one reads it aloud."""
    lines = wrap_text(text, size, WIDTH - 2 * MARGIN, bold)
    height = size + 8
    return tuple(
        Strip(
            height,
            (Text(MARGIN, height / 2 + RISE * size + 1, line, fill, size, bold),),
            "" if number else text,
        )
        for number, line in enumerate(lines)
    )


def _find_stop(game: Game) -> int:
    """Where on the track a game stands: draft, planning, the five steps."""
    phase = int(game.state.phase)
    return phase + int(game.state.step) if phase == rulebook.PRODUCTION else phase


@lru_cache(maxsize=64)
def _draw_track(round: int, stop: int) -> Strip:
    """The rounds as numbers, the phases of a round as words and cubes; where the game stands is framed."""
    shapes: list[Shape] = []
    x: float = MARGIN
    for number in range(1, rulebook.ROUNDS + 1):
        here = number == round
        shapes.append(Box(x + 0.5, 4.5, 20, 21, "accent" if here else "", "" if here else "line", 5))
        fill = "paper" if here else "muted"
        shapes.append(Text(x + 10.5, 15 + RISE * 13, str(number), fill, 13, here, "middle"))
        x += 24
    x += 8
    for number, name in enumerate((*rulebook.PHASES[: rulebook.PRODUCTION], *RESOURCES)):
        here = number == stop
        if name in RESOURCES:
            width = 26.0
            shapes += move_shapes(draw_sign(name).shapes, x + 5, 15)
        else:
            width = measure_text(name, 12, True) + 10
            fill = "ink" if here else "muted"
            shapes.append(Text(x + width / 2, 15 + RISE * 12, name, fill, 12, here, "middle"))
        if here:
            shapes.append(Box(x + 1, 3, width - 2, 24, "", "accent", 6))
        x += width
    return Strip(32, tuple(shapes), "")


# --- The pack -------------------------------------------------------------------------------------------


def _draw_pack(seat: SeenSeat, picks: tuple[str, ...], title: str) -> Panel:
    """The cards that a seat picks from: its pack in the draft, in solo what a dig shows."""
    hand = seat.hand or ()
    strips = [TOP, *write_lines(title, "ink", 15, True)]
    if seat.picked is not None:
        strips += [draw_heading("Picked, not revealed yet"), draw_card(seat.picked)]
        if hand:
            strips.append(draw_heading("Left in the pack", str(len(hand))))
    for card, count in group_kinds(hand):
        action = f"pick:{card.id}"
        strips.append(draw_card(card, count, (action,) if action in picks else ()))
    return Panel("pack", title, (*strips, Strip(6, (), "")))
