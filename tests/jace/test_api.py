"""jace.jit and its stages, as a user sees them."""

from __future__ import annotations

import json
import threading
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import jace
from jace import api, registry
from jace.build.load import Library
from jace.debug import is_disabled, watch_jit

X = np.linspace(0.0, 1.0, 8, dtype=np.float32)


def affine(x: Any, *, scale: Any = 2.0) -> Any:
    """Scale and shift."""
    return {"y": x * scale + 1}


def test_looks_like_the_function() -> None:
    wrapped = jace.jit(affine)
    assert wrapped.__name__ == "affine"
    assert wrapped.__doc__ == affine.__doc__
    assert wrapped.__wrapped__ is affine
    assert "affine" in repr(wrapped)


def test_pytrees_and_keywords() -> None:
    wrapped = jace.jit(affine)
    np.testing.assert_allclose(wrapped(X)["y"], X * 2 + 1)
    np.testing.assert_allclose(wrapped(x=X, scale=3.0)["y"], X * 3 + 1)

    tree = {"a": (X, None), "b": [1.0]}
    got = jace.jit(lambda t: {"s": t["a"][0] + t["b"][0], "none": t["a"][1]})(tree)
    assert got["none"] is None
    np.testing.assert_allclose(got["s"], X + 1)


def test_static_arguments() -> None:
    seen: list[Any] = []

    @jace.jit(static_argnums=1, static_argnames=("mode",))
    def f(x: Any, n: int, mode: str = "add") -> Any:
        seen.append((n, mode))
        return x + n if mode == "add" else x * n

    np.testing.assert_allclose(f(X, 3), X + 3)
    np.testing.assert_allclose(f(X, 3, mode="mul"), X * 3)
    f(X, 3)
    assert seen == [(3, "add"), (3, "mul")]


def test_static_objects_pass_through_untouched() -> None:
    class Config:
        factor = 4.0

    config = Config()
    got = jace.jit(lambda x, c: x * c.factor if c is config else None, static_argnums=1)(X, config)
    np.testing.assert_allclose(got, X * 4)


def test_as_a_method() -> None:
    class Model:
        def __init__(self) -> None:
            self.w = 3.0

        @jace.jit(static_argnums=0)
        def __call__(self, x: Any) -> Any:
            return x * self.w

    np.testing.assert_allclose(Model()(X), X * 3)


def test_donated_arguments_give_right_results() -> None:
    x = jnp.arange(4.0)
    np.testing.assert_allclose(jace.jit(lambda x: x * 2, donate_argnums=0)(x), [0, 2, 4, 6])


@pytest.mark.parametrize("x64", [False, True])
def test_weak_types_follow_jax(x64: bool) -> None:
    def f(x: Any, y: Any) -> Any:
        return x + y, x * 2, y

    values = [(1.5, X), (2, X), (np.int8(3), 4), (True, 1.0), (1j, 2.0)]
    with jax.enable_x64(x64):
        for args in values:
            got, want = jace.jit(f)(*args), jax.jit(f)(*args)
            assert [(g.dtype, g.weak_type) for g in got] == [(w.dtype, w.weak_type) for w in want]
            for g, w in zip(got, want, strict=True):
                np.testing.assert_array_equal(g, w)


@pytest.mark.parametrize("shape", [(), (0,), (3, 0), (1, 1)])
@pytest.mark.parametrize("dtype", ["bool", "int8", "uint16", "int32", "float16", "bfloat16", "complex64"])
def test_shapes_and_dtypes(shape: tuple[int, ...], dtype: str) -> None:
    x = jnp.ones(shape, dtype)
    got, want = jace.jit(lambda x: x + x)(x), x + x
    assert (got.shape, got.dtype) == (want.shape, want.dtype)
    np.testing.assert_array_equal(np.asarray(got), np.asarray(want))


def test_no_inputs_and_no_outputs() -> None:
    np.testing.assert_allclose(jace.jit(lambda: jnp.arange(3.0) + 1)(), [1, 2, 3])
    assert jace.jit(lambda x: ())(X) == ()
    assert jace.jit(lambda x: None)(X) is None


def test_disable_jit_runs_the_function_itself() -> None:
    seen: list[Any] = []
    with jax.disable_jit():
        jace.jit(lambda x: seen.append(x))(X)
    assert isinstance(seen[0], np.ndarray)


