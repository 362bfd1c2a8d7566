"""The builder: what it notes of a trace, and that tracing is what it was while it runs."""

from __future__ import annotations

import dataclasses
import functools
import gc
import inspect
import sys
import threading
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

from jace_repro import record
from jace_repro.trace import bodies, stack, steps
from jace_repro.trace.model import (
    Applied,
    Body,
    Bound,
    Called,
    Closure,
    Custom,
    Function,
    Jitted,
    Method,
    Node,
    Public,
    Step,
    Traced,
    leaves,
)

X = np.array([0.5, -1.25, 2.0, 3.5], np.float32)


def body_of(fun: Callable[..., Any], *args: Any, directory: Path) -> Body:
    """What the builder noted of a function that is jitted and called."""
    found: list[Body] = []
    with record(directory) as rec:
        traced = jax.jit(fun).trace(*args)
        body = bodies.body_of(traced.jaxpr)
        assert body is not None
        found.append(body)
        jax.jit(fun)(*args)
    assert rec.recording.tracker_errors == ()
    return found[0]


def told(body: Body) -> list[str]:
    """The steps of a body, by kind and name."""
    return [_operation(step.operation) for step in body.steps]


def _operation(operation: Any) -> str:
    kind = type(operation).__name__
    if isinstance(operation, Public | Method):
        return f"{kind} {operation.name}"
    if isinstance(operation, Applied):
        return f"Applied {_operation(operation.made.operation)}"
    if isinstance(operation, Jitted | Custom):
        return f"{kind} {operation.function.name}"
    return f"{kind} {operation.primitive}" if isinstance(operation, Bound) else kind


# -------------------------------------------------------------------------------------------- what it notes


def test_steps_are_what_the_user_asked_for(tmp_path: Path) -> None:
    @jax.jit
    def part(v):
        return v + 1

    @jax.custom_jvp
    def steep(v):
        return v * 2

    steep.defjvp(lambda p, t: (p[0], t[0]))

    def program(x):
        a = jnp.linalg.norm(jax.nn.softmax(x)) + x
        b = a.T.reshape(2, 2)[0].sum()
        c = jax.vmap(part)(x)
        out, pull = jax.vjp(steep, c)
        return part(x), b, pull(out), x.at[0].set(1.0), lax.sin_p.bind(x, accuracy=None)

    body = body_of(program, X, directory=tmp_path)
    assert told(body) == [
        "Public jax.nn.softmax",
        "Public jax.numpy.linalg.norm",
        "Method __add__",
        "Method .T",
        "Method reshape",
        "Method __getitem__",
        "Method sum",
        "Applied Public jax.vmap",
        "Public jax.vjp",
        "Jitted part",
        "Called",
        "Method at.set",
        "Bound sin",
    ]
    assert body.problem is None
    assert body.function.name == "program"
    assert body.function.parameters == ("x",)
    assert "test_builder.py:" in body.function.source


def test_names_and_lines_of_results(tmp_path: Path) -> None:
    def program(x):
        first = jnp.sin(x)
        (second, third), fourth = (first * 2, first * 3), x[0]
        fifth = sixth = second + third
        values, counts = jnp.unique(x, size=4, return_counts=True)
        a, b, *rest = x
        x += fifth
        return sixth + fourth + values.sum() + counts + a - b + rest[0]

    body = body_of(program, np.arange(4, dtype=np.float32)[:4], directory=tmp_path)
    named = {_operation(s.operation): s.targets for s in body.steps}
    assert named["Public jax.numpy.sin"] == ("first",)
    assert named["Public jax.numpy.unique"] == ("values", "counts")
    assert body.steps[0].line.endswith(f"test_builder.py:{program.__code__.co_firstlineno + 1}")
    numbers = [int(s.line.rpartition(":")[2]) for s in body.steps]
    assert numbers == sorted(numbers)


def test_functions_with_rules_that_are_gone_are_not_taken_for_one_another(tmp_path: Path) -> None:
    """From jax 0.11 on nothing else keeps them alive, so that the third one may lie where the first one lay."""

    def program(x):
        for k in range(20):
            scaled = jax.custom_jvp(lambda v, k=k: v * k)
            scaled.defjvp(lambda p, t, k=k: (p[0] * k, t[0] * k))
            x = scaled(x)
        return x

    body = body_of(program, X, directory=tmp_path)
    owners = [step.operation.owner for step in body.steps if isinstance(step.operation, Custom)]
    assert [type(owner) for owner in owners] == [jax.custom_jvp] * 20
    assert len({id(owner) for owner in owners}) == 20


