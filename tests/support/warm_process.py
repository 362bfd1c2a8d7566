"""The other end of `warm_popen`: a process that has done its imports, and forks on request.

`python warm_process.py KIND SOCKET`, with the end of tests as the end of its standard input. A request comes with a
connection of its own: what a process of its own would have been given, and its file descriptors. The answer is the
process's pid, then how it ended.

Nothing of JAX has run before a fork: a process finds what it would find after its own imports, and `import jax` is
where it would be (what waits for it is told), only quicker.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import importlib.util
import json
import os
import pkgutil
import runpy
import select
import socket
import sys
import types
from collections.abc import Callable
from typing import Any

MESSAGE = 1 << 18
DESCRIPTORS = 8
#: What a process has imported before it forks.
IMPORTS: dict[str, tuple[str, ...]] = {
    "plain": ("jax", "jax.numpy", "numpy"),
    "harness": (
        "jace_repro.tester.check",
        "jace_repro.tracker.api",
        "jace_repro.page",
        "jace_repro.doctor",
        "jace_repro.cli.",
        "jace_repro.campaign.",
    ),
}


def main(kind: str, number: int) -> None:
    """Serve until the tests end."""
    for name in IMPORTS[kind]:
        package = importlib.import_module(name.rstrip("."))
        if name.endswith("."):
            for module in pkgutil.walk_packages(package.__path__, name):
                importlib.import_module(module.name)
    if kind == "harness":
        import warm_popen

        import jace

        jace.preload()
        warm_popen.install(warm_popen.folder())
    else:
        _hide_jax()
    sys.path.pop(0)  # this folder's modules are no top-level names of what is run
    gc.collect()
    gc.freeze()
    become = _serve(socket.socket(fileno=number))
    if become is not None:
        sys.excepthook = _without_ours
        become()


def _without_ours(
    kind: type[BaseException], raised: BaseException, trace: types.TracebackType | None
) -> None:
    """What is told of an exception: as if this file had not called what raised it."""
    while trace is not None and trace.tb_frame.f_code.co_filename == __file__:
        trace = trace.tb_next
    sys.__excepthook__(kind, raised.with_traceback(trace), trace)


def _serve(listening: socket.socket) -> Callable[[], None] | None:
    """In a fork: what it is to do. In this process: None, when the tests have ended."""
    while True:
        ready, _, _ = select.select([listening, 0], [], [])
        _count_ended()
        if 0 in ready and not os.read(0, 1):
            return None
        if listening not in ready:
            continue
        connection, _ = listening.accept()
        with connection:
            data, fds, _, _ = socket.recv_fds(connection, MESSAGE, DESCRIPTORS)
            if data and not os.fork():
                return _forked(connection, listening, json.loads(data), fds)
            for fd in fds:
                os.close(fd)


def _count_ended() -> None:
    """Wait for the forks that have ended: the time they took is then part of the tests', as `time` tells it."""
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


def _forked(
    connection: socket.socket, listening: socket.socket, request: dict[str, Any], fds: list[int]
) -> Callable[[], None]:
    """Fork once more: this process waits for the other, and says how it ended."""
    pid = os.fork()
    if not pid:
        for end in (connection, listening):
            end.close()
        return _become(request, fds)
    os.closerange(0, connection.fileno())
    os.closerange(connection.fileno() + 1, max(fds) + 1)
    connection.send(json.dumps({"pid": pid}).encode())
    _, status = os.waitpid(pid, 0)
    try:
        connection.send(json.dumps({"status": status}).encode())
    finally:  # whoever asked may be gone
        os._exit(0)


def _become(request: dict[str, Any], fds: list[int]) -> Callable[[], None]:
    """Take on what a process is given; what it runs."""
    if request["session"]:
        os.setsid()
    high = [os.dup(fd) for fd in fds]
    while min(high) <= max(request["fds"]):
        high = [os.dup(fd) for fd in high]
    os.closerange(3, min(high))
    for fd, target in zip(high, request["fds"], strict=True):
        os.dup2(fd, target)
    os.closerange(min(high), max(high) + 1)
    os.chdir(request["cwd"])
    os.environ.clear()
    os.environ.update(request["env"])
    if "jax" in sys.modules or _HIDDEN:
        platforms = os.environ.get("JAX_PLATFORMS")
        if platforms is not None:
            (sys.modules.get("jax") or _HIDDEN["jax"]).config.update("jax_platforms", platforms)
    words = request["words"]
    sys.orig_argv = [sys.executable, *words]
    match words:
        case ["-m", name, *_]:
            sys.path.insert(0, os.getcwd())
            sys.argv = words[1:]
            return lambda: runpy._run_module_as_main(name)  # type: ignore[attr-defined]
        case ["-P", *words]:
            sys.argv = words
        case _:
            sys.argv = words
            sys.path.insert(0, os.path.dirname(os.path.realpath(words[0])))
    return lambda: _run_file(words[0])


def _run_file(path: str) -> None:
    """A script as ``__main__``."""
    module = types.ModuleType("__main__")
    module.__dict__.update(__builtins__=__builtins__, __file__=path)
    sys.modules["__main__"] = module
    with open(path, "rb") as file:
        exec(compile(file.read(), path, "exec", dont_inherit=True), module.__dict__)


#: JAX, which is imported but not there yet.
_HIDDEN: dict[str, types.ModuleType] = {}


def _hide_jax() -> None:
    """``import jax`` finds it, and tells those that wait for it."""
    _HIDDEN["jax"] = sys.modules.pop("jax")
    sys.meta_path.insert(0, _Finder())


class _Finder:
    """Finds what was hidden; also its loader."""

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        return importlib.util.spec_from_loader(name, self) if name in _HIDDEN else None  # type: ignore[arg-type]

    def create_module(self, spec: Any) -> types.ModuleType:
        module = _HIDDEN.pop(spec.name)
        self._spec = module.__spec__
        return module

    def exec_module(self, module: types.ModuleType) -> None:
        module.__spec__ = self._spec


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
