"""What a traced program handles, as data (:mod:`jace_repro.trace.model`): known by identity while a trace lasts."""

from __future__ import annotations

import functools
import itertools
import types
from collections.abc import Iterable, Mapping
from typing import Any

import jax
import jax.custom_derivatives
import numpy as np
from jax.interpreters import ad

from jace_repro.trace.model import Closure, Function, Node, Traced

_Tracer = jax.core.Tracer
_FUNCTIONS = (types.FunctionType, types.MethodType, functools.partial, types.BuiltinFunctionType)
_SCALARS = frozenset({type(None), bool, int, float, complex, str, bytes})
#: Types of arguments that are values and nothing else.
VALUES = _SCALARS | {Traced}
#: What derivative rules get where there is no value: to JAX they are empty containers.
_ABSENT = (jax.custom_derivatives.SymbolicZero, ad.Zero, ad.UndefinedPrimal)
_PLAIN = (*_SCALARS, np.generic, np.dtype, type(Ellipsis), type, *_ABSENT)

_ids = itertools.count()  # of all traces: one from a cache brings its values along


class KnownValues:
    """The values of one top-level trace, or of a call outside of any (``eager``), whose values are arrays.

    ``names`` is what each is known as, by identity; ``alive`` keeps what its keys identify alive.
    """

    def __init__(self, eager: bool = False) -> None:
        self.eager = eager
        self.names: dict[int, Traced | Closure] = {}
        self.alive: list[Any] = []

    def adopt(self, objects: Iterable[Any], names: Iterable[Traced | Closure] = ()) -> None:
        """Know objects for values: for these, else for new ones."""
        for value, name in itertools.zip_longest(objects, names):
            if id(value) not in self.names:
                self.names[id(value)] = name or Traced(next(_ids), jax.typeof(value))
                self.alive.append(value)

    def known_as(self, value: Any, aval: Any) -> Traced:
        """What an object is known as that stands for a value of this type."""
        known = self.names.get(id(value))
        if not isinstance(known, Traced):
            known = self.names[id(value)] = Traced(next(_ids), aval)
            self.alive.append(value)
        return known

    def traced(self, tracer: Any) -> Any:
        """What a tracer is known as."""
        return self.known_as(tracer, tracer.aval)

    def closure(self, value: Any) -> Closure:
        """A new closure, which is this object."""
        kept = tuple(self.traced(v) for v in jax.tree_util.tree_leaves(value) if isinstance(v, _Tracer))
        known = self.names[id(value)] = Closure(next(_ids), kept)
        self.alive.append(value)
        return known

    def object(self, value: Any, closures: bool) -> Any:
        """What is neither a value nor a plain container, as data (see :func:`describe`)."""
        return _object(self, value, closures)

    def values(self) -> dict[int, Any]:
        """The objects by what they are known as."""
        return {self.names[id(value)].id: value for value in self.alive}

    def closures(self) -> list[tuple[Any, Closure]]:
        """The objects that are known as closures."""
        pairs = ((value, self.names[id(value)]) for value in self.alive)
        return [(value, name) for value, name in pairs if isinstance(name, Closure)]


def describe(known: KnownValues | None, value: Any, closures: bool = False) -> Any:
    """A value as data.

    Args:
        known: the values of the open trace, if there is one.
        value: anything that a program gives to JAX or gets from it.
        closures: callables in it are the results of a step, to be known when called.

    Raises:
        LookupError: there is a tracer in it, and no trace is open.
    """
    kind = type(value)
    if kind in _SCALARS:
        return value
    if isinstance(value, _Tracer):
        if known is None:
            raise LookupError("a tracer while no trace is recorded")
        return known.traced(value)
    if kind is tuple or kind is list:
        return kind([describe(known, v, closures) for v in value])
    if kind is dict:
        return {k: describe(known, v, closures) for k, v in value.items()}
    if kind is slice:
        return slice(*(describe(known, v) for v in (value.start, value.stop, value.step)))
    if isinstance(value, jax.Array | np.ndarray):
        return _array(known, value, closures)
    if isinstance(value, _PLAIN):
        return value
    return _object(known, value, closures) if known is None else known.object(value, closures)


