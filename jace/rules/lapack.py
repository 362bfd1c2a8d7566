"""Kernels that call LAPACK and BLAS: operands by columns, workspaces, routines by dtype, NaN where one fails.

The routines are the C functions behind `scipy.linalg.cython_lapack` and `cython_blas`: the ones that JAX's own CPU
backend calls, with the same arguments on the same layout, so that the results are the same numbers. Their integers
have 32 bits.
"""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from jax.extend.core import JaxprEqn

from jace.build.externals import resolve
from jace.dtypes import ctype
from jace.errors import UnsupportedPrimitiveError
from jace.ir import failures
from jace.ir.core import Atom
from jace.plan import Emitter, Planner, Ref
from jace.plan.analysis import RECOMPUTE_BUDGET, rule_of
from jace.plan.emit import Index, Lazy
from jace.plan.index import ZERO, symbol
from jace.registry import Region

#: C++ argument: where a routine reports success (0) or failure.
INFO = "&info"
_PREFIXES = {"float32": "s", "float64": "d", "complex64": "c", "complex128": "z"}
_LARGEST = 2**31 - 1


@dataclass(frozen=True)
class Work:
    """A workspace of a routine.

    Attributes:
        dtype: its elements' type.
        size: its length; None asks the routine for the length it works best with, as JAX does.
    """

    dtype: Any
    size: int | None = None


class _Length:
    """The argument that is the length of the `Work` before it."""


LENGTH = _Length()


def unsupported(eqn: JaxprEqn, reason: str) -> UnsupportedPrimitiveError:
    """The error for an equation that JAX's CPU backend does not take either, or that exceeds LAPACK."""
    return UnsupportedPrimitiveError([failures.unsupported(eqn, reason)])


@dataclass
class Lapack:
    """The body of a kernel that runs once for every matrix of a batch.

    Attributes:
        dtype: element type of the routines, which decides their prefix.
        operands: the operands in memory; None for one that is computed while `matrix` copies it.
    """

    planner: Planner
    eqn: JaxprEqn
    em: Emitter
    index: Index
    dtype: np.dtype[Any]
    operands: list[Ref | None]
    results: list[Ref]
    temps: list[Ref] = field(default_factory=list)

    @property
    def real(self) -> np.dtype[Any]:
        """The dtype of real parts."""
        return np.empty(0, self.dtype).real.dtype

    @property
    def is_complex(self) -> bool:
        """Whether the routines are those of complex numbers."""
        return self.dtype.kind == "c"

    def shape(self, position: int) -> tuple[int, ...]:
        """Shape of an operand without the batch dimensions."""
        return tuple(self.eqn.invars[position].aval.shape[len(self.index) :])

    def temp(self, size: int, dtype: Any) -> str:
        """C++ pointer to a temporary of at least one element."""
        ref = self.planner.temp((max(1, size),), dtype)
        self.temps.append(ref)
        return f"w_{ref.buffer.name}"

    def operand(self, position: int) -> str:
        """C++ pointer to an operand of this matrix of the batch; to anything if it is empty."""
        ref = self.operands[position]
        assert ref is not None, position
        if ref.buffer.size == 0:
            return self.temp(1, ref.dtype)
        return f"({self.em.pointer(ref.buffer)} + {self._offset(ref)})"

    def result(self, position: int) -> str:
        """C++ pointer to a result of this matrix of the batch; to a temporary if it is empty."""
        ref = self.results[position]
        if ref.buffer.size == 0:
            return self.temp(1, ref.dtype)
        return f"(w_{ref.buffer.name} + {self._offset(ref)})"

    def _offset(self, ref: Ref) -> str:
        inner = (ZERO,) * (len(ref.shape) - len(self.index))
        return str(ref.address((*self.index, *inner)))

    def matrix(self, position: int, dtype: Any = None) -> str:
        """C++ pointer to a copy of an operand by columns, converted to `dtype` if given."""
        atom = self.eqn.invars[position]
        rows, columns = self.shape(position)
        kind = np.dtype(dtype or atom.aval.dtype)
        copy = self.temp(rows * columns, kind)
        if rows * columns == 0:
            return copy
        if self.operands[position] is not None:
            self.em.line(f"jace::lapack::transpose({self.operand(position)}, {rows}, {columns}, {copy});")
            return copy
        # The indices of the map are i0, i1, ...: a lambda with a parameter of such a name would hide one.
        element, i, j = (self.em.fresh(prefix) for prefix in ("element", "row", "column"))
        self.em.ranges.update({i: (0, rows), j: (0, columns)})
        with self.em.block(f"auto {element} = [&](jace::i64 {i}, jace::i64 {j})"):
            value = self.em.value(atom, (*self.index, symbol(i), symbol(j)))
            self.em.line(f"return jace::convert<{ctype(kind)}>({value});")
        self.em.semicolon()
        self.em.line(f"jace::lapack::by_columns({element}, {rows}, {columns}, {copy});")
        return copy

    def vector(self, position: int, target: str | None = None) -> str:
        """C++ pointer to a copy of an operand of rank 1 (in `target` if given)."""
        (size,) = self.shape(position)
        copy = target or self.temp(size, self.eqn.invars[position].aval.dtype)
        self.em.line(f"jace::lapack::copy({self.operand(position)}, {size}, {copy});")
        return copy

    def give(self, position: int, columns_first: str, good: str = "true") -> None:
        """Store a matrix that is at the C++ pointer `columns_first`, or NaN unless `good`."""
        rows, columns = self.results[position].shape[len(self.index) :]
        target = self.result(position)
        self.em.line(f"jace::lapack::give({good}, {columns_first}, {rows}, {columns}, {target});")

    def check(self, position: int, good: str) -> None:
        """Make a result of rank 1 NaN unless `good`."""
        (size,) = self.results[position].shape[len(self.index) :]
        self.em.line(f"jace::lapack::check({good}, {size}, {self.result(position)});")

    def lapack(self, routine: str, *arguments: Any) -> None:
        """Call a LAPACK routine, named without its prefix; the last argument is INFO.

        Args:
            arguments: ints; C++ pointer expressions; `Work` and `LENGTH`.
        """
        self._call(f"lapack/{self._prefix()}{routine}", arguments)

    def blas(self, routine: str, *arguments: Any) -> None:
        """Call a BLAS routine, named without its prefix."""
        self._call(f"blas/{self._prefix()}{routine}", arguments)

    def _prefix(self) -> str:
        return _PREFIXES[self.dtype.name]

    def _call(self, name: str, arguments: tuple[Any, ...]) -> None:
        sizes = _sizes(name, arguments)
        texts: list[str] = []
        work = iter(sizes)
        length = 0
        for argument in arguments:
            if isinstance(argument, Work):
                length = next(work)
                texts.append(self.temp(length, argument.dtype))
            else:
                texts.append(str(length if argument is LENGTH else argument))
            if (number := length if argument is LENGTH else argument) and isinstance(number, int):
                self._check_int(name, number)
        routine = self.em.fresh("f")
        self.em.statics.append(f'static void* const {routine} = jace_external("{name}");')
        self.em.line(f"jace::lapack::call({', '.join([routine, *texts])});")

    def _check_int(self, name: str, number: int) -> None:
        if number > _LARGEST:
            raise unsupported(self.eqn, f"{name} takes 32-bit integers, but {number} is needed")


