"""SDFGs as lines, for the difference that a pass makes."""

from __future__ import annotations

import numpy as np
from jax import lax

import jace
from jace_repro.tester.locate.sdfg_text import difference, lines_of


def test_what_an_edge_between_states_sets_is_told() -> None:
    def fun(x, k):
        return lax.dynamic_slice(x, (k,), (2,))

    sdfg = jace.jit(fun, pipeline="canonical").lower(np.ones(5, np.float32), np.int32(1)).as_sdfg()
    lines = lines_of(sdfg)
    assert any(line.startswith("edge ") and ": l1 = " in line for line in lines)
    assert not difference(sdfg, sdfg)
