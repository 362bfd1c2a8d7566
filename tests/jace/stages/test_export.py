"""jax.export of a jace.jit function: StableHLO that runs where neither jace nor this machine's code is."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import export

import jace

X = np.arange(4, dtype=np.float32)


@jace.jit
def tree(x: Any, key: Any = None) -> Any:
    total, partial = jax.lax.scan(lambda c, v: (c + v, jnp.sin(v)), jnp.float32(0), x)
    return {"total": total, "noise": partial if key is None else partial + jax.random.normal(key, x.shape)}


def exported(fun: Any, *args: Any, **options: Any) -> export.Exported:
    with pytest.warns(
        UserWarning, match="as StableHLO: where it is loaded, XLA compiles and runs it, not DaCe"
    ):
        return export.export(fun, **options)(*args)


def test_what_is_written_needs_no_jace() -> None:
    found = exported(tree, X, jax.random.key(0))
    assert "custom_call" not in found.mlir_module()
    jax.tree.map(
        lambda got, want: np.testing.assert_allclose(got, want, rtol=1e-6),
        found.call(X, jax.random.key(0)),
        tree(X, jax.random.key(0)),
    )


def test_several_platforms_and_symbolic_shapes() -> None:
    (n,) = export.symbolic_shape("n")
    found = exported(tree, jax.ShapeDtypeStruct((n,), np.float32), platforms=("cpu", "cuda", "tpu"))
    assert found.platforms == ("cpu", "cuda", "tpu")
    np.testing.assert_allclose(found.call(np.ones(7, np.float32))["total"], 7)


def test_inside_of_other_functions_and_differentiated() -> None:
    def outer(x: Any) -> Any:
        return jax.grad(lambda v: tree(v)["noise"].sum())(x) + tree(x)["total"]

    found = exported(jax.jit(outer), X)
    np.testing.assert_allclose(found.call(X), np.cos(X) + X.sum(), rtol=1e-6)


def test_refs_within() -> None:
    def fun(x: Any) -> Any:
        ref = jax.new_ref(x)
        ref[0] = 5.0
        return ref[...]

    np.testing.assert_array_equal(exported(jace.jit(fun), X).call(X), [5, 1, 2, 3])


def test_lowering_for_another_platform_is_no_export() -> None:
    assert isinstance(tree.trace(X).lower(lowering_platforms=("cpu",)), jace.Lowered)
    with pytest.raises(ValueError, match=r"lowering_platforms: jace.jit compiles for the CPU, not for tpu"):
        tree.trace(X).lower(lowering_platforms=("tpu",))
