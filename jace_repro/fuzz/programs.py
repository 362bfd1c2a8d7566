"""Programs made from a name: of one operation in one context, of several, or a pair of forms of either.

A name is `OPERATION/SEED`, `composed/SEED` or `related/SEED`, with `/x64` after it for one in JAX's 64-bit mode; the
same name is the same program.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.extend.core import ClosedJaxpr

from jace import ir
from jace_repro.fuzz.compose import arrays_of, composed
from jace_repro.fuzz.contexts import CONTEXTS
from jace_repro.fuzz.draw import Draw
from jace_repro.fuzz.observed import observed, seen
from jace_repro.fuzz.operations import OPERATIONS, UNWRITTEN
from jace_repro.fuzz.relations import NOT_BATCHED, pair
from jace_repro.fuzz.values import values_of
from jace_repro.tester.execute.named import NamedProgram
from jace_repro.tester.execute.traced import without_keys

#: In the place of an operation's name: several, and two forms of a program that mean the same.
COMPOSED, RELATED = "composed", "related"
#: So many times a program is drawn anew where JAX refuses what was drawn.
TRIES = 20
#: Half of the programs are an operation by itself.
_PLAIN = 0.5


#: What JAX raises where it refuses what was drawn.
REFUSED = (TypeError, ValueError, NotImplementedError)


@dataclass(frozen=True, eq=False, repr=False)
class Program:
    """A program of the table.

    Attributes:
        name: it is made from; the operation alone where hypothesis drew it.
        choices: (name, what was chosen) of everything that was drawn, in order.
        function: of the arrays.
        arrays: its inputs.
        closed: the function's jaxpr, of inputs like these.
        refused: how many were drawn before that JAX refuses.
        relation: the first half of its outputs is to be the second half, and why ("vmap = a loop").
    """

    name: str
    choices: tuple[tuple[str, str], ...]
    function: Callable[..., Any]
    arrays: Sequence[np.ndarray[Any, Any]]
    closed: ClosedJaxpr
    refused: int
    relation: str | None = None

    def __repr__(self) -> str:
        chosen = "".join(f", {name}={value}" for name, value in self.choices)
        return f"<program {self.name}{chosen}>\n{self.closed}\nof {list(self.arrays)}"


def name_of(operation: str, seed: int, *, x64: bool) -> str:
    """The name of a program."""
    return f"{operation}/{seed}{'/x64' * x64}"


def program(name: str) -> Program:
    """The program of a name; to be asked for in the mode (x64 or not) that the name says.

    Raises:
        KeyError: there is no such operation.
        ValueError: JAX refuses whatever is drawn.
    """
    operation, seed, *mode = name.split("/")
    if operation == COMPOSED:
        return _composed(name, x64=bool(mode))
    said = ""
    for attempt in range(TRIES):
        draw = Draw(f"{name} {attempt}", x64=bool(mode))
        try:
            if operation == RELATED:
                return _related(draw, name, refused=attempt)
            return drawn(operation, draw, name, refused=attempt)
        except REFUSED as error:
            said = f"{type(error).__name__}: {error}"
    raise ValueError(f"JAX refuses {operation} of seed {seed}: {said}")


def _composed(name: str, *, x64: bool) -> Program:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        function, inputs, choices = composed(name, x64)
        return Program(name, choices, function, inputs, jax.make_jaxpr(function)(*inputs), 0)


def _related(draw: Draw, name: str, *, refused: int) -> Program:
    """Two forms of a program; of one operation more often than of several. Raises REFUSED."""
    if draw.rarely(3):
        base = _composed(f"{draw.seed} base", x64=draw.x64)
    else:
        writable = [one for one in OPERATIONS if one not in UNWRITTEN]
        base = drawn(draw.pick("operation", writable), Draw(f"{draw.seed} base", draw.x64), draw.seed)
    # the generators of keys, too, are seen once keys are arrays
    if differs := NOT_BATCHED.keys() & ir.primitives(without_keys(ir.inline_calls(base.closed))):
        raise ValueError(f"not the same in a batch: {', '.join(differs)}")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        forms = pair(draw, lambda *xs: arrays_of(base.function(*map(jnp.asarray, xs))), base.arrays)
        function = _both_seen(forms.both, forms.arrays)
        closed = jax.make_jaxpr(function)(*forms.arrays)
    choices = (*draw.choices, *base.choices)
    return Program(name, choices, function, forms.arrays, closed, refused, forms.says)


def _both_seen(both: Callable[..., Sequence[Any]], arrays: Sequence[Any]) -> Callable[..., list[Any]]:
    """As `seen`, of two forms: what is given out besides is in both halves, and equal."""
    closed = jax.make_jaxpr(both)(*arrays)
    wider, count = observed(closed, arrays), len(closed.out_avals)

    def function(*xs: Any) -> list[Any]:
        outputs = wider(*xs)
        more = outputs[count:]
        return [*outputs[: count // 2], *more, *outputs[count // 2 : count], *more]

    return function


def drawn(operation: str, draw: Draw, name: str, *, refused: int = 0) -> Program:
    """The program of one operation that a draw makes; its values are those of the name. Raises REFUSED."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what JAX warns of is no matter here: overflow of a literal, say
        plain = seen(OPERATIONS[operation](draw), _values(draw, name))
        function = _used(draw, plain)
        arrays = _values(draw, name)
        if function is not plain:  # what is around it has equations of its own
            function = seen(function, arrays)
        closed = jax.make_jaxpr(function)(*arrays)
    return Program(name, tuple(draw.choices), function, arrays, closed, refused)


def _values(draw: Draw, name: str) -> list[np.ndarray[Any, Any]]:
    return [values_of(operand, f"{name} {k}") for k, operand in enumerate(draw.operands)]


def _used(draw: Draw, function: Callable[..., Any]) -> Callable[..., Any]:
    """The function in a context."""
    if draw.random.random() < _PLAIN:
        return function
    fitting = [name for name, context in CONTEXTS.items() if context.fits(draw)]
    return CONTEXTS[draw.pick("context", fitting)].make(draw, function)


def named(name: str) -> NamedProgram:
    """What to give to a `Pool`."""
    return NamedProgram(f"{__name__}:make", name, {"jax_enable_x64": True} if name.endswith("/x64") else {})


def make(name: str) -> tuple[ClosedJaxpr, Sequence[Any]]:
    """Jaxpr and inputs of a program; in a worker."""
    found = program(name)
    return found.closed, found.arrays
