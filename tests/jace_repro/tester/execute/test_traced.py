"""Programs as the oracle has them."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax
from jax.sharding import PartitionSpec

from jace import ir
from jace_repro.emitter import emit_flat
from jace_repro.repro import Header
from jace_repro.tester import check_repro
from jace_repro.tester.execute.traced import from_jaxpr
from jace_repro.tester.numerics import precision

X = np.linspace(-1, 1, 6, dtype=np.float32).reshape(3, 2)


def summed_in_a_loop(x: Any) -> Any:
    return lax.scan(lambda c, row: (jax.jit(jnp.sinc)(c) + lax.psum(row, "devices"), c), x[0], x)


def chosen(x: Any) -> Any:
    return lax.cond(x.sum() > 0, lambda x: lax.pmax(x, "devices"), lambda x: -x, x), x


@pytest.mark.parametrize("local", [summed_in_a_loop, chosen], ids=["loop", "branch"])
def test_collectives_on_one_device_are_what_they_come_to(local: Any) -> None:
    """Else nothing says how far rounding may move what stands in the same program: 4 ULP were a mismatch."""
    mesh = jax.make_mesh((1,), ("devices",), axis_types=(jax.sharding.AxisType.Auto,))
    spread = PartitionSpec("devices")
    program = jax.shard_map(
        local, mesh=mesh, in_specs=spread, out_specs=(PartitionSpec(), spread), check_vma=False
    )
    traced = from_jaxpr(jax.make_jaxpr(jax.jit(program))(X), [X])
    assert not {"shard_map", "psum", "psum_invariant", "pmax", "jit", "pjit"} & set(
        ir.primitives(traced.plain)
    )
    assert "shard_map" in str(traced.closed)  # what is tested has it
    exact = precision.evaluate(traced.plain, traced.flat)
    for out, expected in zip(exact, program(X), strict=True):
        np.testing.assert_allclose(out, expected, rtol=1e-6)


def test_tangents_of_integers_are_compared_as_what_xla_passes() -> None:
    """float0 has no value: XLA passes booleans, and so does the program that is built."""
    none = np.zeros(3, jax.dtypes.float0)
    function = lambda t, i, x: (t, jax.grad(lambda i: x.sum() * i, allow_int=True)(i), x + 1)
    args = [none, np.int32(2), X]
    traced = from_jaxpr(jax.make_jaxpr(function)(*args), args)
    assert [a.dtype for a in traced.args] == [jax.dtypes.float0, np.int32, np.float32]
    assert [a.dtype for a in traced.flat] == [np.bool_, np.int32, np.float32]
    repro = emit_flat(traced.closed, traced.args, header=Header(name="tangents"))
    assert {verdict.outcome for verdict in check_repro(repro, ["fused", "canonical"])} == {"ok"}
