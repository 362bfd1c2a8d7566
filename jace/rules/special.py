"""Special functions of lax.

Those without a rule here (igamma, betainc, ...) have an MLIR rule made by `lower_fun` and are expanded by the
generic fallback.
"""

from __future__ import annotations

from ..registry import elementwise_table

elementwise_table(
    {
        "erf": "jace::erf_({0})", "erfc": "jace::erfc_({0})", "lgamma": "jace::lgamma_({0})",
    },
    cost=40,
)  # fmt: skip
