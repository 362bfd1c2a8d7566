"""The page of a guided campaign: what its programs have reached in jace and DaCe, and what none has."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from jace_repro.fuzz import reach
from jace_repro.fuzz.forms import primitive_of
from jace_repro.fuzz.guide import Guide, Seed
from jace_repro.fuzz.reach import BRANCH, FORM, PAIR, PASS, Branch, Change, Pair
from jace_repro.page.page import environment_of_templates, inlined
from jace_repro.page.plots import reached_curve
from jace_repro.repro import write_file

#: The page, in the directory of a campaign.
PAGE = "reached.html"
#: So many seeds are listed.
_SEEDS = 20


@dataclass(frozen=True)
class Missed:
    """A line that does not go on in every way it can."""

    line: int
    text: str
    says: str


@dataclass(frozen=True)
class Module:
    """A file of jace's with the branches that were taken."""

    file: str
    taken: int
    ways: int
    missed: tuple[Missed, ...]

    @property
    def share(self) -> float:
        """What was taken, of 100."""
        return 100 * self.taken / self.ways


@dataclass(frozen=True)
class Placed:
    """A primitive with its forms, the control flow around it, and how often each pass changed such programs."""

    primitive: str
    forms: int
    around: tuple[str, ...]
    under: tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class Changing:
    """A pass with how many programs it changed on a pipeline, and the first of them."""

    pipeline: str
    name: str
    programs: int
    first: int


def render(guide: Guide) -> str:
    """The page."""
    modules = tuple(_modules(guide))
    return (
        environment_of_templates()
        .get_template("reached.html")
        .render(
            guide=guide,
            counts=guide.counts,
            ways=sum(module.ways for module in modules),
            curve=reached_curve(guide.curve, guide.programs),
            modules=modules,
            passes=tuple(_passes(guide)),
            primitives=tuple(_primitives(guide)),
            seeds=_seeds(guide),
            style=inlined("page.css"),
        )
    )


def write(guide: Guide, path: Path) -> None:
    """Write the page. Raises OSError, and leaves an earlier one as it was then."""
    write_file(path, render(guide).encode())


def _modules(guide: Guide) -> Iterator[Module]:
    taken: dict[str, dict[int, set[int]]] = defaultdict(lambda: defaultdict(set))
    for feature in guide.reached:
        if feature.startswith(f"{BRANCH} "):
            branch = Branch.of(feature)
            taken[branch.file][branch.line].add(branch.to)
    for file, lines in reach.all_branches().items():
        if lines:
            # of a line that another release has elsewhere, nothing is known
            count = sum(min(ways, len(taken[file][line])) for line, ways in lines.items())
            missed = tuple(
                Missed(line, reach.line_of(file, line), _says(taken[file][line]))
                for line, ways in lines.items()
                if len(taken[file][line]) < ways
            )
            yield Module(file, count, sum(lines.values()), missed)


def _says(taken: set[int]) -> str:
    if not taken:
        return "never reached"
    if len(taken) == 1:
        (to,) = taken
        return "always ends the function" if to < 0 else f"always goes on to {to}"
    return f"goes on to {', '.join(map(str, sorted(taken)))} only"


def _passes(guide: Guide) -> Iterator[Changing]:
    for feature, one in sorted(guide.reached.items()):
        if feature.startswith(f"{PASS} "):
            yield Changing(*Change.of(feature), one.programs, one.first)


def _primitives(guide: Guide) -> Iterator[Placed]:
    around: dict[str, set[str]] = defaultdict(set)
    under: dict[str, Counter[str]] = defaultdict(Counter)
    forms: Counter[str] = Counter()
    for feature, one in guide.reached.items():
        if feature.startswith(f"{FORM} "):
            forms[primitive_of(feature.removeprefix(f"{FORM} "))] += 1
        if feature.startswith(f"{PAIR} "):
            pair = Pair.of(feature)
            around[pair.primitive].add(pair.around)
            under[pair.primitive][pair.under] += one.programs
    for primitive in sorted(around):
        placed = tuple(sorted(around[primitive]))
        yield Placed(primitive, forms[primitive], placed, tuple(under[primitive].most_common()))


def _seeds(guide: Guide) -> list[Seed]:
    return sorted(guide.seeds, key=lambda seed: -seed.first)[:_SEEDS]
