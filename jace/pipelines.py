"""The pipelines by name: what `pipeline=` takes, and what stands behind each name.

Beside those of the table there is any that `canonical/STEP[+STEP...]` spells: DaCe's passes on what `canonical` makes,
in order. A step is one of

    simplify, auto-optimize       DaCe's own pipelines (auto-optimize first: simplify before it)
    gpu                           DaCe's way to a GPU (`apply_gpu_transformations`, without its `simplify`), which needs
                                  CUDA's compiler and one of NVIDIA's GPUs
    xform:NAME                    a transformation or pass of DaCe's by its class, at every match that there is
    xform:NAME~SEED               the same at one match, drawn with the seed
    expand:NAME                   library nodes become DaCe's implementation NAME (pure, OpenMP) where they have it
    FILE.py:NAME                  a pass of the user's own (`jace.user_passes`)
    NAME                          one that was registered (`jace.register_pipeline`)
    calls:nested                  no pass: each call (of a jitted function, one with a derivative rule, a checkpoint)
                                  is a nested SDFG; otherwise what is called is built in its place
    sizes:symbols                 no pass: extents are symbols of the SDFG, as in programs for arrays of any size;
                                  otherwise they are numbers
    bug:NAME                      no pass: what is built does not go round that bug of DaCe's (`jace.known_bugs`)

and `canonical/` may be left out before them. All this imports neither JAX nor DaCe, so that a command line can list it;
the passes themselves are `jace.translate.passes`.
"""

from __future__ import annotations

import difflib
import functools
import json
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from jace import known_bugs, user_passes
from jace.debug import stop

#: The way whose SDFGs DaCe's passes are run on.
_CANONICAL = "canonical"
_XFORM = re.compile(r"xform:(?P<name>\w+)(?:~(?P<seed>\d+))?")
_BUG = "bug:"
_GPU = "gpu"
_NESTED = "calls:nested"
_SYMBOLS = "sizes:symbols"
#: Steps that are no passes, beside bugs.
_WAYS = frozenset({_NESTED, _SYMBOLS})
_EXPAND = re.compile(r"expand:(?P<name>\w+(?:-\w+)*)")
#: What DaCe ships: `scripts/transformations.py --write` makes it anew.
_CATALOGUE = Path(__file__).with_name("transformations.json")


@dataclass(frozen=True)
class Pipeline:
    """One way from a jaxpr to an SDFG.

    Attributes:
        name: its full name.
        does: one line for people.
        fused: equations are fused into kernels before the SDFG is built; otherwise each becomes nodes of its own.
        dace: the passes on the SDFG that follow, in order: DaCe's own, and a user's.
        met: the bugs of DaCe's that are not gone round (`jace.known_bugs`).
        nested: calls are nested SDFGs.
        symbolic: extents are symbols (`jace.sdfg.sizes`).
        alias: a shorter name, or "".
    """

    name: str
    does: str
    fused: bool = False
    dace: tuple[str, ...] = ()
    met: tuple[str, ...] = ()
    nested: bool = False
    symbolic: bool = False
    alias: str = ""

    @property
    def short_name(self) -> str:
        """The alias where there is one, else the name."""
        return self.alias or self.name

    @property
    def shorter(self) -> tuple[str, ...]:
        """Names of the pipelines that run ever fewer of its passes of DaCe's: from none of them to all but the last."""
        return tuple(_named(self.dace[:count], self._built) for count in range(len(self.dace)))

    @property
    def careful(self) -> str:
        """The name of the same way round all bugs that are known."""
        return replace(self, met=())._named if self.met else self.name

    @property
    def plan(self) -> str:
        """The name of the same plan without a pass of DaCe's, round all bugs that are known."""
        return replace(self, dace=(), met=())._named if self.dace or self.met else self.name

    @property
    def plainer(self) -> str:
        """The name of the same passes on an SDFG that is built without nested calls and symbols."""
        return (
            replace(self, nested=False, symbolic=False)._named if self.nested or self.symbolic else self.name
        )

    @property
    def on_gpu(self) -> bool:
        """Whether one of DaCe's steps takes what it computes to a GPU (a pass of the user's may, too)."""
        named = (xform(step) for step in self.dace)
        return _GPU in self.dace or any(n and _catalogue()[n[0]]["device"] == "GPU" for n in named)

    @property
    def _named(self) -> str:
        """The name that its steps spell."""
        return _named(self.dace, self._built)

    @property
    def _built(self) -> tuple[str, ...]:
        """Its steps that are no passes: how the SDFG is built."""
        ways = [*([_NESTED] if self.nested else []), *([_SYMBOLS] if self.symbolic else [])]
        return (*ways, *(f"{_BUG}{bug}" for bug in self.met))


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
#: DaCe's pipelines that a step may name.
STEPS = frozenset({_GPU, *(step for p in _TABLE for step in p.dace)})
#: Every name of the table that `pipeline=` takes.
NAMES: tuple[str, ...] = tuple(name for p in _TABLE for name in (p.alias, p.name) if name)


