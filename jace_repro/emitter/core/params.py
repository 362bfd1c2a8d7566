"""Parameters of equations as Python source.

`param(script, value, body)` writes one value; `body` writes the jaxprs among them (`no_jaxpr`: there are none).
Anything that has no exact source raises EmitError, and the caller decides whether to lower the equation away or to
leave a stub.
"""

from __future__ import annotations

import dataclasses
import enum
import functools
import operator
import types
from collections.abc import Callable
from typing import Any

import jax
import numpy as np
from jax.extend.core import ClosedJaxpr, Jaxpr, Primitive

from jace_repro.emitter.core import avals, literals, meshes, operands, syntax
from jace_repro.emitter.core.errors import EmitError
from jace_repro.emitter.core.script import Script

Body = Callable[[ClosedJaxpr | Jaxpr], str]


def _shape(value: Any) -> tuple[int, ...] | None:
    """What JAX takes an iterable of integers of a library's own type for, where it is one."""
    try:
        return tuple(map(operator.index, value))
    except Exception:  # whatever a type of somebody else's raises
        return None


def param(script: Script, value: Any, body: Body) -> str:
    """Source of one parameter value. Raises EmitError when there is none."""
    named = _BY_TYPE_NAME.get(type(value).__name__)
    if named is not None:
        return named(script, value, body)
    for kind, write in _WRITERS:
        if isinstance(value, kind):
            return write(script, value, body)
    if (ready := _ready_policy(value)) is not None:
        return ready
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = [
            f.name
            for f in dataclasses.fields(value)
            if f.init and not goes_without_saying(getattr(value, f.name), f.default)
        ]
        inner = [f"{name}={param(script, getattr(value, name), body)}" for name in fields]
        return f"{script.attribute(type(value))}({', '.join(inner)})"
    if callable(value):
        return _callable(script, value, body)
    if (shape := _shape(value)) is not None:
        return repr(shape)
    raise EmitError(f"a parameter of type {type(value).__module__}.{type(value).__qualname__}")


def goes_without_saying(value: Any, default: Any) -> bool:
    """Whether a value is what a parameter is when it is not given."""
    return value is default or (type(value) is type(default) and bool(value == default))


def no_jaxpr(jaxpr: ClosedJaxpr | Jaxpr) -> str:
    """A `body` for values that cannot contain a jaxpr: it raises EmitError."""
    raise EmitError("a jaxpr where none is expected")


def _scalar(script: Script, value: Any, body: Body) -> str:
    if isinstance(value, np.generic):
        value = value.item()
    return literals.python_scalar(value)


def _sequence(script: Script, value: Any, body: Body) -> str:
    if fields := getattr(value, "_fields", None):
        defaults = type(value)._field_defaults
        given = {
            n: v
            for n, v in zip(fields, value, strict=True)
            if n not in defaults or not goes_without_saying(v, defaults[n])
        }
        inner = ", ".join(f"{n}={param(script, v, body)}" for n, v in given.items())
        return f"{script.attribute(type(value))}({inner})"
    items = [param(script, v, body) for v in value]
    if isinstance(value, list):
        return syntax.list_of(items)
    if len(items) > 3 and len(set(items)) == 1:
        return f"({items[0]},) * {len(items)}"
    return syntax.tuple_of(items)


def _mapping(script: Script, value: Any, body: Body) -> str:
    items = ", ".join(f"{param(script, k, body)}: {param(script, v, body)}" for k, v in value.items())
    return f"{{{items}}}"


def _set(script: Script, value: Any, body: Body) -> str:
    items = sorted(param(script, v, body) for v in value)
    return f"frozenset({{{', '.join(items)}}})" if items else "frozenset()"


def _enum(script: Script, value: Any, body: Body) -> str:
    plain = value.value
    if isinstance(value, type(plain)) and type(value).__module__.partition(".")[0] not in ("jax", "jaxlib"):
        return param(script, plain, body)  # somebody's IntEnum is a number to JAX
    return f"{script.attribute(type(value))}.{value.name}"


def _dtype(script: Script, value: Any, body: Body) -> str:
    return script.dtype(value)


def _class(script: Script, value: Any, body: Body) -> str:
    if issubclass(value, np.generic):
        return script.with_imports(literals.scalar_type(np.dtype(value)))
    if value.__module__ == "builtins":
        return str(value.__name__)
    return script.attribute(value)


