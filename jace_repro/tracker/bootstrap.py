"""The child process of :func:`jace_repro.tracker.api.record_program`: ``bootstrap.py OPTIONS KIND VALUE ARGV...``.

Becomes the program: what ``python PROG.py`` and ``python -m MODULE`` promise about ``sys.argv``,
``sys.path[0]``, ``__main__``, exit codes and tracebacks holds.  The tracker starts when the program imports
JAX and not before: what the program does to ``os.environ`` first must count.  Started by file name rather
than with ``-m`` so that neither the environment nor the search path of the program is touched.  OPTIONS is
the JSON of the :class:`jace_repro.tracker.settings.RecordSettings`.
"""

from __future__ import annotations

import sys

if not sys.flags.safe_path:
    del sys.path[0]  # this directory: its module names are no top-level names

import atexit
import faulthandler
import importlib.machinery
import importlib.util
import io
import json
import os
import runpy
import traceback
import types
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jace_repro.tracker.session import Session

#: The folder `jace_repro`, which is not imported yet.
_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
_KEEP: list[Any] = [sys.modules["__main__"]]  # a module that is dropped loses its globals


def main(arguments: list[str]) -> None:
    """Run the program as ``__main__``.  Returns when it does; raises what it raises."""
    options, kind, value, *argv = arguments
    _load_package()
    from jace_repro.tracker.session import exit_code

    session = _open(json.loads(options), {"kind": kind, "value": value, "argv": argv})
    module = types.ModuleType("__main__")
    module.__dict__["__builtins__"] = _KEEP[0].__dict__["__builtins__"]
    sys.modules["__main__"] = module
    try:
        if kind == "path":
            _run_path(value, argv, module)
        else:
            name = "pytest" if kind == "pytest" else value
            sys.argv = ["-m", *argv]
            _search_first(os.getcwd())
            runpy._run_module_as_main(name)  # type: ignore[attr-defined]
    except BaseException as error:
        session.exit_code = exit_code(error)
        if not isinstance(error, SystemExit):
            session.failed(error)
        _hide_ourselves()
        raise
    session.exit_code = 0


def _load_package() -> None:
    """Have the package that this file belongs to be the one that is imported, wherever that lies."""
    spec = importlib.util.spec_from_file_location("jace_repro", os.path.join(_PACKAGE, "__init__.py"))
    assert spec is not None
    assert spec.loader is not None
    sys.modules["jace_repro"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(sys.modules["jace_repro"])


def _open(options: dict[str, Any], target: dict[str, Any]) -> Session:
    """The recording of this process, which waits for JAX."""
    from jace_repro.tracker.import_hook import when_imported
    from jace_repro.tracker.journal import FAULTS, Journal
    from jace_repro.tracker.session import Session, open_session
    from jace_repro.tracker.settings import RecordSettings

    settings = RecordSettings(**options)
    journal = Journal(Path(settings.root), {"target": target, "pid": os.getpid()})
    journal.open()
    session = Session(settings, journal)
    # Registered before anything of the program's: runs after its threads and its exit functions.
    atexit.register(_finish, session)
    open_session(session)
    when_imported("jax", session.start_or_say, before="jace")
    if not faulthandler.is_enabled():  # what it says of a crash goes to a file: plain Python says nothing
        _KEEP.append(open(Path(settings.root, FAULTS), "a"))  # noqa: SIM115 - open while the process lives
        faulthandler.enable(_KEEP[-1])
    return session


def _finish(session: Session) -> None:
    """The last thing this process does in Python."""
    try:
        session.stop()
    except OSError as error:
        print(f"jace-repro: the end of the recording could not be written: {error}", file=sys.stderr)
    except Exception:
        traceback.print_exc()


def _search_first(folder: str) -> None:
    """Have the program's own modules found, unless Python was told not to (``PYTHONSAFEPATH``)."""
    if not sys.flags.safe_path:
        sys.path.insert(0, folder)


def _run_path(value: str, argv: list[str], module: types.ModuleType) -> None:
    """What ``python VALUE ARGV...`` does."""
    sys.argv = [value, *argv]
    if os.path.isdir(value) or value.endswith((".zip", ".pyz")):
        sys.path.insert(0, value)  # whatever PYTHONSAFEPATH says
        runpy._run_module_as_main("__main__", alter_argv=False)  # type: ignore[attr-defined]
        return
    try:
        with io.open_code(os.path.abspath(value)) as file:
            text = file.read()
    except OSError as error:
        reason = f"[Errno {error.errno}] {error.strerror}"
        print(f"{sys.executable}: can't open file {os.path.abspath(value)!r}: {reason}", file=sys.stderr)
        sys.exit(2)
    _search_first(os.path.dirname(os.path.realpath(value)))
    module.__file__ = os.path.abspath(value)
    module.__loader__ = importlib.machinery.SourceFileLoader("__main__", module.__file__)
    module.__dict__.update(__cached__=None, __annotations__={})
    exec(compile(text, module.__file__, "exec", dont_inherit=True), module.__dict__)


def _hide_ourselves() -> None:
    """Drop the tracker's frames from the traceback that will be printed: JAX hides them below its own only."""
    original = sys.excepthook

    def hook(kind: Any, raised: Any, tb: types.TracebackType | None) -> Any:
        kept = _without_ours(tb)
        return original(kind, raised.with_traceback(kept), kept)

    sys.excepthook = hook


def _without_ours(tb: types.TracebackType | None) -> types.TracebackType | None:
    """A traceback without the frames of this package."""
    frames = []
    while tb is not None:
        if not os.path.abspath(tb.tb_frame.f_code.co_filename).startswith(_OURS):
            frames.append(tb)
        tb = tb.tb_next
    kept: types.TracebackType | None = None
    for entry in reversed(frames):
        kept = types.TracebackType(kept, entry.tb_frame, entry.tb_lasti, entry.tb_lineno)
    return kept


_OURS = os.path.join(_PACKAGE, "")


if __name__ == "__main__":
    main(sys.argv[1:])
