"""Who is told what a program does to JAX: the protocol of the hooks, and the handlers that need no recording.

Needs no JAX.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping, Sequence
from typing import Any


class Handler:
    """What :func:`jace_repro.tracker.hooks.installed` calls; each method does nothing until a subclass has its own.

    Nothing but BaseException that is no Exception may come out of it.
    """

    def executing(self, closed: Any, args: Sequence[Any], name: str) -> Any:
        """A compiled call is about to compile or run.  What is returned is passed to the methods below.

        None says that this call is of no interest: only ``failed`` may follow.
        """

    def compiled(self, token: Any) -> None:
        """XLA has compiled it; it runs next."""

    def executed(self, token: Any, outputs: Sequence[Any]) -> None:
        """It returned (perhaps asynchronously) its flat outputs."""

    def failed(self, token: Any, error: BaseException) -> None:
        """Compiling or running it raised."""

    def tracing(self, fun: Callable[..., Any]) -> None:
        """A top-level function is about to be traced."""

    def traced(
        self,
        params: Mapping[str, Any],
        fun: Callable[..., Any],
        info: Any,
        args: Sequence[Any],
        kwargs: Mapping[str, Any],
    ) -> None:
        """It was traced: ``params`` of the jit equation, ``info`` JAX's PjitInfo, the arguments as given."""

    def trace_ended(self, fun: Callable[..., Any]) -> None:
        """It was traced, or an error was raised (see ``trace_failed``)."""

    def trace_failed(self, error: BaseException, frames: list[tuple[types.FrameType, int]]) -> None:
        """An error is leaving JAX.  ``frames`` is the whole stack, outermost first, with line numbers."""

    def precompiled(self, closed: Any, name: str) -> None:
        """A function is about to be compiled ahead of time, without arguments."""

    def answered(
        self, callback: Any, args: Sequence[Any], results: Sequence[Any], *, pure: bool, ordered: bool
    ) -> None:
        """A pure or io callback of a running program has returned; ``args`` are gone after the call."""


class Collector(Handler):
    """Keeps the jaxprs that JAX compiles or runs, in order."""

    def __init__(self) -> None:
        self.programs: list[Any] = []

    def executing(self, closed: Any, args: Sequence[Any], name: str) -> None:
        """Keep it; nothing else about the call is of interest."""
        self.programs.append(closed)


class Broadcast(Handler):
    """Passes what the hooks report to every handler in :attr:`handlers`, outermost recording first.

    Its token of a call is what the handlers that are interested in it gave.
    """

    def __init__(self) -> None:
        self.handlers: tuple[Handler, ...] = ()

    def executing(self, closed: Any, args: Sequence[Any], name: str) -> list[tuple[Handler, Any]] | None:
        """Ask every handler; the tokens of those that are interested."""
        tokens = [(h, token) for h in self.handlers if (token := h.executing(closed, args, name)) is not None]
        return tokens or None

    def compiled(self, token: list[tuple[Handler, Any]]) -> None:
        """Tell those that are interested in the call."""
        for handler, own in token:
            handler.compiled(own)

    def executed(self, token: list[tuple[Handler, Any]], outputs: Sequence[Any]) -> None:
        """Tell those that are interested in the call."""
        for handler, own in token:
            handler.executed(own, outputs)

    def failed(self, token: list[tuple[Handler, Any]] | None, error: BaseException) -> None:
        """Tell everyone, each with its own token."""
        interested = dict(token or ())
        for handler in self.handlers:
            handler.failed(interested.get(handler), error)

    def tracing(self, fun: Callable[..., Any]) -> None:
        """Tell everyone."""
        for handler in self.handlers:
            handler.tracing(fun)

    def traced(
        self,
        params: Mapping[str, Any],
        fun: Callable[..., Any],
        info: Any,
        args: Sequence[Any],
        kwargs: Mapping[str, Any],
    ) -> None:
        """Tell everyone."""
        for handler in self.handlers:
            handler.traced(params, fun, info, args, kwargs)

    def trace_ended(self, fun: Callable[..., Any]) -> None:
        """Tell everyone."""
        for handler in self.handlers:
            handler.trace_ended(fun)

    def trace_failed(self, error: BaseException, frames: list[tuple[types.FrameType, int]]) -> None:
        """Tell everyone."""
        for handler in self.handlers:
            handler.trace_failed(error, frames)

    def precompiled(self, closed: Any, name: str) -> None:
        """Tell everyone."""
        for handler in self.handlers:
            handler.precompiled(closed, name)

    def answered(
        self, callback: Any, args: Sequence[Any], results: Sequence[Any], *, pure: bool, ordered: bool
    ) -> None:
        """Tell everyone."""
        for handler in self.handlers:
            handler.answered(callback, args, results, pure=pure, ordered=ordered)
