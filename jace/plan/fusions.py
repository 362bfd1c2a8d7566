"""The decisions of fusion, counted, so that any number of them can be left out.

There are two kinds: a result stays lazy (it is computed where it is read, not stored), and a stored result joins the
kernel of an earlier one. A plan with the first N decisions only is a right plan with less fusion.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from jax.extend.core import JaxprEqn

from jace.ir.core import describe


@dataclass
class Fusions:
    """A record of the decisions of one plan.

    Attributes:
        limit: how many are allowed; None for all.
        told: whether `made` is to say which they are; it costs more than the decisions.
        made: a line for each that was made, for people; "" unless `told`.
    """

    limit: int | None = None
    told: bool = False
    made: list[str] = field(default_factory=list)

    @property
    def spent(self) -> bool:
        """Whether no further decision is allowed."""
        return self.limit is not None and len(self.made) >= self.limit

    def allow(self, describe: Callable[[], str]) -> bool:
        """Make a decision if it is allowed."""
        if self.spent:
            return False
        self.made.append(describe() if self.told else "")
        return True


def joined(position: int, shape: tuple[int, ...], name: str, roots: Sequence[JaxprEqn]) -> str:
    """A line about a result, that of the last of `roots` in the buffer `name`, that joined the kernel of the others."""
    *others, made = map(describe, roots)
    where = f"kernel {position} over {list(shape)}, {name}"
    return f"computed in {where}: {made}" + "".join(f"\n  with {other}" for other in others)