def test_stages() -> None:
    wrapped = jace.jit(affine)
    traced = wrapped.trace(X)
    assert [eqn.primitive.name for eqn in traced.jaxpr.eqns] == ["mul", "add"]
    assert traced.out_info["y"].shape == (8,)
    lowered = traced.lower()
    assert "mul" in lowered.as_text("jaxpr")
    assert json.loads(lowered.as_text("json"))["type"] == "SDFG"
    assert "@jace_call" in lowered.as_text("stablehlo")
    lowered.as_sdfg().validate()
    with pytest.raises(ValueError, match="dialect"):
        lowered.as_text("ptx")
    compiled = lowered.compile()
    np.testing.assert_allclose(compiled(X)["y"], X * 2 + 1)
    np.testing.assert_allclose(compiled.call_direct(X)[0], X * 2 + 1)
    assert "__program_" in compiled.as_text()
    assert compiled.cost_analysis()["bytes accessed"] >= 2 * X.nbytes
    assert compiled.memory_analysis().output_size_in_bytes == X.nbytes
    assert set(compiled.seconds) == {"translate", "compile"}
    assert wrapped.eval_shape(X)["y"].dtype == np.float32


def test_stages_from_shapes_alone() -> None:
    compiled = jace.jit(affine).lower(jax.ShapeDtypeStruct((8,), np.float32)).compile()
    np.testing.assert_allclose(compiled.call_direct(X)[0], X * 2 + 1)


def test_call_direct_knows_constants_and_passed_through_inputs() -> None:
    large = np.arange(100, dtype=np.float32)
    compiled = jace.jit(lambda x, y: (y, x + large, 5.0)).lower(large, X).compile()
    y, z, five = compiled.call_direct(large, X)
    np.testing.assert_array_equal(y, X)
    np.testing.assert_array_equal(z, 2 * large)
    assert five == 5.0
    with pytest.raises(TypeError, match="arguments"):
        compiled.call_direct(large)


def test_compile_jaxpr() -> None:
    closed = jax.make_jaxpr(affine)(X)
    compiled = jace.compile_jaxpr(closed, "canonical")
    np.testing.assert_allclose(compiled(X)[0], X * 2 + 1)
    np.testing.assert_allclose(compiled.call_direct(X)[0], X * 2 + 1)


@pytest.mark.parametrize(
    ("pipeline", "compiler"),
    [
        ("fused", "direct"),
        ("canonical/none", "direct"),
        ("canonical/simplify", "direct"),
        ("canonical/auto-optimize", "direct"),
        ("fused", "stock"),
    ],
)
def test_pipelines_and_drivers(pipeline: str, compiler: str) -> None:
    f = jace.jit(
        lambda x: jnp.cumsum(jnp.tanh(x)) + x, pipeline=pipeline, compiler_options={"compiler": compiler}
    )
    np.testing.assert_allclose(f(X), np.cumsum(np.tanh(X)) + X, rtol=1e-6)


def test_unknown_pipeline_is_refused_at_once() -> None:
    with pytest.raises(ValueError, match="unknown pipeline 'fast'"):
        jace.jit(affine, pipeline="fast")
    with pytest.raises(TypeError, match="Expected a callable value, got 3"):
        jace.jit(3)


