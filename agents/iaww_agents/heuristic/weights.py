"""The weights of the heuristic: which there are, what they are set to, and where each stands in an array.

An array of weights is one column of `heuristic.csv`, a line for each weight, which says what it does; behind
them stand the biases of `kinds.csv`: for picking and for slating each kind in each round. Games of two and
more seats have a column of their own, and so has solo.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from iaww_env import rulebook
from iaww_env.cards import EXPANSIONS, kinds
from iaww_env.engine import facts
from iaww_env.errors import ConfigError, suggest

Weights = npt.NDArray[np.float64]

# Where a weight stands: plain numbers, which kernels take. The lines of heuristic.csv have the same order.
(
    CUBE_MATERIALS,
    CUBE_ENERGY,
    CUBE_SCIENCE,
    CUBE_GOLD,
    CUBE_EXPLORATION,
    CUBE_LATE,
    GROWTH,
    DELAY,
    DELAY_PER_SPACE,
    PRICE,
    PRICE_LATE,
    SHORT,
    SHORT_LATE,
    KRYSTALLIUM,
    KRYSTALLIUM_LATE,
    CHARACTER,
    TYPE_LATER,
    SLATED_COUNTS,
    RECYCLE_SHORT,
    RECYCLE_OPEN,
    RECYCLE_SPARE,
    DRAFTED_DEMAND,
    PLACE_POWER,
    PLACE_FINISH,
    EMPIRE,
    SLATE_BAR,
    DENY,
    SUPREMACY,
    POINTS_EARLY,
    STRUCTURE,
    VEHICLE,
    RESEARCH,
    PROJECT,
    DISCOVERY,
    DIG_BAR,
    CHECK,
    SURE,
    SPARE_MATERIALS,
    SPARE_ENERGY,
    SPARE_SCIENCE,
    SPARE_GOLD,
    SPARE_EXPLORATION,
    SPARE_LATE,
    SPARE_NOW,
    SPARE_KRYSTALLIUM,
    SPARE_CHARACTER,
    SPARE_TYPE,
    NAMED,
) = range(48)
# All whole numbers of this module up to here.
_PLACES = {name.lower(): place for name, place in globals().items() if type(place) is int}
NAMES = tuple(_PLACES)

# Where the weights begin that stand one behind the other by resource, and by type.
CUBE, SPARE, TYPE = CUBE_MATERIALS, SPARE_MATERIALS, STRUCTURE

N_KINDS = len(facts.TYPE)
PICK_BIAS = len(NAMES)
SLATE_BIAS = PICK_BIAS + rulebook.ROUNDS * N_KINDS
N_WEIGHTS = SLATE_BIAS + rulebook.ROUNDS * N_KINDS

COLUMNS = ("table", "solo")  # games of two and more seats, and solo
FOLDER = Path(__file__).resolve().parent


def read_weights(solo: bool) -> Weights:
    """The weights of a mode as a fresh array: in the order of NAMES, then the biases of kinds."""
    return np.array(_read_column(COLUMNS[solo]))


def change_weights(solo: bool, changes: Mapping[str, float]) -> Weights:
    """The weights of a mode with some changed."""
    weights = read_weights(solo)
    for name, value in changes.items():
        if name not in NAMES:
            raise ConfigError(f"the heuristic has no weight {name!r}{suggest(name, NAMES)}")
        weights[_PLACES[name]] = value
    return weights


def list_biases(column: str) -> list[str]:
    """The columns of kinds.csv that belong to a column of weights, in the order of the biases."""
    return [
        f"{column}_{verb}_{number}" for verb in ("pick", "slate") for number in range(1, rulebook.ROUNDS + 1)
    ]


@lru_cache(maxsize=len(COLUMNS))
def _read_column(column: str) -> tuple[float, ...]:
    biases = read_biases(FOLDER / "kinds.csv", column)
    return (*read_named(FOLDER / "heuristic.csv", column), *biases.reshape(-1).tolist())


def read_named(path: Path, column: str) -> list[float]:
    """One column of a table of weights, in the order of NAMES.

    Raises:
        ConfigError: A line is not about the weight that stands in its place.
    """
    rows = dict(_read_lines(path))
    for place, (line, row) in enumerate(rows.items()):
        if place >= len(NAMES) or row["name"] != NAMES[place]:
            wanted = repr(NAMES[place]) if place < len(NAMES) else "nothing more"
            raise ConfigError(f"{path}, line {line}: there is {row['name']!r} in place of {wanted}")
    if len(rows) < len(NAMES):
        raise ConfigError(f"{path} ends before {NAMES[len(rows)]!r}")
    return [float(row[column]) for row in rows.values()]


def read_biases(path: Path, column: str) -> Weights:
    """(verbs x rounds, kinds) what each kind is worth beyond its figures; 0 where no line is about it.

    Raises:
        ConfigError: A line is about a kind that does not exist.
    """
    places = {kind.id: kind.index for kind in kinds(EXPANSIONS)}
    parts = list_biases(column)
    biases = np.zeros((len(parts), len(places)))
    for line, row in _read_lines(path):
        if row["kind"] not in places:
            hint = suggest(row["kind"], places)
            raise ConfigError(f"{path}, line {line}: there is no kind {row['kind']!r}{hint}")
        biases[:, places[row["kind"]]] = [float(row[part]) for part in parts]
    return biases


def _read_lines(path: Path) -> Iterator[tuple[int, dict[str, str]]]:
    with path.open(encoding="utf-8", newline="") as file:
        reader = csv.DictReader(file)
        for row in reader:
            yield reader.line_num, row
