"""A page inside a notebook: packed, unchanged when it comes out, and shown by a browser."""

from __future__ import annotations

import base64
import gzip
import re
import time
from html import unescape
from pathlib import Path

import pytest

from iaww_env.config import GameConfig
from iaww_env.random_games import record_games
from iaww_env.viewer import embed_page, write_page
from tests.viewer.browsers import open_browser, skip_without_browser

RECORD = next(record_games(GameConfig(2), 1, 3, checks=False))


@pytest.fixture(scope="module")
def page() -> str:
    return write_page(RECORD)


def test_a_page_comes_out_as_it_went_in(page: str) -> None:
    embedded = embed_page(page)
    inside = unescape(re.findall(r'srcdoc="([^"]*)"', embedded)[0])
    packed = re.findall(r'atob\("([^"]+)"\)', inside)[0]
    assert gzip.decompress(base64.b64decode(packed)).decode() == page
    assert len(embedded) < len(page) / 5
    assert embedded == embed_page(page), "the same page, the same bytes"


def test_what_is_around_a_page_is_out_of_its_reach(page: str) -> None:
    embedded = embed_page(page, height=321)
    assert embedded.count("<iframe") == embedded.count("</iframe>") == 1
    assert 'sandbox="allow-scripts"' in embedded
    assert 'height="321"' in embedded
    assert "http" not in embedded


def test_a_browser_shows_the_page(page: str, tmp_path: Path) -> None:
    skip_without_browser()
    path = tmp_path / "notebook.html"
    path.write_text(f"<!doctype html><title>n</title>{embed_page(page)}", encoding="utf-8")
    with open_browser(tmp_path) as driver:
        driver.get(path.as_uri())
        driver.switch_to.frame(0)
        for _ in range(200):
            shown = driver.execute_script("return document.getElementById('count')?.textContent || ''")
            if shown.strip():
                break
            time.sleep(0.1)
        assert f"{len(RECORD['moves'])}" in shown
        assert driver.execute_script("return document.querySelectorAll('#table svg').length") > 0
