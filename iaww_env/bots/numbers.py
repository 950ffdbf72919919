"""Options of bots that are numbers: refused in a line where they cannot be."""

from __future__ import annotations

import math
from numbers import Integral, Real

from iaww_env.errors import ConfigError, quote


def check_number(bot: str, name: str, value: object, least: float, most: float) -> float:
    """An option that is a number from `least` to `most`.

    Raises:
        ConfigError: It is something else.
    """
    found = float(value) if isinstance(value, Real) and not isinstance(value, bool) else math.nan
    if not least <= found <= most:  # nan lies nowhere
        raise ConfigError(
            f"{bot}: {name} is {quote(value)}; give a number from {show_bound(least)} to {show_bound(most)}"
        )
    return found


def check_whole(bot: str, name: str, value: object, least: int, most: int) -> int:
    """An option that is a whole number from `least` to `most`.

    Raises:
        ConfigError: It is something else.
    """
    is_whole = isinstance(value, Integral) or (isinstance(value, float) and value.is_integer())
    found = int(value) if is_whole and not isinstance(value, bool) else least - 1  # type: ignore[call-overload]
    if not least <= found <= most:
        raise ConfigError(f"{bot}: {name} is {quote(value)}; give a whole number from {least:,} to {most:,}")
    return int(found)


def check_flag(bot: str, name: str, value: object) -> bool:
    """An option that is true or false.

    Raises:
        ConfigError: It is something else.
    """
    if not isinstance(value, bool):
        raise ConfigError(f"{bot}: {name} is {quote(value)}; write {name}, {name}=true or {name}=false")
    return value


def show_bound(value: float) -> str:
    """A bound as a message shows it."""
    return f"{value:,.0f}" if value == int(value) else f"{value:g}"
