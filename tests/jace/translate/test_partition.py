"""Programs divided between DaCe and XLA: primitives that jace has no rule for, callbacks, custom calls."""

from __future__ import annotations

import ctypes
import functools
import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax._src import dispatch
from jax.experimental import io_callback
from jax.extend.core import Primitive
from jax.interpreters import ad, batching, mlir
from jaxlib.mlir.dialects import stablehlo

import jace

X = np.linspace(0.5, 2.0, 8, dtype=np.float32)

# A third party's primitive, as a library would define it: jace knows nothing of it.
mystery_p: Any = Primitive("mystery")
mystery_p.def_impl(functools.partial(dispatch.apply_primitive, mystery_p))
mystery_p.def_abstract_eval(lambda x: jax.core.ShapedArray(x.shape, x.dtype))
mlir.register_lowering(mystery_p, lambda ctx, x: [stablehlo.tanh(x)])
ad.defjvp(mystery_p, lambda g, x: g * (1 - jnp.square(mystery_p.bind(x))))
batching.defvectorized(mystery_p)
mystery = mystery_p.bind


def chain(x: Any) -> Any:
    y = jnp.sin(x) * 2
    return jnp.sum(jnp.cos(mystery(y)) + y)


def in_while(x: Any) -> Any:
    return jax.lax.while_loop(lambda c: jnp.sum(mystery(c)) < 5, lambda c: c + 0.1 * mystery(c), x * 0.1)


def in_scan(x: Any) -> Any:
    def step(c: Any, i: Any) -> Any:
        c = mystery(jnp.sin(c) + i)
        return c, c.max()

    return jax.lax.scan(step, x, jnp.arange(4.0), reverse=True)


def in_cond(x: Any) -> Any:
    branches = [mystery, jnp.sin, lambda x: mystery(x * 2) + x]
    return [jax.lax.switch(i, branches, x) for i in jnp.argsort(x[:3])]


def diamond(x: Any) -> Any:
    """Two foreign equations that do not depend on each other, then two chains that meet."""
    a, b = mystery(x * 2), mystery(x + 3)
    return jnp.cos(a) @ jnp.cos(b) + mystery(a * b), mystery(x)


PROGRAMS: dict[str, Callable[[Any], Any]] = {
    "chain": chain,
    "while": in_while,
    "scan": in_scan,
    "cond": in_cond,
    "diamond": diamond,
    "nothing-else": mystery,
    "nothing-foreign": jnp.sin,
}


def close(got: Any, want: Any) -> None:
    jax.tree.map(functools.partial(np.testing.assert_allclose, rtol=2e-6, atol=1e-6), got, want)


