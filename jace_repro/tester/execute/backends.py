"""What executes a program: the XLA reference, and the DaCe backend through `jace` (or a stand-in for it).

A backend is a function `(closed, pipeline, enter) -> Executable`; workers are told its name as
"module:function", which is also how tests plant failures.
"""

from __future__ import annotations

import contextlib
import ctypes
import dataclasses
import functools
import importlib
import inspect
import itertools
import os
import runpy
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import jax
import numpy as np
from jax.extend.core import ClosedJaxpr, JaxprEqn, Literal, jaxpr_as_fun

from jace.ir import Splice, eval_each, expand_lower_fun, expand_random, inline_calls, splice
from jace.jax_internals import is_key_dtype
from jace_repro.repro import Repro, trace_repro
from jace_repro.tester.execute import schedules
from jace_repro.tester.execute.named import Named
from jace_repro.tester.numerics.compare import bits_equal

DEFAULT_BACKEND = "jace_repro.tester.execute.backends:jace_backend"

_Array = np.ndarray[Any, Any]


class Executable(Protocol):
    """A compiled program.

    It may have a `call_ffi(*args)` that runs the same code as a call from XLA, and a `loaded()` that answers
    the shared libraries it runs as JSON: [{"file", "sha256", "calls"}].
    """

    @property
    def seconds(self) -> Mapping[str, float]:
        """What building took; may name "translate" and "compile"."""
        ...

    def call_direct(self, *args: _Array) -> list[_Array]:
        """Run on flat inputs (typed keys as their uint32 base arrays), giving the flat outputs likewise."""
        ...


#: backend(closed, pipeline, enter): `enter(stage)` says that "translate" or "compile" begins.
Backend = Callable[[ClosedJaxpr, str, Callable[[str], None]], Executable]


def no_stages(stage: str) -> None:
    """For callers who do not care how far a backend is."""


@dataclass(frozen=True)
class Program:
    """A traced repro.

    Attributes:
        closed: as traced; key-typed variables are allowed.
        plain: the same with calls inlined and typed keys replaced by their base arrays.
        args: inputs of `closed`, one a variable: NumPy arrays of the exact dtypes, or typed key arrays.
        flat: inputs of `plain` as NumPy arrays of the exact dtypes and shapes.
    """

    closed: ClosedJaxpr
    args: Sequence[Any]
    plain: ClosedJaxpr = field(repr=False)
    flat: Sequence[_Array] = field(repr=False)


def trace(subject: Repro | Named) -> Program:
    """Trace what is tested under its configuration."""
    return program(*(subject.traced if isinstance(subject, Named) else trace_repro(subject)))


def program(closed: ClosedJaxpr, args: Sequence[Any]) -> Program:
    """A program from its jaxpr and inputs."""
    plain = without_keys(inline_calls(closed))
    flat = [exact(a, v.aval) for a, v in zip(args, plain.jaxpr.invars, strict=True)]
    pairs = zip(args, flat, strict=True)
    typed = [a if is_key_dtype(getattr(a, "dtype", None)) else array for a, array in pairs]
    return Program(closed, typed, plain, flat)


def without_keys(closed: ClosedJaxpr) -> ClosedJaxpr:
    """`closed` on the uint32 base arrays of typed PRNG keys; unchanged when there are none.

    A primitive that takes keys and is lowered through a Python function (random_gamma) becomes what that does.
    """
    return splice(closed, _expand_keyed, physical=True)


def _expand_keyed(eqn: JaxprEqn) -> Splice | None:
    found = expand_random(eqn)
    if found is not None or not any(is_key_dtype(getattr(v.aval, "dtype", None)) for v in eqn.invars):
        return found
    body = expand_lower_fun(eqn)
    return Splice(body, eqn.invars) if body is not None else None


def exact(value: Any, aval: Any) -> _Array:
    """A value (a Python scalar of a weak type, say) as the array of exactly the dtype that `aval` says."""
    array = np.ascontiguousarray(base_array(value))
    if is_key_dtype(aval.dtype):
        return array
    return array.astype(aval.dtype, copy=False).reshape(aval.shape)


def base_array(value: Any) -> _Array:
    """A value as a NumPy array; typed keys by their key data."""
    if is_key_dtype(getattr(value, "dtype", None)):
        value = jax.random.key_data(value)
    return np.asarray(value)


