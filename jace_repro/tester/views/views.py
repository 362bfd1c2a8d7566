"""The views of one repro on one pipeline, as data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any, NamedTuple

from jace_repro.tester.views.errors import OutputErrors


class Line(NamedTuple):
    """A line of a view, and the lines of the script that it comes from."""

    text: str
    script: tuple[int, ...] = ()


@dataclass(frozen=True)
class PassRun:
    """One run of a pass, and the transformations that it applied, in order."""

    label: str
    applied: tuple[str, ...] = ()


@dataclass(frozen=True)
class Wanted:
    """What views to make.

    Attributes:
        guilty: the pass that a timeline must show.
        before, after: pipelines that are cut just before and just after the culprit; "" for none.
        outputs: whether both sides are run and compared.
        levels: whether jaxpr, SDFG and C++ are asked for.
    """

    guilty: str | None = None
    before: str = ""
    after: str = ""
    outputs: bool = True
    levels: bool = True


@dataclass(frozen=True)
class Views:
    """What a repro is on its way through DaCe; what could not be had is empty, and `problems` say why.

    Attributes:
        jaxpr: as it was traced.
        sdfg: as it is compiled, in DaCe's JSON; nodes have `script`, the lines of the script that they come from.
        code: the C++ that DaCe generates.
        passes: those of the pipeline that applied something to the SDFG, in order.
        before, after: the SDFG just before and just after the culprit of the pipeline.
        outputs: how DaCe's outputs differ from XLA's, one each; None when they were not asked for.
        problems: what could not be had, and why.
    """

    jaxpr: tuple[Line, ...] = ()
    sdfg: Mapping[str, Any] | None = None
    code: tuple[Line, ...] = ()
    passes: tuple[PassRun, ...] = ()
    before: Mapping[str, Any] | None = None
    after: Mapping[str, Any] | None = None
    outputs: tuple[OutputErrors, ...] | None = None
    problems: tuple[str, ...] = field(default=())

    def to_json(self) -> dict[str, Any]:
        """As a JSON object."""
        return {
            **{one.name: getattr(self, one.name) for one in fields(self)},
            "passes": [asdict(run) for run in self.passes],
            "outputs": None if self.outputs is None else [asdict(output) for output in self.outputs],
        }

    def with_part(self, part: Views) -> Views:
        """With all that `part` has."""
        had = {one.name: getattr(part, one.name) for one in fields(self)}
        given = {name: value for name, value in had.items() if value not in (None, ())}
        return replace(self, **{**given, "problems": (*self.problems, *part.problems)})

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Views:
        """The inverse of `to_json`, also of a part of it."""
        read = {name: parse(data[name]) for name, parse in _READ.items() if data.get(name) is not None}
        return cls(**{**data, **read})


def _lines(rows: Any) -> tuple[Line, ...]:
    return tuple(Line(text, tuple(script)) for text, script in rows)


_READ: Mapping[str, Any] = {
    "jaxpr": _lines,
    "code": _lines,
    "passes": lambda rows: tuple(PassRun(row["label"], tuple(row["applied"])) for row in rows),
    "outputs": lambda rows: tuple(map(OutputErrors.from_json, rows)),
    "problems": tuple,
}
