"""Runs notebooks from top to bottom: `python notebooks/run.py` all of them, with `02 07` these two.

They are written back in place, with clean metadata: no names of machines, nothing that differs from run to
run but the outputs. What takes long is kept in `notebooks/runs`, and a run that was stopped goes on there.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

HERE = Path(__file__).resolve().parent
LONGEST = 12 * 3600  # seconds of a cell
METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}


def list_notebooks() -> list[Path]:
    """The notebooks, in their order."""
    return sorted(HERE.glob("[0-9][0-9]_*.ipynb"))


def run_notebook(path: Path, folder: Path) -> Any:
    """Execute a notebook, and give it cleaned; its file stays as it is.

    Args:
        path: The notebook.
        folder: Where its code runs, and makes its folder `runs`.
    """
    notebook = nbformat.read(path, as_version=4)
    client = NotebookClient(
        notebook,
        timeout=LONGEST,
        startup_timeout=300,
        kernel_name="python3",
        extra_arguments=["--log-level=ERROR"],
        resources={"metadata": {"path": str(folder)}},
    )
    client.execute()
    return clean_notebook(notebook)


def clean_notebook(notebook: Any) -> Any:
    """The notebook without what differs from machine to machine and from run to run."""
    notebook.metadata = nbformat.from_dict(METADATA)
    for cell in notebook.cells:
        cell.metadata = nbformat.from_dict({})
        if cell.cell_type == "code":
            cell.outputs = join_streams(cell.outputs)
    return notebook


def join_streams(outputs: list[Any]) -> list[Any]:
    """Outputs, with what was printed piece by piece in one piece."""
    joined: list[Any] = []
    for output in outputs:
        last = joined[-1] if joined else None
        if last is not None and output.output_type == last.output_type == "stream":
            if output.name == last.name:
                last.text += output.text
                continue
        joined.append(output)
    return joined


def write_notebook(notebook: Any, path: Path) -> None:
    """Write a notebook as it stands in the repository."""
    nbformat.validate(notebook)
    path.write_text(nbformat.writes(notebook, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def main() -> None:
    """Run the notebooks that are named, or all."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("numbers", nargs="*", help="01, 02, ...; all where none is named")
    parser.add_argument(
        "--out", type=Path, default=HERE, help="run and write there, and leave the files alone"
    )
    said = parser.parse_args()
    for path in list_notebooks():
        if not said.numbers or path.name[:2] in said.numbers:
            begun = time.perf_counter()
            written = said.out / path.name
            write_notebook(run_notebook(path, said.out), written)
            size = written.stat().st_size / 1000
            print(f"{path.name}: {time.perf_counter() - begun:.0f} s, {size:.0f} KB", flush=True)


if __name__ == "__main__":
    main()
