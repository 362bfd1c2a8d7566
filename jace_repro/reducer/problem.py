"""The problem that a reduction works on: a program, the concrete arguments it fails on, and how large it is.

A candidate is just another `Problem`. Passes make candidates by editing jaxprs, so that every candidate is a
well typed program; `well_typed` is the last guard before an oracle call is spent on one.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple, TypeAlias

import jax
import numpy as np
from jax.extend.core import check_jaxpr, jaxpr_as_fun

from jace import ir
from jace.ir import is_key_dtype
from jace_repro.reducer import evaluation
from jace_repro.reducer.candidate import Steps
from jace_repro.reducer.dtypes import unplainness
from jace_repro.reducer.parameters import irregularity

Atom: TypeAlias = ir.Var | ir.Literal


class Key(NamedTuple):
    """Size of a problem, smaller is better, compared field by field.

    Attributes:
        equations: equations, bodies of control flow included.
        elements: elements of all inputs, captured constants, results and outputs, bodies included.
        trips: lengths of the scans, summed.
        variables: inputs and outputs; a captured constant is worse than an input.
        axes: those of all inputs, results and outputs, bodies included.
        types: how far theirs are from the plainest (`dtypes.unplainness`).
        parameters: how far parameters are from the plainest (`parameters.irregularity`).
        complexity: how irregular the values of arguments and literals are (`complexity_of`).
        text: length of small arguments and of literals when printed; zeros at the end count nothing.
    """

    equations: int
    elements: int
    trips: int
    variables: int
    axes: int
    types: int
    parameters: int
    complexity: int
    text: int


@dataclass(frozen=True, eq=False)
class Problem:
    """A closed jaxpr with the arguments it is run on.

    Attributes:
        closed: the program.
        args: one concrete value for each invar: jax or numpy arrays, scalars, typed keys.
        note: what the pass did that made this candidate, for progress lines.
    """

    closed: ir.ClosedJaxpr
    args: tuple[Any, ...]
    note: str = ""

    @property
    def jaxpr(self) -> ir.Jaxpr:
        """The open jaxpr."""
        return self.closed.jaxpr

    @property
    def eqns(self) -> list[ir.JaxprEqn]:
        """The top-level equations."""
        return list(self.closed.jaxpr.eqns)

    @property
    def consts(self) -> dict[ir.Var, Any]:
        """What the program has captured."""
        return dict(zip(self.jaxpr.constvars, self.closed.consts, strict=True))

    @cached_property
    def key(self) -> Key:
        """The sort key."""
        values = [*self.args, *(literal.val for literal in literals_of(self.jaxpr))]
        return Key(
            equations=ir.count_equations(self.closed),
            elements=_total(self.jaxpr, _size),
            trips=sum(int(eqn.params["length"]) for _, eqn in ir.walk(self.jaxpr) if "length" in eqn.params),
            variables=2 * len(self.consts) + len(self.jaxpr.invars) + len(self.jaxpr.outvars),
            axes=_total(self.jaxpr, _rank),
            types=_total(self.jaxpr, _unplain),
            parameters=irregularity(self.jaxpr),
            complexity=sum(map(complexity_of, values)),
            text=sum(map(text_length, values)),
        )

    @property
    def length(self) -> int:
        """How many equations there are: what passes cut out first."""
        return self.key.equations

    @property
    def equations(self) -> int:
        """How many equations there are, bodies included."""
        return self.key.equations

    @property
    def elements(self) -> int:
        """How many elements inputs, constants, results and outputs have."""
        return self.key.elements

    @cached_property
    def fingerprint(self) -> str:
        """Hash of the program and of the argument values: what verdicts are cached by."""
        digest = hashlib.sha256(ir.fingerprint(self.closed).encode())
        for arg in self.args:
            array = host(arg)
            digest.update(f"{array.dtype}{array.shape}{jax.typeof(arg)}".encode())
            digest.update(np.ascontiguousarray(array).tobytes())
        return digest.hexdigest()

    @cached_property
    def values(self) -> dict[ir.Var, Any]:
        """The value of every top-level variable, evaluated one equation at a time (`reducer.evaluation`).

        Evaluation stops at an equation that cannot be run: the variables after it are missing.
        """
        env: dict[ir.Var, Any] = dict(zip(self.jaxpr.invars, self.args, strict=True))
        env.update(self.consts)
        try:
            for _, eqn, _, outvals in ir.eval_each(self.closed, self.args, evaluation.equation):
                env.update(zip(eqn.outvars, outvals, strict=True))
        except Exception as error:  # the program may fail under plain JAX too: callers see `failure`
            object.__setattr__(self, "failure", f"{type(error).__name__}: {error}")
        return env

    def edited(
        self,
        eqns: Sequence[ir.JaxprEqn],
        outvars: Sequence[Atom],
        note: str,
        more: Mapping[ir.Var, Any] | None = None,
    ) -> Problem:
        """The problem with other equations and outputs, on its inputs and constants as far as these are used.

        Args:
            more: further inputs with their values, which come before its own.
        """
        more = more or {}
        invars, args = [*more, *self.jaxpr.invars], [*more.values(), *self.args]
        return make_problem(invars, args, eqns, outvars, note, self.consts)

    #: Why `values` is incomplete, "" when it is not.
    failure: str = ""

    def renamed(self, note: str) -> Problem:
        """The same problem with another note."""
        return replace(self, note=note)


#: What a pass is.
Candidates: TypeAlias = Steps[Problem]


def make_problem(
    invars: Sequence[ir.Var],
    args: Sequence[Any],
    eqns: Sequence[ir.JaxprEqn],
    outvars: Sequence[Atom],
    note: str,
    consts: Mapping[ir.Var, Any] | None = None,
) -> Problem:
    """A problem from its parts, with only the invars and constants that are used."""
    used = {v for v in outvars if isinstance(v, ir.Var)}
    used.update(v for eqn in eqns for v in eqn.invars if isinstance(v, ir.Var))
    pairs = [(v, a) for v, a in zip(invars, args, strict=True) if v in used]
    captured = {v: value for v, value in (consts or {}).items() if v in used}
    closed = ir.make_closed([v for v, _ in pairs], outvars, eqns, captured)
    return Problem(closed, tuple(a for _, a in pairs), note)


def normalise(closed: ir.ClosedJaxpr, args: Sequence[Any], note: str = "") -> Problem:
    """The problem of `closed` on `args`, with its captured constants turned into arguments."""
    jaxpr = closed.jaxpr
    invars = [*jaxpr.constvars, *jaxpr.invars]
    return make_problem(invars, [*closed.consts, *args], jaxpr.eqns, jaxpr.outvars, note)


def is_trivial(problem: Problem) -> bool:
    """Whether nothing is left to test: no equation, or no output computed by one."""
    results = {v for eqn in problem.eqns for v in eqn.outvars}
    return not any(isinstance(v, ir.Var) and v in results for v in problem.jaxpr.outvars)


def well_typed(problem: Problem) -> bool:
    """Whether JAX accepts the program on the types of its arguments (nothing is compiled or run)."""
    jaxpr = problem.jaxpr
    for var, arg in zip(jaxpr.invars, problem.args, strict=True):
        aval: Any = var.aval
        if aval.shape != np.shape(arg) or aval.dtype != jax.typeof(arg).dtype:
            return False
    try:
        check_jaxpr(jaxpr)
        retraced = jax.make_jaxpr(jaxpr_as_fun(problem.closed))(*problem.args)
    except Exception:  # any refusal by JAX means: not a candidate
        return False
    old: list[Any] = [v.aval for v in jaxpr.outvars]
    new: list[Any] = list(retraced.out_avals)
    return all(a.shape == b.shape and a.dtype == b.dtype for a, b in zip(old, new, strict=True))


def literals_of(jaxpr: ir.Jaxpr) -> Iterator[ir.Literal]:
    """The numbers that equations hold, bodies included, in order."""
    for _, eqn in ir.walk(jaxpr):
        yield from (v for v in eqn.invars if isinstance(v, ir.Literal) and not np.shape(v.val))


def number(value: Any, aval: Any) -> ir.Literal:
    """A number of a type, as equations hold it: a Python scalar where the type is one's, else NumPy's."""
    array = np.asarray(value, aval.dtype)[()]
    scalar = array.item()
    own = aval.weak_type and isinstance(scalar, int | float | complex) and jax.typeof(scalar) == aval
    return ir.Literal(scalar if own else array, aval)


def complexity_of(value: Any) -> int:
    """How irregular a value is.

    0 all zero, 1 all one, 2 all one digit, 3 digits, or all one number, 4 integers, 5 tenths, 6 anything.
    """
    array = host(value)
    if is_key_dtype(jax.typeof(value).dtype):
        return 6 if array.any() else 2
    if array.size == 0 or not array.any():
        return 0
    first = array.reshape(-1)[0]
    same = bool((array == first).all())
    if same and first == 1:
        return 1
    with np.errstate(all="ignore"):
        if array.dtype == bool:
            return 2 if same else 3
        wide = array.astype(np.complex128 if np.iscomplexobj(array) else np.float64)
        integral = bool((np.rint(wide) == wide).all())
        small = integral and float(np.abs(wide).max()) <= 9
        if same and small:
            return 2
        if (same and array.size > 1) or (integral and small):
            return 3
        if integral:
            return 4
        tenths = np.rint(wide * 10) / 10
        return 5 if bool((tenths.astype(array.dtype) == array).all()) else 6


def host(value: Any) -> np.ndarray[Any, Any]:
    """A value as NumPy has it; of keys their words."""
    if is_key_dtype(jax.typeof(value).dtype):
        value = jax.random.key_data(value)
    return np.asarray(value)


def text_length(value: Any) -> int:
    """How long a small value is when it is printed, without the zeros at its end."""
    array = host(value)
    # the shortest digits that mean it in its own type: those of 0.1 in f32 are many in f64
    return sum(len(str(v).rstrip("0")) for v in array.reshape(-1)) if array.size <= 256 else 0


def _total(jaxpr: ir.Jaxpr, measure: Callable[[Atom], int]) -> int:
    """The sum over all constants, inputs, results and outputs, bodies included."""
    total = sum(map(measure, (*jaxpr.constvars, *jaxpr.invars, *jaxpr.outvars)))
    for eqn in jaxpr.eqns:
        total += sum(map(measure, eqn.outvars))
        total += sum(_total(ir.open_jaxpr(sub), measure) for sub in ir.inner_jaxprs(eqn))
    return total


def _size(var: Atom) -> int:
    return math.prod(getattr(var.aval, "shape", ()))


def _rank(var: Atom) -> int:
    return len(getattr(var.aval, "shape", ()))


def _unplain(var: Atom) -> int:
    aval: Any = var.aval
    return unplainness(aval.dtype) if isinstance(aval, ir.ShapedArray) else 0
