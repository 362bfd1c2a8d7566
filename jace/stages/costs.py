"""What a program costs, under the names that XLA's own analyses use.

Operations are counted by XLA's cost analysis of the equations that DaCe is given, so that a `dot` or a `sin` means the
same number in both; a loop's body counts once, as XLA counts it. Bytes are those of the SDFG's own memlets.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Any

import jax
from jax import lax
from jax.extend.core import ClosedJaxpr, JaxprEqn, jaxpr_as_fun

from jace.ir.core import count_equations
from jace.ir.rewrite import Splice, splice
from jace.jax_internals import jax_jit
from jace.primitive.binding import CallBinding

FLOPS, TRANSCENDENTALS, BYTES = "flops", "transcendentals", "bytes accessed"
#: What both of our analyses answer; XLA leaves a key out where it would say 0, and adds keys of its own.
KEYS = (FLOPS, TRANSCENDENTALS, BYTES)


@dataclass(frozen=True)
class MemoryStats:
    """Bytes that a compiled program needs, named as in JAX's memory analysis.

    Attributes:
        argument_size_in_bytes, output_size_in_bytes: of what a call reads and answers.
        temp_size_in_bytes: of DaCe's temporaries, and of what XLA allocates around them.
        alias_size_in_bytes: of the arguments whose buffers become results (donation).
        generated_code_size_in_bytes: of the shared libraries.
        peak_memory_in_bytes: of all that is there at once while the function runs.
    """

    argument_size_in_bytes: int
    output_size_in_bytes: int
    temp_size_in_bytes: int
    alias_size_in_bytes: int = 0
    generated_code_size_in_bytes: int = 0
    peak_memory_in_bytes: int = 0
    host_argument_size_in_bytes: int = 0
    host_output_size_in_bytes: int = 0
    host_temp_size_in_bytes: int = 0
    host_alias_size_in_bytes: int = 0
    host_generated_code_size_in_bytes: int = 0


def struct(aval: Any) -> jax.ShapeDtypeStruct:
    """What to trace with for an aval."""
    return jax.ShapeDtypeStruct(aval.shape, aval.dtype, weak_type=getattr(aval, "weak_type", False))


def before_fusion(binding: CallBinding) -> dict[str, float]:
    """Costs of the equations as the user wrote them, each reading its operands and writing its results."""
    return _sum(_counted(unit.closed) for unit in binding.units)


def after_fusion(binding: CallBinding) -> dict[str, float]:
    """Costs of the SDFGs: of the equations that were left when they were planned, and of the kernels made of them.

    Beyond XLA's keys: "kernels", and "equations" as the user wrote them. What fusion computes twice counts once.
    """
    found = []
    for unit in binding.units:
        program = unit.program
        kernels, moved = _traffic(program.sdfg)
        found.append(
            {
                **_counted(splice(program.closed, _once_each)),
                BYTES: float(moved),
                "kernels": float(kernels),
                "equations": float(count_equations(unit.closed.jaxpr)),
            }
        )
    return _sum(found)


def memory(binding: CallBinding, wrapper: Any) -> MemoryStats:
    """Bytes of a compiled function.

    Args:
        wrapper: XLA's analysis of the program around the SDFGs.
    """
    arrays = [
        desc
        for unit in binding.units
        for _, _, desc in unit.program.sdfg.arrays_recursive()
        if desc.transient
    ]
    temporary = sum(int(d.total_size) * d.dtype.bytes for d in arrays if str(d.total_size).isdigit())
    return MemoryStats(
        wrapper.argument_size_in_bytes,
        wrapper.output_size_in_bytes,
        wrapper.temp_size_in_bytes + temporary,
        wrapper.alias_size_in_bytes,
        sum(unit.library.path.stat().st_size for unit in binding.units),
        wrapper.peak_memory_in_bytes + temporary,
    )


def _once_each(eqn: JaxprEqn) -> Splice | None:
    """A running sum as one addition an element: so DaCe computes it; XLA's lowering adds anew for every element."""
    operation = _RUNNING.get(eqn.primitive.name)
    if operation is None:
        return None
    aval = eqn.invars[0].aval
    return Splice(jax.make_jaxpr(lambda x: operation(x, x))(struct(aval)), eqn.invars)


_RUNNING = {"cumsum": lax.add, "cumprod": lax.mul, "cummax": lax.max, "cummin": lax.min}


def _counted(closed: ClosedJaxpr) -> dict[str, float]:
    """XLA's analysis of a jaxpr: what its instructions cost when none is fused with another."""
    jitted: Any = jax_jit(jaxpr_as_fun(closed))
    found = jitted.lower(*map(struct, closed.in_avals)).cost_analysis() or {}
    return {key: float(found.get(key, 0.0)) for key in KEYS}


def _traffic(region: Any) -> tuple[int, int]:
    """(kernels, bytes that they read and write) of a part of an SDFG.

    As XLA counts: the body of a loop once, of the branches of a conditional the dearest.
    """
    kernels = moved = 0
    for block in region.nodes():
        if hasattr(block, "branches"):
            parts = [_traffic(body) for _, body in block.branches]
            found = (sum(k for k, _ in parts), max((m for _, m in parts), default=0))
        elif hasattr(block, "scope_dict"):
            found = _traffic_of_state(block)
        else:
            found = _traffic(block)
        kernels, moved = kernels + found[0], moved + found[1]
    return kernels, moved


def _traffic_of_state(state: Any) -> tuple[int, int]:
    scopes = state.scope_dict()
    top = [node for node in state.nodes() if scopes[node] is None]
    arrays = [node for node in top if hasattr(node, "data")]
    moved = 0
    for name in {node.data for node in arrays}:
        desc = state.sdfg.arrays[name]
        nodes = [node for node in arrays if node.data == name]
        for edges in (map(state.out_edges, nodes), map(state.in_edges, nodes)):
            subsets = [e.data.subset for e in itertools.chain(*edges) if e.data.data == name]
            touched = sum(int(subset.num_elements()) for subset in subsets)
            moved += min(touched, int(desc.total_size)) * desc.dtype.bytes
    exits = sum(hasattr(node, "map") for node in top) // 2
    return len(top) - len(arrays) - exits, moved


def _sum(parts: Any) -> dict[str, float]:
    total: dict[str, float] = dict.fromkeys(KEYS, 0.0)
    for part in parts:
        for key, value in part.items():
            total[key] = total.get(key, 0.0) + value
    return total
