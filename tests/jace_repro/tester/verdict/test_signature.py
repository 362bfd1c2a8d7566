"""What a signature leaves out of an error: names, sizes, places; and what it keeps."""

from __future__ import annotations

import pytest

from jace_repro.tester.verdict.signature import normalise

SAME = {
    "the range of a map": (
        "InvalidSDFGNodeError: Dangling in-connector IN_t0026 (at state s_95, node m_106[i0k32=0, i1k32=0:8])",
        "InvalidSDFGNodeError: Dangling in-connector IN_t0001 (at state s_1, node m_9[i0k3=0:5, i1k3=0:3, i2k3=0:3])",
    ),
    "a shape": ("expected shape (3, 4), got [12]", "expected shape (2,), got [5, 6, 7]"),
    "a path and a line": ("/tmp/a1/x.cc:12: error: no 't3'", "/home/b/y.cc:7: error: no 'out'"),
    "a guess of the compiler": (
        "error: ‘t0003’ was not declared in this scope",
        "error: ‘t0000’ was not declared in this scope; did you mean ‘a0000’?",
    ),
    "a number": ("reads 4 bytes at 0x7f", "reads 512 bytes at 0x80"),
    "what follows the first line": ("KeyError: 'a'\nat line 3", "KeyError: 'b'\nelsewhere"),
}
DIFFERENT = {
    "what it is": ("Dangling in-connector IN_t0001", "Isolated node t0001"),
    "its class": ("KeyError: 'a'", "ValueError: 'a'"),
    "words in brackets": ("failed (can_be_applied)", "failed (no such node)"),
}


@pytest.mark.parametrize("pair", SAME.values(), ids=SAME)
def test_two_failures_of_one_bug_are_the_same(pair: tuple[str, str]) -> None:
    assert normalise(pair[0]) == normalise(pair[1])


@pytest.mark.parametrize("pair", DIFFERENT.values(), ids=DIFFERENT)
def test_two_bugs_are_different(pair: tuple[str, str]) -> None:
    assert normalise(pair[0]) != normalise(pair[1])
