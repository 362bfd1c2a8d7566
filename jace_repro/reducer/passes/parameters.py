"""The pass that makes parameters plainer: no padding, strides of 1, one element of the largest."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from jace import ir
from jace_repro.reducer.loop import sizes_left
from jace_repro.reducer.parameters import GROUP_COUNTS, PLAINER, plainer
from jace_repro.reducer.passes.common import each_equation, retraced
from jace_repro.reducer.passes.registry import reduction_pass
from jace_repro.reducer.passes.shapes import cut_axes
from jace_repro.reducer.problem import Candidates, Problem


@reduction_pass("simplify parameters", order=105, trigger=sizes_left)
def simplify_parameters(problem: Problem) -> Candidates:
    """The parameters of top-level equations, one by one; what follows is traced anew."""
    current = problem
    position = 0
    while position < len(current.eqns):
        for candidate in _plainer(current, position):
            if (yield candidate):
                current = candidate
                break
        else:
            position += 1


@reduction_pass("plainer primitives", order=106)
def plainer_primitives(problem: Problem) -> Candidates:
    """Put plainer primitives in the place of those that have one, at every depth, all at once."""
    if any(eqn.primitive.name in PLAINER for _, eqn in ir.walk(problem.jaxpr)):
        yield replace(problem, closed=each_equation(problem.closed, _plain), note="plainer primitives")


def _plain(eqn: ir.JaxprEqn) -> ir.JaxprEqn:
    return eqn.replace(primitive=PLAINER.get(eqn.primitive.name, eqn.primitive))


def _plainer(problem: Problem, position: int) -> Iterator[Problem]:
    """The problems with plainer parameters of one equation."""
    yield from _plain_window(problem, position)
    yield from _padded(problem, position)
    yield from _fewer_made(problem, position)
    eqn = problem.eqns[position]
    for name, params in plainer(eqn):
        if (made := _with(problem, position, params, name, problem.args)) is not None:
            yield made
        if name in GROUP_COUNTS and (share := eqn.params[name] // params[name]) > 1:
            yield from _with_fewer(problem, position, params, name, share)
    yield from _cropped(problem, position)


def _plain_window(problem: Problem, position: int) -> Iterator[Problem]:
    """The problems whose equation has windows of one element, or of two, on one of its operand and what pads it."""
    eqn = problem.eqns[position]
    sizes, padding = eqn.params.get("window_dimensions"), eqn.params.get("padding")
    operands = [i for i, v in enumerate(problem.jaxpr.invars) if v in eqn.invars]
    if sizes is None or padding is None or len(sizes) != len(padding):
        return
    windows = [axis for axis, size in enumerate(sizes) if size > 1]
    ones = dict.fromkeys(("window_strides", "base_dilation", "window_dilation"), (1,) * len(sizes))
    for length, pads in ((1, (0, 0)), (2, (1, 0)), (2, (0, 1)), (2, (1, 1))):
        params = {
            **eqn.params,
            **{name: one for name, one in ones.items() if name in eqn.params},
            "window_dimensions": tuple(length if axis in windows else 1 for axis in range(len(sizes))),
            "padding": tuple(pads if axis in windows else (0, 0) for axis in range(len(sizes))),
        }
        args = [*problem.args]
        for i in operands:
            args[i] = (
                cut_axes(args[i], dict.fromkeys(windows, 1)) if np.ndim(args[i]) == len(sizes) else args[i]
            )
        if (made := _with(problem, position, params, "windows", args)) is not None:
            yield made


def _padded(problem: Problem, position: int) -> Iterator[Problem]:
    """The problems with one element less of what an equation pads, or has windows on, and padding in its place.

    One element less of a kernel takes one from the padding.
    """
    eqn = problem.eqns[position]
    for operand, more, axes in _windowed(eqn):
        is_pad = eqn.primitive.name == "pad"
        name = "padding_config" if is_pad else "padding"
        which = [i for i, v in enumerate(problem.jaxpr.invars) if v is eqn.invars[operand]]
        for i, (dimension, axis), side in itertools.product(which, enumerate(axes), (0, 1)):
            pads = [list(pair) for pair in eqn.params[name]]
            before = pads[dimension][side]
            pads[dimension][side] += more
            size = np.shape(problem.args[i])[axis]
            fits = before < 0 if is_pad else before + more >= 0
            if size < 2 or not fits:
                continue
            args = [*problem.args]
            args[i] = cut_axes(args[i], {axis: size - 1}, tail=is_pad and side == 0)
            params = {**eqn.params, name: tuple(map(tuple, pads))}
            if (made := _with(problem, position, params, name, args)) is not None:
                yield made


def _cropped(problem: Problem, position: int) -> Iterator[Problem]:
    """The problems in which what is put between elements is the first, or the last, that is read."""
    params = problem.eqns[position].params
    is_pad = "padding_config" in params
    name = "padding_config" if is_pad else "padding"
    dilation = params.get("lhs_dilation", params.get("base_dilation"))
    if not is_pad and (dilation is None or not isinstance(params.get(name), tuple)):
        return
    for axis, (low, high, *interior) in enumerate(params[name]):
        between = interior[0] if is_pad else dilation[axis] - 1
        for less in ((low - 1, high), (low, high - 1)) if between and max(low, high) <= 0 else ():
            padding = (*params[name][:axis], (*less, *interior), *params[name][axis + 1 :])
            cropped = {**params, name: padding}
            if (made := _with(problem, position, cropped, "padding", problem.args)) is not None:
                yield made


def _windowed(eqn: ir.JaxprEqn) -> Iterator[tuple[int, int, Sequence[int]]]:
    """(operand, the padding that an element less of it asks for, its axes, one for each pair of the padding)."""
    if eqn.primitive.name == "pad":  # what negative padding takes away need not be there
        yield 0, 1, range(len(eqn.params["padding_config"]))
    if not isinstance(eqn.params.get("padding"), tuple):
        return
    if eqn.primitive.name == "conv_general_dilated":
        numbers = eqn.params["dimension_numbers"]
        yield 0, 1, numbers.lhs_spec[2:]
        yield 1, -1, numbers.rhs_spec[2:]
    elif "window_dimensions" in eqn.params:
        padded = 1 if eqn.primitive.name.startswith("select_and_") else 0
        yield padded, 1, range(len(eqn.params["padding"]))


def _fewer_made(problem: Problem, position: int) -> Iterator[Problem]:
    """The problems without an axis that an equation makes of nothing, or with a short one."""
    eqn = problem.eqns[position]
    if eqn.primitive.name not in ("iota", "broadcast_in_dim"):
        return
    shape, kept = eqn.params["shape"], eqn.params.get("broadcast_dimensions", ())
    for axis in range(len(shape)):
        if axis in kept:
            continue
        rest = (*shape[:axis], *shape[axis + 1 :])
        without = {**eqn.params, "shape": rest}
        if "dimension" in eqn.params:
            without["dimension"] -= axis < eqn.params["dimension"]
        else:
            without["broadcast_dimensions"] = tuple(k - (axis < k) for k in kept)
        short = (
            {**eqn.params, "shape": (*shape[:axis], n, *shape[axis + 1 :])} for n in (1, 2) if n < shape[axis]
        )
        for params in ([] if axis == eqn.params.get("dimension") else [without]) + [*short]:
            if (made := _with(problem, position, params, "shape", problem.args)) is not None:
                yield made


def _with_fewer(
    problem: Problem, position: int, params: dict[str, Any], name: str, share: int
) -> Iterator[Problem]:
    """Of an axis of an argument a share is left, too: as of the groups of its channels, or images."""
    for i, arg in enumerate(problem.args):
        for axis, size in enumerate(np.shape(arg)):
            if size > 1 and size % share == 0:
                args = [*problem.args]
                args[i] = cut_axes(arg, {axis: size // share})
                if (made := _with(problem, position, params, name, args)) is not None:
                    yield made


def _with(
    problem: Problem, position: int, params: dict[str, Any], name: str, args: Sequence[Any]
) -> Problem | None:
    """The problem with other parameters of one equation; None when the others do not fit that."""
    eqns = problem.eqns
    note = f"{name} of {eqns[position].primitive.name}"
    eqns[position] = eqns[position].replace(params=params)
    edited = problem.edited(eqns, problem.jaxpr.outvars, note)
    return retraced(edited, args, {}, note)