def run_reference(prog: Program) -> list[_Array]:
    """The program under jax.jit, waited for."""
    return [base_array(out) for out in _jitted(prog.closed)(*prog.args)]


@functools.lru_cache(maxsize=1)
def _jitted(closed: ClosedJaxpr) -> Callable[..., Any]:
    """Kept for the next inputs of the same program."""
    return jax.jit(jaxpr_as_fun(closed))


def run_unoptimized(prog: Program) -> list[_Array]:
    """The program compiled by XLA at optimization level 0. (Without its HLO passes XLA aborts on some programs.)"""
    options = {"xla_backend_optimization_level": 0, "xla_llvm_disable_expensive_passes": True}
    lowered = jax.jit(jaxpr_as_fun(prog.plain)).lower(*prog.flat)
    return [np.asarray(out) for out in lowered.compile(compiler_options=options)(*prog.flat)]


def run_each(prog: Program) -> list[_Array]:
    """The program by JAX equation by equation: each compiled by XLA alone, so nothing is fused or rewritten."""
    env: dict[Any, Any] = dict(zip(prog.plain.jaxpr.invars, prog.flat, strict=True))
    env.update(zip(prog.plain.jaxpr.constvars, prog.plain.consts, strict=True))
    for _, eqn, _, outs in eval_each(prog.plain, prog.flat):
        env.update(zip(eqn.outvars, outs, strict=True))
    outvars = prog.plain.jaxpr.outvars
    return [np.asarray(v.val if isinstance(v, Literal) else env[v], v.aval.dtype) for v in outvars]


@dataclass(frozen=True)
class _Jitted:
    """What XLA makes of a program, as an `Executable`."""

    call: Callable[..., Any]
    seconds: Mapping[str, float] = field(default_factory=dict)

    def call_direct(self, *args: _Array) -> list[_Array]:
        return [np.asarray(out) for out in self.call(*args)]


def xla_backend(closed: ClosedJaxpr, pipeline: str, enter: Callable[[str], None]) -> Executable:
    """XLA in the place of DaCe: what localises XLA's own faults."""
    enter("compile")
    return _Jitted(jax.jit(jaxpr_as_fun(without_keys(closed))))


def load_backend(name: str) -> Backend:
    """The backend called "module:function", or "file.py:function"."""
    module, _, function = name.rpartition(":")
    if module.endswith(".py"):
        return runpy.run_path(module, run_name="jace_repro_backend")[function]
    return getattr(importlib.import_module(module), function)


@dataclass(frozen=True)
class CompiledByJace:
    """What `jace.compile_jaxpr` gives, as an `Executable`."""

    compiled: Any

    @property
    def seconds(self) -> Mapping[str, float]:
        return dict(self.compiled.seconds)

    def call_direct(self, *args: _Array) -> list[_Array]:
        return list(self.compiled.call_direct(*args))

    def loaded(self) -> list[dict[str, Any]]:
        return [dataclasses.asdict(library) for library in self.compiled.loaded]

    def call_ffi(self, *args: Any) -> list[_Array]:
        """Through XLA; typed keys as such."""
        return [base_array(out) for out in jax.device_get(_no_keys(self.compiled(*args)))]


def _no_keys(values: Sequence[Any]) -> list[Any]:
    keyed = [is_key_dtype(getattr(v, "dtype", None)) for v in values]
    return [jax.random.key_data(v) if key else v for v, key in zip(values, keyed, strict=True)]


def jace_backend(
    closed: ClosedJaxpr,
    pipeline: str,
    enter: Callable[[str], None],
    compiler_options: Mapping[str, Any] | None = None,
) -> CompiledByJace:
    """The DaCe side: `jace.compile_jaxpr`, loaded so that its parallel regions can be turned."""
    import jace

    enter("compile")
    schedules.load()
    return CompiledByJace(jace.compile_jaxpr(closed, pipeline=pipeline, compiler_options=compiler_options))


def unoptimized(backend: Backend) -> Backend | None:
    """The backend with the C++ compiler at -O0, when it takes compiler options; else None."""
    if "compiler_options" not in inspect.signature(backend).parameters:
        return None
    flexible: Any = backend
    return functools.partial(flexible, compiler_options={"opt": 0})


