"""How far apart two correct executions of a program may be: rounding per primitive, budgets per output.

Two things are derived from the primitives of a program:

- `ERROR_ULPS`, the error a correct implementation of one primitive may make. The noise of the oracle
  (`precision.py`) is scaled by it.
- `budgets(closed)`, the distance up to which the fast comparison accepts without asking the oracle. It is
  narrow on
  purpose: beyond it nothing is convicted, the oracle is asked. Outputs that no rounding reaches have budget 0.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from jace.ir import (
    CALL_PRIMITIVES,
    CONTROL,
    ClosedJaxpr,
    Jaxpr,
    JaxprEqn,
    Literal,
    Var,
    inner_jaxprs,
    is_key_dtype,
    open_jaxpr,
    walk,
)

#: Largest error in ULP against a high-precision reference, (f32 and narrower, f64). Measured for XLA CPU of
#: jax 0.10.2 (facts: numerics); g++ with libm stays within 4 ULP on all of them. IEEE operations round
#: correctly.
ERROR_ULPS: dict[str, tuple[float, float]] = {
    "acos": (2.1, 1.3),
    "acosh": (3.7, 3.2),
    "asin": (2.0, 1.2),
    "asinh": (2.8, 2.5),
    "atan": (0.9, 1.3),
    "atan2": (1.4, 0.6),
    "atanh": (2.7, 129.0),
    "bessel_i0e": (5.6, 3.7),
    "bessel_i1e": (10.0, 4.5),
    "cbrt": (1.0, 3.2),
    "cos": (0.6, 0.6),
    "cosh": (24.0, 495.0),
    "erf": (4.9, 0.8),
    "erf_inv": (64.0, 512.0),
    "erfc": (63.0, 412.0),
    "exp": (4.1, 1.6),
    "exp2": (61.0, 682.0),
    "expm1": (5.1, 3.9),
    "integer_pow": (6.4, 6.5),
    "lgamma": (1e3, 780.0),  # away from its roots; near them only an absolute error makes sense
    "digamma": (1e3, 780.0),
    "log": (1.2, 0.6),
    "log1p": (2.4, 128.0),
    "log2": (3.4, 2.2),  # log, and a product with 1/log(2) rounded
    "logistic": (2.3, 2.3),
    "pow": (0.6, 0.6),
    "rsqrt": (1.0, 1.1),
    "sin": (0.6, 0.6),
    "sinh": (24.0, 495.0),
    "tan": (0.9, 0.6),
    "tanh": (4.1, 6.9),
}

#: Their results are rounded even where they look exact (tanh(40) is 1 or a little less).
ALWAYS_ROUND = frozenset(ERROR_ULPS) - {"integer_pow"}

#: One correctly rounded operation; also what an unlisted primitive gets.
IEEE_ULPS = 0.5
#: Iterative or composed functions without a published bound.
SPECIAL_ULPS = 512.0
SPECIAL = frozenset(
    {
        "igamma",
        "igammac",
        "igamma_grad_a",
        "random_gamma_grad",
        "regularized_incomplete_beta",
        "polygamma",
        "zeta",
    }
)

#: Sums: the error is relative to the sum of magnitudes, not to the result.
SUMS = frozenset(
    {
        "reduce_sum",
        "cumsum",
        "dot_general",
        "conv_general_dilated",
        "reduce_window_sum",
        "scatter-add",
        "scatter_add",
        "scatter-sub",
        "scatter_sub",
        "select_and_scatter_add",
        "ragged_dot_general",
    }
)
#: Products of many factors: the relative error grows with their number.
PRODUCTS = frozenset({"reduce_prod", "cumprod", "scatter-mul", "scatter_mul", "reduce_window"})
#: Factorisations and transforms: backward stable, so the error is that of perturbed operands.
LINALG = frozenset(
    {
        "cholesky",
        "eig",
        "eigh",
        "fft",
        "lu",
        "ormqr",
        "qr",
        "geqp3",
        "geqrf",
        "householder_product",
        "hessenberg",
        "schur",
        "svd",
        "triangular_solve",
        "tridiagonal",
        "tridiagonal_solve",
    }
)

#: They round nothing: what stands between a result and the operation that it matters to.
MOVES = frozenset(
    {"neg", "reshape", "broadcast_in_dim", "transpose", "squeeze", "expand_dims", "rev", "slice", "copy"}
)

#: They round correctly when their operands are exact, whatever the implementation: both paths give the same
#: bits.
CORRECTLY_ROUNDED = frozenset(
    {"add", "sub", "mul", "sqrt", "square", "convert_element_type", "reduce_precision"}
)

#: They move, select, compare or negate: never any rounding.
EXACT = frozenset(
    {
        *(
            "abs",
            "and",
            "approx_top_k",
            "argmax",
            "argmin",
            "bitcast_convert_type",
            "broadcast_in_dim",
            "ceil",
            "clamp",
            "clz",
        ),
        *(
            "complex",
            "concatenate",
            "conj",
            "copy",
            "copy_p",
            "cummax",
            "cummin",
            "device_put",
            "dynamic_slice",
        ),
        *(
            "dynamic_update_slice",
            "empty",
            "eq",
            "eq_to",
            "expand_dims",
            "floor",
            "gather",
            "ge",
            "gt",
            "imag",
        ),
        *("iota", "is_finite", "le", "le_to", "lt", "lt_to", "max", "min", "ne", "neg", "nextafter", "not"),
        *("optimization_barrier", "or", "pad", "platform_index", "population_count", "real", "reduce_and"),
        *("reduce_max", "reduce_min", "reduce_or", "reduce_xor", "reduce_window_max", "reduce_window_min"),
        *("reshape", "rev", "round", "scatter", "scatter-max", "scatter-min", "scatter_max", "scatter_min"),
        *(
            "select_and_gather_add",
            "select_n",
            "shift_left",
            "shift_right_arithmetic",
            "shift_right_logical",
            "sign",
            "slice",
            "sort",
        ),
        *(
            "split",
            "squeeze",
            "stack",
            "stop_gradient",
            "tile",
            "top_k",
            "transpose",
            "unstack",
            "xor",
            "rem",
        ),
        *("random_wrap", "random_unwrap", "random_bits", "random_seed", "random_split", "random_fold_in"),
        *("random_clone", "threefry2x32"),
    }
)

#: A small change of an operand can change their result by a step: a near tie explains a large difference.
DISCONTINUOUS = frozenset(
    {
        *(
            "argmax",
            "argmin",
            "ceil",
            "eq",
            "floor",
            "ge",
            "gt",
            "is_finite",
            "le",
            "lt",
            "ne",
            "rem",
            "round",
        ),
        *("sign", "sort", "top_k", "approx_top_k", "nextafter"),
    }
)

#: Floating-point results of these are not in proportion to a small change of operands: a corner, not a jump.
_CORNERS = frozenset(
    {
        *("clamp", "cummax", "cummin", "max", "min", "reduce", "reduce_max", "reduce_min", "reduce_window"),
        *("reduce_window_max", "reduce_window_min", "scatter_max", "scatter_min"),
        *("select_and_gather_add", "select_and_scatter", "select_and_scatter_add"),
    }
)


def is_smooth(closed: ClosedJaxpr) -> bool:
    """Whether noise moves all results in proportion to itself: nothing decides, nothing has a corner."""
    return not any(
        eqn.primitive.name in DISCONTINUOUS | _CORNERS
        or (_any_inexact(eqn.invars) and _any_exact(eqn.outvars))
        for _, eqn in walk(closed)
        if eqn.primitive.name not in CONTROL | CALL_PRIMITIVES
    )


def _any_inexact(atoms: Sequence[Any]) -> bool:
    return any(is_inexact(getattr(v.aval, "dtype", np.bool_)) for v in atoms)


def _any_exact(atoms: Sequence[Any]) -> bool:
    return any(not is_inexact(getattr(v.aval, "dtype", np.bool_)) for v in atoms)


#: The fast comparison never accepts more than this, however long the chain of roundings: beyond it, ask the
#: oracle.
FAST_CAP_ULPS = 32.0


@dataclass(frozen=True)
class Budget:
    """What the fast comparison grants one output: `ulps` apart; `exact` when no rounding reaches it."""

    ulps: float
    exact: bool


@dataclass(frozen=True)
class _State:
    """What is known of a variable: rounding so far, and whether it is one correctly rounded result.

    One correctly rounded operation on exact operands gives the same bits everywhere. Two in a row may not: a
    product and an addition contract to one rounding, and XLA rewrites (x + c) - c to x.
    """

    ulps: float = 0.0
    rounded: bool = False
    tainted: bool = False  # some other rounding, or a decision that depends on one, reached it


_CLEAN = _State()


def aval_of(atom: Any) -> Any:
    """The abstract value of a variable or literal: shape and dtype."""
    return atom.aval


@functools.cache
def is_inexact(dtype: Any) -> bool:
    """Whether operations of this dtype can round: floating or complex (never keys, integers, bool, float0)."""
    if is_key_dtype(dtype):
        return False
    dtype = np.dtype(dtype)
    # int4 is of kind V too, and float0, the tangent of an integer, which has no bytes.
    small = dtype.kind == "V" and 0 < dtype.itemsize <= 2 and "int" not in dtype.name
    return dtype.kind in "fc" or small


@functools.lru_cache(maxsize=1024)
def feeding(jaxpr: Jaxpr, names: frozenset[str], *, in_bodies: bool = False) -> frozenset[Var]:
    """The real values of a body that operations of these names are taken of, also where `MOVES` stands between.

    With `in_bodies` also what an equation is given that has such an operation in a body of its own.
    """
    found: set[Var] = set()
    for eqn in reversed(jaxpr.eqns):
        name = eqn.primitive.name
        bodies = inner_jaxprs(eqn) if in_bodies else ()
        inside = any(e.primitive.name in names for body in bodies for _, e in walk(body))
        if name in names or inside or (name in MOVES and not found.isdisjoint(eqn.outvars)):
            found.update(v for v in eqn.invars if isinstance(v, Var) and is_real(v))
    return frozenset(found)


def is_real(atom: Any) -> bool:
    """Whether a variable or literal is of a real floating-point dtype."""
    dtype = getattr(atom.aval, "dtype", np.dtype(bool))
    return is_inexact(dtype) and np.dtype(dtype).kind != "c"


def is_exact(eqn: JaxprEqn) -> bool:
    """Whether the equation never rounds. The modulus and the sign of a complex number do."""
    name = eqn.primitive.name
    if name in ("abs", "sign"):
        return np.dtype(aval_of(eqn.invars[0]).dtype).kind != "c"
    return name in EXACT


def error_ulps(primitive: str, dtype: Any) -> float:
    """Error in ULP that one correct execution of `primitive` may make on results of `dtype`."""
    column = 1 if np.dtype(dtype).itemsize >= (16 if np.dtype(dtype).kind == "c" else 8) else 0
    if primitive in ERROR_ULPS:
        return ERROR_ULPS[primitive][column]
    return SPECIAL_ULPS if primitive in SPECIAL else IEEE_ULPS


def budgets(closed: ClosedJaxpr) -> list[Budget]:
    """The budget of every output of the program, by a forward walk over its equations."""
    states = _states(open_jaxpr(closed), [_CLEAN] * len(closed.jaxpr.invars))
    return [Budget(min(state.ulps, FAST_CAP_ULPS), not state.tainted) for state in states]


def _states(jaxpr: Jaxpr, inputs: Sequence[_State]) -> list[_State]:
    env: dict[Var, _State] = dict.fromkeys(jaxpr.constvars, _CLEAN)
    env.update(zip(jaxpr.invars, inputs, strict=True))

    def read(atom: Var | Literal) -> _State:
        return _CLEAN if isinstance(atom, Literal) else env[atom]

    for eqn in jaxpr.eqns:
        env.update(zip(eqn.outvars, _equation(eqn, [read(v) for v in eqn.invars]), strict=True))
    return [read(v) for v in jaxpr.outvars]


def _equation(eqn: JaxprEqn, operands: Sequence[_State]) -> list[_State]:
    name = eqn.primitive.name
    before = _State(
        max((s.ulps for s in operands), default=0.0),
        any(s.rounded for s in operands),
        any(s.tainted for s in operands),
    )
    bodies = list(inner_jaxprs(eqn))
    if name == "jit" and len(bodies) == 1:
        return _states(open_jaxpr(bodies[0]), operands)
    if bodies and name not in EXACT | SUMS | PRODUCTS:
        combines = name not in CONTROL and name not in CALL_PRIMITIVES  # a body used many times, in any order
        rounds = before.tainted or before.rounded or any(_rounds(b, combines=combines) for b in bodies)
        after = _State(FAST_CAP_ULPS, True, True) if rounds else _CLEAN
        return [after] * len(eqn.outvars)
    return [_one_output(eqn, var, before) for var in eqn.outvars]


def _one_output(eqn: JaxprEqn, var: Any, before: _State) -> _State:
    name = eqn.primitive.name
    dtype = getattr(var.aval, "dtype", np.dtype(bool))
    if is_exact(eqn) or not is_inexact(dtype):
        return before if is_inexact(dtype) else _State(0.0, False, before.tainted or before.rounded)
    if _loses_nothing(eqn):
        return before
    if name in CORRECTLY_ROUNDED and np.dtype(dtype).kind != "c":
        tainted = before.tainted or before.rounded
        return _State(before.ulps + 2 * IEEE_ULPS if tainted else 0.0, True, tainted)
    return _State(before.ulps + 2 * error_ulps(name, dtype) + 1.0, True, True)


def _loses_nothing(eqn: JaxprEqn) -> bool:
    """A conversion to a float type that holds every value of its operand's type."""
    if eqn.primitive.name != "convert_element_type":
        return False
    source, target = aval_of(eqn.invars[0]).dtype, aval_of(eqn.outvars[0]).dtype
    return bool(np.can_cast(source, target, casting="safe"))


def _rounds(jaxpr: ClosedJaxpr | Jaxpr, *, combines: bool) -> bool:
    """Whether any equation of a body may round; in a combiner everything that is not exact does."""
    clean = [_CLEAN] * len(open_jaxpr(jaxpr).invars)
    # Loops feed outputs back as inputs, and the body's decisions too: every equation is looked at, not the
    # outputs.
    env: dict[Var, _State] = dict.fromkeys(open_jaxpr(jaxpr).constvars, _CLEAN)
    env.update(zip(open_jaxpr(jaxpr).invars, clean, strict=True))
    for eqn in open_jaxpr(jaxpr).eqns:
        operands = [_CLEAN if isinstance(v, Literal) else env[v] for v in eqn.invars]
        after = _equation(eqn, operands)
        inexact = combines and not is_exact(eqn) and is_inexact(aval_of(eqn.outvars[0]).dtype)
        if inexact or any(state.tainted or state.rounded for state in after):
            return True
        env.update(zip(eqn.outvars, after, strict=True))
    return False
