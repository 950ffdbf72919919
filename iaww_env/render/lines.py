"""Lines of text made of coloured spans: joined, aligned in columns, and wrapped between items."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from iaww_env.cards import RESOURCES, TYPES

Span = tuple[str, str]
"""A text and its style: a name in `STYLES`, or "" for none."""

Line = list[Span]

# The sixteen colours of every terminal.
_COLOURS = {
    "materials": "90",
    "energy": "1",
    "science": "32",
    "gold": "33",
    "exploration": "94",
    "krystallium": "31",
    "general": "35",
    "financier": "36",
}
# Cards have the colour of the cube that they mostly make.
_TYPE_COLOURS = {kind: _COLOURS[resource] for kind, resource in zip(TYPES, RESOURCES, strict=True)}
STYLES = {"bold": "1", **_COLOURS, **_TYPE_COLOURS}


def write_line(line: Line, colour: bool) -> str:
    """A line as text, without blanks at its end; with ANSI escapes for its styles where colour is wanted."""
    spans = list(line)
    while spans and not spans[-1][0].strip():
        spans.pop()
    if spans:
        spans[-1] = (spans[-1][0].rstrip(), spans[-1][1])
    if not colour:
        return "".join(text for text, _ in spans)
    return "".join(
        f"\x1b[{STYLES[style]}m{text}\x1b[0m" if style and text.strip() else text for text, style in spans
    )


def measure_line(line: Line) -> int:
    """How many columns a line takes."""
    width = 0
    for text, _ in line:
        width += len(text)
    return width


def pad_line(line: Line, width: int, right: bool = False) -> Line:
    """The line with blanks up to a width: behind it, or before it where it shall end at the right."""
    blanks = (" " * max(0, width - measure_line(line)), "")
    return [blanks, *line] if right else [*line, blanks]


def align_rows(rows: Sequence[Sequence[Line]], right: Iterable[int] = (), gap: int = 1) -> list[Line]:
    """One line for each row of cells, the columns as wide as their widest cell."""
    ends_right = set(right)
    widths = [max(map(measure_line, column)) for column in zip(*rows, strict=True)]
    lines: list[Line] = []
    for row in rows:
        line: Line = []
        for number, (cell, width) in enumerate(zip(row, widths, strict=True)):
            line += [(" " * gap, "")] if number else []
            line += pad_line(cell, width, number in ends_right)
        lines.append(line)
    return lines


def wrap_items(label: Line, items: Iterable[Line], indent: int, width: int, gap: str = " ") -> list[Line]:
    """A label and the items behind it, from column `indent` on; a line ends between two items only."""
    lines = [pad_line(label, indent)]
    used, fresh = measure_line(lines[0]), True
    for item in items:
        length = measure_line(item)
        if not fresh and used + len(gap) + length > width:
            lines.append(pad_line([], indent))
            used, fresh = indent, True
        if not fresh:
            lines[-1].append((gap, ""))
            used += len(gap)
        lines[-1] += item
        used, fresh = used + length, False
    return lines
