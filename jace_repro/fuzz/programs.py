"""Programs made from a name: of one operation in one context, or of several.

A name is `OPERATION/SEED` or `composed/SEED`, with `/x64` after it for one in JAX's 64-bit mode; the same name is the
same program.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import jax
import numpy as np
from jax.extend.core import ClosedJaxpr

from jace_repro.fuzz.compose import composed
from jace_repro.fuzz.contexts import CONTEXTS
from jace_repro.fuzz.draw import Draw
from jace_repro.fuzz.operations import OPERATIONS
from jace_repro.fuzz.values import values_of
from jace_repro.tester.execute.named import NamedProgram

#: In the place of an operation's name: several.
COMPOSED = "composed"
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
    """

    name: str
    choices: tuple[tuple[str, str], ...]
    function: Callable[..., Any]
    arrays: Sequence[np.ndarray[Any, Any]]
    closed: ClosedJaxpr
    refused: int

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
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            function, inputs, choices = composed(name, bool(mode))
            return Program(name, choices, function, inputs, jax.make_jaxpr(function)(*inputs), 0)
    said = ""
    for attempt in range(TRIES):
        draw = Draw(f"{name} {attempt}", x64=bool(mode))
        try:
            return drawn(operation, draw, name, refused=attempt)
        except REFUSED as error:
            said = f"{type(error).__name__}: {error}"
    raise ValueError(f"JAX refuses {operation} of seed {seed}: {said}")


def drawn(operation: str, draw: Draw, name: str, *, refused: int = 0) -> Program:
    """The program of one operation that a draw makes; its values are those of the name. Raises REFUSED."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what JAX warns of is no matter here: overflow of a literal, say
        function = _used(draw, OPERATIONS[operation](draw))
        arrays = [values_of(o, f"{name} {k}") for k, o in enumerate(draw.operands)]
        closed = jax.make_jaxpr(function)(*arrays)
    return Program(name, tuple(draw.choices), function, arrays, closed, refused)


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
