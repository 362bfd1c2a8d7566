"""What `canonical` says in DaCe's own terms, and that DaCe's passes leave it right."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import dace
import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
import pytest
from both_ways import check
from dace.sdfg.state import ConditionalBlock, LoopRegion
from jax import lax
from together import together

import jace
from jace.registry import IndexMap, use_rules
from jace.sdfg.library import Routine

#: The last one runs DaCe's simplify too.
PIPELINES = ("canonical", "canonical/auto-optimize")
RNG = np.random.default_rng(5)
X = RNG.normal(size=(3, 4, 5)).astype(np.float32)
NAN = X.copy()
NAN[1, 2, 3] = np.nan
TIES = np.round(X)
BF16 = X.astype(ml_dtypes.bfloat16)
INTEGERS = (X * 3).astype(np.int32)
DEFINITE = np.eye(4, dtype=np.float32) + X[:, :, :1] * X[:, :, :1].swapaxes(1, 2)
ONE, THREE = np.int32(1), np.array([1, 1, 9], np.int32)


def kinds(fun: Callable[..., Any], *args: Any, pipeline: str = "canonical") -> set[str]:
    """Of what the SDFG of `fun` is made."""
    sdfg = jace.jit(fun, pipeline=pipeline).lower(*args).as_sdfg()
    nodes = [node for node, _ in sdfg.all_nodes_recursive()]
    found = {type(node).__name__ for node in nodes}
    found |= {node.language.name for node in nodes if isinstance(node, dace.nodes.Tasklet)}
    for state in sdfg.states():
        for edge in state.edges():
            if isinstance(edge.src, dace.nodes.AccessNode) and isinstance(edge.dst, dace.nodes.AccessNode):
                found.add("copy")
            if edge.dst_conn == "views":
                found.add("views")
            if edge.data.wcr is not None:
                found.add("resolution")
            if any(str(s)[0] == "l" for s in edge.data.free_symbols):
                found.add("symbol")
            into, subset = edge.dst, edge.data.subset
            one_of_many = subset is not None and edge.data.volume == 1 and subset.num_elements() > 1
            if isinstance(into, dace.nodes.Tasklet) and one_of_many:
                found.add(f"indirect {into.language.name}")
    return found


def slices(x: Any, k: Any) -> Any:
    return lax.dynamic_slice(x, (k, k * 0, k), (2, 4, 3))


def updated(x: Any, k: Any) -> Any:
    return lax.dynamic_update_slice(x, x[:2, :2, :2] * 2, (k, k, k))


def pooled(x: Any) -> Any:
    return lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 2), (1, 1, 2), "SAME")


def convolved(x: Any) -> Any:
    return lax.conv_general_dilated(x, x[:2, :, :2], (2,), [(1, 2)], lhs_dilation=(2,), rhs_dilation=(2,))


def stepped(x: Any) -> Any:
    return lax.scan(lambda c, r: (jnp.cumsum(r, 0) + c, (r[1:], jnp.argmax(r, 1))), x[0], x)


def arithmetic(x: Any) -> Any:
    y = jnp.where(x > 0.5, x, -x) / 3 - 1e-10 * x
    return y, jnp.square(y) == x * x, ~((y != x) | (x[0] <= 1)), jnp.full(x.shape, np.inf) + x


def turned(x: Any) -> Any:
    return lax.scan(lambda c, r: (c + r.T, (r.T @ r, c.reshape(-1), r.transpose(1, 0)[None])), x[0].T, x)


#: name -> (program, arguments, of what it is made)
PROGRAMS: dict[str, tuple[Callable[..., Any], tuple[Any, ...], set[str]]] = {
    "arithmetic": (arithmetic, (NAN,), {"Python"}),
    "bits": (lambda x: (x & 12) | (x ^ 5) < 7, (INTEGERS,), {"Python"}),
    "sum": (lambda x: x.sum(1), (X,), {"Reduce"}),
    "maximum-nan": (lambda x: x.max((0, 2)), (NAN,), {"Reduce"}),
    "sum-bfloat16": (lambda x: x.sum(1), (BF16,), {"Reduce"}),
    "product-complex": (lambda x: x.prod(2), (X.astype(np.complex64),), {"Reduce"}),
    "any": (lambda x: (x > 0).any(1), (X,), {"Reduce"}),
    "argmax-nan": (lambda x: jnp.argmax(x, 0), (NAN,), {"Reduce", "resolution"}),
    "argmin-ties": (lambda x: lax.argmin(x, 1, np.uint8), (TIES,), {"Reduce", "resolution"}),
    "argmax-integers": (lambda x: jnp.argmax(x, 1), (INTEGERS,), {"ArgMax"}),
    "argmin-of-a-part": (
        lambda x: (lax.argmin(x[1:, 2], 1, np.uint8), jnp.argmin(x.reshape(-1))),
        (INTEGERS.astype(np.int8),),
        {"ArgMin"},
    ),
    "argmax-of-the-least": (
        lambda x: (
            jnp.argmax(x * 0 + np.int32(-(2**31)), 0),
            jnp.argmin(x.astype(np.uint32) * 0 + np.uint32(2**32 - 1), 2),
        ),
        (INTEGERS,),
        {"ArgMax", "ArgMin"},
    ),
    "gather": (lambda x, k: x[k], (X, THREE), {"indirect Python"}),
    "gather-clips": (lambda x, k: jnp.take(x, k - 4, 1, mode="clip"), (X, THREE), {"indirect Python"}),
    "gather-of-pairs": (lambda x, k: x[k, :, k - 1], (BF16, THREE), {"indirect Python"}),
    "gather-of-windows": (
        lambda x, k: jax.vmap(lambda i: lax.dynamic_slice(x, (i, 0, i), (2, 4, 2)))(k),
        (X.astype(np.complex64), THREE),
        {"indirect Python"},
    ),
    "gather-of-rows-in-a-loop": (
        lambda x, k: lax.scan(lambda c, r: (c + r[k].sum(), r[k, 1:]), x[0, 0, 0], x),
        (X, THREE),
        {"indirect Python", "LoopRegion"},
    ),
    "gather-of-one-axis": (lambda x, k: x[:1, :, None, :1][k - 1, k], (X, THREE), {"indirect Python"}),
    "gather-of-one-element": (lambda x, k: x[:1, :1, :1][k], (X, THREE), {"Python"}),
    "gather-known": (lambda x: x[np.array([2, 0])], (X > 0,), {"indirect Python"}),
    "matmul": (lambda x: x[0] @ x[1].T.reshape(5, 4), (X,), {"MatMul"}),
    "matmuls": (lambda x: x @ jnp.ones((3, 5, 2), x.dtype), (X,), {"MatMul"}),
    "einsum": (lambda x: jnp.einsum("ij,kj->ik", x[0], x[1]), (X,), {"Einsum"}),
    "products-integers": (lambda x: x[0] @ x[1].T, (INTEGERS,), {"resolution"}),
    "products-of-crossed": (lambda x: jnp.einsum("ij,ji->", x[0, :, :4], x[1, :, :4]), (X,), {"resolution"}),
    "cumsum": (lambda x: lax.cumsum(x, 0), (X,), {"symbol"}),
    "cummax-reversed": (lambda x: lax.cummax(x, 2, reverse=True), (NAN,), {"symbol"}),
    "transpose": (lambda x: (x[0].T * 2, x[:, :1, 0].T), (X,), {"Transpose"}),
    "transpose-tensor": (lambda x: lax.rev(x, (0,)).transpose(2, 0, 1), (X,), set()),
    "transpose-bfloat16": (
        lambda x: (x.transpose(2, 1, 0), x[0].T),
        (BF16,),
        set(),
    ),
    "transpose-boolean": (lambda x: (x > 0)[1].T, (X,), set()),
    "reshape": (
        lambda x: (jnp.sin(x).reshape(5, -1), x.reshape(-1), x[0, 0, 0].reshape(1, 1)),
        (X,),
        {"views"},
    ),
    "reshape-complex": (lambda x: jnp.conj(x.reshape(15, 4)), (X.astype(np.complex64),), {"views"}),
    "expand-and-squeeze": (lambda x: (x[:, None] + 1, jnp.squeeze(-x[:1]), x[0, 0, 0]), (X,), set()),
    "transform": (lambda x: (jnp.fft.fft(x), jnp.fft.ifft(x)), (X[0, 0].astype(np.complex64),), {"FFT"}),
    "scan-turned": (turned, (X,), {"Transpose"}),
    "slice": (lambda x: x[1:, :2, 1:4], (X,), {"copy"}),
    "concatenate": (lambda x: jnp.concatenate([x, x[:1], x[:0]]), (X,), {"copy"}),
    "dynamic-slice": (slices, (X, ONE), {"copy", "symbol"}),
    "dynamic-update": (updated, (X, ONE), {"copy", "symbol"}),
    "scatter-add": (lambda x, k: x.at[k].add(1.5), (X, THREE), {"symbol"}),
    "scatter-last-wins": (lambda x, k: x.at[k, 1:3].set(x[:, :2] * 2), (X, THREE), {"symbol"}),
    "scatter-clips": (lambda x, k: x.at[k].min(-3.0, mode="clip"), (X, THREE), {"symbol"}),
    "scatter-applies": (lambda x, k: x.at[k[1:]].apply(jnp.sin), (X, THREE), {"symbol"}),
    "scatter-to-a-known-place": (lambda x: x.at[1:, 2].set(7), (X,), set()),
    "scatter-behind-the-end": (lambda x: x.at[jnp.array([5])].add(7), (X,), set()),
    "scatter-behind-the-end-clips": (lambda x: x.at[jnp.array([5])].add(7, mode="clip"), (X,), set()),
    "window": (pooled, (X,), {"resolution"}),
    "convolution": (convolved, (X,), {"resolution"}),
    "convolution-bfloat16": (convolved, (BF16,), {"resolution"}),
    "scan": (stepped, (X,), {"Reduce", "symbol"}),
    "sort": (lambda x: jnp.sort(x[1:, :3], 1)[:1], (X,), {"Routine"}),
    "cholesky": (lambda x: jnp.linalg.cholesky(x), (DEFINITE,), {"Potrf", "symbol"}),
    "cholesky-fails": (lambda x: lax.linalg.cholesky(x), (-DEFINITE[0],), {"Potrf"}),
    "cholesky-complex": (lambda x: lax.linalg.cholesky(x), (DEFINITE.astype(np.complex64),), {"Routine"}),
    "lu": (lambda x: lax.linalg.lu(x), (X,), {"Getrf", "Routine", "symbol"}),
    "lu-tall": (lambda x: lax.linalg.lu(x), (X[0].T,), {"Getrf"}),
    "lu-singular": (lambda x: lax.linalg.lu(x), (np.zeros((3, 3), np.float32),), {"Getrf"}),
    "lu-complex": (lambda x: lax.linalg.lu(x), (X[:2].astype(np.complex64) * (1 + 2j),), {"Getrf"}),
    "lu-in-a-loop": (lambda x: lax.map(lax.linalg.lu, x), (X,), {"Getrf", "symbol"}),
    "cholesky-of-one": (lambda x: jnp.linalg.cholesky(abs(x[0, :1, :1])), (X,), {"Routine"}),
}


@together
@pytest.mark.parametrize("name", PROGRAMS)
def test_it_is_said_in_daces_terms_and_right_after_its_passes(name: str) -> None:
    fun, args, wanted = PROGRAMS[name]
    assert wanted <= kinds(fun, *args)
    check(fun, *args, pipelines=PIPELINES)


def test_a_scatter_to_a_known_place_is_a_map() -> None:
    assert not {"symbol", "Routine"} & kinds(PROGRAMS["scatter-to-a-known-place"][0], X)


@pytest.mark.parametrize("dtype", ["int32", "uint8", "float16", "bfloat16", "complex64"])
def test_what_wraps_or_is_rounded_otherwise_is_not_python(dtype: str) -> None:
    assert "Python" not in kinds(lambda x: (x + x) * x, X.astype(dtype))


def test_loops_and_branches_are_regions() -> None:
    sdfg = jace.jit(PROGRAMS["scatter-add"][0], pipeline="canonical").lower(X, THREE).as_sdfg()
    blocks = {type(block) for block in sdfg.all_control_flow_blocks(recursive=True)}
    assert {LoopRegion, ConditionalBlock} <= blocks


def test_a_rule_of_the_users_is_what_it_says() -> None:
    def ones(em: Any, eqn: Any, index: Any, k: int) -> str:
        return em.let(np.float32, "1.0f")

    with use_rules({"reduce_sum": IndexMap(ones)}):
        assert "Reduce" not in kinds(lambda x: x.sum(1), X)
        out = jace.jit(lambda x: x.sum(1), pipeline="canonical")(X)
    np.testing.assert_array_equal(out, np.ones((3, 5), np.float32))


def test_a_copy_that_a_pointer_reads_stays_a_map() -> None:
    def fun(x: Any) -> Any:
        return jnp.sort(x[:, 1:3], 2)

    assert "copy" not in kinds(fun, X)
    check(fun, X, pipelines=PIPELINES)


@together
@pytest.mark.parametrize("seed", range(3))
def test_any_contraction(seed: int) -> None:
    rng = np.random.default_rng(seed)
    roles = [rng.integers(0, 3) for _ in range(4)]
    letters = iter("abcdefgh")
    batch, summed, free_l, free_r = ([next(letters) for _ in range(n)] for n in roles)
    sizes = {c: int(rng.choice([1, 2, 3, 4])) for c in "abcdefgh"}
    left, right = rng.permutation([*batch, *summed, *free_l]), rng.permutation([*batch, *summed, *free_r])
    places = [[[*side].index(c) for c in summed] for side in (left, right)]
    stacks = [[[*side].index(c) for c in batch] for side in (left, right)]
    dims = (tuple(map(tuple, places)), tuple(map(tuple, stacks)))
    x, y = (np.asarray(rng.normal(size=[sizes[c] for c in side]), np.float32) for side in (left, right))
    check(lambda x, y: lax.dot_general(x, y, dims), x, y, pipelines=("canonical",))


def test_a_routine_whose_work_area_nobody_reads_has_memory_of_its_own() -> None:
    sdfg = jace.jit(PROGRAMS["cholesky-of-one"][0], pipeline="canonical/simplify").lower(X).as_sdfg()
    routines = [node for node, _ in sdfg.all_nodes_recursive() if isinstance(node, Routine)]
    assert any(set(node.sizes) - set(node.out_connectors) for node in routines)
