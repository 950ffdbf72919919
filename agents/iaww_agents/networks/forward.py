"""The forward pass of a scoring network in a kernel: no learning library, and the same for one or many.

Most of what a network sees is zero, so the first layers go through what is not; a decision alone and one
among many are worked out by the same sums in the same order.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from iaww_agents.jit import compile_apart
from iaww_agents.networks.inputs import Inputs, Rows, Sources, ask_adviser
from iaww_env.engine.jit import inlined

Floats = npt.NDArray[np.float32]
Masks = npt.NDArray[np.int8]
Places = npt.NDArray[np.int32]

kernel = compile_apart(__file__, Path(__file__).with_name("inputs.py"))


class Weights(NamedTuple):
    """A scoring network as the kernel reads it: (from, to) matrices, rows beside each other."""

    trunk_1: Floats
    trunk_1_bias: Floats
    trunk_2: Floats
    trunk_2_bias: Floats
    query: Floats  # (asking, width, depth)
    query_bias: Floats  # (asking, depth)
    bias: Floats  # (verbs, width)
    bias_bias: Floats  # (verbs,)
    value: Floats  # (width,)
    value_bias: Floats  # (1,)
    card: Floats  # (numbers with an action, depth)
    heed: Floats  # (numbers of advice,): what advice counts by itself
    fixed: Floats  # (verbs, kinds + 1, depth): what an action is, but for what the observation says of it


def arrange_weights(held: dict[str, Floats], inputs: Inputs) -> Weights:
    """Weights by the names that they have in learning, as the kernel reads them."""
    depth = held["of_kind"].shape[1]
    width = len(held["trunk_2.bias"])

    def turn(name: str) -> Floats:
        return np.ascontiguousarray(held[name].T, np.float32)

    facts = inputs.facts @ held["of_facts.weight"].T + held["of_facts.bias"] + held["of_kind"]
    query = held["query.weight"].reshape(inputs.asking, depth, width).transpose(0, 2, 1)
    made = Weights(
        turn("trunk_1.weight"),
        held["trunk_1.bias"],
        turn("trunk_2.weight"),
        held["trunk_2.bias"],
        query,
        held["query.bias"].reshape(inputs.asking, depth),
        held["bias.weight"],
        held["bias.bias"],
        held["value.weight"][0],
        held["value.bias"],
        turn("of_card.weight"),
        held.get("heed", np.zeros(0, np.float32)),
        facts[None] + held["of_verb"][:, None],
    )
    return Weights(*(np.array(array, np.float32, order="C") for array in made))


class Forward:
    """A network that scores decisions of games with one card pool."""

    def __init__(self, held: dict[str, Floats], inputs: Inputs) -> None:
        """Arrange the weights, by the names that they have in learning."""
        self.inputs = inputs
        self._weights = arrange_weights(held, inputs)
        width, depth = self._weights.trunk_2.shape[0], self._weights.card.shape[1]
        self._scratch = np.zeros((2, width), np.float32)
        self._queries = np.zeros((inputs.asking, depth), np.float32)
        self._biases = np.zeros(len(inputs.verbs), np.float32)
        self._known = np.zeros(len(inputs.verbs), np.bool_)
        self._action = np.zeros(depth, np.float32)
        self._numbers = np.zeros(max(self._weights.trunk_1.shape) + 1, np.float32)
        self._where = np.zeros(len(self._numbers), np.int32)

    def score(
        self, sources: Sources, observations: Floats, masks: Masks, rows: Rows | None = None
    ) -> tuple[Floats, Floats]:
        """Scores (decisions, actions), -inf where an action is not legal; and values (decisions,).

        Inputs that are advised take the games from `rows`.
        """
        masks = np.require(masks, np.int8, ["C", "W"])
        said, outlook = np.zeros((1, 0), np.float32), np.zeros((len(masks), 0), np.float32)
        if sources.adviser is not None:
            decisions, actions = np.nonzero(masks != 0)
            said, outlook = ask_adviser(sources.adviser, rows, decisions, actions.astype(np.int32))
        scores = np.full(masks.shape, -np.inf, np.float32)
        values = np.zeros(len(masks), np.float32)
        score_decisions(
            np.require(observations, np.float32, ["C", "W"]),
            masks,
            said,
            outlook,
            sources.runs,
            sources.places,
            self.inputs.verb_of,
            self.inputs.kind_of,
            self._weights,
            self._scratch,
            self._queries,
            self._biases,
            self._known,
            self._action,
            self._numbers,
            self._where,
            scores,
            values,
        )
        return scores, values


@inlined
def add_rows(numbers: Floats, places: Places, count: int, rows: Floats, sums: Floats) -> None:
    """Add so many rows to sums, each times its number: four in a pass, in the order of one at a time."""
    whole = count - count % 4
    for i in range(0, whole, 4):
        a, b, c, d = numbers[i], numbers[i + 1], numbers[i + 2], numbers[i + 3]
        p, q, r, s = places[i], places[i + 1], places[i + 2], places[i + 3]
        for j in range(len(sums)):
            sums[j] = sums[j] + a * rows[p, j] + b * rows[q, j] + c * rows[r, j] + d * rows[s, j]
    for i in range(whole, count):
        for j in range(len(sums)):
            sums[j] += numbers[i] * rows[places[i], j]


@inlined
def keep_positive(values: Floats, numbers: Floats, places: Places) -> int:
    """Note what is above zero, and where; how many these are."""
    count = 0
    for i in range(len(values)):  # without a branch, which could only be guessed wrongly
        numbers[count], places[count] = values[i], i
        count += values[i] > 0
    return count


@inlined
def look(
    observation: Floats,
    outlook: Floats,
    runs: Places,
    w: Weights,
    hidden: Floats,
    numbers: Floats,
    at: Places,
) -> None:
    """The trunk: what is made of what a seat knows stands in `hidden[1]` behind it."""
    first, state = hidden[0], hidden[1]
    for j in range(len(first)):
        first[j] = w.trunk_1_bias[j]
        state[j] = w.trunk_2_bias[j]
    count = 0
    for run in range(runs.shape[0]):
        for i in range(runs[run, 0], runs[run, 1]):
            numbers[count], at[count] = observation[i], i - runs[run, 0] + runs[run, 2]
            count += observation[i] != 0
    behind = w.trunk_1.shape[0] - len(outlook)
    for i in range(len(outlook)):
        numbers[count], at[count] = outlook[i], behind + i
        count += 1
    add_rows(numbers, at, count, w.trunk_1, first)
    add_rows(numbers, at, keep_positive(first, numbers, at), w.trunk_2, state)
    for j in range(len(state)):
        state[j] = max(state[j], np.float32(0))


@inlined
def fit(
    verb: int,
    kind: int,
    observation: Floats,
    said: Floats,
    places: Places,
    w: Weights,
    query: Floats,
    action: Floats,
) -> np.float32:
    """How well an action is what is looked for."""
    for k in range(len(action)):
        action[k] = w.fixed[verb, kind, k]
    for f in range(places.shape[1]):
        x = observation[places[kind, f]]
        if x != 0:
            for k in range(len(action)):
                action[k] += x * w.card[f, k]
    for f in range(len(said)):
        x = said[f]
        if x != 0:
            for k in range(len(action)):
                action[k] += x * w.card[places.shape[1] + f, k]
    product = np.float32(0)
    for k in range(len(action)):
        if action[k] > 0:
            product = np.float32(product + action[k] * query[k])
    return product


@kernel
def score_decisions(
    observations: Floats,
    masks: Masks,
    advice: Floats,
    outlook: Floats,
    runs: Places,
    places: Places,
    verb_of: Places,
    kind_of: Places,
    w: Weights,
    hidden: Floats,
    queries: Floats,
    biases: Floats,
    known: npt.NDArray[np.bool_],
    action: Floats,
    numbers: Floats,
    where: Places,
    scores: Floats,
    values: Floats,
) -> None:
    """Scores of the legal actions of each decision, and its value."""
    shrink, state, at = np.float32(action.shape[0] ** -0.5), hidden[1], 0
    for row in range(masks.shape[0]):
        observation = observations[row]
        look(observation, outlook[row], runs, w, hidden, numbers, where)
        active = keep_positive(state, numbers, where)
        value = w.value_bias[0]
        for j in range(len(state)):
            value += state[j] * w.value[j]
        values[row] = value
        for verb in range(known.shape[0]):
            known[verb] = False
        for number in range(masks.shape[1]):
            if masks[row, number]:
                verb, said = verb_of[number], advice[min(at, advice.shape[0] - 1)]
                asks = verb < queries.shape[0]
                if not known[verb]:
                    known[verb], biases[verb] = True, w.bias_bias[verb]
                    for j in range(len(state)):
                        biases[verb] += state[j] * w.bias[verb, j]
                    if asks:
                        for k in range(queries.shape[1]):
                            queries[verb, k] = w.query_bias[verb, k]
                        add_rows(numbers, where, active, w.query[verb], queries[verb])
                score = biases[verb]
                if asks:
                    kind = kind_of[number]
                    fits = fit(verb, kind, observation, said, places, w, queries[verb], action)
                    score += fits * shrink
                for f in range(len(said)):
                    score += said[f] * w.heed[f]
                scores[row, number] = score
                at += 1
