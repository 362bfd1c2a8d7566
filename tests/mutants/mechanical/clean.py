"""What the tester says of the right jace: a mutant is found in a program only if the right one is right there."""

from __future__ import annotations

import json
import tempfile
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from mutants.mechanical import reach, scope
from mutants.mechanical.reach import Trace
from mutants.mechanical.results import Effort
from mutants.mechanical.server import Server

#: A program that the right jace is through with at once and a mutant is not after so many seconds hangs.
HANGS = 30.0


class Clean:
    """What the tester says of programs without a mutant; kept in a folder for this state of jace."""

    def __init__(self, folder: Path) -> None:
        self.cache = folder / "compiled"
        self._path = folder / f"clean-{reach.state()}-{reach.digest(scope.ROOT / 'jace_repro')}.json"
        self._known: dict[str, Any] = json.loads(self._path.read_text()) if self._path.exists() else {}
        self._lock = threading.Lock()

    def ask(
        self,
        asked: Sequence[tuple[Trace, str]],
        ffi: float,
        effort: Effort,
        servers: Callable[[bool], Server],
    ) -> list[Any]:
        """The verdicts ({"outcome", "code", "seconds"}) of programs, each with its own inputs or others, by name."""
        keys = [f"{name} {trace.subject.key} {ffi} {effort.inputs}" for trace, name in asked]
        with self._lock:
            unknown = [k for k, key in enumerate(keys) if key not in self._known]
        for x64 in (False, True):
            some = [k for k in unknown if asked[k][0].subject.x64 == x64]
            while some:  # one that ends the worker is the first that has no verdict
                found = self._verdicts([asked[k] for k in some], ffi, effort, servers(x64))
                with self._lock:
                    self._known.update(zip((keys[k] for k in some), found, strict=False))
                some = some[len(found) :]
        with self._lock:
            if unknown:
                self._path.parent.mkdir(parents=True, exist_ok=True)
                self._path.write_text(json.dumps(self._known))
            return [self._known[key] for key in keys]

    def _verdicts(
        self, asked: Sequence[tuple[Trace, str]], ffi: float, effort: Effort, server: Server
    ) -> list[dict[str, Any]]:
        """The verdicts of the first programs, up to one that ends the worker."""
        subjects = [{**t.subject.to_json(), "name": name, "variants": [], "source": ""} for t, name in asked]
        found: list[dict[str, Any]] = []
        began = 0.0
        with tempfile.TemporaryDirectory() as tmp:
            request = {
                "do": "check", "overlay": "", "package": str(scope.PACKAGE), "cache": str(self.cache), "tmp": tmp,
                "subjects": subjects, "runs": len(subjects), "alike": 0.0, "ffi": ffi, "inputs": effort.inputs,
                "watched": "", "inside": False,
            }  # fmt: skip
            for event in server.ask(request, 5 * HANGS):
                if event["event"] == "begin":
                    began = event["cpu"]
                if event["event"] == "verdict":
                    row = {name: event[name] for name in ("outcome", "code")}
                    found.append({**row, "seconds": event["cpu"] - began})
                    if event["outcome"] != "ok":
                        server.go_on()
        return (
            found
            if len(found) == len(subjects)
            else [*found, {"outcome": "crash", "code": [], "seconds": 0.0}]
        )
