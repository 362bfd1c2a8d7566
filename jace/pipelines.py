"""The pipelines by name: what `pipeline=` takes, and what stands behind each name.

A table of data that imports neither JAX nor DaCe, so that a command line can list it; the passes themselves are
`jace.translate.passes`.
"""

from __future__ import annotations

from dataclasses import dataclass

from jace.debug import stop


@dataclass(frozen=True)
class Pipeline:
    """One way from a jaxpr to an SDFG.

    Attributes:
        name: its full name.
        does: one line for people.
        fused: equations are fused into kernels before the SDFG is built; otherwise each becomes nodes of its own.
        dace: DaCe's own passes that follow, in order.
        alias: a shorter name, or "".
    """

    name: str
    does: str
    fused: bool = False
    dace: tuple[str, ...] = ()
    alias: str = ""

    @property
    def short_name(self) -> str:
        """The alias where there is one, else the name."""
        return self.alias or self.name


_TABLE = (
    Pipeline(
        "fused",
        "equations are fused into kernels before the SDFG is built; quick to build and to run; the default",
        fused=True,
    ),
    Pipeline(
        "canonical/none",
        "each equation as DaCe's own nodes: library nodes, maps with exact memlets, loops, copies; "
        "no transformation of DaCe's",
        alias="canonical",
    ),
    Pipeline("canonical/simplify", "the same, then DaCe's `simplify`", dace=("simplify",)),
    Pipeline(
        "canonical/auto-optimize",
        "the same, then `simplify` and `auto_optimize`",
        dace=("simplify", "auto-optimize"),
    ),
)
#: The pipelines by full name, from the one that is used when nothing is said.
PIPELINES: dict[str, Pipeline] = {p.name: p for p in _TABLE}
DEFAULT = _TABLE[0].name
#: Those that plan in a way of their own, by short name; the others go on from the plan of one of them.
PLANS: tuple[str, ...] = tuple(p.short_name for p in _TABLE if not p.dace)
#: alias -> full name.
ALIASES: dict[str, str] = {p.alias: p.name for p in _TABLE if p.alias}
#: Every name that `pipeline=` takes.
NAMES: tuple[str, ...] = tuple(name for p in _TABLE for name in (p.alias, p.name) if name)


def find(name: str) -> Pipeline:
    """The pipeline of a name or alias.

    Raises:
        ValueError: there is none.
    """
    found = PIPELINES.get(ALIASES.get(name, name))
    if found is None:
        raise ValueError(f"unknown pipeline {name!r}; choose one of {', '.join(NAMES)}")
    return found


def parse(pipeline: str) -> tuple[Pipeline, stop.Stop | None]:
    """The pipeline and where it stops, from "NAME" or "NAME@PASS[.K][:N]" (`jace.debug.stop`).

    Raises:
        ValueError: no such pipeline, or what follows the @ is no place to stop.
    """
    name, place = stop.split(pipeline)
    return find(name), place
