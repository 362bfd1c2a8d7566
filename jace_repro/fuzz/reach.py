"""What a program reaches in jace and DaCe on its way to an SDFG: what a guided campaign is guided by.

Nothing is compiled and nothing runs. Four kinds are told apart: the branches that jace's rules, its planner and its
builder take; the passes of DaCe's that change the SDFG, by their own account; each primitive with the control flow
that it is in and a pass that changes the program; and the forms of equations (`jace_repro.fuzz.forms`), since a rule
that goes the same way for two parameters may be wrong for one of them.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from jax.extend.core import ClosedJaxpr

import jace
from jace import ir
from jace.debug import Watch
from jace.errors import JaceError
from jace_repro.fuzz.forms import forms

#: The kinds.
KINDS = BRANCH, PASS, PAIR, FORM = "branch", "pass", "pair", "form"
#: Where branches are counted, in jace's folder, and the passes between which that code runs.
_COUNTED = ("rules", "plan", "sdfg/builder.py", "sdfg/library.py")
_BEFORE, _LAST = "check-supported", "build-sdfg"
#: What stands for the control flow around an equation of the program itself.
TOP = "program"

_JACE = Path(jace.__file__).parent


class Branch(NamedTuple):
    """A way that a line can go on.

    Attributes:
        file: in jace's folder.
        line: what decides.
        to: the line that follows; negative where the function ends.
    """

    file: str
    line: int
    to: int

    @classmethod
    def of(cls, feature: str) -> Branch:
        """That of a feature of the kind `BRANCH`."""
        file, _, rest = feature.removeprefix(f"{BRANCH} ").rpartition(":")
        line, _, to = rest.partition(">")
        return cls(file, int(line), int(to))

    @property
    def feature(self) -> str:
        """Its name among what is reached."""
        return f"{BRANCH} {self.file}:{self.line}>{self.to}"


class Change(NamedTuple):
    """A pass of a pipeline that changes the SDFG."""

    pipeline: str
    step: str

    @classmethod
    def of(cls, feature: str) -> Change:
        """That of a feature of the kind `PASS`."""
        pipeline, _, step = feature.removeprefix(f"{PASS} ").rpartition(": ")
        return cls(pipeline, step)

    @property
    def feature(self) -> str:
        """Its name among what is reached."""
        return f"{PASS} {self.pipeline}: {self.step}"


class Pair(NamedTuple):
    """A primitive with the control flow that it is in, and a pass that changes the program, or the pipeline."""

    primitive: str
    around: str
    under: str

    @classmethod
    def of(cls, feature: str) -> Pair:
        """That of a feature of the kind `PAIR`."""
        placed, _, under = feature.removeprefix(f"{PAIR} ").partition(" under ")
        primitive, _, around = placed.partition(" in ")
        return cls(primitive, around, under)

    @property
    def feature(self) -> str:
        """Its name among what is reached."""
        return f"{PAIR} {self.primitive} in {self.around} under {self.under}"


def measurable() -> bool:
    """Whether branches can be counted here: it takes the package coverage."""
    try:
        import coverage  # noqa: F401
    except ImportError:
        return False
    return True


def reached(closed: ClosedJaxpr, pipelines: Sequence[str]) -> frozenset[str]:
    """What a program reaches on these pipelines, up to where it is refused; each as "KIND WHAT"."""
    found = {f"{FORM} {form}" for form in forms(closed)}
    for pipeline in pipelines:
        watch, counting = Watch(), _Counting()
        try:
            program = jace.translate_jaxpr(closed, pipeline, observe=counting, watch=watch)
        except JaceError:  # the test says so
            program = None
        found |= counting.branches()
        changed = _changed(watch)
        found |= {Change(pipeline, step).feature for step in changed}
        if program is not None:
            found |= {
                Pair(primitive, around, step).feature
                for primitive, around in set(_placed(program.closed))
                for step in changed or [pipeline]
            }
    return frozenset(found)


def _changed(watch: Watch) -> list[str]:
    """The passes and transformations of DaCe's that changed something."""
    names = set()
    for run in filter(lambda run: run.changed, watch.runs):
        own = run.label.rpartition("/")[2].partition(".")[0]
        names |= {one.name for one in run.applications} or {own}
    return sorted(names)


def _placed(closed: ClosedJaxpr) -> Iterator[tuple[str, str]]:
    """Each primitive with the control flow that it is in."""
    for path, eqn in ir.walk(closed):
        yield eqn.primitive.name, path[-1].partition(".")[0] if path else TOP


class _Counting:
    """Counts branches from one pass of a pipeline to another: it would slow what DaCe does down for nothing."""

    def __init__(self) -> None:
        self._tracer = _tracer()
        self._tracer.erase()
        self._runs = False

    def __call__(self, name: str, state: Any) -> None:
        if name == _BEFORE:
            self._tracer.start()
            self._runs = True
        elif name == _LAST:
            self._stop()

    def _stop(self) -> None:
        if self._runs:
            self._tracer.stop()
            self._runs = False

    def branches(self) -> set[str]:
        """Those that were taken."""
        self._stop()
        data = self._tracer.get_data()
        found = set()
        for path in data.measured_files():
            file = Path(path).relative_to(_JACE).as_posix()
            decides = _deciding(path)
            found |= {Branch(file, a, b).feature for a, b in data.arcs(path) or () if a in decides}
        return found


@functools.cache
def _tracer() -> Any:
    import coverage

    return coverage.Coverage(branch=True, data_file=None, include=_files(), config_file=False)


@functools.cache
def _deciding(path: str) -> Mapping[int, tuple[int, int]]:
    """The lines of a file that can go on in several ways."""
    import coverage

    source = coverage.Coverage(branch=True, data_file=None, config_file=False)
    source.get_data().add_arcs({path: ()})  # without any it has no branches either
    found: Mapping[int, tuple[int, int]] = source.branch_stats(path)
    return found


@functools.cache
def _files() -> Sequence[str]:
    places = [_JACE / place for place in _COUNTED]
    return [
        str(file)
        for place in places
        for file in ([place] if place.is_file() else sorted(place.rglob("*.py")))
    ]


def all_branches() -> dict[str, dict[int, int]]:
    """How many ways each line has that has several, by file in jace's folder."""
    return {
        Path(file).relative_to(_JACE).as_posix(): {
            line: ways for line, (ways, _) in sorted(_deciding(file).items())
        }
        for file in _files()
    }


def line_of(file: str, line: int) -> str:
    """The text of a line of a file in jace's folder."""
    return _lines(file)[line - 1].strip()


@functools.cache
def _lines(file: str) -> Sequence[str]:
    return (_JACE / file).read_text(encoding="utf-8").splitlines()
