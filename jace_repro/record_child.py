"""The child process of :func:`jace_repro.tracker.record_program`: ``record_child.py OUT MAX_DISK KIND VALUE ARGV...``.

Becomes the program: what ``python PROG.py`` and ``python -m MODULE`` promise about ``sys.argv``,
``sys.path[0]``, ``__main__``, exit codes and tracebacks holds.  The tracker starts when the program imports
JAX and not before: what the program does to ``os.environ`` first must count.  Started by file name rather
than with ``-m`` so that neither the environment nor the search path of the program is touched.
"""

from __future__ import annotations

import sys

_HERE, sys.path[0] = sys.path[0], ""  # not this directory: its module names are no top-level names

import atexit  # noqa: E402
import contextlib  # noqa: E402
import faulthandler  # noqa: E402
import importlib.machinery  # noqa: E402
import importlib.util  # noqa: E402
import io  # noqa: E402
import json  # noqa: E402
import os  # noqa: E402
import runpy  # noqa: E402
import traceback  # noqa: E402
import types  # noqa: E402
from pathlib import Path  # noqa: E402
from typing import Any  # noqa: E402

_KEEP: list[Any] = [sys.modules["__main__"]]  # a module that is dropped loses its globals


def main(arguments: list[str]) -> None:
    """Run the program as ``__main__``.  Returns when it does; raises what it raises."""
    out, max_disk, kind, value, *argv = arguments
    target = {"kind": kind, "value": value, "argv": argv}
    recording = _Recording(Path(out), target, int(max_disk) if max_disk else None)
    # Registered before anything of the program's: runs after its threads and its exit functions.
    atexit.register(recording.finish)
    sys.meta_path.insert(0, recording)
    with contextlib.suppress(AttributeError, ValueError, io.UnsupportedOperation):
        faulthandler.enable()

    module = types.ModuleType("__main__")
    module.__dict__["__builtins__"] = _KEEP[0].__dict__["__builtins__"]
    sys.modules["__main__"] = module
    try:
        if kind == "path":
            _run_path(value, argv, module)
        else:
            name = "pytest" if kind == "pytest" else value
            sys.argv = ["-m", *argv]
            sys.path[0] = os.getcwd()
            runpy._run_module_as_main(name)  # type: ignore[attr-defined]
    except BaseException as error:
        recording.exit_code = _exit_code(error)
        if not isinstance(error, SystemExit):
            recording.failed(error)
        _hide_ourselves()
        raise
    recording.exit_code = 0


class _Recording:
    """The journal of this process, and the finder that starts the tracker when JAX has been imported."""

    def __init__(self, directory: Path, target: dict[str, Any], max_disk: int | None) -> None:
        self.directory = directory
        self.max_disk = max_disk
        self.header = {"target": target}
        self.stack = contextlib.ExitStack()
        self.recorder: Any = None  # a jace_repro.recorder.Recorder, once JAX is there
        self.exit_code: int | None = None
        self.write("start", **self.header)

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        """The real spec of JAX, with a loader that calls :meth:`start` afterwards."""
        if name != "jax":
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(name)
        if spec is not None and spec.loader is not None:
            loader: Any = spec.loader
            execute = loader.exec_module

            def execute_and_start(module: types.ModuleType) -> None:
                del loader.exec_module  # the instance is as it was: the method is the class's
                execute(module)
                self.start()

            loader.exec_module = execute_and_start
        return spec

    def start(self) -> None:
        """Start the tracker; the program goes on without it when that fails."""
        try:
            if importlib.util.find_spec("jace_repro") is None:
                sys.path.append(os.path.dirname(_HERE))  # a source tree that is not installed
            from jace_repro import tracker

            tracking = tracker.tracking(self.directory, header=self.header, max_disk=self.max_disk)
            self.recorder = self.stack.enter_context(tracking)
        except Exception as error:
            print(f"jace-repro: this program is not recorded: {error}", file=sys.stderr)
            self.write("tracker-error", reason=f"the tracker did not start: {type(error).__name__}: {error}")

    def write(self, event: str, **fields: Any) -> None:
        """A line for the journal, through the recorder's file when it is open."""
        if self.recorder is not None:
            self.recorder.journal.write(event, **fields)
            return
        with (self.directory / "journal.jsonl").open("a", encoding="utf-8") as file:
            file.write(json.dumps({"event": event, **fields}) + "\n")

    def failed(self, error: BaseException) -> None:
        """The program is ending with an exception."""
        if self.recorder is not None:
            self.recorder.program_failed(error)
        else:
            self.write("exception", type=type(error).__qualname__, message=str(error))

    def finish(self) -> None:
        """The last thing this process does in Python."""
        try:
            self.write("exit", code=self.exit_code)
            self.stack.close()
        except Exception:
            traceback.print_exc()


def _run_path(value: str, argv: list[str], module: types.ModuleType) -> None:
    """``python VALUE ARGV...``"""
    sys.argv = [value, *argv]
    if os.path.isdir(value) or value.endswith((".zip", ".pyz")):
        sys.path[0] = value
        runpy._run_module_as_main("__main__", alter_argv=False)  # type: ignore[attr-defined]
        return
    try:
        with io.open_code(os.path.abspath(value)) as file:
            text = file.read()
    except OSError as error:
        reason = f"[Errno {error.errno}] {error.strerror}"
        print(f"{sys.executable}: can't open file {os.path.abspath(value)!r}: {reason}", file=sys.stderr)
        sys.exit(2)
    sys.path[0] = os.path.dirname(os.path.realpath(value))
    module.__file__ = os.path.abspath(value)
    module.__loader__ = importlib.machinery.SourceFileLoader("__main__", module.__file__)
    module.__dict__.update(__cached__=None, __annotations__={})
    exec(compile(text, module.__file__, "exec", dont_inherit=True), module.__dict__)


def _exit_code(error: BaseException) -> int:
    """What Python would exit with."""
    if isinstance(error, SystemExit):
        if error.code is None:
            return 0
        return error.code if isinstance(error.code, int) else 1
    return 130 if isinstance(error, KeyboardInterrupt) else 1


def _hide_ourselves() -> None:
    """Drop this file's frames from the traceback that will be printed."""
    original = sys.excepthook

    def hook(kind: Any, raised: Any, tb: types.TracebackType | None) -> Any:
        while tb is not None and tb.tb_frame.f_code.co_filename in _OURS:
            tb = tb.tb_next
        return original(kind, raised.with_traceback(tb), tb)

    sys.excepthook = hook


_OURS = frozenset({__file__, os.path.abspath(__file__)})


if __name__ == "__main__":
    main(sys.argv[1:])
