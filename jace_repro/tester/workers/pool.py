"""A pool of warm worker processes: a crash, a hang or a memory blow-up is one repro's outcome, never the
run's end.
"""

from __future__ import annotations

import dataclasses
import os
import queue
import signal
import tempfile
import threading
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import psutil

from jace.errors import CompileError
from jace_repro.paths import SOURCE_ROOT
from jace_repro.repro import Repro
from jace_repro.tester.check import Options
from jace_repro.tester.execute import sanitize as sanitizer
from jace_repro.tester.execute.backends import DEFAULT_BACKEND
from jace_repro.tester.execute.named import NamedProgram
from jace_repro.tester.locate.bisect import Bisected
from jace_repro.tester.locate.localize import Localized
from jace_repro.tester.verdict.outcomes import Verdict
from jace_repro.tester.verdict.signature import signature
from jace_repro.tester.workers.forkserver import STARTUP_SECONDS, Nursery, NurseryError
from jace_repro.tester.workers.protocol import ClosedError, pack_subject, receive, send, unpack_repro

#: A sanitized run that is to explain a crash may take so long a stage.
EXPLAIN_SECONDS = 60.0
#: Stages that consist of many executions or compilations, in multiples of the timeout.
_PATIENCE = {"judge": 3.0, "localize": 6.0}
#: A warm worker is replaced when it grew to this share of its memory limit, or after so many requests.
_RETIRE_SHARE = 0.5
_RETIRE_REQUESTS = 1000
_POLL_SECONDS = 0.05
#: Outcomes that end the worker.
DEADLY = frozenset({"crash", "timeout", "memory"})


@dataclass(frozen=True)
class Death(Exception):
    """How a request ended a worker.

    Attributes:
        outcome: crash, timeout, memory or harness-error.
        cause: the signal's name, the exit code, the limit: what the signature is made of.
        stage: the stage it was in.
        detail: for people.
        provisional: the verdict known so far, if there is one.
        crash: facts of a crash for `Verdict.crash`.
        inputs: the generated inputs that were tested, for `Verdict.inputs`.
    """

    outcome: str
    cause: str
    stage: str
    detail: str
    provisional: Verdict | None
    crash: Mapping[str, Any] | None = None
    inputs: str | None = None

    def verdict(self, pipeline: str) -> Verdict:
        """The verdict of the pipeline that was being tested."""
        return replace(self._verdict(pipeline), inputs=self.inputs)

    def _verdict(self, pipeline: str) -> Verdict:
        if self.provisional is not None:
            note = f"{self.provisional.detail}; the tester did not finish: {self.detail}"
            return replace(self.provisional, pipeline=pipeline, detail=note)
        if self.stage == "reference" and self.outcome == "crash":
            sign = signature("reference-error", error=self.cause)
            detail = f"the program crashes under plain JAX: {self.detail}"
            return Verdict(pipeline, "reference-error", sign, detail, stage=self.stage)
        where = " under plain JAX" if self.stage == "reference" else ""
        verdict = Verdict(pipeline, self.outcome, None, self.detail + where, stage=self.stage)
        if self.outcome == "harness-error":
            return verdict
        sign = signature(self.outcome, stage=self.stage, error=self.cause)
        return _with_crash(replace(verdict, signature=sign), self.crash)


def _with_crash(verdict: Verdict, crash: Mapping[str, Any] | None) -> Verdict:
    """The verdict with the facts of its crash; the equation they name is the guilty one."""
    if not crash:
        return verdict
    named = {name: crash.get(name) for name in ("equation", "primitive", "source")}
    return replace(verdict, crash=crash, guilty=named if crash.get("equation") else verdict.guilty)


