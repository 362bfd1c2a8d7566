"""Retracing a program on arguments of other shapes.

Each equation is bound again on its new operands, with the parameters that spell out sizes rewritten: by a
rule for the primitive when it has one (`ADAPTERS`), else by the substitution `{old size: new size}` on the
parameters named in `SIZES`. JAX's own shape rules judge the result: a program that does not fit together is
no candidate, and costs no oracle call.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import jax

from jace import ir
from jace_repro.reducer.fewer_axes import on_fewer_axes
from jace_repro.reducer.problem import Problem

#: old size -> new size
Sizes = Mapping[int, int]
Shape = tuple[int, ...]
#: (parameters, old operand shapes, new operand shapes, size substitution) -> new parameters
Adapter = Callable[[dict[str, Any], Sequence[Shape], Sequence[Shape], Sizes], dict[str, Any]]

#: Parameters that are a size or a tuple of sizes, whatever the primitive.
SIZES = frozenset(
    {"shape", "sizes", "new_sizes", "slice_sizes", "dimension_size", "length", "axis_size", "fft_lengths"}
)


def anchored(position: int, old: int, new: int) -> int:
    """A position on an axis of size `old`, at the same distance to its nearer end when the size is `new`."""
    return max(new - (old - position), 0) if 2 * position > old else min(position, new)


def _broadcast_in_dim(
    params: dict[str, Any], old: Sequence[Shape], new: Sequence[Shape], sizes: Sizes
) -> dict[str, Any]:
    shape = [sizes.get(s, s) for s in params["shape"]]
    for axis, dim in enumerate(params["broadcast_dimensions"]):
        if old[0][axis] == params["shape"][dim]:
            shape[dim] = new[0][axis]
    return {**params, "shape": tuple(shape)}


def _reshape(
    params: dict[str, Any], old: Sequence[Shape], new: Sequence[Shape], sizes: Sizes
) -> dict[str, Any]:
    return {**params, "new_sizes": reshaped(old[0], params["new_sizes"], new[0], sizes)}


def reshaped(old_in: Shape, old_out: Shape, new_in: Shape, sizes: Sizes) -> Shape:
    """The new target of a reshape `old_in -> old_out` whose operand is now `new_in`.

    Runs of axes with equal products correspond; within a run the substitution is tried first, then the first
    axis that divides takes the change.
    """
    out: list[int] = []
    i = j = 0
    while i < len(old_in) or j < len(old_out):
        a, b = i, j
        left = right = 1
        if i < len(old_in):
            left, i = old_in[i], i + 1
        if j < len(old_out):
            right, j = old_out[j], j + 1
        while left != right:
            if left < right and i < len(old_in):
                left, i = left * old_in[i], i + 1
            elif j < len(old_out):
                right, j = right * old_out[j], j + 1
            else:
                break
        while i < len(old_in) and old_in[i] == 1 and j >= len(old_out):
            i += 1
        out += _run(old_out[b:j], math.prod(new_in[a:i]), sizes)
    return tuple(out)


def _run(old_out: Shape, total: int, sizes: Sizes) -> list[int]:
    if math.prod(old_out) == total:
        return list(old_out)
    mapped = [sizes.get(s, s) for s in old_out]
    if math.prod(mapped) == total:
        return mapped
    for axis in range(len(old_out)):
        rest = math.prod(s for k, s in enumerate(old_out) if k != axis)
        if rest and total % rest == 0:
            return [total // rest if k == axis else s for k, s in enumerate(old_out)]
    return mapped


def _slice(
    params: dict[str, Any], old: Sequence[Shape], new: Sequence[Shape], sizes: Sizes
) -> dict[str, Any]:
    del sizes
    start = tuple(map(anchored, params["start_indices"], old[0], new[0]))
    limit = tuple(
        max(s, m) for s, m in zip(start, map(anchored, params["limit_indices"], old[0], new[0]), strict=True)
    )
    return {**params, "start_indices": start, "limit_indices": limit}


def _windows(
    params: dict[str, Any], old: Sequence[Shape], new: Sequence[Shape], sizes: Sizes
) -> dict[str, Any]:
    """dynamic_slice, gather: a window as wide as the axis stays so, others shrink only when they must."""
    windows = tuple(
        n if size == o else min(sizes.get(size, size), n)
        for size, o, n in zip(params["slice_sizes"], old[0], new[0], strict=True)
    )
    return {**params, "slice_sizes": windows}


def _split(
    params: dict[str, Any], old: Sequence[Shape], new: Sequence[Shape], sizes: Sizes
) -> dict[str, Any]:
    total = new[0][params["axis"]]
    parts = [sizes.get(s, s) for s in params["sizes"]]
    if sum(parts) != total:
        parts = [max(1, s * total // old[0][params["axis"]]) for s in params["sizes"]]
        parts[-1] = total - sum(parts[:-1])
    return {**params, "sizes": tuple(parts)}


def _scan(params: dict[str, Any], old: Sequence[Shape], new: Sequence[Shape], sizes: Sizes) -> dict[str, Any]:
    del old
    scan = ir.Scan.of(params)
    stacked = scan.split(new)[2]
    length = stacked[0][0] if stacked else sizes.get(scan.length, scan.length)
    return replace(scan, length=length).params(params)


def _sort(params: dict[str, Any], old: Sequence[Shape], new: Sequence[Shape], sizes: Sizes) -> dict[str, Any]:
    """Its shape rule does not look whether there is such an axis."""
    del old, sizes
    if params["dimension"] >= len(new[0]):
        raise TypeError(f"no axis {params['dimension']} of {new[0]}")
    return params


def _triangular_solve(
    params: dict[str, Any], old: Sequence[Shape], new: Sequence[Shape], sizes: Sizes
) -> dict[str, Any]:
    """Its shape rule does not look whether there is a right side for each matrix."""
    del old, sizes
    if new[0][:-2] != new[1][:-2]:
        raise TypeError(f"matrices of {new[0]} for right sides of {new[1]}")
    return params


#: Primitives whose sizes follow from their operands, or whose own rules let through what is no program.
ADAPTERS: dict[str, Adapter] = {
    "broadcast_in_dim": _broadcast_in_dim,
    "reshape": _reshape,
    "slice": _slice,
    "dynamic_slice": _windows,
    "gather": _windows,
    "split": _split,
    "scan": _scan,
    "sort": _sort,
    "triangular_solve": _triangular_solve,
}


def adapt(eqn: ir.JaxprEqn, new: Sequence[Shape], sizes: Sizes) -> dict[str, Any]:
    """The parameters of `eqn` for operands of the shapes `new`; bodies are not touched."""
    avals: list[Any] = [v.aval for v in eqn.invars]
    old = [tuple(aval.shape) for aval in avals]
    params = dict(eqn.params)
    if any(len(after) < len(before) for before, after in zip(old, new, strict=True)):
        params = on_fewer_axes(eqn.primitive.name, params, old, new)
        old = [new[0], *old[1:]]
    adapter = ADAPTERS.get(eqn.primitive.name)
    if adapter is not None:
        return adapter(params, old, new, sizes)
    return {k: _substitute(v, sizes) if k in SIZES else v for k, v in params.items()}


def _substitute(value: Any, sizes: Sizes) -> Any:
    if isinstance(value, tuple):
        return tuple(_substitute(v, sizes) for v in value)
    return sizes.get(value, value) if type(value) is int else value


def retrace(problem: Problem, args: Sequence[Any], sizes: Sizes, note: str) -> Problem | None:
    """`problem` on `args` of other shapes, or None when its equations do not fit together on these."""
    try:
        closed = _retrace(problem.closed, [spec_of(jax.typeof(a)) for a in args], sizes)
    except Exception:  # JAX's shape rules raise many types: whatever they refuse is not a candidate
        return None
    return Problem(closed, tuple(args), note)


def spec_of(aval: Any, shape: Shape | None = None, *, like: Any = None) -> Any:
    """The jax.ShapeDtypeStruct of `aval`, in another shape if given, weakly typed if `like` or `aval` is."""
    weak = bool(getattr(aval if like is None else like, "weak_type", False))
    struct: Any = jax.ShapeDtypeStruct
    return struct(aval.shape if shape is None else shape, aval.dtype, weak_type=weak)


def _retrace(closed: ir.ClosedJaxpr, specs: Sequence[Any], sizes: Sizes) -> ir.ClosedJaxpr:
    def equation(eqn: ir.JaxprEqn, invals: list[Any]) -> list[Any]:
        params = adapt(eqn, [jax.typeof(v).shape for v in invals], sizes)
        return ir.eval_equation(eqn.replace(params=_with_bodies(eqn, params, invals, sizes)), invals)

    return jax.make_jaxpr(lambda *args: ir.evaluate(closed, args, equation))(*specs)


def _with_bodies(
    eqn: ir.JaxprEqn, params: dict[str, Any], invals: Sequence[Any], sizes: Sizes
) -> dict[str, Any]:
    """`params` with the bodies of control flow retraced on the new operands."""
    avals = [spec_of(jax.typeof(v)) for v in invals]

    def body(closed: ir.ClosedJaxpr, operands: Sequence[Any]) -> ir.ClosedJaxpr:
        # weak types are part of a body's interface: keep the old ones
        old = closed.jaxpr.invars
        specs = [spec_of(s, like=v.aval) for s, v in zip(operands, old, strict=True)]
        return _retrace(closed, specs, sizes)

    match eqn.primitive.name:
        case "scan":
            scan = ir.Scan.of(params)
            consts, carry, stacked = scan.split(avals)
            new = body(scan.body, [*consts, *carry, *(spec_of(s, s.shape[1:]) for s in stacked)])
            _same_types(scan.split_results(new.out_avals)[0], scan.split(new.in_avals)[1])
            return replace(scan, body=new).params(params)
        case "while":
            loop = ir.While.of(params)
            condition_consts, body_consts, carry = loop.split(avals)
            condition = body(loop.condition, [*condition_consts, *carry])
            new = body(loop.body, [*body_consts, *carry])
            _same_types(new.out_avals, new.in_avals[loop.body_consts :])
            return replace(loop, condition=condition, body=new).params(params)
        case "cond":
            branches = tuple(body(b, avals[1:]) for b in params["branches"])
            for branch in branches[1:]:
                _same_types(branch.out_avals, branches[0].out_avals)
            return {**params, "branches": branches}
        case "jit":
            return {**params, "jaxpr": body(params["jaxpr"], avals)}
        case _:
            return params


def _same_types(these: Sequence[Any], those: Sequence[Any]) -> None:
    """Binding a loop does not check that its body hands on what it takes: do so here."""
    for this, that in zip(these, those, strict=True):
        if this.shape != that.shape or this.dtype != that.dtype:
            raise TypeError(f"a body gives {this} where {that} is expected")
