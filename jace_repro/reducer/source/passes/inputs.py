"""Passes on the inputs: those that nobody reads, their sizes, their values; and on the numbers of the text."""

from __future__ import annotations

import ast
import itertools
import math
from collections.abc import Iterator
from typing import Any

import jax
import numpy as np

from jace.ir import is_key_dtype
from jace_repro.reducer.loop import sizes_left
from jace_repro.reducer.source.code import names_in
from jace_repro.reducer.source.passes.registry import changed, source_pass
from jace_repro.reducer.source.program import Edits, Program


@source_pass("drop inputs", order=40)
def drop_inputs(program: Program) -> Edits:
    """Inputs that `repro` does not read."""
    read = set().union(*map(names_in, program.entry.body))
    kept = {name: value for name, value in program.inputs.items() if name in read}
    if len(kept) < len(program.args):
        yield program.taking(kept, "without inputs that are not read")


@source_pass("shrink sizes", order=110, trigger=sizes_left)
def shrink_sizes(program: Program) -> Edits:
    """All axes of one size, and the numbers of the text that are that size, made smaller; then single axes."""
    for size in sorted({n for arg in program.args for n in np.shape(arg)}, reverse=True):
        for smaller in _smaller(size):
            candidate = _resized(program, size, smaller)
            if (yield candidate):
                program = candidate
                break
    for number in range(len(program.args)):
        for axis in range(np.ndim(program.args[number])):
            for smaller in _smaller(np.shape(program.args[number])[axis]):
                cut = _cut(program.args[number], axis, smaller)
                candidate = program.with_input(number, cut, f"axis {axis} of input {number}: {smaller}")
                if (yield candidate):
                    program = candidate
                    break


def _smaller(size: int) -> list[int]:
    return sorted({n for n in (1, 2, 3, size // 4, size // 2, size - 1) if 0 < n < size})


def _resized(program: Program, size: int, smaller: int) -> Program:
    args = list(program.args)
    for number, arg in enumerate(args):
        for axis, n in enumerate(np.shape(arg)):
            if n == size:
                args[number] = _cut(args[number], axis, smaller)
    code = program.code
    numbers = [
        n
        for n in ast.walk(code.tree)
        if isinstance(n, ast.Constant) and type(n.value) is int and n.value == size
    ]
    text = code.edited(code.replacing(n, str(smaller)) for n in numbers)
    return program.edited(text, "").on(args, f"{size} -> {smaller}")


def _cut(array: Any, axis: int, size: int) -> Any:
    index = (*[slice(None)] * axis, slice(0, size))
    return array[index] if isinstance(array, jax.Array) else np.asarray(array)[index]


@source_pass("drop axes", order=115, trigger=sizes_left)
def drop_axes(program: Program) -> Edits:
    """Inputs without axes of one element: scalars, or without the first."""
    for number in range(len(program.args)):
        before = np.shape(program.args[number])
        for shape in dict.fromkeys(((), before[1:])):
            if before and math.prod(shape) == math.prod(before):
                reshaped = program.args[number].reshape(shape)
                candidate = program.with_input(number, reshaped, f"input {number} of shape {shape}")
                if (yield candidate):
                    program = candidate
                    break


@source_pass("simplify values", order=120, trigger=sizes_left)
def simplify_values(program: Program) -> Edits:
    """Inputs of zeros, ones, whole numbers or tenths: all at once, then one by one."""
    together = [list(one) for one in zip(*(_simpler(arg) for arg in program.args), strict=True)]
    for args in together:
        candidate = program.on(args, "all inputs plainer")
        if (yield candidate):
            program = candidate
            break
    for number in range(len(program.args)):
        for value in _simpler(program.args[number]):
            candidate = program.with_input(number, value, f"input {number} plainer")
            if (yield candidate):
                program = candidate
                break


def _simpler(value: Any) -> Iterator[Any]:
    """Plainer values of one type, the plainest first; always as many."""
    dtype = jax.typeof(value).dtype
    if (
        is_key_dtype(dtype)
        or isinstance(value, bool | int | float | complex)
        or getattr(value, "weak_type", False)
    ):
        return itertools.repeat(value, 4)
    array = np.asarray(value)
    with np.errstate(all="ignore"):
        wide = array.astype(np.complex128 if np.iscomplexobj(array) else np.float64)
        plainer = (np.zeros_like(array), np.ones_like(array), np.rint(wide), np.rint(wide * 10) / 10)
        return iter([one.astype(array.dtype) for one in plainer])


@source_pass("simplify numbers", order=130, trigger=sizes_left)
def simplify_numbers(program: Program) -> Edits:
    """Numbers of the text: 0, 1, 2, or a half of them."""
    count = len(_numbers(program))
    for place in range(count):
        numbers = _numbers(program)
        if place >= len(numbers):
            return
        for text in _plainer(numbers[place].value):
            code = program.code
            candidate = changed(
                program,
                [code.replacing(_numbers(program)[place], text)],
                f"{code.of(numbers[place])} -> {text}",
            )
            if candidate is not None and (yield candidate):
                program = candidate
                break


def _numbers(program: Program) -> list[ast.Constant]:
    return [
        n
        for n in ast.walk(program.code.tree)
        if isinstance(n, ast.Constant) and type(n.value) in (int, float)
    ]


def _plainer(value: Any) -> list[str]:
    if isinstance(value, float):
        return [f"{n:.1f}" for n in (0.0, 1.0, 2.0, 0.5) if n != value]
    return [str(n) for n in dict.fromkeys((0, 1, 2, 3, value // 2, value - 1)) if 0 <= n < value]
