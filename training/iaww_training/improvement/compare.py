"""What a network finds when it looks ahead, written down: `python -m iaww_training.improvement.compare`.

The network plays games, with itself or heuristics in the other seats. At a share of its decisions, by default
half of its picks, actions are compared in sampled worlds, as the bot `ppo_search` does, and what is best
there is played. A file holds the positions of a few games, each as its seat may know it (all else is
drawn anew), with the candidates, how likely each was, what it was worth, and the points it led to. Files come
whole or not at all, so a run that was stopped goes on.
"""

from __future__ import annotations

import hashlib
import io
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt
import tyro

import iaww_env
from iaww_agents.networks.inputs import Rows
from iaww_agents.ppo.bot import load_forward
from iaww_agents.ppo_search.bot import RIVALRY, TRUST, WIN_BONUS, list_candidates
from iaww_agents.ppo_search.playouts import NO_ACTION, Doubles, Lookahead, Playouts
from iaww_env import rulebook
from iaww_env.batch import Batch, lend_states
from iaww_env.bots.views import imagine_rows
from iaww_env.cli.running import run_command
from iaww_env.config import GameConfig
from iaww_env.engine import fields
from iaww_env.errors import ConfigError
from iaww_env.outputs import write_whole
from iaww_env.processes import share_work
from iaww_training import ray_work
from iaww_training.experts import HeuristicExpert, seat_network
from iaww_training.ppo.settings import find_mode

IN_FILE = 64  # games
CANDIDATES = 16
FIRST_SEED, MOST_GAMES = 70_000_000, 1_000_000  # where those of a seed begin, and how many there are at most


@dataclass(frozen=True)
class How:
    """How positions are compared."""

    modes: tuple[str, ...] = ("base4",)
    """Kinds of games, as `iaww train` names them."""
    games: int = 1024
    """Games of each mode, in files of 64."""
    worlds: int = 4
    """Sampled worlds of each comparison."""
    share: float = 0.5
    """Share of the decisions that are compared."""
    phases: tuple[Literal["draft", "planning", "production"], ...] = ("draft",)
    """Of these phases alone."""
    unlikely: float = 0.0
    """Actions are left out that the policy holds for less likely, and decisions without any others."""
    own: Literal["policy", "plans", "rules"] = "plans"
    """Who plays worlds on for the seat: the network, the network till a round's cards are planned, or the
    heuristic's quick rules, much faster."""
    win_bonus: float = WIN_BONUS
    """Points that winning is worth beyond the points themselves."""
    rivalry: float = RIVALRY
    """What a point of the best other seat costs."""
    temperature: float = 0.5
    """Of the policy's draws where nothing is compared; at 1 it plays each action as often as it says."""
    workers: int | None = None
    """Processes; one for each core by default."""
    backend: Literal["local", "ray"] = "local"
    """Where they run: here, or on a Ray cluster, whose machines find the network at the same path."""


@dataclass(frozen=True, kw_only=True)
class Options(How):
    """What is compared."""

    network: Path
    """The network that plays and looks ahead."""
    seed: int = 1
    """Of games and worlds: with another they are other games."""
    out: Path = Path("runs/comparisons")
    """Where the files lie; what is there is not played again."""


class Comparisons(NamedTuple):
    """Positions of one kind of game; (positions, ...) each.

    Attributes:
        about: What is said of them: what was played, by which network and version.
        states: Rows that agree with what the seat knows, and nothing else.
        seats: Who decides.
        actions: (positions, CANDIDATES) the candidates, the likeliest first; NO_ACTION behind the last.
        log_probs: How likely the policy was to play each.
        values: What each is worth, in points, over all sampled worlds.
        points: The seat's own points of these, which `values` weighs against the others'.
    """

    about: dict[str, Any]
    states: npt.NDArray[np.int16]
    seats: npt.NDArray[np.int16]
    actions: npt.NDArray[np.int16]
    log_probs: npt.NDArray[np.float32]
    values: npt.NDArray[np.float32]
    points: npt.NDArray[np.float32]


class Doubt(NamedTuple):
    """A decision that the policy is not sure of."""

    row: npt.NDArray[np.int16]
    seat: int
    actions: npt.NDArray[np.int16]
    log_probs: Doubles