def test_the_same_value_is_the_same_value(tmp_path: Path) -> None:
    def program(x, y):
        z = x + y
        return jax.vmap(lambda v: v * z)(x), z, {"x": x}

    body = body_of(program, X, X, directory=tmp_path)
    x, y = body.args
    assert isinstance(x, Traced)
    assert x != y
    assert x.aval.shape == (4,)
    add, mapped = body.steps
    assert add.args == (x, y)
    assert mapped.args == (x,)
    (inner,) = mapped.bodies.values()
    assert inner.steps[0].args[1] == add.result
    assert inner.steps[0].args[0] == inner.args[0]
    assert inner.args[0] not in (x, y, add.result)
    assert body.result == (mapped.result, add.result, {"x": x})


class Pair(NamedTuple):
    """A container."""

    left: Any
    right: Any


def test_containers_are_described_as_they_are(tmp_path: Path) -> None:
    def program(tree, unused):
        return jax.vmap(lambda t: Pair(t["b"][0], t["p"].left))(tree), None, [tree["p"]]

    tree = {"b": (X, None), "p": Pair(X, [])}
    body = body_of(program, tree, None, directory=tmp_path)
    given, nothing = body.args
    assert list(given) == ["b", "p"]
    assert given["b"][1] is None
    assert nothing is None
    assert given["p"] == Node(Pair, ("left", "right"), (given["p"].children[0], []))
    result, none, listed = body.result
    assert isinstance(result, Node)
    assert (result.type, result.keys) == (Pair, ("left", "right"))
    assert none is None
    assert listed == [given["p"]]
    assert [type(leaf) for leaf in leaves(body.args)] == [Traced, type(None), Traced, type(None)]


def test_what_jax_does_inside_is_not_noted(tmp_path: Path) -> None:
    """But for the user's functions that it calls back."""

    def inner(v):
        return jnp.linalg.norm(v)

    def program(x):
        return lax.fori_loop(0, 3, lambda i, v: v * inner(v), x), jnp.linalg.svd(x[None])

    body = body_of(program, X, directory=tmp_path)
    assert told(body) == ["Public jax.lax.fori_loop", "Method __getitem__", "Public jax.numpy.linalg.svd"]
    (loop,) = body.steps[0].bodies.values()
    assert told(loop) == ["Public jax.numpy.linalg.norm", "Method __mul__"]


def test_options_of_a_step_and_of_a_body(tmp_path: Path) -> None:
    def inner(v):
        return v @ v

    def program(x):
        a = x @ x
        with jax.default_matmul_precision("float32"):
            return a + jax.vmap(inner)(x[None]) + x @ x

    body = body_of(program, X, directory=tmp_path)
    options = {_operation(s.operation): dict(s.config) for s in body.steps}
    wanted = {"jax_default_matmul_precision": "float32"}
    assert body.steps[0].config == {}
    assert options["Applied Public jax.vmap"] == wanted
    (mapped,) = [s for s in body.steps if _operation(s.operation) == "Applied Public jax.vmap"]
    (run,) = mapped.bodies.values()
    assert "float32" in run.config
    assert run.steps[0].config == {}


def test_static_arguments_are_marked(tmp_path: Path) -> None:
    @functools.partial(jax.jit, static_argnums=1, static_argnames="mode")
    def part(x, n, *, mode):
        return x * n if mode else x

    body = body_of(lambda x: part(x, 3, mode=True), X, directory=tmp_path)
    (step,) = body.steps
    assert isinstance(step.operation, Jitted)
    positions, names = step.operation.function.static
    assert 1 in positions
    assert "mode" in names
    assert len(step.args) == 1
    assert dict(step.kwargs) == {}


def test_a_function_keeps_its_last_runs_only(tmp_path: Path) -> None:
    """A loop in Python may run a function a thousand times: its bodies do not grow with it."""

    def inner(v):
        return v * 2

    def program(x):
        for _ in range(150):
            x = jax.vmap(inner)(x)
        return x

    body = body_of(program, X, directory=tmp_path)
    functions = {id(f): f for step in body.steps for f in steps.functions(step)}
    (function,) = functions.values()
    assert len(function.bodies) < 100
    assert len({id(b) for step in body.steps for b in step.bodies.values()}) == 150


