"""The call tree of a trace: what the user's functions asked of JAX, as data.

A :class:`Body` is one run of a user function under a trace: its arguments, the :class:`Step`\\ s it took, its
result. A step is one call across JAX's border: a public function, an operator or method of an array, a
jitted function, a function with its own derivative, what a transform returned, or a primitive bound
directly. Whatever JAX did inside is not in the tree, but for the user's functions that it called
back: those are :class:`Function`\\ s among the arguments, with bodies of their own.

Arguments and results are plain data: :class:`Traced` for a traced value, :class:`Node` for a container
that is no tuple, list or dict, :class:`Function`, :class:`Closure`, arrays and scalars, anything else as it is.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import jax.custom_derivatives
from jax.interpreters import ad

#: Calls within calls: the code of each function, and the offset of the instruction that it is at.
Path = tuple[tuple[types.CodeType, int], ...]


@dataclass(frozen=True)
class Traced:
    """A traced value: the same ``id`` is the same value throughout one top-level trace."""

    id: int
    aval: Any = field(compare=False)


@dataclass(frozen=True)
class Node:
    """A container of a class of somebody's own: its children in the order JAX flattens them.

    ``keys``: names of the fields; None when children have no names that Python could spell.
    """

    type: type
    keys: tuple[str, ...] | None
    children: tuple[Any, ...]


@dataclass(frozen=True)
class Closure:
    """A callable that a step returned inside its result (the second result of ``jax.vjp``).

    ``kept`` are the traced values it holds, which a program can come by: it is a container of them.
    """

    id: int
    kept: tuple[Traced, ...] = field(default=(), compare=False)


@dataclass(eq=False, repr=False)
class Function:
    """A Python function that was handed to JAX.  ``bodies`` are how it ran, the last few times.

    ``parameters`` are the names of its positional parameters as far as they are known; ``fun`` is the function
    itself, ``watcher`` what JAX got in its place.  ``by_call`` are its bodies by the call that ran them: JAX's caches
    answer a call that is alike without running anything.  ``static``: positions and names of arguments that are part
    of the body rather than values.
    """

    name: str
    source: str
    parameters: tuple[str, ...]
    fun: Any
    bodies: list[Body] = field(default_factory=list)
    by_call: dict[Any, Body] = field(default_factory=dict)
    static: tuple[tuple[int, ...], tuple[str, ...]] = ((), ())
    watcher: Any = None

    @property
    def body(self) -> Body | None:
        """How it ran last."""
        return self.bodies[-1] if self.bodies else None

    def dynamic(
        self, args: Sequence[Any], kwargs: Mapping[str, Any]
    ) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """Arguments without the static ones."""
        positions, names = self.static
        given = tuple(a for i, a in enumerate(args) if i not in positions)
        return given, {k: v for k, v in kwargs.items() if k not in names}

    def only_body(self) -> Body | None:
        """How it runs, when it ran in one way only: on arguments of the same types each time."""
        ways = {repr([kind_of(leaf) for leaf in leaves((b.args, dict(b.kwargs)))]) for b in self.bodies}
        return self.body if len(ways) == 1 else None


@dataclass(frozen=True)
class Public:
    """A public function of JAX, by its importable name."""

    name: str


@dataclass(frozen=True)
class Method:
    """An operator ("__add__"), method ("reshape") or update ("at.set") of an array, the first argument."""

    name: str


@dataclass(frozen=True)
class Mapped:
    """``jax.tree.map``: ``runs`` are those of its function, one for each leaf, on the very leaves."""

    function: Function
    runs: tuple[Body, ...]


@dataclass(frozen=True)
class Applied:
    """What a transform returned, called: ``made`` is the step that made it."""

    made: Step


@dataclass(frozen=True)
class Called:
    """A :class:`Closure` called."""

    closure: Closure


@dataclass(frozen=True)
class Jitted:
    """A jitted function of the user's: ``params`` are those of the equation it became."""

    function: Function
    body: Body | None
    params: Mapping[str, Any]


@dataclass(frozen=True)
class Custom:
    """A function with derivative rules of its own.

    ``kind`` is the class; ``rules`` are (jvp,), (fwd, bwd) or (vmap rule,).  Arguments that are not
    differentiated (``nondiff``: their positions, ``static``: their values) are left out of the steps: they are
    part of the bodies.
    ``owner`` is the object, kept alive so that no other one has its identity: one definition serves its every call.
    """

    kind: Literal["custom_jvp", "custom_vjp", "custom_vmap"]
    function: Function
    rules: tuple[Function, ...]
    nondiff: tuple[int, ...]
    static: tuple[Any, ...]
    symbolic_zeros: bool
    owner: Any


@dataclass(frozen=True)
class Bound:
    """A primitive bound by code outside of JAX."""

    primitive: Any
    params: Mapping[str, Any]


