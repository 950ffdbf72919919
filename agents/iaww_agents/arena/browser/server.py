"""The server of one game: its page, the stream of its states, and what pages ask for.

    GET  /TOKEN/         the page
    WS   /TOKEN/stream   the state, now and whenever it changes
    POST /TOKEN/ask      {"kind": "play", "question": 7, "action": "pick:zeppelin", "sure": false}

The stream is a WebSocket because of these a browser opens many at once; of other streams it opens six to a
server, and a seventh tab would wait for ever.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import json
import os
import secrets
import socket
import threading
import time
from collections.abc import Iterator

import uvicorn
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route, Router, WebSocketRoute
from starlette.types import ASGIApp
from starlette.websockets import WebSocket

from iaww_agents.arena.browser.guard import Guard
from iaww_agents.arena.browser.session import HINT, LEAVE, PLAY, UNDO, Refused, Session
from iaww_env.errors import ConfigError, explain_os_error

ADDRESS = "127.0.0.1"
MOST_PORT = 65535
TOKEN_BYTES = 24
PAUSE = 0.03  # seconds between a change and telling of it: quick bots change much at once
FAREWELL = 1.0  # seconds in which pages are told that the server ends
ENDING = 3.0  # seconds in which it ends
STARTING = 30.0  # seconds in which it stands


def listen_at(port: int) -> socket.socket:
    """A socket on this machine alone; port 0 is any that is free.

    Raises:
        ConfigError: The port cannot be had.
    """
    if not 0 <= port <= MOST_PORT:
        raise ConfigError(f"--port is {port}: ports are 1 to {MOST_PORT}, and 0 is any that is free")
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        if os.name == "posix":  # elsewhere it would share a port that is in use
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((ADDRESS, port))
        listening.listen()
    except OSError as error:
        listening.close()
        why = "is in use" if error.errno == errno.EADDRINUSE else f"cannot be had: {explain_os_error(error)}"
        raise ConfigError(f"port {port} {why}; name another, or leave --port out") from error
    return listening


@contextlib.contextmanager
def serve(session: Session, page: str, listening: socket.socket) -> Iterator[str]:
    """While this lasts, the game is served in a thread of its own; gives the address of its page."""
    token = secrets.token_urlsafe(TOKEN_BYTES)
    server = uvicorn.Server(
        uvicorn.Config(
            make_app(session, page, token),
            loop="asyncio",
            http="h11",
            ws="wsproto",
            ws_max_size=1024,
            ws_per_message_deflate=False,
            lifespan="off",
            log_config=None,
            log_level="critical",
            access_log=False,
            server_header=False,
            proxy_headers=False,
            timeout_graceful_shutdown=1,
        )
    )
    thread = threading.Thread(target=server.run, args=([listening],), name="server", daemon=True)
    thread.start()
    try:
        await_server(server, thread)
        yield f"http://{ADDRESS}:{listening.getsockname()[1]}/{token}/"
    finally:
        session.close()
        session.await_silence(FAREWELL)
        server.should_exit = True
        thread.join(ENDING)


def await_server(server: uvicorn.Server, thread: threading.Thread) -> None:
    """Wait until the server stands.

    Raises:
        ConfigError: It does not.
    """
    latest = time.monotonic() + STARTING
    while not server.started:
        if not thread.is_alive() or time.monotonic() > latest:
            raise ConfigError("the server for the browser does not start")
        time.sleep(0.01)


def make_app(session: Session, page: str, token: str) -> ASGIApp:
    """What answers to requests, behind its guard."""

    async def show_page(_: Request) -> Response:
        return HTMLResponse(page)

    async def take_request(request: Request) -> Response:
        try:
            kind, question, action, is_sure = read_request(request, await request.body())
            session.answer(kind, question, action, is_sure)
        except Garbled as error:
            return JSONResponse({"refused": str(error)}, 400)
        except Refused as error:
            return JSONResponse({"refused": str(error)}, 409)
        return JSONResponse({})

    async def stream(socket: WebSocket) -> None:
        await stream_states(session, socket)

    routes = [
        Route("/", show_page),
        Route("/ask", take_request, methods=["POST"]),
        WebSocketRoute("/stream", stream),
    ]
    return Guard(Router(routes, redirect_slashes=False), token)


class Garbled(Exception):
    """A request that no page of ours sends."""


def read_request(request: Request, body: bytes) -> tuple[str, int, str, bool]:
    """What is asked for: its kind, the question, the action, and whether the person is sure.

    Raises:
        Garbled: It makes no sense.
    """
    if request.headers.get("content-type") != "application/json":
        raise Garbled("a request is JSON")
    try:
        said = json.loads(body)
    except (ValueError, RecursionError):
        raise Garbled("a request is JSON") from None
    if not isinstance(said, dict) or said.get("kind") not in (PLAY, UNDO, HINT, LEAVE):
        raise Garbled(f"a request has a kind: {PLAY}, {UNDO}, {HINT} or {LEAVE}")
    question, action = said.get("question"), said.get("action", "")
    if not isinstance(question, int) or isinstance(question, bool) or not isinstance(action, str):
        raise Garbled("a request names the number of its question, and an action by its text")
    return said["kind"], question, action, said.get("sure") is True


async def stream_states(session: Session, socket: WebSocket) -> None:
    """Send the state now and whenever it has changed, until the page goes or the server ends."""
    await socket.accept()
    loop, changed = asyncio.get_running_loop(), asyncio.Event()
    changed.set()
    hearing = asyncio.ensure_future(socket.receive())  # a page says nothing: this ends when it goes
    sent = 0

    def wake() -> None:
        with contextlib.suppress(RuntimeError):  # the server has ended
            loop.call_soon_threadsafe(changed.set)

    with session.listen(wake):
        while not hearing.done():
            waiting = asyncio.ensure_future(changed.wait())
            await asyncio.wait({hearing, waiting}, return_when=asyncio.FIRST_COMPLETED)
            waiting.cancel()
            await asyncio.sleep(PAUSE if sent else 0)
            changed.clear()
            version, text, is_last = session.read()
            if version != sent and not hearing.done():
                await socket.send_text(text)
                sent = version
            if is_last:
                break
    hearing.cancel()
    with contextlib.suppress(RuntimeError):  # it has gone already
        await socket.close()