def find(name: str) -> Pipeline:
    """The pipeline of a name or alias.

    Raises:
        ValueError: there is none.
    """
    found = PIPELINES.get(ALIASES.get(name, name))
    return found if found is not None else _spelled(name)


def on_gpu(pipeline: str) -> bool:
    """Whether what a pipeline says ("NAME" or "NAME@PASS...") runs on a GPU; a backend's own names are of the CPU."""
    try:
        return parse(pipeline)[0].on_gpu
    except ValueError:
        return False


def transformations() -> dict[str, dict[str, Any]]:
    """DaCe's transformations and passes that `xform:NAME` may name, as `transformations.json` has them."""
    return dict(_catalogue())


@functools.cache
def _catalogue() -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = json.loads(_CATALOGUE.read_text(encoding="utf-8"))["transformations"]
    return found


def xform(step: str) -> tuple[str, int | None] | None:
    """Class and seed of a step that is written xform:NAME[~SEED]; None for any other."""
    match = _XFORM.fullmatch(step)
    return (match["name"], None if match["seed"] is None else int(match["seed"])) if match else None


def expansion(step: str) -> str | None:
    """The implementation of a step that is written expand:NAME; None for any other."""
    match = _EXPAND.fullmatch(step)
    return match["name"] if match else None


def label(step: str) -> str:
    """What a step is called where a pipeline is cut, and where it is to blame."""
    named, place = xform(step), user_passes.in_file(step)
    return named[0] if named else place[1] if place else step.partition(":")[0]


def _spelled(name: str) -> Pipeline:
    """The pipeline that is none of the table's, by its steps."""
    first, *rest = name.removeprefix(f"{_CANONICAL}/").split("+")
    known = PIPELINES.get(f"{_CANONICAL}/{first}")
    own = rest if known is not None else [first, *rest]
    if not own or not all(map(_is_step, own)):
        raise ValueError(_unknown(name, own))
    met = tuple(sorted({step.removeprefix(_BUG) for step in own if step.startswith(_BUG)}))
    passes = (step for step in own if not step.startswith(_BUG) and step not in _WAYS)
    dace = (*(known.dace if known is not None else ()), *passes)
    spelled = Pipeline("", "", dace=dace, met=met, nested=_NESTED in own, symbolic=_SYMBOLS in own)
    does = [
        f"`{_CANONICAL}`",
        *(f"with `{step}`" for step in spelled._built),
        *(f"then `{step}`" for step in dace),
    ]
    return replace(spelled, name=spelled._named, does=", ".join(does))


def _is_step(step: str) -> bool:
    found = xform(step)
    if found is not None:
        return found[0] in _catalogue()
    if step.startswith(_BUG):
        return step.removeprefix(_BUG) in known_bugs.GONE_ROUND
    return step in STEPS or step in _WAYS or expansion(step) is not None or user_passes.is_one(step)


def _named(dace: tuple[str, ...], built: tuple[str, ...]) -> str:
    """The full name of the pipeline with these passes of DaCe's, built so."""
    tables = [p for p in _TABLE if not p.fused and p.dace == dace[: len(p.dace)]]
    longest = max(tables, key=lambda p: len(p.dace))
    own = (*dace[len(longest.dace) :], *built)
    if not own:
        return longest.name
    return longest.name + "+" + "+".join(own) if longest.dace else f"{_CANONICAL}/{'+'.join(own)}"


def _unknown(name: str, steps: list[str]) -> str:
    """What to say of a name that stands for no pipeline."""
    for step in steps:
        found = xform(step)
        if found is not None and found[0] not in _catalogue():
            return f"unknown pipeline {name!r}: DaCe has no transformation {found[0]!r}" + _near(
                found[0], _catalogue()
            )
        bug = step.removeprefix(_BUG)
        if bug != step and bug not in known_bugs.GONE_ROUND:
            return f"unknown pipeline {name!r}: jace goes round no bug {bug!r}{_near(bug, known_bugs.GONE_ROUND)}"
    wrong = next((step for step in steps if not _is_step(step)), "")
    near = _near(wrong, sorted(STEPS | _WAYS)) or _near(name, NAMES)
    return (
        f"unknown pipeline {name!r}{near}; choose one of {', '.join(NAMES)}, or {_CANONICAL}/STEP+... "
        "with DaCe's transformations (xform:NAME), its way to a GPU (gpu), expansions (expand:NAME), calls as nested "
        "SDFGs (calls:nested), extents as symbols (sizes:symbols) and passes of your own (FILE.py:NAME)"
    )


def _near(word: str, words: Iterable[str]) -> str:
    near = difflib.get_close_matches(word, words, n=1)
    return f" (did you mean {near[0]}?)" if near else ""


def parse(pipeline: str) -> tuple[Pipeline, stop.Stop | None]:
    """The pipeline and where it stops, from "NAME" or "NAME@PASS[.K][:N]" (`jace.debug.stop`).

    Raises:
        ValueError: no such pipeline, or what follows the @ is no place to stop.
    """
    name, place = stop.split(pipeline)
    return find(name), place
