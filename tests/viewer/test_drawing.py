"""Every drawing fits: shapes inside their strip, letters beside each other and inside their frames."""

from __future__ import annotations

from itertools import combinations
from xml.etree import ElementTree

import pytest

from iaww_env.cards import EMPIRE_IDS, RESOURCES, SIDES, empire, kinds
from iaww_env.config import GameConfig
from iaww_env.viewer.cards import draw_built, draw_card, draw_site
from iaww_env.viewer.colours import list_roles
from iaww_env.viewer.drawing import TEXT, WIDTH, Box, Disc, Strip, Text, flow_pieces, join_pieces, write_piece
from iaww_env.viewer.legend import draw_legend
from iaww_env.viewer.letters import measure_text, wrap_text
from iaww_env.viewer.panels import draw_game
from iaww_env.viewer.svg import write_panel, write_strip
from iaww_env.viewer.symbols import SIGNS, draw_points, expand_signs, list_sign_shapes
from tests.modes import CA, WITH_SCENARIOS
from tests.viewer.drawn_games import find_corners, is_read, list_positions, overlap

_CHECKED: set[Strip] = set()


def check_strip(strip: Strip) -> None:
    """Everything lies inside, nothing that is read on something else that is read."""
    if strip in _CHECKED:
        return
    _CHECKED.add(strip)
    for shape in expand_signs(strip.shapes):
        left, top, right, bottom = find_corners(shape)
        assert 0 <= left <= right <= WIDTH, (strip.text, shape)
        assert 0 <= top <= bottom <= strip.height, (strip.text, shape)
        roles = {shape.fill, "" if isinstance(shape, Text) else shape.edge}
        assert roles - {""} <= set(list_roles())
        assert not isinstance(shape, Text) or shape.size >= TEXT
    read = [shape for shape in strip.shapes if is_read(shape)]
    for one, other in combinations(read, 2):
        assert not overlap(find_corners(one), find_corners(other)), (strip.text, one, other)
    check_frames(strip)


def check_frames(strip: Strip) -> None:
    """A text that is tied to a point in a frame lies in it."""
    texts = [shape for shape in expand_signs(strip.shapes) if isinstance(shape, Text)]
    for frame in expand_signs(strip.shapes):
        if not isinstance(frame, Box | Disc) or not frame.fill:
            continue
        left, top, right, bottom = find_corners(frame)
        for text in texts:
            start, high, end, low = find_corners(text)
            if left <= text.x <= right and top <= (high + low) / 2 <= bottom:
                assert left <= start, (strip.text, text)
                assert end <= right, (strip.text, text)


@pytest.mark.parametrize("mode", WITH_SCENARIOS)
def test_drawings_of_every_mode_fit_and_are_well_formed(mode: str) -> None:
    config = WITH_SCENARIOS[mode]
    phases = set()
    for game, step in list_positions(config, 3, 7 if config.solo else 29):
        phases.add(game.phase)
        for viewer in (None, step % config.players):
            panels = draw_game(game, viewer)
            seats = [panel.name for panel in panels if panel.name.startswith("seat-")]
            assert sorted(seats) == [f"seat-{seat}" for seat in range(config.players)]
            for panel in panels:
                for strip in panel.strips:
                    check_strip(strip)
                for plain in (False, True):
                    ElementTree.fromstring(write_panel(panel, plain=plain))
    assert phases == {"planning", *RESOURCES, "over"} | ({"draft"} if not config.solo else set())


def test_every_card_fits_in_every_way() -> None:
    for kind in kinds(CA):
        missing = tuple(kind.cost)
        last = tuple(int(number == max(range(8), key=kind.cost.__getitem__)) for number in range(8))
        for strip in (
            draw_card(kind, 1),
            draw_card(kind, kind.copies),
            draw_site(kind, kind.copies, missing),
            draw_site(kind, 1, last),
            draw_built(kind, kind.copies),
        ):
            check_strip(strip)
            ElementTree.fromstring(f"<g>{write_strip(strip)}</g>")


def test_every_empire_fits() -> None:
    for id in EMPIRE_IDS:
        for side in SIDES:
            assert join_pieces(draw_points(empire(id, side))).width < WIDTH / 2
            config = GameConfig(2, CA, empire_side=side, empires=(id, None))
            for panel in draw_game(next(list_positions(config, 1, 1))[0]):
                for strip in panel.strips:
                    check_strip(strip)


def test_the_legend_names_every_sign() -> None:
    told = " ".join(strip.text for strip in draw_legend().strips)
    for strip in draw_legend().strips:
        check_strip(strip)
    assert all(name in told for name in SIGNS)


def test_signs_differ_without_their_colours() -> None:
    """By letters or by shape: no two are the same when all colours are taken away."""
    bare = set()
    for name in SIGNS:
        shapes = []
        for shape in list_sign_shapes(name):
            said = shape.text if isinstance(shape, Text) else ""
            shapes.append((type(shape).__name__, find_corners(shape), said))
        bare.add(tuple(shapes))
    assert len(bare) == len(SIGNS)


def test_texts_are_wrapped_between_words() -> None:
    text = "Game over: seats 0 and 2 share the win with 41 points"
    for width in (60, 120, 400):
        lines = wrap_text(text, 15, width, True)
        assert " ".join(lines) == text
        assert all(measure_text(line, 15, True) <= width or " " not in line for line in lines)


def test_pieces_flow_onto_new_lines() -> None:
    pieces = [write_piece("wide enough")] * 9
    shapes, bottom = flow_pieces(pieces, 10, 200, 0, line=20)
    assert bottom == 20 * 5
    assert max(find_corners(shape)[2] for shape in shapes) <= 200


def test_an_overflow_is_seen() -> None:
    long = Strip(20, (Text(300, 12, "much too long for this"),), "long")
    on_each_other = Strip(20, (Text(10, 12, "one"), Text(14, 12, "other")), "crowded")
    framed = Strip(30, (Box(10, 2, 30, 20, "tile"), Text(12, 14, "does not fit")), "framed")
    for strip in (long, on_each_other, framed):
        with pytest.raises(AssertionError):
            check_strip(strip)
