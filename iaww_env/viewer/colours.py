"""Colours by their role, as the one stylesheet says them; and how well they stand out from each other."""

from __future__ import annotations

import re
from functools import lru_cache
from importlib.resources import files

Colour = tuple[int, int, int]

_ROLE = re.compile(r"--(\w+): light-dark\(#([0-9a-f]{6}), #([0-9a-f]{6})\);")


def read_template(name: str, package: str = "iaww_env.viewer") -> str:
    """A file of `templates/`, here or beside the modules of another package."""
    return (files(package) / "templates" / name).read_text(encoding="utf-8")


@lru_cache(maxsize=1)
def _read_roles() -> dict[str, tuple[str, str]]:
    return {role: (light, dark) for role, light, dark in _ROLE.findall(read_template("drawing.css"))}


def list_roles() -> tuple[str, ...]:
    """The roles that the stylesheet knows."""
    return tuple(_read_roles())


def find_hex(role: str, *, dark: bool = False) -> str:
    """The colour of a role: `#f0e442`."""
    return f"#{_read_roles()[role][dark]}"


@lru_cache(maxsize=256)
def find_colour(role: str, *, dark: bool = False) -> Colour:
    """The same as red, green and blue, 0 to 255 each."""
    red, green, blue = bytes.fromhex(find_hex(role, dark=dark)[1:])
    return red, green, blue


def measure_contrast(one: Colour, other: Colour) -> float:
    """How well two colours stand out from each other, 1 to 21, as WCAG 2 defines it."""
    high, low = sorted((_measure_light(one), _measure_light(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def _measure_light(colour: Colour) -> float:
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for part in (part / 255 for part in colour)
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