def loaded(executable: Executable) -> list[dict[str, Any]] | None:
    """The shared libraries of an executable with the calls so far; None for a stand-in that has none."""
    ask = getattr(executable, "loaded", None)
    return ask() if ask is not None else None


def proof(
    before: list[dict[str, Any]] | None, after: list[dict[str, Any]] | None
) -> list[dict[str, Any]] | None:
    """The libraries with the calls between `before` and `after`."""
    if before is None or after is None:
        return None
    pairs = zip(before, after, strict=True)
    return [{**new, "calls": new["calls"] - old["calls"]} for old, new in pairs]


# --- running a candidate ------------------------------------------------------------------------------------


#: What two runs may differ in.
POISONS = (0xA5, 0x5A)
THREADS = (2, 1)
#: Threads that come one after the other, the last one first, where a program has any.
TURNED = 8
#: Threads that begin at once, by turns, and for how many seconds a race among them is looked for.
AT_ONCE = (4, 2)
AT_ONCE_SECONDS = 0.3
#: Identical runs that look for a race.
RACES = 4


@dataclass(frozen=True)
class Execution:
    """Runs of one executable, over different poison, with 2 threads and with 1, with threads that take turns: the
    outputs of the first and of the others, the inputs that any of them modified, seconds of the first run.
    """

    outputs: list[_Array]
    others: list[list[_Array]]
    modified_inputs: tuple[int, ...]
    seconds: float

    @property
    def differing(self) -> list[list[_Array]]:
        """The outputs of the other runs that are not those of the first."""
        return [outputs for outputs in self.others if not same_bits(self.outputs, outputs)]


def execute(executable: Executable, prog: Program, seconds: float | None = None) -> Execution:
    """Run over memory poisoned with two patterns, with 2 threads and with 1, and with threads that take turns or begin
    at once, if there are any.

    The poison is the proof that the code ran (a result that nobody writes is a pattern, not the reference's
    freed buffer), and turns a read of uninitialised memory into nondeterminism. A race between few iterations
    seldom shows among 2 threads; in a turned team (`turned`) it nearly always does.

    Args:
        seconds: how long a race among threads that begin at once is looked for; None for `AT_ONCE_SECONDS`.
    """
    known = schedules.regions()
    runs = [
        _run_once(executable, prog, pattern, threads)
        for pattern, threads in zip(POISONS, THREADS, strict=True)
    ]
    if schedules.regions() != known:
        runs.append(_run_turned(executable, prog))
        if all(same_bits(runs[0].outputs, run.outputs) for run in runs):
            patience = AT_ONCE_SECONDS if seconds is None else seconds
            runs.extend(_runs_at_once(executable, prog, runs[0].outputs, patience))
    return Execution(
        runs[0].outputs,
        [run.outputs for run in runs[1:]],
        tuple(sorted({i for run in runs for i in run.modified})),
        runs[0].seconds,
    )


@dataclass(frozen=True)
class _Run:
    """Outputs of a run, the inputs that it modified, its seconds."""

    outputs: list[_Array]
    modified: tuple[int, ...]
    seconds: float


def _run_once(executable: Executable, prog: Program, pattern: int, threads: int) -> _Run:
    inputs = [np.array(a, copy=True) for a in prog.flat]
    with _threads(threads), _Poison(pattern, [v.aval for v in prog.plain.jaxpr.outvars]):
        started = time.perf_counter()
        outputs = [np.array(out, copy=True) for out in executable.call_direct(*inputs)]
        elapsed = time.perf_counter() - started
    pairs = enumerate(zip(inputs, prog.flat, strict=True))
    return _Run(outputs, tuple(i for i, (a, b) in pairs if a.tobytes() != b.tobytes()), elapsed)


def _run_turned(executable: Executable, prog: Program) -> _Run:
    with schedules.ordered(schedules.IN_TURN):
        return _run_once(executable, prog, POISONS[0], TURNED)


def _runs_at_once(
    executable: Executable, prog: Program, expected: list[_Array], seconds: float
) -> list[_Run]:
    """The first run that is not as expected, of those for some seconds whose threads begin at once; none if all are."""
    until = time.perf_counter() + seconds
    for threads in itertools.cycle(AT_ONCE):
        with schedules.ordered(schedules.AT_ONCE):
            run = _run_once(executable, prog, POISONS[0], threads)
        if not same_bits(expected, run.outputs):
            return [run]
        if time.perf_counter() > until:
            break
    return []


