"""The page of primitives by release: what differs is told, with its reason."""

from __future__ import annotations

from typing import Any

from places import SCRIPTS
from script_modules import load_script


def row(name: str, kind: str, note: str = "", translated: bool = True) -> dict[str, Any]:
    return {"primitive": name, "kind": kind, "note": note, "translated": translated}


def report(release: str, *rows: dict[str, Any]) -> dict[str, Any]:
    return {"versions": {"jax": release}, "primitives": list(rows)}


def test_the_page_tells_what_differs() -> None:
    module: Any = load_script("primitives_by_release")
    add, kernel = row("add", "elementwise rule"), row("mma", "other devices", "of a GPU", translated=False)
    old = report("0.10.1", add, row("log_read", "unsupported", "reads a log", translated=False))
    new = report("0.12.0.1", add, kernel, row("log2", "elementwise rule"))
    page = module.page([module.listed(old), module.listed(new)])
    assert "| elementwise rule | 1 | 2 |" in page
    assert "| all | 2 | 3 |" in page
    assert "3 primitives are not in all of them, or are not treated alike. 1 of\nthese" in page
    assert "| `log2` | - | elementwise rule |" in page
    assert "`add`" not in page
    assert "`mma`" not in page
    assert "- `log_read` is not translated: reads a log." in page


def test_the_page_that_is_shown_has_the_supported_releases() -> None:
    page = (SCRIPTS.parent / "docs" / "primitives-by-release.md").read_text(encoding="utf-8")
    releases: Any = load_script("releases")
    assert all(f"| jax {jax} |" in page for _, jax in releases.PAIRS[-1:])
    assert all(f" jax {jax} |" in page for _, jax in releases.PAIRS)
