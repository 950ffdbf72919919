"""Which observation a learner plans best with: networks that imitate bots, each for the same time.

    python -m iaww_training.compare_profiles --minutes 10 --out runs/profiles.jsonl
    python -m iaww_training.compare_profiles --minutes 4 --out runs/profiles.jsonl --data runs/search --write

Every network sees another part of what the seat may know. Each learns for so many minutes of CPU time from
fresh games of the heuristic, seen once; or goes on from there with games of another bot. Then it says what
was played in games it never saw, and plays: against itself, and one seat against heuristics.
"""

from __future__ import annotations

import datetime
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
import tyro

from iaww_agents.networks.inputs import Inputs, make_inputs
from iaww_env.actions import action_table
from iaww_env.batch import Batch
from iaww_env.cli.running import run_command
from iaww_env.errors import ConfigError
from iaww_env.publish import describe_machine, find_place, write_between_marks, write_markdown
from iaww_training.datasets import read_file, read_games
from iaww_training.decisions import join, look
from iaww_training.experts import HeuristicExpert
from iaww_training.imitation import Lesson, Library, Pace, imitate, predict
from iaww_training.matches import Mean, choose_heuristic, find_mean, make_chooser, play_lineup
from iaww_training.network import ScoringNetwork, load_network, save_network
from iaww_training.publishing import GUIDE

MARK = "profiles"
TEST_SEED = 20_000_000
POINTS = ("self_play_points", "against_heuristic_points")
NEXT_SEAT = ("next_production", "next_production_slated", "next_point_rate", "next_open")
# Name, profile, and pieces of it that the network does not see.
VARIANTS = {
    "compact": ("compact", ()),
    "compact, missing spaces by resource": ("cards", NEXT_SEAT),
    "cards": ("cards", ()),
    "full": ("full", ()),
}


@dataclass(frozen=True)
class Options:
    """What is compared."""

    out: Path
    """Figures as JSON Lines; what stands there is not measured again."""
    minutes: float = 10.0
    """CPU minutes of learning for each network."""
    variants: tuple[str, ...] = tuple(VARIANTS)
    """What networks see."""
    games: int = 256
    """Games side by side."""
    minibatch: int = 1024
    """Decisions of a step of learning."""
    learning_rate: float = 1e-3
    """At the beginning; it falls to a twentieth along a cosine."""
    test_games: int = 1000
    """Games of each match at the end."""
    width: int = 256
    """Of the trunk."""
    seed: int = 1
    """Of games and weights."""
    data: Path | None = None
    """Games of another bot (of `iaww selfplay`): the networks that imitate the heuristic go on with them."""
    write: bool = False
    """Write the table into training/README.md as well."""
    into: Path = GUIDE
    """The file it is written into."""


# --- Learning --------------------------------------------------------------------------------------


def play_heuristic(inputs: Inputs, batch: Batch, steps: int) -> Lesson:
    """So many steps, all games of each; what came of them is not told, for values are not learnt here."""
    expert, sources = HeuristicExpert(batch), inputs.find(batch.config)
    seen, actions = [], []
    for _ in range(steps):
        chosen = expert.choose()
        seen.append(look(inputs, sources, batch.observations, batch.masks))
        actions.append(chosen.astype(np.int64))
        batch.step(chosen)
    return Lesson(join(seen), np.concatenate(actions), np.zeros(steps * batch.num_games, np.float32))


def make_batch(inputs: Inputs, games: int, seed: int) -> Batch:
    """Games of four, seen as a network sees them."""
    return Batch(players=4, num_games=games, seed=seed, observation=inputs.profile)


def draw_fresh(inputs: Inputs, games: int, seed: int) -> Iterator[Lesson]:
    """Decisions of the heuristic without end, each seen once, some ten thousands at a time."""
    batch = make_batch(inputs, games, seed)
    while True:
        yield play_heuristic(inputs, batch, 96)


def learn(network: ScoringNetwork, lessons: Iterator[Lesson], options: Options) -> dict[str, Any]:
    """Learn what was played for so many CPU minutes; says how many decisions that were."""

    def say(done: float, learnt: int, policy: float, value: float) -> None:
        print(f"  {done:.0%} {learnt:,} decisions, loss {policy:.3f}", file=sys.stderr, flush=True)

    pace = Pace(
        minutes=options.minutes,
        learning_rate=options.learning_rate,
        minibatch=options.minibatch,
        value_weight=0.0,  # how well values can be learnt is not what is compared
        seed=options.seed,
    )
    return imitate(network, lessons, pace, say)


def measure_accuracy(network: ScoringNetwork, lesson: Lesson) -> dict[str, float]:
    """How often the network says what was played in games that it never saw: in all, and by verb."""
    table = action_table()
    verbs = np.array([table.verb(action) for action in range(len(table))])[lesson.actions]
    hits = predict(network, lesson.seen)[0] == lesson.actions
    by_verb = {f"accuracy_{verb}": float(hits[verbs == verb].mean()) for verb in np.unique(verbs)}
    return {"accuracy": float(hits.mean())} | by_verb