@dataclass(frozen=True)
class Helper:
    """A Python function of the user's that he called himself: ``body`` is how it runs, on other values.

    No step is recorded as such: JAX does not see these calls (see ``emitter.helpers``).
    """

    function: Function
    body: Body


@dataclass(frozen=True)
class Tracing:
    """A call that was not over when a trace died: JAX traced a function for it (see :mod:`~jace_repro.trace.failure`).

    ``api`` is what traced it ("jit", "scan", "cond", ...; "eager": nothing, and then there is no body).
    """

    api: str
    body: Body | None


Operation = Public | Method | Mapped | Applied | Called | Jitted | Custom | Bound | Helper | Tracing


#: The context manager of JAX that is no option, but entered or not; `Step.config` has it beside them.
FOLDING = "ensure_compile_time_eval"


@dataclass(eq=False, repr=False)
class Step:
    """One call across JAX's border.

    ``targets`` are the names that the program stores the result under, as far as the bytecode tells;
    ``line`` is the user's "file:line" (of a trace that died: "file:line (function)"); ``config`` the JAX options that
    differ from those the function began with.
    ``path``: the user's functions that run, each with the instruction that it is at, from that of the body to that
    which takes the step; ``entered``: what the parameters of those that took no step before stand for, by their place
    in ``path``, as far as it is plain.
    ``bodies`` are how the functions among the arguments ran during this very step, by their ``id``; ``before`` how
    they had run before it.
    """

    operation: Operation
    args: tuple[Any, ...]
    kwargs: Mapping[str, Any]
    result: Any = None
    targets: tuple[str, ...] = ()
    line: str = ""
    path: Path = ()
    entered: Mapping[int, Mapping[str, Any]] | None = None
    config: Mapping[str, Any] = field(default_factory=dict)
    bodies: dict[int, Body] = field(default_factory=dict)
    before: dict[int, Body | None] = field(default_factory=dict)


@dataclass(eq=False, repr=False)
class Body:
    """One run of a function under a trace.

    ``config``: the options it began under.  ``problem``: why what it did is not known in full.
    ``unpacking``: where an array was unpacked last, and how many elements that gave so far.
    ``jaxpr``: what is known of a run whose steps were not noted, a ClosedJaxpr: its inputs are ``args`` one to one
    (captured values of outer traces last), its outputs ``result``.
    """

    function: Function
    args: tuple[Any, ...]
    kwargs: Mapping[str, Any]
    steps: list[Step] = field(default_factory=list)
    result: Any = None
    config: tuple[Any, ...] = ()
    problem: str | None = None
    unpacking: tuple[Any, int] = (None, 0)
    jaxpr: Any = None


def bodies_of(root: Body) -> list[Body]:
    """A body and all that ran in it, each once."""
    found: list[Body] = []
    seen: set[int] = set()
    todo = [root]
    while todo:
        body = todo.pop()
        if id(body) in seen:
            continue
        seen.add(id(body))
        found.append(body)
        for step in body.steps:
            todo += step.bodies.values()
            if isinstance(step.operation, Mapped):
                todo += step.operation.runs
            if isinstance(step.operation, Jitted | Helper) and step.operation.body is not None:
                todo.append(step.operation.body)
            if isinstance(step.operation, Custom):
                functions = (step.operation.function, *step.operation.rules)
                todo += [b for function in functions for b in function.bodies]
    return found


def leaves(value: Any) -> list[Any]:
    """The leaves of described data, in JAX's order; None is a leaf here."""
    found: list[Any] = []
    _collect(value, found.append)
    return found


def kind_of(leaf: Any) -> Any:
    """What of an argument decides how a function is traced: its type, the value of a Python scalar, or which object."""
    if isinstance(leaf, Traced):
        return leaf.aval
    if isinstance(leaf, jax.custom_derivatives.SymbolicZero | ad.Zero | ad.UndefinedPrimal):
        return (type(leaf), leaf.aval)
    plain = isinstance(leaf, bool | int | float | complex | str | type(None))
    return (type(leaf), repr(leaf)) if plain else id(leaf)


def values(value: Any) -> list[Traced | Closure]:
    """The traced values and closures in described data, and what the closures hold."""
    found: list[Traced | Closure] = []
    for leaf in leaves(value):
        if isinstance(leaf, Closure):
            found += (leaf, *leaf.kept)
        elif isinstance(leaf, Traced):
            found.append(leaf)
    return found


def _collect(value: Any, found: Callable[[Any], None]) -> None:
    if type(value) in (tuple, list):
        children: Sequence[Any] = value
    elif type(value) is dict:
        children = [value[k] for k in _in_order(value)]
    elif isinstance(value, Node):
        children = value.children
    elif isinstance(value, slice):
        children = (value.start, value.stop, value.step)
    else:
        found(value)
        return
    for child in children:
        _collect(child, found)


def _in_order(keys: Iterable[Any]) -> list[Any]:
    """Keys of a dict as JAX orders them: it refuses those that do not compare."""
    try:
        return sorted(keys)
    except TypeError:
        return list(keys)