def _array(script: Script, value: Any, body: Body) -> str:
    return operands.array(script, value, f"p{len(script.arrays)}")


def _treedef(script: Script, value: Any, body: Body) -> str:
    example = jax.tree_util.tree_unflatten(value, [0] * value.num_leaves)
    text = _plain_tree(example)
    if text is None or jax.tree_util.tree_structure(example) != value:
        raise EmitError(f"a tree with nodes that are not plain containers: {value}")
    return f"jax.tree.structure({text})"


def _plain_tree(tree: Any) -> str | None:
    if tree is None or type(tree) is int:
        return repr(tree)
    if type(tree) is dict:
        inner = [
            (literals.string(k) if isinstance(k, str) else repr(k), _plain_tree(v)) for k, v in tree.items()
        ]
        plain = all(isinstance(k, str | int) for k in tree) and None not in [v for _, v in inner]
        return "{" + ", ".join(f"{k}: {v}" for k, v in inner) + "}" if plain else None
    if type(tree) in (list, tuple):
        items = [_plain_tree(v) for v in tree]
        texts = [item for item in items if item is not None]
        if len(texts) < len(items):
            return None
        return syntax.list_of(texts) if type(tree) is list else syntax.tuple_of(texts)
    return None


def _unspecified(script: Script, value: Any, body: Body) -> str:
    return script.import_("from jax._src.sharding_impls import UNSPECIFIED", "UNSPECIFIED")


def _mesh(script: Script, value: Any, body: Body) -> str:
    concrete = type(value).__name__ == "Mesh"
    if not value.empty:
        return (meshes.concrete_mesh if concrete else meshes.abstract_mesh)(script, value)
    name = "empty_concrete_mesh" if concrete else "empty_abstract_mesh"
    return script.import_(f"from jax._src.mesh import {name}", name)


def _single_device(script: Script, value: Any, body: Body) -> str:
    return f"jax.sharding.SingleDeviceSharding(jax.devices()[0]{meshes.memory_kind(value)})"


def _device(script: Script, value: Any, body: Body) -> str:
    return f"jax.devices()[{int(value.id)}]"


def _named_sharding(script: Script, value: Any, body: Body) -> str:
    mesh, spec = _mesh(script, value.mesh, body), meshes.partition_spec(script, value.spec)
    return f"jax.sharding.NamedSharding({mesh}, {spec}{meshes.memory_kind(value)})"


def _debug_effect(script: Script, value: Any, body: Body) -> str:
    name = "ordered_debug_effect" if type(value).__name__.startswith("Ordered") else "debug_effect"
    return script.import_(f"from {type(value).__module__} import {name}", name)


#: The implementations that jax.extend.random has, by their tags.
_PRNG_IMPLS = {"fry": "threefry_prng_impl", "rbg": "rbg_prng_impl", "urbg": "unsafe_rbg_prng_impl"}


def _prng_impl(script: Script, value: Any, body: Body) -> str:
    name = _PRNG_IMPLS.get(value.tag)
    if name is not None:
        return script.import_(f"from jax.extend.random import {name}", name)
    try:  # from jax 0.12 on there are others, which keys know by their names
        known = jax.eval_shape(lambda: jax.random.key(0, impl=value.name)).dtype
    except ValueError as error:
        raise EmitError(f"the PRNG implementation {value.name}") from error
    if known._impl is not value:
        raise EmitError(f"the PRNG implementation {value.name}")
    return f"{script.dtype(known)}._impl"


def _aval(script: Script, value: Any, body: Body) -> str:
    return avals.shaped_array(script, value)


def _symbolic_zero(script: Script, value: Any, body: Body) -> str:
    zero = script.import_("import jax.custom_derivatives", "jax.custom_derivatives.SymbolicZero")
    return f"{zero}({param(script, value.aval, body)})"


def _zero(script: Script, value: Any, body: Body) -> str:
    zero = script.import_("from jax.interpreters import ad", "ad.Zero")
    return f"{zero}({param(script, value.aval, body)})"


def _struct(script: Script, value: Any, body: Body) -> str:
    return avals.shape_dtype(script, jax.core.ShapedArray(value.shape, value.dtype, value.weak_type))


