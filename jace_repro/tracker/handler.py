"""One handler of the hooks that stands for all recordings of this process."""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jace_repro.tracker.hooks import Handler


class Everyone:
    """Passes what the hooks report to every handler in :attr:`handlers`, outermost recording first.

    Its token of a call is what the handlers that are interested in it gave.
    """

    def __init__(self) -> None:
        self.handlers: tuple[Handler, ...] = ()

    def executing(self, closed: Any, args: Sequence[Any], name: str) -> list[tuple[Handler, Any]] | None:
        """See :class:`jace_repro.tracker.hooks.Handler`, as for the methods below."""
        tokens = [(h, token) for h in self.handlers if (token := h.executing(closed, args, name)) is not None]
        return tokens or None

    def compiled(self, token: list[tuple[Handler, Any]]) -> None:
        for handler, own in token:
            handler.compiled(own)

    def executed(self, token: list[tuple[Handler, Any]], outputs: Sequence[Any]) -> None:
        for handler, own in token:
            handler.executed(own, outputs)

    def failed(self, token: list[tuple[Handler, Any]] | None, error: BaseException) -> None:
        interested = dict(token or ())
        for handler in self.handlers:
            handler.failed(interested.get(handler), error)

    def tracing(self, fun: Callable[..., Any]) -> None:
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
        for handler in self.handlers:
            handler.traced(params, fun, info, args, kwargs)

    def trace_ended(self, fun: Callable[..., Any]) -> None:
        for handler in self.handlers:
            handler.trace_ended(fun)

    def trace_failed(self, error: BaseException, frames: list[tuple[types.FrameType, int]]) -> None:
        for handler in self.handlers:
            handler.trace_failed(error, frames)

    def precompiled(self, closed: Any, name: str) -> None:
        for handler in self.handlers:
            handler.precompiled(closed, name)

    def answered(
        self, callback: Any, args: Sequence[Any], results: Sequence[Any], *, pure: bool, ordered: bool
    ) -> None:
        for handler in self.handlers:
            handler.answered(callback, args, results, pure=pure, ordered=ordered)
