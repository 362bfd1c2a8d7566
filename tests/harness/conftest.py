"""Workers for the harness tests; the whole run is collected only when `-m harness` asks for it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from harness_tests import Workers


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    asked = "harness" in (config.option.markexpr or "").replace("not harness", "")
    return True if collection_path.name == "test_harness.py" and not asked else None


@pytest.fixture(scope="session")
def workers(private_caches: None) -> Iterator[Workers]:
    with Workers() as found:
        yield found
