"""What makes a difference no finding though the oracle does not explain it.

And when XLA has nobody on its side, and when it is jace that takes the program for another one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from jace.ir import dtypes, inline_calls, slice_to
from jace_repro.tester.check.reference import Reference
from jace_repro.tester.execute import xla
from jace_repro.tester.numerics import native
from jace_repro.tester.numerics.compare import Comparison, as_real, compare
from jace_repro.tester.numerics.errormodel import is_inexact
from jace_repro.tester.numerics.native_types import keeping_subnormals
from jace_repro.tester.numerics.noise import eps_of, limits_of
from jace_repro.tester.verdict.oracle import Assessment

_Array = np.ndarray[Any, Any]

#: How much of the digits DaCe and XLA may disagree in, relative to the largest magnitude of the output, and
#: still be called equal once the oracle found both right: eps ** 0.7 is 1.1e-11 for f64, 1.4e-5 for f32 and 0.03 for
#: bf16. Beyond it the program itself is ill-conditioned, if no coarser number is in it.
WELL_CONDITIONED = 0.7
#: What is no less than this share of the largest number may be infinite after a few more roundings.
NEARLY_INFINITE = 0.99
#: So many roundings of the largest number that a program computes may add up in what is left of a cancellation.
ROUNDINGS = 1024


def well_conditioned(reference: Reference, outputs: Sequence[_Array], found: Comparison) -> bool:
    """Whether a difference that rounding explains is small beside the outputs; one may overflow just before the other.

    Args:
        reference: XLA's side.
        outputs: DaCe's.
        found: how they differ.
    """
    if np.isinf(found.max_rel):
        closer = [_overflowing_alike(*pair) for pair in zip(reference.outputs, outputs, strict=True)]
        found = compare([a for a, _ in closer], [b for _, b in closer], reference.oracle.granted)
    return found.max_rel <= max(map(_eps, reference.outputs), default=0.0) ** WELL_CONDITIONED


def is_coarse(reference: Reference, found: Comparison) -> bool:
    """Whether a difference is small beside the outputs for the coarsest numbers that these are computed from.

    A loss in f32 of activations in bf16 has the digits of these.
    """
    if found.kind != "value":
        return False
    plain = inline_calls(reference.prog.plain)
    outvars = [plain.jaxpr.outvars[d.output] for d in found.differences]
    within = filter(is_inexact, dtypes(slice_to(plain, outvars)[0]))
    return found.max_rel <= max(map(eps_of, within), default=0.0) ** WELL_CONDITIONED


def _overflowing_alike(one: _Array, other: _Array) -> tuple[_Array, _Array]:
    """Two outputs, as real numbers, the same where one of them is infinite and the other close to it."""
    a, b = as_real(one), as_real(other)
    if not is_inexact(one.dtype):
        return a, b
    with np.errstate(all="ignore"):
        wide_a, wide_b = a.astype(np.float64), b.astype(np.float64)
        close = NEARLY_INFINITE * float(limits_of(one.dtype).max)
        alike = (np.isinf(wide_a) != np.isinf(wide_b)) & (np.sign(wide_a) == np.sign(wide_b))
        alike &= np.minimum(np.abs(wide_a), np.abs(wide_b)) >= close
    return a, np.where(alike, a, b)


def is_noise(reference: Reference, found: Comparison) -> bool:
    """Whether a difference is as small as the roundings of the numbers that the outputs were computed from.

    What is left of a cancellation, and a gradient that is zero by mathematics, are nothing but that. Beyond it an
    error has grown on its way: the program is unstable.
    """
    if found.kind != "value":
        return False
    largest = 0.0
    eps = min((_eps(reference.outputs[d.output]) for d in found.differences), default=0.0)
    with np.errstate(all="ignore"):
        for value in _values(reference):
            real = np.abs(as_real(value).astype(np.float64))
            largest = max(largest, float(np.max(real, where=np.isfinite(real), initial=0.0)))
    return found.max_abs <= ROUNDINGS * eps * largest


def _values(reference: Reference) -> Iterator[_Array]:
    """The floating-point inputs and results of equations."""
    yield from (a for a in reference.prog.flat if is_inexact(a.dtype))
    plain = reference.prog.plain
    for _, _, _, results in native.evaluate_each(inline_calls(plain), reference.prog.flat):
        yield from (np.asarray(r) for r in results if is_inexact(r.dtype))


def is_small(reference: Reference, wrong: Assessment, found: Comparison) -> bool:
    """Whether a difference on generated inputs is as small as rounding errors are.

    The oracle grants no noise to results that look exact, as they do on zeros, ones and halves; XLA, which divides
    by multiplying with a reciprocal, rounds there.
    """
    oracle = reference.oracle
    rounding = all(d.kind == "value" and not oracle.budgets[d.output].exact for d in wrong.differences)
    eps = min((_eps(reference.outputs[d.output]) for d in wrong.differences), default=0.0)
    return rounding and not oracle.rounds_nothing and found.max_rel <= eps**WELL_CONDITIONED


def is_rearranged(reference: Reference, wrong: Assessment) -> bool:
    """Whether XLA's optimisations alone have an infinity or a NaN elsewhere, for inputs nobody gave the program.

    XLA computes a / (b / c) as a * c / b and (x * a) * b as x * (a * b), so what is infinite in between may
    be finite in the end, or the other way round, and what is decided by it another number. It calls that right;
    the program's own inputs decide.
    """
    finite = all(np.all(np.isfinite(as_real(a))) for a in reference.prog.flat if is_inexact(a.dtype))
    if finite and not {d.kind for d in wrong.differences} & {"nan", "inf"}:
        return False
    try:
        witness = xla.run_each(reference.prog)  # unoptimized XLA rearranges as well
        return not reference.oracle.assess(witness).wrong
    except Exception:  # no witness, no excuse
        return False


def keeps_subnormals(reference: Reference, wrong: Assessment) -> bool:
    """Whether XLA is right where subnormal numbers are what they are, and not zeros.

    The processor takes them for zeros in XLA's code, but LLVM does not know that: it makes ``(x == 0) | (x == inf)`` a
    question to the bits of x, in which no subnormal number is a zero. IEEE 754 has none, either.
    """
    off, closed, args = [d.output for d in wrong.differences], reference.prog.plain, reference.prog.flat
    try:
        as_zeros = native.evaluate(closed, args)
        with keeping_subnormals():
            as_they_are = native.evaluate(closed, args)
    except Exception:  # no witness, no excuse
        return False
    agree = reference.oracle.agree
    return agree(reference.outputs, as_they_are, off) and not agree(as_zeros, as_they_are, off)


def is_read_otherwise(reference: Reference) -> bool:
    """Whether XLA itself gives another answer for what the oracle and DaCe take the program for.

    Both are given it with its calls inlined, a branch for this platform chosen and its keys and collectives replaced,
    by the same functions of jace's. What XLA gives for that and for the program as JAX traced it is the same, without
    optimisation down to the order of a sum.
    """
    prog, granted = reference.prog, reference.oracle.granted
    try:
        as_traced, as_read = xla.run_unoptimized_as_traced(prog), xla.run_unoptimized(prog)
    except Exception:  # no witness, no accusation
        return False
    stands = compare(reference.outputs, as_traced, granted).within_budget
    return stands and not compare(as_traced, as_read, granted).within_budget


def another_is_as_far(reference: Reference, outputs: Sequence[_Array]) -> bool:
    """Whether XLA without optimisation is beyond what the oracle explains, too, in like ways, and about as far.

    Then its samples do not tell what rounding does to this program: a recurrence that stops where its steps are smaller
    than the last digit, say. Other programs are not asked.
    """
    if not reference.oracle.loops:
        return False
    try:
        witness = xla.run_unoptimized(reference.prog)
    except Exception:  # no witness, no excuse
        return False
    return reference.oracle.assess(witness).wrong and reference.oracle.alike(outputs, witness)


def raises_without_optimisation(reference: Reference) -> bool:
    """Whether a program that runs under XLA raises in JAX equation by equation, or in XLA without optimisation."""
    for run in (xla.run_each, xla.run_unoptimized):
        try:
            run(reference.prog)
        except Exception:  # what it raises is its callback's business
            return True
    return False


def xla_stands_alone(reference: Reference, outputs: Sequence[_Array]) -> bool:
    """Whether JAX equation by equation and XLA without optimisation both agree with DaCe and not with XLA.

    Args:
        reference: XLA's side.
        outputs: DaCe's.
    """
    granted = reference.oracle.granted
    try:
        witnesses = xla.run_each(reference.prog), xla.run_unoptimized(reference.prog)
    except Exception:  # no witness, no acquittal
        return False
    return all(
        compare(seen, outputs, granted).within_budget
        and not compare(seen, reference.outputs, granted).within_budget
        for seen in witnesses
    )


def _eps(array: _Array) -> float:
    return eps_of(array.dtype) if is_inexact(array.dtype) else 0.0
