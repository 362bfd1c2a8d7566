"""Meshes of one device and what refers to them, as Python source.

A script makes the mesh itself, on the device it runs on. It cannot count on more than one: for a larger mesh every
function here raises SeveralDevices, an EmitError which says how many it has.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import jax
from jax.extend.core import Jaxpr, JaxprEqn

from jace import ir
from jace_repro.emitter.core import literals, syntax
from jace_repro.emitter.core.errors import EmitError, SeveralDevices
from jace_repro.emitter.core.script import Script

_KINDS = ("varying", "unreduced", "reduced")


def concrete_mesh(script: Script, mesh: Any) -> str:
    """The name of a module-level mesh with these axes (none of them empty), whose device is there."""
    _require_one_device(mesh)
    axes = syntax.tuple_of(_axis(name) for name in mesh.axis_names)
    types = syntax.tuple_of(f"jax.sharding.AxisType.{kind.name}" for kind in mesh.axis_types)
    return script.constant("mesh", f"jax.make_mesh({mesh.axis_sizes}, {axes}, axis_types={types})", once=True)


def abstract_mesh(script: Script, mesh: Any) -> str:
    """An expression for the mesh that types have."""
    return f"{concrete_mesh(script, mesh)}.abstract_mesh"


def partition_spec(script: Script, spec: Any) -> str:
    """P("d", None)."""
    given = [_axis(axes) for axes in _divisions(spec)]
    given += [f"{kind}={_set(getattr(spec, kind))}" for kind in _KINDS[1:] if getattr(spec, kind)]
    return f"{script.import_('from jax.sharding import PartitionSpec as P', 'P')}({', '.join(given)})"


def placement(script: Script, aval: Any) -> str:
    """What an array's type says of a mesh, as further arguments of the type: mostly nothing."""
    varies = [f"{kind}={_set(found)}" for kind in _KINDS if (found := getattr(aval.manual_axis_type, kind))]
    if not varies and all(axes is None for axes in _divisions(aval.sharding.spec)):
        return ""
    context = "jax.sharding.get_abstract_mesh()"  # in the body of a shard_map
    mesh = context if varies else abstract_mesh(script, aval.sharding.mesh)
    text = f", sharding=jax.sharding.NamedSharding({mesh}, {partition_spec(script, aval.sharding.spec)})"
    if varies:
        text += f", manual_axis_type=jax.sharding.ManualAxisType({', '.join(varies)})"
    return text


def placed(script: Script, value: str, aval: Any) -> str:
    """An expression for an array, given one for its value, on the mesh that its type says it is on, if any."""
    sharding = getattr(aval, "sharding", None)
    if sharding is None or sharding.mesh.empty:
        return value
    if sharding.mesh.size > 1 and all(axes is None for axes in _divisions(sharding.spec)):
        return value  # its type says no more of where it is
    mesh, spec = concrete_mesh(script, sharding.mesh), partition_spec(script, sharding.spec)
    return f"jax.device_put({value}, jax.sharding.NamedSharding({mesh}, {spec}))"


def memory_kind(sharding: Any) -> str:
    """The memory kind of a sharding as a further argument: nothing for the one that devices have by default."""
    kind = sharding.memory_kind
    usual = jax.devices()[0].default_memory().kind
    return "" if kind in (None, usual) else f", memory_kind={literals.string(kind)}"


def in_context(script: Script, jaxpr: Jaxpr, lines: list[str]) -> list[str]:
    """The lines of a program, under the mesh of one device that it was traced under, if there was one."""
    mesh = jaxpr.eqns[0].ctx.cur_abstract_mesh if jaxpr.eqns else None
    if mesh is None or mesh.size != 1 or mesh.empty:
        return lines
    head = f"with jax.sharding.use_abstract_mesh({abstract_mesh(script, mesh)}):"
    return [head, *syntax.indented(lines)]


def shard_map_options(script: Script, eqn: JaxprEqn) -> list[str]:
    """The arguments of jax.shard_map, beside the function, for a call with the operands of an equation."""
    p = eqn.params
    inputs = [partition_spec(script, spec) for spec in p["in_specs"]]
    results = [partition_spec(script, spec) for spec in p["out_specs"]]
    _require_one_device(p["mesh"])
    options = [
        f"in_specs={syntax.tuple_of(inputs)}",
        f"out_specs={results[0] if len(results) == 1 else syntax.tuple_of(results)}",
        f"axis_names={_set(ir.manual_axes(eqn))}",
    ]
    if type(p["mesh"]).__name__ == "Mesh":  # an abstract one is that of the context
        options.insert(0, f"mesh={concrete_mesh(script, p['mesh'])}")
    return options if p["check_vma"] else [*options, "check_vma=False"]


def _require_one_device(mesh: Any) -> None:
    if mesh.size != 1:
        raise SeveralDevices(
            f"a mesh of {mesh.size} devices, and a script has one, as jace has: record the program on one device, or "
            "leave this out (--ignore)"
        )


def _divisions(spec: Any) -> Iterable[Any]:
    """What divides each dimension: from jax 0.10.2 on a spec with unreduced axes is no iterable."""
    divisions: Iterable[Any] = spec.partitions if hasattr(spec, "partitions") else spec
    return divisions


def _axis(axes: Any) -> str:
    """What divides one dimension: a name, several, or nothing."""
    if axes is None:
        return "None"
    if axes is jax.sharding.PartitionSpec.UNCONSTRAINED:
        return "jax.sharding.PartitionSpec.UNCONSTRAINED"
    if isinstance(axes, tuple):
        return syntax.tuple_of(_axis(name) for name in axes)
    if isinstance(axes, str):
        return literals.string(axes)
    raise EmitError(f"a mesh axis named by an object of type {type(axes).__qualname__}")


def _set(names: Iterable[Any]) -> str:
    return f"frozenset({{{', '.join(sorted(_axis(name) for name in names))}}})"
