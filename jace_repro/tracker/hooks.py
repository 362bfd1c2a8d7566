"""Where the tracker takes hold of JAX: beside :mod:`jace_repro.trace` the only place that knows ``jax._src``.

Measured on jax 0.10.1:

* ``pjit._pjit_call_impl_python`` is the one place through which every compiled call runs: jitted
  functions, JAX's own eager operations, eager scan/while/cond, and what an eager grad or vmap binds.
  It is a module global, so a late patch works, and it sees the arguments before XLA compiles or donates.
* It is only reached when the C++ fast path knows nothing: ``pjit._get_fastpath_data`` gives None while
  recording, and a fresh value of a ``jax.make_user_context`` makes every warm function miss once.
* ``pjit._trace_for_jit`` runs on a trace miss: what dies in it died while being traced.  Errors raised
  elsewhere under an API boundary (eager vmap, scan, ...) pass ``traceback_util.filter_traceback`` with
  their full traceback.
* Python callbacks of running programs go through ``callback.pure_callback_impl`` and ``io_callback_impl``, looked
  up anew for each call, with NumPy arrays that are XLA's buffers.
* Ahead of time: ``Traced.lower`` -> ``MeshComputation.compile`` -> ``MeshExecutable.call``.

Handlers see arguments as JAX has them; :func:`jace_repro.trace.inspect.data_of` makes data of them.
"""

from __future__ import annotations

import contextlib
import functools
import os
import sys
import threading
import types
import weakref
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import jax

from jace_repro.trace import inspect, instrument, jitted, stack
from jace_repro.trace.frames import whole_stack
from jace_repro.trace.inspect import trace_state_clean
from jace_repro.tracker.handler import Broadcast, Handler


class HooksUnavailable(RuntimeError):
    """This JAX release lacks something that the tracker hooks; the message names it."""


_NEEDED = (
    ("jax", "make_user_context"),
    ("jax._src.pjit", "_trace_for_jit"),
    ("jax._src.pjit", "_pjit_call_impl_python"),
    ("jax._src.pjit", "_get_fastpath_data"),
    ("jax._src.traceback_util", "filter_traceback"),
    ("jax._src.traceback_util", "register_exclusion"),
    ("jax._src.source_info_util", "register_exclusion"),
    ("jax._src.interpreters.partial_eval", "lower_jaxpr2"),
    ("jax._src.interpreters.pxla", "MeshComputation.compile"),
    ("jax._src.interpreters.pxla", "MeshExecutable.call"),
    ("jax._src.interpreters.pxla", "MeshExecutable.create_cpp_call"),
    ("jax._src.stages", "Traced.lower"),
    ("jax._src.stages", "Compiled.call"),
    ("jax._src.callback", "pure_callback_impl"),
    ("jax._src.callback", "io_callback_impl"),
)


def probe() -> list[str]:
    """The names that the tracker needs and this JAX release does not have; empty when all is well."""
    import importlib

    missing = []
    for module_name, path in (*_NEEDED, *inspect.NEEDED, *instrument.NEEDED):
        try:
            value: Any = importlib.import_module(module_name)
            for part in path.split("."):
                if isinstance(value, type) and not any(part in vars(c) for c in value.__mro__):
                    raise AttributeError(part)  # a metaclass may have one of that name
                value = getattr(value, part)
        except (ImportError, AttributeError):
            missing.append(f"{module_name}.{path}")
    return missing


def require() -> None:
    """Raises HooksUnavailable when :func:`probe` finds something missing."""
    if missing := probe():
        raise HooksUnavailable(
            f"jax {jax.__version__} has changed under the tracker: it has no {', '.join(missing)}. "
            "The tracker was written for jax 0.10.1 to 0.12.0.1."
        )


# ------------------------------------------------------------------------------------ installation

_local = threading.local()
_generation: Any = None  # a jax user context; made once, on first use
_installing = threading.Lock()
_broadcast = Broadcast()
_undo: list[Callable[[], None]] = []  # puts back what the hooks replaced, last first


@contextlib.contextmanager
def suspended() -> Iterator[None]:
    """Within it, this thread's JAX calls are the tracker's own.

    They are not reported, and not held to the program's wishes about transfers and eager execution.
    """
    depth = getattr(_local, "suspended", 0)
    _local.suspended = depth + 1
    try:
        with (
            jax.transfer_guard("allow"),
            jax.disable_jit(False),
            jax.check_tracer_leaks(False),
            stack.silent(),
        ):
            yield
    finally:
        _local.suspended = depth


