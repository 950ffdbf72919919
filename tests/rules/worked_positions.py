"""Setting up positions for worked examples.

Cards are built by the rules themselves (slated, then filled with tokens made for the purpose), so that the
examples do not depend on how a seat keeps its books.
"""

from __future__ import annotations

from collections import Counter

from iaww_env import Game, GameConfig, rulebook
from iaww_env.cards import CHARACTERS, RESOURCES, SPACES, kind, kinds
from iaww_env.engine import fields
from iaww_env.game import lend_state
from tests.modes import CA

BASE_EMPIRES = (
    "noram_states",
    "republic_of_europe",
    "panafrican_union",
    "federation_of_asia",
    "aztec_empire",
)
ALL_EMPIRES = (*BASE_EMPIRES, "nations_of_oceania", "north_hegemony")


# --- Beginning -------------------------------------------------------------------------------------


def start_planning(
    players: int = 2,
    *,
    ascension: bool = False,
    side: str = "B",
    empires: tuple[str, ...] | None = None,
    seed: int = 0,
) -> Game:
    """The first planning phase with nothing drafted; side B makes 2 materials, 1 energy, 1 science."""
    expansions = CA if ascension else ()
    config = GameConfig(players=players, expansions=expansions, empire_side=side, empires=empires)
    game = Game(config, seed=seed)
    if players > 1:
        finish_phase(game)
    for seat in range(players):
        set_drafted(game, seat)
    if players == 1:
        lend_state(game).sequence[...] = rulebook.SEQUENCES  # so that planning can be ended
    return game


def start_scenario(name: str) -> Game:
    """The first planning phase of a scenario, the hand emptied."""
    game = Game(GameConfig(players=1, expansions=CA, scenario=name), seed=0)
    set_drafted(game, 0)
    return game


def start_step(resource: str, made: int, *sites: str, ascension: bool = True) -> Game:
    """A step in which seat 0 makes so many cubes, these cards under construction; it has no character."""
    game = start_planning(ascension=ascension)
    start_construction(game, 0, *sites)
    lend_state(game).production[...] = 0
    lend_state(game).production[0, RESOURCES.index(resource)] = made
    go_to(game, resource)
    while game.state.must_choose[0]:
        game.step(0, "choose:general")
    hold(game, 0, krystallium=int(game.state.krystallium[0]))
    return game


def set_drafted(game: Game, seat: int, *ids: str) -> None:
    """These cards, and no others, wait to be slated or recycled."""
    indices = sorted(kind(one).index for one in ids)
    lend_state(game).n_drafted[seat] = len(indices)
    lend_state(game).drafted[seat] = indices + [-1] * (fields.MOST_DRAFTED - len(indices))


def hold(game: Game, seat: int, *, krystallium: int = 0, generals: int = 0, financiers: int = 0) -> None:
    """The seat holds so many tokens, and no others."""
    lend_state(game).krystallium[seat] = krystallium
    lend_state(game).generals[seat] = generals
    lend_state(game).financiers[seat] = financiers


# --- Playing ---------------------------------------------------------------------------------------


def play(game: Game, seat: int, *texts: str) -> None:
    """Play these actions of a seat."""
    for text in texts:
        game.step(seat, text)


def choose_plainly(texts: list[str]) -> str:
    """Come to an end: end the phase where it is legal, else get rid of cubes and cards."""
    for verb in ("end", "to_empire", "choose:", "recycle:", "place:", "pick:"):
        for text in texts:
            if text.startswith(verb):
                return text
    raise AssertionError(f"no plain choice among {texts}")


def finish_phase(game: Game) -> None:
    """Every seat recycles what is undecided, sends what is loose to its empire card, and ends the phase."""
    phase = game.round, game.phase
    while (game.round, game.phase) == phase:
        seat = game.seats_to_act()[0]
        game.step(seat, choose_plainly(game.legal_texts(seat)))


