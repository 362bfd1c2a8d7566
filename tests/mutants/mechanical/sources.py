"""The programs in which mechanical mutants are looked for. Another source is another function in SOURCES."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

SAMPLE = "mutants.samples:make"
PROGRAMS = "jace_repro.fuzz.programs:make"
RELATIVES = "relatives:make"
#: So many of them, the first ones, execute most of what any executes.
MOST_TELLING = 40
#: The names of the programs of the table of operations in which something of jace is seen that no other shows.
OPERATIONS = Path(__file__).parents[2] / "jace_repro" / "fuzz" / "sample.txt"
#: Small programs that go through all of DaCe's passes, too.
PASSED = ("elementwise", "whiles", "updates_in_place", "parts_in_loops")
#: Small programs that go through passes of a user's own: they have sums, and show when one of the passes is left out.
SUMMED = ("elementwise", "reductions", "gradients")
#: Seeds of further programs of an operation; those of the sample are smaller.
FURTHER = range(1000, 1060)


@dataclass(frozen=True)
class Subject:
    """A program on a pipeline.

    Attributes:
        maker, name, x64: as for `NamedProgram`: "module:function", what it is given, and JAX's mode.
        variants: names of the same program on other inputs.
    """

    maker: str
    name: str
    x64: bool = False
    pipeline: str = "fused"
    variants: tuple[str, ...] = ()

    @property
    def operation(self) -> str:
        """The name of its operation, "" for one of no table."""
        return self.name.partition("/")[0] if self.maker == PROGRAMS else ""

    @property
    def key(self) -> str:
        return f"{self.name} {'x64' if self.x64 else 'x32'} {self.pipeline}"

    def to_json(self) -> dict[str, Any]:
        """What a worker needs to know."""
        return {
            "key": self.key, "maker": self.maker, "name": self.name, "x64": self.x64, "pipeline": self.pipeline,
            "variants": list(self.variants),
        }  # fmt: skip


def subjects(
    index: Path | None = None, names: Iterable[str] | None = None, *, brief: bool = False
) -> list[Subject]:
    """The programs of all sources, or of those that are named; where it is to be brief the most telling operations."""
    found = [subject for name in (names or SOURCES) for subject in SOURCES[name](index)]
    operations = {s.name for s in [s for s in found if s.maker == PROGRAMS][:MOST_TELLING]}
    return [s for s in found if not brief or s.maker != PROGRAMS or s.name in operations]


def _sample(index: Path | None) -> list[Subject]:
    """The sample of the planted bugs, with its special inputs."""
    from mutants.samples import programs

    return [Subject(SAMPLE, p.name, p.x64, "fused", _special(p.name)) for p in programs(index)]


def _small(index: Path | None, names: Sequence[str] | None = None) -> list[Subject]:
    """The small programs of it, or those of these names."""
    small = [s for s in _sample(index) if s.name.startswith("small:")]
    return [s for s in small if names is None or s.name.removeprefix("small:") in names]


def further(operations: Iterable[str], x64: bool) -> list[Subject]:
    """Programs of these operations that are in no sample, one of each in turn."""
    mode = "/x64" * x64
    return [Subject(PROGRAMS, f"{name}/{seed}{mode}", x64) for seed in FURTHER for name in operations]


def _equation_by_equation(index: Path | None) -> list[Subject]:
    """The small programs planned an equation at a time; a few with DaCe's passes after it, which take their time."""
    return [
        *(replace(s, pipeline="canonical/none") for s in _small(index)),
        *(replace(s, pipeline="canonical/auto-optimize") for s in _small(index, PASSED)),
    ]


def _nodes(index: Path | None) -> list[Subject]:
    """The same operations planned an equation at a time: each becomes nodes of DaCe's."""
    return [replace(s, pipeline="canonical/none") for s in _operations(index)]


def _kept_calls(index: Path | None) -> list[Subject]:
    """Small programs whose calls are kept as nested SDFGs."""
    return [replace(s, pipeline="canonical/calls:nested", variants=()) for s in _small(index)]


def _symbols(index: Path | None) -> list[Subject]:
    """A few small programs whose extents are symbols."""
    return [replace(s, pipeline="canonical/sizes:symbols", variants=()) for s in _small(index, PASSED)]


def _own_passes(index: Path | None) -> list[Subject]:
    """Small programs on a user's passes that change nothing together, and with what DaCe has for its library nodes."""
    own = f"canonical/{Path(__file__).with_name('own_passes.py')}:EVEN"
    ways = (own, "canonical/expand:pure")
    return [replace(s, pipeline=p, variants=()) for p in ways for s in _small(index, SUMMED)]


def _operations(index: Path | None) -> list[Subject]:
    """The gating sample of the table of operations."""
    names = OPERATIONS.read_text(encoding="utf-8").split()
    return [Subject(PROGRAMS, name, name.endswith("/x64")) for name in names]


def _special(name: str) -> tuple[str, ...]:
    return (f"special0:{name}", f"special1:{name}")


def _relatives(index: Path | None) -> list[Subject]:
    """Programs that are nearly the same: what a key must tell apart."""
    from relatives import programs

    return [Subject(RELATIVES, name) for name in programs()]


SOURCES: dict[str, Callable[[Path | None], list[Subject]]] = {
    "sample": _sample,
    "canonical": _equation_by_equation,
    "kept calls": _kept_calls,
    "symbols": _symbols,
    "own passes": _own_passes,
    "operations": _operations,
    "nodes": _nodes,
    "relatives": _relatives,
}
