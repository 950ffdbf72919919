"""How rules become part of kernels: each is translated once, and optimised only where it is run.

numba would optimise every rule for itself and make machine code of it, with a copy of all that it calls,
though nobody calls it from Python; then again in each rule above. Here a rule stays as it was translated. A
kernel collects all rules below it, each once, and is optimised with them. Other code that calls a rule, as
tests do, links it in numba's way.
"""

from __future__ import annotations

import gc
from collections.abc import Callable
from functools import partial
from typing import Any

from numba.core import types
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler

from iaww_env.announcing import announcer


class RuleLibrary(JITCodeLibrary):
    """The code of one rule, without what it calls, and never made into machine code."""

    _whole: Any = None

    def finalize(self) -> None:
        """Nothing more is added. From now on it may be copied into kernels, and left out where unused."""
        self._raise_if_finalized()
        for function in self._final_module.functions:
            if not function.is_declaration and function.linkage.name == "external":
                function.linkage = "linkonce_odr"
        self._finalize_dynamic_globals()
        self._finalized = True

    def _get_module_for_linking(self) -> Any:
        """With all it calls: what others than our kernels link, who do not ask for more."""
        if self._whole is None:
            self._ensure_finalized()
            whole = self._final_module.clone()
            link_rules(whole, self._linking_libraries)
            self._whole = whole
        return self._whole


class KernelLibrary(JITCodeLibrary):
    """The code of a kernel with all rules below it."""

    def finalize(self) -> None:
        """Link, optimise, and make machine code."""
        self._raise_if_finalized()
        link_rules(self._final_module, self._linking_libraries)
        self._optimize_final_module()
        self._final_module.verify()
        self._finalize_final_module()


def link_rules(module: Any, libraries: list[Any]) -> None:
    """Copy into a module all that it calls, and what that calls, each once."""
    # LLVM leaves out what is not called yet: callers come before what they call.
    for library in reversed(list_below(libraries)):
        own = library._final_module if isinstance(library, RuleLibrary) else library._get_module_for_linking()
        module.link_in(own, preserve=True)


def list_below(libraries: list[Any]) -> list[Any]:
    """These libraries and all below them, each once and behind all that it calls."""
    found: dict[Any, None] = {}

    def add(library: Any) -> None:
        if library not in found:
            library._ensure_finalized()
            if isinstance(library, RuleLibrary):
                for below in library._linking_libraries:
                    add(below)
            found[library] = None

    for library in libraries:
        add(library)
    return list(found)


class RuleCompiler(Compiler):
    """numba's steps for a rule: it is translated, and that is all."""

    def __init__(self, *arguments: Any) -> None:
        """Begin, with a library of our own and without the functions that Python would call."""
        super().__init__(*arguments)
        self.state.flags.no_compile = True
        self.state.flags.no_cpython_wrapper = True
        self.state.flags.no_cfunc_wrapper = True
        self.state.library = RuleLibrary(self.state.targetctx.codegen(), "rule")


class KernelCompiler(Compiler):
    """numba's steps for a kernel."""

    def __init__(self, *arguments: Any) -> None:
        """Begin, with a library of our own that can be kept."""
        super().__init__(*arguments)
        self.state.flags.no_cfunc_wrapper = True
        self.state.library = KernelLibrary(self.state.targetctx.codegen(), "kernel")
        self.state.library.enable_object_caching()

    def compile_extra(self, func: Callable[..., Any]) -> Any:
        """Compile; without looking for garbage all the while: that takes 7 % of the time."""
        was_on = gc.isenabled()
        gc.disable()
        try:
            with announcer.announce():
                return super().compile_extra(func)
        finally:
            if was_on:
                gc.enable()


def widen_type(found: Any) -> Any:
    """What a rule takes in place of this type: each literal and width would be translated for itself."""
    plain: Any = types.unliteral(found)
    return types.int64 if getattr(plain, "signed", False) else plain


def mark_rule(made: Any, as_kernel: Callable[[], Any]) -> None:
    """Have a compiled function stay a rule: callers take its code; a call from Python runs `as_kernel()`."""
    compiler, context = made._compiler, made.targetctx
    translate, find_template = compiler.compile, made.get_call_template

    def compile_rule(args: Any, return_type: Any) -> Any:
        found = translate(args, return_type)
        entry = partial(lambda *values: as_kernel()(*values))
        context.insert_user_function(entry, found.fndesc, [found.library])
        return found._replace(entry_point=entry)

    def get_call_template(args: Any, kws: Any) -> Any:
        plain = {name: widen_type(one) for name, one in kws.items()}
        return find_template(tuple(widen_type(one) for one in args), plain)

    def add_overload(found: Any) -> None:
        made.overloads[tuple(found.signature.args)] = found

    compiler.compile = compile_rule
    made.add_overload = add_overload
    made.get_call_template = get_call_template
