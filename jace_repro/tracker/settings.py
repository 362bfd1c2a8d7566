"""What was asked of a recording. Needs no JAX: a recorded program has it before it imports JAX."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from jace_repro.repro.selection import Selection


@dataclass(frozen=True)
class RecordSettings:
    """A recording as its processes share it: where it is and what bounds it.

    `root` is its directory, absolute. `max_disk` are the bytes of repros that it may write, None without a limit;
    `max_inputs` how many repros one entry may have. No repro is written of an entry that `select`, `ignore` and `eager`
    leave out (see `Selection`); the journal names it. `by_xla`: functions that the program gives to `jace.jit` are
    called as those of `jax.jit`, so that it goes on whatever DaCe makes of them.
    """

    root: str
    max_disk: int | None = None
    max_inputs: int = 1
    select: Sequence[str] = ()
    ignore: Sequence[str] = ()
    eager: bool = True
    by_xla: bool = False

    @property
    def selection(self) -> Selection:
        """Which entries get a repro."""
        return Selection(tuple(self.select), tuple(self.ignore), self.eager)
