"""Programs made of other programs: a recorded one, or one of a corpus, with something about it changed.

What is tried is what a person would change who looks for a bug: another size, another type, another function of the
same kind, a loop or a derivative around it, another program behind it; and what a compiler is made to change back:
copies, the same thing computed twice, an array written in two parts.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from jace import ir
from jace_repro.fuzz.blocks import BLOCKS
from jace_repro.fuzz.draw import Draw
from jace_repro.fuzz.programs import REFUSED
from jace_repro.reducer.passes.shapes import Group, groups
from jace_repro.reducer.problem import Problem
from jace_repro.reducer.retrace import retrace

_Array = np.ndarray[Any, Any]
#: So many mutations are drawn at most.
TRIES = 20


@dataclass(frozen=True)
class Subject:
    """A program that is mutated.

    Attributes:
        closed: without calls.
        arrays: its inputs.
        says: what was done to it, in order.
    """

    closed: ir.ClosedJaxpr
    arrays: tuple[_Array, ...]
    says: tuple[str, ...] = ()

    def as_(self, function: Callable[..., Any], says: str, arrays: Sequence[_Array] | None = None) -> Subject:
        """Another program in its place. Raises what JAX raises where it refuses that."""
        given = self.arrays if arrays is None else tuple(arrays)
        closed = ir.inline_calls(jax.make_jaxpr(function)(*given))
        return Subject(closed, given, (*self.says, says))


#: A mutation: raises TypeError or ValueError where it means nothing for this program.
Mutator = Callable[[Draw, Subject], Subject]


def mutated(draw: Draw, subject: Subject, partner: Subject) -> Subject:
    """A program with one to three things changed, each drawn among all; what JAX refuses is drawn again.

    Args:
        draw: draws them.
        subject: the program.
        partner: another one, which may be put behind it.
    Raises:
        ValueError: whatever is drawn is refused.
    """
    wanted = len(subject.says) + draw.whole(1, 3)
    for _ in range(TRIES):
        name = draw.pick("mutator", (*MUTATORS, "splice"))
        try:
            subject = spliced(draw, subject, partner) if name == "splice" else MUTATORS[name](draw, subject)
        except REFUSED:
            continue
        if len(subject.says) == wanted:
            break
    if not subject.says:
        raise ValueError("nothing about it can be changed")
    return subject


# --- around it -----------------------------------------------------------------------------------------------


def _wrapped(d: Draw, subject: Subject) -> Subject:
    """In a loop, a branch or a transform."""
    name = d.pick("block", tuple(BLOCKS))
    trips = d.whole(1, 4)

    def block(*xs: Any) -> list[Any]:
        return list(map(jnp.asarray, ir.evaluate(subject.closed, xs)))  # an output may be a literal

    if not subject.arrays:
        raise ValueError("nothing to carry")
    return subject.as_(lambda *xs: BLOCKS[name](block, trips)(*map(jnp.asarray, xs)), f"in {name}")


def spliced(draw: Draw, subject: Subject, partner: Subject) -> Subject:
    """With another program behind it, which reads what this one gives where types fit.

    Raises:
        ValueError: nothing fits.
    """
    outs: list[Any] = [v.aval for v in subject.closed.jaxpr.outvars]
    wanted: list[Any] = [v.aval for v in partner.closed.jaxpr.invars]
    fed: dict[int, int] = {}
    for place, aval in enumerate(wanted):
        fitting = [k for k, out in enumerate(outs) if (out.shape, out.dtype) == (aval.shape, aval.dtype)]
        if fitting:
            fed[place] = draw.random.choice(fitting)
    if not fed:
        raise ValueError("nothing of one program fits the other")
    own = len(subject.arrays)
    free = [k for k in range(len(wanted)) if k not in fed]

    def both(*xs: Any) -> list[Any]:
        first = ir.evaluate(subject.closed, xs[:own])
        rest = dict(zip(free, xs[own:], strict=True))
        second = ir.evaluate(
            partner.closed, [first[fed[k]] if k in fed else rest[k] for k in range(len(wanted))]
        )
        return [*(x for k, x in enumerate(first) if k not in fed.values()), *second]

    return subject.as_(both, "with another behind it", (*subject.arrays, *(partner.arrays[k] for k in free)))


# --- what a compiler is made to change back ------------------------------------------------------------------


def _halves(x: Any) -> tuple[Any, Any]:
    middle = (x.shape[0] + 1) // 2
    return x[:middle], x[middle:]


def _written_in_parts(x: Any) -> Any:
    first, second = _halves(x)
    return jnp.zeros_like(x).at[len(first) :].set(second).at[: len(first)].set(first)


#: What gives back the array that it is given, of at least one axis.
SAME: Mapping[str, Callable[[Any], Any]] = {
    "copied": lax.copy_p.bind,
    "flattened and back": lambda x: x.reshape(-1).reshape(x.shape),
    "transposed twice": lambda x: x.T.T,
    "reversed twice": lambda x: lax.rev(lax.rev(x, (0,)), (0,)),
    "in halves and joined": lambda x: jnp.concatenate(_halves(x)),
    "written in parts": _written_in_parts,
    "updated in zeros": lambda x: lax.dynamic_update_slice(jnp.zeros_like(x), x, (0,) * x.ndim),
    "padded and cut": lambda x: jnp.concatenate([x, x[:1]])[: x.shape[0]],
    "one of two": lambda x: jnp.stack([jnp.zeros_like(x), x])[1],
    "selected": lambda x: jnp.where(lax.optimization_barrier(jnp.bool_(True)), x, jnp.zeros_like(x)),
    "carried": lambda x: lax.fori_loop(0, 2, lambda _, y: y[::-1], x),
    "gathered": lambda x: x[jnp.arange(x.shape[0])],
}


def _baited(d: Draw, subject: Subject) -> Subject:
    """With values copied on the way, and equations computed twice."""
    how = d.pick("bait", ("twice", *SAME))
    chosen = _some(d, ir.count_equations(subject.closed))

    def equation(number: int, eqn: ir.JaxprEqn, operands: list[Any]) -> list[Any]:
        outs = ir.eval_equation(eqn, operands)
        if number not in chosen:
            return outs
        if how == "twice":
            return [d.random.choice(pair) for pair in zip(outs, ir.eval_equation(eqn, operands), strict=True)]
        return [SAME[how](x) if x.ndim and x.size and not _is_key(x) else x for x in outs]

    return _rewritten(subject, equation, f"values {how}" if how != "twice" else "values computed twice")


def _is_key(x: Any) -> bool:
    return ir.is_key_dtype(x.dtype)


# --- other equations ------------------------------------------------------------------------------------------


def _of_elements(name: str, operands: Sequence[Any], params: Mapping[str, Any]) -> Any:
    return getattr(lax, {"and": "bitwise_and", "or": "bitwise_or", "xor": "bitwise_xor"}.get(name, name))(
        *operands
    )


def _reduced(name: str, operands: Sequence[Any], params: Mapping[str, Any]) -> Any:
    return getattr(lax, name)(*operands, params["axes"])


def _accumulated(name: str, operands: Sequence[Any], params: Mapping[str, Any]) -> Any:
    return getattr(lax, name)(*operands, axis=params["axis"], reverse=params["reverse"])


def _found(name: str, operands: Sequence[Any], params: Mapping[str, Any]) -> Any:
    return getattr(lax, name)(*operands, params["axes"][0], params["index_dtype"])


def _windowed(name: str, operands: Sequence[Any], params: Mapping[str, Any]) -> Any:
    return getattr(lax, f"{name}_p").bind(*operands, **params)


_Bound = Callable[[str, Sequence[Any], Mapping[str, Any]], Any]
_KINDS: tuple[tuple[_Bound, str], ...] = (
    (
        _of_elements,
        "sin cos tanh logistic exp erf atan asinh neg abs floor sign exp2 expm1 cbrt sinh cosh square",
    ),
    (_of_elements, "rsqrt sqrt log log1p tan lgamma digamma acosh erf_inv"),
    (_of_elements, "add sub mul max min div rem pow atan2"),
    (_of_elements, "and or xor"),
    (_of_elements, "shift_left shift_right_logical shift_right_arithmetic"),
    (_of_elements, "eq ne lt le gt ge"),
    (_reduced, "reduce_sum reduce_max reduce_min reduce_prod"),
    (_reduced, "reduce_and reduce_or reduce_xor"),
    (_accumulated, "cumsum cumprod cummax cummin cumlogsumexp"),
    (_found, "argmax argmin"),
    (_windowed, "reduce_window_sum reduce_window_max reduce_window_min"),
)
#: By the name of a primitive those that may stand for it, and how one is bound in its place.
ALIKE: Mapping[str, tuple[tuple[str, ...], _Bound]] = {
    name: (tuple(other for other in names.split() if other != name), bound)
    for bound, names in _KINDS
    for name in names.split()
}
#: Parameters that are truths, of which either means something for the same operands.
FLAGS = frozenset({"reverse", "lower", "transpose_a", "conjugate_a", "unit_diagonal", "is_stable", "exact"})
#: Parameters that name an axis or several.
AXES = frozenset({"axis", "axes", "dimension", "dimensions"})


def _exchanged(d: Draw, subject: Subject) -> Subject:
    """Some equations with another function of the same kind."""
    places = [k for k, (_, eqn) in enumerate(ir.walk(subject.closed)) if eqn.primitive.name in ALIKE]
    if not places:
        raise ValueError("no equation has others of its kind")
    chosen = set(d.random.sample(places, min(len(places), d.whole(1, 3))))

    def equation(number: int, eqn: ir.JaxprEqn, operands: list[Any]) -> list[Any]:
        if number not in chosen or eqn.primitive.name not in ALIKE:
            return ir.eval_equation(eqn, operands)
        others, bound = ALIKE[eqn.primitive.name]
        return [bound(d.random.choice(others), operands, eqn.params)]

    return _rewritten(subject, equation, "other functions of a kind")


def _flipped(d: Draw, subject: Subject) -> Subject:
    """An equation along another axis, or the other way round."""
    places = [
        (k, name)
        for k, (_, eqn) in enumerate(ir.walk(subject.closed))
        for name in eqn.params
        if name in FLAGS or name in AXES
    ]
    if not places:
        raise ValueError("no equation has an axis or a direction")
    place, name = d.random.choice(places)

    def equation(number: int, eqn: ir.JaxprEqn, operands: list[Any]) -> list[Any]:
        if number != place or name not in eqn.params:
            return ir.eval_equation(eqn, operands)
        value, rank = eqn.params[name], max((np.ndim(x) for x in operands), default=0)
        new: Any = not value
        if name in AXES:
            count_of = 1 if isinstance(value, int) else len(value)
            axes = tuple(sorted(d.random.sample(range(rank), min(rank, count_of))))
            new = axes[0] if isinstance(value, int) and axes else axes
        return ir.eval_equation(eqn.replace(params={**eqn.params, name: new}), operands)

    return _rewritten(subject, equation, f"another {name}")


#: Of an equation, after its number: its results.
_Rewrite = Callable[[int, ir.JaxprEqn, list[Any]], Sequence[Any]]


def _rewritten(subject: Subject, rewrite: _Rewrite, says: str) -> Subject:
    """The program with each equation, those of bodies too, bound by `rewrite`; counted as `ir.walk` does."""
    count = itertools.count()

    def equation(eqn: ir.JaxprEqn, operands: list[Any]) -> Sequence[Any]:
        number = next(count)
        params = ir.map_bodies(eqn.params, inside)
        return rewrite(number, eqn.replace(params=params), operands)

    def inside(body: ir.ClosedJaxpr) -> ir.ClosedJaxpr:
        specs: list[Any] = [_spec(v.aval) for v in body.jaxpr.invars]
        found = jax.make_jaxpr(lambda *xs: ir.evaluate(body, xs, equation))(*specs)
        old: list[Any] = body.out_avals
        for this, that in zip(found.out_avals, old, strict=True):
            if (this.shape, this.dtype) != (that.shape, that.dtype):
                raise TypeError(f"a body gives {this} where {that} is expected")
        return found

    return subject.as_(lambda *xs: ir.evaluate(subject.closed, xs, equation), says)


def _spec(aval: Any) -> Any:
    struct: Any = jax.ShapeDtypeStruct
    return struct(aval.shape, aval.dtype, weak_type=getattr(aval, "weak_type", False))


def _some(d: Draw, count: int) -> set[int]:
    """A few of so many places, or all of them."""
    if not count:
        raise ValueError("no equations")
    if d.rarely(4):
        return set(range(count))
    return set(d.random.sample(range(count), min(count, d.whole(1, 4))))


# --- other sizes and types -----------------------------------------------------------------------------------

#: Sizes that axes are changed to, besides one more and one less.
SIZES = (1, 2, 3, 5, 8, 17, 33)


def _resized(d: Draw, subject: Subject) -> Subject:
    """One size, wherever it occurs, is another."""
    if _trusts_indices(subject.closed):
        raise ValueError("an index that is out of bounds would be read")
    problem = Problem(subject.closed, subject.arrays)
    found = groups(problem)
    if not found:
        raise ValueError("no axis can change")
    group = d.random.choice(found)
    new = d.random.choice([n for n in {*SIZES, group.size - 1, group.size + 1} if n != group.size and n > 0])
    made = retrace(problem, _arrays_of(problem, group, new), group.sizes(problem, new), "")
    if made is None:
        raise ValueError(f"an axis of {group.size} cannot be one of {new}")
    arrays = tuple(map(np.asarray, made.args))
    return Subject(made.closed, arrays, (*subject.says, f"an axis of {group.size} to {new}"))


def _arrays_of(problem: Problem, group: Group, new: int) -> list[_Array]:
    """The inputs with the group's axes as long as that: cut, or begun anew at their ends."""
    arrays = []
    for k, array in enumerate(problem.args):
        for place, axis in group.axes:
            size = group.cut(array.shape[axis], new) if place == k else None
            if size is not None:
                array = np.take(array, np.arange(size), axis, mode="wrap")
        arrays.append(array)
    return arrays