def test_nothing_is_noted_outside_a_trace(tmp_path: Path) -> None:
    with record(tmp_path):
        assert not stack.is_open()
        assert stack.user_body() is None
        jax.vmap(lambda v: v * 2)(X)
        jnp.sin(X)
        assert not stack.is_open()

        @jax.jit
        def program(x):
            assert stack.is_open()
            assert stack.user_body() is not None
            with stack.silent():
                jnp.cos(x)
                assert not stack.is_open()
            other: list[bool] = []
            thread = threading.Thread(target=lambda: other.append(stack.is_open()))
            thread.start()
            thread.join()
            assert other == [False]
            return jnp.sin(x)

        body = bodies.body_of(program.trace(X).jaxpr)
    assert body is not None
    assert told(body) == ["Public jax.numpy.sin"]


def test_a_step_that_raises_and_is_caught_is_not_noted(tmp_path: Path) -> None:
    def program(x):
        try:
            jax.vmap(lambda v: (jnp.sin(v), v.missing))(x)
        except AttributeError:
            y = jnp.cos(x)
        try:
            x.reshape(9)
        except TypeError:
            y = y * 2
        return y

    body = body_of(program, X, directory=tmp_path)
    assert told(body) == ["Public jax.numpy.cos", "Method __mul__"]


# -------------------------------------------------------------------------------- tracing is what it was


class Model:
    """With a bound method, which is another object each time it is asked for."""

    def __init__(self, seen: list[str]) -> None:
        self.seen = seen

    def step(self, c, s):
        self.seen.append("step")
        return c + s, c


def _scenario(seen: list[str]) -> None:
    """Functions that JAX calls, each noting that it was called; all of them live and die here.

    There are no custom rules: the emitter runs them once more, to write them down.
    """

    def f(v):
        seen.append("f")
        return jnp.sin(v) * 2

    def cell(c, s):
        seen.append("cell")
        return c + s, c

    @jax.jit
    def part(v):
        seen.append("part")
        return f(v) + v

    @jax.jit
    def whole(x):
        seen.append("whole")
        a = part(x) + part(x) + jax.vmap(part)(x)
        b = lax.scan(cell, x, x[None])[0] + lax.scan(cell, x, x[None])[0]
        c = jax.grad(lambda v: part(v).sum())(x)
        d = lax.cond(x[0] > 0, f, f, x) + lax.fori_loop(0, 3, lambda i, v: f(v), x)
        return a + b + c + d + jax.checkpoint(f)(x) + jax.checkpoint(f)(x)

    model = Model(seen)
    for _ in range(3):
        whole(X)
        part(X)
        lax.scan(cell, 0.0, X)
        lax.scan(model.step, 0.0, X)
        lax.scan(functools.partial(cell), 0.0, X)
        jax.grad(lambda v: part(v).sum())(X)
        jax.vmap(part)(X)
        jax.jit(jax.vmap(f))(X)
        lax.while_loop(lambda c: c[0] < 3, lambda c: (c[0] + 1, f(c[1])), (0, X))
        lax.switch(0, [f, f], X)
        lax.map(f, X)
        jax.eval_shape(part, X)
        seen.append("again")


def test_functions_are_traced_as_often_as_without_a_recording(tmp_path: Path) -> None:
    """JAX's caches are keyed by functions: what stands for one must be the same each time."""
    plain: list[str] = []
    recorded: list[str] = []
    afterwards: list[str] = []
    _scenario(plain)
    with record(tmp_path) as rec:
        _scenario(recorded)
    _scenario(afterwards)
    assert rec.recording.tracker_errors == ()
    assert recorded == plain
    assert afterwards == plain


def test_what_was_traced_while_recording_is_not_traced_again(tmp_path: Path) -> None:
    seen: list[int] = []

    def helper(v):
        seen.append(1)
        return v * 2

    @jax.jit
    def program(x):
        seen.append(2)
        return jax.vmap(helper)(x) + lax.map(helper, x)

    with record(tmp_path):
        program(X)
        program(X)
        assert seen == [2, 1, 1]
        with record(tmp_path / "inner"):
            pass
        program(X)
        assert seen == [2, 1, 1]


