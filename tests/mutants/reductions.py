"""Wrong reductions: identities, bounds, ties, the accumulator's dtype."""

from __future__ import annotations

import contextlib
import dataclasses
from unittest import mock

import numpy as np

from jace.plan.index import constant
from jace.plan.literals import cpp_literal
from jace.rules import combining
from jace.rules.combining import REDUCTIONS
from jace.rules.loops import contractions, nests, reductions, rows, windows
from jace.rules.operations import products
from mutants import Mutant
from mutants.plants import parameters, patched, rule


def _identity(kind, value):
    """A reduction that starts from another value."""

    def wrong(right):
        operation, _ = right[kind]
        return {**right, kind: (operation, lambda dtype: value)}

    return patched(nests, "REDUCTIONS", wrong, rows, reductions)


def _operation(kind, operation):
    """A reduction that combines otherwise."""

    def wrong(right):
        return {**right, kind: (operation, right[kind][1])}

    return patched(nests, "REDUCTIONS", wrong, rows, reductions)


def _one_less(right):
    """Loops that miss the last element of each axis."""

    @contextlib.contextmanager
    def loop_nest(em, extents, pragma=""):
        with right(em, [max(n - 1, 1) for n in extents], pragma) as found:
            yield found

    return loop_nest


def _from_second(right):
    """Loops that miss the first element of the innermost axis."""

    @contextlib.contextmanager
    def loop_nest(em, extents, pragma=""):
        shorter = [*extents[:-1], extents[-1] - 1] if extents and extents[-1] > 1 else extents
        with right(em, shorter, pragma) as found:
            yield found if shorter is extents else [*found[:-1], found[-1] + 1]

    return loop_nest


def _narrow(right):
    """Narrow floats are summed up as they are."""
    del right
    return lambda dtype: np.dtype(dtype)


def _bytes(right):
    """Wider unsigned integers are summed up in bytes."""

    def accumulator(dtype, kind):
        wide = right(dtype, kind)
        return np.dtype(np.uint8) if kind in ("sum", "prod") and wide.kind == "u" else wide

    return accumulator


def _ignores_initial(right):
    def initial(em, eqn):
        operands, _ = right(em, eqn)
        return operands, [em.declare(v.aval.dtype, cpp_literal(0, v.aval.dtype)) for v in operands]

    return initial


def _other_arg_reduce(better):
    def wrong(right):
        def value(em, eqn, index, k):
            with mock.patch.dict(reductions.BETTER, {"max": better, "min": better}):
                return right.value(em, eqn, index, k)

        return dataclasses.replace(right, value=value)

    return wrong


def _second_axis(right):
    """argmax that starts to look at the second element."""

    def value(em, eqn, index, k):
        class Shifted:
            def __getattr__(self, name):
                return getattr(em, name)

            @contextlib.contextmanager
            def loop(self, extent):
                if extent == 1:
                    yield constant(0)
                    return
                with em.loop(extent - 1) as ix:
                    yield ix

        return right.value(Shifted(), eqn, index, k)

    return dataclasses.replace(right, value=value)


def _mutant(name, primitive, plant, *more):
    return Mutant(name, "reductions", primitive, plant, (primitive, *more))


assert set(REDUCTIONS) >= {"sum", "prod", "max", "min", "and", "or"}

MUTANTS = [
    _mutant("sum_starts_at_one", "reduce_sum", _identity("sum", 1)),
    _mutant("prod_starts_at_two", "reduce_prod", _identity("prod", 2)),
    _mutant("max_starts_at_zero", "reduce_max", _identity("max", 0)),
    _mutant("min_starts_at_zero", "reduce_min", _identity("min", 0)),
    _mutant("and_starts_with_false", "reduce_and", _identity("and", 0)),
    _mutant("or_starts_with_true", "reduce_or", _identity("or", 1)),
    _mutant("reduce_max_is_min", "reduce_max", _operation("max", "min")),
    _mutant("reduce_prod_is_sum", "reduce_prod", _operation("prod", "add")),
    _mutant("reduce_and_is_or", "reduce_and", _operation("and", "or")),
    _mutant("reduce_sum_drops_the_last", "reduce_sum", patched(reductions, "loop_nest", _one_less)),
    _mutant("reduce_max_drops_the_last", "reduce_max", patched(reductions, "loop_nest", _one_less)),
    _mutant("reduce_min_drops_the_first", "reduce_min", patched(reductions, "loop_nest", _from_second)),
    _mutant("reduce_drops_the_last", "reduce", patched(reductions, "loop_nest", _one_less)),
    _mutant("reduce_ignores_its_initial_value", "reduce", patched(reductions, "initial", _ignores_initial)),
    _mutant("sums_of_halves_in_halves", "cumsum", patched(combining, "accumulation", _narrow), "reduce_sum"),
    _mutant(
        "sums_of_unsigned_in_bytes", "reduce_sum", patched(nests, "accumulator", _bytes, rows, reductions)
    ),
    _mutant("products_of_halves_in_halves", "dot_general", patched(products, "accumulation", _narrow)),
    _mutant("dot_general_drops_the_last", "dot_general", patched(contractions, "loop_nest", _one_less)),
    _mutant(
        "reduce_window_ignores_padding",
        "reduce_window_sum",
        parameters("reduce_window_sum", lambda p: {"padding": tuple((0, 0) for _ in p["padding"])}),
        "small:pooling",
    ),
    _mutant(
        "reduce_window_ignores_dilation",
        "reduce_window_sum",
        parameters("reduce_window_sum", lambda p: {"window_dilation": (1,) * len(p["padding"])}),
    ),
    _mutant("reduce_window_drops_the_last", "reduce_window_sum", patched(windows, "loop_nest", _one_less)),
    _mutant("argmax_takes_the_last", "argmax", rule("argmax", _other_arg_reduce(">="))),
    _mutant("argmax_is_argmin", "argmax", rule("argmax", _other_arg_reduce("<"))),
    _mutant("argmin_takes_the_last", "argmin", rule("argmin", _other_arg_reduce("<="))),
    _mutant("argmin_misses_the_last", "argmin", rule("argmin", _second_axis)),
    *(
        _mutant(f"{name}_from_the_other_end", name, parameters(name, lambda p: {"reverse": not p["reverse"]}))
        for name in ("cumsum", "cumprod", "cummax", "cummin")
    ),
]
