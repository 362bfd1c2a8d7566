"""Forms of equations: two parameters that a rule may confuse are two forms, and sizes are none."""

from __future__ import annotations

import enum
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

from jace_repro.fuzz.forms import forms, sort_of

X = np.ones((3, 4), np.float32)


class Way(enum.Enum):
    HERE = 1


def of(function: Any, *args: Any) -> frozenset[str]:
    return forms(jax.make_jaxpr(function)(*(args or (X,))))


@pytest.mark.parametrize(
    ("value", "sort"),
    [
        (-3, "-"), (0, "0"), (1, "1"), (2, "2+"), (700, "2+"), (True, "True"), (None, "None"), (Way.HERE, "Way.HERE"),
        ((), "()"), ((5,), "(2+)"), ((0, 2), "(2 of 0 2+)"), ((2, 0), "(2 of 0 2+ not in order)"),
        ((False, False), "(each False)"), ((False, True), "(False, True)"),
        (((1, 0), ()), "((2 of 0 1 not in order), ())"), (X, ""), ((X, 1), ""), (1.5, ""),
    ],
)  # fmt: skip
def test_a_sort(value: Any, sort: str) -> None:
    assert sort_of(value) == sort


def test_parameters_are_told_apart_alone_and_in_pairs() -> None:
    def transform(kind: str, axes: tuple[int, ...]) -> frozenset[str]:
        return of(lambda x: getattr(jnp.fft, kind)(x, axes=axes))

    # each parameter of the fourth is one of those before it; both together are not
    seen = transform("fftn", (0, 1)) | transform("fftn", (1,)) | transform("ifftn", (1,))
    new = {form for form in transform("ifftn", (0, 1)) - seen if form.startswith("fft with")}
    assert len(new) == 1
    assert " and " in new.pop()


def test_sizes_are_no_forms_and_what_is_inside_of_control_flow_is() -> None:
    assert of(lambda x: jnp.cumsum(x, 1)) == of(lambda x: jnp.cumsum(x, 1), np.ones((5, 7), np.float32))

    def loop(x: Any) -> Any:
        return lax.scan(lambda c, _: (lax.cumsum(c, reverse=True), None), x, None, length=3)[0]

    assert "cumsum with reverse=True" in of(loop)
