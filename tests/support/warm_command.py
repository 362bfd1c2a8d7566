"""The command line, warm: a process that has imported all of it and runs each command in a fork of itself.

A command in a test costs what it does, and not two seconds of imports. Nothing of JAX has run before the fork: a
command finds what it would find in a process of its own. What is read while modules are imported (`JAX_*`, `XLA_*`,
`PYTHON*`) is the server's: a command that needs other values starts cold.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

#: What is read while modules are imported, or while Python starts.
READ_EARLY = ("JAX_", "XLA_", "PYTHON", "LD_")


def _early(env: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in env.items() if name.startswith(READ_EARLY)}


class Server:
    """The test's end."""

    def __init__(self) -> None:
        self._early = _early(os.environ)
        command = [sys.executable, str(Path(__file__))]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def run(
        self, words: list[str], cwd: Path, env: Mapping[str, str], timeout: float
    ) -> subprocess.CompletedProcess[str]:
        """`jace-repro WORDS`, as `subprocess.run(..., capture_output=True, text=True)` would answer it.

        Raises subprocess.TimeoutExpired; the command is killed then.
        """
        if _early(env) != self._early:
            command = [sys.executable, "-m", "jace_repro", *words]
            return subprocess.run(
                command, cwd=cwd, env=dict(env), capture_output=True, text=True, timeout=timeout, check=False
            )
        out, err = cwd / ".out-of-test", cwd / ".err-of-test"
        request = {"words": words, "cwd": str(cwd), "env": dict(env), "out": str(out), "err": str(err)}
        done = self._ask({**request, "timeout": timeout})
        texts = [path.read_text() for path in (out, err)]
        for path in (out, err):
            path.unlink()
        if done["timeout"]:
            raise subprocess.TimeoutExpired(words, timeout, *texts)
        return subprocess.CompletedProcess(words, done["code"], *texts)

    def _ask(self, request: dict[str, Any]) -> dict[str, Any]:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        print(json.dumps(request), file=self._process.stdin, flush=True)
        answer: dict[str, Any] = json.loads(self._process.stdout.readline())
        return answer

    def close(self) -> None:
        """No more commands."""
        self._process.communicate()


def serve() -> None:
    """A request a line, an answer a line: one command at a time."""
    import importlib
    import pkgutil

    import jace_repro.campaign
    import jace_repro.cli

    for package in (jace_repro.cli, jace_repro.campaign):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            importlib.import_module(module.name)
    for name in ("jace_repro.tracker.api", "jace_repro.page", "jace_repro.doctor"):
        importlib.import_module(name)
    answers = os.dup(1)
    for line in sys.stdin:
        request = json.loads(line)
        pid = os.fork()
        if not pid:
            _become(request)
            return
        print(json.dumps(_awaited(pid, request["timeout"])), file=os.fdopen(os.dup(answers), "w"), flush=True)


def _become(request: dict[str, Any]) -> None:
    """The child: runs the command and ends as its interpreter ends."""
    from jace_repro import cli

    os.chdir(request["cwd"])
    os.environ.clear()
    os.environ.update(request["env"])
    for number, path in ((1, request["out"]), (2, request["err"])):
        file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
        os.dup2(file, number)
        os.close(file)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    sys.argv = ["jace-repro", *request["words"]]
    cli.main(request["words"])


def _awaited(pid: int, timeout: float) -> dict[str, Any]:
    """How a child ended; it is killed after `timeout` seconds."""
    late: list[int] = []

    def kill(*_: Any) -> None:
        late.append(pid)
        os.kill(pid, signal.SIGKILL)

    signal.signal(signal.SIGALRM, kill)
    signal.setitimer(signal.ITIMER_REAL, timeout)
    _, status = os.waitpid(pid, 0)
    signal.setitimer(signal.ITIMER_REAL, 0)
    return {"code": os.waitstatus_to_exitcode(status), "timeout": bool(late)}


if __name__ == "__main__":
    sys.path.pop(0)  # this folder's modules are no top-level names of the command
    serve()
