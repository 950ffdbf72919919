"""When the next game of a lane begins, in any version of Gymnasium."""

from __future__ import annotations

from iaww_env.errors import ConfigError, quote

try:
    from gymnasium.vector import AutoresetMode as AutoresetMode
except ImportError:  # gymnasium 1.0, which knows the next-step mode alone, without a name for it
    from enum import Enum

    class AutoresetMode(Enum):  # type: ignore[no-redef]
        """When the next game of a lane begins."""

        NEXT_STEP = "NextStep"
        SAME_STEP = "SameStep"
        DISABLED = "Disabled"


def read_autoreset_mode(mode: AutoresetMode | str) -> AutoresetMode:
    """The option `autoreset_mode`, as Gymnasium's enumeration or its text."""
    try:
        return AutoresetMode(mode)
    except ValueError:
        exist = ", ".join(repr(one.value) for one in AutoresetMode)
        raise ConfigError(f"there is no autoreset_mode {quote(mode)}: choose from {exist}") from None
