"""Functions and classes whose arguments are the options of a declaration in `options`.

They receive the options as one object, checked and with the defaults filled in. To the caller, to `help` and
to type checkers they look as if every option stood in their own list of arguments.
"""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Callable
from dataclasses import fields
from typing import Any, Concatenate, ParamSpec, TypeVar

from iaww_env.errors import suggest

P = ParamSpec("P")
S = TypeVar("S")
O = TypeVar("O")  # noqa: E741  # the options
R = TypeVar("R")

WIDTH = 110


def takes(declaration: Callable[P, O]) -> Callable[[Callable[[O], R]], Callable[P, R]]:
    """Marks a function of one argument, the options: it is called with them one by one."""

    def decorate(function: Callable[[O], R]) -> Callable[P, R]:
        def call(*args: P.args, **kwargs: P.kwargs) -> R:
            check_names(declaration, function.__qualname__, args, kwargs)
            return function(declaration(*args, **kwargs))

        describe(call, function, declaration)
        return call

    return decorate


def made_with(
    declaration: Callable[P, O],
) -> Callable[[Callable[[S, O], None]], Callable[Concatenate[S, P], None]]:
    """Marks an `__init__` of one argument, the options: the class is called with them one by one."""

    def decorate(function: Callable[[S, O], None]) -> Callable[Concatenate[S, P], None]:
        def make(self: S, /, *args: P.args, **kwargs: P.kwargs) -> None:
            check_names(declaration, type(self).__name__, args, kwargs)
            function(self, declaration(*args, **kwargs))

        describe(make, function, declaration, "self")
        return make

    return decorate


def check_names(
    declaration: Callable[..., object], name: str, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> None:
    """Refuse arguments that are no options, as Python does it; and say which option was meant."""
    signature = inspect.signature(declaration)
    try:
        signature.bind(*args, **kwargs)
    except TypeError as error:
        known = signature.parameters
        unknown = next((one for one in kwargs if one not in known), None)
        hint = "" if unknown is None else suggest(unknown, known) or f"; the options are {', '.join(known)}"
        raise TypeError(f"{name}() {error}{hint}") from None


def describe(
    shown: Callable[..., object],
    function: Callable[..., object],
    declaration: Callable[..., object],
    *first: str,
) -> None:
    """Give a function the name of another, and the signature and the documentation of the options."""
    signature = inspect.signature(declaration)
    leading = [inspect.Parameter(name, inspect.Parameter.POSITIONAL_ONLY) for name in first]
    returned = inspect.signature(function).return_annotation
    for name in ("__module__", "__name__", "__qualname__"):
        setattr(shown, name, getattr(function, name))
    shown.__doc__ = f"{inspect.cleandoc(function.__doc__ or '')}\n\nArgs:\n{write_meanings(declaration)}"
    shown.__signature__ = signature.replace(  # type: ignore[attr-defined]  # it is what `inspect` looks for
        parameters=[*leading, *signature.parameters.values()], return_annotation=returned
    )


def write_meanings(declaration: Any) -> str:
    """The options and their meanings, in the order of the signature."""
    meanings = {one.name: one.metadata["meaning"] for one in fields(declaration)}
    return "\n".join(
        textwrap.fill(f"{name}: {meanings[name]}", WIDTH, initial_indent=" " * 4, subsequent_indent=" " * 8)
        for name in inspect.signature(declaration).parameters
    )
