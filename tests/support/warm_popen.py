"""Processes that tests start, warm: forks of one that has done the imports (`warm_process`).

A fork server of a pool, a command, a self-check or a recorded program costs in a test what it does, and not one to
four seconds of imports. `subprocess.Popen` starts those that are listed in `_kind` so, in the test's process and in the
commands that it starts. What is read while modules are imported or Python starts (`JAX_*`, `XLA_*`, `PYTHON*`, `LD_*`)
is the warm process's: what needs other values starts cold, and so does all that a test marked `cold` starts.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from jace_repro.paths import SOURCE_ROOT
from jace_repro.tester.execute.conditions import poisonable

#: In the environment: where the warm processes listen; that none of them is to be used.
FOLDER, COLD = "JACE_TESTS_WARM", "JACE_TESTS_COLD"
_READ_EARLY = ("JAX_", "XLA_", "PYTHON", "LD_")
#: What warm processes heed all the same, or what changes no result.
_HEEDED = ("JAX_PLATFORMS", "PYTHONUNBUFFERED", "JAX_COMPILATION_CACHE", "JAX_PERSISTENT_CACHE")
_Popen = subprocess.Popen
_started: list[tuple[subprocess.Popen[bytes], socket.socket]] = []


def install(folder: Path) -> None:
    """From now on, processes start warm. The warm processes start when the first is asked for."""
    os.environ[FOLDER] = str(folder)
    _read.update(_early(os.environ))
    subprocess.Popen = Popen  # type: ignore[misc]


def folder() -> Path:
    """Where the warm processes listen."""
    return Path(os.environ[FOLDER])


def close() -> None:
    """End the warm processes."""
    while _started:
        process, listening = _started.pop()
        listening.close()
        process.communicate()


def _early(env: Mapping[str, str]) -> dict[str, str]:
    found = {k: v for k, v in env.items() if k.startswith(_READ_EARLY) and not k.startswith(_HEEDED)}
    paths = [p for p in found.pop("PYTHONPATH", "").split(os.pathsep) if p not in ("", str(SOURCE_ROOT))]
    return {**found, "PYTHONPATH": os.pathsep.join(paths)}


#: What was read, when the warm processes may start.
_read: dict[str, str] = {}


def _kind(words: Sequence[str]) -> str | None:
    """Which warm process runs a command line of Python, if one does."""
    match words:
        case ["-m", "jace_repro" | "jace_repro.tester.workers.forkserver", *_]:
            return "harness"
        case [path, *_] if path.endswith("scripts/harness.py"):
            return "harness"
        case ["-P", path] if path.endswith("selfcheck/driver.py"):
            return "plain"
        case [path, *_] if path.endswith("tracker/bootstrap.py"):
            return "plain"
        # what is recorded is held against program.py
        case [path] if path.endswith(".py") and not path.endswith("program.py"):
            return "plain"
        case ["-m", "pytest", *_]:
            return "plain"
    return None


def _begin(folder: str) -> None:
    """Start the warm processes of this session."""
    from warm_process import IMPORTS

    for kind in IMPORTS:
        listening = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        listening.bind(f"{folder}/{kind}")
        listening.listen(64)
        command = [
            sys.executable,
            str(Path(__file__).with_name("warm_process.py")),
            kind,
            str(listening.fileno()),
        ]
        # glibc reads its tunables at the start of a process: those that workers have
        environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1", **poisonable(os.environ)}
        process = _Popen(command, stdin=subprocess.PIPE, pass_fds=[listening.fileno()], env=environment)
        _started.append((process, listening))


class Popen(_Popen):  # type: ignore[type-arg]
    """A process that may be a fork of a warm one."""

    _link: socket.socket | None = None

    def _execute_child(self, *given: Any) -> None:
        (args, executable, before, _, pass_fds, cwd, env, _, _, shell, *_) = given
        start_new_session, group = given[-2:]
        ends = given[10:16]
        environment = {str(k): str(v) for k, v in (os.environ if env is None else env).items()}
        words = [] if isinstance(args, str | bytes | os.PathLike) else [os.fspath(a) for a in args]
        kind = _kind(words[1:]) if words and words[0] == sys.executable else None
        cold = executable is not None or before is not None or shell or group != -1 or COLD in environment
        if kind is None or cold or FOLDER not in os.environ or _early(environment) != _read:
            super()._execute_child(*given)  # type: ignore[misc]
            return
        folder = os.environ[FOLDER]
        if not _started and not os.path.exists(f"{folder}/{kind}"):
            _begin(folder)
        stdin, stdout, stderr = (
            number if end == -1 else end for number, end in enumerate((ends[0], ends[3], ends[5]))
        )
        fds = {0: stdin, 1: stdout, 2: stderr, **{fd: fd for fd in pass_fds}}
        request = {
            "words": words[1:],
            "env": environment,
            "cwd": os.fspath(cwd) if cwd is not None else os.getcwd(),
            "session": bool(start_new_session),
            "fds": list(fds),
        }
        try:
            self._link = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            self._link.connect(f"{folder}/{kind}")
            socket.send_fds(self._link, [json.dumps(request).encode()], list(fds.values()))
            self.pid = json.loads(self._link.recv(1 << 10))["pid"]
            self._child_created = True
        finally:
            self._close_pipe_fds(*ends)  # type: ignore[attr-defined]

    def _try_wait(self, wait_flags: int) -> tuple[int, int]:
        if self._link is None:
            return super()._try_wait(wait_flags)  # type: ignore[misc,no-any-return]
        self._link.setblocking(not wait_flags & os.WNOHANG)
        try:
            told = self._link.recv(1 << 10)
        except BlockingIOError:
            return 0, 0
        self._link.close()
        return self.pid, json.loads(told)["status"] if told else signal.SIGKILL

    def _internal_poll(self, _deadstate: int | None = None, **named: Any) -> int | None:
        if self._link is None:
            return super()._internal_poll(_deadstate, **named)  # type: ignore[misc,no-any-return]
        if self.returncode is None and self._waitpid_lock.acquire(False):  # type: ignore[attr-defined]
            try:
                if self.returncode is None:
                    pid, status = self._try_wait(os.WNOHANG)
                    if pid:
                        self._handle_exitstatus(status)  # type: ignore[attr-defined]
            finally:
                self._waitpid_lock.release()  # type: ignore[attr-defined]
        return self.returncode
