"""What messages tell a user to type works: no registry has the project, all is installed from a clone."""

from __future__ import annotations

import re
import tomllib

import pytest

from iaww_env.errors import tell_install
from tests.processes import ROOT

EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"][
    "optional-dependencies"
]
TOLD = [
    path
    for folder in ("iaww_env", "agents", "training", "notebooks")
    for path in sorted((ROOT / folder).rglob("*"))
    if path.suffix in (".py", ".md")
]


@pytest.mark.parametrize("extra", EXTRAS)
def test_an_extra_is_installed_from_a_clone_with_versions_that_are_there(extra: str) -> None:
    found = re.fullmatch(
        rf'in the folder of the clone: pip install -c (\S+) "\.\[{extra}\]"', tell_install(extra)
    )
    assert found is not None
    assert (ROOT / found[1]).is_file()


def test_nothing_is_installed_from_a_registry() -> None:
    """`pip install "iaww-env[...]"` finds nothing: no message and no guide may say so."""
    assert len(TOLD) > 100
    wrong = [
        path.relative_to(ROOT).as_posix() for path in TOLD if "iaww-env[" in path.read_text(encoding="utf-8")
    ]
    assert wrong == []


def test_every_extra_that_a_message_names_is_there() -> None:
    said = {
        name
        for path in TOLD
        for name in re.findall(r"tell_install\([\"'](\w+)", path.read_text(encoding="utf-8"))
    }
    assert len(said) >= 5
    assert said <= set(EXTRAS)
