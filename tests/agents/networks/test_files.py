"""Files of weights: what was written comes back, and whatever else lies there is refused in words."""

from __future__ import annotations

import io
import json
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from iaww_agents.networks.files import describe_inputs, read_weights
from iaww_env.errors import ConfigError
from iaww_training.network import save_network
from tests.agents.networks.small_networks import ASCENSION, make_network, write_network


def rewrite(path: Path, change: Callable[[dict[str, Any], dict[str, Any]], object]) -> None:
    """Change what a file says of its network, or its weights."""
    with np.load(path) as file:
        held = {name: file[name] for name in file.files}
    about = json.loads(str(held.pop("about")))
    change(about, held)
    np.savez(path, about=json.dumps(about), **held)


@pytest.mark.parametrize(
    "inputs", [{}, {"expansions": ASCENSION}, {"players": (4,), "without": ("missing",)}]
)
def test_what_was_written_comes_back(inputs: dict[str, Any], tmp_path: Path) -> None:
    network, path = make_network(**inputs), tmp_path / "new" / "net.npz"
    save_network(network, path)
    held, known = read_weights(path)
    weights = network.state_dict()
    assert held.keys() == weights.keys()
    assert all(held[name].tobytes() == weights[name].numpy().tobytes() for name in held)
    assert describe_inputs(known) == describe_inputs(network.inputs)
    assert known.made_with == network.inputs.made_with


class Trap:
    """What would be run if a file were unpickled."""

    def __reduce__(self) -> tuple[Any, ...]:
        return (Path.touch, (Path("sprung"),))


def pack(**arrays: Any) -> bytes:
    """A file of arrays as numpy writes it, pickled where they are objects."""
    buffer = io.BytesIO()
    np.savez(buffer, **arrays)
    return buffer.getvalue()


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"no network",
        pickle.dumps(Trap()),
        pack(about=np.array([Trap()])),
        pack(about=np.array(json.dumps({"format": "iaww-network"})), of_kind=np.array([Trap()])),
        pack(weights=np.zeros(3)),
        pack(about=np.array(json.dumps({"format": "of others", "version": 1}))),
        pack(about=np.array(json.dumps({"format": "iaww-network"}))),
        pack(about=np.array("[]")),
    ],
    ids=range(9),
)
def test_a_file_of_something_else_is_refused(
    content: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And nothing in it is run."""
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "net.npz"
    path.write_bytes(content)
    with pytest.raises(ConfigError, match="holds no network"):
        read_weights(path)
    assert not (tmp_path / "sprung").exists()


def test_a_damaged_file_is_refused_wherever_it_is_cut_or_flipped(tmp_path: Path) -> None:
    path = write_network(tmp_path / "net.npz")
    whole, weights = path.read_bytes(), read_weights(path)[0]
    for at in range(0, len(whole), len(whole) // 20):
        path.write_bytes(whole[:at])
        with pytest.raises(ConfigError, match="holds no network"):
            read_weights(path)
    for at in range(0, len(whole), len(whole) // 150):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 0xFF]) + whole[at + 1 :])
        try:
            found = read_weights(path)[0]
        except ConfigError:
            continue
        # What zip does not read may be anything; what it reads has a checksum.
        assert all(found[name].tobytes() == weights[name].tobytes() for name in weights)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    for path in (tmp_path / "none.npz", tmp_path):
        with pytest.raises(ConfigError, match="cannot read"):
            read_weights(path)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda about, held: about.update(version=2), "was written in version 2"),
        (lambda about, held: about.update(version=None), "was written in version None"),
        (lambda about, held: about.pop("inputs"), "holds no network"),
        (lambda about, held: about.update(inputs=[]), "holds no network"),
        (lambda about, held: about["inputs"].update(made_with=7), "holds no network"),
        (lambda about, held: about["inputs"]["made_with"].update(without=["nothing"]), "no pieces"),
        (lambda about, held: about["inputs"]["pieces"].reverse(), "sees something else"),
        (lambda about, held: about["inputs"]["card_pieces"].pop(), "sees something else"),
        (lambda about, held: about["inputs"]["verbs"].pop(), "sees something else"),
        (lambda about, held: about["inputs"].update(kinds=3), "sees something else"),
        (lambda about, held: held["trunk_2.weight"].fill(np.nan), "not finite"),
        (lambda about, held: held["of_kind"].fill(np.inf), "not finite"),
        (lambda about, held: held.pop("trunk_1.weight"), "do not fit together"),
        (lambda about, held: held.pop("of_facts.bias"), "do not fit together"),
        (lambda about, held: held.update(more=np.zeros(1)), "do not fit together"),
        (lambda about, held: held.update({"trunk_2.weight": np.zeros((24, 25))}), "do not fit together"),
        (lambda about, held: held.update({"of_kind": np.zeros((3, 8))}), "do not fit together"),
        (lambda about, held: held.update({"of_verb": np.zeros(8)}), "do not fit together"),
    ],
)
def test_a_network_that_does_not_fit_is_refused(
    change: Callable[[dict[str, Any], dict[str, Any]], object], said: str, tmp_path: Path
) -> None:
    path = write_network(tmp_path / "net.npz")
    rewrite(path, lambda about, held: None)
    read_weights(path)
    rewrite(path, change)
    with pytest.raises(ConfigError, match=said) as error:
        read_weights(path)
    assert "net.npz" in str(error.value)
