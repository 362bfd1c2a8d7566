"""The rules: what each JAX primitive means, found by name.

A rule is one of three kinds:

* `Elementwise(expression)`: `expression(params, in_dtypes, out_dtype, *operands)` answers a C++ expression of the
  operands' names; it sees scalars only.
* `IndexMap(value)`: `value(emitter, eqn, index, k)` answers the C++ name of element `index` of the k-th output,
  asking the emitter for the operands' elements it needs. Broadcasts, slices, gathers and reductions are such maps.
* `Region(build)`: `build(planner, eqn)` adds operations to the plan: scatters, loops, sorts, contractions.

Rules plug in from above (`jace.rules`); nothing here imports one. What combines, contracts, moves or transforms arrays
answers an operation there, what is computed, of which `jace.rules.structured` makes such a rule.
"""

from __future__ import annotations

import contextlib
import itertools
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar


@dataclass(frozen=True)
class Elementwise:
    """A rule that answers a typed C++ expression of its operands.

    Attributes:
        expression: fn(params, in_dtypes, out_dtype, *operand_names) -> C++ expression of type ctype(out_dtype).
        cost: rough price of one evaluation in additions; fusion never repeats an expensive one.
        node: as for `Region`.
    """

    expression: Callable[..., str]
    cost: int = 1
    node: Callable[..., bool] | None = None


@dataclass(frozen=True)
class IndexMap:
    """A rule that says which operand elements an output element is made of.

    Attributes:
        value: fn(emitter, eqn, index, k) -> C++ name.
        cost: rough price of one element beyond reading its operands, in additions.
        materialize: the result is stored in memory even when fusion could recompute it (reductions).
        buffers: positions of operands that must be in memory before (they are read many times).
        build: fn(planner, eqn) -> bool: where results are fused, tried before `value`; may add an operation that
            goes through memory in a better order than element by element, and answers whether it did.
        node: as for `Region`.
    """

    value: Callable[..., str]
    cost: int = 0
    materialize: bool = False
    buffers: tuple[int, ...] = ()
    build: Callable[..., bool] | None = None
    node: Callable[..., bool] | None = None


@dataclass(frozen=True)
class Region:
    """A rule that builds operations of its own.

    Attributes:
        build: fn(planner, eqn) -> None.
        lazy: positions of operands that may be recomputed expressions; all others are stored in memory before.
        updates: position of an operand whose buffer the first output may take over (in-place), or None.
        node: fn(planner, eqn) -> bool: on `canonical`, tried before all else; may add what a person who writes SDFGs
            would (library nodes, maps with write-conflict resolution), and answers whether it did.
    """

    build: Callable[..., None]
    lazy: tuple[int, ...] = ()
    updates: int | None = None
    node: Callable[..., bool] | None = None


Rule = Elementwise | IndexMap | Region

_rules: dict[str, Rule] = {}
_user_changes = itertools.count(1)
_token = ""

F = TypeVar("F", bound=Callable[..., Any])


def name_of(primitive: Any) -> str:
    """The name of a primitive, which may be given by it."""
    return primitive if isinstance(primitive, str) else str(primitive.name)


def lookup(name: str) -> Rule | None:
    """The rule of a primitive, or None."""
    return _rules.get(name)


def rules_token() -> str:
    """A string that changes with every change of rules; "" while they are those that jace ships."""
    return _token


def supported_primitives() -> tuple[str, ...]:
    """Names of all primitives that have a rule, sorted."""
    return tuple(sorted(_rules))


def rules_changed() -> None:
    """Have what is translated from now on remembered apart: a rule, or something else that decides it, has changed."""
    global _token
    _token = f"user-rules-{next(_user_changes)}"


def register_rule(primitive: Any, rule: Rule | None = None, *, override: bool = False) -> Any:
    """Register a rule for a primitive; also usable as a decorator of an elementwise function.

    Args:
        primitive: a JAX primitive or its name.
        rule: an `Elementwise`, `IndexMap` or `Region`. Without it a decorator is answered; a decorated plain
            function is taken as `Elementwise`.
        override: replace an existing rule.

    Raises:
        ValueError: the primitive has a rule already and `override` is false.
        TypeError: `rule` is not a rule.
    """
    if rule is None:

        def decorate(fn: Any) -> Any:
            made = fn if isinstance(fn, Elementwise | IndexMap | Region) else Elementwise(fn)
            register_rule(primitive, made, override=override)
            return fn

        return decorate
    add_rule(primitive, rule, override=override)
    rules_changed()
    return rule


def add_rule(primitive: Any, rule: Rule, *, override: bool = False) -> None:
    """Register a rule of jace itself: what was translated stays as it is."""
    name = name_of(primitive)
    if not isinstance(rule, Elementwise | IndexMap | Region):
        raise TypeError(
            f"a rule for '{name}' must be Elementwise, IndexMap or Region, not {type(rule).__name__}"
        )
    if name in _rules and not override:
        raise ValueError(f"primitive '{name}' has a rule already; pass override=True to replace it")
    _rules[name] = rule


@contextlib.contextmanager
def use_rules(rules: Mapping[Any, Rule]) -> Iterator[None]:
    """Replace (or add) rules within a `with` block."""
    global _token
    saved, saved_token = dict(_rules), _token
    try:
        for primitive, rule in rules.items():
            add_rule(primitive, rule, override=True)
        rules_changed()
        yield
    finally:
        _rules.clear()
        _rules.update(saved)
        _token = saved_token


def register_elementwise(
    *names: str, cost: int = 1, node: Callable[..., bool] | None = None
) -> Callable[[F], F]:
    """Decorator: an elementwise rule of jace itself, for one or several primitives."""

    def decorate(fn: F) -> F:
        for name in names:
            add_rule(name, Elementwise(fn, cost, node))
        return fn

    return decorate


def elementwise_table(
    table: Mapping[str, str], *, cost: int = 1, node: Callable[..., bool] | None = None
) -> None:
    """Elementwise rules of jace as C++ templates with {0}, {1}, ... for the operands."""
    family = sys._getframe(1).f_globals[
        "__name__"
    ]  # as for a function written there: the coverage page shows it

    def rule(template: str) -> Callable[..., str]:
        expression: Callable[..., str] = lambda params, in_dtypes, out_dtype, *operands: template.format(
            *operands
        )
        expression.__module__ = family
        return expression

    for name, template in table.items():
        add_rule(name, Elementwise(rule(template), cost, node))


def register_index_map(*names: str, cost: int = 0) -> Callable[[F], F]:
    """Decorator: an index-map rule of jace itself."""

    def decorate(fn: F) -> F:
        for name in names:
            add_rule(name, IndexMap(fn, cost))
        return fn

    return decorate


def register_region(*names: str, lazy: tuple[int, ...] = ()) -> Callable[[F], F]:
    """Decorator: a region rule of jace itself."""

    def decorate(fn: F) -> F:
        for name in names:
            add_rule(name, Region(fn, lazy))
        return fn

    return decorate
