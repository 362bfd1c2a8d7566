"""The child process of :func:`jace_repro.tracker.record_program`: ``record_child.py OUT KIND VALUE ARGV...``.

Installs the tracker and then becomes the program: what ``python PROG.py`` and ``python -m MODULE`` promise
about ``sys.argv``, ``sys.path[0]``, ``__main__``, exit codes and tracebacks holds.  Started by file name
rather than with ``-m`` so that neither the environment nor the search path of the program is touched.
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
import os  # noqa: E402
import runpy  # noqa: E402
import traceback  # noqa: E402
import types  # noqa: E402
from pathlib import Path  # noqa: E402
from typing import Any  # noqa: E402

_KEEP: list[Any] = [sys.modules["__main__"]]  # a module that is dropped loses its globals


def main(arguments: list[str]) -> None:
    """Run the program as ``__main__``.  Returns when it does; raises what it raises."""
    out, kind, value, *argv = arguments
    if importlib.util.find_spec("jace_repro") is None:
        sys.path.append(os.path.dirname(_HERE))  # a source tree that is not installed
    from jace_repro import tracker

    stack = contextlib.ExitStack()
    started = stack.enter_context(
        tracker.tracking(Path(out), header={"target": {"kind": kind, "value": value, "argv": argv}})
    )
    # Registered before anything of the program's: runs after its threads and its exit functions.
    code = _ExitCode()
    atexit.register(_finish, stack, started, code)
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
        code.value = _exit_code(error)
        if not isinstance(error, SystemExit):
            started.program_failed(error)
        _hide_ourselves(error)
        raise
    code.value = 0


class _ExitCode:
    """The code the process is about to exit with; None while it runs."""

    value: int | None = None


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
        print(
            f"{sys.executable}: can't open file {value!r}: [Errno {error.errno}] {error.strerror}",
            file=sys.stderr,
        )
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


def _hide_ourselves(error: BaseException) -> None:
    """Drop this file's (and runpy's) frames from the traceback that will be printed."""
    original = sys.excepthook

    def hook(kind: Any, raised: Any, tb: types.TracebackType | None) -> Any:
        while tb is not None and tb.tb_frame.f_code.co_filename in _OURS:
            tb = tb.tb_next
        return original(kind, raised.with_traceback(tb), tb)

    sys.excepthook = hook


_OURS = frozenset({__file__, os.path.abspath(__file__)})


def _finish(stack: contextlib.ExitStack, started: Any, code: _ExitCode) -> None:
    """The last thing this process does in Python."""
    try:
        started.journal.write("exit", code=code.value)
        stack.close()
    except Exception:
        traceback.print_exc()


if __name__ == "__main__":
    main(sys.argv[1:])
