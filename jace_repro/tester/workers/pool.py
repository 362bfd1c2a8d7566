"""A pool of warm worker processes: a crash, a hang or a memory blow-up is one repro's outcome, never the run's end."""

from __future__ import annotations

import contextlib
import dataclasses
import os
import tempfile
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType, TracebackType
from typing import Any, Self

import psutil

from jace.errors import CompileError
from jace_repro.paths import SOURCE_ROOT
from jace_repro.repro import Repro
from jace_repro.tester.check import Options
from jace_repro.tester.execute import sanitizer
from jace_repro.tester.execute.backends import DEFAULT_BACKEND
from jace_repro.tester.execute.conditions import poisonable
from jace_repro.tester.execute.named import NamedProgram
from jace_repro.tester.locate.bisected import Bisected
from jace_repro.tester.locate.localized import Localized
from jace_repro.tester.verdict.culprit import Culprit
from jace_repro.tester.verdict.outcomes import OUTCOMES
from jace_repro.tester.verdict.verdict import Verdict
from jace_repro.tester.views.views import Views, Wanted
from jace_repro.tester.workers.died import WorkerDied, with_crash
from jace_repro.tester.workers.forkserver import ForkServer
from jace_repro.tester.workers.process import Event, WorkerProcess
from jace_repro.tester.workers.protocol import pack_subject, unpack_repro

#: A sanitized run that is to explain a crash may take so long a stage, or as long as the crash took in all, whose build
#: was optimised: a smaller program is explained sooner.
EXPLAIN_SECONDS = 45.0
_NO_LIMITS: Mapping[str, float] = MappingProxyType({})


