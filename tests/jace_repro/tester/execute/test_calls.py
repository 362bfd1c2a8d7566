"""A program gives the same however it is called; who gets it wrong in one way only is told so."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import tester_backends
from jax.custom_batching import custom_vmap
from jax.extend.core import jaxpr_as_fun

import jace
from jace.primitive.bind import jace_call_p
from jace.primitive.staging import pe
from jace_repro.emitter import emit_flat
from jace_repro.fuzz import named
from jace_repro.repro import Header
from jace_repro.tester import Options, Verdict, check_repro
from jace_repro.tester.execute import calls
from jace_repro.tester.execute.backends import jace_backend

X = np.random.default_rng(3).standard_normal((6, 8)).astype(np.float32)


def program(x: Any, y: Any) -> Any:
    return jnp.sin(x) * y, x - 2 * y


def checked(backend: Callable[..., Any], fun: Callable[..., Any] = program, **options: Any) -> Verdict:
    repro = emit_flat(jax.make_jaxpr(fun)(X, X + 1), [X, X + 1], header=Header(name="prog"))
    return check_repro(repro, ["fused"], backend=backend, options=Options(**options))[0]


def called_from_xla(wrongly: Callable[..., Any]) -> Callable[..., Any]:
    """A backend whose code is right, and called from XLA by `wrongly(code, args)`."""

    def backend(closed: Any, pipeline: str, enter: Callable[[str], None]) -> Any:
        code = tester_backends.honest(closed, pipeline, enter).call_direct
        return SimpleNamespace(seconds={}, call_direct=code, call_ffi=lambda *args: wrongly(code, args))

    return backend


def called_directly(wrongly: Callable[..., Any]) -> Callable[..., Any]:
    """A backend that is called right from XLA, and directly by `wrongly(code, args)`."""

    def backend(closed: Any, pipeline: str, enter: Callable[[str], None]) -> Any:
        code = tester_backends.honest(closed, pipeline, enter).call_direct
        return SimpleNamespace(seconds={}, call_direct=lambda *args: wrongly(code, args), call_ffi=code)

    return backend


class _WrittenLater:
    """An output that is written as soon as it has been read once: who wants it right has to wait."""

    def __init__(self, right: np.ndarray) -> None:
        self.right, self.memory = right, np.zeros_like(right)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        read = self.memory.copy() if copy else self.memory
        self.memory[...] = self.right
        return read


def _early(code: Any, args: Any) -> Any:
    """Returns before its outputs are written."""
    return [_WrittenLater(np.array(out)) for out in code(*args)]


_shared: dict[int, Any] = {}
_both = threading.Barrier(2, timeout=60)


def _sharing(code: Any, args: Any) -> Any:
    """Keeps its arguments where the next call keeps its own; of two threads, each has kept its own by then."""
    _shared[0] = args
    if threading.current_thread() is not threading.main_thread():
        _both.wait()
    return code(*_shared[0])


def _half(code: Any, args: Any) -> Any:
    """Writes the first half of its last output only, into memory that it had before."""
    right = [np.array(out) for out in code(*args)]
    before = _shared.setdefault(1, right[-1].copy())
    before.reshape(-1)[: before.size // 2] = right[-1].reshape(-1)[: before.size // 2]
    return [*right[:-1], before]


def _contiguous(code: Any, args: Any) -> Any:
    """Reads its arguments as if they were contiguous."""

    def read(a: Any) -> Any:
        return _first(a) if isinstance(a, np.ndarray) and not a.flags.c_contiguous else np.asarray(a)

    def _first(a: np.ndarray) -> np.ndarray:
        whole = a.base if isinstance(a.base, np.ndarray) else a
        return whole.reshape(-1)[: a.size].reshape(a.shape)

    return code(*map(read, args))


def _twice(code: Any, args: Any) -> Any:
    """Takes it that no two arguments are at one place."""
    return [out + (args[0] is args[1]) for out in code(*args)]


PLANTED = {
    "outputs swapped": (called_from_xla(lambda code, args: code(*args)[::-1]), "from XLA"),
    "arguments swapped": (called_from_xla(lambda code, args: code(*args[::-1])), "from XLA"),
    "returns early": (called_from_xla(_early), "from XLA"),
    "half written": (called_from_xla(_half), "from XLA once more"),
    "memory shared by calls": (called_from_xla(_sharing), "from XLA, from two threads at once"),
    "memory shared by direct calls": (called_directly(_sharing), "directly, from two threads at once"),
    "strides forgotten": (called_from_xla(_contiguous), "from XLA with arguments that are not contiguous"),
    "strides forgotten directly": (
        called_directly(_contiguous),
        "directly with arguments that are not contiguous",
    ),
    "one place": (called_from_xla(_twice), "from XLA with the same array twice"),
    "one place directly": (called_directly(_twice), "directly with the same array twice"),
}


@pytest.mark.parametrize("name", PLANTED)
def test_a_call_that_is_wrong_is_named(name: str) -> None:
    _shared.clear()
    backend, way = PLANTED[name]
    found = checked(backend)
    assert (found.outcome, found.who, found.stage) == ("mismatch", "jace call", "ffi"), found.detail
    assert found.guilty is not None
    assert found.guilty.note == f"the call {way}"
    assert found.guilty.primitive is None


def traced(inside: Callable[[Any], Any]) -> Callable[..., Any]:
    """A backend that is right unless JAX traces it."""

    def backend(closed: Any, pipeline: str, enter: Callable[[str], None]) -> Any:
        code = tester_backends.honest(closed, pipeline, enter).call_direct
        fun = inside(jaxpr_as_fun(closed))
        return SimpleNamespace(seconds={}, call_direct=code, call_ffi=code, call_traced=fun)

    return backend


def _mapped_by(fun: Any, rule: Callable[..., Any]) -> Any:
    """The function with another way to map it over a batch; its derivatives are its own."""
    batched = custom_vmap(fun)
    batched.def_vmap(lambda size, _, *args: ([rule(out) for out in jax.vmap(fun)(*args)], [True, True]))
    ruled = jax.custom_jvp(batched)
    ruled.defjvp(lambda primals, tangents: jax.jvp(fun, primals, tangents))
    return ruled


def _wrong_batch(fun: Any) -> Any:
    return _mapped_by(fun, lambda out: out[::-1])


def _wrong_tangents(fun: Any) -> Any:
    ruled = jax.custom_jvp(fun)

    @ruled.defjvp
    def rule(primals: Any, tangents: Any) -> Any:
        outs, found = jax.jvp(fun, primals, tangents)
        return outs, [found[0] * 1.001, *found[1:]]

    return ruled


@pytest.mark.parametrize(
    ("inside", "way"),
    [
        (lambda fun: lambda *args: fun(*args)[::-1], "inside of a scan"),
        (_wrong_batch, "under vmap"),
        (_wrong_tangents, "under jvp and vjp"),
    ],
)
def test_what_is_wrong_inside_of_a_loop_or_a_batch_only_is_found(inside: Any, way: str) -> None:
    found = checked(traced(inside), inside_share=1.0)
    assert (found.outcome, found.who) == ("mismatch", "jace call"), found.detail
    assert found.guilty is not None
    assert found.guilty.note == f"the call {way}"


def test_a_batch_may_round_otherwise() -> None:
    def nudged(fun: Any) -> Any:
        return _mapped_by(fun, lambda out: jnp.nextafter(out, jnp.float32(1e9)))

    assert checked(traced(nudged), inside_share=1.0).outcome == "ok"


def test_what_jax_maps_otherwise_is_not_mapped() -> None:
    """Of a batch of rbg keys JAX takes the first, and gives all lanes numbers of that."""
    data = jax.random.key_data(jax.random.key(7, impl="rbg"))

    def fun(x: Any, data: Any) -> Any:
        return x + jax.random.normal(jax.random.wrap_key_data(data, impl="rbg"), x.shape), x * 2

    repro = emit_flat(jax.make_jaxpr(fun)(X, data), [X, data], header=Header(name="prog"))
    found = check_repro(repro, ["fused"], options=Options(ffi_share=1.0, inside_share=1.0))[0]
    assert found.outcome == "ok", found.detail


def test_derivatives_may_round_otherwise() -> None:
    def nudged(fun: Any) -> Any:
        ruled = jax.custom_jvp(fun)

        @ruled.defjvp
        def rule(primals: Any, tangents: Any) -> Any:
            outs, found = jax.jvp(fun, primals, tangents)
            return outs, [found[0] * jnp.float32(1 + 2**-23), found[1]]  # the other one is exact

        return ruled

    assert checked(traced(nudged), inside_share=1.0).outcome == "ok"


def test_programs_that_need_not_end_are_called_on_their_own_arguments_only() -> None:
    def grows(x: Any, y: Any) -> Any:
        return jax.lax.while_loop(lambda c: jnp.sum(c) < 1e3, lambda c: c + jnp.abs(x + 9), x), y * 2

    seen: list[Any] = []

    def noted(code: Any, args: Any) -> Any:
        seen.append([np.array(a) for a in args])
        return code(*args)

    assert checked(called_from_xla(noted), grows).outcome == "ok"
    assert len(seen) > 30
    assert all(np.array_equal(a, X) and np.array_equal(b, X + 1) for a, b in seen)


def test_what_calls_back_is_not_called_at_once() -> None:
    """JAX waits for itself for ever now and then: https://github.com/jax-ml/jax/issues/24255."""

    def threads(name: str) -> int:
        seen = set()

        def noted(code: Any, args: Any) -> Any:
            seen.add(threading.get_ident())
            return code(*args)

        options = Options(blame=False, ffi_share=1.0)
        (found,) = check_repro(named(name), ["fused"], backend=called_from_xla(noted), options=options)
        assert found.outcome == "ok"
        return len(seen)

    assert threads("callback/9") == 1
    assert threads("add/1") > 1