def _trusts_indices(closed: ir.ClosedJaxpr) -> bool:
    """Whether an equation promises that its indices are in bounds, or that no two are the same."""
    return any(
        eqn.params.get("unique_indices") or "PROMISE" in str(eqn.params.get("mode"))
        for _, eqn in ir.walk(closed)
    )


_OTHER_TYPES: Mapping[str, tuple[str, ...]] = {
    "float32": ("float16", "bfloat16", "float64"),
    "float64": ("float32", "float16"),
    "float16": ("bfloat16", "float32"),
    "bfloat16": ("float16", "float32"),
    "int32": ("int8", "int16", "uint32", "int64"),
    "int64": ("int32", "uint8"),
    "uint32": ("int32", "uint8", "uint16"),
    "complex64": ("complex128",),
    "complex128": ("complex64",),
}
_WIDE = frozenset({"float64", "int64", "uint64", "complex128"})


def _retyped(d: Draw, subject: Subject) -> Subject:
    """One type, wherever it occurs, is another."""
    others = {
        name: [other for other in _OTHER_TYPES.get(name, ()) if d.x64 or other not in _WIDE]
        for name in sorted({x.dtype.name for x in subject.arrays if not _is_key(x)})
    }
    if not any(others.values()):
        raise ValueError("no type can change")
    old = d.random.choice([name for name, found in others.items() if found])
    new = d.random.choice(others[old])
    types = {np.dtype(old): np.dtype(jnp.dtype(new))}
    with np.errstate(all="ignore"):
        arrays = [x.astype(types.get(x.dtype, x.dtype)) for x in subject.arrays]
    return subject.as_(lambda *xs: _evaluate_as(subject.closed, xs, types), f"{old} to {new}", arrays)


