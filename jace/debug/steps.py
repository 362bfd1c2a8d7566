"""DaCe's passes as numbered steps: what ran, what it changed, and how to stop after any of it.

`simplify` and `auto_optimize` are programs of their own. While one runs under a `Watch`, every pass that it calls is
a *run* (named PASS/NAME, the k-th of a name PASS/NAME.k) and every transformation that a run applies an *application*
of that run, numbered from 1. What is changed between two runs counts as the earlier one's.

A `Stop` names a run, or the N-th application of it: the SDFG stays as it was when the next one was about to begin.

A function of a user's own is watched alike, but what it does itself, before, between and after DaCe's passes, are runs
of their own: PASS/own-code.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import importlib
import json
import re
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

import dace
from dace.transformation import pass_pipeline
from dace.transformation import transformation as xf
from dace.transformation.auto import auto_optimize
from dace.transformation.passes.pattern_matching import PatternMatchAndApply

from jace.debug.stop import START, Stop
from jace.errors import JaceError

#: What a user's function does itself.
OWN_CODE = "own-code"
#: What `simplify` and `auto_optimize` do by plain functions: each call is a run of its own.
_FUNCTIONS: tuple[tuple[Any, str], ...] = (
    (auto_optimize, "tile_wcrs"),
    (auto_optimize, "set_fast_implementations"),
    (auto_optimize, "move_small_arrays_to_stack"),
    (auto_optimize, "make_transients_persistent"),
    (importlib.import_module("dace.sdfg.infer_types"), "infer_connector_types"),
    (importlib.import_module("dace.sdfg.infer_types"), "set_default_schedule_and_storage_types"),
    (importlib.import_module("dace.transformation.helpers"), "split_interstate_edges"),
    (dace.SDFG, "expand_library_nodes"),
)
#: What an SDFG's JSON has that says nothing about what it computes.
_NOISE = re.compile(r'"(?:guid|hash|timestamp|debuginfo|transformation_hist|dace_version)": (?:"[^"]*"|null)')


@dataclass(frozen=True)
class Application:
    """One application of a transformation.

    Attributes:
        name: its class.
        match: what it matched, for people.
        module: where the class is.
        replay: the match as DaCe's JSON, to apply it once more to the same SDFG; "" when it cannot be said.
    """

    name: str
    match: str
    module: str = ""
    replay: str = ""


@dataclass
class Run:
    """One run of a pass.

    Attributes:
        label: PASS/NAME or PASS/NAME.k, unique in a pipeline; PASS alone for a pass of jace's.
        applications: what it applied, in order; empty for a pass that changes the SDFG by itself.
        changed: whether the SDFG (or the jaxpr) after it differs from the one before. When something changed while
            none of several runs said so, it is said of each of them. Where nothing is compared: whether it applied a
            transformation, or is a pass of DaCe's that says so itself.
        finished: False for a run that was stopped or that raised.
    """

    label: str
    applications: list[Application] = field(default_factory=list)
    changed: bool = False
    finished: bool = False


class Stopped(BaseException):
    """The watch has seen what it was to stop after; no `Exception`, for DaCe swallows some of those."""


@dataclass
class Watch:
    """What ran in a pipeline, and where it is to stop.

    Attributes:
        stop: after what to stop; None for never.
        runs: all runs so far, in order.
        stopped: whether the pipeline was cut there.
    """

    stop: Stop | None = None
    compare: bool = False  #: find out which runs change the SDFG
    runs: list[Run] = field(default_factory=list)
    stopped: bool = False
    _sdfg: dace.SDFG | None = None
    _prefix: str = ""
    _users: bool = False  # a pass of a user's own
    _digest: str = ""
    _due: bool = False  # the next run or application must not begin
    _unseen: list[Run] = field(default_factory=list)  # runs since the last look at the SDFG
    _told: bool = False  # the last of them has changed something, by its own account
    _in_run: bool = False
    _in_application: bool = False
    _seen: Counter[str] = field(default_factory=Counter)
    _applied: Counter[str] = field(default_factory=Counter)

    def stops_before(self, name: str) -> bool:
        """Whether the stop is before the whole pass `name` of jace's; remembered."""
        if self.stop is not None and self.stop.application == 0:
            self.stopped |= self.stop.matches(name, 1) or self.stop.matches(f"{name}/{OWN_CODE}", 1)
        return self.stopped

    def stops_after(self, name: str) -> None:
        """The pass `name` of jace's ended: remember whether that is the stop."""
        self.stopped |= self.stop is not None and self.stop.matches(name, 1)

    @contextlib.contextmanager
    def inside(self, name: str, sdfg: dace.SDFG, *, users: bool = False) -> Iterator[None]:
        """Watch the pass `name` of the pipeline, which works on `sdfg` in place; ends early at the stop.

        `users`: it is a user's own.
        """
        self._sdfg, self._prefix, self._users = sdfg, name, users
        self._digest = digest(sdfg) if self.compare else ""
        # what happens before DaCe's first pass
        run = self._numbered(OWN_CODE) if users else Run(f"{name}/{START}")
        run.finished = True
        self._begin(run)
        self._due = self._is_target(run)
        token = _watch.set(self)
        try:
            with _hooks():
                yield
        except Stopped:
            self.stopped = True
            sdfg.reset_cfg_list()  # which DaCe does a little later than a transformation that adds regions
        except JaceError:
            raise  # what a step has left does not hold, which is seen at its end
        except (Exception, SystemExit):
            self.runs[-1].finished = False
            raise
        finally:
            _watch.reset(token)
            self._look()
            self.stopped |= self._due  # the stop is the end of the pass
            self._in_run = self._in_application = self._due = False
        self.stops_after(name)

    @contextlib.contextmanager
    def run(self, name: str) -> Iterator[None]:
        """One call of a pass of DaCe's; within another one it is a part of that."""
        if self._in_run:
            yield
            return
        self._boundary()
        if self._told or self._users:
            self._look()
        run = self._numbered(name)
        self._begin(run)
        if self._is_target(run) and self.stop is not None and self.stop.application == 0:
            raise Stopped
        self._in_run = True
        try:
            yield
            run.finished = True
        finally:
            self._in_run = False
            self._told |= not run.finished
        self._due |= self._is_target(run)
        if self._users:
            self._goes_on()

    def _numbered(self, name: str) -> Run:
        label = f"{self._prefix}/{name}"
        self._seen[label] += 1
        count = self._seen[label]
        return Run(label if count == 1 else f"{label}.{count}")

    def _goes_on(self) -> None:
        """A pass of DaCe's ended within a user's, whose own code goes on."""
        self._boundary()
        self._look()
        run = self._numbered(OWN_CODE)
        run.finished = True
        self._begin(run)
        self._due = self._is_target(run)
        if self._due and self.stop is not None and self.stop.application == 0:
            raise Stopped

    def about_to_change(self) -> None:
        """What began is going to change the SDFG: runs before it answer for what differs by now."""
        if not self._told and len(self._unseen) > 1:
            last = self._unseen[-1]
            self._look()
            self._unseen.append(last)
        self._told = True

    def has_changed(self) -> None:
        """A call of a pass says that it changed the SDFG; within another one it is for that to say."""
        if not self._in_run:
            self._told = True
            self.claims()

    def claims(self) -> None:
        """What runs says that it changes the SDFG, which counts where nothing is compared."""
        self.runs[-1].changed |= not self.compare

    @contextlib.contextmanager
    def application(self, found: Callable[[], Application]) -> Iterator[None]:
        """One application of a transformation; within another one it is a part of that."""
        if self._in_application:
            yield
            return
        made = found()
        with contextlib.nullcontext() if self._in_run else self.run(made.name):
            run = self.runs[-1]
            self._boundary()
            run.applications.append(made)
            self._in_application = True
            try:
                yield
            finally:
                self._in_application = False
            self._count(run)

    def _boundary(self) -> None:
        if self._due:
            raise Stopped

    def _is_target(self, run: Run) -> bool:
        label, _, number = run.label.partition(".")
        return self.stop is not None and self.stop.matches(label, int(number or 1))

    def _count(self, run: Run) -> None:
        """An application ended: is it the one to stop after?"""
        if self.stop is None or self.stop.application is None:
            return
        self._applied[self._prefix] += 1
        whole = self.stop.matches(self._prefix, 1) and self._applied[self._prefix] == self.stop.application
        if whole or (self._is_target(run) and len(run.applications) == self.stop.application):
            self._due = True

    def _begin(self, run: Run) -> None:
        self.runs.append(run)
        self._unseen.append(run)

    def _look(self) -> None:
        """Compare the SDFG with what it was at the last look, and have the runs since then answer for it.

        A look costs as much as some passes: it is due where a run says that it changed something, and at the end.
        """
        if self.compare and self._sdfg is not None:
            now = digest(self._sdfg)
            for run in self._unseen:
                run.changed |= now != self._digest
            self._digest = now
        self._unseen, self._told = [], False


