"""A canonical text of a jaxpr and its hash: equal for structurally identical programs, in any process.

The text numbers variables in order of appearance and leaves out names, source lines, object identities and
whatever is a Python callable; it keeps shapes, dtypes, weak types, primitive names, parameters (bodies
included) and the values of constants. Where the meaning of an equation is in Python objects that a text cannot
show (a primitive of a user-defined type, or one that is lowered through a Python function), the text is that of
the equations that take its place.
"""

from __future__ import annotations

import dataclasses
import enum
import hashlib
import re
from typing import Any

import jax
import numpy as np
from jax.extend.core import ClosedJaxpr, Jaxpr, JaxprEqn, Literal, Var

from jace.ir.calls import CALLS
from jace.ir.expand import expand_lower_fun
from jace.ir.state import without_hijax
from jace.jax_internals import is_key_dtype
from jace.releases import scans

_ADDRESS = re.compile(r"0x[0-9a-fA-F]+|id=\d+")
_replace: Any = Jaxpr.replace

#: Parameters that only name or annotate things.
_COSMETIC = frozenset({"name", "debug_info", "jvp_jaxpr_fun", "jvp_jaxpr_thunk", "fwd_jaxpr_thunk", "bwd"})

#: Parameters whose text says everything.
_CLEAR = (
    bool
    | int
    | float
    | complex
    | str
    | bytes
    | np.generic
    | np.dtype
    | np.ndarray
    | jax.Array
    | enum.Enum
    | type
) | (ClosedJaxpr | Jaxpr)


def _aval(aval: Any) -> str:
    text = str(aval.str_short(short_dtypes=True)) if hasattr(aval, "str_short") else str(aval)
    return text + ("~" if getattr(aval, "weak_type", False) else "")


def _value(value: Any) -> str:
    """Values of constants and literals by dtype, shape and bytes; of a ref its type: what it holds is an input."""
    if isinstance(value, jax.Ref):
        return f"ref:{_aval(value.aval)}"
    if is_key_dtype(getattr(value, "dtype", None)):
        return f"key:{value.dtype}:{_value(jax.random.key_data(value))}"
    array = np.asarray(value)
    if array.size <= 4 or not array.nbytes:
        body = array.tobytes().hex()
    else:
        body = hashlib.sha256(np.ascontiguousarray(array).reshape(-1).view(np.uint8).data).hexdigest()
    return f"{array.dtype}{list(array.shape)}:{body}"


def _param(value: Any, indent: str) -> str:
    if isinstance(value, ClosedJaxpr):
        value = without_hijax(value)
        return _jaxpr(value.jaxpr, value.consts, indent)
    if isinstance(value, Jaxpr):
        return _jaxpr(value, None, indent)
    if isinstance(value, np.ndarray | jax.Array):
        return _value(value)
    if isinstance(value, np.dtype):
        return str(value)
    if isinstance(value, enum.Enum):
        return f"{type(value).__name__}.{value.name}"
    if isinstance(value, tuple | list):
        names = getattr(value, "_fields", None)
        items = [_param(v, indent) for v in value]
        if names:
            items = [f"{n}={i}" for n, i in zip(names, items, strict=True)]
        return f"({', '.join(items)})"
    if isinstance(value, dict):
        items = [f"{k}: {_param(value[k], indent)}" for k in sorted(value, key=str)]
        return "{" + ", ".join(items) + "}"
    if isinstance(value, frozenset | set):
        return "{" + ", ".join(sorted(_param(v, indent) for v in value)) + "}"
    if isinstance(value, bool | int | float | complex | str | bytes | type(None)):
        return repr(value)
    if isinstance(value, np.generic):
        return repr(value.item())
    if isinstance(value, jax.tree_util.PyTreeDef):
        return str(value)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        items = [
            f"{f.name}={_param(getattr(value, f.name), indent)}"
            for f in dataclasses.fields(value)
            if f.name not in _COSMETIC
        ]
        return f"{type(value).__name__}({', '.join(items)})"
    if callable(value):
        return "<callable>"
    return _ADDRESS.sub("", str(value))


def _is_opaque(value: Any) -> bool:
    """Whether the text of a parameter may be the same for values that differ in meaning."""
    if isinstance(value, jax.tree_util.PyTreeDef):
        return _ADDRESS.search(str(value)) is not None
    if isinstance(value, tuple | list | set | frozenset):
        return any(map(_is_opaque, value))
    if isinstance(value, dict):
        return any(map(_is_opaque, value.values()))
    if isinstance(value, _CLEAR | type(None)):
        return False
    if dataclasses.is_dataclass(value):
        return any(_is_opaque(getattr(value, f.name)) for f in dataclasses.fields(value))
    return True