def test_errors_keep_their_type_through_jax(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(registry._rules, "eig")
    f = jace.jit(lambda x: jnp.linalg.eigvals(x))
    for call in (f, jax.jit(f), lambda x: f.lower(x)):
        with pytest.raises(jace.UnsupportedPrimitiveError, match="eig") as caught:
            call(np.eye(2, dtype=np.float32))
        assert caught.value.primitives == ("eig",)


def test_replaced_rules_reach_functions_that_are_compiled_already() -> None:
    f = jace.jit(lambda x: jnp.sin(x))
    outer = jax.jit(lambda x: f(x) + 1)
    np.testing.assert_allclose(outer(X), np.sin(X) + 1, rtol=1e-6)
    zero = registry.Elementwise(lambda params, ins, out, x: f"({x} * 0)")
    with api.use_rules({"sin": zero}):
        np.testing.assert_array_equal(f(X), np.zeros(8))
        np.testing.assert_array_equal(outer(X), np.ones(8))
    np.testing.assert_allclose(f(X), np.sin(X), rtol=1e-6)
    np.testing.assert_allclose(outer(X), np.sin(X) + 1, rtol=1e-6)


def test_concurrent_first_calls_compile_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JACE_CACHE", "0")
    from jace.translate import unit

    built: list[Library] = []
    original = unit.Unit._build

    def build(self: unit.Unit) -> Library:
        built.append(original(self))
        return built[-1]

    monkeypatch.setattr(unit.Unit, "_build", build)
    functions = [jace.jit(lambda x: jnp.sin(x) * 17 - x) for _ in range(4)]
    results: list[Any] = [None] * 4

    def work(i: int) -> None:
        results[i] = functions[i](X)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for result in results:
        np.testing.assert_allclose(result, np.sin(X) * 17 - X, rtol=1e-5)
    assert len(built) == 1


@pytest.mark.parametrize("disable", [False, True])
def test_who_watches_is_told_what_is_asked_for(disable: bool) -> None:
    told: list[tuple[str, str]] = []
    with watch_jit(lambda what, name: told.append((what, name)), disable=disable):
        fun = jace.jit(lambda x: x + 1, pipeline="canonical")
        with jace.use_rules({"sin": jace.rule_of("sin")}):
            pass
        assert is_disabled() == disable
    assert told == [("pipeline", "canonical"), ("rule", "sin")]
    assert not is_disabled()
    assert ("jace_call" in str(jax.make_jaxpr(fun)(1.0))) != disable
    assert "jace_call" in str(jax.make_jaxpr(jace.jit(lambda x: x + 1))(1.0))


def test_disabled_functions_are_those_of_jax(monkeypatch: pytest.MonkeyPatch) -> None:
    x = np.float32(2)
    monkeypatch.setenv("JACE_DISABLE", "1")
    disabled = jace.jit(lambda x, n: jnp.sin(x) * n, static_argnums=1)
    monkeypatch.setenv("JACE_DISABLE", "0")
    enabled = jace.jit(lambda x, n: jnp.sin(x) * n, static_argnums=1)

    def calls(fun):
        return "jace_call" in str(jax.make_jaxpr(lambda x: fun(x, 3))(x))

    assert (calls(disabled), calls(enabled)) == (False, True)
    assert disabled(x, 3) == jax.jit(lambda x: jnp.sin(x) * 3)(x)
    assert disabled.lower(x, 3).as_sdfg().nodes()  # its stages stay
    assert repr(disabled).startswith("<jace.jit function")


def test_it_may_stand_in_the_place_of_jax_jit(monkeypatch: pytest.MonkeyPatch) -> None:
    """So a whole library runs through DaCe, which is imported after that; what jace makes with JAX's own goes on."""
    monkeypatch.setattr(jax, "jit", jace.jit)
    jitted = jax.jit(affine, static_argnames="scale")
    np.testing.assert_array_equal(jitted(X, scale=2.0)["y"], X * 2 + 1)
    outer = jax.jit(lambda x: jax.grad(lambda y: jitted(y)["y"].sum())(x))
    np.testing.assert_array_equal(outer(X), np.full_like(X, 2))
    compiled = jitted.lower(X).compile()
    np.testing.assert_array_equal(compiled(X)["y"], X * 2 + 1)
    assert compiled.cost_analysis()

    @jax.jit(on_unsupported="xla")
    def told(x: Any) -> Any:
        jax.debug.print("{x}", x=x.sum())
        return x * 2

    np.testing.assert_array_equal(told.lower(X).compile()(X), X * 2)
    plain = jace.compile_jaxpr(jax.make_jaxpr(lambda x: x + 1)(X))
    np.testing.assert_array_equal(plain(X)[0], X + 1)


@pytest.mark.parametrize(
    "step",
    [lambda x: jnp.sin(x) + 0.5, lambda x: jnp.pad(x, (1, 0))[:-1] + 0.5, lambda x: x * jnp.cos(x[0])],
    ids=["elementwise", "moved", "broadcast"],
)
def test_long_chains_do_not_exhaust_the_stack(step):
    """An unrolled loop: fused, each result was computed within the next, by a recursion as deep as the program."""

    def unrolled(x, steps=400):
        for _ in range(steps):
            x = step(x)
        return x

    x = jnp.linspace(0, 1, 4)
    rolled = jax.jit(lambda x: jax.lax.fori_loop(0, 400, lambda _, c: step(c), x))
    np.testing.assert_allclose(jace.jit(unrolled)(x), rolled(x), rtol=1e-4)
