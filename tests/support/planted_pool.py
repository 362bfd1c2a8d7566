"""A tester without workers, for what goes on around one."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

from jace.errors import CompileError
from jace_repro.tester import Options, Verdict
from jace_repro.tester.views import Line, Views

SIGNATURE = "0123456789ab"


class FloorIsWrong:
    """Says that `floor` is wrong."""

    options = Options()
    sanitize = False
    jobs = 1
    timeout = 180.0

    def __init__(self) -> None:
        self.requests: list[str] = []

    def begin(self) -> None:
        """There is nothing to wait for."""
        self.requests.append("begin")

    def add_spare(self) -> None:
        """There are no workers."""

    def heard_by(self, listener: Any) -> contextlib.AbstractContextManager[None]:
        return contextlib.nullcontext()

    def within(self, seconds: float, limits: Any = None) -> contextlib.AbstractContextManager[None]:
        return contextlib.nullcontext()

    def sanitizing(self) -> Any:
        raise CompileError("no sanitizer")

    def check(self, repro: Any, pipelines: Any, options: Any = None, explain: bool = True) -> list[Verdict]:
        self.requests.append(repro.header.name)
        wrong = "floor" in repro.source
        return [Verdict(p, "mismatch", SIGNATURE, "wrong") if wrong else Verdict(p, "ok") for p in pipelines]

    def view(self, repro: Any, pipeline: str, wanted: Any) -> Views:
        return Views(jaxpr=(Line(f"{pipeline} {repro.header.name}"),))

    def localize(self, repro: Any, pipeline: str) -> None:
        return None

    def bisect(self, repro: Any, pipeline: str, outcome: str) -> None:
        return None


@contextlib.contextmanager
def open_pool(settings: Any) -> Iterator[FloorIsWrong]:
    """In place of `jace_repro.campaign.testing.open_pool`."""
    yield FloorIsWrong()
