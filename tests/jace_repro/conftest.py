"""Fixtures for the tests of the harness."""

from __future__ import annotations

from pathlib import Path

import pytest

WRONG_FLOOR = """
import jace

@jace.register_rule("floor", override=True)
def floor(params, in_dtypes, out_dtype, x):
    return f"(({x}) < 0 ? -jace::floor(-({x})) : jace::floor({x}))"
"""


@pytest.fixture(scope="session")
def wrong_floor(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A rules file that is wrong for negative numbers with a fraction."""
    path = tmp_path_factory.mktemp("rules") / "wrong_floor.py"
    path.write_text(WRONG_FLOOR)
    return path
