"""The tables of card facts, read with the standard library."""

import csv
from pathlib import Path

import iaww_env.cards

DATA = Path(iaww_env.cards.__file__).parent / "data"


def read_table(name: str) -> list[dict[str, str]]:
    with (DATA / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def read_deck(deck: str) -> list[dict[str, str]]:
    return [row for row in read_table("developments") if row["deck"] == deck]
