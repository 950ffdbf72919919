"""Compare the digests of games of every mode with those that stand in digests.json, or renew them.

    python -m tests.digests            compare all; exit code 1 where something differs
    python -m tests.digests --write    renew the file, after a change that was made on purpose

What differs was changed by the work under way. Where that was the intention, renew the file, raise the
version in the ids of the environments (CONTRIBUTING.md) and say in the changelog which parts differ.
"""

from __future__ import annotations

import argparse
import json
import logging
import sys
from pathlib import Path

from tests.digests.games import make_digests

FILE = Path(__file__).with_name("digests.json")


def main() -> int:
    """Run the comparison; returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--write", action="store_true", help="renew the file")
    options = parser.parse_args()
    logging.getLogger("iaww_env").disabled = True
    found: dict[str, dict[str, str]] = {}
    for mode, part, digest in make_digests():
        found.setdefault(mode, {})[part] = digest
    if options.write:
        FILE.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
        print(f"{FILE}: {sum(map(len, found.values()))} digests written")
        return 0
    known = json.loads(FILE.read_text(encoding="utf-8"))
    differing = [
        f"{mode}: {part}"
        for mode in sorted({*found, *known})
        for part in sorted({*found.get(mode, {}), *known.get(mode, {})})
        if found.get(mode, {}).get(part) != known.get(mode, {}).get(part)
    ]
    print("\n".join(differing) or f"{sum(map(len, found.values()))} digests, all equal")
    return int(bool(differing))


if __name__ == "__main__":
    sys.exit(main())
