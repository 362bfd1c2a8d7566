"""What executes a program: the XLA reference, and the DaCe backend through `jace` (or a stand-in for it).

A backend is a function `(closed, pipeline, enter) -> Executable`; workers are told its name as
"module:function", which is also how tests plant failures.
"""

from __future__ import annotations

import ctypes
import dataclasses
import importlib
import runpy
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import jax
import numpy as np
from jax.extend.core import ClosedJaxpr, JaxprEqn, jaxpr_as_fun

from jace.ir import Splice, expand_lower_fun, expand_random, inline_calls, splice
from jace.jax_internals import is_key_dtype
from jace_repro.emitter import trace_repro
from jace_repro.repro import Repro
from jace_repro.tester.named import Named

DEFAULT_BACKEND = "jace_repro.tester.oracles:jace_backend"

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
    outs = jax.jit(jaxpr_as_fun(prog.closed))(*prog.args)
    return [base_array(out) for out in outs]


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


def jace_backend(closed: ClosedJaxpr, pipeline: str, enter: Callable[[str], None]) -> Executable:
    """The DaCe side: `jace.compile_jaxpr`."""
    return compiled_by_jace(closed, pipeline, enter)


def compiled_by_jace(
    closed: ClosedJaxpr, pipeline: str, enter: Callable[[str], None], options: Mapping[str, Any] | None = None
) -> CompiledByJace:
    """As `jace_backend`, with `compiler_options`."""
    import jace

    enter("compile")
    return CompiledByJace(jace.compile_jaxpr(closed, pipeline=pipeline, compiler_options=options))


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


@dataclass(frozen=True)
class Execution:
    """Two runs of one executable: the outputs of both, the inputs it modified, seconds of the first run."""

    outputs: list[_Array]
    again: list[_Array]
    modified_inputs: tuple[int, ...]
    seconds: float


def execute(executable: Executable, prog: Program) -> Execution:
    """Run twice, over memory poisoned with two patterns.

    The poison is the proof that the code ran (a result that nobody writes is a pattern, not the reference's
    freed buffer), and turns a read of uninitialised memory into nondeterminism.
    """
    runs = []
    modified: set[int] = set()
    started = time.perf_counter()
    elapsed = 0.0
    for pattern in (0xA5, 0x5A):
        inputs = [np.array(a, copy=True) for a in prog.flat]
        started = time.perf_counter()
        with _Poison(pattern, [v.aval for v in prog.plain.jaxpr.outvars]):
            outputs = [np.array(out, copy=True) for out in executable.call_direct(*inputs)]
        elapsed = elapsed or time.perf_counter() - started
        runs.append(outputs)
        modified.update(
            i for i, (a, b) in enumerate(zip(inputs, prog.flat, strict=True)) if a.tobytes() != b.tobytes()
        )
    return Execution(runs[0], runs[1], tuple(sorted(modified)), elapsed)


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
