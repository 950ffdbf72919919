"""What a network sees of a decision: what its seat knows, and its legal actions one by one.

One network serves all games of a card pool, whatever the number of players: pieces of the observation
that a configuration does not have are zeros. An action is a verb and, mostly, a kind of card; with it goes
what the observation says of that kind (how many copies lie where, what it lacks, what it would score).
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from iaww_agents.jit import compile_apart
from iaww_agents.networks.advice import N_ADVICE, N_OUTLOOK, Adviser
from iaww_env.actions import ActionTable, action_table
from iaww_env.config import GameConfig
from iaww_env.errors import ConfigError
from iaww_env.observation import ObservationTable, card_features, observation_table

Floats = npt.NDArray[np.float32]
Masks = npt.NDArray[np.int8]
Places = npt.NDArray[np.int32]

PROFILE = "cards"
POINT_WORTH = 0.05  # of the values that networks learn, so that these are about 1
BY_ACTION = "missing"  # seen with the actions alone: it is as long as all the rest

kernel = compile_apart(__file__)


class Rows(NamedTuple):
    """The games of so many decisions, for inputs that are advised: (decisions, cells), and who decides."""

    states: npt.NDArray[np.int16]
    seats: npt.NDArray[np.integer]


class Legal(NamedTuple):
    """The legal actions of so many decisions, one after the other.

    (actions,) each: the decision, the place among its legal actions, the action, its verb, its kind (behind
    the last one where it names none), and (actions, numbers) what is said of the kind.
    """

    rows: npt.NDArray[np.int32]
    places: npt.NDArray[np.int32]
    actions: npt.NDArray[np.int32]
    verbs: npt.NDArray[np.int32]
    kinds: npt.NDArray[np.int32]
    features: Floats

    @property
    def most(self) -> int:
        """The most legal actions of a decision."""
        return int(self.places.max()) + 1


class Inputs:
    """What the networks of a card pool see.

    Attributes:
        expansions: The card pool.
        profile: The profile of the observations.
        made_with: What else it was made with, by name.
        pieces: Names and sizes of the pieces that make up what the seat knows, in their order.
        size: Their numbers in all.
        card_pieces: Names and numbers by kind of what goes with an action.
        advised: Whether the heuristic's advice on each action goes with it too, and stands behind the pieces.
        n_features: Numbers that go with an action in all.
        verbs: Names of the verbs; the first `asking` name kinds.
        facts: (kinds + 1, facts) what is known of each kind, about 1 at most; zeros for none.
        verb_of: (actions,) the verb of each action; likewise kind_of.
    """

    def __init__(
        self,
        expansions: tuple[str, ...] = (),
        *,
        profile: str = PROFILE,
        players: tuple[int, ...] = (2, 1),
        without: tuple[str, ...] = (),
        advised: bool = False,
    ) -> None:
        """Lay the pieces of games of several kinds into one row.

        Args:
            expansions: The card pool.
            profile: The profile of the observations.
            players: Games of which numbers of seats; with `cards` and `compact`, 2 stands for all but solo.
            without: Pieces that are not seen.
            advised: Add what the heuristic says; then the games are needed beside their observations.
        """
        self.expansions, self.profile, self.advised = expansions, profile, advised
        self.made_with: dict[str, Any] = {"profile": profile, "players": players, "without": without}
        if advised:
            self.made_with["advised"] = True
        tables = [observation_table(GameConfig(n, expansions), profile) for n in players]
        kinds = tables[0].config.kinds
        found = [piece for table in reversed(tables) for piece in table.pieces]
        unseen = sorted(set(without) - {piece.name for piece in found})
        if unseen:
            raise ValueError(f"{', '.join(unseen)}: no pieces of {profile}")
        sizes = {piece.name: piece for piece in found if piece.name not in without}
        self.pieces = {name: p.end - p.start for name, p in sizes.items() if name != BY_ACTION}
        if advised:
            self.pieces["outlook"] = N_OUTLOOK
        self.size = sum(self.pieces.values())
        self.card_pieces = {
            name: (p.end - p.start) // kinds for name, p in sizes.items() if p.shape[:1] == (kinds,)
        }
        self.n_features = sum(self.card_pieces.values()) + N_ADVICE * advised
        actions = action_table(expansions)
        self.verbs, self.asking, self.verb_of, self.kind_of = number_actions(actions)
        features = card_features(expansions)
        facts = features / np.maximum(np.abs(features).max(0), 1)
        self.facts = np.pad(facts, ((0, 1), (0, 0))).astype(np.float32)

    def find(self, config: GameConfig) -> Sources:
        """Where what is seen lies in the observations of a configuration.

        Raises:
            ConfigError: It is played with another card pool, or its observations are of other sizes.
        """
        if config.expansions != self.expansions:
            raise ConfigError(
                f"this network knows the card pool {list(self.expansions)}, not that of {config}"
            )
        table = observation_table(config, self.profile)
        sizes = {piece.name: piece.end - piece.start for piece in table.pieces}
        fits = all(sizes.get(name, size) == size for name, size in self.pieces.items())
        if not fits or not self.card_pieces.keys() <= sizes.keys():
            players = self.made_with["players"]
            raise ConfigError(
                f"this network sees {self.profile} of games with {players} seats, not of {config}"
            )
        return find_sources(self, table)


class Sources(NamedTuple):
    """Where pieces lie in an observation: (runs, 3) begin, end and where it goes; (kinds + 1, numbers).

    And who advises, where the inputs are advised.
    """

    runs: Places
    places: Places
    adviser: Adviser | None


def find_sources(inputs: Inputs, table: ObservationTable) -> Sources:
    """Where the pieces of the inputs lie in the observations of a table."""
    starts = {piece.name: piece.start for piece in table.pieces}
    runs: list[list[int]] = []
    at = 0
    for name, size in inputs.pieces.items():
        if name in starts:
            begin = starts[name]
            if runs and runs[-1][1] == begin and runs[-1][2] + runs[-1][1] - runs[-1][0] == at:
                runs[-1][1] += size
            else:
                runs.append([begin, begin + size, at])
        at += size
    kinds = np.arange(table.config.kinds)[:, None]
    columns = [starts[name] + kinds * count + np.arange(count) for name, count in inputs.card_pieces.items()]
    adviser = Adviser(table.config.solo) if inputs.advised else None
    return Sources(np.array(runs, np.int32), np.concatenate(columns, axis=1).astype(np.int32), adviser)


@lru_cache(maxsize=16)
def make_inputs(
    expansions: tuple[str, ...] = (),
    profile: str = PROFILE,
    players: tuple[int, ...] = (2, 1),
    without: tuple[str, ...] = (),
    advised: bool = False,
) -> Inputs:
    """What the networks of a card pool see; the same object each time."""
    return Inputs(expansions, profile=profile, players=players, without=without, advised=advised)


def number_actions(actions: ActionTable) -> tuple[list[str], int, Places, Places]:
    """The verbs, how many of them name kinds (they come first), and verb and kind of each action.

    An action that names no kind is a verb of its own, and its kind is the number behind the last one.
    """
    named: dict[str, int] = {}
    kinds = []
    for number in range(len(actions)):
        kind = actions.kind(number)
        kinds.append(actions.kinds if kind is None else kind.index)
        if kind is not None:
            named.setdefault(name_verb(actions, number), len(named))
    asking = len(named)
    verbs = [named.setdefault(name_verb(actions, number), len(named)) for number in range(len(actions))]
    return list(named), asking, np.array(verbs, np.int32), np.array(kinds, np.int32)


def name_verb(actions: ActionTable, number: int) -> str:
    """The verb of an action; a younger copy has its own, for it lacks other spaces than are shown by kind."""
    if actions.kind(number) is None:
        return actions.to_text(number)
    return f"{actions.verb(number)}{' younger' if (actions.copy(number) or 1) > 1 else ''}"


# --- Gathering -------------------------------------------------------------------------------------


def gather_seen(inputs: Inputs, sources: Sources, observations: Floats, rows: Rows | None = None) -> Floats:
    """(decisions, size) what the seats know, from their observations; also of seats that decide nothing."""
    known = lay_pieces(inputs, sources, observations)
    if sources.adviser is not None:
        nobody = np.zeros(len(known) + 1, np.int64)
        _, known[:, -N_OUTLOOK:] = sources.adviser.advise(*need_rows(rows), np.zeros(0, np.int32), nobody)
    return known


def lay_pieces(inputs: Inputs, sources: Sources, observations: Floats) -> Floats:
    """(decisions, size) what observations say; zeros where advice goes."""
    seen = np.zeros((len(observations), inputs.size), np.float32)
    for begin, end, to in sources.runs.tolist():
        seen[:, to : to + end - begin] = observations[:, begin:end]
    return seen


def gather(
    inputs: Inputs, sources: Sources, observations: Floats, masks: Masks, rows: Rows | None = None
) -> tuple[Floats, Legal]:
    """What the seats know, and their legal actions; with the advice on both where the inputs have it."""
    known = lay_pieces(inputs, sources, observations)
    legal = gather_legal(inputs, sources, observations, masks)
    if sources.adviser is not None:
        said, known[:, -N_OUTLOOK:] = ask_adviser(sources.adviser, rows, legal.rows, legal.actions)
        legal.features[:, -N_ADVICE:] = said
    return known, legal


def ask_adviser(
    adviser: Adviser, rows: Rows | None, decisions: npt.NDArray[np.integer], actions: npt.NDArray[np.int32]
) -> tuple[Floats, Floats]:
    """Advice on the legal actions, each of its decision, one behind the other; and how the seats stand."""
    states, seats = need_rows(rows)
    offsets = np.zeros(len(states) + 1, np.int64)
    np.cumsum(np.bincount(decisions, minlength=len(states)), out=offsets[1:])
    return adviser.advise(states, seats, actions, offsets)


def need_rows(rows: Rows | None) -> Rows:
    """The rows.

    Raises:
        ConfigError: There are none.
    """
    if rows is None:
        raise ConfigError(
            "this network is told what the heuristic says of each decision, which observations do not: "
            "play it with the bot ppo, or train one that is not (`iaww train --plain`)"
        )
    return rows


def gather_legal(inputs: Inputs, sources: Sources, observations: Floats, masks: Masks) -> Legal:
    """The legal actions of so many decisions, with what observations say of them."""
    counts = np.empty(len(masks), np.int32)
    count_legal(masks, counts)
    total = int(counts.sum())
    listed = np.empty((5, total), np.int32)
    features = np.zeros((total, inputs.n_features), np.float32)
    list_legal(masks, observations, sources.places, inputs.verb_of, inputs.kind_of, listed, features)
    rows, places, actions, verbs, kinds = listed
    return Legal(rows, places, actions, verbs, kinds, features)


@kernel
def count_legal(masks: Masks, counts: npt.NDArray[np.int32]) -> None:
    """Legal actions of each decision."""
    for row in range(masks.shape[0]):
        count = 0
        for action in range(masks.shape[1]):
            count += masks[row, action]
        counts[row] = count


@kernel
def list_legal(
    masks: Masks,
    observations: Floats,
    places: Places,
    verb_of: Places,
    kind_of: Places,
    listed: npt.NDArray[np.int32],
    features: Floats,
) -> None:
    """Write what `Legal` holds."""
    at = 0
    for row in range(masks.shape[0]):
        place = 0
        for action in range(masks.shape[1]):
            if masks[row, action]:
                kind = kind_of[action]
                listed[0, at], listed[1, at], listed[2, at] = row, place, action
                listed[3, at], listed[4, at] = verb_of[action], kind
                for number in range(places.shape[1]):
                    is_kind = kind < places.shape[0]
                    features[at, number] = observations[row, places[kind, number]] if is_kind else 0.0
                at += 1
                place += 1
