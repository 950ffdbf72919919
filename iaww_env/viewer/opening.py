"""Opening an address in the browser of whoever sits at this machine, where there is one."""

from __future__ import annotations

import os
import sys

SCREENS = ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")


def open_address(address: str) -> bool:
    """Open an address in the browser; returns whether there is one."""
    import webbrowser

    if sys.platform not in ("win32", "darwin") and not any(map(os.environ.get, SCREENS)):
        return False  # where there is no screen, a browser of the terminal would take it over
    try:
        return webbrowser.open(address)
    except webbrowser.Error:
        return False
