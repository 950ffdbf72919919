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
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
import tyro

from iaww_env.actions import action_table
from iaww_env.batch import Batch
from iaww_env.cli.running import run_command
from iaww_env.config import GameConfig
from iaww_env.observation import observation_table
from iaww_env.publish import describe_machine, find_place, write_between_marks, write_markdown
from iaww_training.datasets import Decisions, read_games, replay_games
from iaww_training.experts import HeuristicExpert
from iaww_training.matches import Mean, choose_heuristic, find_mean, make_chooser, play_lineup
from iaww_training.network import ScoringNetwork, list_legal, load_network, save_network
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
    """Games of another bot (see `datasets`): the networks that imitate the heuristic go on with them."""
    write: bool = False
    """Write the table into training/README.md as well."""
    into: Path = GUIDE
    """The file it is written into."""


# --- Learning --------------------------------------------------------------------------------------


def play_heuristic(batch: Batch, steps: int) -> Decisions:
    """So many steps, all games of each."""
    expert = HeuristicExpert(batch)
    seen, masks, actions = [], [], []
    for _ in range(steps):
        chosen = expert.choose()
        seen.append(batch.observations.copy())
        masks.append(batch.masks.copy())
        actions.append(chosen.astype(np.int64))
        batch.step(chosen)
    return Decisions(np.concatenate(seen), np.concatenate(masks), np.concatenate(actions))


def cut(decisions: Decisions, size: int, rng: np.random.Generator) -> Iterator[Decisions]:
    """Decisions in random order, so many at a time."""
    order = rng.permutation(len(decisions.actions))
    for start in range(0, len(order) - size + 1, size):
        some = order[start : start + size]
        yield Decisions(decisions.observations[some], decisions.masks[some], decisions.actions[some])


def draw_fresh(batch: Batch, size: int, seed: int) -> Iterator[Decisions]:
    """Fresh decisions of the heuristic without end, mixed over some ten thousands."""
    rng = np.random.default_rng(seed)
    while True:
        yield from cut(play_heuristic(batch, 96), size, rng)


def draw_replayed(
    config: GameConfig,
    seeds: npt.NDArray[np.int64],
    actions: npt.NDArray[np.int16],
    profile: str,
    options: Options,
) -> Iterator[Decisions]:
    """The same games again and again, always in another order, 64 of them at a time."""
    rng = np.random.default_rng(options.seed)
    while True:
        order = rng.permutation(len(seeds))
        for start in range(0, len(order), 64):
            some = order[start : start + 64]
            yield from cut(replay_games(config, seeds[some], actions[some], profile), options.minibatch, rng)


def imitate(network: ScoringNetwork, parts: Iterator[Decisions], options: Options) -> dict[str, Any]:
    """Learn what was played for so many CPU minutes; says how many decisions that were."""
    optimizer = torch.optim.Adam(network.parameters(), lr=options.learning_rate)
    begun, learnt = time.process_time(), 0
    for step, part in enumerate(parts):
        done = (time.process_time() - begun) / (60 * options.minutes)
        if done >= 1:
            break
        fall = 0.05 + 0.95 * 0.5 * (1 + np.cos(np.pi * done))
        optimizer.param_groups[0]["lr"] = options.learning_rate * fall
        legal = list_legal(torch.from_numpy(part.masks))
        scores, _ = network(torch.from_numpy(part.observations), legal)
        played = (legal.actions == torch.from_numpy(part.actions)[:, None]) & legal.is_action
        loss = -torch.log_softmax(scores, 1)[played].mean()
        optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        optimizer.step()
        learnt += len(part.actions)
        if step % 500 == 0:
            print(f"  {done:.0%} {learnt:,} decisions, loss {loss.item():.3f}", file=sys.stderr, flush=True)
    return {"decisions": learnt, "cpu_seconds": time.process_time() - begun}


def measure_accuracy(network: ScoringNetwork, decisions: Decisions) -> dict[str, float]:
    """How often the network says what was played in games that it never saw: in all, and by verb."""
    table = action_table()
    verbs = np.array([table.verb(action) for action in range(len(table))])[decisions.actions]
    right = []
    with torch.no_grad():
        for start in range(0, len(decisions.actions), 4096):
            part = slice(start, start + 4096)
            legal = list_legal(torch.from_numpy(decisions.masks[part]))
            scores, _ = network(torch.from_numpy(decisions.observations[part]), legal)
            best = legal.actions.gather(1, scores.argmax(1, keepdim=True))[:, 0].numpy()
            right.append(best == decisions.actions[part])
    hits = np.concatenate(right)
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
    table = observation_table(GameConfig(players=4), profile)
    network = ScoringNetwork(table, width=options.width, without=without)
    batch = Batch(players=4, num_games=options.games, seed=options.seed, observation=profile)
    HeuristicExpert(batch).choose()  # compiled before the clock runs
    learnt = imitate(network, draw_fresh(batch, options.minibatch, options.seed), options)
    test = play_heuristic(Batch(players=4, num_games=256, seed=TEST_SEED, observation=profile), 240)
    save_network(network, find_network(options, variant, "heuristic"))
    return learnt | measure_accuracy(network, test) | measure_play(network, options, profile)


def imitate_games(options: Options, variant: str) -> dict[str, object]:
    """The network that imitates the heuristic goes on with games of another bot; a tenth of them is kept."""
    assert options.data is not None
    profile, _ = VARIANTS[variant]
    about, seeds, actions = read_games(options.data)
    config = GameConfig.from_dict(about["config"])
    kept = len(seeds) // 10
    network = load_network(find_network(options, variant, "heuristic"))
    test = replay_games(config, seeds[:kept], actions[:kept], profile)
    before = {f"before_{name}": value for name, value in measure_accuracy(network, test).items()}
    parts = draw_replayed(config, seeds[kept:], actions[kept:], profile, options)
    learnt = imitate(network, parts, options)
    save_network(network, find_network(options, variant, about["bot"]))
    found = learnt | before | measure_accuracy(network, test) | measure_play(network, options, profile)
    return {"bot": about["bot"], "games": len(seeds) - kept} | found


def find_network(options: Options, variant: str, bot: str) -> Path:
    """Where a network of this comparison lies."""
    name = f"{variant} {bot}".replace(",", "").replace(" ", "_")
    return options.out.with_name(f"{options.out.stem}_{name}.pt")


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
