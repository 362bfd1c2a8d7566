"""What plants a bug: contexts that replace a rule or an attribute.

Each also changes the token of the rules, so that nothing translated or compiled inside is remembered under the key
of the right program, in the process or on disk.
"""

from __future__ import annotations

import contextlib
import dataclasses
import inspect
import re
import textwrap
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from typing import Any

import numpy as np

import jace
import jace.rules  # registers the rules
from jace.dtypes import bits, ctype, kind
from jace.plan.literals import cpp_literal
from jace.registry import Elementwise, lookup

Plant = Callable[[], AbstractContextManager[None]]


def rule(primitive: str, wrong: Callable[[Any], Any]) -> Plant:
    """The rule of a primitive replaced by `wrong(rule)`, on `canonical` too: DaCe's own nodes would know better."""

    @contextlib.contextmanager
    def plant() -> Iterator[None]:
        right = lookup(primitive)
        assert right is not None, primitive
        planted = wrong(right)
        if not isinstance(planted, Elementwise):
            planted = dataclasses.replace(planted, node=None)
        with jace.use_rules({primitive: planted}):
            yield

    return plant


def expression(primitive: str, template: str, kinds: str = "") -> Plant:
    """An elementwise rule replaced by a C++ template, for first operands of these kinds (all if none are given).

    {0}, {1}, ... are the operands, {right} the right expression, {T} and {I} the types of the result and of the first
    operand, {zero} and {one} constants of the result's type, {zero_in} and {inf_in} of the operand's, {bits} its width.
    """

    def wrong(right: Any) -> Any:
        def answer(params: Any, ins: Any, out: Any, *names: str) -> str:
            exact = right.expression(params, ins, out, *names)
            if kinds and kind(ins[0]) not in kinds:
                return exact
            infinite = cpp_literal(np.inf, ins[0]) if kind(ins[0]) in "fc" else ""
            return template.format(
                *names,
                right=exact,
                T=ctype(out),
                I=ctype(ins[0]),
                zero=cpp_literal(0, out),
                one=cpp_literal(1, out),
                zero_in=cpp_literal(0, ins[0]),
                inf_in=infinite,
                bits=bits(ins[0]),
            )

        return dataclasses.replace(right, expression=answer)

    return rule(primitive, wrong)


def converts(primitive: str, template: str, kinds_in: str, kinds_out: str) -> Plant:
    """A conversion replaced by a C++ template between dtypes of these kinds."""

    def wrong(right: Any) -> Any:
        def answer(params: Any, ins: Any, out: Any, a: str) -> str:
            exact = right.expression(params, ins, out, a)
            if kind(ins[0]) not in kinds_in or kind(out) not in kinds_out:
                return exact
            return template.format(a, right=exact, T=ctype(out))

        return dataclasses.replace(right, expression=answer)

    return rule(primitive, wrong)


def parameters(primitive: str, change: Callable[[dict[str, Any]], dict[str, Any]]) -> Plant:
    """A rule that is told other parameters than the equation's: what `change` answers replaces them."""

    def changed(params: Any) -> dict[str, Any]:
        return {**params, **change(dict(params))}

    def wrong(right: Any) -> Any:
        if isinstance(right, jace.Elementwise):
            return dataclasses.replace(right, expression=lambda p, *rest: right.expression(changed(p), *rest))
        if isinstance(right, jace.IndexMap):

            def value(em: Any, eqn: Any, index: Any, k: int) -> str:
                return right.value(em, eqn.replace(params=changed(eqn.params)), index, k)

            return dataclasses.replace(right, value=value, build=None)

        def build(planner: Any, eqn: Any) -> None:
            right.build(planner, eqn.replace(params=changed(eqn.params)))

        return dataclasses.replace(right, build=build)

    return rule(primitive, wrong)


def primitive_is(primitive: str, other: Any, **params: Any) -> Plant:
    """A region rule that takes its primitive for another one of its family, with these parameters changed."""

    def wrong(right: Any) -> Any:
        def build(planner: Any, eqn: Any) -> None:
            right.build(planner, eqn.replace(primitive=other, params={**eqn.params, **params}))

        return dataclasses.replace(right, build=build)

    return rule(primitive, wrong)


class _Reader:
    """An emitter that reads one operand elsewhere."""

    def __init__(self, em: Any, operand: Any, move: Callable[[Any, Any], Any]) -> None:
        self._em, self._operand, self._move = em, operand, move

    def __getattr__(self, name: str) -> Any:
        return getattr(self._em, name)

    def value(self, atom: Any, index: Any) -> str:
        if atom is self._operand and index:
            index = self._move(index, atom.aval.shape)
        return str(self._em.value(atom, index))


def reads(primitive: str, move: Callable[[Any, Any], Any], operand: int = 0) -> Plant:
    """An index map that reads its operand at `move(index, shape)` in place of `index`."""

    def wrong(right: Any) -> Any:
        def value(em: Any, eqn: Any, index: Any, k: int) -> str:
            return str(right.value(_Reader(em, eqn.invars[operand], move), eqn, index, k))

        return dataclasses.replace(right, value=value, build=None)

    return rule(primitive, wrong)


def patched(owner: Any, name: str, wrong: Callable[[Any], Any], *also: Any) -> Plant:
    """An attribute replaced by `wrong(attribute)`; `also` are further owners of the same one."""
    owners = (owner, *also)

    @contextlib.contextmanager
    def plant() -> Iterator[None]:
        right = owner.__dict__[name]
        planted = wrong(right)
        with jace.use_rules({}):
            for each in owners:
                setattr(each, name, planted)
            try:
                yield
            finally:
                for each in owners:
                    setattr(each, name, right)

    return plant


def edited(owner: Any, name: str, *changes: tuple[str, str]) -> Plant:
    """A function of DaCe's with pieces of its source replaced: how a fix is taken back.

    Each piece must occur, whatever its indentation and line breaks; the function must not use `super()`.
    """

    def wrong(right: Any) -> Any:
        function = right.__func__ if isinstance(right, staticmethod) else right
        text = textwrap.dedent(inspect.getsource(function))
        for old, new in changes:
            pattern = r"\s+".join(re.escape(word) for word in old.split())
            text, count = re.subn(pattern, lambda match, new=new: new, text)
            assert count, f"{name} of DaCe has no {old!r}"
        space: dict[str, Any] = {}
        exec(compile(text, inspect.getfile(function), "exec"), function.__globals__, space)
        return space[name]

    return patched(owner, name, wrong)
