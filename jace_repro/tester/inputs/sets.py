"""Generated inputs of a program: each kind asks another question, and is left out where the program has no answer.

`input_sets(closed, recorded)` makes them from the types of the inputs and from the recorded values, which say what
range is meaningful (positive, at most one, sorted, a symmetric matrix, an index). They are the same wherever they are
made: seeded by the program's fingerprint.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from jax.extend.core import ClosedJaxpr

from jace.ir import fingerprint, is_key_dtype, without_hijax
from jace_repro.repro.large import raw
from jace_repro.tester.inputs.kinds import KINDS, Kind
from jace_repro.tester.inputs.meaning import meaning
from jace_repro.tester.inputs.profile import Profile


@dataclass(frozen=True, eq=False)
class InputSet:
    """One value for each input.

    Attributes:
        kind: a key of `KINDS`.
        values: arrays of exactly the inputs' dtypes and shapes (typed PRNG keys as they were recorded).
        number: of the set among those of its kind, from 1.
    """

    kind: str
    values: tuple[Any, ...]
    number: int = 1

    @property
    def name(self) -> str:
        """The kind, numbered from the second set on: what a verdict says."""
        return self.kind if self.number == 1 else f"{self.kind}-{self.number}"


#: Whether the reference is finite on these values, as far as it is on the recorded ones.
KeepFinite = Callable[[Sequence[Any]], bool]


def input_sets(
    closed: ClosedJaxpr,
    recorded: Sequence[Any],
    kinds: Sequence[str] = tuple(KINDS),
    keep_finite: KeepFinite | None = None,
) -> Iterator[InputSet]:
    """Further inputs for a program, each set different from all before it: one of each kind, then another of each.

    Args:
        closed: the program.
        recorded: one value an input, of exactly its type.
        kinds: keys of `KINDS`, in the order wanted.
        keep_finite: sets that are to keep the reference finite are dropped where it says no.
    """
    profile = Profile(without_hijax(closed))
    seed = fingerprint(closed)
    seen = {_digest(recorded)}
    told = [(name, KINDS[name]) for name in kinds if KINDS[name].tells(profile)]
    counts = [kind.sets(profile, recorded) for _, kind in told]
    for number in range(1, max(counts, default=0) + 1):
        for (name, kind), count in zip(told, counts, strict=True):
            for positive in (False, True) if number <= count else ():
                values = _values(
                    kind, f"{seed}/{name}/{number}", recorded, profile, number, positive=positive
                )
                key = _digest(values)
                if key in seen:
                    continue
                seen.add(key)
                if not kind.finite(profile, number) or keep_finite is None or keep_finite(values):
                    yield InputSet(name, values, number)
                    break


def _values(
    kind: Kind, seed: str, recorded: Sequence[Any], profile: Profile, number: int, *, positive: bool
) -> tuple[Any, ...]:
    """One value an input, each with random numbers of its own."""
    if kind.of_program is not None:
        return tuple(kind.of_program(profile.closed, recorded, _generator(f"{seed}/{int(positive)}")))
    values = []
    for position, value in enumerate(recorded):
        uses = profile.uses
        lengths = uses.lengths.get(position, ())
        one = meaning(value, lengths, fixed=position in uses.frozen, positive=positive)
        if one.fixed:
            values.append(value)
            continue
        made = kind.make(one, _generator(f"{seed}/{position}"), profile, number)
        with np.errstate(all="ignore"):
            values.append(one.like(made) if kind.fresh else made.astype(one.recorded.dtype))
    return tuple(values)


def _generator(seed: str) -> np.random.Generator:
    return np.random.default_rng(list(hashlib.sha256(seed.encode()).digest()))


def _digest(values: Sequence[Any]) -> str:
    found = hashlib.sha256()
    for value in values:
        if not is_key_dtype(getattr(value, "dtype", None)):
            found.update(raw(value).data)
    return found.hexdigest()
