"""DaCe's library nodes that a plan may name: how each is made from the properties in the plan."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import dace


def _reduce(label: str, properties: Mapping[str, Any]) -> Any:
    from dace.libraries.standard import Reduce

    node = Reduce(label, properties["wcr"], list(properties["axes"]), properties["identity"])
    # its maps would be parallel, and each step atomic
    node.schedule = dace.ScheduleType.Sequential
    return node


def _matmul(label: str, properties: Mapping[str, Any]) -> Any:
    from dace.libraries.blas.nodes.matmul import MatMul

    return MatMul(label)


def _einsum(label: str, properties: Mapping[str, Any]) -> Any:
    from dace.libraries.blas.nodes.einsum import Einsum

    node = Einsum(label)
    node.einsum_str = properties["einsum_str"]
    return node


#: name -> fn(label, properties) -> the node.
NODES: dict[str, Callable[[str, Mapping[str, Any]], Any]] = {
    "Einsum": _einsum,
    "MatMul": _matmul,
    "Reduce": _reduce,
}
#: The connectors of a node that has none of its own until it is expanded.
UNNAMED = frozenset({"Reduce"})