def measure_play(network: ScoringNetwork, options: Options, profile: str) -> dict[str, float]:
    """Points of the network against itself; of one seat against three heuristics, and its share of wins."""
    chooser = make_chooser(network)
    alone = play_lineup((chooser,) * 4, options.test_games, TEST_SEED, profile)
    against = play_lineup((chooser, *(choose_heuristic,) * 3), options.test_games, TEST_SEED, profile)
    found = {
        "self_play_points": find_mean(alone.points.mean(1)),
        "against_heuristic_points": find_mean(against.points[:, 0]),
        "wins": find_mean(against.wins[:, 0]),
    }
    plain = {name: mean.value for name, mean in found.items()}
    return plain | {f"{name}_error": mean.error for name, mean in found.items()}


# --- What is imitated ------------------------------------------------------------------------------


def imitate_heuristic(options: Options, variant: str) -> dict[str, object]:
    """A fresh network learns from fresh games of the heuristic."""
    profile, without = VARIANTS[variant]
    torch.manual_seed(options.seed)
    inputs = make_inputs((), profile=profile, players=(4,), without=without)
    network = ScoringNetwork(inputs, width=options.width)
    predict(
        network, play_heuristic(inputs, make_batch(inputs, 2, 0), 2).seen
    )  # compiled before the clock runs
    learnt = learn(network, draw_fresh(inputs, options.games, options.seed), options)
    test = play_heuristic(inputs, make_batch(inputs, 256, TEST_SEED), 240)
    save_network(network, find_network(options, variant, "heuristic"))
    return learnt | measure_accuracy(network, test) | measure_play(network, options, profile)


def imitate_games(options: Options, variant: str) -> dict[str, object]:
    """The network that imitates the heuristic goes on with games of another bot; some of them are kept.

    Raises:
        ConfigError: There are too few files for one to be kept.
    """
    assert options.data is not None
    bot = read_games(options.data).about["bot"]
    network = load_network(find_network(options, variant, "heuristic"))
    library = Library(network.inputs, [options.data], 1.0)
    if not library.kept:
        raise ConfigError(f"{options.data} holds one file of games: none is left to test with")
    (test,) = library.test().values()
    before = {f"before_{name}": value for name, value in measure_accuracy(network, test).items()}
    learnt = learn(network, library.draw(np.random.default_rng(options.seed)), options)
    save_network(network, find_network(options, variant, bot))
    games = sum(len(read_file(file).seeds) for file in library.files)
    profile = network.inputs.profile
    found = learnt | before | measure_accuracy(network, test) | measure_play(network, options, profile)
    return {"bot": bot, "games": games} | found


def find_network(options: Options, variant: str, bot: str) -> Path:
    """Where a network of this comparison lies."""
    name = f"{variant} {bot}".replace(",", "").replace(" ", "_")
    return options.out.with_name(f"{options.out.stem}_{name}.npz")


def compare(options: Options, command: str) -> int:
    """Measure what has not been measured yet."""
    torch.set_num_threads(1)
    if options.write:
        find_place(options.into, MARK)
    options.out.parent.mkdir(parents=True, exist_ok=True)
    lines = options.out.read_text().splitlines() if options.out.exists() else []
    known = [json.loads(line) for line in lines]
    data = "heuristic" if options.data is None else str(options.data)
    for variant in options.variants:
        if any((one["variant"], one["data"]) == (variant, data) for one in known):
            continue
        found: dict[str, object] = {"variant": variant, "data": data, "minutes": options.minutes}
        found |= {"command": command, "machine": describe_machine(), "date": str(datetime.date.today())}
        found |= (
            imitate_heuristic(options, variant) if options.data is None else imitate_games(options, variant)
        )
        known.append(found)
        with options.out.open("a") as file:
            file.write(json.dumps(found) + "\n")
    text = make_table(known)
    print(text)
    if options.write:
        write_between_marks(options.into, MARK, text)
    return 0


def make_table(known: Sequence[dict[str, Any]]) -> str:
    """All that was measured, a line for each network."""
    heads = (
        *("imitates", "sees", "decisions learnt", "CPU minutes", "% told right", "of picks", "of slates"),
        *("points in self-play", "points against three heuristics", "% of wins there (fair: 25)"),
    )
    rows = []
    for one in known:
        points = (Mean(one[name], one[f"{name}_error"]) for name in POINTS)
        rates = (f"{100 * one[name]:.1f}" for name in ("accuracy", "accuracy_pick", "accuracy_slate"))
        learnt = (f"{one['decisions']:,}", f"{one['minutes']:g}")
        wins = Mean(100 * one["wins"], 100 * one["wins_error"])
        rows.append((one.get("bot", "heuristic"), one["variant"], *learnt, *rates, *points, wins))
    signed = dict.fromkeys(f"`{one['command']}`, {one['date']}, {one['machine']}" for one in known)
    return write_markdown(heads, rows, range(2, len(heads))) + "\n\n" + "; ".join(signed) + "."


def main(args: Sequence[str] | None = None) -> int:
    """Run the script."""
    typed = list(sys.argv[1:] if args is None else args)
    program = "python -m iaww_training.compare_profiles"

    def run() -> int:
        options = tyro.cli(Options, args=typed, prog=program, description=__doc__)
        return compare(options, " ".join([program, *typed]))

    return run_command(run, "compare_profiles", is_program=args is None)


if __name__ == "__main__":
    sys.exit(main())
