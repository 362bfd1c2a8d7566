"""One worker at the pool's end: its process, the thread that reads its events, the limits it is held to."""

from __future__ import annotations

import math
import os
import queue
import signal
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import psutil

from jace_repro.tester.execute.sanitizer import source_file
from jace_repro.tester.locate.crash import crash_of
from jace_repro.tester.verdict.culprit import Crash
from jace_repro.tester.verdict.verdict import Verdict
from jace_repro.tester.workers import stack, starved
from jace_repro.tester.workers.died import WorkerDied, out_of_memory
from jace_repro.tester.workers.forkserver import STARTUP_SECONDS, ForkServer, WorkerStartError
from jace_repro.tester.workers.protocol import ClosedError, receive, send

#: Stages that consist of many executions or compilations, in multiples of the timeout.
_PATIENCE = {"judge": 3.0, "localize": 6.0}
#: What a stage takes that goes through the whole program: the timeout for so many lines of its script.
_LINES, _OF_LENGTH = 2000, frozenset({"translate", "compile"})
#: A warm worker is replaced when it grew to this share of its memory limit, or after so many requests.
_RETIRE_SHARE = 0.5
_RETIRE_REQUESTS = 1000
#: Between two looks at time and memory: each goes through all processes of the machine.
_POLL_SECONDS = 0.2

#: In the stack of a process that ends while XLA compiles: a function of JAX's.
_COMPILES = "in backend_compile"

#: An event of a worker: its fields, and arrays.
Event = tuple[dict[str, Any], Mapping[str, Any]]


def limit(timeout: float, stage: str, own: Mapping[str, float], lines: int) -> float:
    """Seconds that a stage may take; `own` are those of stages that have less, `lines` those of the script."""
    times = max(1.0, lines / _LINES) if stage in _OF_LENGTH else _PATIENCE.get(stage, 1.0)
    return min(timeout * times, own.get(stage, math.inf))


