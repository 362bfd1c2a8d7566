"""The canary: what is other in an environment of newer releases, and which of it breaks something."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import pytest
from script_modules import load_script

canary: Any = load_script("canary")


def primitive(name: str, dtypes: list[str] | None = None, **changed: Any) -> dict[str, Any]:
    known = {"dtypes": dtypes or ["float32"], "refused_dtypes": []}
    return {"primitive": name, "translated": True, "note": "", **known, **changed}


def test_primitives() -> None:
    here = {
        "primitives": [
            *(primitive(name) for name in ("add", "box_get", "composite")),
            primitive("update", ["bfloat16", "float32"]),
            primitive("scaled", ["bfloat16", "float32"]),
        ]
    }
    there = {
        "primitives": [
            primitive("add"),
            primitive("mulhi"),
            primitive("thunk", translated=False, note="of a GPU"),
            primitive("program_order", translated=False, note=None),
            primitive("composite", translated=False, note=None),
            primitive("update"),
            primitive("scaled", refused_dtypes=["bfloat16"]),
        ]
    }
    found = {row.name: (row.what, row.broken) for row in canary.primitives(here, there)}
    assert found == {
        "box_get": ("gone", False),
        "mulhi": ("new, translated", False),
        "thunk": ("new, not translated: of a GPU", False),
        "program_order": ("new, not translated: no reason is known", True),
        "composite": ("not translated any more: no reason is known", True),
        "update": ("JAX refuses bfloat16 now", False),
        "scaled": ("not translated any more for bfloat16", True),
    }
    assert [row.broken for row in canary.primitives(here, {})] == [True]


def test_checks_and_releases() -> None:
    checks = [
        {"name": "python", "status": "ok", "detail": "fine"},
        {"name": "jax", "status": "failed", "detail": "jax 0.13 is untested"},
        {"name": "reference", "status": "warning", "detail": "nothing is known of it"},
        {"name": "hooks", "status": "failed", "detail": "this jax has no pjit._pjit_call_impl_python"},
    ]
    found = [(row.name, row.broken) for row in canary.checks({"checks": checks})]
    assert found == [("jax", False), ("reference", False), ("hooks", True)]
    assert [row.broken for row in canary.checks({})] == [True]
    (row,) = canary.versions({"versions": {"jax": "1", "dace": "2"}}, {"versions": {"jax": "2", "dace": "2"}})
    assert (row.name, row.what, row.broken) == ("jax", "2 (here 1)", False)


@pytest.mark.parametrize(
    ("about", "text", "status", "broken"),
    [
        ("test", "FAILED tests/a.py::test_b[c d] - AssertionError: no", 1, {"a.py::test_b[c d]": True}),
        ("test", "ERROR tests/a.py", 1, {"a.py": True}),
        ("corpus", "FAILED corpus/c.py::c - [XPASS(strict)] crash on fused", 1, {"corpus/c.py::c": False}),
        ("test", "3 passed", 0, {}),
        ("test", "no module named pytest", 4, {"all": True}),
        ("test", "killed", 1, {"all": True}),
    ],
)  # fmt: skip
def test_failures(
    monkeypatch: pytest.MonkeyPatch, about: str, text: str, status: int, broken: dict[str, bool]
) -> None:
    done = subprocess.CompletedProcess([], status, stdout=f"....\n{text}\n1 failed\n")
    monkeypatch.setattr(canary, "in_environment", lambda *args, **kwargs: done)
    assert {row.name: row.broken for row in canary.failures(Path("python"), [], about)} == broken


def test_harnesses(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(canary, "in_environment", lambda *args, **kwargs: None)
    assert [row.broken for row in canary.harnesses(Path("python"), tmp_path)] == [True]
    (tmp_path / "results.jsonl").write_text(
        '{"state": {}}\n'
        '{"harness": {"name": "abs"}, "results": {"fused": ["ok", "", 1], "canonical": ["mismatch", "off", 1]}}\n'
        '{"harness": {"name": "conv"}, "results": {"fused": ["reference-mismatch", "XLA", 1]}}\n'
    )
    found = {row.name: row.broken for row in canary.harnesses(Path("python"), tmp_path)}
    assert found == {"abs on canonical": True, "conv on fused": False}