def _evaluate_as(closed: ir.ClosedJaxpr, xs: Sequence[Any], types: Mapping[Any, Any]) -> list[Any]:
    """The program with types exchanged, in its literals, constants and parameters too."""

    def as_new(value: Any) -> Any:
        dtype = getattr(value, "dtype", None)
        return jnp.asarray(value).astype(types[dtype]) if dtype in types else value

    def parameter(value: Any) -> Any:
        if isinstance(value, tuple) and not hasattr(value, "_fields"):
            return tuple(map(parameter, value))
        if isinstance(value, np.dtype):
            return types.get(value, value)
        if isinstance(value, type) and issubclass(value, np.generic):
            return types.get(np.dtype(value), value)
        return value

    def body(old: ir.ClosedJaxpr) -> ir.ClosedJaxpr:
        specs = [_spec_as(v.aval, types) for v in old.jaxpr.invars]
        return jax.make_jaxpr(lambda *inner: _evaluate_as(old, inner, types))(*specs)

    def equation(eqn: ir.JaxprEqn, operands: list[Any]) -> Sequence[Any]:
        params = ir.map_bodies({name: parameter(value) for name, value in eqn.params.items()}, body)
        return ir.eval_equation(eqn.replace(params=params), list(map(as_new, operands)))

    consts = [as_new(const) for const in closed.consts]
    return ir.evaluate(ir.ClosedJaxpr(closed.jaxpr, consts), xs, equation)


def _spec_as(aval: Any, types: Mapping[Any, Any]) -> Any:
    struct: Any = jax.ShapeDtypeStruct
    return struct(aval.shape, types.get(aval.dtype, aval.dtype), weak_type=aval.weak_type)


#: Mutations of one program, by name.
MUTATORS: Mapping[str, Mutator] = {
    "wrap": _wrapped,
    "bait": _baited,
    "exchange": _exchanged,
    "flip": _flipped,
    "resize": _resized,
    "retype": _retyped,
}
