"""Mutants by seed: which of some repros is changed, and how; the same repros and name are the same mutant.

Repros are read, traced and made into what `mutators` work on; what is too long, calls Python or fails is no source.
"""

from __future__ import annotations

import functools
import random
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jax
import numpy as np
from jax.extend.core import jaxpr_as_fun

from jace import ir
from jace_repro.fuzz import nearly
from jace_repro.fuzz.compose import says_something
from jace_repro.fuzz.draw import Draw
from jace_repro.fuzz.mutators import Subject, mutated
from jace_repro.fuzz.programs import REFUSED
from jace_repro.repro import Repro, ReproError, load
from jace_repro.tester.execute.traced import TracedProgram, trace
from jace_repro.tester.numerics import native

#: In the place of an operation's name.
MUTATED = "mutated"
#: So many times a mutant is drawn anew where JAX refuses what was drawn, or its results say nothing.
TRIES = 5
#: Sources, and mutants, of more equations take too long; so do more elements.
MOST_EQUATIONS, MOST_ELEMENTS = 300, 20_000
#: Of those of fewer, the operations of the table are more.
LEAST_EQUATIONS = 2
#: So many repros are looked at for one to put behind another.
PARTNERS = 5


@dataclass(frozen=True)
class Mutant:
    """A changed program.

    Attributes:
        closed: the program.
        arrays: its inputs.
        jax_config: what it is made and run under, as far as it is not JAX's default.
        says: of what it was made, and how.
    """

    closed: ir.ClosedJaxpr
    arrays: Sequence[np.ndarray[Any, Any]]
    jax_config: Mapping[str, Any]
    says: str


@dataclass(frozen=True)
class _Source:
    repro: Repro
    subject: Subject

    @property
    def jax_config(self) -> Mapping[str, Any]:
        return self.repro.header.jax_config


def usable(paths: Iterable[Path]) -> Iterator[Repro]:
    """The repros among these that mutants can be made of."""
    for path in paths:
        try:
            yield _source(path).repro
        except Exception:  # a script is anybody's: one that does not run here is no source
            continue


def drawn_of(name: str, count: int) -> list[int]:
    """Which of so many sources a mutant is made of, or may be."""
    return random.Random(name).sample(range(count), min(count, 1 + PARTNERS))


def in_order(name: str, chosen: Sequence[Path]) -> list[Path]:
    """The sources, a few, of a mutant that is made of the first of these if it can be, else of the next."""
    places = drawn_of(name, len(chosen))
    return [chosen[places.index(k)] for k in range(len(chosen))]


def mutant(name: str, sources: Sequence[Path]) -> Mutant:
    """The mutant of a name.

    Args:
        name: `mutated/SEED`.
        sources: repros; those that `drawn_of` names must be there.
    Raises:
        ValueError: whatever is drawn is refused, or says nothing.
    """
    found = [_source(sources[k]) for k in drawn_of(name, len(sources))]
    said = ""
    for place, one in enumerate(found):
        rest = (*found[place + 1 :], *found[:place])
        partner = next((other for other in rest if other.jax_config == one.jax_config), one)
        with one.repro.configured(), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for attempt in range(TRIES):
                draw = Draw(f"{name} {attempt}", x64=bool(one.jax_config.get("jax_enable_x64")))
                try:
                    made = mutated(draw, one.subject, partner.subject)
                    _require_meaning(made)
                except REFUSED as error:
                    said = f"{one.repro.header.name}: {type(error).__name__}: {error}"
                    continue
                says = f"{one.repro.header.name}: {', '.join(made.says)}"
                return Mutant(made.closed, made.arrays, one.jax_config, says)
    raise ValueError(f"no mutant of {len(found)} programs, not of {said}")


def _require_meaning(made: Subject) -> None:
    """Raises ValueError where no output would show a wrong result, or it is too large or long, or no program.

    What is changed about a loop may make it endless: no loop is left to JAX, which would run it. What was retyped may
    have types that do not go together, a branch's index say, which JAX looks at no sooner than it lowers the program.
    """
    _require_small(made)
    try:
        outputs = nearly.walked(made.closed, made.arrays)
    except native.TooLongError as error:
        raise ValueError("it takes too long") from error
    if not any(out.size and says_something(out) for out in outputs):
        raise ValueError("its results say nothing")
    try:
        jax.jit(jaxpr_as_fun(made.closed)).lower(*made.arrays)
    except Exception as error:  # each part of JAX has its own, MLIR's and assertions among them
        raise ValueError(f"JAX does not lower it: {error}") from error


def _require_small(subject: Subject) -> None:
    elements = sum(np.prod(v.aval.shape) for _, e in ir.walk(subject.closed) for v in e.outvars)
    if ir.count_equations(subject.closed) > MOST_EQUATIONS or elements > MOST_ELEMENTS:
        raise ValueError("it is too large")


@functools.lru_cache(maxsize=64)
def _source(path: Path) -> _Source:
    """A repro that can be one.

    Raises ReproError, ValueError and whatever the script raises.
    """
    repro = load(path)
    if repro.header.expected_error is not None:
        raise ReproError("it ends with an error")
    with repro.configured(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return _Source(repro, subject_of(trace(repro)))


def subject_of(prog: TracedProgram) -> Subject:
    """What mutants are made of a program from. Raises ValueError where it cannot be a source."""
    if prog.plain.effects or any("callback" in name for name in ir.primitives(prog.plain)):
        raise ValueError("it calls Python")
    subject = Subject(prog.plain, tuple(prog.flat))
    _require_small(subject)
    if not subject.arrays or ir.count_equations(subject.closed) < LEAST_EQUATIONS:
        raise ValueError("it has no inputs, or hardly anything to change")
    return subject