@pytest.mark.parametrize("pipeline", ["fused", "canonical"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_unsupported_equations_stay_with_xla(name: str, pipeline: str) -> None:
    program = PROGRAMS[name]
    close(jace.jit(program, on_unsupported="xla", pipeline=pipeline)(X), jax.jit(program)(X))


def test_the_default_names_every_unsupported_equation_and_what_to_do() -> None:
    with pytest.raises(jace.UnsupportedPrimitiveError) as error:
        jace.jit(lambda x: (diamond(x), in_scan(x)))(X)
    assert error.value.primitives == ("mystery",)
    assert len(error.value.unsupported) == 5
    assert all(Path(__file__).name in found.source for found in error.value.unsupported)
    assert 'on_unsupported="xla"' in str(error.value)


def test_regions_are_as_few_as_the_alternations_need() -> None:
    lowered = jace.jit(diamond, on_unsupported="xla").lower(X)
    assert len(lowered.as_sdfgs()) == 3  # before both, between, after; not one a foreign equation
    assert len(lowered.left_to_xla) == 4
    assert all("mystery" in text and "no rule" in text for text in lowered.left_to_xla)
    partition = lowered.as_text("partition")
    assert partition.count("= jace_call[") == 3
    assert partition.count("= mystery") == 4
    assert len(json.loads(lowered.as_text("json"))) == 3


def test_a_divided_program_is_no_single_sdfg() -> None:
    lowered = jace.jit(chain, on_unsupported="xla").lower(X)
    with pytest.raises(jace.JaceError, match=r"not one SDFG but 2.*\n.*mystery"):
        lowered.as_sdfg()
    whole = jace.jit(jnp.sin, on_unsupported="xla").lower(X)
    assert whole.left_to_xla == ()
    assert whole.as_sdfg() is whole.as_sdfgs()[0]
    assert whole.as_text("partition") == whole.as_text("jaxpr")


def test_stages_of_a_divided_program() -> None:
    compiled = jace.jit(chain, on_unsupported="xla").lower(X).compile()
    want = jax.jit(chain)(X)
    close(compiled(X), want)
    (got,) = compiled.call_direct(X)
    close(got, want)
    assert isinstance(got, np.ndarray)
    assert compiled.as_text().count("__jace_call_") >= 2
    assert compiled.memory_analysis().argument_size_in_bytes == X.nbytes
    assert compiled.cost_analysis()["equations"] == 5  # sin, mul | cos, add, reduce_sum


def test_compile_jaxpr_divides_too() -> None:
    closed = jax.make_jaxpr(lambda key, x: chain(x + jax.random.uniform(key, x.shape)))(jax.random.key(1), X)
    with pytest.raises(jace.UnsupportedPrimitiveError):
        jace.compile_jaxpr(closed)
    compiled = jace.compile_jaxpr(closed, on_unsupported="xla")
    want = jax.jit(jax.extend.core.jaxpr_as_fun(closed))(jax.random.key(1), X)
    close(compiled.call_direct(jax.random.key(1), X), want)
    close(compiled.call_direct(jax.random.key_data(jax.random.key(1)), X), want)


def test_large_constants_are_operands_of_regions() -> None:
    table = np.arange(500, dtype=np.float32)
    program = lambda x: mystery(x) + table[:8] * table.sum()
    close(jace.jit(program, on_unsupported="xla")(X), jax.jit(program)(X))


TRANSFORMS: dict[str, Callable[[Callable[..., Any]], Callable[..., Any]]] = {
    "grad": jax.grad,
    "hessian": jax.hessian,
    "jvp": lambda f: lambda x: jax.jvp(f, (x,), (x,)),
    "vmap": lambda f: lambda x: jax.vmap(f)(jnp.stack([x, 2 * x])),
    "vmap-grad": lambda f: lambda x: jax.vmap(jax.grad(f))(jnp.stack([x, 2 * x])),
    "checkpoint": lambda f: jax.grad(jax.checkpoint(f)),
    "scan": lambda f: lambda x: jax.lax.scan(lambda c, _: (c + f(c), f(c)), x, None, length=3),
    "jit": jax.jit,
    "nested": lambda f: jace.jit(lambda x: f(x) * 2, on_unsupported="xla"),
}


@pytest.mark.parametrize("transform", TRANSFORMS)
def test_transformations(transform: str) -> None:
    apply = TRANSFORMS[transform]
    got = apply(jace.jit(chain, on_unsupported="xla"))(X)
    plain = (lambda f: lambda x: f(x) * 2) if transform == "nested" else apply
    jax.tree.map(functools.partial(np.testing.assert_allclose, rtol=1e-4, atol=1e-5), got, plain(chain)(X))


def test_a_rule_for_the_primitive_takes_it_back() -> None:
    rule = jace.Elementwise(lambda params, ins, out, x: f"jace::tanh_({x})")
    function = jace.jit(chain)
    with jace.use_rules({"mystery": rule}):
        assert len(function.lower(X).as_sdfgs()) == 1
        close(function(X), jax.jit(chain)(X))


def test_an_unknown_choice_is_refused() -> None:
    with pytest.raises(ValueError, match="unknown on_unsupported 'XLA'; choose one of error, xla"):
        jace.jit(chain, on_unsupported="XLA")


# --- callbacks ----------------------------------------------------------------------------------------------


def test_pure_callback_with_every_vmap_method() -> None:
    calls: list[tuple[int, ...]] = []

    def host(a: Any) -> Any:
        calls.append(a.shape)
        return np.tanh(a)

    def program(x: Any, method: str) -> Any:
        return jax.pure_callback(host, jax.ShapeDtypeStruct(x.shape, x.dtype), x * 2, vmap_method=method) + 1

    for method, shapes in {"sequential": [(8,)] * 2, "broadcast_all": [(2, 8)]}.items():
        calls.clear()
        batched = jax.vmap(jace.jit(functools.partial(program, method=method)))
        close(batched(np.stack([X, X + 1])), np.tanh(2 * np.stack([X, X + 1])) + 1)
        assert calls == shapes


def test_ordered_effects_stay_ordered() -> None:
    seen: list[float] = []

    def program(x: Any) -> Any:
        def tell(sign: float, value: Any) -> None:
            io_callback(lambda v: seen.append(sign * float(v)), None, value, ordered=True)

        def step(c: Any, i: Any) -> Any:
            tell(1, c[0])
            c = jnp.sin(c) + i
            tell(10, i)
            return c, c.max()

        tell(100, x[-1])
        c, ys = jax.lax.scan(step, x, jnp.arange(3.0))
        tell(-1, c[0])
        return c, ys

    def run(function: Any) -> tuple[Any, list[float]]:
        seen.clear()
        out = function(X)
        jax.effects_barrier()
        return out, list(seen)

    (got, told), (want, expected) = run(jace.jit(program)), run(jax.jit(program))
    close(got, want)
    np.testing.assert_allclose(told, expected, rtol=1e-6)
    assert len(told) == 8


def test_effects_without_results_happen(capfd: pytest.CaptureFixture[str]) -> None:
    jace.jit(lambda x: jax.debug.print("first {v}", v=x[0]))(X)
    jax.effects_barrier()
    assert capfd.readouterr().out == "first 0.5\n"


def test_debug_callback_survives_grad_vmap_and_dead_code() -> None:
    seen: list[Any] = []

    def program(x: Any) -> Any:
        jax.debug.callback(lambda v: seen.append(v.shape), x)
        return jnp.sum(jnp.sin(x))

    compiled = jace.jit(program)
    close(jax.grad(compiled)(X), np.cos(X))
    jax.jit(lambda x: (compiled(x), x)[1])(X)  # its result is dead, its effect is not
    jax.vmap(compiled)(np.stack([X, X]))
    jax.effects_barrier()
    assert len(seen) == 4


def test_an_exception_in_a_callback_reaches_the_caller() -> None:
    def refuse(a: Any) -> Any:
        raise RuntimeError("the host says no")

    program = jace.jit(lambda x: jax.pure_callback(refuse, jax.ShapeDtypeStruct(x.shape, x.dtype), x) + 1)
    with pytest.raises(Exception, match="the host says no"):
        program(X).block_until_ready()
    close(jace.jit(jnp.sin)(X), np.sin(X))  # and nothing is left broken


def test_callbacks_take_keys_and_static_arguments() -> None:
    @functools.partial(jace.jit, static_argnums=2)
    def program(key: Any, x: Any, n: int) -> Any:
        jax.debug.callback(lambda v: None, x)
        here, there = jax.random.split(key)
        return jax.random.bits(here, (n,)), there

    got, key = program(jax.random.key(3), X, 5)
    here, there = jax.random.split(jax.random.key(3))
    np.testing.assert_array_equal(got, jax.random.bits(here, (5,)))
    assert bool(key == there)


HANDLER = """
#include "xla/ffi/api/c_api.h"
extern "C" XLA_FFI_Error *twice(XLA_FFI_CallFrame *frame) {
  for (auto *ext = frame->extension_start; ext != nullptr; ext = ext->next)
    if (ext->type == XLA_FFI_Extension_Metadata) {
      auto *metadata = reinterpret_cast<XLA_FFI_Metadata_Extension *>(ext)->metadata;
      metadata->api_version.major_version = XLA_FFI_API_MAJOR;
      metadata->api_version.minor_version = XLA_FFI_API_MINOR;
      return nullptr;
    }
  auto *x = static_cast<XLA_FFI_Buffer *>(frame->args.args[0]);
  auto *y = static_cast<XLA_FFI_Buffer *>(frame->rets.rets[0]);
  for (int64_t i = 0; i < x->dims[0]; ++i)
    static_cast<float *>(y->data)[i] = 2 * static_cast<const float *>(x->data)[i];
  return nullptr;
}
"""


def test_ffi_call(tmp_path: Path) -> None:
    source, library = tmp_path / "twice.cc", tmp_path / "twice.so"
    source.write_text(HANDLER)
    include = f"-I{jax.ffi.include_dir()}"
    subprocess.run(["g++", "-shared", "-fPIC", include, str(source), "-o", str(library)], check=True)
    handler = jax.ffi.pycapsule(ctypes.CDLL(str(library)).twice)
    jax.ffi.register_ffi_target("jace_test_twice", handler, platform="cpu")

    def program(x: Any) -> Any:
        y = jax.ffi.ffi_call("jace_test_twice", jax.ShapeDtypeStruct(x.shape, x.dtype))(jnp.sin(x))
        return y - x

    close(jace.jit(program)(X), 2 * np.sin(X) - X)
    assert jace.jit(program).lower(X).left_to_xla[0].count("ffi_call") >= 1


# --- what hides in expansions and branches ------------------------------------------------------------------

opaque_p: Any = Primitive("opaque")  # a library's primitive whose lowering is Python with a callback inside
opaque_p.def_abstract_eval(lambda x: x)


def _opaque(x: Any) -> Any:
    return jax.pure_callback(np.sin, jax.ShapeDtypeStruct(x.shape, x.dtype), x * 2) + 1


mlir.register_lowering(opaque_p, mlir.lower_fun(_opaque, multiple_results=False))


def test_callbacks_inside_of_a_library_primitive() -> None:
    program = lambda x: jax.lax.fori_loop(0, 2, lambda i, c: opaque_p.bind(c) * 2, x)
    lowered = jace.jit(program).lower(X)
    close(lowered.compile()(X), jax.jit(program)(X))
    assert [text.split(" = ")[1].split("[")[0] for text in lowered.left_to_xla] == ["pure_callback"]


def test_branches_for_other_platforms_do_not_count() -> None:
    def program(x: Any) -> Any:
        chosen = jax.lax.platform_dependent(x, cpu=jnp.sin, default=mystery)
        return chosen + jax.pure_callback(np.cos, jax.ShapeDtypeStruct(x.shape, x.dtype), x)

    lowered = jace.jit(program).lower(X)
    close(lowered.compile()(X), np.sin(X) + np.cos(X))
    assert len(lowered.left_to_xla) == 1
    assert (
        jace.jit(lambda x: jax.lax.platform_dependent(x, cpu=jnp.sin, tpu=mystery)).lower(X).left_to_xla == ()
    )
