"""Special functions of lax.

Those without a rule here (the derivatives of igamma) have an MLIR rule made by `lower_fun` and are expanded by the
generic fallback.
"""

from __future__ import annotations

from ..registry import elementwise_table

elementwise_table(
    {
        name: f"jace::{name}_({{0}})"
        for name in ("erf", "erfc", "erf_inv", "lgamma", "digamma", "bessel_i0e", "bessel_i1e")
    },
    cost=40,
)  # fmt: skip
elementwise_table({name: f"jace::{name}_({{0}}, {{1}})" for name in ("zeta", "polygamma")}, cost=200)
elementwise_table({name: f"jace::{name}_({{0}}, {{1}})" for name in ("igamma", "igammac")}, cost=400)
elementwise_table({"regularized_incomplete_beta": "jace::betainc_({0}, {1}, {2})"}, cost=400)
