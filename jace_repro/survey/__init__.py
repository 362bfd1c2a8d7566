"""What jace makes of every primitive of the installed JAX, and of JAX's own harnesses.

In: JAX's primitives, each with a small program (`probes`, `programs`); the harnesses of JAX's export tests
(`harnesses`). Out: the coverage page, with why not where it does not (`classify`, `page`); a verdict of every harness
(`harness_run`, `results`), and what they come to (`tallies`).
"""

from __future__ import annotations

from jace_repro.survey.classify import ELSEWHERE, LEFT, PIPELINES, UNSUPPORTED, Row, coverage
from jace_repro.survey.page import (
    HEADINGS,
    as_json,
    cells,
    load_harness,
    markdown_table,
    page,
    summary,
    totals,
)
from jace_repro.survey.primitives import Found, all_primitives
from jace_repro.survey.reasons import REASONS, UNPROBED

__all__ = [
    "ELSEWHERE",
    "HEADINGS",
    "LEFT",
    "PIPELINES",
    "REASONS",
    "UNPROBED",
    "UNSUPPORTED",
    "Found",
    "Row",
    "all_primitives",
    "as_json",
    "cells",
    "coverage",
    "load_harness",
    "markdown_table",
    "page",
    "summary",
    "totals",
]
