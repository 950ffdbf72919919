"""Who may talk to the server: pages of its own that know the token, and nobody else.

Other programs and other sites reach a server on 127.0.0.1 as well: a page that anybody has written, in a tab
beside the game, may send requests to it. So each request must name the token, which no other page knows; it
must be sent to this machine by that name, lest a foreign name that leads here passes for our own ("DNS
rebinding"); and what changes the game, or listens to it, must come from our own page.
"""

from __future__ import annotations

import secrets

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse, RedirectResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

MOST_BODY = 1024  # bytes of a request
HERE = ("127.0.0.1", "localhost")
REFUSED_SOCKET = 1008  # what WebSocket calls a breach of policy
HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "frame-ancestors 'none'",  # the page says the rest of itself, with its digests
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}


class Guard:
    """Lets through what may pass, and takes the token out of its path."""

    def __init__(self, app: ASGIApp, token: str) -> None:
        """Stand before an application."""
        self.app, self.token = app, token.encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Look at a request."""
        headers = Headers(scope=scope)
        first, _, rest = scope["path"].removeprefix("/").partition("/")
        refusal = self.find_refusal(scope, headers, first)
        if refusal is None and scope["path"] == f"/{first}":  # pages ask below their own path
            await RedirectResponse(f"/{first}/")(scope, receive, add_headers(send))
        elif refusal is None:
            await self.app({**scope, "path": f"/{rest}"}, receive, add_headers(send))
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": REFUSED_SOCKET})
        else:
            code, said = refusal
            await PlainTextResponse(f"{said}\n", code)(scope, receive, add_headers(send))

    def find_refusal(self, scope: Scope, headers: Headers, token: str) -> tuple[int, str] | None:
        """Why a request may not pass, with the status that says so; None where it may."""
        named = headers.get("host", "")
        if named.partition(":")[0] not in HERE:
            return 403, "this server answers to 127.0.0.1 alone"
        if not secrets.compare_digest(token.encode(errors="replace"), self.token):
            return 404, "there is nothing here"
        is_reading = scope["type"] == "http" and scope["method"] in ("GET", "HEAD")
        if not is_reading and headers.get("origin") != f"http://{named}":
            return 403, "only the page of the game may ask this"
        return check_body(headers)


def check_body(headers: Headers) -> tuple[int, str] | None:
    """Refuse what is long, or does not say how long it is."""
    length = headers.get("content-length", "0")
    if "transfer-encoding" in headers or not length.isdecimal():
        return 411, "say how long the request is"
    is_long = len(length) > len(str(MOST_BODY)) or int(length) > MOST_BODY
    return (413, "the request is too long") if is_long else None


def add_headers(send: Send) -> Send:
    """Every answer says what a browser may do with it."""

    async def send_with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            MutableHeaders(scope=message).update(HEADERS)
        await send(message)

    return send_with_headers