def go_to(game: Game, phase: str, *, round: int | None = None) -> None:
    """Finish phases until this one has begun (in a round, where one is named)."""
    while game.phase != phase or (round is not None and game.round != round):
        assert not game.over
        finish_phase(game)


def go_to_decision(game: Game, phase: str) -> None:
    """The first seat's free decision in a phase: a character that it owes is a general."""
    go_to(game, phase)
    if game.state.must_choose[0]:
        play(game, 0, "choose:general")


def go_to_the_end(game: Game) -> None:
    """Go on to the last production step with no cube loose: every seat has only to end the phase."""
    go_to(game, "exploration", round=4)
    for seat in range(game.config.players):
        while game.state.loose[seat]:
            game.step(seat, "to_empire")


# --- Building --------------------------------------------------------------------------------------


def start_construction(game: Game, seat: int, *ids: str) -> None:
    """Slate these cards in planning, in this order."""
    for one in ids:
        set_drafted(game, seat, one)
        game.step(seat, f"slate:{one}")


def fill(game: Game, seat: int, name: str, **spaces: int) -> None:
    """Fill spaces of a card under construction (`name` as in `place:name`) with tokens made for it."""
    for space, count in spaces.items():
        for _ in range(count):
            use = f"krystallium_as_{space}" if space in RESOURCES else space
            window = f"{space}s" if space in CHARACTERS else "krystallium"
            getattr(lend_state(game), window)[seat] += 1
            play(game, seat, f"use:{use}", f"place:{name}")


def build(game: Game, seat: int, *ids: str) -> None:
    """Build these cards in planning, in this order: the seat gets their bonuses and loses no token."""
    for one in ids:
        start_construction(game, seat, one)
        complete(game, seat, one)


def complete(game: Game, seat: int, id: str) -> None:
    """Fill every space of the only copy under construction, nothing lying on it yet."""
    cost = dict(zip(SPACES, kind(id).cost, strict=True))
    fill(game, seat, id, **cost)


# --- Looking ---------------------------------------------------------------------------------------


def legal(game: Game, seat: int) -> set[str]:
    """What the seat may do now."""
    return set(game.legal_texts(seat))


def find_missing(game: Game, seat: int) -> list[tuple[str, dict[str, int]]]:
    """Cards under construction and their open spaces, in the order of the table, oldest copies first."""
    table = kinds(game.config.expansions)
    sites = game.state.site_kind[seat, : game.state.n_sites[seat]].tolist()
    rows = game.state.site_missing[seat].tolist()
    return [
        (table[index].id, {space: n for space, n in zip(SPACES, row, strict=True) if n})
        for index, row in zip(sites, rows, strict=False)
    ]


def count_discarded(game: Game, seat: int) -> Counter[str]:
    """Cards that the seat has discarded."""
    counts = game.state.discarded[seat].tolist()
    return Counter({one.id: n for one, n in zip(kinds(game.config.expansions), counts, strict=True) if n})


def count_cubes(game: Game, seat: int) -> int:
    """All cubes that a seat without a card under construction ever got: loose, kept and made krystallium."""
    kept = int(game.state.empire_cubes[seat]) + int(game.state.loose[seat])
    return rulebook.CUBES_FOR_KRYSTALLIUM * int(game.state.krystallium[seat]) + kept


def tokens(game: Game, seat: int) -> tuple[int, int, int]:
    """Krystallium, generals and financiers held."""
    state = game.state
    return int(state.krystallium[seat]), int(state.generals[seat]), int(state.financiers[seat])


def empire(game: Game, seat: int) -> tuple[int, int]:
    """Krystallium held and cubes on the empire card."""
    return int(game.state.krystallium[seat]), int(game.state.empire_cubes[seat])


def loose(game: Game, seat: int) -> tuple[int, str | None]:
    """Loose cubes and their resource."""
    count = int(game.state.loose[seat])
    return count, RESOURCES[int(game.state.loose_resource[seat])] if count else None
