"""Numbers that are made from a secret and do not lead back to it: seeds of bots, deals of a tournament.

Whoever knows such a number can find neither the secret nor any other number made from it, but by trying every
secret there is. A seed below a million is soon tried; 63 bits drawn by the system are not.
"""

from __future__ import annotations

import hashlib

BYTES = 8


def derive_number(secret: str, *about: str | int) -> int:
    """A number of 63 bits that follows from a secret and from what it is for."""
    key = hashlib.blake2b(secret.encode()).digest()
    said = "\0".join(map(str, about)).encode()
    drawn = hashlib.blake2b(said, key=key, digest_size=BYTES).digest()
    return int.from_bytes(drawn, "big") >> 1


def derive_stream_seed(secret: int) -> int:
    """Where the chance begins that bots draw from: whoever finds it finds neither secret nor deal."""
    return derive_number(str(secret), "chance")


def derive_bot_seed(secret: int, seat: int, game: int = 0) -> int:
    """The seed that a bot is told: made from a game's own, to which it does not lead back."""
    return derive_number(str(secret), "bot", seat, game)
