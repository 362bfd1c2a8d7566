"""What a repro's script says of its finding, and prints with its outputs: what is right, and what DaCe makes of it."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from pathlib import Path

from jace_repro.repro import Header
from jace_repro.tester import OUTCOMES, Verdict
from jace_repro.tester.numerics.differing import Differing

#: Wrong elements of one output that a script names.
MOST = 8
_WIDTH = 100


def statement(verdict: Verdict, header: Header) -> str:
    """The text, for the header that the script will have."""
    return "\n".join(_lines(verdict, header))


def _lines(verdict: Verdict, header: Header) -> Iterator[str]:
    if OUTCOMES[verdict.outcome].asked:
        yield f"jace-repro made it as small as it gets while it is interesting: {verdict.detail}."
        yield f"It was so with {_releases(header)}."
        return
    right = "and it is wrong" if OUTCOMES[verdict.outcome].of_reference else "and it is right"
    if OUTCOMES[verdict.outcome].ends_plain_jax:
        yield "XLA is asked to run the program now; where the bug is still there, it ends this process."
    else:
        yield f"Above is what XLA computes{f', {right}' if verdict.differing else ''}."
    if header.relation is not None:
        yield f"The second half of the outputs is to be the first: {header.relation}."
    outcome = OUTCOMES[verdict.outcome]
    found = f"jace-repro found {outcome.with_article} on pipeline {verdict.pipeline}."
    yield from textwrap.wrap(f"{found} {outcome.meaning}", _WIDTH)
    for output in verdict.differing:
        yield from _elements(output)
    if not verdict.differing and verdict.detail.strip():
        said = verdict.detail.strip().splitlines()[0].replace(str(Path.home()), "~")
        yield f"  {textwrap.shorten(said, 200)}"
    if header.rules is not None:
        yield f"It was found with the rules and passes in {header.rules.file}."
    for name, value in header.environment.items():
        yield f"It was found with {name}={value}."
    yield f"`jace-repro check` on this file tests it again; it was seen with {_releases(header)}."


def _releases(header: Header) -> str:
    return ", ".join(f"{name} {header.releases[name]}" for name in ("jax", "dace") if name in header.releases)


def _elements(output: Differing) -> Iterator[str]:
    for element in output.elements[:MOST]:
        where = f"[{', '.join(map(str, element.index))}]" if element.index else ""
        yield f"  output {output.output}{where}: expected {element.expected}, got {element.actual}"
    if output.count > MOST:
        yield f"  ... {output.count} elements of output {output.output} are wrong"
