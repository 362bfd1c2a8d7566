"""Every term of the glossary is a module or a class, where the glossary says."""

from __future__ import annotations

import importlib
import re

import pytest
from places import ROOT

ROWS = [
    tuple(cell.strip() for cell in line.strip("|").split("|"))
    for line in (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8").splitlines()
    if re.match(r"\| (?!term\b)\w", line)
]


@pytest.mark.parametrize(("term", "place"), [(term, place.strip("`")) for term, _, place in ROWS])
def test_the_code_has_it(term: str, place: str) -> None:
    module, _, name = place.partition(":")
    if module.startswith("tests."):
        assert ROOT.joinpath(*module.split(".")).is_dir()
        return
    found = importlib.import_module(module)
    assert not name or isinstance(getattr(found, name), type), f"{place} is no class"


def test_terms_are_told_once_and_in_order() -> None:
    terms = [term.lower() for term, *_ in ROWS]
    assert len(terms) > 30
    assert terms == sorted(set(terms))
