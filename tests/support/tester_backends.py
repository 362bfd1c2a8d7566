"""Stand-ins for jace, named by tests as "tester_backends.py:NAME": each fails in its own way."""

from __future__ import annotations

import ctypes
import itertools
import os
import signal
import time
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.extend.core import ClosedJaxpr, Var, jaxpr_as_fun

from jace import errors
from jace.ir import eval_equation, evaluate, make_closed
from jace_repro.tester.execute.traced import without_keys

Call = Callable[..., list[np.ndarray]]


def _executable(call: Call) -> Any:
    return SimpleNamespace(seconds={"translate": 0.0, "compile": 0.0}, call_direct=call)


def honest(closed: ClosedJaxpr, pipeline: str, enter: Callable[[str], None]) -> Any:
    """Plain JAX, equation by equation as far as XLA lets it: always right."""
    enter("compile")
    fun = jax.jit(jaxpr_as_fun(without_keys(closed)))
    return _executable(lambda *args: [np.asarray(out) for out in fun(*args)])


def swapped_sub(closed: ClosedJaxpr, pipeline: str, enter: Callable[[str], None]) -> Any:
    """A `sub` rule that swaps its operands, at every depth."""
    return honest(_swap(closed), pipeline, enter)


def scan_of_one_result(closed: ClosedJaxpr, pipeline: str, enter: Callable[[str], None]) -> Any:
    """The second carry of a scan has the wrong sign where nobody reads the first one."""
    read = {v for e in closed.jaxpr.eqns for v in e.invars if isinstance(v, Var)} | set(closed.jaxpr.outvars)
    eqns = []
    for eqn in closed.jaxpr.eqns:
        if eqn.primitive.name == "scan" and eqn.outvars[0] not in read:
            right = Var(eqn.outvars[1].aval)
            eqns.append(eqn.replace(outvars=[eqn.outvars[0], right, *eqn.outvars[2:]]))
            neg = jax.make_jaxpr(jnp.negative)(np.zeros(right.aval.shape, right.aval.dtype)).eqns[0]
            eqns.append(neg.replace(invars=[right], outvars=[eqn.outvars[1]]))
        else:
            eqns.append(eqn)
    consts = dict(zip(closed.jaxpr.constvars, closed.consts, strict=True))
    return honest(make_closed(closed.jaxpr.invars, closed.jaxpr.outvars, eqns, consts), pipeline, enter)


def _swap(closed: ClosedJaxpr) -> ClosedJaxpr:
    eqns = []
    for eqn in closed.jaxpr.eqns:
        params = {k: _swap_param(v) for k, v in eqn.params.items()}
        invars = eqn.invars[::-1] if eqn.primitive.name == "sub" else eqn.invars
        eqns.append(eqn.replace(invars=invars, params=params))
    consts = dict(zip(closed.jaxpr.constvars, closed.consts, strict=True))
    return make_closed(closed.jaxpr.invars, closed.jaxpr.outvars, eqns, consts)


def _swap_param(value: Any) -> Any:
    if isinstance(value, tuple) and value and isinstance(value[0], ClosedJaxpr):
        return tuple(map(_swap, value))
    return _swap(value) if isinstance(value, ClosedJaxpr) else value


def one_element_off(closed: ClosedJaxpr, pipeline: str, enter: Callable[[str], None]) -> Any:
    """Right but for the largest element of the first output that has any: off by 2000 ULP or so, or by one."""
    right = honest(closed, pipeline, enter)

    def call(*args: np.ndarray) -> list[np.ndarray]:
        outs = [np.array(out) for out in right.call_direct(*args)]
        flat = next(out for out in outs if out.size).reshape(-1)
        if flat.dtype.kind == "b":
            flat[0] = not flat[0]
        elif flat.dtype.kind in "iu":
            flat[0] += 1
        else:
            worst = np.argmax(np.where(np.isfinite(flat), np.abs(flat), 0))
            flat[worst] *= 1 + 2000 * np.finfo(flat.dtype).eps
        return outs

    return _executable(call)


def bad_fusion(closed: ClosedJaxpr, pipeline: str, enter: Callable[[str], None]) -> Any:
    """Right for every single equation, wrong where `neg` feeds `exp`: the negation is lost."""
    by_output = {v: e for e in closed.jaxpr.eqns for v in e.outvars}
    eqns = []
    for eqn in closed.jaxpr.eqns:
        source = by_output.get(eqn.invars[0]) if eqn.invars else None
        if eqn.primitive.name == "exp" and source is not None and source.primitive.name == "neg":
            eqn = eqn.replace(invars=source.invars)
        eqns.append(eqn)
    consts = dict(zip(closed.jaxpr.constvars, closed.consts, strict=True))
    return honest(make_closed(closed.jaxpr.invars, closed.jaxpr.outvars, eqns, consts), pipeline, enter)


