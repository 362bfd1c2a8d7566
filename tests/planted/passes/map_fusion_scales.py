"""Planted bug: the second map fusion of a program doubles what a tasklet stores."""

import re

import dace
from dace.sdfg import nodes
from dace.transformation.dataflow import MapFusionVertical

right = MapFusionVertical.apply
counts = {}


def wrong(self, graph, sdfg):
    result = right(self, graph, sdfg)
    count, _ = counts.get(id(sdfg), (0, None))
    counts[id(sdfg)] = count + 1, sdfg  # held, so that no id is used twice
    if count == 1:
        tasklet = next(n for n in graph.nodes() if isinstance(n, nodes.Tasklet) and "sin" in n.code.as_string)
        code = re.sub(r"(jace::store\(\w+), ", r"\1, 2 * ", tasklet.code.as_string)
        tasklet.code = dace.properties.CodeBlock(code, tasklet.code.language)
    return result


MapFusionVertical.apply = wrong
