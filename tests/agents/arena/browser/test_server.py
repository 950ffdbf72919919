"""Who may talk to the server, and how a program with one begins and ends."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

for library in ("starlette", "uvicorn", "wsproto"):
    pytest.importorskip(library, reason='the server needs pip install "iaww-env[browser]"')

from iaww_agents.arena.browser import play  # noqa: E402
from iaww_env.cli.app import main  # noqa: E402
from iaww_env.config import GameConfig  # noqa: E402
from iaww_env.errors import tell_install  # noqa: E402
from iaww_env.records import read_records  # noqa: E402
from tests.agents.arena.browser.served import Served, serve_game  # noqa: E402
from tests.processes import ROOT  # noqa: E402

HINT = {"kind": "hint", "question": 1}


@pytest.fixture(scope="module")
def served() -> Iterator[Served]:
    with serve_game(GameConfig(2)) as game:
        game.await_question()
        yield game


# --- Who may talk to it ------------------------------------------------------------------------------


REFUSED: dict[str, tuple[int, dict[str, Any]]] = {
    "another host": (403, {"host": "evil.example"}),
    "another host at our port": (403, {"host": "evil.example:80"}),
    "a host that begins like ours": (403, {"host": "127.0.0.1.evil.example"}),
    "no origin": (403, {"origin": None}),
    "another origin": (403, {"origin": "http://evil.example"}),
    "an origin at another port": (403, {"origin": "http://127.0.0.1:1"}),
    "an opaque origin": (403, {"origin": "null"}),
    "no token": (404, {"path": "/ask"}),
    "a wrong token": (404, {"path": f"/{'x' * 32}/ask"}),
    "a token that is no text": (404, {"path": "/%ff%00%f0/ask"}),
    "another path": (404, {"path": "asks"}),
    "a path that goes up": (404, {"path": "../ask"}),
    "another method": (405, {"method": "PUT"}),
    "reading what is asked": (405, {"method": "GET"}),
    "writing the page": (405, {"path": ""}),
    "a preflight": (405, {"method": "OPTIONS"}),
    "a form": (400, {"content_type": "application/x-www-form-urlencoded"}),
    "no type": (400, {"content_type": None}),
    "no JSON": (400, {"body": b"{"}),
    "no object": (400, {"body": [1]}),
    "no kind": (400, {"body": {"question": 1}}),
    "another kind": (400, {"body": {"kind": "cheat", "question": 1}}),
    "no number": (400, {"body": {"kind": "hint", "question": "1"}}),
    "a truth for a number": (400, {"body": {"kind": "hint", "question": True}}),
    "deep JSON": (400, {"body": b"[" * 1000}),
    "no text": (400, {"body": {"kind": "play", "question": 1, "action": 3}}),
    "much": (413, {"body": {"kind": "hint", "question": 1, "action": "x" * 2000}}),
    "no length": (411, {"content_length": None, "transfer_encoding": "chunked", "body": b"0\r\n\r\n"}),
}


@pytest.mark.parametrize("what", REFUSED)
def test_strangers_and_nonsense_are_refused(served: Served, what: str) -> None:
    code, given = REFUSED[what]
    before = served.state
    status, _, headers = served.send(**({"body": HINT} | given))
    assert status == code
    assert served.state == before
    assert headers["cache-control"] == "no-store"
    assert headers["x-content-type-options"] == "nosniff"
    assert not any(name.startswith("access-control") for name in headers)


def test_the_page_is_given_to_who_knows_its_address(served: Served) -> None:
    status, text, headers = served.send("GET", "", origin=None)
    assert status == 200
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["x-frame-options"] == "DENY"
    assert headers["cross-origin-resource-policy"] == "same-origin"
    assert "default-src 'none'" in text
    assert "connect-src 'self'" in text
    assert "http:" not in text.replace("http://www.w3.org/2000/svg", "")
    assert "seed" not in text, "all hidden cards follow from it"
    place = urlsplit(served.address).path
    status, _, headers = served.send("GET", place.rstrip("/"), origin=None)
    assert (status, headers["location"]) == (307, place)
    for path in ("/", "/favicon.ico", f"/{'x' * 32}/"):
        assert served.send("GET", path, origin=None)[0] == 404
    assert served.send("GET", "", origin=None, host="evil.example")[0] == 403


def listen(served: Served, **options: Any) -> Any:
    """A stream of states, as a page has it."""
    websocket = pytest.importorskip("websocket", reason="comes with selenium")
    address = served.address.replace("http", "ws") + "stream"
    return websocket.create_connection(options.pop("address", address), timeout=30, **options)


def test_the_stream_is_for_the_page_alone(served: Served) -> None:
    import websocket

    here = served.address.split("/")[2]
    for options in (
        {"origin": "http://evil.example"},
        {"suppress_origin": True},
        {"host": "evil.example", "origin": "http://evil.example"},
        {"address": f"ws://{here}/{'x' * 32}/stream"},
    ):
        with pytest.raises(websocket.WebSocketBadStatusException):
            listen(served, **options)
    streams = [listen(served) for _ in range(3)]
    states = [json.loads(stream.recv()) for stream in streams]
    assert states == [served.state] * 3
    streams.pop(0).close()
    assert served.send(body={"kind": "hint", "question": states[0]["question"]})[0] == 200
    for stream in streams:
        while not (hint := json.loads(stream.recv())["hint"]) or not hint["action"]:
            pass
        assert " would " in hint["words"]
        stream.close()


def test_it_listens_on_this_machine_alone(served: Served) -> None:
    port = int(served.address.split(":")[2].split("/")[0])
    for other in ("127.0.0.2", "::1"):
        family = socket.AF_INET6 if ":" in other else socket.AF_INET
        with socket.socket(family) as line, pytest.raises(OSError, match=r"."):
            line.connect((other, port))


def test_tokens_are_long_and_never_the_same() -> None:
    tokens = set()
    for _ in range(3):
        with serve_game(GameConfig(2)) as one:
            tokens.add(one.address.split("/")[3])
    assert len(tokens) == 3
    assert all(len(token) == 32 for token in tokens)


# --- How it begins and ends ---------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_what_cannot_be_is_refused_before_the_game(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        taken = other.getsockname()[1]
        for words, said in (
            (["--browser", "--port", str(taken)], f"port {taken} is in use; name another"),
            (["--browser", "--port", "65536"], "--port is 65536"),
            (["--browser", "--port", "-1"], "--port is -1"),
            (["--browser", "--seat", "2"], "--seat is 2"),
            (["--browser", "--record", "new.jsonl", "--no-record"], "leave one of them out"),
            (["--browser", "--hints", "greedo"], "did you mean 'greedy'"),
            (["--port", "8000"], "say --browser"),
            (["--no-open"], "say --browser"),
        ):
            assert main(["play", "greedy", "--players", "2", *words]) == 2
            out, err = capsys.readouterr()
            assert out == ""
            assert said in err
            assert err.count("\n") == 1
    monkeypatch.setattr(play, "find_spec", lambda name: None if name == "uvicorn" else name)
    assert main(["play", "greedy", "--players", "2", "--browser"]) == 2
    assert f"needs uvicorn, not installed here; {tell_install('browser')}" in capsys.readouterr().err
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize("opens", [True, False])
def test_the_page_is_opened_where_there_is_a_browser(
    opens: bool, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    opened, told = [], threading.Event()

    def open_address(address: str) -> bool:
        opened.append(address)
        return opens

    def offer(address: str, offer: Any = play.offer_page) -> None:
        offer(address)
        told.set()

    def lead_game(*_: Any) -> None:
        assert told.wait(10)

    monkeypatch.setattr(play, "open_address", open_address)
    monkeypatch.setattr(play, "offer_page", offer)
    monkeypatch.setattr(play, "lead_game", lead_game)
    assert main(["play", "greedy", "--players", "2", "--browser"]) == 0
    out = capsys.readouterr().out
    (address,) = opened
    assert f"Play at {address} " in out
    assert ("There is no browser here" in out) != opens


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="Windows has no such signals")
def test_an_interrupt_saves_the_game_and_ends_the_server_at_once(tmp_path: Path) -> None:
    paths = os.pathsep.join(map(str, (ROOT, ROOT / "agents")))
    words = ["play", "greedy", "--players", "2", "--seed", "3", "--browser", "--no-open"]
    process = subprocess.Popen(
        [sys.executable, "-m", "iaww_env.cli", *words],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": paths, "PYTHONUNBUFFERED": "1"},
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    try:
        lines = iter(process.stdout.readline, "")
        address = next(line for line in lines if line.startswith("Play at ")).split()[2]
        game = Served.__new__(Served)
        game.address = address
        stream = listen(game)
        while (state := json.loads(stream.recv()))["status"] != "asked":
            pass
        assert game.ask("play", state["question"], state["choices"][0]["action"]) == (200, "")
        while json.loads(stream.recv())["question"] <= state["question"]:
            pass
        began = time.monotonic()
        process.send_signal(signal.SIGINT)
        states = []
        while text := stream.recv():  # empty where the stream is closed
            states.append(json.loads(text))
        assert process.wait(30) == 130
        assert time.monotonic() - began < 15  # about one second on an idle machine
        assert states[-1]["status"] == "closed"
        assert "unfinished, 2 moves" in states[-1]["saved"]
        assert "iaww replay games/" in process.stdout.read()
    finally:
        stream.shutdown()
        process.kill()
        process.wait()
        process.stdout.close()
    (path,) = (tmp_path / "games").iterdir()
    (record,) = read_records(path)
    assert len(record["moves"]) == 2
