"""Products of matrices and tensors."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import jax.numpy as jnp
from jax import lax

from jace_repro.fuzz.draw import Draw, DType, dtype_of
from jace_repro.fuzz.operations.registry import operation


def _in_any_order(d: Draw, lengths: Sequence[int], dtype: DType) -> tuple[int, ...]:
    """Ask for an operand whose axes have these lengths; answer where each of them is."""
    order = d.permutation(len(lengths)) if d.flag("axes in any order") else tuple(range(len(lengths)))
    shape = dict(zip(order, lengths, strict=True))
    d.array(shape=tuple(shape[place] for place in range(len(lengths))), dtype=dtype, domain="plain")
    return order


@operation
def _dot_general(d: Draw) -> Callable[..., Any]:
    dtype = d.dtype("fffcciub")
    batch, contract = d.pick("batch axes", (0, 0, 1, 2)), d.pick("contracted axes", (0, 1, 1, 1, 2))
    free = d.pick("free axes", ((1, 1), (0, 0), (1, 0), (0, 1), (2, 1), (1, 2)))
    low = 0 if d.rarely(8) else 1
    sizes = {
        "batch": [d.length(low, 4) for _ in range(batch)],
        "contract": [d.length(low, 9) for _ in range(contract)],
    }
    if d.rarely(8) and contract:
        sizes["contract"][0] = d.pick("length", (63, 64, 130, 511, 513, 1030))
    numbers = []
    for count in free:
        lengths = [
            *sizes["batch"],
            *sizes["contract"],
            *(d.pick("free", (1, 2, 3, 5, 8, 17)) for _ in range(count)),
        ]
        order = _in_any_order(d, lengths, dtype)
        numbers.append((order[batch : batch + contract], order[:batch]))
    (left, left_batch), (right, right_batch) = numbers
    named: dict[str, Any] = {}
    if d.flag("preferred"):
        wide = {"f": "float32", "c": "complex64", "i": "int32", "u": "uint32", "V": "float32"}.get(dtype.kind)
        if wide is not None and dtype_of(wide).itemsize >= dtype.itemsize:
            named["preferred_element_type"] = dtype_of(wide)
    if dtype.kind == "f" and d.flag("precise"):
        named["precision"] = d.pick("precision", tuple(lax.Precision))
    return lambda x, y: lax.dot_general(x, y, ((left, right), (left_batch, right_batch)), **named)


#: Products as they are written: the subscripts of jnp.einsum.
EINSUMS = (
    "ij,jk->ik", "ij,kj->ik", "ji,jk->ik", "ij,j->i", "i,i->", "i,j->ij", "bij,bjk->bik", "bij,jk->bik", "ij,ij->ij",
    "ij,ij->", "bhqd,bhkd->bhqk", "bqk,bkd->bqd", "ijk,jil->kl", "ii->i", "ij->ji", "ijk->ik",
    "i,ij,j->", "ab,bc,cd->ad",
)  # fmt: skip


@operation
def _einsum(d: Draw) -> Callable[..., Any]:
    text = d.pick("subscripts", EINSUMS)
    dtype = d.dtype("ffci")
    lengths = {letter: d.length(1, 9) for letter in sorted(set(text) - set(",->"))}
    for term in text.partition("->")[0].split(","):
        d.array(shape=tuple(lengths[letter] for letter in term), dtype=dtype, domain="plain")
    return lambda *arrays: jnp.einsum(text, *arrays)


@operation
def _dense(d: Draw) -> Callable[..., Any]:
    """A layer: a product with what is usual before and after it."""
    dtype = d.dtype("f")
    rows, inner, columns = (
        d.length(1),
        d.pick("inner", (1, 3, 8, 16, 33, 64)),
        d.pick("columns", (1, 3, 8, 17)),
    )
    for shape in ((rows, inner), (inner, columns), (columns,)):
        d.array(shape=shape, dtype=dtype, domain="plain")
    after: Any = d.pick("after", (jnp.tanh, lambda x: jnp.maximum(x, 0), lambda x: x, lambda x: x.sum(0)))
    before: Any = d.pick("before", (lambda x: x, lambda x: x * 2 + 1, lambda x: x[::-1]))
    return lambda x, w, b: after(before(x) @ w + b)


@operation
def _mixed_dtypes(d: Draw) -> Callable[..., Any]:
    """Operands of two dtypes, with the result's said."""
    names = d.pick(
        "dtypes",
        (
            ("bfloat16", "float32"),
            ("float16", "float32"),
            ("int8", "int32"),
            ("uint8", "int32"),
            ("int16", "float32"),
        ),
    )
    rows, inner, columns = d.length(1), d.length(1), d.length(1)
    d.array(shape=(rows, inner), dtype=dtype_of(names[0]), domain="plain")
    d.array(shape=(inner, columns), dtype=dtype_of(names[0]), domain="plain")
    return lambda x, y: lax.dot(x, y, preferred_element_type=dtype_of(names[1]))


@operation
def _dot_of_many_axes(d: Draw) -> Callable[..., Any]:
    """Products that are worth a call of BLAS, of several free and contracted axes in any order."""
    dtype, sides = d.dtype("ffc"), (2, 3, 8, 16, 17)
    contracted = [d.pick("contracted", sides) for _ in range(d.pick("contracted axes", (1, 2, 2, 3)))]
    batch = [d.pick("batch", (2, 3)) for _ in range(d.pick("batch axes", (0, 0, 1)))]
    numbers = []
    for _ in range(2):
        free = [d.pick("free", sides) for _ in range(d.pick("free axes", (1, 1, 2)))]
        order = _in_any_order(d, [*batch, *contracted, *free], dtype)
        end = len(batch) + len(contracted)
        numbers.append((order[len(batch) : end], order[: len(batch)]))
    (left, left_batch), (right, right_batch) = numbers
    return lambda x, y: lax.dot_general(x, y, ((left, right), (left_batch, right_batch)))


@operation
def _dot_large(d: Draw) -> Callable[..., Any]:
    """Products that are worth a call of BLAS: of matrices as they are, transposed, parts of others, several."""
    dtype = d.dtype("ffcci")
    rows, inner, columns = (d.pick("side", (16, 33, 64, 130)) for _ in range(3))
    batch = d.pick("batch", ((), (), (2,)))
    how = d.pick(
        "operands", ("as they are", "transposed", "strided", "both transposed", "vector", "computed")
    )
    if how == "vector":
        columns = 1
    left, right = (*batch, rows, inner), (*batch, inner, columns)
    if how in ("transposed", "both transposed"):
        left = (*batch, inner, rows)
    if how == "both transposed":
        right = (*batch, columns, inner)
    if how == "strided":
        left = (*batch, rows, 2 * inner)
    for shape in (left, right):
        d.array(shape=shape, dtype=dtype, domain="plain")

    def product(x: Any, y: Any) -> Any:
        if how in ("transposed", "both transposed"):
            x = jnp.swapaxes(x, -1, -2)
        if how == "both transposed":
            y = jnp.swapaxes(y, -1, -2)
        if how == "strided":
            x = x[..., ::2]
        if how == "computed":
            x, y = x + 1, y[::-1]
        return x @ y

    return product