class WorkerProcess:
    """One process with the thread that reads its events."""

    def __init__(
        self,
        server: ForkServer,
        arguments: Sequence[str],
        scratch: Path,
        number: int,
        *,
        compiling: bool,
        rules: Path | None = None,
    ) -> None:
        self._rules = rules
        self.log = scratch / f"worker-{number}.log"
        self.requests = 0
        self.inputs: str | None = None  #: the generated inputs that it is testing
        self._limits: Mapping[str, float] = {}
        self._lines = 0
        self._given_mb = self._memory_mb = 0  #: of the arrays of the request, and what it may take
        try:
            self.process, self._stdin, self._stdout = server.start(arguments, self.log, compiling=compiling)
        except WorkerStartError as error:
            text = f"a worker did not start: {error}"
            raise WorkerDied("harness-error", "", "startup", text, None) from error
        self._inbox: queue.SimpleQueue[Event | None] = queue.SimpleQueue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        try:
            while True:
                self._inbox.put(receive(self._stdout))
        except (ClosedError, OSError, ValueError):
            self._inbox.put(None)  # the end: whoever waits finds out how it died

    def wait_ready(self) -> None:
        """Wait until the worker has imported everything. Raises WorkerDied."""
        for _ in self._until("ready", STARTUP_SECONDS, None, "startup"):
            pass

    def ask(
        self,
        request: Mapping[str, Any],
        arrays: Mapping[str, Any],
        timeout: float,
        memory_mb: int,
        listener: Callable[[str], None],
        limits: Mapping[str, float],
        lines: int,
    ) -> Iterator[Event]:
        """Send a request and yield its events; stages are told to the listener. Raises WorkerDied.

        Args:
            timeout: seconds that a stage may take.
            limits: and those of stages that may take less.
            lines: of the script; a long one is translated and compiled for longer.
        """
        self.requests += 1
        self._limits, self._lines = limits, lines
        self.inputs = None
        self._given_mb = sum(array.nbytes for array in arrays.values()) >> 20
        self._memory_mb = memory_mb
        try:
            send(self._stdin, request, arrays)
        except OSError:
            raise self._died("request", None) from None
        yield from self._until("done", timeout, memory_mb, "request", listener)

    def _until(
        self,
        last: str,
        timeout: float,
        memory_mb: int | None,
        stage: str,
        listener: Callable[[str], None] | None = None,
    ) -> Iterator[Event]:
        provisional: Verdict | None = None
        spent: dict[str, float] = {}
        began, waits = time.monotonic(), starved.waits(self.process.pid)
        deadline = began + timeout

        def with_seconds(died: WorkerDied) -> WorkerDied:
            return replace(died, seconds={**spent, stage: time.monotonic() - began})

        while True:
            try:
                received = self._inbox.get(timeout=_POLL_SECONDS)
            except queue.Empty:
                if time.monotonic() > deadline:  # what it waited for a processor is not its own
                    deadline = (
                        began
                        + limit(timeout, stage, self._limits, self._lines)
                        + starved.waited_since(waits, self.process.pid)
                    )
                try:
                    self._enforce(deadline, timeout, memory_mb, stage, provisional)
                except WorkerDied as died:
                    raise with_seconds(died) from None
                continue
            if received is None:
                raise with_seconds(self._died(stage, provisional))
            event, arrays = received
            spent[stage] = spent.get(stage, 0.0) + time.monotonic() - began
            match event["event"]:
                case "stage":
                    stage, self.inputs = event["stage"], event["inputs"]
                    provisional = Verdict.from_json(event["provisional"]) if event["provisional"] else None
                    if listener is not None:
                        listener(stage)
                case "failed":
                    detail = event["detail"].strip()
                    raise WorkerDied("harness-error", "", stage, f"the tester failed:\n{detail}", provisional)
                case name:
                    if name == last:
                        return
                    provisional = None
                    yield event, arrays
            began, waits = time.monotonic(), starved.waits(self.process.pid)
            deadline = began + limit(timeout, stage, self._limits, self._lines)

    def _enforce(
        self, deadline: float, timeout: float, memory_mb: int | None, stage: str, provisional: Verdict | None
    ) -> None:
        if time.monotonic() > deadline:
            within = self._within(alive=True)
            self.kill()
            seconds = limit(timeout, stage, self._limits, self._lines)
            outcome = "harness-error" if stage == "startup" else "timeout"
            text = f"stage '{stage}' did not finish in {seconds:g} s"
            raise WorkerDied(outcome, "timeout", stage, text, provisional, within=within)
        if memory_mb is not None and (used := self.memory()) > memory_mb:
            within = self._within(alive=True)
            self.kill()
            text = f"stage '{stage}' used {used} MB of memory, more than the limit of {memory_mb} MB"
            died = out_of_memory("limit", self._given_mb, memory_mb, stage, text, provisional)
            raise replace(died, within=within)

    def _within(self, *, alive: bool) -> str | None:
        """Where in a pass of the user's own the worker is, or was when it died."""
        if self._rules is None:
            return None
        if alive:
            stack.ask(self.process.pid, self.log)
        return stack.within_pass(self._log_text(), self._rules)

    def memory(self) -> int:
        """Resident MB of the worker and its compilers."""
        total = 0
        try:
            process = psutil.Process(self.process.pid)
            for one in (process, *process.children(recursive=True)):
                total += one.memory_info().rss
        except psutil.Error:
            return total >> 20  # it ended while being looked at
        return total >> 20

    def tired(self, memory_mb: int) -> bool:
        """Whether it should be replaced before the next request."""
        return self.requests >= _RETIRE_REQUESTS or self.memory() > _RETIRE_SHARE * memory_mb

    def _died(self, stage: str, provisional: Verdict | None) -> WorkerDied:
        """What killed the process."""
        code = self.process.wait()
        found = crash_of(self._log_text(), source_file(self.log.parent, self.process.pid))
        if found is not None and stage != "startup":
            text = f"{found.summary} in stage '{stage}'"
            return WorkerDied("crash", f"sanitizer: {found.kind}", stage, text, provisional, found)
        last_words = self._last_words()
        if stage == "startup":
            return WorkerDied(
                "harness-error", "", stage, f"a worker did not start (exit {code}): {last_words}", None
            )
        if code == -signal.SIGKILL:
            text = f"the worker was killed in stage '{stage}', probably by the system for lack of memory"
            return out_of_memory("killed", self._given_mb, self._memory_mb, stage, text, provisional)
        cause = ended = signal.Signals(-code).name if code < 0 else f"exit code {code}"
        text = f"{ended} in stage '{stage}'"
        if stage == "reference":  # which signal it is depends on what the memory held
            cause = "while XLA compiles" if _COMPILES in self._log_text() else "while XLA's code runs"
            text = f"{ended} {cause}, in stage '{stage}'"
        text += f": {last_words}" if last_words else ""
        crash = Crash(signal=ended) if code < 0 else None
        return WorkerDied("crash", cause, stage, text, provisional, crash, within=self._within(alive=False))

    def _log_text(self) -> str:
        return self.log.read_text(errors="replace") if self.log.exists() else ""

    def _last_words(self) -> str:
        """The end of stderr without Python's stack dump."""
        lines = self._log_text().splitlines()
        telling = [
            line.strip() for line in lines if line.strip() and not line.startswith(("  ", "Thread 0x"))
        ]
        telling = [line for line in telling if not line.startswith(("Current thread", "Extension modules"))]
        return " | ".join(telling[-3:])[:500]

    def kill(self) -> None:
        """End the process and what it started, at once."""
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            self.process.kill()  # the group is gone; make sure of the process
        self.process.wait()
        self._stdin_close()

    def _stdin_close(self) -> None:
        try:
            self._stdin.close()
        except OSError:
            return  # a broken pipe has nothing left to flush
