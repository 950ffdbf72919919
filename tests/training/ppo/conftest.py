"""A run that went to its end, and Ctrl-C that reaches runs."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.training.ppo.small_runs import be_silent, make_run


@pytest.fixture(autouse=True)
def heed_interrupts() -> Iterator[None]:
    """Also where the tests were begun in the background, whose programs are told to ignore Ctrl-C."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a run that went to its end."""
    folder = tmp_path_factory.mktemp("runs") / "finished"
    make_run(folder).learn(be_silent)
    return folder
