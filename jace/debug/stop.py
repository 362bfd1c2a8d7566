"""Where a pipeline is to stop: the text `PASS[.K][:N]` of `$JACE_STOP_AFTER` and of `pipeline="NAME@PASS[.K][:N]"`.

    start                         before all that can be left out: only what an SDFG needs
    fold-constants                after that pass of jace's; what is needed for an SDFG still runs
    simplify                      after all of DaCe's simplify
    auto-optimize/LoopToMap.2     after the second run of LoopToMap in auto-optimize (`LoopToMap.2` will do)
    auto-optimize/LoopToMap:3     after the third transformation that the first run of it applied
    auto-optimize:10              after ten transformations of auto-optimize
    fuse:7                        after seven decisions of jace's fusion (pipeline "fused")

`jace-repro localize` prints these names. A stopped pipeline leaves out everything that follows.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass

VARIABLE = "JACE_STOP_AFTER"
#: Stops before anything that can be left out; PASS/start before DaCe's first pass in PASS.
START = "start"
_TEXT = re.compile(r"(?P<name>[\w+-]+(?:/[\w+-]+)?)(?:\.(?P<number>\d+))?(?::(?P<application>\d+))?")


@dataclass(frozen=True)
class Stop:
    """After the `application`-th application (None: after all) of the `number`-th run of the pass `name`."""

    name: str
    number: int = 1
    application: int | None = None

    @classmethod
    def parse(cls, text: str) -> Stop:
        """From `PASS[.K][:N]`.

        Raises:
            ValueError: for any other text.
        """
        match = _TEXT.fullmatch(text)
        if match is None:
            raise ValueError(f"{text!r} is no place to stop; write PASS, PASS.K, PASS:N or PASS.K:N")
        application = match["application"]
        return cls(
            match["name"], int(match["number"] or 1), None if application is None else int(application)
        )

    def __str__(self) -> str:
        number = f".{self.number}" if self.number > 1 else ""
        return f"{self.name}{number}" + ("" if self.application is None else f":{self.application}")

    def matches(self, label: str, number: int) -> bool:
        """Whether the `number`-th run of `label` (PASS or PASS/NAME) is the one that is meant."""
        return number == self.number and (label == self.name or label.partition("/")[2] == self.name)


def split(pipeline: str) -> tuple[str, Stop | None]:
    """The pipeline's own name and where it stops, from "NAME@PASS[.K][:N]".

    Raises:
        ValueError: what follows the @ is no place to stop.
    """
    name, at, text = pipeline.partition("@")
    return name, Stop.parse(text) if at else None


def effective(pipeline: str) -> str:
    """The pipeline with the stop of `$JACE_STOP_AFTER`, unless it has one of its own.

    Raises:
        ValueError: the variable is no place to stop.
    """
    text = os.environ.get(VARIABLE, "")
    if not text or "@" in pipeline:
        return pipeline
    return f"{pipeline}@{Stop.parse(text)}"