def _sizes(name: str, arguments: tuple[Any, ...]) -> list[int]:
    """Lengths of the workspaces of a call, in order; the routine is asked for those that are not given."""
    given = [a.size for a in arguments if isinstance(a, Work)]
    refused = any(isinstance(a, int) and a > _LARGEST for a in arguments)
    if None not in given or refused:
        return [size or 1 for size in given]
    keep: list[Any] = []
    asked: list[tuple[Any, np.dtype[Any]]] = []
    for argument in arguments:
        if isinstance(argument, int):
            value: Any = ctypes.c_int(argument)
        elif argument is LENGTH:
            value = ctypes.c_int(-1)
        elif isinstance(argument, str) and argument.startswith('"'):
            value = ctypes.create_string_buffer(argument.strip('"').encode())
        else:
            value = ctypes.create_string_buffer(64)
        if isinstance(argument, Work):
            asked.append((value, np.dtype(argument.dtype)))
        keep.append(value)
    routine = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * len(keep))(resolve(name))
    routine(*[ctypes.cast(ctypes.byref(v), ctypes.c_void_p) for v in keep])
    answers = [math.ceil(np.frombuffer(buffer, dtype, 1)[0].real) for buffer, dtype in asked]
    return [size if size is not None else max(1, n) for size, n in zip(given, answers, strict=True)]


def _is_cheap(planner: Planner, atom: Atom) -> bool:
    """Whether an operand that is not in memory is better computed while it is copied, by one thread."""
    if isinstance(planner.source(atom), Ref):
        return False
    price, seen, pending = 0, set(), [atom]
    while pending and price <= RECOMPUTE_BUDGET:
        source = planner.source(pending.pop())
        if isinstance(source, Lazy) and id(source.eqn) not in seen:
            seen.add(id(source.eqn))
            price += source.rule.cost
            pending.extend(source.eqn.invars)
    return price <= RECOMPUTE_BUDGET


def lapack_kernel(
    planner: Planner,
    eqn: JaxprEqn,
    build: Callable[[Lapack], None],
    *,
    batch: tuple[int, ...] | None = None,
    compute: Any = None,
) -> None:
    """Add the kernel of an equation on batches of matrices.

    Args:
        build: emits the work on one matrix of the batch; the C++ variable `info` is 0 before.
        batch: the batch dimensions; by default those of the first operand, a batch of matrices.
        compute: the dtype of the routines; by default the first operand's.

    Raises:
        UnsupportedPrimitiveError: for a dtype that LAPACK does not have.
    """
    dtype = np.dtype(compute or eqn.invars[0].aval.dtype)
    if dtype.name not in _PREFIXES:
        raise unsupported(eqn, f"LAPACK has no {dtype.name} routines")
    outer = tuple(eqn.invars[0].aval.shape[:-2]) if batch is None else batch
    rule = rule_of(eqn)
    assert isinstance(rule, Region)
    operands = [
        None if position in rule.lazy and _is_cheap(planner, v) else planner.stored(v)
        for position, v in enumerate(eqn.invars)
    ]
    results = [planner.output(v) for v in eqn.outvars]
    written = [ref for ref in results if ref.buffer.size]
    if not written:
        return

    def body(em: Emitter, index: Index) -> None:
        em.line("jace::i32 info = 0;")
        kernel = Lapack(planner, eqn, em, index, dtype, operands, results, written)
        build(kernel)

    planner.kernel(eqn.primitive.name, outer, body, writes=written)


def cast(dtype: Any, number: int | float) -> str:
    """C++ expression of a number as LAPACK takes a scalar of the dtype."""
    return f"jace::real_constant<{ctype(dtype)}>({number})"