def test_jace_is_right_however_it_is_called() -> None:
    """The last program has temporaries, keys, integers and arrays without axes."""

    def all_kinds(x: Any, y: Any) -> Any:
        bits = jax.random.bits(jax.random.key(3), (4,))
        return jnp.sort(x @ y.T, axis=0), jnp.cumsum(jnp.argsort(y, 0), 1), x.sum(), bits

    for fun in (program, all_kinds):
        found = checked(jace_backend, fun, inside_share=1.0)
        assert found.outcome == "ok", found.detail
        assert found.ran is not None
        assert found.ran[0]["calls"] > 60


#: In the C++ that XLA calls: what stands there, and what is put in its place.
IN_THE_SHIM = {
    "results swapped": ("buffers[n_in + i] = ", "buffers[n_in + n_out - 1 - i] = "),
    "arguments swapped": ("buffers[i] = static", "buffers[n_in - 1 - i] = static"),
    "handles shared": (
        "void *acquire(Program *p) {",
        "void *acquire(Program *p) {\n  if (p->pool[0]) return p->pool[0];",
        "void release(Program *p, void *handle) {",
        "void release(Program *p, void *handle) {\n  p->pool[0] = handle; return;",
    ),
    "not called": ("const Status status = execute(p, buffers);", "const Status status = kOk;"),
}
_CHILD = """
import sys
from pathlib import Path
read, pairs = Path.read_text, list(zip(sys.argv[1::2], sys.argv[2::2]))
def changed(self, *args, **kwargs):
    text = read(self, *args, **kwargs)
    for old, new in pairs if self.name == "ffi_shim.cc" else ():
        assert old in text
        text = text.replace(old, new)
    return text
Path.read_text = changed
import jax, jax.numpy as jnp, numpy as np
from jace_repro.emitter import emit_flat
from jace_repro.repro import Header
from jace_repro.tester import Options, check_repro
x = np.random.default_rng(3).standard_normal((64, 64)).astype(np.float32)
def fun(x, y):
    z = jnp.sort(x @ y.T, axis=0)
    return jnp.cumsum(z, 0) - x, jnp.sort(z @ y, axis=1)
repro = emit_flat(jax.make_jaxpr(fun)(x, x + 1), [x, x + 1], header=Header(name="prog"))
found = check_repro(repro, ["fused"])[0]
print(found.outcome, found.who, found.guilty and found.guilty.note, sep="|")
"""


@pytest.mark.ci
@pytest.mark.parametrize("name", IN_THE_SHIM)
def test_what_is_wrong_in_the_shim_is_the_calls_fault(name: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", _CHILD, *IN_THE_SHIM[name]], capture_output=True, text=True, check=True
    )
    outcome, who, note = done.stdout.strip().split("|")
    assert (outcome, who) == ("mismatch", "jace call"), done.stdout
    assert note.startswith("the call")


def test_derivatives_go_where_jax_takes_a_call_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = pe.custom_partial_eval_rules
    right, seen = rules[jace_call_p], []
    monkeypatch.setitem(rules, jace_call_p, lambda *a, **k: (seen.append(k["name"]), right(*a, **k))[1])
    fun = jace.jit(lambda x, n: [jnp.sin(x) * n, n + 1])
    x, n = np.ones(3, np.float32), np.arange(3, dtype=np.int32)
    tangents, *cotangents = calls._derivatives(fun)(x, n)
    assert seen
    assert np.allclose(tangents, np.cos(1) * n * np.array([0.5, 1, -1.5]), rtol=1e-6)
    assert len(cotangents) == 2
    assert np.array_equal(*cotangents)
