"""Worker processes that start in milliseconds: forks of one process that has imported everything and run nothing.

`ForkServer` is the pool's end. The process at the other end (`python -m jace_repro.tester.workers.forkserver`) has
imported JAX and the tester, has started no backend of XLA and no thread, and forks on request: a worker begins as an
interpreter fresh from its imports. Where forking without exec is not safe (elsewhere than on Linux) `start` makes a
process of its own.

Requests travel over a socket of whole messages: {"start": the worker's arguments, "compiling": bool}, with the
worker's stdin, stdout and stderr as file descriptors, is answered by its pid; {"poll": pid} by its exit code, null
while it lives.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
import traceback
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO, Protocol

import jace
from jace_repro.tester.workers import worker

FORKS = sys.platform == "linux"
#: Importing jax and the tester on a busy machine.
STARTUP_SECONDS = 180.0
_MESSAGE = 1 << 16
_POLL_SECONDS = 0.005


class Process(Protocol):
    """What the pool needs of a worker process, as `subprocess.Popen` has it."""

    pid: int

    def wait(self) -> int:
        """Its exit code, once it has ended."""
        ...

    def kill(self) -> None:
        """End it at once."""
        ...


class WorkerStartError(Exception):
    """No worker can be started; says why."""


class ForkServer:
    """Starts workers with one environment, in one directory."""

    def __init__(self, env: Mapping[str, str], folder: Path) -> None:
        self._env = dict(env)
        self._folder = folder
        self._lock = threading.Lock()
        self._socket: socket.socket | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._closed = False

    def start(
        self, arguments: Sequence[str], log: Path, *, compiling: bool = False
    ) -> tuple[Process, BinaryIO, BinaryIO]:
        """A worker with these command line arguments: its process, its stdin, its stdout.

        Args:
            log: where its stderr goes.
            compiling: import DaCe before the worker is forked, in the server: for this worker and all later ones.
        Raises:
            WorkerStartError: the imports fail.
        """
        if not FORKS:
            return self._spawned(arguments, log)
        # Both ends of a pipe are close-on-exec: nothing but the worker holds the ends that are passed to it.
        (requests, stdin), (stdout, events) = os.pipe(), os.pipe()
        with log.open("wb") as stderr:
            try:
                fds = [requests, events, stderr.fileno()]
                pid = self._ask({"start": list(arguments), "compiling": compiling}, fds)
            except BaseException:
                os.close(stdin)
                os.close(stdout)
                raise
            finally:
                os.close(requests)
                os.close(events)
        return _Fork(pid, self), os.fdopen(stdin, "wb"), os.fdopen(stdout, "rb")

    def begin(self, *, compiling: bool = False) -> None:
        """Begin the process that forks, which the first request does otherwise. It may fail: that says the request.

        `compiling`: it imports DaCe as well, before it answers any request.
        """
        with self._lock:
            if FORKS and self._socket is None and not self._closed:
                self._socket, self._process = self._begun(compiling)

    def poll(self, pid: int) -> int | None:
        """The exit code of a worker, None while it lives."""
        code: int | None = self._ask({"poll": pid}, [])
        return code

    def close(self) -> None:
        """End the process that forks. Workers that are still there end by themselves."""
        with self._lock:
            self._closed = True
            self._end()

    def _end(self) -> None:
        if self._socket is not None and self._process is not None:
            self._socket.close()
            self._process.kill()
            self._process.wait()
            self._socket = self._process = None

    def _ask(self, request: Mapping[str, Any], fds: Sequence[int]) -> Any:
        with self._lock:
            if self._closed:
                raise WorkerStartError("the pool is closed")
            if self._socket is None:
                self._socket, self._process = self._begun()
            try:
                socket.send_fds(self._socket, [json.dumps(request).encode()], fds)
                answer = self._socket.recv(_MESSAGE)
                if not answer:
                    raise EOFError("the process that forks them has ended")
            except (OSError, EOFError) as error:
                self._end()  # the next request begins anew
                raise WorkerStartError(f"workers cannot be forked: {error}\n{self._last_words()}") from error
            return json.loads(answer)

    def _begun(self, compiling: bool = False) -> tuple[socket.socket, subprocess.Popen[bytes]]:
        mine, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        mine.settimeout(STARTUP_SECONDS)
        with other, (self._folder / "forkserver.log").open("wb") as log:
            process = subprocess.Popen(
                [sys.executable, "-m", __name__, str(other.fileno()), *(["compiling"] if compiling else [])],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=log,
                env=self._env,
                cwd=self._folder,
                pass_fds=[other.fileno()],
                start_new_session=True,  # ctrl-C is the parent's
            )
        return mine, process

    def _last_words(self) -> str:
        return (self._folder / "forkserver.log").read_text(errors="replace")[-2000:].strip()

    def _spawned(self, arguments: Sequence[str], log: Path) -> tuple[Process, BinaryIO, BinaryIO]:
        with log.open("wb") as stderr:
            process = subprocess.Popen(
                [sys.executable, "-m", "jace_repro.tester.workers.worker", *arguments],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=stderr,
                env=self._env,
                cwd=self._folder,
                start_new_session=True,  # ctrl-C is the parent's; and the compilers die with the worker
            )
        assert process.stdin is not None
        assert process.stdout is not None
        return process, process.stdin, process.stdout  # type: ignore[return-value]


class _Fork:
    """A worker that is the server's child."""

    def __init__(self, pid: int, server: ForkServer) -> None:
        self.pid = pid
        self._server = server
        self._code: int | None = None

    def wait(self) -> int:
        """Its exit code, once it has ended."""
        while self._code is None:
            try:
                self._code = self._server.poll(self.pid)
            except WorkerStartError:  # gone, and its children end with it
                self._code = -signal.SIGKILL
            if self._code is None:
                time.sleep(_POLL_SECONDS)
        return self._code

    def kill(self) -> None:
        """End it at once."""
        if self._code is None:
            with contextlib.suppress(ProcessLookupError):  # it has ended, and `wait` will say how
                os.kill(self.pid, signal.SIGKILL)