def _partial(script: Script, value: Any, body: Body) -> str:
    parts = [param(script, value.func, body), *(param(script, v, body) for v in value.args)]
    parts += [f"{k}={param(script, v, body)}" for k, v in value.keywords.items()]
    return script.import_("import functools", f"functools.partial({', '.join(parts)})")


def _groups(script: Script, value: Any, body: Body) -> str:
    return f"{script.use('groups')}({', '.join(str(len(group)) for group in value.unpack())})"


def _hashable_array(script: Script, value: Any, body: Body) -> str:
    return f"{script.attribute(type(value))}({param(script, value.val, body)})"


def _callable(script: Script, value: Any, body: Body) -> str:
    """A checkpoint policy that was made, or any function a jax module defines under its name."""
    qualname = getattr(value, "__qualname__", "")
    maker = qualname.partition(".<locals>")[0]
    if maker != qualname and hasattr(jax.checkpoint_policies, maker):
        return _made_policy(script, maker, value, body)
    if qualname and "<" not in qualname:
        return script.attribute(value)
    raise EmitError(f"the Python function {qualname or type(value).__qualname__}")


def _ready_policy(value: Any) -> str | None:
    """The name of a ready-made checkpoint policy (a function, or an object: its class has no public name)."""
    policies = vars(jax.checkpoint_policies)
    name = next((name for name, policy in policies.items() if policy is value), None)
    return None if name is None else f"jax.checkpoint_policies.{name}"


def _made_policy(script: Script, maker: str, value: Any, body: Body) -> str:
    """save_only_these_names(...) and its kin, from what the policy function closes over."""
    cells = dict(
        zip(value.__code__.co_freevars, (c.cell_contents for c in value.__closure__ or ()), strict=True)
    )
    code = getattr(jax.checkpoint_policies, maker).__code__
    count = code.co_argcount
    keywords = code.co_varnames[count : count + code.co_kwonlyargcount]
    args = [param(script, cells[name], body) for name in code.co_varnames[:count] if name in cells]
    if code.co_flags & 0x04:
        starred = cells.get(code.co_varnames[count + len(keywords)], ())
        args += sorted(param(script, v, body) for v in starred)
    args += [f"{k}={param(script, cells[k], body)}" for k in keywords if k in cells]
    return f"jax.checkpoint_policies.{maker}({', '.join(args)})"


def _jaxpr(script: Script, value: ClosedJaxpr | Jaxpr, body: Body) -> str:
    return body(value)


_WRITERS: tuple[tuple[Any, Callable[[Script, Any, Body], str]], ...] = (
    (ClosedJaxpr | Jaxpr, _jaxpr),
    (str, lambda script, value, body: literals.string(value)),
    (types.NoneType | bytes | types.EllipsisType | range, lambda script, value, body: repr(value)),
    (enum.Enum, _enum),
    (bool | int | float | complex | np.generic, _scalar),
    (tuple | list, _sequence),
    (dict, _mapping),
    (set | frozenset, _set),
    (np.dtype, _dtype),
    (Primitive, lambda script, value, body: script.primitive(value)),
    (type, _class),
    (np.ndarray | jax.Array, _array),
    (jax.tree_util.PyTreeDef, _treedef),
    (jax.core.ShapedArray, _aval),
    (jax.ShapeDtypeStruct, _struct),
    (functools.partial, _partial),
)

_BY_TYPE_NAME: dict[str, Callable[[Script, Any, Body], str]] = {
    "UnspecifiedValue": _unspecified,
    "Mesh": _mesh,
    "AbstractMesh": _mesh,
    "SingleDeviceSharding": _single_device,
    "Device": _device,
    "NamedSharding": _named_sharding,
    "P": lambda script, value, body: meshes.partition_spec(script, value),
    "PRNGImpl": _prng_impl,
    "DebugEffect": _debug_effect,
    "OrderedDebugEffect": _debug_effect,
    "KeyTy": _dtype,
    "FrozenDict": lambda script, value, body: (
        f"{script.attribute(type(value))}({_mapping(script, value, body)})"
    ),
    "FTPyTree": _groups,
    "FTTuple": _groups,
    "HashableArray": _hashable_array,
    "SymbolicZero": _symbolic_zero,
    "Zero": _zero,
}
