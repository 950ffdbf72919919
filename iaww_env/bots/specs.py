"""Bots by name: `random`, `random:nodiscard`, `my_module:MyBot`, `path/to/bot.py`, each with its options.

    name[:options]            a bot that is registered under the entry-point group `iaww.agents`
    module:Class[:options]    a class that can be imported
    path.py[:Class[:options]] a class in a file; the class may be left out where the file defines one bot

Options are `key=value` or `flag`, with commas between them; they are the keyword arguments of the class.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import inspect
import re
import sys
from collections.abc import Callable, Mapping
from functools import lru_cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from types import ModuleType
from typing import Any

from iaww_env.errors import ConfigError, name_path, quote, suggest

GROUP = "iaww.agents"
OURS = "iaww_agents"  # the package of the bots that come with the environment
FORMS = "name[:options], module:Class[:options] or path/to/bot.py[:Class[:options]]"
Factory = Callable[..., Any]
# What stands in place of a spec: a class, or any function that makes a bot.
BotSpec = str | Factory

_PATH = re.compile(r"(?P<path>.+\.py)(?::(?P<rest>.*))?", re.DOTALL)
_MOST_DIGITS = 1000  # of a whole number; Python reads no more than a few thousand
_NUMBER = re.compile(r"[+-]?\d+(_\d+)*")


def make_agent(spec: BotSpec) -> Any:
    """Make the bot that a spec names.

    Args:
        spec: A spec string (see the module), a class, or a function without arguments that returns a bot.

    Raises:
        ConfigError: There is no such bot, or it does not take these options; the message says what exists.
    """
    if not isinstance(spec, str):
        if not callable(spec):
            raise ConfigError(f"a bot is a text such as 'random', or a class, not {quote(spec)}")
        made, name = spec, getattr(spec, "__name__", repr(spec))
        options: dict[str, Any] = {}
    else:
        made, options = find_factory(spec)
        name = spec
    _check_options(made, options, name)
    agent = made(**options)
    if not callable(getattr(agent, "act", None)):
        raise ConfigError(f"{quote(name)} makes {quote(agent)}, which cannot play: a bot has act(view)")
    return agent


def find_factory(spec: str) -> tuple[Factory, dict[str, Any]]:
    """The class that a spec string names, and its options."""
    path = _PATH.fullmatch(spec)
    head, _, rest = spec.partition(":")
    if head in list_agents():
        return _load_registered(head), parse_options(rest, spec)
    if path is not None:
        name, _, options = (path["rest"] or "").partition(":")
        return _load_from_file(Path(path["path"]), name, spec), parse_options(options, spec)
    name, _, options = rest.partition(":")
    if not (name.isidentifier() and all(part.isidentifier() for part in head.split("."))):
        raise ConfigError(f"there is no bot {quote(spec)}{_say_what_exists(head)}")
    return _load_from_module(head, name, spec), parse_options(options, spec)


def parse_options(text: str, spec: str = "") -> dict[str, Any]:
    """Options as keyword arguments: `simulations=200,fast` is `{"simulations": 200, "fast": True}`."""
    options: dict[str, Any] = {}
    for part in filter(None, text.split(",")):
        key, equals, value = part.partition("=")
        key = key.strip()
        if not key.isidentifier():
            raise ConfigError(f"{quote(spec)}: {quote(part)} is no option; write key=value or flag")
        if key in options:
            raise ConfigError(f"{quote(spec)}: the option {quote(key)} is given twice")
        options[key] = _parse_value(value.strip()) if equals else True
    return options


def _parse_value(text: str) -> Any:
    """A whole number, a number, a truth value, or else the text itself."""
    if text.lower() in ("true", "false"):
        return text.lower() == "true"
    if _NUMBER.fullmatch(text) and len(text) <= _MOST_DIGITS:
        return int(text)
    try:
        return float(text)
    except ValueError:
        return text


def _check_options(made: Factory, options: Mapping[str, Any], name: str) -> None:
    """Refuse options that the class does not take."""
    try:
        taken = inspect.signature(made).parameters
    except (TypeError, ValueError):  # a class written in C: it will say itself what it takes
        return
    if any(one.kind is one.VAR_KEYWORD for one in taken.values()):
        return
    for key in options:
        if key not in taken:
            exists = f"; its options are {', '.join(taken)}" if taken else "; it has no options"
            hint = suggest(key, taken)
            raise ConfigError(f"the bot {quote(name)} has no option {quote(key)}{hint}{exists}")


# --- Registered bots -------------------------------------------------------------------------------


def list_agents() -> list[str]:
    """Names of the bots that are registered, ours and those of other installed packages."""
    return sorted(_find_registered())


@lru_cache(maxsize=1)
def _find_registered() -> dict[str, EntryPoint]:
    """The entry points of bots by name; ours keep their names, whoever else takes them."""
    points = sorted(entry_points(group=GROUP), key=lambda point: point.module.split(".")[0] == OURS)
    return {point.name: point for point in points}


def is_ours(spec: str) -> bool:
    """Whether a spec names a bot that comes with the environment; nothing is loaded for it."""
    head, _, rest = spec.partition(":")
    point = _find_registered().get(head)
    if point is not None:
        return point.module.split(".")[0] == OURS
    return head.split(".")[0] == OURS and rest.partition(":")[0].isidentifier()


def find_home(spec: str) -> Path | str:
    """The file in which the bot of a spec stands, or the name of its module; nothing is loaded for it."""
    head = spec.partition(":")[0]
    point = _find_registered().get(head)
    if point is not None:
        return point.module
    path = _PATH.fullmatch(spec)
    return head if path is None else Path(path["path"])


def _load_registered(name: str) -> Factory:
    point = _find_registered()[name]
    try:
        return _as_factory(point.load(), name)
    except (ImportError, AttributeError) as error:
        raise ConfigError(
            f"the bot {quote(name)} is registered as {point.value}, which fails: {error}"
        ) from error


def _say_what_exists(name: str) -> str:
    exists = list_agents()
    return f"{suggest(name, exists)}; there are {', '.join(exists) or 'none'}; or write {FORMS}"


# --- Bots of other modules and files -----------------------------------------------------------------


def _load_from_module(module: str, name: str, spec: str) -> Factory:
    try:
        found = importlib.import_module(module)
    except ModuleNotFoundError as error:
        if error.name is None or not (module == error.name or module.startswith(f"{error.name}.")):
            raise  # the module is there, and misses something itself
        raise ConfigError(
            f"{quote(spec)}: there is no module {quote(module)}{_say_what_exists(module)}"
        ) from None
    return _find_class(found, name, spec)


def _load_from_file(path: Path, name: str, spec: str) -> Factory:
    try:
        is_there = path.is_file()
    except (OSError, ValueError):  # a name longer than any file's, or with a NUL in it
        is_there = False
    if not is_there:
        raise ConfigError(f"{quote(spec)}: there is no file {name_path(path)}")
    module = load_file(path)
    if name:
        return _find_class(module, name, spec)
    bots = [
        one
        for one in _list_classes(module)
        if one.__module__ == module.__name__ and not inspect.isabstract(one)
    ]
    if len(bots) != 1:
        exists = f"several: {', '.join(one.__name__ for one in bots)}" if bots else "none"
        raise ConfigError(
            f"{quote(spec)}: the file should define one bot, a class with act(view), and defines {exists}"
            f"{'; name one behind a colon' if bots else ''}"
        )
    return bots[0]


def load_file(path: Path) -> ModuleType:
    """A file as a module, loaded once; its name comes from its path, so that its classes can be pickled."""
    path = path.resolve()
    name = f"iaww_bot_{hashlib.sha256(str(path).encode()).hexdigest()[:12]}"
    if name in sys.modules:
        return sys.modules[name]
    found = importlib.util.spec_from_file_location(name, path)
    assert found is not None
    assert found.loader is not None
    module = importlib.util.module_from_spec(found)
    sys.modules[name] = module
    try:
        found.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module


def _list_classes(module: ModuleType) -> list[type]:
    return [one for one in vars(module).values() if inspect.isclass(one) and hasattr(one, "act")]


def _find_class(module: ModuleType, name: str, spec: str) -> Factory:
    if not hasattr(module, name):
        exists = ", ".join(one.__name__ for one in _list_classes(module)) or "none"
        raise ConfigError(f"{quote(spec)}: {module.__name__} has no {quote(name)}; its bots are {exists}")
    return _as_factory(getattr(module, name), spec)


def _as_factory(found: Any, name: str) -> Factory:
    if not callable(found):
        raise ConfigError(f"{quote(name)} names {quote(found)}, which is no class")
    factory: Factory = found
    return factory