def same_bits(one: Sequence[_Array], other: Sequence[_Array]) -> bool:
    """Whether two runs gave the same, all NaN counting as one."""
    return len(one) == len(other) and all(bits_equal(a, b) for a, b in zip(one, other, strict=True))


#: What the results of one binary may depend on besides its inputs.
CAUSES: Mapping[str, str] = {
    "race": "so do identical runs, so it is a race",
    "memory": "it reads memory that nobody has written",
    "threads": "the number of threads decides",
    "order": "the order in which the threads come decides, so it is a race",
    "overlap": "threads that run at once decide, so it is a race",
    "": "further runs did not differ",
}
#: Causes that may be a sum which the threads share out: of no harm where rounding explains the difference.
SHARED_OUT = ("threads", "order", "overlap")


@dataclass(frozen=True)
class Repeated:
    """Further runs of an executable: a key of `CAUSES`, and which runs gave the same as the first one."""

    cause: str
    same: Mapping[str, bool]


def repeat(executable: Executable, prog: Program) -> Repeated:
    """Find out what the results of an executable depend on, changing one thing at a time."""

    def run(pattern: int = POISONS[0], threads: int = THREADS[0]) -> list[_Array]:
        return _run_once(executable, prog, pattern, threads).outputs

    first = run()
    same = {
        "race": all(same_bits(first, run()) for _ in range(RACES)),
        "memory": same_bits(first, run(pattern=POISONS[1])),
        "threads": same_bits(first, run(threads=THREADS[1])),
        "order": same_bits(first, _run_turned(executable, prog).outputs),
        "overlap": not _runs_at_once(executable, prog, first, AT_ONCE_SECONDS),
    }
    names = {
        "race": "the same run again",
        "memory": "over other memory",
        "threads": "1 thread instead of 2",
        "order": "the last thread first",
        "overlap": "4 threads or 2 that begin at once",
    }
    cause = next((cause for cause, equal in same.items() if not equal), "")
    return Repeated(cause, {f"DaCe, {names[cause]}": equal for cause, equal in same.items()})


def unstable(
    executable: Executable, prog: Program, execution: Execution, agree: Callable[..., bool]
) -> Repeated | None:
    """What the runs of an execution differ in; None when they do not, or the threads share out a sum.

    Args:
        agree: of two runs' outputs, whether rounding explains their difference.
    """
    differing = execution.differing
    if not differing:
        return None
    found = repeat(executable, prog)
    if found.cause in SHARED_OUT and all(agree(execution.outputs, outputs) for outputs in differing):
        return None
    return found


@contextlib.contextmanager
def _threads(count: int) -> Iterator[None]:
    """OpenMP regions of this thread take so many threads, while entered; no effect where no libgomp is loaded."""
    library = _openmp()
    if library is None:
        yield
        return
    before = library.omp_get_max_threads()
    library.omp_set_num_threads(count)
    try:
        yield
    finally:
        library.omp_set_num_threads(before)


def _openmp() -> Any:
    """GCC's OpenMP runtime if this process has loaded it: loading it for nothing would say nothing."""
    try:
        return ctypes.CDLL("libgomp.so.1", mode=getattr(os, "RTLD_NOLOAD", 0) | ctypes.DEFAULT_MODE)
    except OSError:
        return None  # not loaded: then no generated code uses it


class _Poison:
    """While entered, the C allocator fills new memory with a pattern (glibc's M_PERTURB; elsewhere no
    effect).
    """

    _M_PERTURB = -6

    def __init__(self, pattern: int, outputs: Sequence[Any]) -> None:
        self.pattern = pattern
        self.outputs = outputs

    def __enter__(self) -> None:
        # NumPy keeps small freed blocks in a cache of its own: fill those of the outputs' sizes by hand.
        blocks = [
            np.empty(aval.size * aval.dtype.itemsize, np.uint8) for aval in self.outputs if aval.size < 1024
        ]
        for block in blocks:
            block.fill(self.pattern)
        del blocks
        self._set(self.pattern ^ 0xFF)  # malloc fills with the complement

    def __exit__(self, *_: object) -> None:
        self._set(0)

    def _set(self, value: int) -> None:
        mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
        if mallopt is not None:
            mallopt(self._M_PERTURB, value)
