"""A worker process: tests the repros it is sent, one at a time, and says how far it is.

Run as `python -m jace_repro.tester.workers.worker`. Requests come on stdin, events go to what was stdout; what the
program under test prints goes to stderr. A worker that dies or hangs is its pool's business (`pool.py`).

Requests: {"do": "check" | "localize" | "bisect" | "view", "repro" | "named", "pipelines", "options"} with the repro's
arrays; "bisect" has "outcomes" as well: null, or {pipeline: outcome} when probes are tested by other requests; "view"
has "wanted".
Events: {"event": "ready" | "stage" | "verdict" | "localized" | "bisected" | "needs-outcome" | "views" | "done" |
"failed", ...}.
"""

from __future__ import annotations

import argparse
import faulthandler
import os
import runpy
import sys
import threading
import time
import traceback
from collections.abc import Sequence
from pathlib import Path
from typing import Any, BinaryIO

from jace_repro.repro import Repro
from jace_repro.tester.execute.named import NamedProgram
from jace_repro.tester.workers import stack
from jace_repro.tester.workers.protocol import ClosedError, pack_repro, receive, send, unpack_subject


def main(argv: Sequence[str] | None = None) -> int:
    """Serve until stdin closes."""
    parser = argparse.ArgumentParser(prog="python -m jace_repro.tester.workers.worker")
    parser.add_argument("--backend", required=True)
    parser.add_argument("--rules", type=Path)
    parser.add_argument("--sanitize", action="store_true")
    options = parser.parse_args(argv)
    if options.sanitize:
        os.environ.pop("LD_PRELOAD", None)  # the sanitizer's handlers stay; the compilers go without it
    else:
        faulthandler.enable(sys.stderr)
        faulthandler.register(stack.ASKS, sys.stderr)
    requests = sys.stdin.buffer
    events = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # prints of the program under test must not reach the protocol
    sys.stdout = sys.stderr
    _watch_parent()
    try:
        serve = _prepare(options.backend, options.rules, options.sanitize)
    except RulesError as error:
        send(events, {"event": "failed", "detail": str(error)})
        return 2
    except Exception:
        send(events, {"event": "failed", "detail": traceback.format_exc()})
        return 2
    send(events, {"event": "ready"})
    while True:
        try:
            message, arrays = receive(requests)
        except ClosedError:
            return 0
        try:
            serve(message, arrays, events)
            send(events, {"event": "done"})
        except BrokenPipeError:
            return 0
        except Exception:
            send(events, {"event": "failed", "detail": traceback.format_exc()})


class RulesError(Exception):
    """The user's rules file fails; the text is its traceback."""


def _run_rules(path: Path) -> dict[str, Any]:
    """What the user's rules file defines. Raises RulesError with the traceback that the file would have by itself."""
    try:
        return runpy.run_path(str(path), run_name="jace_repro_rules")
    except (Exception, SystemExit) as error:
        own = error.__traceback__
        while own is not None and own.tb_frame.f_code.co_filename != str(path):
            own = own.tb_next
        raise RulesError("".join(traceback.format_exception(error.with_traceback(own)))) from error


def _watch_parent() -> None:
    """End with the parent, even inside an endless loop of compiled code (it runs without the GIL)."""
    parent = os.getppid()

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(1.0)
        os._exit(3)

    threading.Thread(target=watch, daemon=True).start()


def _prepare(backend_name: str, rules: Path | None, sanitize: bool) -> Any:
    """Import what is slow, run the rules file, answer the function that serves one request."""
    from jace import registry, user_passes
    from jace_repro.tester import check
    from jace_repro.tester.execute import backends, sanitizer

    backend = (sanitizer.sanitizing if sanitize else backends.load_backend)(backend_name)
    if rules is not None:
        user_passes.give(_run_rules(rules))
        registry.rules_changed()  # the file may have changed a pass or a flag, too

    def serve(message: dict[str, Any], arrays: dict[str, Any], events: BinaryIO) -> None:
        subject = unpack_subject(message, arrays)
        options = check.Options(**message["options"])

        def report(stage: str, provisional: Any = None, inputs: str | None = None) -> None:
            verdict = provisional.to_json() if provisional is not None else None
            send(events, {"event": "stage", "stage": stage, "provisional": verdict, "inputs": inputs})

        if message["do"] == "check":
            for verdict in check.iter_check(
                subject, message["pipelines"], backend=backend, report=report, options=options
            ):
                send(events, {"event": "verdict", "verdict": verdict.to_json()})
            return
        if isinstance(subject, NamedProgram):
            raise TypeError(f"'{subject.name}' has no script to localise in")
        if message["do"] == "view":
            from jace_repro.tester.views.gather import gather
            from jace_repro.tester.views.views import Wanted

            (pipeline,), wanted = message["pipelines"], Wanted(**message["wanted"])
            for part in gather(subject, pipeline, wanted, backend=backend, report=report):
                send(events, {"event": "views", "views": part.to_json()})
            return
        if message["do"] == "bisect":
            report("localize")
            send(events, _bisected(subject, message))
            return
        found = check.localize_repro(
            subject, message["pipelines"][0], backend=backend, report=report, options=options
        )
        if found is None:
            send(events, {"event": "localized", "localized": None})
            return
        alone = found.with_repro(subject).repro
        packed, data = pack_repro(alone) if alone is not None else (None, {})
        send(events, {"event": "localized", "localized": found.culprit.to_json(), "repro": packed}, data)

    return serve


def _bisected(subject: Repro, message: dict[str, Any]) -> dict[str, Any]:
    """The event that answers a request to bisect."""
    from jace_repro.tester.locate import bisect

    (pipeline,) = message["pipelines"]
    try:
        if message["outcomes"] is None:
            found = bisect.bisect_repro(subject, pipeline)
        else:
            found = bisect.bisect_by_outcomes(subject, pipeline, message["outcomes"])
    except bisect.NeedsOutcomeError as needed:
        return {"event": "needs-outcome", "pipeline": needed.pipeline}
    return {"event": "bisected", "bisected": None if found is None else found.to_json()}


if __name__ == "__main__":
    sys.exit(main())