def _stand_in(eqn: JaxprEqn) -> ClosedJaxpr | None:
    """The jaxpr to show for an equation whose parameters do not tell what it computes."""
    shown = (v for k, v in scans.plain(eqn.params).items() if k not in _COSMETIC)
    if eqn.primitive.name in CALLS or not any(map(_is_opaque, shown)):
        return None
    return expand_lower_fun(eqn)


def _mode(eqn: JaxprEqn) -> str:
    """What an equation on typed keys takes from the configuration it was traced under: how counters are split."""
    keyed = any(is_key_dtype(getattr(v.aval, "dtype", None)) for v in eqn.invars)
    return "" if not keyed or eqn.ctx.threefry_partitionable else " not partitionable"


def _ordered(eqn: JaxprEqn) -> JaxprEqn:
    """A function with a derivative rule with what it closes over in the order of use, as a trace finds it.

    What JAX makes of a rule may have another order, which means nothing.
    """
    count, body = eqn.params.get("num_consts", 0), eqn.params.get("call_jaxpr")
    if not count or not isinstance(body, ClosedJaxpr):
        return eqn
    inner = body.jaxpr.invars
    atoms = [*(v for e in body.jaxpr.eqns for v in e.invars), *body.jaxpr.outvars]
    used = {v: i for i, v in reversed(list(enumerate(atoms))) if isinstance(v, Var)}
    order = sorted(range(count), key=lambda i: used.get(inner[i], len(atoms)))
    if order == list(range(count)):
        return eqn
    invars = [inner[i] for i in order] + list(inner[count:])
    jaxpr = _replace(body.jaxpr, invars=invars, debug_info=body.jaxpr.debug_info.with_unknown_names())
    return eqn.replace(
        invars=[eqn.invars[i] for i in order] + list(eqn.invars[count:]),
        params={**eqn.params, "call_jaxpr": ClosedJaxpr(jaxpr, body.consts)},
    )


def _jaxpr(jaxpr: Jaxpr, consts: Any, indent: str) -> str:
    numbers: dict[Var, int] = {}
    used = {v for eqn in jaxpr.eqns for v in eqn.invars if isinstance(v, Var)}
    used |= {v for v in (*jaxpr.outvars, *jaxpr.constvars, *jaxpr.invars) if isinstance(v, Var)}

    def bind(var: Var) -> str:
        if var not in used:  # a DropVar or one that might as well be
            return f"_:{_aval(var.aval)}"
        numbers[var] = len(numbers)
        return f"v{numbers[var]}:{_aval(var.aval)}"

    def read(atom: Var | Literal) -> str:
        if isinstance(atom, Literal):
            return f"{_value(atom.val)}:{_aval(atom.aval)}"
        return f"v{numbers[atom]}"

    inner = indent + "  "
    lines = ["{ lambda " + " ".join(map(bind, jaxpr.constvars)) + " ; " + " ".join(map(bind, jaxpr.invars))]
    if consts is not None:
        lines += [f"{inner}const {_value(c)}" for c in consts]
    for eqn in map(_ordered, jaxpr.eqns):
        operands = " ".join(map(read, eqn.invars))
        stand_in = _stand_in(eqn)
        shown = scans.plain(eqn.params) if stand_in is None else {"expansion": stand_in}
        params = " ".join(f"{k}={_param(v, inner)}" for k, v in sorted(shown.items()) if k not in _COSMETIC)
        outs = " ".join(map(bind, eqn.outvars))
        lines.append(f"{inner}{outs} = {eqn.primitive.name}{_mode(eqn)}[{params}] {operands}")
    lines.append(f"{inner}in {' '.join(map(read, jaxpr.outvars))} }}")
    return "\n".join(lines)


def canonical_text(closed: ClosedJaxpr) -> str:
    """The canonical text, one equation a line: what `fingerprint` hashes, and what a diff should compare."""
    closed = without_hijax(closed)
    return _jaxpr(closed.jaxpr, closed.consts, "")


def fingerprint(closed: ClosedJaxpr) -> str:
    """SHA-256 (hex) of the canonical text."""
    return hashlib.sha256(canonical_text(closed).encode()).hexdigest()
