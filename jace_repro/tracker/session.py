"""The recordings that this process takes part in, and how the processes it starts join them.

Needs no JAX: it is there before the first line of a recorded program. A process joins a recording with a journal
and entries of its own, in ``DIR/children/PID``, made when it gives JAX something:

* after ``os.fork`` (multiprocessing's "fork", too) the copies of the recorders move there;
* multiprocessing's "spawn" and "forkserver" send each child a dictionary about its parent: what is added to it
  calls :func:`join` while it is unpickled, before the child imports the program. Neither the environment nor the
  command line of the child knows.

A child of multiprocessing ends through ``os._exit``: what is left to write then is written by a finalizer of
multiprocessing's, which sees the exception that ended the child without a frame in its traceback.
"""

from __future__ import annotations

import contextlib
import functools
import importlib.util
import os
import sys
from collections.abc import Sequence
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import Any

from jace_repro.paths import PACKAGE_ROOT, SOURCE_ROOT
from jace_repro.tracker.import_hook import when_imported
from jace_repro.tracker.journal import CHILDREN, Journal
from jace_repro.tracker.settings import RecordSettings


class Session:
    """This process's part of one recording."""

    def __init__(self, settings: RecordSettings, journal: Journal) -> None:
        self.settings = settings
        self.journal = journal
        self.recorder: Any = None  # a jace_repro.tracker.recorder.Recorder, once JAX is there
        self.exit_code: int | None = None
        self._hooks = contextlib.ExitStack()

    def start(self) -> None:
        """Hook JAX, which is imported. Raises HooksUnavailable and what importing the tracker raises."""
        if importlib.util.find_spec("jace") is None:
            sys.path.append(str(SOURCE_ROOT))  # a source tree that is not installed
        from jace.debug import watch_jit
        from jace_repro.tracker import hooks
        from jace_repro.tracker.recorder import Recorder

        hooks.require()
        self.recorder = Recorder(self.journal, self.settings)
        self._hooks.enter_context(hooks.installed(self.recorder))
        self._hooks.enter_context(watch_jit(self.recorder.asked, disable=self.settings.by_xla))

    def start_or_say(self, _: Any = None) -> None:
        """:meth:`start`; the program goes on without it when that fails."""
        try:
            self.start()
        except Exception as error:
            print(f"jace-repro: this program is not recorded: {error}", file=sys.stderr)
            reason = f"the tracker did not start: {type(error).__name__}: {error}"
            self.journal.write("tracker-error", reason=reason)

    def failed(self, error: BaseException) -> None:
        """The process is ending with an exception."""
        if self.recorder is not None:
            self.recorder.program_failed(error)
        else:
            self.journal.write("exception", type=type(error).__qualname__, message=str(error))

    def note_end(self) -> None:
        """Journal the exit code and the call counts; threads may still be recorded. Raises OSError."""
        if not self.journal.opened:
            return  # a child that never gave JAX anything
        if self.exit_code is not None:
            self.journal.write("exit", code=self.exit_code)
        if self.recorder is not None:
            self.recorder.report_all()

    def stop(self) -> None:
        """The end of the recording in this process. Raises OSError."""
        if self in _sessions:
            _sessions.remove(self)
        self._hooks.close()
        try:
            self.note_end()
        finally:
            self.journal.close()

    def move_to_child(self) -> None:
        """This process is a fork of the one that the session belonged to."""
        self.journal.abandon()
        self.journal = child_journal(self.settings, "fork")
        if self.recorder is not None:
            self.recorder.move(self.journal)


#: The recordings of this process, outermost first.
_sessions: list[Session] = []


def open_session(session: Session) -> None:
    """From now on children of this process join the session's recording, until it is stopped."""
    _hook_fork()
    when_imported("multiprocessing.util", _hook_exit)
    when_imported("multiprocessing.spawn", _hook_spawn)
    when_imported("multiprocessing.process", _hook_bootstrap)
    _sessions.append(session)


def join(recordings: Sequence[RecordSettings], how: str = "spawn") -> list[Session]:
    """Take part in the recordings of the parent process, but for those that this process is in already."""
    import atexit

    known = {settings.root for settings in open_recordings()}
    recordings = [settings for settings in recordings if settings.root not in known]

    if how == "spawn":
        when_imported("multiprocessing.util", finalize)
        when_imported("multiprocessing.process", _hook_bootstrap)
    sessions = [Session(settings, child_journal(settings, how)) for settings in recordings]
    for session in sessions:
        open_session(session)
        atexit.register(session.stop)
        when_imported("jax", session.start_or_say, before="jace")
    return sessions


