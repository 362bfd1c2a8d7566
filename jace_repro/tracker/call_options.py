"""How a jitted function was called beside its arrays: static arguments, donation, shardings."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import jax

from jace_repro.repro.entry import CallOptions

#: The text of a static argument is cut there.
_LONGEST = 200
_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")


def describe(
    fun: Callable[..., Any],
    info: Any,
    args: Sequence[Any],
    kwargs: Mapping[str, Any],
    params: Mapping[str, Any],
) -> CallOptions:
    """From what jax.jit knows (its `PjitInfo`), a call's arguments, and the parameters of the equation they gave."""
    static = {_name(fun, i): shown(args[i]) for i in info.static_argnums if -len(args) <= i < len(args)}
    static |= {name: shown(kwargs[name]) for name in info.static_argnames if name in kwargs}
    given = [*params["in_shardings"], *params["out_shardings"]]
    kept = dict.fromkeys(str(s) for s in given if type(s).__name__ != "UnspecifiedValue")
    return CallOptions(
        static=static,
        donated=tuple(i for i, donated in enumerate(params["donated_invars"]) if donated),
        notes=(f"the call had shardings, which the script does not have: {', '.join(kept)}",) if kept else (),
    )


def placement_notes(args: Sequence[Any]) -> tuple[str, ...]:
    """What the script does not keep of where the arguments of a call were: arrays on several or other devices."""
    default = jax.devices()[0]
    shardings = [a.sharding for a in args if isinstance(a, jax.Array)]
    moved = dict.fromkeys(str(s) for s in shardings if s.device_set != {default})
    return (f"inputs are on one device in the script, not as {', '.join(moved)}",) if moved else ()


def shown(value: Any) -> str:
    """The text of a static argument on one line."""
    try:
        if callable(value) and hasattr(value, "__qualname__"):
            return f"{value.__module__}.{value.__qualname__}"
        text = repr(value)
    except Exception as error:  # a __repr__ of the program
        return f"{type(value).__qualname__}, whose repr raises {type(error).__name__}"
    text = " ".join(_ADDRESS.sub("", text).split())
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."


def _name(fun: Callable[..., Any], position: int) -> str:
    try:
        parameters = list(inspect.signature(fun).parameters.values())
    except (TypeError, ValueError):  # a function in C, or one without a signature
        return f"argument {position}"
    positional = [p.name for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    return positional[position] if position < len(positional) else f"argument {position}"
