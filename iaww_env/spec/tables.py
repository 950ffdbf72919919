"""SPEC.md: actions, observations, rewards, state, bytes and ids, written from the tables that declare them.

`python -m iaww_env.spec` writes it anew in the folder above; a test fails when it is stale.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from iaww_env import rulebook
from iaww_env.actions import VERBS, action_table
from iaww_env.cards import EMPIRE_IDS, EXPANSIONS, RESOURCES, SIDES, SPACES, TYPES, kinds, scenarios
from iaww_env.config import GameConfig
from iaww_env.engine.fields import PACK, SEAT_FIELDS, TABLE_FIELDS, Field, find_layout
from iaww_env.engine.observe.pieces import PIECES, PROFILES, Piece, is_present, place_pieces
from iaww_env.engine.rewards import SCHEMES
from iaww_env.game import BYTES_VERSION, MAGIC
from iaww_env.outputs import write_whole
from iaww_env.publish import write_markdown
from iaww_env.registration import GYMNASIUM, PETTINGZOO_ID
from iaww_env.spec import prose
from iaww_env.spec.parts import PATH

CONFIGS = {
    "solo": GameConfig(players=1),
    "solo, C&A": GameConfig(players=1, expansions=EXPANSIONS),
    "2 players": GameConfig(players=2),
    "4 players": GameConfig(players=4),
    "4 players, C&A": GameConfig(players=4, expansions=EXPANSIONS),
    "7 players, C&A": GameConfig(players=7, expansions=EXPANSIONS),
}


def write_table(heads: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table and the empty line below it."""
    return write_markdown(heads, rows) + "\n"


def write_shape(shape: Iterable[int | str]) -> str:
    """A shape as it is written in Python; a single number is ()."""
    dims = [str(dim) for dim in shape]
    return "(" + ", ".join(dims) + ("," if len(dims) == 1 else "") + ")"


def write_scale(scale: float) -> str:
    """A scale as a fraction."""
    return f"1/{round(1 / scale)}" if scale < 1 else f"{scale:g}"


def write_bound(bound: Any) -> str:
    """A bound of raw numbers; `up to` where it differs from kind to kind or from space to space."""
    return str(bound) if isinstance(bound, int) else f"up to {np.max(bound)}"


# --- Ids and configurations ------------------------------------------------------------------------


def list_makers() -> dict[str, Callable[..., Any]]:
    """What makes an environment; loaded here, for it loads the frameworks."""
    from iaww_env.envs.multi.aec import aec_env
    from iaww_env.envs.multi.parallel import parallel_env
    from iaww_env.envs.single.solo import SoloEnv
    from iaww_env.envs.single.versus import VersusEnv

    return {"VersusEnv": VersusEnv, "SoloEnv": SoloEnv, "parallel_env": parallel_env, "aec_env": aec_env}


def describe_ids() -> list[str]:
    """Environments, the history of their versions, and their options."""
    made = [(f"`{id}`", "`gymnasium.make`, `gymnasium.make_vec`", f"`{a}`, `{b}`") for id, a, b in GYMNASIUM]
    made.append((f"`{PETTINGZOO_ID}`", "`pettingzoo.make`", "`iaww_env.parallel_env`, `iaww_env.aec_env`"))
    history = [(f"`{id}`", *entry) for id, entries in prose.HISTORY.items() for entry in entries]
    options = []
    for name, maker in list_makers().items():
        given = inspect.signature(maker).parameters.values()
        options.append((f"`{name}`", ", ".join(f"`{one.name}={one.default!r}`" for one in given)))
    return [
        prose.ABOUT_IDS,
        write_table(("id", "made by", "what it is"), made),
        write_table(("id", "version", "since", "what changed"), history),
        prose.ABOUT_OPTIONS,
        write_table(("environment", "options"), options),
        prose.ABOUT_BATCHES,
    ]


