"""What is built and installed plays without the clone, beside packages `agents` and `training` of others."""

from __future__ import annotations

import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from tests.processes import ROOT, run_python

OURS = ("iaww_env", "iaww_agents", "iaww_training")
PACKED = (".py", ".pyi", ".csv", ".md", ".typed", ".css", ".html", ".js", ".png")  # what a wheel must hold
# Every copy of the packages would be compiled anew, for minutes: copies play as plain Python.
PLAIN = {"NUMBA_DISABLE_JIT": "1"}

# What a research project does in a folder with packages of its own; it is given the folder that our packages
# must come from.
PROJECT = """
import pathlib
import sys

import gymnasium

import agents
import iaww_agents
import iaww_env
import iaww_training.tune_heuristic
import training
from iaww_env.bots import list_agents, make_agent

folder = pathlib.Path(sys.argv[1])
for package in (iaww_env, iaww_agents, iaww_training):
    assert folder in pathlib.Path(package.__file__).parents, package.__file__
assert agents.whose == training.whose == "the user's"
assert {"random", "greedy", "heuristic", "search"} <= set(list_agents())
env = gymnasium.make("iaww/Versus-v0", players=2, opponents=["greedy"], observation="compact")
shown, infos = env.reset(seed=1)
ended = False
while not ended:
    shown, reward, ended, *_ = env.step(int(shown["action_mask"].argmax()))
own = gymnasium.make("iaww/Versus-v0", players=2, opponents=["agents:Mine"])
own.reset(seed=1)
assert make_agent("agents:Mine").whose == "the user's"
assert [make_agent(name) for name in ("heuristic", "search")]
print("played")
"""

BOT = """
whose = "the user's"


class Mine:
    whose = "the user's"

    def act(self, view):
        return view.legal_actions()[0]
"""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a wheel and an sdist."""
    folder = tmp_path_factory.mktemp("built")
    build(ROOT, folder)
    return folder


def build(source: Path, folder: Path) -> None:
    """Build a wheel and an sdist of a source tree, with the project's own build backend."""
    command = [sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-t", "wheel", "-d", str(folder)]
    done = subprocess.run(command, cwd=source, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr


def install(wheel: Path, folder: Path) -> Path:
    """Lay a wheel into a folder of its own, as pip does it."""
    command = [sys.executable, "-m", "pip", "install", "--no-deps", "--no-index", "--target", str(folder)]
    done = subprocess.run([*command, str(wheel)], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A user's folder with packages `agents` and `training`."""
    for name in ("agents", "training"):
        (tmp_path / "project" / name).mkdir(parents=True)
        (tmp_path / "project" / name / "__init__.py").write_text(BOT)
    (tmp_path / "project" / "script.py").write_text(PROJECT)
    return tmp_path / "project"


def play_there(project: Path, packages: Path, **environment: str) -> None:
    """The project's script, and our commands, run from the project's folder."""
    said = run_python("script.py", str(packages), cwd=project, **environment)
    assert said.splitlines()[-1] == "played"
    command = ("-m", "iaww_env.cli", "tournament", "greedy", "agents:Mine", "--games", "2", "--players", "2")
    search = {
        **environment,
        "PYTHONPATH": ":".join(filter(None, [str(project), environment.get("PYTHONPATH", "")])),
    }
    assert "agents:Mine" in run_python(*command, cwd=project, **search)
    reference = run_python("-m", "iaww_env.cli", "spec", "actions", cwd=project, **environment)
    assert reference.startswith("## Actions\n")
    assert "wind_turbines" in run_python("-m", "iaww_env.cli", "cards", "wind", cwd=project, **environment)
    assert "--minutes" in run_python(
        "-m", "iaww_training.tune_heuristic", "--help", cwd=project, **environment
    )


def test_from_the_wheel(built: Path, project: Path, tmp_path: Path) -> None:
    (wheel,) = built.glob("*.whl")
    packages = install(wheel, tmp_path / "installed")
    play_there(project, packages, PYTHONPATH=str(packages), **PLAIN)


def test_from_the_sdist(built: Path, project: Path, tmp_path: Path) -> None:
    (sdist,) = built.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        archive.extractall(tmp_path, filter="data")
    (source,) = tmp_path.glob("iaww_env-*")
    build(source, tmp_path / "again")
    (wheel,) = (tmp_path / "again").glob("*.whl")
    packages = install(wheel, tmp_path / "installed")
    play_there(project, packages, PYTHONPATH=str(packages), **PLAIN)


def test_from_where_the_tests_run(project: Path) -> None:
    """Mostly an editable installation, which leads into the clone."""
    play_there(project, Path(run_python("-c", "import iaww_env; print(iaww_env.__path__[0])").strip()).parent)


def test_the_wheel_holds_our_packages_and_all_their_files(built: Path) -> None:
    """Nothing stands in it under a name that is not ours, and nothing that git knows is missing."""
    (wheel,) = built.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    assert {name.split("/")[0] for name in names if ".dist-info/" not in name} == set(OURS)
    folders = {"iaww_env": ROOT, "iaww_agents": ROOT / "agents", "iaww_training": ROOT / "training"}
    for package, folder in folders.items():
        for path in (folder / package).rglob("*"):
            if path.suffix in PACKED and "__pycache__" not in path.parts:
                assert path.relative_to(folder).as_posix() in names
