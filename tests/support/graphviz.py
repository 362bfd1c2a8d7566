"""Whether graphs are drawn here: without Graphviz the page has outlines, which are tested wherever the tests run."""

from __future__ import annotations

import shutil

import pytest

needs_dot = pytest.mark.skipif(
    shutil.which("dot") is None, reason="Graphviz's dot is not installed (jace_repro/page/drawing.py)"
)
