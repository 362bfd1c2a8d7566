"""Programs on a mesh of one device: shard_map, sharding constraints, shardings of jitted functions, explicit axes."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax
from jax.sharding import AbstractMesh, AxisType, NamedSharding, SingleDeviceSharding
from jax.sharding import PartitionSpec as P

from jace import ir
from jace_repro.emitter import EmitError, emit_flat
from jace_repro.emitter.core import params
from jace_repro.emitter.core.script import Script
from jace_repro.repro import Header, trace_repro
from jace_repro.selfcheck import self_check

AUTO = jax.make_mesh((1,), ("d",), axis_types=(AxisType.Auto,))
EXPLICIT = jax.make_mesh((1, 1), ("d", "e"), axis_types=(AxisType.Explicit, AxisType.Explicit))
X = np.linspace(-2.0, 2.0, 12, dtype=np.float32).reshape(4, 3)
TABLE = jnp.asarray(np.arange(20, dtype=np.float32))
D = P("d")
ROWS = NamedSharding(AUTO, P("d"))


@jax.custom_jvp
def summed(x: Any) -> Any:
    return lax.psum(x, "d")


summed.defjvp(lambda primals, tangents: (summed(*primals), lax.psum(tangents[0], "d")))


def mapped(fun: Any, inputs: Any = D, outputs: Any = D, **options: Any) -> Callable[..., Any]:
    mapping: Any = jax.shard_map
    return jax.jit(mapping(fun, mesh=AUTO, in_specs=inputs, out_specs=outputs, **options))


def loop(x: Any) -> Any:
    zero = lax.pcast(np.float32(0), "d", to="varying")
    total, rows = lax.scan(lambda c, row: (c + row.sum(), jnp.sin(row)), zero, x)
    return jax.jit(lambda y: y * total)(rows) + lax.axis_index("d") + TABLE.sum()


PROGRAMS: dict[str, Callable[..., Any]] = {
    "shard_map": mapped(lambda x: lax.psum(x.sum(), "d"), outputs=P()),
    "control flow in shard_map": mapped(loop),
    "two results": mapped(lambda x: (x * 2, lax.pmean(x, "d")), outputs=(P("d"), P())),
    "no result": mapped(lambda x: (), outputs=()),
    "unchecked": mapped(lambda x: lax.psum(x, "d"), outputs=P("d"), check_vma=False),
    "derivative": lambda x: jax.value_and_grad(lambda y: mapped(loop)(y).sum())(x),
    "vmap": lambda x: jax.vmap(mapped(lambda a: lax.psum(a, "d"), outputs=P()))(x),
    "constraint": lambda x: lax.with_sharding_constraint(x, ROWS) + 1,
    "shardings": lambda x: jax.jit(jnp.cos, in_shardings=ROWS, out_shardings=NamedSharding(AUTO, P()))(x),
    "single device": lambda x: jax.jit(jnp.cos, out_shardings=SingleDeviceSharding(jax.devices()[0]))(x),
}

EXPLICIT_PROGRAMS: dict[str, Callable[..., Any]] = {
    "scan": lambda x: lax.scan(lambda c, row: (c + row, row.sum()), jnp.zeros_like(x[0]), x),
    "einsum": lambda x: jnp.einsum("ij,kj->ik", x, x, out_sharding=NamedSharding(EXPLICIT, P("d"))),
    "reshard": lambda x: jax.sharding.reshard(x, NamedSharding(EXPLICIT, P("d", None))),
}


def assert_same(fun: Callable[..., Any], x: Any) -> None:
    closed = jax.make_jaxpr(fun)(x)
    repro = emit_flat(closed, [x], header=Header(fingerprint=ir.fingerprint(closed)))
    again, _ = trace_repro(repro)
    assert ir.canonical_text(again) == ir.canonical_text(closed)
    outputs = jax.tree.leaves(jax.jit(repro.load_function())(*repro.load_inputs()))
    for found, expected in zip(outputs, jax.tree.leaves(jax.jit(fun)(x)), strict=True):
        np.testing.assert_array_equal(found, expected)
    assert not repro.header.notes


def test_a_rule_that_needs_the_mesh_is_left_out() -> None:
    closed = jax.make_jaxpr(mapped(summed, outputs=P()))(X)
    repro = emit_flat(closed, [X], header=Header())
    assert ir.fingerprint(trace_repro(repro)[0]) == ir.fingerprint(closed)
    assert "the derivative rule of summed is not in the script" in repro.header.notes[0]


@pytest.mark.parametrize("name", PROGRAMS)
def test_programs_on_a_mesh(name: str) -> None:
    assert_same(PROGRAMS[name], X)


@pytest.mark.parametrize("name", EXPLICIT_PROGRAMS)
def test_arrays_with_explicit_axes(name: str) -> None:
    x = jax.device_put(X, NamedSharding(EXPLICIT, P(None, "e")))
    assert "@e" in str(jax.typeof(x))
    assert_same(EXPLICIT_PROGRAMS[name], x)


def test_the_mesh_of_the_context() -> None:
    mapping: Any = jax.shard_map
    with jax.set_mesh(AUTO):
        closed = jax.make_jaxpr(mapping(jnp.sin, in_specs=P("d"), out_specs=P("d")))(X)
    assert type(closed.eqns[0].params["mesh"]).__name__ == "AbstractMesh"
    repro = emit_flat(closed, [X], header=Header())
    again, _ = trace_repro(repro)
    assert ir.fingerprint(again) == ir.fingerprint(closed)
    np.testing.assert_array_equal(jax.jit(repro.load_function())(X), jax.jit(jnp.sin)(X))


def test_a_script_makes_its_mesh_on_stock_jax(tmp_path: Path) -> None:
    closed = jax.make_jaxpr(PROGRAMS["control flow in shard_map"])(X)
    repro = emit_flat(closed, [X], header=Header(fingerprint=ir.fingerprint(closed)))
    path = repro.save(tmp_path / "mesh.py").path
    assert path is not None
    assert self_check(path).status == "exact"
    assert path.read_text().count("jax.make_mesh") == 1


@pytest.mark.parametrize("spec", [P(), P("d"), P(None, ("d", "e")), P(P.UNCONSTRAINED, unreduced={"d"})])
def test_partition_specs(spec: Any) -> None:
    text = params.param(Script(x64=False), spec, lambda jaxpr: "")
    assert eval(text, {"jax": jax, "P": P}) == spec


def test_a_function_of_the_program_may_have_the_name_of_the_specs() -> None:
    @jax.jit
    def P(x: Any) -> Any:
        return mapped(jnp.sin)(x) + 1

    assert_same(lambda x: P(x) * 2, X)


@pytest.mark.parametrize("constraint", [False, True])
def test_several_devices_are_named(constraint: bool) -> None:
    mesh = AbstractMesh((2,), ("d",), axis_types=(AxisType.Auto,))
    mapping: Any = jax.shard_map
    fun = mapping(jnp.sin, mesh=mesh, in_specs=P("d"), out_specs=P("d"))
    if constraint:
        fun = lambda x: lax.with_sharding_constraint(x, NamedSharding(mesh, P("d")))
    closed = jax.make_jaxpr(fun)(X)
    with pytest.raises(EmitError, match="a mesh of 2 devices, and a script has one"):
        emit_flat(closed, [X], header=Header())


ON_TWO_DEVICES = """
import jax, numpy as np
from jax.sharding import NamedSharding, PartitionSpec as P
mesh = jax.make_mesh((2,), ("d",), axis_types=(jax.sharding.AxisType.Auto,))
x = jax.device_put(np.arange(4.0, dtype=np.float32), NamedSharding(mesh, P("d")))
jax.jit(lambda x: x * 2)(x)
jax.jit(jax.shard_map(lambda x: x + 1, mesh=mesh, in_specs=P("d"), out_specs=P("d")))(x)
"""


def test_a_recorded_program_on_several_devices(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "program.py"
    program.write_text(ON_TWO_DEVICES)
    monkeypatch.setenv("XLA_FLAGS", "--xla_force_host_platform_device_count=2")
    arguments = ["record", "-o", str(tmp_path / "out"), str(program)]
    done = subprocess.run(
        [sys.executable, "-m", "jace_repro", *arguments], capture_output=True, text=True, timeout=300
    )
    shown = [line for line in (done.stdout + done.stderr).splitlines() if str(program) in line]
    plain, mapped = [line for line in shown if "<lambda>" in line]
    assert plain.startswith("exact")
    assert "no repro: SeveralDevices: a mesh of 2 devices, and a script has one" in mapped