def digest(sdfg: dace.SDFG) -> str:
    """A hash of what an SDFG says; a new one each time when it cannot be said in the middle of a pass."""
    try:
        text = json.dumps(sdfg.to_json(), default=str, sort_keys=True)
    except Exception as error:  # an SDFG in the making may have dangling ends: count it as changed
        return f"{type(error).__name__} {id(error)}"
    return hashlib.sha256(_NOISE.sub("", text).encode()).hexdigest()


# --- hooks --------------------------------------------------------------------------------------------------

_watch: ContextVar[Watch | None] = ContextVar("jace_watch", default=None)
#: The hooks are in DaCe's classes only while something is watched, so that whoever replaces a method is seen.
_hooks_lock = threading.RLock()


@contextlib.contextmanager
def _hooks() -> Iterator[None]:
    """Have every pass, transformation and listed function of DaCe tell the watch of its context."""
    with _hooks_lock:
        saved: list[tuple[Any, str, Any]] = []
        try:
            for cls in _subclasses(pass_pipeline.Pass):
                for name, hook in (("apply_pass", _hooked_pass), ("apply", _hooked_apply)):
                    if name in cls.__dict__:
                        saved.append((cls, name, cls.__dict__[name]))
                        setattr(cls, name, hook(cls.__dict__[name]))
            for owner, name in _FUNCTIONS:
                saved.append((owner, name, getattr(owner, name)))
                setattr(owner, name, _hooked_function(name, getattr(owner, name)))
            yield
        finally:
            for owner, name, original in reversed(saved):
                setattr(owner, name, original)


