"""The commands that look things up: `iaww cards`, `iaww spec`."""

from __future__ import annotations

import sys
from typing import Annotated

from tyro.conf import Positional, arg

from iaww_env.cards import SPACES, TYPES, Empire, Kind, Scenario
from iaww_env.cli.known_words import GIFTS

WIDE = 240  # columns where nobody looks at a terminal


def cards(
    names: Annotated[Positional[tuple[str, ...]], arg(metavar="[WORD ...]")] = (),
    type: Annotated[str | None, arg(metavar=f"{{{','.join(TYPES)}}}")] = None,
    cost: Annotated[str | None, arg(metavar=f"{{{','.join(SPACES)}}}")] = None,
    gives: Annotated[str | None, arg(metavar=f"{{{','.join(GIFTS)}}}")] = None,
    empires: bool = False,
    scenarios: bool = False,
    json: bool = False,
) -> int:
    """Search and show cards, empires and scenarios, with their ids.

    Args:
        names: Parts of an id or of a name in English, French or Spanish; all of them must be there.
        type: Cards of this type.
        cost: Cards that need this resource or token.
        gives: What makes this, brings it, or is worth such points.
        empires: Show empires, each side by itself, and nothing else that is not asked for.
        scenarios: Show scenarios; likewise.
        json: Print a list for machines.

    Examples:
        iaww cards wind
        iaww cards --type vehicle --cost gold --gives exploration
        iaww cards --empires --scenarios
        iaww cards --gives points_per_structure --json
    """
    from iaww_env.cli.catalogue import Query, find_all

    wanted = [Empire] * empires + [Scenario] * scenarios
    found = find_all(Query(names, type, cost, gives), tuple(wanted) or (Kind, Empire, Scenario))
    (print_json if json else print_tables)(found)
    return 0


def print_json(found: list[Kind | Empire | Scenario]) -> None:
    """What was found as a list for machines."""
    import json

    from iaww_env.cli.catalogue import to_json

    print(json.dumps([to_json(one) for one in found], ensure_ascii=True, indent=1))


def print_tables(found: list[Kind | Empire | Scenario]) -> None:
    """What was found as tables: cards, empires, scenarios."""
    from rich.console import Console
    from rich.table import Table

    from iaww_env.cli.catalogue import list_tables

    console = Console() if sys.stdout.isatty() else Console(width=WIDE)
    for title, heads, rows in list_tables(found):
        counted = title if len(rows) > 1 else title.removesuffix("s")
        table = Table(title=f"{len(rows)} {counted}", title_justify="left")
        for number, head in enumerate(heads):
            table.add_column(head, no_wrap=number == 0)  # an id is to be copied
        for row in rows:
            table.add_row(*row)
        console.print(table)


def spec(part: Annotated[Positional[str | None], arg(metavar="[PART]")] = None) -> int:
    """Print the reference: actions, observations, rewards, state and ids.

    Args:
        part: One part of it: environments, sizes, batches, actions, numbers, observations, rewards, state or
            bytes.

    Examples:
        iaww spec
        iaww spec actions
    """
    from iaww_env.spec.parts import read_part

    print(read_part(part), end="")
    return 0
