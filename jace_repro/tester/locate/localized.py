"""A diverging equation as a program of its own: what localisation hands on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from jax.extend.core import ClosedJaxpr, JaxprEqn

from jace.ir import describe, source_of
from jace_repro.emitter import emit_flat
from jace_repro.repro import Header, Repro
from jace_repro.tester.execute.traced import base_array
from jace_repro.tester.verdict.culprit import Culprit

_Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Localized:
    """The first diverging equation.

    Attributes:
        culprit: the equation, where it is and what it does.
        jaxpr: the equation as a program of its own (a window of several when only the context fails); None when
            another process has found it.
        operands: its inputs as plain JAX computed them.
        expected, got: results of plain JAX and of the backend.
        repro: `jaxpr` on `operands` as a script.
    """

    culprit: Culprit
    jaxpr: ClosedJaxpr | None = field(default=None, repr=False)
    operands: tuple[Any, ...] = field(default=(), repr=False)
    expected: tuple[_Array, ...] = field(default=(), repr=False)
    got: tuple[_Array, ...] = field(default=(), repr=False)
    repro: Repro | None = field(default=None, repr=False)

    @classmethod
    def of(
        cls,
        eqn: JaxprEqn,
        jaxpr: ClosedJaxpr,
        operands: Sequence[Any],
        expected: Sequence[_Array],
        got: Sequence[_Array],
        **known: Any,
    ) -> Localized:
        """A culprit that this process has found; `known` are further fields of `Culprit`."""
        arrays: Mapping[str, Sequence[Any]] = {"operands": operands, "expected": expected, "got": got}
        culprit = Culprit(
            primitive=eqn.primitive.name,
            equation=describe(eqn),
            source=source_of(eqn),
            values={name: [_short(base_array(a)) for a in held] for name, held in arrays.items()},
            **known,
        )
        return cls(culprit, jaxpr, tuple(operands), tuple(expected), tuple(got))

    def giving(self, got: Sequence[_Array]) -> Localized:
        """The same equation, of which another backend makes something else."""
        values = {**self.culprit.values, "got": [_short(a) for a in got]}
        return replace(self.known(values=values), got=tuple(got))

    def known(self, **fields: Any) -> Localized:
        """With these fields of the culprit."""
        return replace(self, culprit=replace(self.culprit, **fields))

    def with_repro(self, origin: Repro) -> Localized:
        """With `jaxpr` on `operands` emitted as a script under the configuration of `origin`."""
        if self.jaxpr is None:
            return self
        header = Header(
            origin=origin.header.origin or origin.header.name,
            name=origin.header.name,
            jax_config=origin.header.jax_config,
        )
        with origin.configured():
            return replace(self, repro=emit_flat(self.jaxpr, self.operands, header=header))


def _short(array: _Array) -> str:
    """An array as one line of text; a long one by its ends."""
    text = np.array2string(array, threshold=12, edgeitems=4, floatmode="unique", separator=", ")
    return f"{array.dtype}{list(array.shape)} {' '.join(text.split())}"
