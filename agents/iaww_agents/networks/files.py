"""Files of weights: small, read without running anything in them, and refused where they do not fit."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from iaww_agents.networks.advice import N_ADVICE
from iaww_agents.networks.inputs import Inputs, make_inputs
from iaww_env.errors import ConfigError, explain_os_error, name_path
from iaww_env.outputs import write_whole

FORMAT = "iaww-network"
VERSION = 1
Held = dict[str, npt.NDArray[np.float32]]


def describe_inputs(inputs: Inputs) -> dict[str, Any]:
    """What a network must see to be the same: names and sizes, as JSON writes them."""
    return {
        "expansions": list(inputs.expansions),
        "made_with": {name: as_plain(value) for name, value in inputs.made_with.items()},
        "pieces": [list(pair) for pair in inputs.pieces.items()],
        "card_pieces": [list(pair) for pair in inputs.card_pieces.items()],
        "verbs": inputs.verbs,
        "kinds": len(inputs.facts) - 1,
    }


def as_plain(value: object) -> object:
    """As JSON gives it back."""
    return list(value) if isinstance(value, tuple) else value


def make_inputs_again(about: Mapping[str, Any]) -> Inputs:
    """The inputs that `describe_inputs` describes, as this version lays them."""
    made = {name: tuple(v) if isinstance(v, list) else v for name, v in about["made_with"].items()}
    return make_inputs(tuple(about["expansions"]), **made)


def write_weights(path: Path, inputs: Inputs, weights: Mapping[str, npt.NDArray[np.floating]]) -> None:
    """Write weights by name, with what the network sees."""
    about = {"format": FORMAT, "version": VERSION, "inputs": describe_inputs(inputs)}
    held: Any = {name: np.asarray(array, np.float32) for name, array in weights.items()}
    buffer = io.BytesIO()
    np.savez_compressed(buffer, about=json.dumps(about), **held)
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, buffer.getvalue())


def list_shapes(held: Held, inputs: Inputs) -> dict[str, tuple[int, ...]]:
    """The names and shapes of a network's weights, where two of them say how large it is."""
    width, depth = (held[name].size if name in held else 0 for name in ("trunk_1.bias", "of_facts.bias"))
    (kinds, facts), verbs, asked = inputs.facts.shape, len(inputs.verbs), inputs.asking * depth
    layers = {
        "trunk_1": (width, inputs.size),
        "trunk_2": (width, width),
        "query": (asked, width),
        "bias": (verbs, width),
        "value": (1, width),
        "of_facts": (depth, facts),
    }
    weights = {f"{name}.weight": shape for name, shape in layers.items()}
    biases = {f"{name}.bias": shape[:1] for name, shape in layers.items()}
    single = {
        "of_kind": (kinds, depth),
        "of_verb": (verbs, depth),
        "of_card.weight": (depth, inputs.n_features),
    }
    advice = {"heed": (N_ADVICE,)} if inputs.advised else {}
    return {**weights, **biases, **single, **advice}


def read_weights(path: Path) -> tuple[Held, Inputs]:
    """Weights by name, and what the network sees.

    Raises:
        ConfigError: The file cannot be read, holds no network, or one that sees something else than there is
            in this version.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        raise ConfigError(f"cannot read {name_path(path)}: {explain_os_error(error)}") from error
    try:
        with np.load(io.BytesIO(content), allow_pickle=False) as file:
            about = json.loads(str(file["about"]))
            held = {name: np.asarray(file[name], np.float32) for name in file.files if name != "about"}
        if about["format"] != FORMAT:
            raise ValueError("it is of another format")
        version = about["version"]
    except Exception as error:  # a damaged file can fail in any way
        raise ConfigError(f"{name_path(path)} holds no network: {error}") from error
    if version != VERSION:
        raise ConfigError(
            f"{name_path(path)} was written in version {version} of this format, and {VERSION} is "
            "known here: train it again, or use the version of iaww-env that it was made with"
        )
    try:
        inputs = make_inputs_again(about["inputs"])
    except (AttributeError, TypeError, ValueError, LookupError) as error:
        raise ConfigError(f"{name_path(path)} holds no network: {error}") from error
    if about["inputs"] != describe_inputs(inputs):
        raise ConfigError(
            f"{name_path(path)} holds a network that sees something else than this version shows: train it "
            "again, or use the version of iaww-env that it was made with"
        )
    if {name: array.shape for name, array in held.items()} != list_shapes(held, inputs):
        raise ConfigError(f"{name_path(path)} holds no network: its weights do not fit together")
    if not all(np.isfinite(array).all() for array in held.values()):
        raise ConfigError(f"{name_path(path)} holds numbers that are not finite: it is damaged")
    return held, inputs