def _ignore(stage: str) -> None:
    """Nobody listens."""


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
        environment: variables of the workers, where this process has none of that name.
        fresh: each request is served by a worker that has served no other.
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
        environment: Mapping[str, str] | None = None,
        fresh: bool = False,
    ) -> None:
        self.fresh = fresh
        self.jobs = max(1, jobs)
        self.timeout = timeout
        self._limits = _NO_LIMITS
        share = int(psutil.virtual_memory().total * 0.7 / self.jobs) >> 20
        self.memory_mb = memory_mb if memory_mb is not None else share
        self.rules = rules.resolve() if rules is not None else None
        self.backend = backend
        self.options = options or Options()
        self.sanitize = sanitize
        self.environment = dict(environment or {})
        self.spawned = 0
        self._answered = False
        self._witness: Pool | None = None
        self._listener: Callable[[str], None] = _ignore
        self._idle: list[WorkerProcess] = []
        self._all: set[WorkerProcess] = set()
        self._lock = threading.Lock()
        self._slots = threading.BoundedSemaphore(self.jobs)
        self._scratch = tempfile.TemporaryDirectory(prefix="jace-repro-")
        self._folder = Path(self._scratch.name)
        self._sanitizer = sanitizer.environment(self._folder) if sanitize else {}
        self._server = ForkServer(self._environment(), self._folder)

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
            witness, self._witness = self._witness, None
        if witness is not None:
            witness.close()
        for worker in workers:
            worker.kill()
        self._server.close()
        self._scratch.cleanup()

    def begin(self, *, compiling: bool = False) -> None:
        """Have the process begin that workers are forked of: it imports while the caller does something else.

        `compiling`: there is time to import DaCe as well, which a worker imports otherwise when it first compiles.
        """
        self._server.begin(compiling=compiling)

    def warm_up(self) -> None:
        """Start a worker, which runs the rules file. Raises WorkerDied when it cannot."""
        with self._slots:
            self._release(self._acquire(), alive=True)

    def add_spare(self) -> None:
        """Start one more worker if there may be one, with all that compiles imported; nobody waits for it."""
        if self._slots.acquire(blocking=False):
            threading.Thread(target=self._start_spare, daemon=True).start()

    def _start_spare(self) -> None:
        try:
            self._release(self._acquire(compiling=True), alive=True)
        except WorkerDied:
            pass  # the next request says why
        finally:
            self._slots.release()

    @contextlib.contextmanager
    def heard_by(self, listener: Callable[[str], None]) -> Iterator[None]:
        """Meanwhile `listener(stage)` is told, in the thread that waits for it, what stage a request is in."""
        before, self._listener = self._listener, listener
        try:
            yield
        finally:
            self._listener = before

    @contextlib.contextmanager
    def within(self, seconds: float, limits: Mapping[str, float] = _NO_LIMITS) -> Iterator[None]:
        """Meanwhile a stage may take no more than these seconds, either, nor one of `limits` more than its own."""
        before = self.timeout, self._limits
        self.timeout, self._limits = min(self.timeout, seconds), limits
        try:
            yield
        finally:
            self.timeout, self._limits = before

    def check(
        self,
        repro: Repro | NamedProgram,
        pipelines: Sequence[str],
        options: Options | None = None,
        *,
        explain: bool = True,
    ) -> list[Verdict]:
        """Test a repro on each pipeline; one verdict a pipeline, in order. Never raises for what a repro does.

        Args:
            options: instead of the pool's, for this one.
            explain: run what crashed once more in a sanitized build, and say in the verdict where it crashed: its
                signature is that of this place then.
        """
        verdicts: list[Verdict] = []
        while len(verdicts) < len(pipelines):
            rest = list(pipelines[len(verdicts) :])
            try:
                for event, _ in self._events("check", repro, rest, options):
                    if event["event"] == "verdict":
                        verdicts.append(Verdict.from_json(event["verdict"]))
            except WorkerDied as died:
                untold = pipelines[len(verdicts) :]
                ended = [died.verdict(p) for p in (untold if died.ends_all else untold[:1])]
                verdicts.extend(self._explained(repro, v) if explain else v for v in ended)
        return verdicts

    def _explained(self, repro: Repro | NamedProgram, verdict: Verdict) -> Verdict:
        """The verdict of a crash of compiled code, with what a sanitized build says about it."""
        if verdict.outcome != "crash" or verdict.stage not in ("run", "ffi") or self.sanitize:
            return verdict
        try:
            witness = self.sanitizing(sum(verdict.seconds.values()))
            # generated inputs are made from what plain JAX computes
            how = replace(witness.options, compare=verdict.inputs is not None)
            (again,) = witness.check(repro, [verdict.pipeline], how)
        except CompileError as error:  # no sanitizer here: the crash stands as it is
            return replace(verdict, detail=f"{verdict.detail}; not explained: {error}")
        if again.crash is None or not again.explained:
            return replace(verdict, detail=f"{verdict.detail}; a sanitized build ends with: {again.outcome}")
        known = replace(again.crash, signal=verdict.crash.signal if verdict.crash is not None else None)
        detail = f"{verdict.detail}; a sanitized build says: {known.summary}"
        return with_crash(replace(verdict, detail=detail), known)

    def sanitizing(self, seconds: float = 0.0) -> Pool:
        """Workers like these that run sanitized builds; they end when these do.

        Args:
            seconds: that a stage may take at least, but for the limit of these.
        Raises:
            CompileError: there is no sanitizer.
        """
        if self.sanitize:
            return self
        with self._lock:
            if self._witness is None:
                self._witness = Pool(
                    self.jobs,
                    rules=self.rules,
                    backend=self.backend,
                    options=replace(self.options, localize=False, ffi_share=0.0),
                    sanitize=True,
                    environment=self.environment,
                )
            self._witness.timeout = min(self.timeout, max(EXPLAIN_SECONDS, seconds))
            return self._witness

    def check_many(self, repros: Iterable[Repro], pipelines: Sequence[str]) -> Iterator[list[Verdict]]:
        """Test many repros on all workers; answers in the order of the repros."""
        with ThreadPoolExecutor(self.jobs) as threads:
            yield from threads.map(lambda repro: self.check(repro, pipelines), repros)

    def localize(self, repro: Repro, pipeline: str) -> Localized | None:
        """The first diverging equation, with a repro of it alone in `Localized.repro`; None when there is none."""
        found: Localized | None = None
        try:
            for event, arrays in self._events("localize", repro, [pipeline]):
                if event["event"] == "localized" and event["localized"] is not None:
                    alone = unpack_repro(event["repro"], arrays) if event["repro"] is not None else None
                    found = Localized(Culprit.from_json(event["localized"]), repro=alone)
        except WorkerDied:
            return None  # the check of the repro gives this its outcome
        return found

    def bisect(self, repro: Repro, pipeline: str, outcome: str = "mismatch") -> Bisected | None:
        """The pass, its application or the compiler's flag that makes a repro fail; None when it does not fail.

        Args:
            outcome: of the verdict. One that ends the worker is searched by a test of its own for each probe.

        Raises:
            WorkerDied: the worker died of it, or did not finish in time.
        """
        outcomes: dict[str, str] | None = {pipeline: outcome} if OUTCOMES[outcome].ends_worker else None
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
            outcomes[needed] = self.check(repro, [needed], explain=False)[0].outcome

    def view(self, repro: Repro, pipeline: str, wanted: Wanted) -> Views:
        """The views of a repro; what ends the worker is one of their problems, and what came before it is kept."""
        found = Views()
        try:
            for event, _ in self._events("view", repro, [pipeline], wanted=dataclasses.asdict(wanted)):
                found = found.with_part(Views.from_json(event["views"]))
        except WorkerDied as died:
            found = found.with_part(Views(problems=(died.detail,)))
        return found

    # --- workers --------------------------------------------------------------------------------------------

    def _events(
        self,
        do: str,
        repro: Repro | NamedProgram,
        pipelines: Sequence[str],
        options: Options | None = None,
        **more: Any,
    ) -> Iterator[Event]:
        with self._slots:
            worker = self._acquire()
            alive = False
            try:
                packed, arrays = pack_subject(repro)
                request = {"do": do, **packed, "pipelines": list(pipelines), **more}
                request["options"] = dataclasses.asdict(options or self.options)
                lines = 0 if isinstance(repro, NamedProgram) else repro.source.count("\n")
                yield from worker.ask(
                    request, arrays, self.timeout, self.memory_mb, self._listener, self._limits, lines
                )
                alive = True
            except WorkerDied as died:
                raise replace(died, inputs=worker.inputs) from died
            finally:
                self._release(worker, alive)

    def _acquire(self, *, compiling: bool = False) -> WorkerProcess:
        with self._lock:
            if self._idle and not compiling:
                return self._idle.pop()
            self.spawned += 1
            number = self.spawned
        # Where something was tested before, as when a worker replaces one that is gone, there is something to compile.
        worker = WorkerProcess(
            self._server,
            self._arguments(),
            self._folder,
            number,
            compiling=compiling or self._answered,
            rules=self.rules,
        )
        with self._lock:
            self._all.add(worker)
        try:
            worker.wait_ready()
        except BaseException:
            self._release(worker, alive=False)
            raise
        return worker

    def _release(self, worker: WorkerProcess, alive: bool) -> None:
        with self._lock:
            self._answered = True
            spent = worker.requests > 0 if self.fresh else worker.tired(self.memory_mb)
            if alive and worker in self._all and not spent:
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
        # One thread for the oracle's matrix products: small ones lose more by spinning than they gain.
        defaults = {"OMP_NUM_THREADS": threads, "OPENBLAS_NUM_THREADS": "1", "TF_CPP_MIN_LOG_LEVEL": "2"}
        fixed: dict[str, str] = {
            "JAX_PLATFORMS": "cpu",
            "PYTHONPATH": os.pathsep.join(paths),
            "PYTHONUNBUFFERED": "1",
            **poisonable(os.environ),
        }
        return {**defaults, **self.environment, **os.environ, **fixed, **self._sanitizer}
