"""Every row of the table is the call of some equation, which it is traced to; what no row fits stays a bind."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from emitted import written
from jax import lax

from jace import ir
from jace_repro.emitter import emit_flat
from jace_repro.emitter.flat import public_calls
from jace_repro.repro import Header, trace_repro

F = np.linspace(0.1, 0.9, 12, dtype=np.float32).reshape(3, 4)
SQUARE = F[:, :3] + 2 * np.eye(3, dtype=np.float32)
IMAGE = np.ones((2, 5, 4, 3), np.float32)
I = np.array([[2], [0]], np.int32)  # noqa: E741
KEY = jax.random.key(0)
ROW = lax.ScatterDimensionNumbers((1,), (0,), (0,))


def scattered(name: str, **how: Any) -> Callable[..., Any]:
    return lambda x, i: getattr(lax, name)(x, i, x[:2], ROW, **how)


PROGRAMS: dict[str, tuple[Callable[..., Any], tuple[Any, ...]]] = {
    "gather": (lambda x, i: x[i[:, 0]], (F, I)),
    "scatter": (scattered("scatter", mode="clip", unique_indices=True), (F, I)),
    "scatter-add": (lambda x, i: x.at[i[:, 0], 1].add(2.0, mode="drop"), (F, I)),
    "scatter-mul": (scattered("scatter_mul"), (F, I)),
    "scatter-min": (scattered("scatter_min", mode="promise_in_bounds"), (F, I)),
    "scatter-max": (scattered("scatter_max", indices_are_sorted=True), (F, I)),
    "scatter-sub": (scattered("scatter_sub"), (F, I)),
    "dynamic_slice": (lambda x, i: lax.dynamic_slice(x, (i[0, 0], 1), (1, 2)), (F, I)),
    "dynamic_update_slice": (lambda x, i: lax.dynamic_update_slice(x[0], x[0, :1], (i[1, 0],)), (F, I)),
    "sort": (lambda x: (lax.sort(x), lax.sort((x, -x), 0, is_stable=False, num_keys=2)), (F,)),
    "top_k": (lambda x: (lax.top_k(x, 2), lax.top_k(x, 1, axis=0)), (F,)),
    "conv_general_dilated": (
        lambda x, k: (
            lax.conv_general_dilated(x, x, (1, 2), "SAME"),
            lax.conv_general_dilated(
                x, k, (2, 1), [(1, 0), (2, 2)], (1, 2), (2, 1), ("NHWC", "HWIO", "NWHC"),
                precision="highest", preferred_element_type=np.float32,
            ),
            lax.conv_general_dilated(x[0], x[0], (1,), "VALID", dimension_numbers=("NWC", "OWI", "CNW")),
        ),
        (IMAGE, np.ones((2, 1, 3, 2), np.float32)),
    ),
    "reduce_window_max": (lambda x: lax.reduce_window(x, -np.inf, lax.max, (2, 2)), (F,)),
    "reduce_window_min": (
        lambda x: lax.reduce_window(x.astype(int), np.int32(2**31 - 1), lax.min, (2, 2), (1, 2), "SAME"), (F,)
    ),
    "reduce_window_sum": (
        lambda x: lax.reduce_window(x, 0.0, lax.add, (2, 2), None, [(1, 0), (0, 2)], (2, 1), (1, 2)), (F,)
    ),
    "bitcast_convert_type": (lambda x: lax.bitcast_convert_type(x, np.int32), (F,)),
    "stop_gradient": (lax.stop_gradient, (F,)),
    "split": (lambda x: lax.split(x, (1, 3), 1), (F,)),
    "stack": (lambda x: (jnp.stack([x]), jnp.stack([x, -x], 2)), (F,)),
    "unstack": (lambda x: jnp.unstack(x, axis=1), (F,)),
    "tile": (lambda x: lax.tile(x, (2, 1)), (F,)),
    "copy": (jnp.copy, (F,)),
    "add_any": (jax.grad(lambda x: (jnp.sin(x) * x).sum()), (F,)),
    "round": (lambda x: (lax.round(x), lax.round(x, lax.RoundingMethod.TO_NEAREST_EVEN)), (F,)),
    "reduce_precision": (lambda x: lax.reduce_precision(x, 5, 3), (F,)),
    "optimization_barrier": (lambda x: (lax.optimization_barrier(x), lax.optimization_barrier((x, -x))), (F,)),
    "rng_bit_generator": (lambda x: lax.rng_bit_generator(x, (2, 3)), (np.zeros(4, np.uint32),)),
    "rng_uniform": (lambda x: lax.rng_uniform(x[0, 0], x[2, 3], (2,)), (F,)),
    "lu": (lax.linalg.lu, (F,)),
    "qr": (lambda x: (lax.linalg.qr(x), lax.linalg.qr(x, full_matrices=False)), (F,)),
    "eigh": (lambda x: lax.linalg.eigh(x + x.T, lower=False), (SQUARE,)),
    "eig": (lambda x: lax.linalg.eig(x, compute_left_eigenvectors=False), (SQUARE,)),
    "schur": (lambda x: lax.linalg.schur(x), (SQUARE,)),
    "hessenberg": (lax.linalg.hessenberg, (SQUARE,)),
    "tridiagonal": (lambda x: lax.linalg.tridiagonal(x), (SQUARE,)),
    "tridiagonal_solve": (lambda x: lax.linalg.tridiagonal_solve(x[0], x[1], x[2], x), (SQUARE,)),
    "triangular_solve": (lambda x: lax.linalg.triangular_solve(x, x, lower=True, transpose_a=True), (SQUARE,)),
    "householder_product": (lambda x: lax.linalg.householder_product(x, x[0]), (SQUARE,)),
    "random_bits": (lambda k: (jax.random.bits(k), jax.random.bits(k, (2, 3), np.uint8)), (KEY,)),
    "random_split": (lambda k: (jax.random.split(k), jax.random.split(k, 5), jax.random.split(k, (2, 1))), (KEY,)),
    "random_fold_in": (lambda k: jax.random.fold_in(k, 7), (KEY,)),
    "random_unwrap": (jax.random.key_data, (KEY,)),
    "random_wrap": (lambda x: jax.random.wrap_key_data(x, impl="rbg"), (np.zeros(4, np.uint32),)),
    "random_seed": (lambda x: (jax.random.key(x), jax.random.key(x, impl="rbg")), (np.uint32(7),)),
}  # fmt: skip
#: Equations that no call of a row's function is traced to.
BINDS: dict[str, tuple[Callable[..., Any], tuple[Any, ...]]] = {
    "of a batch of keys": (jax.vmap(lambda k: jax.random.bits(k, (2,))), (jax.random.split(KEY),)),
    "of literals": (lambda x: (x, lax.copy_p.bind(1.0)), (F,)),
    "another identity": (lambda x: lax.reduce_window(x.astype(np.int8), np.int8(127), lax.min, (2, 2)), (F,)),
}


@pytest.mark.parametrize("name", public_calls.ROWS)
def test_a_row_is_the_call_of_an_equation(name: str) -> None:
    row = public_calls.ROWS[name]
    if row.called() is None:
        pytest.skip(f"this release of JAX has no {row.function}")
    fun, args = PROGRAMS[name]
    closed = jax.make_jaxpr(fun)(*args)
    wanted = sum(eqn.primitive.name == name for eqn in closed.jaxpr.eqns)
    assert wanted
    source = written(fun, args).source
    assert ".bind(" not in source
    assert source.count(f"{row.function.rpartition('.')[2]}(") >= wanted


@pytest.mark.parametrize("name", BINDS)
def test_what_stays_a_bind(name: str) -> None:
    assert ".bind(" in written(*BINDS[name]).source


def test_arguments_that_are_the_defaults_are_left_out() -> None:
    plain, *others = written(*PROGRAMS["conv_general_dilated"]).source.split("lax.conv_general_dilated(")[1:]
    assert plain.startswith("a, a, (1, 2), ((1, 2), (1, 1)))  #")
    assert 'dimension_numbers=("NHWC", "HWIO", "NWHC")' in others[0]
    assert 'dimension_numbers=("NWC", "OWI", "CNW")' in others[1]
    assert "operand_batching_dims" not in written(*PROGRAMS["gather"]).source


def test_a_precision_that_the_script_would_choose() -> None:
    image = (IMAGE,)
    with jax.default_matmul_precision("highest"):
        closed = jax.make_jaxpr(
            lambda x: lax.conv_general_dilated_p.bind(
                x,
                x,
                **jax.make_jaxpr(lambda y: lax.conv_general_dilated(y, y, (1, 1), "SAME"))(x).eqns[0].params
                | {"precision": None},
            )
        )(*image)
    repro = emit_flat(closed, image, header=Header(jax_config={"jax_default_matmul_precision": "highest"}))
    again, _ = trace_repro(repro)
    assert ir.fingerprint(again) == repro.header.fingerprint
    assert ".bind(" in repro.source


def test_an_array_of_the_script_is_an_operand() -> None:
    rows = np.arange(40, dtype=np.int32).reshape(40, 1) % 3
    numbers = lax.GatherDimensionNumbers((1,), (0,), (0,))
    source = written(lambda x: lax.gather(x, rows, numbers, (1, 4)), (F,)).source
    assert "lax.gather(" in source
    assert "gather_p" not in source


BRANCHES: dict[str, tuple[Callable[..., Any], str]] = {
    "cond": (lambda x: lax.cond(x[0, 0] > 0, lambda y: y * 2, lambda y: y, x), "lax.cond("),
    "cond of several": (
        lambda x: lax.cond(x[0, 0] > 0, lambda y, z: (z + 1, y), lambda y, z: (z, y * z), x, np.float32(3)),
        "lax.cond(",
    ),
    "cond without results": (lambda x: (lax.cond(x[0, 0] > 0, lambda: None, lambda: None), x)[1], "lax.cond("),
    "switch": (lambda x: lax.switch(x[0, 0].astype(int), [jnp.sin, jnp.cos, lambda y: y], x), "lax.switch("),
    "an index of few bits": (
        lambda x: lax.switch(x[0, 0].astype(np.int8), [jnp.sin, jnp.cos, jnp.tan], x), "lax.switch(",
    ),
    "in a loop": (
        lambda x: lax.scan(lambda c, r: (lax.cond(r[0] > 0, lambda y: y * 2, lambda y: y, c), r), x[0], x),
        "lax.cond(",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", BRANCHES)
def test_branches_are_calls(name: str) -> None:
    fun, call = BRANCHES[name]
    source = written(fun, (F,)).source
    assert call in source
    assert "cond_p" not in source


def _of_index(x: Any) -> Any:
    """A branch whose index is read elsewhere, too."""
    index = lax.convert_element_type(x[0, 0] > 0, np.int32)
    params = jax.make_jaxpr(lambda p, y: lax.cond(p, jnp.sin, jnp.cos, y))(True, x).eqns[-1].params
    return lax.cond_p.bind(index, x, **params), index + 1


def test_an_index_that_is_read_elsewhere_is_computed() -> None:
    source = written(_of_index, (F,)).source
    assert "cond_p.bind(" in source


def test_a_general_reduction_is_a_call() -> None:
    def program(x: Any) -> Any:
        one = lax.reduce(x, np.float32(0), lambda a, b: a * b + a, (0,))
        both = lax.reduce(
            (x, x), (np.float32(0), np.float32(1)), lambda a, b: (a[0] * b[0], a[1] + b[0]), (0, 1)
        )
        return one, both

    source = written(program, (F,)).source
    assert source.count("lax.reduce(") == 2
    assert ".bind(" not in source