class Pool:
    """Worker processes that test repros. Use as a context manager; safe to use from several threads.

    Args:
        jobs: how many workers at most; they start when needed and stay warm.
        timeout: seconds a stage may take.
        memory_mb: resident memory a worker with its compilers may use; None for a share of the machine's.
        rules: a Python file that each worker runs before it tests (it calls `jace.register_rule`, say).
        backend: "module:function" or "file.py:function" in place of jace.
        options: how to test.
        sanitize: build programs with AddressSanitizer and UndefinedBehaviorSanitizer and run them under these: an
            access out of bounds is a crash whose verdict names it. Raises CompileError when the compiler has none.
    """

    def __init__(
        self,
        jobs: int = 1,
        timeout: float = 60.0,
        memory_mb: int | None = None,
        rules: Path | None = None,
        *,
        backend: str = DEFAULT_BACKEND,
        options: Options | None = None,
        sanitize: bool = False,
    ) -> None:
        self.jobs = max(1, jobs)
        self.timeout = timeout
        share = int(psutil.virtual_memory().total * 0.7 / self.jobs) >> 20
        self.memory_mb = memory_mb if memory_mb is not None else share
        self.rules = rules.resolve() if rules is not None else None
        self.backend = backend
        self.options = options or Options()
        self.sanitize = sanitize
        self._sanitizer = sanitizer.environment() if sanitize else {}
        self.spawned = 0
        self._idle: list[_Worker] = []
        self._all: set[_Worker] = set()
        self._lock = threading.Lock()
        self._slots = threading.BoundedSemaphore(self.jobs)
        self._scratch = tempfile.TemporaryDirectory(prefix="jace-repro-")
        self._folder = Path(self._scratch.name)
        self._nursery = Nursery(self._environment(), self._folder)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End all workers."""
        with self._lock:
            workers, self._all, self._idle = list(self._all), set(), []
        for worker in workers:
            worker.kill()
        self._nursery.close()
        self._scratch.cleanup()

    def check(
        self,
        repro: Repro | NamedProgram,
        pipelines: Sequence[str],
        options: Options | None = None,
        *,
        explain: bool = False,
    ) -> list[Verdict]:
        """Test a repro on each pipeline; one verdict a pipeline, in order. Never raises for what a repro
        does.

        Args:
            options: instead of the pool's, for this one.
            explain: run what crashed once more in a sanitized build, and say in the verdict where it crashed.
        """
        verdicts: list[Verdict] = []
        while len(verdicts) < len(pipelines):
            rest = list(pipelines[len(verdicts) :])
            try:
                for event, _ in self._events("check", repro, rest, options):
                    if event["event"] == "verdict":
                        verdicts.append(Verdict.from_json(event["verdict"]))
            except Death as death:
                last = len(pipelines) - len(verdicts)
                hopeless = death.stage in ("reference", "startup") or death.outcome == "harness-error"
                hopeless = hopeless and death.provisional is None  # else it is of this pipeline alone
                died = [death.verdict(p) for p in (rest[-last:] if hopeless else rest[-last:][:1])]
                verdicts.extend(self._explained(repro, v) if explain else v for v in died)
        return verdicts

    def _explained(self, repro: Repro | NamedProgram, verdict: Verdict) -> Verdict:
        """The verdict of a crash of compiled code, with what a sanitized build says about it."""
        if verdict.outcome != "crash" or verdict.stage not in ("run", "ffi") or self.sanitize:
            return verdict
        quick = replace(self.options, localize=False, ffi_share=0.0)
        try:
            with Pool(
                1, min(self.timeout, EXPLAIN_SECONDS), rules=self.rules, backend=self.backend, options=quick,
                sanitize=True,
            ) as sanitized:  # fmt: skip
                (again,) = sanitized.check(repro, [verdict.pipeline])
        except CompileError as error:  # no sanitizer here: the crash stands as it is
            return replace(verdict, detail=f"{verdict.detail}; not explained: {error}")
        if again.crash is None or "kind" not in again.crash:
            return replace(verdict, detail=f"{verdict.detail}; a sanitized build ends with: {again.outcome}")
        known = {**again.crash, "signal": (verdict.crash or {}).get("signal")}
        detail = f"{verdict.detail}; a sanitized build says: {sanitizer.summary(known)}"
        return _with_crash(replace(verdict, detail=detail), known)

    def check_many(self, repros: Iterable[Repro], pipelines: Sequence[str]) -> Iterator[list[Verdict]]:
        """Test many repros on all workers; answers in the order of the repros."""
        with ThreadPoolExecutor(self.jobs) as threads:
            yield from threads.map(lambda repro: self.check(repro, pipelines), repros)

    def localize(self, repro: Repro, pipeline: str) -> Localized | None:
        """The first diverging equation, with a repro of it alone in `Localized.repro`; None when there is
        none.
        """
        found: Localized | None = None
        try:
            for event, arrays in self._events("localize", repro, [pipeline]):
                if event["event"] == "localized" and event["localized"] is not None:
                    alone = unpack_repro(event["repro"], arrays) if event["repro"] is not None else None
                    found = Localized.from_json(event["localized"], alone)
        except Death:
            return None  # the check of the repro gives this its outcome
        return found

    def bisect(self, repro: Repro, pipeline: str, outcome: str = "mismatch") -> Bisected | None:
        """The pass, its application or the compiler's flag that makes a repro fail; None when it does not fail.

        Args:
            outcome: of the verdict. One that ends the worker is searched by a test of its own for each probe.

        Raises:
            Death: the worker died of it, or did not finish in time.
        """
        outcomes: dict[str, str] | None = {pipeline: outcome} if outcome in DEADLY else None
        while True:
            needed: str | None = None
            found: Bisected | None = None
            for event, _ in self._events("bisect", repro, [pipeline], outcomes=outcomes):
                if event["event"] == "needs-outcome":
                    needed = event["pipeline"]
                elif event["event"] == "bisected" and event["bisected"] is not None:
                    found = Bisected.from_json(event["bisected"])
            if needed is None or outcomes is None:
                return found
            outcomes[needed] = self.check(repro, [needed])[0].outcome

    # --- workers --------------------------------------------------------------------------------------------

    def _events(
        self,
        do: str,
        repro: Repro | NamedProgram,
        pipelines: Sequence[str],
        options: Options | None = None,
        **more: Any,
    ) -> Iterator[tuple[dict[str, Any], Mapping[str, Any]]]:
        with self._slots:
            worker = self._acquire()
            alive = False
            try:
                packed, arrays = pack_subject(repro)
                request = {"do": do, **packed, "pipelines": list(pipelines), **more}
                request["options"] = dataclasses.asdict(options or self.options)
                yield from worker.ask(request, arrays, self.timeout, self.memory_mb)
                alive = True
            except Death as death:
                raise replace(death, inputs=worker.inputs) from death
            finally:
                self._release(worker, alive)

    def _acquire(self) -> _Worker:
        with self._lock:
            if self._idle:
                return self._idle.pop()
            self.spawned += 1
            number = self.spawned
        # A worker beyond the first ones replaces one that is gone, and that had something to compile.
        worker = _Worker(self._nursery, self._arguments(), self._folder, number, compiling=number > self.jobs)
        with self._lock:
            self._all.add(worker)
        try:
            worker.wait_ready()
        except BaseException:
            self._release(worker, alive=False)
            raise
        return worker

    def _release(self, worker: _Worker, alive: bool) -> None:
        with self._lock:
            if alive and worker in self._all and not worker.tired(self.memory_mb):
                self._idle.append(worker)
                return
            self._all.discard(worker)
        worker.kill()

    def _arguments(self) -> list[str]:
        arguments = ["--backend", self.backend, *(["--sanitize"] if self.sanitize else [])]
        return arguments if self.rules is None else [*arguments, "--rules", str(self.rules)]

    def _environment(self) -> dict[str, str]:
        paths = [str(SOURCE_ROOT), *(p for p in os.environ.get("PYTHONPATH", "").split(os.pathsep) if p)]
        threads = str(max(1, (os.cpu_count() or 1) // self.jobs))
        # One thread for the judge's matrix products: small ones lose more by spinning than they gain.
        defaults = {"OMP_NUM_THREADS": threads, "OPENBLAS_NUM_THREADS": "1", "TF_CPP_MIN_LOG_LEVEL": "2"}
        fixed: dict[str, str] = {
            "JAX_PLATFORMS": "cpu",
            "PYTHONPATH": os.pathsep.join(paths),
            "PYTHONUNBUFFERED": "1",
        }
        return {**defaults, **os.environ, **fixed, **self._sanitizer}


class _Worker:
    """One process with the thread that reads its events."""

    def __init__(
        self, nursery: Nursery, arguments: Sequence[str], scratch: Path, number: int, *, compiling: bool
    ) -> None:
        self.log = scratch / f"worker-{number}.log"
        self.requests = 0
        self.inputs: str | None = None  #: the generated inputs that it is testing
        try:
            self.process, self._stdin, self._stdout = nursery.start(arguments, self.log, compiling=compiling)
        except NurseryError as error:
            text = f"a worker did not start: {error}"
            raise Death("harness-error", "", "startup", text, None) from error
        self._inbox: queue.SimpleQueue[tuple[dict[str, Any], Mapping[str, Any]] | None] = queue.SimpleQueue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        try:
            while True:
                self._inbox.put(receive(self._stdout))
        except (ClosedError, OSError, ValueError):
            self._inbox.put(None)  # the end: whoever waits finds out how it died

    def wait_ready(self) -> None:
        """Wait until the worker has imported everything. Raises Death."""
        for _ in self._until("ready", STARTUP_SECONDS, None, "startup"):
            pass

    def ask(
        self, request: Mapping[str, Any], arrays: Mapping[str, Any], timeout: float, memory_mb: int
    ) -> Iterator[tuple[dict[str, Any], Mapping[str, Any]]]:
        """Send a request and yield its events (stages are kept here). Raises Death."""
        self.requests += 1
        self.inputs = None
        try:
            send(self._stdin, request, arrays)
        except OSError:
            raise self._death("request", None) from None
        yield from self._until("done", timeout, memory_mb, "request")

    def _until(
        self, last: str, timeout: float, memory_mb: int | None, stage: str
    ) -> Iterator[tuple[dict[str, Any], Mapping[str, Any]]]:
        provisional: Verdict | None = None
        deadline = time.monotonic() + timeout
        while True:
            try:
                received = self._inbox.get(timeout=_POLL_SECONDS)
            except queue.Empty:
                self._enforce(deadline, timeout, memory_mb, stage, provisional)
                continue
            if received is None:
                raise self._death(stage, provisional)
            event, arrays = received
            match event["event"]:
                case "stage":
                    stage, self.inputs = event["stage"], event["inputs"]
                    provisional = Verdict.from_json(event["provisional"]) if event["provisional"] else None
                case "failed":
                    detail = event["detail"].strip()
                    raise Death("harness-error", "", stage, f"the tester failed:\n{detail}", provisional)
                case name:
                    if name == last:
                        return
                    provisional = None
                    yield event, arrays
            deadline = time.monotonic() + timeout * _PATIENCE.get(stage, 1.0)

    def _enforce(
        self, deadline: float, timeout: float, memory_mb: int | None, stage: str, provisional: Verdict | None
    ) -> None:
        if time.monotonic() > deadline:
            self.kill()
            seconds = timeout * _PATIENCE.get(stage, 1.0)
            outcome = "harness-error" if stage == "startup" else "timeout"
            text = f"stage '{stage}' did not finish in {seconds:g} s"
            raise Death(outcome, "timeout", stage, text, provisional)
        if memory_mb is not None and (used := self.memory()) > memory_mb:
            self.kill()
            text = f"stage '{stage}' used {used} MB of memory, more than the limit of {memory_mb} MB"
            raise Death("memory", "limit", stage, text, provisional)

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

    def _death(self, stage: str, provisional: Verdict | None) -> Death:
        """What killed the process."""
        code = self.process.wait()
        found = sanitizer.facts(self._log_text(), sanitizer.source_file(self.log.parent, self.process.pid))
        if found and stage != "startup":
            text = f"{sanitizer.summary(found)} in stage '{stage}'"
            return Death("crash", f"sanitizer: {found['kind']}", stage, text, provisional, found)
        last_words = self._last_words()
        if stage == "startup":
            return Death(
                "harness-error", "", stage, f"a worker did not start (exit {code}): {last_words}", None
            )
        if code == -signal.SIGKILL:
            text = f"the worker was killed in stage '{stage}', probably by the system for lack of memory"
            return Death("memory", "killed", stage, text, provisional)
        cause = signal.Signals(-code).name if code < 0 else f"exit code {code}"
        text = f"{cause} in stage '{stage}'" + (f": {last_words}" if last_words else "")
        return Death("crash", cause, stage, text, provisional, {"signal": cause} if code < 0 else None)

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