def segfault(closed: ClosedJaxpr, pipeline: str, enter: Callable[[str], None]) -> Any:
    """Generated code that writes through a null pointer; only on pipeline "fused"."""
    if pipeline != "fused":
        return honest(closed, pipeline, enter)
    return _executable(lambda *args: ctypes.memset(0, 1, 1))


def dies_when_localized(closed: ClosedJaxpr, pipeline: str, enter: Callable[[str], None]) -> Any:
    """Wrong the first time, and a crash for whatever is built afterwards."""
    if dies_when_localized.__dict__.setdefault("built", False):
        os.kill(os.getpid(), signal.SIGSEGV)
    dies_when_localized.__dict__["built"] = True
    return swapped_sub(closed, pipeline, enter)


def abort_in_compile(closed: ClosedJaxpr, pipeline: str, enter: Callable[[str], None]) -> Any:
    """A code generator that aborts."""
    enter("compile")
    os.kill(os.getpid(), signal.SIGABRT)
    time.sleep(10)


def slow_to_compile(closed: ClosedJaxpr, pipeline: str, enter: Callable[[str], None]) -> Any:
    """A compiler that takes four seconds."""
    enter("compile")
    time.sleep(4)
    return honest(closed, pipeline, enter)


def hang(closed: ClosedJaxpr, pipeline: str, enter: Callable[[str], None]) -> Any:
    """Generated code that never returns; only on pipeline "fused"."""
    if pipeline != "fused":
        return honest(closed, pipeline, enter)
    return _executable(lambda *args: time.sleep(3600))


def memory_hog(closed: ClosedJaxpr, pipeline: str, enter: Callable[[str], None]) -> Any:
    """Generated code that allocates without bound."""

    def grow(*args: Any) -> list[np.ndarray]:
        held = []
        while True:
            held.append(np.ones(1 << 22))
            time.sleep(0.005)

    return _executable(grow)


def nothing_written(closed: ClosedJaxpr, pipeline: str, enter: Callable[[str], None]) -> Any:
    """Generated code that writes no output."""
    return _executable(lambda *args: [np.empty(a.shape, a.dtype) for a in closed.out_avals])


def overwrites_input(closed: ClosedJaxpr, pipeline: str, enter: Callable[[str], None]) -> Any:
    """Right outputs, but the input is used as scratch memory."""
    right = honest(closed, pipeline, enter)

    def call(*args: np.ndarray) -> list[np.ndarray]:
        outs = right.call_direct(*(np.array(a) for a in args))
        args[0].fill(0)
        return outs

    return _executable(call)


def racing(closed: ClosedJaxpr, pipeline: str, enter: Callable[[str], None]) -> Any:
    """Each run answers something else."""
    count = [0]

    def call(*args: np.ndarray) -> list[np.ndarray]:
        count[0] += 1
        return [np.full(a.shape, count[0], a.dtype) for a in closed.out_avals]

    return _executable(call)


def in_any_order(closed: ClosedJaxpr, pipeline: str, enter: Callable[[str], None]) -> Any:
    """The sum of the first argument's rows, every other time from the last, as the threads of a GPU may add it."""
    turn = itertools.cycle((1, -1))

    def call(*args: np.ndarray) -> list[np.ndarray]:
        total = np.zeros(args[0].shape[1:], args[0].dtype)
        for row in args[0][:: next(turn)]:
            total += row
        return [total]

    return _executable(call)


def wrong_shape(closed: ClosedJaxpr, pipeline: str, enter: Callable[[str], None]) -> Any:
    """One element too many along the first axis."""
    return _executable(
        lambda *args: [np.zeros((a.shape[0] + 1, *a.shape[1:]), a.dtype) for a in closed.out_avals]
    )


