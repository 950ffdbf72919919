"""Text that was shown, read again: blocks, tables of cards, and how cards are named there."""

import re
from collections.abc import Iterable

from iaww_env.cards import kinds
from iaww_env.game import Game
from tests.modes import CA

SHORT = ("mat", "ene", "sci", "gold", "exp", "kry", "gen", "fin")


def cut_block(text: str, seat: int) -> str:
    """The lines of another seat: from its title to the next blank line."""
    return text[text.index(f"\nSeat {seat}: ") + 1 :].partition("\n\n")[0]


def join_lines(text: str) -> str:
    return " ".join(text.split())


def read_cards(text: str, title: str) -> dict[str, tuple[int, ...]]:
    """One of the viewer's own tables: the numbers that stand under the heads, by card."""
    rest = text[re.search(rf"^{title} +(costs|missing)\b", text, re.M).start() :]
    head, *lines = rest.partition("\n\n")[0].splitlines()
    ends = [re.search(rf" {short}\b", head).end() for short in SHORT]
    cards = {}
    for line in lines:
        if not line.startswith("   "):
            name = re.match(r"  (\S+( x\d)?) ", line)[1]
            cards[name] = tuple(int(line[end - 2 : end].strip() or 0) for end in ends)
    return cards


def count_cards(names: Iterable[str]) -> int:
    return sum(int(name.partition(" x")[2] or 1) for name in names)


def name_sites(game: Game, seat: int) -> list[tuple[str, tuple[int, ...]]]:
    """Cards under construction as the notation names them, and their missing spaces, from the state."""
    state, named = game.state, []
    for n in range(int(state.n_sites[seat])):
        one = kinds(CA)[int(state.site_kind[seat, n])]
        copy = int(state.site_card[seat, n]) - one.first_card + 1
        label = one.id + (f"#{copy}" if copy > 1 else "")
        named.append((label, tuple(state.site_missing[seat, n].tolist())))
    return named


def list_missing(missing: tuple[int, ...]) -> str:
    return ", ".join(f"{n} {short}" for n, short in zip(missing, SHORT, strict=True) if n)
