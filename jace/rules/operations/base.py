"""What all operations have."""

from __future__ import annotations

from dataclasses import dataclass

from jax.extend.core import JaxprEqn, Var


@dataclass(frozen=True, eq=False)
class Operation:
    """What an equation computes.

    Attributes:
        eqn: the equation. Its results are the operation's; what else it says is in the other fields.
    """

    eqn: JaxprEqn

    @property
    def label(self) -> str:
        """What kernels and nodes are called."""
        return str(self.eqn.primitive.name)

    @property
    def out(self) -> Var:
        """The first result."""
        out: Var = self.eqn.outvars[0]
        return out

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the first result."""
        return tuple(self.out.aval.shape)