def test_static_functions_of_the_program_keep_their_identity(tmp_path: Path) -> None:
    """A function given as an argument is the program's own object, while it is recorded as well."""
    got: list[Any] = []

    def activation(v):
        return v * 2

    @functools.partial(jax.jit, static_argnums=1)
    def apply(x, fun):
        got.append(fun)
        return fun(x)

    def caller(x, fun):
        got.append(fun)
        return jax.vmap(fun)(x)

    with record(tmp_path):
        apply(X, activation)
        jax.jit(lambda x: caller(x, activation) + apply(x, activation))(X)
        table = {activation: 1}
        jax.jit(lambda x: jax.vmap(lambda v: v * table[activation])(x))(X)
    assert all(fun is activation for fun in got)
    assert len(got) >= 2


def test_recursion_is_as_deep_as_without_a_recording(tmp_path: Path) -> None:
    """What is put between a user's functions and JAX costs few frames."""
    usual = sys.getrecursionlimit()

    def depth_reached(x) -> int:
        reached = 0

        def down(v, n):
            nonlocal reached
            reached = max(reached, n)
            return jax.vmap(lambda u: down(u, n + 1))(v[None])[0] if n < 400 else v

        try:
            jax.jit(lambda v: down(v, 0))(x)
        except RecursionError:
            pass
        else:
            raise AssertionError("not deep enough to tell")
        return reached

    sys.setrecursionlimit(len(inspect.stack(0)) + 500)  # enough to tell, and little to write of what failed
    try:
        plain = depth_reached(X)
        with record(tmp_path):
            recorded = depth_reached(X)
    finally:
        sys.setrecursionlimit(usual)
    assert recorded > plain / 2


# ------------------------------------------------------------------------------------------------- memory


def test_no_tracer_outlives_its_trace(tmp_path: Path) -> None:
    tracers: list[weakref.ref[Any]] = []

    def noted(v):
        tracers.append(weakref.ref(v))
        return v

    def program(x):
        y = noted(jnp.sin(noted(x)))
        out, pull = jax.vjp(lambda v: noted(v * 2), y)
        linear = jax.linearize(lambda v: noted(jnp.sin(v)), y)[1]
        carried, _ = lax.scan(lambda c, s: (noted(c + s), noted(s)), y, x[None])
        return jax.vmap(lambda v: noted(v) * 2)(y), pull(noted(out)), carried, linear(x)

    with record(tmp_path) as rec:
        jitted = jax.jit(program)
        jitted(X)
        gc.collect()
        assert [t() for t in tracers] == [None] * len(tracers)
        assert len(tracers) == 8
        body = bodies.body_of(jitted.trace(X).jaxpr)
        assert body is not None
        gc.collect()
        assert [t() for t in tracers] == [None] * len(tracers)
    assert rec.recording.tracker_errors == ()


def test_no_tracer_outlives_a_trace_that_raised(tmp_path: Path) -> None:
    tracers: list[weakref.ref[Any]] = []

    def program(x):
        y = jnp.sin(x)
        tracers.append(weakref.ref(y))
        raise KeyError("no")

    with record(tmp_path):
        for _ in range(2):
            with pytest.raises(KeyError):
                jax.jit(program)(X)
        gc.collect()
        assert [t() for t in tracers] == [None, None]


def test_functions_are_let_go_while_recording(tmp_path: Path) -> None:
    """A program that makes functions in a loop does not fill the memory."""
    refs: list[weakref.ref[Any]] = []
    runs: list[weakref.ref[Any]] = []

    def round_trip(n: int) -> None:
        big = np.zeros(1000 + n, np.float32)

        def inner(v):
            return v * big[n]

        def program(x):
            return jax.vmap(inner)(x) + jax.grad(lambda v: (v * n).sum())(x)

        jitted = jax.jit(program)
        jitted(X)
        body = bodies.body_of(jitted.trace(X).jaxpr)
        assert body is not None
        runs.append(weakref.ref(body))
        refs.extend(map(weakref.ref, (inner, program, big)))

    with record(tmp_path):
        for n in range(3):
            round_trip(n)
        gc.collect()
        assert [r() for r in refs] == [None] * 9
        assert [b() for b in runs] == [None] * 3


