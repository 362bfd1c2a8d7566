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
