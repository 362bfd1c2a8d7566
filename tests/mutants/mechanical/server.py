"""A process that has imported JAX, DaCe and all that jace and the tester need but jace; it forks one worker a request.

Run as `python -m mutants.mechanical.server`. A request is a line of JSON on stdin: {"do": a function of
`mutants.mechanical.child`, ...}. The worker's events are lines of JSON on stdout, the first {"event": "begun", "pid"};
{"event": "ended", "status"} follows the last.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import select
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, Any

import psutil

from mutants.mechanical.scope import PACKAGE, ROOT

#: Modules that the fork imports itself: jace, what imports jace, and JAX's harnesses, which start threads.
LATE = ("jace", "jace_repro", "mutants", "small_programs", "__main__", "__mp_main__")
_STARTS_THREADS = "jax._src.internal_test_util.test_harnesses"
#: So many times as long as it may compute in silence, a worker may wait in silence.
PATIENCE = 8
#: How much memory a worker and its compilers may have each.
MEMORY = 8 << 30
STARTUP_SECONDS = 120.0


class Server:
    """The pool's end: one worker at a time. Use as a context manager.

    What XLA has compiled, and the names of what is to be imported, are kept in a folder for all.
    """

    def __init__(self, x64: bool, kept: Path) -> None:
        kept.mkdir(parents=True, exist_ok=True)
        self._folder = tempfile.TemporaryDirectory(prefix="mutants-", ignore_cleanup_errors=True)
        paths = [ROOT, ROOT / "tests", ROOT / "tests" / "support"]
        env = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join([*map(str, paths), *filter(None, [os.environ.get("PYTHONPATH")])]),
            "PYTHONHASHSEED": "0",
            "JAX_ENABLE_X64": "1" if x64 else "0",
            "JAX_PLATFORMS": "cpu",
            # What XLA has compiled is keyed by what it was given: mutants share it.
            "JAX_COMPILATION_CACHE_DIR": str(kept / "xla"),
            "JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS": "0",
            "JAX_PERSISTENT_CACHE_MIN_ENTRY_SIZE_BYTES": "-1",
            "TF_CPP_MIN_LOG_LEVEL": "3",
        }
        self.log = Path(self._folder.name) / "log"
        with self.log.open("wb") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "mutants.mechanical.server", str(kept / "imports.json")],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                env=env,
                cwd=self._folder.name,
                start_new_session=True,
            )
        self._worker: int | None = None
        self._pending = b""

    def __enter__(self) -> Server:
        return self

    def __exit__(self, *error: Any) -> None:
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()
        self._folder.cleanup()

    @property
    def ended(self) -> bool:
        """Whether the process that forks is gone: killed by somebody who wanted memory, say."""
        return self._process.poll() is not None

    def of_right(
        self, do: str, subjects: Sequence[Mapping[str, Any]], seconds: float
    ) -> list[dict[str, Any]]:
        """What a function of `child` tells of programs on the right jace, the end left out; `seconds` as for `ask`.

        Raises:
            RuntimeError: the worker has not come to its end.
        """
        with tempfile.TemporaryDirectory() as folder:
            request = {
                "do": do, "overlay": "", "package": str(PACKAGE), "cache": folder, "tmp": folder, "subjects": subjects,
            }  # fmt: skip
            *events, last = self.ask(request, seconds)
        if last != {"event": "ended", "status": 0}:
            raise RuntimeError(f"{do}: the worker has ended early: {[*events[-1:], last]}")
        return events

    def ask(self, request: Mapping[str, Any], seconds: float) -> Iterator[dict[str, Any]]:
        """The events of one worker.

        One that is silent for so long, or some times as long for want of a processor, is ended: {"event": "hung"}. So
        is one that is not heard out.
        """
        self._send(request)
        try:
            silent, spent = 0.0, 0.0
            while True:
                event = self._receive(seconds if self._worker is not None else STARTUP_SECONDS)
                if event is None:
                    silent += 1
                    if self._cpu() - spent < seconds / 2 and silent < PATIENCE:
                        continue
                    self.stop()
                    yield {"event": "hung"}
                    continue
                silent, spent = 0.0, self._cpu()
                if event["event"] == "begun":
                    self._worker = event["pid"]
                    continue
                if event["event"] == "ended":
                    self._worker = None
                yield event
                if event["event"] == "ended":
                    return
        finally:
            if self._worker is not None:
                self.stop()
                while (event := self._receive(STARTUP_SECONDS)) is not None and event["event"] != "ended":
                    pass
                self._worker = None

    def _cpu(self) -> float:
        """Seconds of CPU that the worker and its compilers have taken."""
        try:
            worker = psutil.Process(self._worker or 0)
            every = [worker, *worker.children(recursive=True)]
            return float(sum(sum(process.cpu_times()[:4]) for process in every))
        except (psutil.Error, ValueError):
            return 0.0

    def go_on(self) -> None:
        """The worker waits after each verdict that is not ok."""
        self._send("go on")

    def stop(self) -> None:
        """End the worker, and the compilers that it has started."""
        if self._worker is not None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._worker, signal.SIGKILL)

    def _send(self, message: Any) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(message).encode() + b"\n")
        self._process.stdin.flush()

    def _receive(self, seconds: float) -> dict[str, Any] | None:
        """The next event; None when there is none for so long."""
        assert self._process.stdout is not None
        end = time.monotonic() + seconds
        while b"\n" not in self._pending:
            ready, _, _ = select.select([self._process.stdout], [], [], max(0.0, end - time.monotonic()))
            if not ready:
                return None
            data = os.read(self._process.stdout.fileno(), 1 << 16)
            if not data:
                raise RuntimeError(
                    f"the server of mutants has ended:\n{self.log.read_text(errors='replace')[-3000:]}"
                )
            self._pending += data
        line, _, self._pending = self._pending.partition(b"\n")
        event: dict[str, Any] = json.loads(line)
        return event


# --- the process that forks -----------------------------------------------------------------------------------


def serve(requests: IO[bytes], events: IO[bytes], names: Path) -> None:
    """Fork a worker for each request until stdin closes."""
    asker = os.getppid()
    _preload(names)
    while line := requests.readline():
        request = json.loads(line)
        if not isinstance(request, dict):  # was meant for a worker that has ended in the meantime
            continue
        pid = os.fork()
        if pid == 0:
            _work(request, events)
        _tell(events, {"event": "ended", "status": os.waitstatus_to_exitcode(_ended(pid, asker))})


def _ended(worker: int, asker: int) -> int:
    """How a worker ended, which it does at the latest with the process that has asked: XLA may have no end."""
    while True:
        found, status = os.waitpid(worker, os.WNOHANG)
        if found == worker:
            return status
        if os.getppid() != asker:
            with contextlib.suppress(ProcessLookupError):  # it has not got its own session yet
                os.killpg(worker, signal.SIGKILL)
        time.sleep(0.02)


def _preload(names: Path) -> None:
    """Import what a worker imports, as far as none of it is jace; a file has the names, if they are known."""
    try:
        known = json.loads(names.read_text())
    except (OSError, ValueError):
        known = _names()
        names.with_suffix(f".{os.getpid()}").write_text(json.dumps(known))
        names.with_suffix(f".{os.getpid()}").replace(names)
    for name in known:
        with contextlib.suppress(ImportError):  # another release has no such module
            importlib.import_module(name)


def _names() -> list[str]:
    """What a worker imports: a fork finds out."""
    reader, writer = os.pipe()
    if os.fork() == 0:
        code = 2
        try:
            _import_tester()
            names = [n for n in sys.modules if n.partition(".")[0] not in LATE and n != _STARTS_THREADS]
            with os.fdopen(writer, "wb") as pipe:
                pipe.write(json.dumps(names).encode())
            code = 0
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(code)
    os.close(writer)
    with os.fdopen(reader, "rb") as pipe:
        data = pipe.read()
    os.wait()
    found: list[str] = json.loads(data)
    return found


def _import_tester() -> None:
    import coverage  # noqa: F401

    import jace
    import jace_repro.tester.check  # noqa: F401

    jace.preload()


def _work(request: dict[str, Any], events: IO[bytes]) -> None:
    """The life of a fork; never comes back."""
    import resource

    code = 2
    try:
        os.setsid()  # its compilers end with it
        resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        os.dup2(2, 1)
        _tell(events, {"event": "begun", "pid": os.getpid()})
        from mutants.mechanical import child

        getattr(child, request["do"])(request, lambda event: _tell(events, event), _wait)
        code = 0
    except BaseException:  # whatever it is, it must not go on as a second server
        traceback.print_exc()
        _tell(events, {"event": "failed", "detail": traceback.format_exc()[-2000:]})
    finally:
        sys.stderr.flush()
        os._exit(code)


def _tell(events: IO[bytes], event: Mapping[str, Any]) -> None:
    events.write(json.dumps(event).encode() + b"\n")


def _wait() -> None:
    """Until the other side says that the worker is to go on."""
    while os.read(0, 1) not in (b"\n", b""):
        pass


if __name__ == "__main__":
    serve(os.fdopen(os.dup(0), "rb", buffering=0), os.fdopen(os.dup(1), "wb", buffering=0), Path(sys.argv[1]))