def is_suspended() -> bool:
    """Whether this thread is inside :func:`suspended`."""
    return bool(getattr(_local, "suspended", 0))


@contextlib.contextmanager
def installed(handler: Handler) -> Iterator[None]:
    """Report to ``handler`` what every thread of this process does to JAX, until the context ends.

    Several handlers may be installed at a time: each is told everything.
    Raises HooksUnavailable (this JAX cannot be hooked).
    """
    require()
    _be_invisible()
    with _installing:
        if not _broadcast.handlers:
            for owner, name, wrapper in _patches(_broadcast):
                _undo.append(functools.partial(setattr, owner, name, owner.__dict__[name]))
                setattr(owner, name, wrapper)
            _undo.extend(instrument.install())
        _broadcast.handlers = (*_broadcast.handlers, handler)
    try:
        with _fresh_caches():
            yield
    finally:
        with _installing:
            _broadcast.handlers = tuple(h for h in _broadcast.handlers if h is not handler)
            while _undo and not _broadcast.handlers:
                _undo.pop()()


@functools.cache
def _be_invisible() -> None:
    """Keep the tracker's files out of the tracebacks JAX filters and out of the source lines of equations."""
    from jax._src import source_info_util, traceback_util

    for path in (__file__, str(Path(instrument.__file__).parent) + os.sep):
        traceback_util.register_exclusion(path)
        source_info_util.register_exclusion(path)


@contextlib.contextmanager
def _fresh_caches() -> Iterator[None]:
    """Make functions that are warm already miss JAX's caches, in all threads; theirs come back afterwards."""
    global _generation
    if _generation is None:
        make_context: Any = jax.make_user_context
        _generation = make_context(default_value=None)
    own = _Generation()
    _generations.append(own)
    _generation.set_global(own)
    try:
        yield
    finally:
        _generations.remove(own)
        _generation.set_global(_generations[-1])


class _Generation:
    """A value equal to nothing but itself: the key of one recording in JAX's caches."""


_generations: list[_Generation | None] = [None]  # of the open recordings, after the one without any


