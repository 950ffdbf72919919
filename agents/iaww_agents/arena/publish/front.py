"""The small tables of the front page, from the large ones: `python -m iaww_agents.arena.publish.front`."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import tyro

from iaww_agents.arena.publish.scripts import LEADERBOARD
from iaww_agents.ppo_search.bot import WORLDS as NETWORK_WORLDS
from iaww_agents.search.bot import WORLDS
from iaww_env.cli.running import run_command
from iaww_env.errors import ConfigError
from iaww_env.publish import read_between_marks, write_between_marks, write_markdown

ROOT = LEADERBOARD.parents[1]
README, SPEED = ROOT / "README.md", ROOT / "iaww_env" / "SPEED.md"
# Bots that learnt have cards of their own; the others stand in the table of strength.
CARDS = {bot: LEADERBOARD.parent / "iaww_agents" / bot / "CARD.md" for bot in ("ppo", "ppo_search")}

BOTS = {
    "random:nodiscard": "any legal action, but gives up no construction",
    "greedy": "what gives most now",
    "heuristic": "values, rules and plans made by hand",
    "search": f"the heuristic, looking ahead in {WORLDS} sampled worlds",
    "ppo": "a network trained by PPO, and then by what looking ahead finds; it plays without",
    "ppo_search": f"the same network, looking ahead in {NETWORK_WORLDS} sampled worlds",
}
HEADS = (
    "bot",
    "what it is",
    "points alone",
    "points among four of its kind",
    "wins against three `heuristic`",
)
# What is shown of the speed: the mark of a table and the name of a line, and what it comes with.
RATES = {
    ("engine speed", "raw playouts, four players"): "rules alone, random legal play",
    ("environment speed", "native batch of 256, full"): "full observations and masks, resets",
    ("environment speed", "PettingZoo parallel, full"): "full observations and masks of all four seats",
    ("environment speed", "Gymnasium Versus, full"): "the learner's decisions; three random opponents",
    ("environment speed", "heuristic bot's decisions in a batch"): "the bot's thinking",
}
LINKS = {
    "ladder": "[agents/LEADERBOARD.md](agents/LEADERBOARD.md)",
    "speed": "[iaww_env/SPEED.md](iaww_env/SPEED.md)",
}


def find_cell(text: str, column: str, *first: str) -> str:
    """A cell of the tables of a text, by the head of its column and the first cells of its line.

    Raises:
        ConfigError: There is none.
    """
    heads: list[str] = []
    for line in text.splitlines():
        if not line.startswith("|"):
            heads = []
            continue
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if not heads:
            heads = cells
        elif column in heads and tuple(cells[: len(first)]) == first:
            return cells[heads.index(column)]
    raise ConfigError(f"no table with the column {column} has a line that begins with {' | '.join(first)}")


def find_origin(text: str) -> str:
    """The first day that a text names, which is when its tables were made."""
    found = re.search(r"\d{4}-\d\d-\d\d", text)
    if found is None:
        raise ConfigError("a table does not say when it was made")
    return f"on {found[0]}"


def make_ladder(leaderboard: Path, cards: Mapping[str, Path]) -> str:
    """What every bot reaches: alone, at a table of its like, and against three heuristics."""
    strength = read_between_marks(leaderboard, "strength")
    rows, told = [], []
    for bot, what in BOTS.items():
        if bot in cards:
            learnt = read_between_marks(cards[bot], "network")
            told.append(f"for `{bot}`, [its card](agents/iaww_agents/{bot}/CARD.md) ({find_origin(learnt)})")
            alone = find_cell(learnt, "points of a seat", "base, alone")
            among = find_cell(learnt, "points of a seat", "base, 4 players")
            wins = find_cell(learnt, "wins", "base, 4 players", "3 x heuristic")
        else:
            alone, among = find_cell(strength, "solo", bot), find_cell(strength, "4 players", bot)
            wins = find_cell(strength, "wins", "search against 3 x heuristic") if bot == "search" else "–"
        rows.append((f"`{bot}`", what, alone, among, wins))
    origin = (
        f"Base game, side A, random empires, with 95 % intervals; a fair share of wins is 25 %. From "
        f"{LINKS['ladder']} ({find_origin(strength)}) and, {', '.join(told)}, where the commands, machines "
        "and other modes stand."
    )
    return f"{write_markdown(HEADS, rows, (2, 3, 4))}\n\n{origin}"


def make_rates(speed: Path) -> str:
    """Some of the measured rates."""
    texts = {mark: read_between_marks(speed, mark) for mark, _ in RATES}
    rows = [
        (name, find_cell(texts[mark], "measured", name).partition(" (")[0], includes)
        for (mark, name), includes in RATES.items()
    ]
    days = " and ".join(sorted({find_origin(text) for text in texts.values()}))
    origin = f"From {LINKS['speed']} ({days}), where the commands, machines and other libraries stand."
    return f"{write_markdown(('one thread', 'decisions / CPU s', 'with'), rows, (1,))}\n\n{origin}"


def main(args: Sequence[str] | None = None) -> int:
    """Write both tables."""

    def run() -> int:
        tyro.cli(lambda: None, args=args, prog=f"python -m {__spec__.name}", description=__doc__)
        write_between_marks(README, "ladder", make_ladder(LEADERBOARD, CARDS))
        write_between_marks(README, "speed in short", make_rates(SPEED))
        print(f"{README}: both tables written")
        return 0

    return run_command(run, "front", is_program=args is None)


if __name__ == "__main__":
    sys.exit(main())
