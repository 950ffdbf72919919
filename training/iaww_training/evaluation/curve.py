"""How strong an agent was while it learnt: what the folder of a run has noted."""

from __future__ import annotations

import io
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from iaww_agents.arena.publish.plots import find_kind, make_figure
from iaww_agents.arena.publish.report import NONE, TextTable
from iaww_env.errors import ConfigError, explain_os_error, name_path
from iaww_env.outputs import write_whole

METRICS = "metrics.jsonl"
ERROR = "_error"
WINS = "_wins"
Line = dict[str, float]


@dataclass(frozen=True, slots=True)
class Curve:
    """What was measured in a run, in order.

    Attributes:
        folder: Of the run.
        lines: Numbers by name; `decisions` is in each.
    """

    folder: str
    lines: list[Line]

    @property
    def names(self) -> list[str]:
        """What was measured."""
        names = dict.fromkeys(name for line in self.lines for name in line)
        return [name for name in names if name != "decisions" and not name.endswith(ERROR)]

    def to_table(self) -> TextTable:
        """A line for each measuring."""
        rows = [
            (f"{line['decisions']:,.0f}", *(show_measured(line, name) for name in self.names))
            for line in self.lines
        ]
        heads = ("decisions learnt", *(name.replace("_", " ") for name in self.names))
        return TextTable(f"While it learnt ({self.folder})", heads, tuple(rows))

    def plot(self, path: Path) -> Path:
        """Draw points, and shares of wins below them."""
        figure = make_figure(7, 6)
        upper, lower = figure.subplots(2, 1, sharex=True)
        for name in self.names:
            axes, scale = (lower, 100) if name.endswith(WINS) else (upper, 1)
            held = [line for line in self.lines if name in line]
            across = [line["decisions"] for line in held]
            errors = [scale * line.get(name + ERROR, 0.0) for line in held]
            values = [scale * line[name] for line in held]
            axes.errorbar(across, values, yerr=errors, marker="o", capsize=3, label=name.replace("_", " "))
        for axes, said in ((upper, "points"), (lower, "% of wins")):
            axes.set_ylabel(said)
            if axes.get_legend_handles_labels()[0]:
                axes.legend()
        lower.set_xlabel("decisions learnt")
        drawn = io.BytesIO()
        figure.savefig(drawn, format=find_kind(path))
        write_whole(path, drawn.getvalue())
        return path


def show_measured(line: Line, name: str) -> str:
    """A number, with half the width of its interval where that was noted."""
    if name not in line:
        return NONE
    scale, mark = (100, " %") if name.endswith(WINS) else (1, "")
    error = line.get(name + ERROR)
    return f"{scale * line[name]:.1f}{'' if error is None else f' ± {scale * error:.1f}'}{mark}"


def read_curve(folder: Path) -> Curve:
    """What the folder of a run has noted.

    Raises:
        ConfigError: It is none, it is damaged, or nothing was measured yet.
    """
    path = folder / METRICS
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise ConfigError(f"{name_path(path)} holds no metrics: it is no text") from None
    except OSError as error:
        raise ConfigError(
            f"{name_path(folder)} is no folder of a run: {METRICS}: {explain_os_error(error)}"
        ) from error
    lines = []
    for number, one in enumerate(text.splitlines(), 1):
        try:
            said = json.loads(one)
            if said["kind"] == "measure":
                lines.append(take_numbers(said))
        except (ValueError, LookupError, TypeError):
            raise ConfigError(f"{name_path(path)}, line {number}, holds no metrics") from None
    if not lines:
        raise ConfigError(
            f"nothing was measured yet in {name_path(folder)}: `iaww train` measures now and then"
        )
    return Curve(str(folder), lines)


def take_numbers(said: dict[str, Any]) -> Line:
    """The numbers of a line.

    Raises:
        LookupError: It does not say after how many decisions it was measured.
    """
    numbers = {name: float(value) for name, value in said.items() if type(value) in (int, float)}
    if "decisions" not in numbers:
        raise LookupError("decisions")
    return numbers