def _patches(handler: Handler) -> list[tuple[Any, str, Any]]:
    """(owner, attribute, replacement) of every hook."""
    from jax._src import callback, pjit, stages, traceback_util
    from jax._src.interpreters import partial_eval
    from jax._src.interpreters import pxla as untyped_pxla

    pxla: Any = untyped_pxla
    compiled_call: Any = stages.Compiled.call
    # Computations lowered ahead of time, and their executables, by what they were made from.
    lowered: weakref.WeakKeyDictionary[Any, tuple[Any, str]] = weakref.WeakKeyDictionary()
    executables: weakref.WeakKeyDictionary[Any, tuple[Any, str]] = weakref.WeakKeyDictionary()
    # Programs as they were traced, by what JAX runs in their place. Its cache holds the latter as long as the former.
    traced_as: weakref.WeakKeyDictionary[Any, weakref.ref[Any]] = weakref.WeakKeyDictionary()

    def run(closed: Any, args: Sequence[Any], name: str, call: Callable[[], Any], outputs: Any) -> Any:
        token = handler.executing(closed, args, name)
        stack = _running()
        stack.append(token)
        try:
            result = call()
        except BaseException as error:
            handler.failed(token, error)
            raise
        finally:
            stack.pop()
        if token is not None:
            handler.executed(token, outputs(result))
        return result

    lower_jaxpr = partial_eval.lower_jaxpr2

    @functools.wraps(lower_jaxpr)
    def hooked_lowering(high: Any) -> Any:
        low = lower_jaxpr(high)
        if low is not high:
            traced_as[low] = weakref.ref(high)
        return low

    call_impl = pjit._pjit_call_impl_python

    @functools.wraps(call_impl)
    def hooked_call(*args: Any, **params: Any) -> Any:
        if is_suspended():
            return call_impl(*args, **params)
        closed = params["jaxpr"]
        high = traced_as.get(closed)
        return run(
            closed if high is None else high() or closed,
            args,
            params["name"],
            lambda: call_impl(*args, **params),
            lambda result: result[0],
        )

    trace_for_jit = pjit._trace_for_jit

    @functools.wraps(trace_for_jit)
    def hooked_trace(fun: Callable[..., Any], *rest: Any, **kwargs: Any) -> Any:
        if is_suspended():
            return trace_for_jit(fun, *rest, **kwargs)
        if not trace_state_clean():
            return jitted.traced(trace_for_jit, fun, *rest, top=not stack.is_open(), **kwargs)
        handler.tracing(fun)
        try:
            traced = jitted.traced(trace_for_jit, fun, *rest, top=True, **kwargs)
        except BaseException as error:
            handler.trace_failed(error, whole_stack(error.__traceback__, sys._getframe(1)))
            raise
        finally:
            handler.trace_ended(fun)
        info, *_, arguments, keywords = rest
        handler.traced(traced.params, fun, info, arguments, keywords)
        return traced

    fastpath_data = pjit._get_fastpath_data

    @functools.wraps(fastpath_data)
    def no_fastpath(*args: Any, **kwargs: Any) -> None:
        return None

    filter_traceback = traceback_util.filter_traceback

    @functools.wraps(filter_traceback)
    def hooked_filter(tb: types.TracebackType) -> Any:
        error = sys.exc_info()[1]
        if not is_suspended() and error is not None and error.__traceback__ is tb:
            # the caller is api_boundary's wrapper, whose frame is also the traceback's first
            handler.trace_failed(error, whole_stack(tb, sys._getframe(2)))
        return filter_traceback(tb)

    lower = stages.Traced.lower

    @functools.wraps(lower)
    def hooked_lower(self: Any, *args: Any, **kwargs: Any) -> Any:
        result = lower(self, *args, **kwargs)
        if not is_suspended():
            lowered[result._lowering] = (self.jaxpr, self.fun_name)
        return result

    compile_ = pxla.MeshComputation.compile

    @functools.wraps(compile_)
    def hooked_compile(self: Any, *args: Any, **kwargs: Any) -> Any:
        if is_suspended():
            return compile_(self, *args, **kwargs)
        stack, known = _running(), lowered.get(self)
        if not stack and known is not None:
            handler.precompiled(*known)
        result = compile_(self, *args, **kwargs)
        if known is not None:
            executables[result] = known
        if stack and stack[-1] is not None:
            handler.compiled(stack[-1])
        return result

    call_executable = pxla.MeshExecutable.call

    @functools.wraps(call_executable)
    def hooked_executable(self: Any, *args: Any) -> Any:
        known = executables.get(self)
        if known is None or is_suspended():
            return call_executable(self, *args)
        closed, name = known
        own = args[len(args) - len(closed.in_avals) :]
        return run(closed, own, name, lambda: call_executable(self, *args), lambda result: result)

    create_cpp_call = pxla.MeshExecutable.create_cpp_call

    @functools.wraps(create_cpp_call)
    def hooked_create(self: Any, params: Any) -> Any:
        fast = create_cpp_call(self, params)
        if fast is None or self not in executables:
            return fast

        def call(*args: Any, **kwargs: Any) -> Any:
            if pxla.MeshExecutable.call is hooked_executable:
                return compiled_call(params, *args, **kwargs)[0]
            return fast(*args, **kwargs)

        return call

    def hooked_callback(call: Callable[..., Any], *, pure: bool) -> Callable[..., Any]:
        @functools.wraps(call)
        def called(*args: Any, **params: Any) -> Any:
            results = call(*args, **params)
            ordered = bool(params.get("ordered"))
            handler.answered(params["callback"], args, results, pure=pure, ordered=ordered)
            return results

        return called

    return [
        (callback, "pure_callback_impl", hooked_callback(callback.pure_callback_impl, pure=True)),
        (callback, "io_callback_impl", hooked_callback(callback.io_callback_impl, pure=False)),
        (partial_eval, "lower_jaxpr2", hooked_lowering),
        (pjit, "_pjit_call_impl_python", hooked_call),
        (pjit, "_trace_for_jit", hooked_trace),
        (pjit, "_get_fastpath_data", no_fastpath),
        (traceback_util, "filter_traceback", hooked_filter),
        (stages.Traced, "lower", hooked_lower),
        (pxla.MeshComputation, "compile", hooked_compile),
        (pxla.MeshExecutable, "call", hooked_executable),
        (pxla.MeshExecutable, "create_cpp_call", hooked_create),
    ]


def _running() -> list[Any]:
    """This thread's compiled calls in flight, outermost first (a callback may start another)."""
    stack: list[Any] | None = getattr(_local, "running", None)
    if stack is None:
        stack = _local.running = []
    return stack
