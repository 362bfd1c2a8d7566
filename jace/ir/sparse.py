"""Sparse products that JAX names as primitives but gives code for on GPU only.

Everything else of `jax.experimental.sparse` is lowered through Python functions (`expand_lower_fun`). Nothing here
imports that package: equations are known by name.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax.numpy as jnp
from jax.extend.core import JaxprEqn

from jace.ir.rewrite import Splice
from jace.ir.trace import trace_on


def _coo(eqn: JaxprEqn) -> Callable[..., Any]:
    """The sum over the entries (row, col, value) of value * x[col], added at row; transposed with the two exchanged."""
    out = eqn.outvars[0].aval
    transpose = eqn.params["transpose"]

    def fun(data: Any, row: Any, col: Any, x: Any) -> Any:
        target, source = (col, row) if transpose else (row, col)
        weights = data.reshape(-1, *(1,) * (x.ndim - 1))
        terms = (weights * x[source]).astype(out.dtype)
        return jnp.zeros(out.shape, out.dtype).at[target].add(terms, mode="drop")

    return fun


def _csr(eqn: JaxprEqn) -> Callable[..., Any]:
    """The same with rows given by where each begins."""
    product = _coo(eqn)

    def fun(data: Any, indices: Any, indptr: Any, x: Any) -> Any:
        entry = jnp.arange(data.shape[0], dtype=indptr.dtype)
        return product(data, jnp.searchsorted(indptr, entry, side="right") - 1, indices, x)

    return fun


#: primitive -> the function that its equations compute.
SPARSE: dict[str, Callable[[JaxprEqn], Callable[..., Any]]] = {
    "coo_spmv": _coo,
    "coo_spmm": _coo,
    "csr_spmv": _csr,
    "csr_spmm": _csr,
}


def expand_sparse(eqn: JaxprEqn) -> Splice | None:
    """A product of a sparse matrix as gathers and a scatter, or None when the equation is something else."""
    rule = SPARSE.get(eqn.primitive.name)
    return Splice(trace_on(rule(eqn), eqn), eqn.invars) if rule else None
