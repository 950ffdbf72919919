"""States, masks, observations, rewards, records and bots' decisions are to the byte what they were.

`python -m tests.digests` says what differs, and with `--write` renews digests.json after a change of rules
that was made on purpose.
"""

from __future__ import annotations

import json

import pytest

from tests.digests.__main__ import FILE
from tests.digests.games import BOTS, Digest, list_modes, list_parts

KNOWN = json.loads(FILE.read_text(encoding="utf-8"))


def test_every_mode_and_part_has_its_digest() -> None:
    parts = list(list_parts(BOTS))
    assert {mode: list(found) for mode, found in KNOWN.items()} == dict.fromkeys(list_modes(), parts)
    assert len({digest for found in KNOWN.values() for digest in found.values()}) > 150


@pytest.mark.parametrize("mode", list_modes())
def test_nothing_has_changed(mode: str) -> None:
    config = list_modes()[mode]
    differing = [name for name, make in list_parts(BOTS).items() if make(config) != KNOWN[mode][name]]
    assert differing == [], "see python -m tests.digests --help"


def test_a_digest_sees_values_types_and_shapes() -> None:
    seen = set()
    for value in ([1, 2], [2, 1], [[1], 2], "1", 1, 1.0, True, None, {"a": 1}, {"b": 1}, b"1"):
        digest = Digest()
        digest.add(value)
        seen.add(digest.show())
    assert len(seen) == 11
