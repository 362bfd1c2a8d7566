"""An SDFG as text: what a person reads of it, in every form of graph that the pipelines make."""

from __future__ import annotations

import re
from typing import Any

import dace
import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

import jace
from jace.pipelines import PIPELINES
from jace.sdfg.text import describe

X = np.linspace(0.1, 1, 12, dtype=np.float32).reshape(3, 4)


def everything(x: Any, *, scale: Any) -> Any:
    total, rows = lax.scan(lambda c, v: (c + v.sum(), v * c), jnp.float32(0), x)
    chosen = lax.cond(total > 1, jnp.sin, jnp.cos, rows * scale)
    return {"y": lax.while_loop(lambda c: c.sum() < 100, lambda c: c * 2, chosen), "total": total}


SCALED = """\
sdfg NAME
  a0000  float32[3, 4]        input x
  r0000  float32[3, 4]        output result
  state s_1
    map m_3: i0k1 in 0:3, i1k1 in 0:4
      in  a0000[0:3, 0:4]
      out r0000[0:3, 0:4]
      tasklet mul_2
        in  e0_a0000 = a0000[i0k1, i1k1]
        out s0_r0000 = r0000[i0k1, i1k1]
        | s0_r0000 = (e0_a0000 * dace.float32(2.0))
"""


def test_a_map_to_the_letter() -> None:
    text = jace.jit(lambda x: x * 2, pipeline="canonical").lower(X).as_text()
    assert re.sub(r"jace_[0-9a-f]{16}", "NAME", text) == SCALED


@pytest.mark.parametrize("pipeline", PIPELINES)
def test_all_of_the_graph_is_there(pipeline: str) -> None:
    lowered = jace.jit(everything, pipeline=pipeline).lower(X, scale=2.0)
    text, sdfg = lowered.as_text(), lowered.as_sdfg()
    words = set(re.findall(r"\w+", text))
    names = {node.label for node, _ in sdfg.all_nodes_recursive() if isinstance(node, dace.nodes.Tasklet)}
    names |= {
        node.map.label for node, _ in sdfg.all_nodes_recursive() if isinstance(node, dace.nodes.MapEntry)
    }
    names |= {state.label for state in sdfg.states()} | set(sdfg.arrays)
    assert names <= words
    assert re.search(r"loop scan_\d+: for l1 = 0; \(l1 < 3\); l1 = \(l1 \+ 1\)", text)
    assert re.search(r"loop while_loop_\d+: while ", text)
    assert re.search(r"branch cond_\d+\n *if \(.* == 0\)\n(.*\n)+? *else\n", text)
    for role in ("input x", "input scale", "output result['y']", "output result['total']", "temporary"):
        assert re.search(rf"  {re.escape(role)}$", text, re.MULTILINE), role


def test_lines_of_the_user() -> None:
    lowered = jace.jit(lambda x: x + 7, pipeline="canonical").lower(X)
    lowered.compile()  # which makes DaCe forget the lines of what is built after it
    lowered = jace.jit(lambda x: x + 8, pipeline="canonical").lower(X)
    found = re.findall(
        rf"(\w+) .*  # {re.escape(__file__)}:\d+$", lowered.as_text(debug_info=True), re.MULTILINE
    )
    assert found == ["map", "tasklet"]
    assert __file__ not in lowered.as_text()


def test_copies_nested_graphs_and_jumps() -> None:
    @dace.program
    def hand_made(a: dace.float32[8], b: dace.float32[8]) -> None:  # type: ignore[valid-type]
        b[:] = a
        for i in dace.map[0:8]:
            if a[i] > 0:
                b[i] += 1

    text = describe(hand_made.to_sdfg(simplify=False))
    for piece in ("copy ", "nested ", "map ", "branch ", "  a  float32[8]           argument"):
        assert piece in text

    sdfg = dace.SDFG("jumps")
    sdfg.add_symbol("n", dace.int64)
    first, second, third = (sdfg.add_state(name) for name in ("first", "second", "third"))
    sdfg.add_edge(first, second, dace.InterstateEdge("n < 3", {"n": "n + 1"}))
    sdfg.add_edge(first, third, dace.InterstateEdge("n >= 3"))
    assert "  go to second if (n < 3) with n = n + 1\n  go to third if (n >= 3)\n" in describe(sdfg)


def test_several_sdfgs_follow_one_another() -> None:
    def fun(x: Any) -> Any:
        return jax.pure_callback(np.sin, jax.ShapeDtypeStruct(X.shape, X.dtype), x * 2) * 3

    assert len(re.findall(r"^sdfg ", jace.jit(fun).lower(X).as_text(), re.MULTILINE)) == 2