class Compared(NamedTuple):
    """The same, and of each candidate what it is worth and the points that it leads to."""

    row: npt.NDArray[np.int16]
    seat: int
    actions: npt.NDArray[np.int16]
    log_probs: Doubles
    values: Doubles
    points: Doubles


class Comparer:
    """Games of one network, side by side, some of whose decisions are compared."""

    def __init__(self, options: Options, config: GameConfig, first: int) -> None:
        """Begin the games of a file, whose seeds are counted from `first`."""
        self._options, self._config = options, config
        self._phases = [rulebook.PHASES.index(name) for name in options.phases]
        lookahead = Lookahead(1, options.own, "rules", options.win_bonus, options.rivalry)
        self._playouts = Playouts(load_forward(options.network), config, lookahead)
        profile = self._playouts.forward.inputs.profile
        self._batch = Batch(config, IN_FILE, first, observation=profile, discards=False)
        self._rng = np.random.default_rng(first)
        self._mine = seat_network(IN_FILE, config.players, self._rng)
        self._found: list[Compared] = []

    def play(self) -> list[Compared]:
        """Play all games once; the positions that were compared."""
        batch, goes_on = self._batch, np.ones(IN_FILE, np.bool_)
        expert = HeuristicExpert(batch)
        while goes_on.any():
            mine = self._mine[np.arange(IN_FILE), batch.seats]
            actions = expert.choose(goes_on & ~mine).astype(np.int64)
            asked = np.flatnonzero(goes_on & mine)
            actions[asked] = self._decide(asked)
            over = np.flatnonzero(~goes_on)  # another has begun there, which nobody looks at
            actions[over] = batch.masks[over].argmax(1)
            batch.step(actions.astype(np.int16))
            goes_on &= batch.done == 0
        return self._found

    def _decide(self, asked: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Actions drawn from the policy, and for a share of the decisions what comparing them says."""
        if len(asked) == 0:
            return asked
        batch, rng = self._batch, self._rng
        states, seats = lend_states(batch), batch.seats
        rows = Rows(states[asked], seats[asked])
        scores, _ = self._playouts.score(batch.observations[asked], batch.masks[asked], rows)
        luck = self._options.temperature * rng.gumbel(size=scores.shape)
        played: npt.NDArray[np.int64] = (scores + luck).argmax(1)
        places, doubts = [], []
        is_asked = np.isin(rows.states[:, fields.PHASE], self._phases)
        for place in np.flatnonzero(is_asked & (rng.random(len(asked)) < self._options.share)).tolist():
            actions, log_probs = list_candidates(scores[place], CANDIDATES, self._options.unlikely)
            if len(actions) > 1:
                g, seat = int(asked[place]), int(seats[asked[place]])
                row = imagine_rows(states, np.array([g]), np.array([seat]))[0]
                places.append(place)
                doubts.append(Doubt(row, seat, actions, log_probs))
        for place, found in zip(places, self._compare(doubts), strict=True):
            played[place] = found.actions[(found.values + TRUST * found.log_probs).argmax()]
            self._found.append(found)
        return played

    def _compare(self, doubts: Sequence[Doubt]) -> list[Compared]:
        """What each candidate is worth, of all decisions side by side."""
        if not doubts:
            return []
        playouts, count = self._playouts, self._options.worlds
        worlds = [
            np.tile(playouts.draw_worlds(one.row, one.seat, count, self._rng), (len(one.actions), 1))
            for one in doubts
        ]
        states, lengths = np.concatenate(worlds), [len(part) for part in worlds]
        seats = np.repeat([one.seat for one in doubts], lengths)
        playouts.play_on(states, seats, np.concatenate([np.repeat(one.actions, count) for one in doubts]))
        points = playouts.expect_points(states, seats)
        worth = playouts.weigh(states, seats, points).reshape(-1, count).mean(axis=1)
        own = points[np.arange(len(seats)), seats].reshape(-1, count).mean(axis=1)
        behind = np.cumsum([len(one.actions) for one in doubts])[:-1]
        parts = zip(doubts, np.split(worth, behind), np.split(own, behind), strict=True)
        return [Compared(*one, values, mean) for one, values, mean in parts]


# --- Files -----------------------------------------------------------------------------------------


def pack_file(options: Options, part: tuple[str, int]) -> tuple[tuple[str, int], bytes]:
    """Play and compare the games of a file; what it holds."""
    mode, first = part
    found = Comparer(options, find_mode(mode), first).play()
    actions = np.full((len(found), CANDIDATES), NO_ACTION, np.int16)
    log_probs, values, points = np.zeros((3, len(found), CANDIDATES), np.float32)
    for n, (_, _, candidates, *numbers) in enumerate(found):
        actions[n, : len(candidates)] = candidates
        for array, new in zip((log_probs, values, points), numbers, strict=True):
            array[n, : len(candidates)] = new
    arrays: dict[str, Any] = {
        "states": np.array([one.row for one in found], np.int16),
        "seats": np.array([one.seat for one in found], np.int16),
        "actions": actions,
        "log_probs": log_probs,
        "values": values,
        "points": points,
    }
    buffer = io.BytesIO()
    np.savez_compressed(buffer, about=json.dumps(describe(options, mode)), **arrays)
    return part, buffer.getvalue()


def describe(options: Options, mode: str) -> dict[str, Any]:
    """What is said of the positions of a file."""
    said = ("worlds", "share", "unlikely", "own", "win_bonus", "rivalry", "temperature", "seed")
    return {
        "mode": mode,
        "network": hashlib.sha256(options.network.read_bytes()).hexdigest()[:16],
        **{name: getattr(options, name) for name in said},
        "phases": list(options.phases),
        "version": iaww_env.__version__,
    }


def name_file(options: Options, part: tuple[str, int]) -> Path:
    """Where the positions of some games lie."""
    return options.out / f"{part[0]}-{part[1]}.npz"


def read_file(path: Path) -> Comparisons:
    """The positions of a file. Nothing in it is run.

    Raises:
        ConfigError: It holds none.
    """
    try:
        with np.load(io.BytesIO(path.read_bytes()), allow_pickle=False) as held:
            arrays = [held[name] for name in Comparisons._fields[1:]]
            found = Comparisons(json.loads(str(held["about"])), *arrays)
        if any(len(array) != len(found.seats) for array in arrays):
            raise ValueError("its arrays do not fit together")
    except OSError:
        raise
    except Exception as error:  # whatever else a file can hold
        raise ConfigError(f"{path} holds no comparisons: {error}") from error
    return found


def write_comparisons(options: Options) -> Iterator[int]:
    """Write what is missing, on all cores; gives how many positions are there, again and again.

    Raises:
        ConfigError: What is there was compared otherwise.
    """
    options.out.mkdir(parents=True, exist_ok=True)
    begin = FIRST_SEED + MOST_GAMES * options.seed
    firsts = range(begin, begin + options.games, IN_FILE)
    # All modes come on together, so that a run that is stopped has some of each.
    parts = [(mode, first) for first in firsts for mode in dict.fromkeys(options.modes)]
    missing = [part for part in parts if not name_file(options, part).exists()]
    done = sum(count_positions(options, part) for part in parts if part not in set(missing))
    if done:
        yield done
    share = share_work if options.backend == "local" else ray_work.share_work
    for part, content in share(partial(pack_file, options), missing, options.workers):
        write_whole(name_file(options, part), content)
        done += count_positions(options, part)
        yield done


def count_positions(options: Options, part: tuple[str, int]) -> int:
    """How many positions a file holds that is there."""
    path = name_file(options, part)
    held = read_file(path)
    if held.about != describe(options, part[0]):
        raise ConfigError(f"{path} holds comparisons of {held.about}: take another folder")
    return len(held.seats)


def main(args: Sequence[str] | None = None) -> int:
    """Run the script; returns the exit code."""
    name = "iaww_training.improvement.compare"

    def run() -> int:
        options = tyro.cli(Options, args=args, prog=f"python -m {name}", description=__doc__)
        for done in write_comparisons(options):
            print(f"{done:,} positions", flush=True)
        return 0

    return run_command(run, "compare", is_program=args is None)


if __name__ == "__main__":
    sys.exit(main())
