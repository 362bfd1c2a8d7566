"""``JACE_REPRO=record``: recording programs that something else starts, with nothing said on their command lines.

Every process of the environment that finds ``JACE_REPRO=record`` or ``JACE_REPRO=record:DIR`` records what it gives
JAX. The first one that imports JAX makes the recording in DIR, the others join it as its children, in
``DIR/children/PID``; where no DIR is named the first process takes a new one in `OUT_ROOT`, and says it to those that
it starts.

Needs no JAX: `jace_repro.tracker.start_up` runs it before the first line of the program.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import shutil
import sys
from collections.abc import MutableMapping
from pathlib import Path

from jace_repro.paths import PACKAGE_ROOT
from jace_repro.tracker import recording
from jace_repro.tracker.import_hook import when_imported
from jace_repro.tracker.journal import JOURNAL, Journal
from jace_repro.tracker.session import (
    Session,
    child_journal,
    exit_code,
    finalize,
    open_recordings,
    open_session,
)
from jace_repro.tracker.settings import RecordSettings

#: The variable.
SWITCH = "JACE_REPRO"
RECORD = "record"


def turn(environment: MutableMapping[str, str]) -> None:
    """Do as the variable says, in this process and in those that it starts. Raises ValueError."""
    what, colon, named = environment[SWITCH].partition(":")
    if what != RECORD or (colon and not named):
        raise ValueError(f"{SWITCH}={environment[SWITCH]!r} is neither 'record' nor 'record:DIR'")
    root = os.path.abspath(named or recording.unused_directory(_program()))
    environment[SWITCH] = f"{RECORD}:{root}"  # wherever a child is started
    # before anything of the program's: it runs after its threads and its exit functions
    atexit.register(_finish)
    when_imported("jax", lambda _: _record(root), before="jace")


def _module() -> str | None:
    """The module that this process runs, as ``python -m`` does."""
    for word, following in zip(sys.orig_argv[1:], sys.orig_argv[2:], strict=False):
        if word == "-m":
            return following
        if not word.startswith("-"):
            break
    return None


def _program() -> str:
    """A name for what this process runs."""
    script = Path(sys.argv[0]).stem if sys.argv and sys.argv[0] not in ("", "-c", "-m") else "python"
    return _module() or script


def _target() -> dict[str, object]:
    """What this process runs, as the journal of a recorded program has it."""
    module = _module()
    kind, value = ("path", sys.argv[0]) if module is None else ("module", module)
    return {"kind": kind, "value": value, "argv": sys.argv[1:]}


def _record(root: str) -> None:
    """Record this process from now on; JAX is imported."""
    if _is_ours() or root in {settings.root for settings in open_recordings()}:
        return
    settings = RecordSettings(root)
    try:
        first = _claim(Path(root))
    except OSError as error:
        print(f"jace-repro: this process is not recorded: {error}", file=sys.stderr)
        return
    if "--multiprocessing-fork" in sys.orig_argv:  # it ends through os._exit
        when_imported("multiprocessing.util", finalize)
    began = {"target": _target(), "pid": os.getpid(), "started_by": SWITCH}
    session = Session(settings, Journal(Path(root), began) if first else child_journal(settings, SWITCH))
    open_session(session)
    _begun.append((session, os.getpid() if first else None))
    session.start_or_say()


#: The part of this process in the recording, and the process that made the recording, if this one did.
_begun: list[tuple[Session, int | None]] = []


def _is_ours() -> bool:
    """Whether this process is one of jace-repro's own, and no program."""
    main = getattr(sys.modules.get("__main__"), "__file__", None) or ""
    return "jace_repro.cli" in sys.modules or Path(main).is_relative_to(PACKAGE_ROOT)


def _claim(root: Path) -> bool:
    """Whether this process is the first one to record into a directory. Raises OSError."""
    root.mkdir(parents=True, exist_ok=True)
    try:
        os.close(os.open(root / JOURNAL, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666))
    except FileExistsError:
        return False
    return True


def _finish() -> None:
    """The last thing that a process does in Python; the one that made the recording tells of it."""
    if not _begun:
        return
    session, teller = _begun[0]
    error = getattr(sys, "last_value", None)  # what the interpreter has just told of
    with contextlib.suppress(OSError):  # the disk is full: what could be written is there
        if isinstance(error, BaseException):
            session.exit_code = exit_code(error)
            session.failed(error)
        elif session.journal.opened:
            session.journal.write("exit", code=None)
        session.stop()
        if os.getpid() == teller:
            _tell(session.settings.root)


def _tell(root: str) -> None:
    entries = recording.load(Path(root)).entries
    eager = sum(entry.entry.eager for entry in entries)
    if entries:
        text = f"{len(entries) - eager} functions and {eager} eager operations recorded"
        print(f"jace-repro: {text}; test them with: {_check(root)}", file=sys.stderr)


def _check(root: str) -> str:
    """The command that tests what was recorded."""
    script = Path(sys.executable).with_name("jace-repro")
    known = shutil.which("jace-repro") == str(script)
    return f"{'jace-repro' if known else f'{sys.executable} -m jace_repro'} check {root}"