_ERRORS: dict[str, Callable[[], Exception]] = {
    "unsupported": lambda: errors.UnsupportedPrimitiveError(
        [errors.UnsupportedEquation(name, f"x = {name}[](y)", "", "no rule") for name in ("zeta", "lgamma")]
    ),
    "translate-error": lambda: errors.TranslateError(
        "rule failed", primitive="cumsum", equation="f32[3] = cumsum[axis=0](f32[3])"
    ),
    "invalid-sdfg": lambda: errors.InvalidSDFGError("memlet out of range"),
    "pass-error": lambda: errors.PassError("no match", pass_name="simplify"),
    "codegen-error": lambda: errors.CodegenError("no code"),
    "compile-error": lambda: errors.CompileError("rejected", stderr="a.cpp:3:4: error: expected ';' at end"),
}


def raising(closed: ClosedJaxpr, pipeline: str, enter: Callable[[str], None]) -> Any:
    """Raises the jace error that belongs to the outcome named as the pipeline, or where it is cut."""
    raise _ERRORS[pipeline.rpartition("@")[2]]()


# --- wrong in some ways only: whose fault it is --------------------------------------------------------------


def _off(closed: ClosedJaxpr) -> Any:
    """A program whose first output is off by one everywhere."""
    right = honest(closed, "", lambda stage: None)

    def call(*args: np.ndarray) -> list[np.ndarray]:
        outs = [np.array(out) for out in right.call_direct(*args)]
        return [outs[0] + outs[0].dtype.type(1), *outs[1:]]

    return _executable(call)


def wrong_on(*pipelines: str) -> Callable[..., Any]:
    """A backend that is wrong on these pipelines only."""

    def backend(closed: ClosedJaxpr, pipeline: str, enter: Callable[[str], None]) -> Any:
        return _off(closed) if pipeline in pipelines else honest(closed, pipeline, enter)

    return backend


def wrong_when_optimized(
    closed: ClosedJaxpr, pipeline: str, enter: Callable[[str], None], compiler_options: Any = None
) -> Any:
    """A C++ compiler that miscompiles, but not at -O0."""
    if compiler_options is not None and compiler_options.get("opt") == 0:
        return honest(closed, pipeline, enter)
    return _off(closed)


# --- results that depend on more than the inputs -------------------------------------------------------------


def reads_memory(closed: ClosedJaxpr, pipeline: str, enter: Callable[[str], None]) -> Any:
    """Generated code that reads memory which nobody has written."""
    libc = ctypes.CDLL(None)
    libc.malloc.restype = ctypes.c_void_p
    libc.free.argtypes = [ctypes.c_void_p]

    def call(*args: np.ndarray) -> list[np.ndarray]:
        block = libc.malloc(4096)
        byte = ctypes.cast(block, ctypes.POINTER(ctypes.c_ubyte))[2048]
        libc.free(block)
        return [np.full(a.shape, byte, a.dtype) for a in closed.out_avals]

    return _executable(call)


def counts_threads(closed: ClosedJaxpr, pipeline: str, enter: Callable[[str], None]) -> Any:
    """Generated code whose result is the number of its threads."""
    openmp = ctypes.CDLL("libgomp.so.1")
    return _executable(
        lambda *args: [np.full(a.shape, openmp.omp_get_max_threads(), a.dtype) for a in closed.out_avals]
    )


def rounds_by_threads(closed: ClosedJaxpr, pipeline: str, enter: Callable[[str], None]) -> Any:
    """A sum shared out among threads: its last bit depends on how many there are."""
    openmp = ctypes.CDLL("libgomp.so.1")
    right = honest(closed, pipeline, enter)

    def call(*args: np.ndarray) -> list[np.ndarray]:
        outs = [np.array(out) for out in right.call_direct(*args)]
        return (
            [np.nextafter(out, out.dtype.type(9)) for out in outs]
            if openmp.omp_get_max_threads() == 1
            else outs
        )

    return _executable(call)


def last_bit(closed: ClosedJaxpr, pipeline: str, enter: Callable[[str], None]) -> Any:
    """Right but for the last bit of every number."""
    right = honest(closed, pipeline, enter)
    return _executable(
        lambda *args: [np.nextafter(out, out.dtype.type(9e9)) for out in right.call_direct(*args)]
    )


def last_bit_of_mul(closed: ClosedJaxpr, pipeline: str, enter: Callable[[str], None]) -> Any:
    """A `mul` rule whose results are off by their last bit."""

    def equation(eqn: Any, operands: list[Any]) -> list[Any]:
        outs = eval_equation(eqn, operands)
        return [jax.numpy.nextafter(out, np.inf) for out in outs] if eqn.primitive.name == "mul" else outs

    return _executable(lambda *args: [np.asarray(out) for out in evaluate(closed, args, equation)])
