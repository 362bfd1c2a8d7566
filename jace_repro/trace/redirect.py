"""How every call of a function becomes one of another: it gets other code, and stays the object that it was.

So it does not matter who imported it, when and under which name.  What is called while JAX itself runs takes the
original way after one look at a thread-local (:func:`jace_repro.trace.stack.no_user_runs`).
"""

from __future__ import annotations

import functools
import inspect
import types
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from jace_repro.trace import stack
from jace_repro.trace.changes import Change

#: What is called instead of a function, with that function and the arguments of the call.
Target = Callable[[Callable[..., Any], tuple[Any, ...], dict[str, Any]], Any]

#: Its local variables are ``frames.REDIRECTED``.
_TEMPLATE = """
def outer():
    {names} = None
    def template(*_args, **_kwargs):
        _target = "ASIDE"
        if _target():
            _target = "ORIGINAL"
            return _target(*_args, **_kwargs)
        _target = "TARGET"
        return _target(_args, _kwargs)
        ({used})
    return template
"""


@functools.cache
def _template(free: tuple[str, ...]) -> types.CodeType:
    """Code of a function that passes its arguments to one of two constants, and has these free variables.

    It does not use them, but whoever looks at the variables of its frames must find them.
    """
    space: dict[str, Any] = {}
    text = _TEMPLATE.format(names=" = ".join(free or ("_none",)), used=", ".join(free))
    exec(compile(text, __file__, "exec"), space)
    template: types.FunctionType = space["outer"]()
    if template.__code__.co_freevars == free or not free:
        return template.__code__
    raise AssertionError(f"free variables {template.__code__.co_freevars} instead of {free}")


@dataclass(frozen=True)
class Redirect:
    """How every call of a function is made one of its target.  ``always``: outside of traces, too.

    The signature, None where it need not be said, stays with the function as long as something is recorded:
    whoever asks for it gets the same answer, and traces begin the sooner.
    """

    code: Change
    signature: inspect.Signature | None
    always: bool

    def sign(self) -> None:
        """Have the function say its signature, which its code will not."""
        if self.signature is not None:
            self.code.owner.__signature__ = self.signature

    def unsign(self) -> None:
        """The code says it again."""
        if self.signature is not None:
            vars(self.code.owner).pop("__signature__", None)


def redirect(fun: types.FunctionType, target: Target, *, always: bool) -> Redirect:
    """How to make every call of ``fun`` one of ``target(original, args, kwargs)``, where it is not JAX's own.

    The code knows what it calls as constants.  Its place is this file, whose frames JAX leaves out of tracebacks, or
    that of the function (``always``); name and signature stay the function's.
    """
    code, signed = fun.__code__, "__signature__" in fun.__dict__
    original = types.FunctionType(code, fun.__globals__, fun.__name__, fun.__defaults__, fun.__closure__)
    original.__kwdefaults__ = fun.__kwdefaults__
    original.__qualname__, original.__module__ = fun.__qualname__, fun.__module__
    template = _template(code.co_freevars)
    called = {
        "ASIDE": stack.jax_traces if always else stack.no_user_runs,
        "ORIGINAL": original,
        "TARGET": functools.partial(target, original),
    }
    constants = (called.get(c, c) if isinstance(c, str) else c for c in template.co_consts)
    redirected = template.replace(co_consts=tuple(constants))
    signature = None
    if not hasattr(fun, "__wrapped__"):  # else signature and place are looked for there
        signature = None if signed else inspect.signature(fun)
        if always:
            redirected = redirected.replace(
                co_filename=code.co_filename,
                co_firstlineno=code.co_firstlineno,
                co_name=code.co_name,
                co_qualname=code.co_qualname,
            )
    return Redirect(Change(fun, "__code__", code, redirected), signature, always)