# --- the process that forks ---------------------------------------------------------------------------------


def serve(connection: socket.socket, compiling: bool) -> None:
    """Fork workers until the other side closes; `compiling`: all of them with DaCe imported."""
    importlib.import_module("jace_repro.tester.check")
    if compiling:
        jace.preload()
    gc.freeze()  # no collector of a fork looks through what was imported, nor makes it a copy of its own
    while True:
        data, fds, _, _ = socket.recv_fds(connection, _MESSAGE, 3)
        if not data:
            return
        request = json.loads(data)
        answer: int | None
        if "poll" in request:
            pid, status = os.waitpid(request["poll"], os.WNOHANG)
            answer = os.waitstatus_to_exitcode(status) if pid else None
        else:
            if request["compiling"]:
                jace.preload()
                gc.freeze()
            answer = os.fork()
            if answer == 0:
                connection.close()
                _become_worker(request["start"], fds)
        for fd in fds:
            os.close(fd)
        connection.send(json.dumps(answer).encode())


def _become_worker(arguments: Sequence[str], fds: Sequence[int]) -> None:
    """The life of a fork; never comes back."""
    code = 2
    try:
        os.setsid()  # the compilers die with the worker
        for target, fd in enumerate(fds):
            os.dup2(fd, target)
        for fd in fds:
            os.close(fd)
        code = worker.main(arguments)
    except BaseException:  # whatever it is, it must not go on as a second server
        traceback.print_exc()
    finally:
        sys.stderr.flush()
        os._exit(code)


if __name__ == "__main__":
    serve(socket.socket(fileno=int(sys.argv[1])), "compiling" in sys.argv[2:])