def open_recordings() -> tuple[RecordSettings, ...]:
    """The recordings of this process, for a child to join."""
    return tuple(session.settings for session in _sessions)


def child_journal(settings: RecordSettings, how: str) -> Journal:
    """The journal of this process in a recording that another one has begun."""
    pid = os.getpid()
    directory = Path(settings.root, CHILDREN, str(pid))
    used = 1
    while directory.exists():  # the system gave an earlier child's number again
        used += 1
        directory = directory.with_name(f"{pid}-{used}")
    return Journal(directory, {"pid": pid, "parent": os.getppid(), "started_by": how})


# -------------------------------------------------------------------------------------- the children


@functools.cache
def _hook_fork() -> None:
    os.register_at_fork(after_in_child=_after_fork)


def _after_fork() -> None:
    for session in _sessions:
        session.move_to_child()


@functools.cache
def _hook_exit(util: Any) -> None:
    # Called in each forked child after multiprocessing dropped the finalizers of the parent.
    util.register_after_fork(sys.modules[__name__], lambda _: finalize(util))


def finalize(util: Any) -> None:
    """Have multiprocessing, of which this process is a child, write the end of its recordings."""
    util.Finalize(None, lambda: _child_ends(sys.exc_info()[1]), exitpriority=-1000)


@functools.cache
def _hook_bootstrap(process: Any) -> None:
    """From Python 3.13 on a child runs its finalizers when its error is printed and gone: it is noted before."""
    original = process.BaseProcess._bootstrap
    if "_exit_function" in original.__code__.co_names:
        return

    @functools.wraps(original)
    def bootstrap(self: Any, *args: Any, **kwargs: Any) -> int:
        import traceback

        printed: list[BaseException | None] = []
        print_exc = traceback.print_exc

        def noting(*args: Any, **kwargs: Any) -> None:
            printed[:] = [sys.exc_info()[1]]
            print_exc(*args, **kwargs)

        traceback.print_exc = noting
        status: int = original(self, *args, **kwargs)
        traceback.print_exc = print_exc
        error = printed[0] if printed else SystemExit(status)
        _child_ends(error if status else None)
        return status

    process.BaseProcess._bootstrap = bootstrap


def _child_ends(error: BaseException | None) -> None:
    """A child of multiprocessing ends."""
    for session in _sessions:
        session.exit_code = exit_code(error) if error is None or isinstance(error, SystemExit) else 1
        with contextlib.suppress(OSError):  # the disk is full: what could be written is there
            if error is not None and not isinstance(error, SystemExit):
                session.failed(error)
            session.note_end()


@functools.cache
def _hook_spawn(spawn: Any) -> None:
    original = spawn.get_preparation_data

    @functools.wraps(original)
    def get_preparation_data(name: str) -> dict[str, Any]:
        data: dict[str, Any] = original(name)
        return {**data, "jace_repro": _Joining(open_recordings())} if _sessions else data

    spawn.get_preparation_data = get_preparation_data


@dataclass(frozen=True)
class _Joining:
    """Unpickling it joins the recordings; needs nothing that can be imported on the other side."""

    recordings: tuple[RecordSettings, ...]

    def __reduce__(self) -> tuple[Any, ...]:
        package = str(PACKAGE_ROOT / "__init__.py")
        asked = [astuple(settings) for settings in self.recordings]
        return exec, (_JOIN.format(package=package, asked=asked), {})


# A package that is not on the child's search path is loaded from its file.
_JOIN = """
import sys
try:
    if "jace_repro" not in sys.modules:
        from importlib.util import module_from_spec, spec_from_file_location
        spec = spec_from_file_location("jace_repro", {package!r})
        sys.modules["jace_repro"] = module_from_spec(spec)
        spec.loader.exec_module(sys.modules["jace_repro"])
    from jace_repro.tracker.session import join
    from jace_repro.tracker.settings import RecordSettings
    join([RecordSettings(*asked) for asked in {asked!r}])
except Exception as error:
    print("jace-repro: this process is not recorded:", error, file=sys.stderr)
"""


def exit_code(error: BaseException | None) -> int:
    """What a Python that ends with `error` exits with."""
    if isinstance(error, SystemExit):
        if error.code is None:
            return 0
        return error.code if isinstance(error.code, int) else 1
    if error is None:
        return 0
    return 130 if isinstance(error, KeyboardInterrupt) else 1