def describe_sizes() -> list[str]:
    """Every number of players and card pool."""
    rows = []
    for expansions, hands in (((), rulebook.HANDS_BASE), (EXPANSIONS, rulebook.HANDS_ASCENSION)):
        for players in hands:
            config = GameConfig(players=players, expansions=expansions)
            sizes = [place_pieces(profile, players, config.kinds)[1] for profile in PROFILES]
            dealt = f"{config.hand_base} + {config.hand_ascension}" if expansions else config.hand_base
            actions, state = len(action_table(expansions)), find_layout(config).state_size
            rows.append((players, "C&A" if expansions else "base", dealt, actions, *sizes, state))
    header = ("players", "card pool", "cards dealt", "actions", *(f"`{one}`" for one in PROFILES), "state")
    return [prose.ABOUT_SIZES, write_table(header, rows)]


# --- Actions ---------------------------------------------------------------------------------------


def describe_actions() -> list[str]:
    """The action table of both card pools."""
    tables = action_table(), action_table(EXPANSIONS)
    rows = []
    for verb in VERBS:
        spans = []
        for table in tables:
            numbers = [number for number in range(len(table)) if table.verb(number) == verb.name]
            spans.append(f"{numbers[0]}" if len(numbers) == 1 else f"{numbers[0]}-{numbers[-1]}")
        first = tables[0].to_text(getattr(tables[0], verb.name))
        rows.append((f"`{verb.name}`", verb.count, *spans, f"`{first}`", verb.when))
    lines = [prose.ABOUT_ACTIONS, write_table(("verb", "actions", "base", "with C&A", "first", "when"), rows)]
    for verb in VERBS:
        if isinstance(verb.names, tuple) and len(verb.names) > 1:
            lines.append(f"- `{verb.name}`, in order: " + ", ".join(f"`{word}`" for word in verb.names))
    return [*lines, ""]


def describe_numbers() -> list[str]:
    """The numbers behind names."""
    rows = [
        (kind.index, f"`{kind.id}`", kind.deck, kind.type, kind.copies, kind.first_card)
        for kind in kinds(EXPANSIONS)
    ]
    lists = {
        "resources": RESOURCES,
        "spaces": SPACES,
        "types": TYPES,
        "empires": EMPIRE_IDS,
        "sides": SIDES,
        "scenarios": [one.id for one in scenarios()],
    }
    lines = [prose.ABOUT_NUMBERS]
    lines += [f"- {name}, from 0: " + ", ".join(f"`{one}`" for one in ids) for name, ids in lists.items()]
    return [*lines, "", write_table(("kind", "id", "deck", "type", "copies", "first card"), rows)]


# --- Observations ----------------------------------------------------------------------------------


def describe_piece(piece: Piece) -> tuple[object, ...]:
    """A piece in a line."""
    profile = "all" if piece.profiles == PROFILES else ", ".join(piece.profiles)
    seats = " (solo)" if piece.solo else ""
    bounds = write_scale(piece.scale), piece.low, write_bound(piece.high)
    return (
        f"`{piece.name}`",
        piece.who,
        write_shape(piece.shape),
        *bounds,
        profile + seats,
        piece.meaning,
    )


def describe_pieces() -> list[str]:
    """Every piece of an observation."""
    header = ("piece", "of", "shape", "scale", "least", "most", "profile", "meaning")
    return [prose.ABOUT_OBSERVATIONS, write_table(header, [describe_piece(piece) for piece in PIECES])]


def describe_offsets(profile: str) -> list[str]:
    """Where the pieces of a profile begin in common configurations."""
    placed = [(config, *place_pieces(profile, config.players, config.kinds)) for config in CONFIGS.values()]
    rows: list[Sequence[object]] = []
    for number, piece in enumerate(PIECES):
        if profile in piece.profiles:
            cells = [at[number] if is_present(piece, profile, one.players) else "" for one, at, _ in placed]
            rows.append((f"`{piece.name}`", *cells))
    rows.append(("length", *(size for _, _, size in placed)))
    return [f"### Where the pieces of `{profile}` begin", "", write_table(("piece", *CONFIGS), rows)]


