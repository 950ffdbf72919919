"""Colours: measured contrast on light and on dark, and apart from each other for colour-blind people."""

from __future__ import annotations

import re
from itertools import combinations

import pytest

from iaww_env.cards import RESOURCES, SPACES
from iaww_env.rulebook import MOST_PLAYERS
from iaww_env.viewer.colours import find_colour, find_hex, list_roles, measure_contrast, read_template

TEXT, SHAPE = 4.5, 3.0  # what WCAG 2 (AA) asks of texts, and of shapes that mean something
# How people see who lack one of the three sorts of cones, in linear light (Viénot, Brettel, Mollon 1999).
BLIND = {
    "protan": ((0.11238, 0.88762, 0.0), (0.11238, 0.88762, 0.0), (0.00401, -0.00401, 1.0)),
    "deutan": ((0.29275, 0.70725, 0.0), (0.29275, 0.70725, 0.0), (-0.02234, 0.02234, 1.0)),
}
FURTHEST_ALIKE = 28  # colours that are nearer than this, of 441, are taken to be one


def contrast(one: str, other: str, dark: bool) -> float:
    return measure_contrast(find_colour(one, dark=dark), find_colour(other, dark=dark))


def test_contrast_is_that_of_the_guidelines() -> None:
    assert measure_contrast((0, 0, 0), (255, 255, 255)) == pytest.approx(21)
    assert measure_contrast((119, 119, 119), (255, 255, 255)) == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_texts_stand_out(dark: bool) -> None:
    for ground in ("paper", "tile"):
        for text in ("ink", "muted", "accent"):
            assert contrast(text, ground, dark) >= TEXT, (text, ground)
    for ground in ("ink", "accent", *(f"seat{seat}" for seat in range(MOST_PLAYERS))):
        assert contrast("paper", ground, dark) >= TEXT, ground  # numbers of points, of seats, marks
    for space in SPACES:
        assert contrast(f"on_{space}", space, dark) >= TEXT, space


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_shapes_stand_out(dark: bool) -> None:
    for ground in ("paper", "tile"):
        assert contrast("edge", ground, dark) >= SHAPE, "every cube has this edge"
    for seat in range(MOST_PLAYERS):
        assert contrast(f"seat{seat}", "paper", dark) >= SHAPE, "lines of the curve"


def see_blind(colour: tuple[int, int, int], way: str) -> tuple[float, ...]:
    """A colour as it looks to somebody who lacks a sort of cones."""
    light = [(part / 255) ** 2.2 for part in colour]
    seen = [sum(weight * part for weight, part in zip(row, light, strict=True)) for row in BLIND[way]]
    return tuple(255 * max(0.0, min(1.0, part)) ** (1 / 2.2) for part in seen)


@pytest.mark.parametrize("way", BLIND)
def test_cubes_differ_for_colour_blind_people(way: str) -> None:
    for one, other in combinations(RESOURCES, 2):
        seen = [see_blind(find_colour(name), way) for name in (one, other)]
        distance = sum((a - b) ** 2 for a, b in zip(*seen, strict=True)) ** 0.5
        assert distance > FURTHEST_ALIKE, (one, other)


def test_the_stylesheets_use_the_roles_that_there_are() -> None:
    known = {*list_roles(), "ground"}
    for name in ("drawing.css", "page.css", "panels.js", "chart.js"):
        used = set(re.findall(r"var\(--(\w+)[,)]", read_template(name)))
        assert used <= known, name
    assert all(re.fullmatch("#[0-9a-f]{6}", find_hex(role)) for role in list_roles())
