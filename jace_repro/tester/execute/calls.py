"""The ways to call a compiled program: each must give the bits that a direct call gives.

Through XLA, again and again with other arguments between; from two threads at once; with arguments that are not
contiguous, or the same array twice; inside of a loop that XLA compiles, and mapped over a batch, which is another
program and may round otherwise. Differentiated, forward and backward, it is one more program: XLA says what that gives.

What is called twice with the same arguments may find its own results in the memory that it gets, and two calls at once
with the same arguments may share all they have: so there are two sets of arguments. A program with a `while` need
not end on any but its own.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from threading import Barrier
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.extend.core import jaxpr_as_fun

from jace.ir import is_key_dtype, primitives
from jace_repro.tester.execute import xla
from jace_repro.tester.execute.backends import Executable
from jace_repro.tester.execute.conditions import poisoned
from jace_repro.tester.execute.runs import POISONS, Execution
from jace_repro.tester.execute.traced import TracedProgram, calls_out, from_jaxpr
from jace_repro.tester.numerics.errormodel import is_inexact

_Array = np.ndarray[Any, Any]
_Outputs = list[_Array]

#: Larger arguments and slower programs are called from XLA once: each further call costs as much again.
MOST_BYTES = 1 << 22
MOST_SECONDS = 0.05
#: Calls of each of two threads at once. As many must meet one of the other thread: there are further rounds, for so
#: many seconds, until they have.
AT_ONCE = 16
TO_MEET = 0.5
#: JAX gives these one key for a whole batch: what is mapped has other numbers.
_ONE_KEY = frozenset({"rng_bit_generator", "rng_uniform"})
#: XLA's derivatives of these are series that take minutes at some arguments.
_SLOW_DERIVATIVES = frozenset({"igamma", "igammac", "random_gamma_grad", "igamma_grad_a"})


@dataclass(frozen=True)
class Call:
    """What one way to call a program gave.

    Attributes:
        way: as in "called {way}".
        expected: what a direct call gives.
        got: what this one did.
        rounds: whether it may round otherwise than the direct one.
        derived: the program that it is one more of, if it is: XLA gives what is expected, and each rounds in its way.
    """

    way: str
    expected: _Outputs
    got: _Outputs
    rounds: bool = False
    derived: TracedProgram | None = None


@dataclass(frozen=True)
class _Program:
    """An executable that XLA can call, its arguments, and others that are as good."""

    executable: Any
    prog: TracedProgram
    execution: Execution

    def direct(self, args: Sequence[_Array]) -> _Outputs:
        """The outputs of a direct call on copies of the arguments."""
        return _copies(self.executable.call_direct(*_copies(args)))

    def from_xla(self, args: Sequence[Any]) -> _Outputs:
        """The outputs of a call from XLA, copied at once: who writes them later is too late."""
        return _copies(self.executable.call_ffi(*args))

    @cached_property
    def only_its_own(self) -> bool:
        """Whether it is to be called on its own arguments only."""
        closed = self.prog.closed
        # it need not end, or may do something else, on arguments that nobody gave it
        unsafe = "while" in primitives(closed) or calls_out(closed)
        return unsafe or bool(closed.effects) or self._keyed or bool(self.execution.differing)

    def has(self, names: frozenset[str]) -> bool:
        """Whether one of these primitives is in it, also in what random bits are made of."""
        return not names.isdisjoint(primitives(self.prog.plain))

    @property
    def _keyed(self) -> bool:
        return any(is_key_dtype(getattr(a, "dtype", None)) for a in self.prog.args)

    @cached_property
    def sets(self) -> tuple[tuple[Sequence[Any], _Outputs], ...]:
        """Sets of arguments, its own first, each with what a direct call gives."""
        own = (self.prog.args, self.execution.outputs)
        if self.only_its_own:
            return own, own
        others = [_other(a) for a in self.prog.flat]
        return own, (others, self.direct(others))


def calls(
    executable: Executable, prog: TracedProgram, execution: Execution, *, inside: bool = False
) -> Iterator[Call]:
    """All ways but the direct one, of an executable that XLA can call.

    Args:
        execution: the direct calls.
        inside: whether a loop and a batch around it and its derivatives are compiled, too, which takes longer than
            all else.
    """
    program = _Program(executable, prog, execution)
    with poisoned(POISONS[0]):
        yield Call("from XLA", execution.outputs, program.from_xla(prog.args))
    if sum(a.nbytes for a in prog.flat) > MOST_BYTES:
        return
    started = time.perf_counter()
    yield Call("directly once more", execution.outputs, program.direct(prog.flat))
    if time.perf_counter() - started > MOST_SECONDS:
        return
    traced = inside and hasattr(executable, "call_traced")
    inner = (_in_scan, _in_vmap, _differentiated) if traced else ()
    for ask in (_again, _at_once, _strided, _aliased, *inner):
        yield from ask(program)


def _again(program: _Program) -> Iterator[Call]:
    for args, expected in reversed(program.sets):
        yield Call("from XLA once more", expected, program.from_xla(args))


def _at_once(program: _Program) -> Iterator[Call]:
    # Callbacks at once may wait for one another for ever in JAX itself, each holding a thread of XLA's that is to copy
    # what another one reads: https://github.com/jax-ml/jax/issues/24255
    if calls_out(program.prog.closed):
        return
    ways = {"from XLA, from two threads at once": program.from_xla}
    if not program.only_its_own:
        ways["directly, from two threads at once"] = program.direct
    with ThreadPoolExecutor(2) as threads:
        for way, call in ways.items():
            met, until = 0, time.perf_counter() + TO_MEET
            # A thread may be done before the other one has begun: the scheduler says whether they meet.
            while met < AT_ONCE and time.perf_counter() < until:
                begin = Barrier(2)
                running = [threads.submit(_repeatedly, begin, call, args) for args, _ in program.sets]
                one, other = (found.result() for found in running)
                met += min(_meeting(one, other), _meeting(other, one))
                for (_, expected), timed in zip(program.sets, (one, other), strict=True):
                    yield from (Call(way, expected, each.outputs) for each in timed)


@dataclass(frozen=True)
class _Timed:
    """What a call gave, and when it ran."""

    started: float
    ended: float
    outputs: _Outputs


def _meeting(one: Sequence[_Timed], other: Sequence[_Timed]) -> int:
    """How many calls of the one ran while a call of the other did."""
    return sum(any(a.started < b.ended and b.started < a.ended for b in other) for a in one)


def _repeatedly(
    begin: Barrier, call: Callable[[Sequence[Any]], _Outputs], args: Sequence[Any]
) -> list[_Timed]:
    begin.wait()
    found = []
    for _ in range(AT_ONCE):
        started = time.perf_counter()
        outputs = call(args)
        found.append(_Timed(started, time.perf_counter(), outputs))
    return found


def _strided(program: _Program) -> Iterator[Call]:
    strided = [a if is_key_dtype(getattr(a, "dtype", None)) else _every_other(a) for a in program.prog.args]
    expected = program.execution.outputs
    yield Call("from XLA with arguments that are not contiguous", expected, program.from_xla(strided))
    if strided and all(isinstance(a, np.ndarray) for a in strided):
        got = _copies(program.executable.call_direct(*strided))
        yield Call("directly with arguments that are not contiguous", expected, got)


def _aliased(program: _Program) -> Iterator[Call]:
    flat = program.prog.flat
    alike = [
        (i, j)
        for i, j in combinations(range(len(flat)), 2)
        if flat[i].size and (flat[i].shape, flat[i].dtype) == (flat[j].shape, flat[j].dtype)
    ]
    if program.only_its_own or not alike:
        return
    i, j = alike[0]
    twice = [flat[i] if k == j else a for k, a in enumerate(flat)]
    expected = program.direct(twice)
    got = _copies(program.executable.call_direct(*twice))
    yield Call("directly with the same array twice", expected, got)
    shared = jax.device_put(flat[i])
    twice = [shared if k in (i, j) else a for k, a in enumerate(flat)]
    yield Call("from XLA with the same array twice", expected, program.from_xla(twice))


def _in_scan(program: _Program) -> Iterator[Call]:
    call, rows = program.executable.call_traced, _rows(program)
    if not rows:
        return
    loop = jax.jit(lambda *rows: lax.scan(lambda _, row: (None, call(*row)), None, rows)[1])
    found = _copies(loop(*rows))
    for k, (_, expected) in enumerate(reversed(program.sets)):
        yield Call("inside of a scan", expected, [out[k] for out in found])


def _in_vmap(program: _Program) -> Iterator[Call]:
    rows = _rows(program)
    if not rows or program.has(_ONE_KEY):
        return
    found = _copies(jax.jit(jax.vmap(program.executable.call_traced))(*rows))
    yield Call("under vmap", program.execution.outputs, [out[1] for out in found], rounds=True)


def _differentiated(program: _Program) -> Iterator[Call]:
    prog = program.prog
    differentiable = any(is_inexact(a.dtype) for a in prog.flat) and not program.has(_SLOW_DERIVATIVES)
    if program.only_its_own or not differentiable:
        return
    expected = _derivatives(jaxpr_as_fun(prog.closed))
    try:
        derived = from_jaxpr(jax.make_jaxpr(expected)(*prog.args), prog.args)
    except (NotImplementedError, TypeError, ValueError):  # it has no derivative
        return
    if derived.closed.out_avals:
        got = _copies(jax.jit(_derivatives(program.executable.call_traced))(*prog.args))
        yield Call("under jvp and vjp", xla.run_reference(derived), got, derived=derived)


def _derivatives(function: Callable[..., Sequence[Any]]) -> Callable[..., list[Any]]:
    """The tangents of a function's floating-point outputs, and the cotangents that the first of them has.

    Those twice: as they are, and where the function is computed anew on the way back, for which JAX takes it apart.
    """

    def derived(*args: Any) -> list[Any]:
        def floating(*args: Any) -> list[Any]:
            return [out for out in function(*args) if is_inexact(out.dtype)]

        where = [k for k, a in enumerate(args) if is_inexact(a.dtype)]

        def of_some(*some: Any) -> Any:
            given = dict(zip(where, some, strict=True))
            return floating(*(given.get(k, a) for k, a in enumerate(args)))[0]

        outs, tangents = jax.jvp(floating, list(args), [_direction(a) for a in args])
        if not outs:
            return []
        some = [args[k] for k in where]
        backward = [jax.vjp(one, *some)[1] for one in (of_some, jax.checkpoint(of_some))]
        return [*tangents, *(cotangent for one in backward for cotangent in one(_direction(outs[0])))]

    return derived


def _direction(array: Any) -> Any:
    """A tangent or cotangent of an array: neither zero nor the same everywhere; of whole numbers and keys none."""
    if not is_inexact(array.dtype):
        return np.zeros(array.shape, jax.dtypes.float0)
    return jnp.asarray(np.resize(np.array([0.5, 1, -1.5]), array.shape).astype(array.dtype))


def _rows(program: _Program) -> list[_Array]:
    """The arguments as a batch, the program's own last; empty where there are none, or no others."""
    if program.only_its_own:
        return []
    (own, _), (others, _) = program.sets
    return [np.stack(pair) for pair in zip(others, own, strict=True)]


def _copies(arrays: Sequence[Any]) -> _Outputs:
    return [np.array(a, copy=True, order="C") for a in arrays]


def _other(array: _Array) -> _Array:
    """The same numbers at other places; a lone floating-point one is halved."""
    moved = np.roll(array.reshape(-1), 1).reshape(array.shape)
    if is_inexact(array.dtype) and np.array_equal(moved, array):
        return np.asarray(moved * np.asarray(0.5, array.dtype), array.dtype)
    return moved


def _every_other(array: _Array) -> _Array:
    """An equal array with other numbers between its elements."""
    if array.ndim == 0:
        return array
    wide = np.repeat(_other(array), 2, axis=-1)
    wide[..., ::2] = array
    return wide[..., ::2]
