"""The command that compiles everything beforehand: `iaww warmup`."""

from __future__ import annotations

import time

from iaww_env.cli.exit_codes import complain


def warmup(workers: int | None = None) -> int:
    """Compile beforehand what games, environments, bots, analysis and training need, on all cores.

    Without it each part is compiled when it is first used, once for each version.

    Args:
        workers: Processes; one for each core by default.

    Examples:
        iaww warmup
    """
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    from iaww_env.engine.jit import CACHE_FOLDER
    from iaww_env.warmup import list_works, warm_up

    if workers is not None and workers < 1:
        return complain(f"--workers is {workers}: compile with at least one process")
    if CACHE_FOLDER is None:
        return complain("there is no folder in which compiled rules could be kept: nothing would be gained")
    begun, screen = time.monotonic(), Console(stderr=True)
    columns = (TextColumn("compiling"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    works = list_works()
    if not screen.is_terminal:
        screen.print(f"iaww: compiling {', '.join(sorted(works))}, once for each version", soft_wrap=True)
    with Progress(*columns, console=screen, transient=True, disable=not screen.is_terminal) as bar:
        task = bar.add_task("compiling", total=len(works))
        for _ in warm_up(workers):
            bar.advance(task)
    if not CACHE_FOLDER.exists():
        return complain(f"nothing could be kept in {CACHE_FOLDER}: the next process compiles anew")
    print(f"{', '.join(sorted(works))}: ready, after {time.monotonic() - begun:.0f} seconds")
    return 0
