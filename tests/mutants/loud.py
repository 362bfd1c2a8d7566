"""Bugs that are seen without comparing numbers, for any primitive: a rule that raises, code that does not compile,
crashes or hangs.

They are made from their names, `loud/KIND/WHERE/PRIMITIVE`, so that a bench can draw them from what its programs use.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import jace
from jace.plan.ops import Kernel
from jace.registry import Elementwise, IndexMap
from mutants import Mutant
from mutants.plants import rule

#: What a wrong rule does, in C++ before the right expression; "" for one that raises itself.
CODE = {
    "raises": "",
    "rejected": "nobody_declared_this();",
    "crashes": "*(volatile int*)8 = 1;",
    "hangs": "for (volatile int go = 1; go;) {}",
}
#: Outcomes that find such a bug.
FOUND = frozenset({"translate-error", "compile-error", "crash", "timeout"})

#: Which equations of the primitive are concerned.
PLACES: dict[str, Callable[[tuple[int, ...]], bool]] = {
    "anywhere": lambda shape: True,
    "axes": lambda shape: len(shape) >= 2,
    "length": lambda shape: bool(shape) and shape[-1] >= 5,
    "odd": lambda shape: bool(shape) and shape[-1] % 2 == 1 and shape[-1] > 1,
}
#: Of elementwise rules, which see no shapes: every element, or those of a large operand.
VALUES = {"anywhere": "", "value": "if (double({0}) > 1.5) "}


def places_of(kind: str, primitive: str) -> tuple[str, ...]:
    """Where a bug of a kind may be planted in the rule of a primitive."""
    if isinstance(jace.registry.lookup(primitive), Elementwise):
        return tuple(VALUES) if kind in ("crashes", "hangs") else ("anywhere",)
    return tuple(PLACES)


def loud(kind: str, where: str, primitive: str) -> Mutant:
    """A bug of a kind in the rule of a primitive."""
    name = f"loud/{kind}/{where}/{primitive}"
    return Mutant(name, "loud", primitive, rule(primitive, _wrong(kind, where)), (primitive,))


def named(name: str) -> Mutant:
    """The bug of a name."""
    _, kind, where, primitive = name.split("/", 3)
    return loud(kind, where, primitive)


def _wrong(kind: str, where: str) -> Callable[[Any], Any]:
    code = CODE[kind]

    def answer(expression: str, condition: str = "") -> str:
        if kind == "raises":
            raise RuntimeError("planted: this rule raises")
        return f"([&] {{ {condition}{code} return {expression}; }}())"

    def wrong(right: Any) -> Any:
        if isinstance(right, Elementwise):

            def expression(params: Any, ins: Any, out: Any, *names: str) -> str:
                real = names[0] if ins and ins[0].kind != "c" else "0"
                return answer(right.expression(params, ins, out, *names), VALUES[where].format(real))

            return dataclasses.replace(right, expression=expression)
        concerns = PLACES[where]
        if isinstance(right, IndexMap):

            def value(em: Any, eqn: Any, index: Any, k: int) -> str:
                exact = right.value(em, eqn, index, k)
                if not concerns(eqn.outvars[0].aval.shape):
                    return exact
                return em.let(eqn.outvars[k].aval.dtype, answer(exact))  # a rule answers a name

            return dataclasses.replace(right, value=value, build=None)

        def build(planner: Any, eqn: Any) -> None:
            before = len(planner._ops)
            right.build(planner, eqn)
            if not concerns(eqn.outvars[0].aval.shape):
                return
            if kind == "raises":
                raise RuntimeError("planted: this rule raises")
            for done in planner._ops[before:]:
                if isinstance(getattr(done, "op", None), Kernel):
                    done.op = dataclasses.replace(done.op, code=f"{code}\n{done.op.code}")

        return dataclasses.replace(right, build=build)

    return wrong
