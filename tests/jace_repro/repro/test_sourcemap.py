"""From a line of a repro to the line of the user's program."""

from __future__ import annotations

import pytest

from jace_repro.repro.sourcemap import in_user_terms, user_line

SCRIPT = """\
import jax

@jax.jit
def uniform(a):
    b = lax.neg(a)  # f32[2]
    return b

@jax.jit
def normal(a):
    b = uniform(a)  # f32[2]
    return b

def repro(a):
    b = lax.abs(a)  # f32[2]  prog.py:20
    c = normal(b)  # f32[2]  prog.py:21
    return c
"""


@pytest.mark.parametrize(
    ("place", "line"),
    [
        ("<repro f>:14 (repro)", "prog.py:20"),
        ("<repro f>:5 (uniform)", "prog.py:21"),
        ("x.py:10", "prog.py:21"),
        ("x.py:1", None),
        ("x.py:999", None),
        ("", None),
    ],
)
def test_a_line_of_a_repro_leads_to_the_users_line(place, line):
    assert user_line(SCRIPT, place) == line


def test_places_in_a_message_become_the_users():
    text = "mul at <repro f>:10 (normal), add at <repro <lambda> 0a1b>:14 (repro); <repro f>:1"
    assert in_user_terms(SCRIPT, text) == "mul at prog.py:21, add at prog.py:20; line 1 of the repro"