def _object(known: KnownValues | None, value: Any, closures: bool) -> Any:
    """A function or closure that is known, one level of a container of somebody's; anything else as it is."""
    if type(value) is jax.custom_derivatives.CustomVJPPrimal:  # no container to JAX
        return Node(type(value), ("value",), (describe(known, value.value),))
    function = watched_function(value)
    if function is not None:
        return function
    if isinstance(value, jax.tree_util.Partial) and not value.args and not value.keywords:
        value = value.func  # the builder makes one of a watched function
    name = known.names.get(id(value)) if known is not None else None
    if name is not None:
        return name
    if known is not None and closures and callable(value) and _made_by_jax(value):
        return known.closure(value)
    return _node(known, value, closures)


def is_array(value: Any) -> bool:
    """Whether a value is an array, or a scalar of NumPy's."""
    return isinstance(value, jax.Array | np.ndarray | np.generic)


def watched_function(value: Any) -> Function | None:
    """The Function behind what `builder.watched` answered; a wrapper around that has its attributes, but is another."""
    function = getattr(value, "__jace_repro_function__", None) if type(value) is types.FunctionType else None
    return function if function is not None and function.watcher is value else None


def _made_by_jax(value: Any) -> bool:
    """Whether a callable among results is JAX's, rather than a container of the user's that can be called."""
    return isinstance(value, _FUNCTIONS) or type(value).__module__.partition(".")[0] == "jax"


def _array(known: KnownValues | None, value: Any, new: bool) -> Any:
    """An array is a constant, but for the values of a call that nothing traces; a ``new`` one is such a value."""
    if known is None or not known.eager:
        return value
    if new and isinstance(value, jax.Array):
        known.adopt([value])
    return known.names.get(id(value), value)


def _node(known: KnownValues | None, value: Any, closures: bool) -> Any:
    """One level of a registered container; any other object as it is."""
    children = jax.tree_util.tree_flatten_with_path(value, is_leaf=lambda v: v is not value)[0]
    if len(children) == 1 and children[0][1] is value and not children[0][0]:
        return value
    items = tuple(describe(known, child, closures) for _, child in children)
    names = [_key_name(path[0]) for path, _ in children]
    if isinstance(value, Mapping) and names == sorted(map(str, names)):
        return dict(zip(names, items, strict=True))  # flattens in the same order
    if all(name is not None for name in names) and len(set(names)) == len(names):
        return Node(type(value), tuple(str(name) for name in names), items)
    return Node(type(value), None, items)


def _key_name(key: Any) -> str | None:
    """The name in a key path: an attribute, or a key that is a string."""
    name = getattr(key, "name", None) or getattr(key, "key", None)
    return name if isinstance(name, str) else None


# ------------------------------------------------------------------------------------------ a glance

#: A container of more things than this is not looked into, nor is what is in a container in a container.
_FEW, _DEEP = 16, 2
#: What has attributes, but is no object of the program's.
_NOT_OBJECTS = frozenset((*_FUNCTIONS, type, types.ModuleType))


def glance(known: KnownValues, value: Any, depth: int = _DEEP) -> Any:
    """What can be said of a value without looking far, or None.

    That is of traced values, numbers, a few of them in a container, those among the attributes of an object (by their
    names).
    """
    kind = type(value)
    if kind is float or kind is int:
        return value
    if depth and (kind is tuple or kind is list) and len(value) <= _FEW:
        return kind([glance(known, v, depth - 1) for v in value])
    if isinstance(value, _Tracer):
        name = known.names.get(id(value))
        return name if isinstance(name, Traced) else None
    attributes = None
    if depth and kind.__dictoffset__ and kind not in _NOT_OBJECTS:
        attributes = object.__getattribute__(value, "__dict__")  # whatever the class makes of attributes
    if type(attributes) is dict and len(attributes) <= _FEW:
        return {name: glance(known, v, depth - 1) for name, v in attributes.items()}
    return None
