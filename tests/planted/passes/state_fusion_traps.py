"""Planted bug: the second state fusion of a program leaves code that ends the process."""

import dace
from dace.sdfg import nodes
from dace.transformation.interstate import StateFusion

right = StateFusion.apply
counts = {}


def wrong(self, graph, sdfg):
    result = right(self, graph, sdfg)
    count, _ = counts.get(id(sdfg), (0, None))
    counts[id(sdfg)] = count + 1, sdfg  # held, so that no id is used twice
    if count == 1:
        tasklet = next(n for n, _ in sdfg.all_nodes_recursive() if isinstance(n, nodes.Tasklet))
        code = "__builtin_trap();\n" + tasklet.code.as_string
        tasklet.code = dace.properties.CodeBlock(code, tasklet.code.language)
    return result


StateFusion.apply = wrong
