"""SPEC.md is not stale, and what it says is so."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import gymnasium
import numpy as np
import pytest

import iaww_env
from iaww_env import Batch, Game, GameConfig, action_table, make_stream, observation_table
from iaww_env.cards import EXPANSIONS, kinds
from iaww_env.engine.fields import SEAT_FIELDS, TABLE_FIELDS
from iaww_env.engine.observe.pieces import PIECES
from iaww_env.engine.rewards import SCHEMES
from iaww_env.game import lend_row
from iaww_env.spec import tables as spec
from iaww_env.spec.prose import HISTORY, INFOS

ROOT = Path(iaww_env.__file__).parent.parent
SPEC = spec.PATH.read_text(encoding="utf-8")


def read_tables(heading: str) -> list[list[dict[str, str]]]:
    """The tables behind a heading, each as rows of named cells."""
    part = re.split(r"^#+ ", SPEC.split(f"# {heading}\n", 1)[1], maxsplit=1, flags=re.MULTILINE)[0]
    tables = []
    for lines in re.findall(r"(?:^\|.*\n)+", part, re.MULTILINE):
        rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines.splitlines()]
        assert {len(row) for row in rows} == {len(rows[0])}, "a cell holds a bar"
        tables.append([dict(zip(rows[0], row, strict=True)) for row in rows[2:]])
    return tables


def index_rows(heading: str, column: str, table: int = 0) -> dict[str, dict[str, str]]:
    """The rows of a table by one of its columns."""
    rows = read_tables(heading)[table]
    found = {row[column].strip("`"): row for row in rows}
    assert len(found) == len(rows)
    return found


def test_it_is_not_stale() -> None:
    assert spec.make_spec() == SPEC, "write it anew: python -m iaww_env.spec"


BLOCKS = re.findall(r"```python\n(.*?)```", SPEC, re.DOTALL)


@pytest.mark.parametrize("block", range(len(BLOCKS)))
def test_a_python_block_runs(block: int) -> None:
    """What it makes is a batch that writes into the arrays that were made before."""
    if "import torch" in BLOCKS[block]:
        pytest.importorskip("torch", reason="PyTorch is not installed: extra [train]")
    names: dict[str, object] = {"__name__": "spec"}
    exec(compile(BLOCKS[block], f"SPEC block {block}", "exec"), names)
    batch, brought = names["batch"], names["observations"]
    assert isinstance(batch, Batch)
    array: np.ndarray = brought if isinstance(brought, np.ndarray) else brought.numpy()  # type: ignore[attr-defined]
    before = array.copy()
    assert before.any()
    batch.step(batch.sample_legal(make_stream(1)))
    assert (array != before).any()
    assert np.shares_memory(array, batch.observations)


def test_there_are_blocks_to_run() -> None:
    assert sum("torch" in block for block in BLOCKS) == 1
    assert sum("multiprocessing" in block for block in BLOCKS) == 1


def test_the_command_writes_it(tmp_path: Path) -> None:
    target = tmp_path / "spec.md"
    command = [sys.executable, "-W", "error", "-m", "iaww_env.spec", str(target)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout == f"written: {target}\n"
    assert target.read_bytes() == spec.PATH.read_bytes()


def test_sizes_are_those_of_what_is_made() -> None:
    rows = read_tables("Sizes")[0]
    assert len(rows) == 12
    for row in rows:
        config = GameConfig(int(row["players"]), EXPANSIONS if row["card pool"] == "C&A" else ())
        game = Game(config, 1)
        for profile in ("full", "compact", "cards"):
            assert observation_table(config, profile).observe(game, 0)[0].size == int(row[f"`{profile}`"])
        assert game.row.size == int(row["state"])
        assert game.action_mask(0).size == int(row["actions"])
        dealt = sum(int(part) for part in row["cards dealt"].split("+"))
        assert dealt == len(game.drafted(0) if config.solo else game.hand(0))


@pytest.mark.parametrize(("column", "expansions"), [("base", ()), ("with C&A", EXPANSIONS)])
def test_every_action_has_its_number(column: str, expansions: tuple[str, ...]) -> None:
    table, next_number = action_table(expansions), 0
    for verb, row in index_rows("Actions", "verb").items():
        span = [int(end) for end in row[column].split("-")]
        first, last = span[0], span[-1]
        assert first == next_number
        assert table.to_text(first) == row["first"].strip("`")
        assert {table.verb(number) for number in range(first, last + 1)} == {verb}
        next_number = last + 1
    assert next_number == len(table)


def test_kinds_have_their_numbers() -> None:
    rows = index_rows("Numbers", "id")
    assert list(rows) == [kind.id for kind in kinds(EXPANSIONS)]
    for kind in kinds(EXPANSIONS):
        row = rows[kind.id]
        assert [int(row[name]) for name in ("kind", "copies", "first card")] == [
            kind.index,
            kind.copies,
            kind.first_card,
        ]


@pytest.mark.parametrize("profile", ["full", "compact", "cards"])
def test_pieces_begin_where_it_says(profile: str) -> None:
    """A number that is written where a piece begins is read by the name of the piece."""
    rows = index_rows(f"Where the pieces of `{profile}` begin", "piece")
    for name, config in spec.CONFIGS.items():
        table = observation_table(config, profile)
        vector = np.arange(table.size)
        named = vars(table.views(vector))
        assert int(rows["length"][name]) == table.size
        written = {piece: int(row[name]) for piece, row in rows.items() if row[name] and piece != "length"}
        assert written == {piece: int(window.reshape(-1)[0]) for piece, window in named.items()}


def test_every_piece_is_described() -> None:
    rows = index_rows("Observations", "piece")
    assert list(rows) == [piece.name for piece in PIECES]
    for piece in PIECES:
        row = rows[piece.name]
        assert row["meaning"] == piece.meaning
        assert row["scale"] == (f"1/{1 / piece.scale:g}" if piece.scale < 1 else "1")
        assert int(row["least"]) == piece.low
        assert int(row["most"].removeprefix("up to ")) == np.max(piece.high)
        assert ("solo" in row["profile"]) == (piece.solo is True)


def test_fields_begin_where_it_says() -> None:
    """A number that is written where a field begins is read by the name of the field."""
    table, seats = index_rows("The table", "field"), index_rows("A seat", "field")
    assert list(table) == [field.name for field in TABLE_FIELDS]
    assert list(seats) == [field.name for field in SEAT_FIELDS]
    parts = {row["begin at"]: row for row in read_tables("State")[0]}
    for name, config in spec.CONFIGS.items():
        game = Game(config, 1)
        lend_row(game)[:] = np.arange(game.row.size)
        state = game.state
        for field, row in table.items():
            assert getattr(state, field).reshape(-1)[0] == int(row["begins at"])
        first, length = int(parts["seats"][name]), int(parts["(length of a seat)"][name])
        seen, decks = (
            int(parts["seats as last seen by all"][name]),
            int(parts["base deck, ascension deck behind it"][name]),
        )
        for field, row in seats.items():
            if name in row:
                for seat in range(config.players):
                    at = seat * length + int(row[name])
                    assert getattr(state, field)[seat].reshape(-1)[0] == first + at
                    assert getattr(state, f"seen_{field}")[seat].reshape(-1)[0] == seen + at
        assert state.packs[0, 0] == int(parts["packs, 12 cells each"][name])
        assert state.base_deck[0] == decks
        assert not config.solo or state.pools[0, 0] == int(parts["pools, 8 × 5"][name])
        assert game.row.size == int(parts["(length of the row)"][name])


def test_ids_are_registered_and_have_a_history() -> None:
    made, history, options = read_tables("Environments")
    ids = [row["id"].strip("`") for row in made]
    assert ids == list(HISTORY)
    assert {row["id"].strip("`") for row in history} == set(ids)
    for id in ids[:2]:
        assert id in gymnasium.registry
    for id in ids:
        newest = max(int(row["version"]) for row in history if row["id"].strip("`") == id)
        assert id.endswith(f"v{newest}")
    for row in options:
        assert hasattr(iaww_env, row["environment"].strip("`"))
        assert "`reward='outcome'`" in row["options"]


def test_rewards_and_infos_are_all_named() -> None:
    rewards, infos = read_tables("Rewards")
    assert [row["scheme"].strip("`") for row in rewards] == list(SCHEMES)
    assert {row["infos of the last step"].strip("`") for row in infos} == set(INFOS)
    found: set[str] = set()
    for make in ("iaww/Versus-v0", "iaww/Solo-v0"):
        env = gymnasium.make(make, illegal_action="replace")
        env.reset(seed=1)
        done, info = False, {}
        while not done:
            _, _, done, _, info = env.step(0)
        found |= set(info)
    assert found == set(INFOS)


def test_bytes_are_as_it_says() -> None:
    data, rows = Game(GameConfig(2), 1).to_bytes(), read_tables("Bytes")[0]
    assert rows[0]["hold"] == f"`{data[:4].decode()}`"
    assert rows[1]["hold"] == f"version: {data[4]}"
    assert [row["bytes"] for row in rows[:4]] == ["4", "1", "4", "2"]
    length = int.from_bytes(data[9:11], "little")
    assert data[11 : 11 + length].startswith(b'{"players":2')
    assert len(data) == 11 + length + 2 * Game(GameConfig(2), 1).row.size