# --- Rewards ---------------------------------------------------------------------------------------


def describe_rewards() -> list[str]:
    """The reward schemes, and what the last step tells."""
    rows = [(f"`{name}`", prose.REWARDS[name], prose.FORFEITS[name]) for name in SCHEMES]
    infos = [(f"`{name}`", what) for name, what in prose.INFOS.items()]
    return [
        prose.ABOUT_REWARDS,
        write_table(("scheme", "reward", "after a forfeit"), rows),
        write_table(("infos of the last step", "hold"), infos),
    ]


# --- State and bytes -------------------------------------------------------------------------------


def place_fields(fields: Sequence[Field], config: GameConfig) -> list[int]:
    """Where each field begins, from the start of its block."""
    sizes, at, places = find_layout(config).sizes, 0, []
    for field in fields:
        places.append(at)
        at += int(np.prod([dim if isinstance(dim, int) else sizes[dim] for dim in field.shape], dtype=int))
    return places


def describe_fields(fields: Sequence[Field], columns: dict[str, GameConfig]) -> str:
    """Every field of a block, and where it begins in it."""
    places = [place_fields(fields, config) for config in columns.values()]
    rows = []
    for i, field in enumerate(fields):
        about = (f"`{field.name}`", write_shape(field.shape), field.low, field.high)
        rows.append((*about, *(column[i] for column in places), field.meaning))
    return write_table(("field", "shape", "least", "most", *columns, "meaning"), rows)


def describe_state() -> list[str]:
    """The row of a game."""
    layouts = [find_layout(config) for config in CONFIGS.values()]
    parts: dict[str, list[object]] = {
        f"packs, {PACK} cells each": [one.seats_at - one.players * PACK for one in layouts],
        "seats": [one.seats_at for one in layouts],
        "(length of a seat)": [one.seat_size for one in layouts],
        "seats as last seen by all": [one.seen_at for one in layouts],
        "base deck, ascension deck behind it": [one.decks_at for one in layouts],
        f"pools, {rulebook.POOLS} × {rulebook.POOL}": [
            one.pools_at if one.players == 1 else "" for one in layouts
        ],
        "(length of the row)": [one.state_size for one in layouts],
    }
    shown = ("solo", "solo, C&A", "4 players", "4 players, C&A")
    return [
        prose.ABOUT_STATE,
        write_table(("begin at", *CONFIGS), [(name, *row) for name, row in parts.items()]),
        prose.ABOUT_TABLE,
        describe_fields(TABLE_FIELDS, {"begins at": CONFIGS["4 players"]}),
        prose.ABOUT_SEATS,
        describe_fields(SEAT_FIELDS, {name: CONFIGS[name] for name in shown}),
    ]


def describe_bytes() -> list[str]:
    """Saved games, random streams and records."""
    rows = [
        (len(MAGIC), f"`{MAGIC.decode()}`"),
        (1, f"version: {BYTES_VERSION}"),
        (4, "CRC-32 of all other bytes"),
        (2, "length of the configuration"),
        ("so many", "the configuration as JSON, as `GameConfig.to_dict` gives it"),
        ("the rest", "the row, 2 bytes for each cell"),
    ]
    return [prose.ABOUT_BYTES, write_table(("bytes", "hold"), rows), prose.ABOUT_STREAMS]


def make_spec() -> str:
    """The text of SPEC.md."""
    lines = [prose.ABOUT, *describe_ids(), *describe_sizes(), *describe_actions(), *describe_numbers()]
    lines += describe_pieces()
    for profile in PROFILES:
        lines += describe_offsets(profile)
    lines += [*describe_rewards(), *describe_state(), *describe_bytes()]
    return "\n".join(lines).rstrip() + "\n"


def main(arguments: Sequence[str]) -> None:
    """Write SPEC.md, or another file that is named."""
    path = Path(arguments[0]) if arguments else PATH
    write_whole(path, make_spec())
    print(f"written: {path}")
