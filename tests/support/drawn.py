"""Whether graphs are drawn here: without Graphviz the page has outlines, which are tested wherever the tests run."""

from __future__ import annotations

import shutil

import pytest

DOT = shutil.which("dot")
needs_dot = pytest.mark.skipif(not DOT, reason="Graphviz's dot is not installed (jace_repro/page/drawing.py)")