def _subclasses(cls: type[Any]) -> set[type[Any]]:
    found = {cls}
    for child in cls.__subclasses__():
        found |= _subclasses(child)
    return found


def _hooked_pass(original: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(original)
    def apply_pass(self: Any, *args: Any, **kwargs: Any) -> Any:
        watch = _watch.get()
        if watch is None or isinstance(self, pass_pipeline.Pipeline) or _only_looks(self):
            return original(self, *args, **kwargs)
        with watch.run(_run_name(self)):
            result = original(self, *args, **kwargs)
        if result is not None:
            watch.has_changed()
        return result

    return apply_pass


def _only_looks(step: Any) -> bool:
    """Whether a pass is an analysis; should it change something after all, that counts as the pass's before it."""
    return not isinstance(step, PatternMatchAndApply) and step.modifies() == pass_pipeline.Modifies.Nothing


def _run_name(step: Any) -> str:
    if isinstance(step, PatternMatchAndApply):
        return "+".join(type(x).__name__ for x in step.transformations)
    return type(step).__name__


def _hooked_apply(original: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(original)
    def apply(self: Any, graph: Any, *args: Any, **kwargs: Any) -> Any:
        watch = _watch.get()
        if watch is None:
            return original(self, graph, *args, **kwargs)
        with watch.application(lambda: _application(self, graph, watch.compare)):
            if isinstance(self, xf.TransformationBase):  # the `apply` of another pass may find nothing to do
                watch.about_to_change()
                watch.claims()
            return original(self, graph, *args, **kwargs)

    return apply


def _application(step: Any, graph: Any, told: bool) -> Application:
    """What is about to be applied; with `told` to whom, too."""
    cls = type(step)
    if not told:
        return Application(cls.__name__, "")
    return Application(cls.__name__, _match(step, graph), cls.__module__, _replay(step))


def _replay(step: Any) -> str:
    if not isinstance(step, xf.PatternTransformation):
        return ""
    try:
        return json.dumps(step.to_json())
    except Exception:  # properties of any kind; what was matched is still told for people
        return ""


def _match(step: Any, graph: Any) -> str:
    """What a transformation is applied to, in DaCe's words."""
    where = getattr(graph, "label", None) or type(graph).__name__
    if not isinstance(step, xf.PatternTransformation):
        return str(where)
    try:
        names = {id(node): name for name, node in step._get_pattern_nodes().items()}
        nodes = (f"{names[id(p)]}={getattr(step, names[id(p)])}" for p in step.subgraph if id(p) in names)
        return f"{', '.join(nodes)} in {where}"
    except Exception:  # a match set up by hand may lack what its nodes are looked up in: the place must do
        return str(where)


def _hooked_function(name: str, original: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(original)
    def call(*args: Any, **kwargs: Any) -> Any:
        watch = _watch.get()
        if watch is None:
            return original(*args, **kwargs)
        with watch.run(name):
            watch.about_to_change()  # a function does not say whether it did
            return original(*args, **kwargs)

    return call