def test_what_the_program_keeps_does_not_keep_its_trace(tmp_path: Path) -> None:
    """A jitted function that lives as long as the program: its bodies hold no array of the calls."""
    with record(tmp_path):

        @jax.jit
        def program(x):
            return jnp.sin(x) * 2

        arrays = [jnp.asarray(X) + n for n in range(3)]
        refs = [weakref.ref(a) for a in arrays]
        for array in arrays:
            program(array)
        del array
        arrays.clear()
        gc.collect()
        assert [r() for r in refs] == [None] * 3


# ----------------------------------------------------------------------------------- faults of its own


@pytest.mark.parametrize("name", ["stack.data_of", "callsite.names_for", "callsite.user_frame"])
def test_a_fault_of_the_builder_is_in_the_body_and_not_in_the_program(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = jax.jit(lambda x: jax.vmap(lambda v: jnp.sin(v) * 2)(x))(X)

    def broken(*args: Any, **kwargs: Any) -> Any:
        raise RuntimeError("planted")

    monkeypatch.setattr(f"jace_repro.trace.{name}", broken)
    with record(tmp_path) as rec:
        out = jax.jit(lambda x: jax.vmap(lambda v: jnp.sin(v) * 2)(x))(X)
    np.testing.assert_array_equal(out, plain)
    (entry,) = [e for e in rec.entries if not e.entry.eager]
    assert entry.status == "completed"
    assert entry.calltree is None
    assert "RuntimeError: planted" in (entry.calltree_note or "")


def test_an_interrupt_in_a_trace_leaves_no_trace_open(tmp_path: Path) -> None:
    def program(x):
        jax.vmap(interrupted)(x)

    def interrupted(v):
        raise KeyboardInterrupt

    with record(tmp_path):
        with pytest.raises(KeyboardInterrupt):
            jax.jit(program)(X)
        assert not stack.is_open()
        out = jax.jit(lambda x: jnp.sin(x) + 1)(X)
    np.testing.assert_array_equal(out, jax.jit(lambda x: jnp.sin(x) + 1)(X))


def test_leaves_are_in_the_order_of_jax() -> None:
    """Also those of containers of somebody's own, and of slices."""
    tree = {"b": (1, [2, None]), "a": Node(Pair, ("left", "right"), (3, {"z": 4, "c": 5}))}
    assert leaves(tree) == [3, 5, 4, 1, 2, None]
    assert leaves(slice(1, None, 2)) == [1, None, 2]
    assert leaves({1: "x", "y": 2}) == ["x", 2]  # keys that do not compare: as they come
    assert leaves(Closure(3)) == [Closure(3)]


def test_values_are_equal_by_their_number() -> None:
    assert Traced(1, "f32[2]") == Traced(1, "f32[3]")
    assert Traced(1, "f32[2]") != Traced(2, "f32[2]")
    assert Called(Closure(1)) == Called(Closure(1))
    function = Function("f", "", (), None)
    assert function.body is None
    body = Body(function, (), {})
    function.bodies.append(body)
    assert function.body is body
    assert list(steps.functions(Step(Public("jax.vmap"), (function, [function]), {}))) == [
        function,
        function,
    ]


def test_a_map_over_functions_gives_the_functions(tmp_path: Path) -> None:
    def double(v):
        return v * 2

    seen = []

    def program(x):
        kept = jax.tree.map(lambda leaf: leaf, double)
        seen.append(kept is double)
        return kept(x)

    with record(tmp_path) as rec:
        jax.jit(program)(X)
    assert seen == [True]
    assert rec.entries[-1].calltree is not None


def test_a_callable_that_is_data_stays_data(tmp_path: Path) -> None:
    """lax.stop_gradient and jnp functions get it as they got it before (diffrax's solvers did not)."""

    @jax.tree_util.register_dataclass
    @dataclasses.dataclass
    class Model:
        weight: Any

        def __call__(self, x):
            return self.weight * x

    def program(model, x):
        stopped = jax.lax.stop_gradient(model)
        value, pullback = jax.vjp(lambda m: m(x).sum(), model)
        return stopped(x), value, pullback(jnp.ones(()))[0].weight

    with record(tmp_path) as rec:
        jax.jit(program)(Model(X), X)
    assert rec.entries[-1].calltree is not None


def test_a_keyword_argument_may_have_any_name(tmp_path: Path) -> None:
    def program(x):
        return jax.grad(lambda v, call: jnp.sum(v * call))(x, call=x)

    body = body_of(program, X, directory=tmp_path)
    assert body.problem is None
    assert [tuple(step.kwargs) for step in body.steps] == [("call",)]
