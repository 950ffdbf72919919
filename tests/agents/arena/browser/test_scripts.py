"""The scripts of the two pages: what both do is written in one place."""

from __future__ import annotations

import re

from iaww_agents.arena.browser import page
from iaww_env.viewer.colours import read_template
from iaww_env.viewer.pages import SCRIPTS


def list_parts(script: str) -> set[str]:
    """Its functions without their names, and its constants."""
    functions = re.findall(r"^(?:async )?function \w+(\(.*?^\})", script, re.DOTALL | re.MULTILINE)
    return {*functions, *re.findall(r"^const .*;", script, re.MULTILINE)}


def test_no_script_repeats_another() -> None:
    scripts = {name: read_template(name) for name in SCRIPTS}
    scripts |= {name: read_template(name, page.__package__) for name in ("choices.js", "play.js")}
    seen: dict[str, str] = {}
    for name, script in scripts.items():
        parts = list_parts(script)
        assert len(parts) > 3
        for part in parts:
            assert part not in seen, f"{name} repeats {seen[part]}"
            seen[part] = name
