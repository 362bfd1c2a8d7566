"""Reducing a script as text: what its author wrote, and what JAX cannot trace to its end.

In: a repro that fails. Out: the smallest one that fails in the same way; its statements are those of the first, edited,
and none is written anew from a jaxpr.
"""

from __future__ import annotations

from jace_repro.reducer.source.run import SOURCE_CALLS, is_untraceable, reduce_source

__all__ = ["SOURCE_CALLS", "is_untraceable", "reduce_source"]
