"""What was asked of a recording. Needs no JAX: a recorded program has it before it imports JAX."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class RecordSettings:
    """A recording as its processes share it: where it is and what bounds it.

    `root` is its directory, absolute. `max_disk` are the bytes of repros that it may write, None without a limit;
    `max_inputs` how many repros one entry may have.
    """

    root: str
    max_disk: int | None = None
    max_inputs: int = 1
