"""How to test, and who is told how far a test is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from jace_repro.tester.verdict.verdict import Verdict

#: report(stage, provisional): a stage begins; `provisional` is the verdict to give if it never ends. For generated
#: inputs it is told their name as well, `inputs=name`.
Report = Callable[..., None]


@dataclass(frozen=True)
class Options:
    """How to test.

    Attributes:
        localize: whether a mismatch is localised; its signature names the guilty primitive only then.
        localize_compilations: how many compilations that may take.
        ffi_share: share of programs of one output (chosen by their fingerprint) that are also called through XLA's FFI
            and in all other ways (`execute.calls`); those of several outputs always are, unless it is 0.
        inside_share: share of these, of the short ones, that are also called inside of a scan and under vmap.
        blame: whether a finding is looked into for whose fault it is (`Verdict.who`, with the evidence).
        remember: whether the answers of plain JAX are remembered on disk (`execute.remembered`).
        inputs: sets of generated inputs that are tested after the recorded ones, at most; None for all that can tell
            something (`inputs.sets`). The verdict is the first finding.
        compare: whether plain JAX runs, too, and the outputs are compared; without it only how a run ends is told.
    """

    localize: bool = True
    localize_compilations: int = 24
    ffi_share: float = 0.125
    inside_share: float = 1 / 64
    blame: bool = True
    remember: bool = False
    inputs: int | None = 0
    compare: bool = True


def silent(stage: str, provisional: Verdict | None = None, inputs: str | None = None) -> None:
    """A report that goes nowhere."""
