"""A browser for the tests of pages; they are skipped, with the reason, where there is none."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
DRIVER = shutil.which("chromedriver")
FLAGS = (
    *(
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--hide-scrollbars",
    ),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)
LAPTOP, PHONE = (1280, 800), (390, 844)


def skip_without_browser() -> None:
    """Skip a module where its pages cannot be opened."""
    pytest.importorskip("selenium", reason="pages are opened with selenium, which is not installed")
    if CHROMIUM is None or DRIVER is None:
        pytest.skip(
            "pages are opened in Chromium, which is not installed with its chromedriver",
            allow_module_level=True,
        )


@contextmanager
def open_browser(folder: Path) -> Iterator[Any]:
    """A browser with a profile of its own."""
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    options.binary_location = str(CHROMIUM)
    for flag in (*FLAGS, f"--user-data-dir={folder / 'profile'}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(options=options, service=Service(str(DRIVER)))
    try:
        yield driver
    finally:
        driver.quit()


def set_screen(driver: Any, size: tuple[int, int], dark: bool = False) -> None:
    """Show pages on a screen of this size, light or dark, and wait until they have been laid out for it.

    Panels are laid a frame after their place has another width, so the third frame from now shows it all.
    """
    width, height = size
    metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [scheme]})
    driver.execute_async_script(
        "const wait = (left, done) => left ? requestAnimationFrame(() => wait(left - 1, done)) : done();"
        "wait(3, arguments[0])"
    )


def list_requests(driver: Any) -> list[str]:
    """Addresses that pages have asked for since this was last called."""
    import json

    found = []
    for entry in driver.get_log("performance"):
        message = json.loads(entry["message"])["message"]
        if message["method"] == "Network.requestWillBeSent":
            found.append(message["params"]["request"]["url"])
    return found
