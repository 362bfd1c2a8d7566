"""One jaxpr on its way to machine code: translated, compiled and loaded once, by whoever asks first.

A `Unit` knows a jaxpr and how it is to be compiled; `unit.program` is its SDFG, `unit.library` its loaded
code. A library found in the on-disk index needs neither: a warm process imports no DaCe and translates
nothing.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import platform
import threading
import time
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from typing import Any

from jax.extend.core import ClosedJaxpr

from jace.build import Library, Signature
from jace.build.cache import Cache, default_cache, digest
from jace.build.flags import toolchain
from jace.debug import notes
from jace.errors import CompileError
from jace.ir.canonical import fingerprint
from jace.settings import Settings


class Unit:
    """A jaxpr and its settings; see the module's docstring.

    Attributes:
        closed: the jaxpr, constants hoisted to its leading inputs.
        settings: how it is compiled.
        seconds: {"translate": s, "compile": s}; 0.0 for a stage that the cache made unnecessary.
    """

    def __init__(self, closed: ClosedJaxpr, settings: Settings) -> None:
        self.closed = closed
        self.settings = settings
        self.seconds = {"translate": 0.0, "compile": 0.0}
        self._program: Any = None
        self._library: Library | None = None
        self._lock = threading.RLock()

    @functools.cached_property
    def fingerprint(self) -> str:
        """Hash of the jaxpr."""
        return fingerprint(self.closed)

    @functools.cached_property
    def key(self) -> str:
        """Hash of everything that decides the compiled code."""
        return digest(
            self.fingerprint,
            self.settings.pipeline,
            repr(self.settings.options),
            self.settings.rules,
            _versions(),
            _sources(),
            toolchain().identity,
        )

    @property
    def program(self) -> Any:
        """The `Program` (SDFG and buffers), translated when first asked for.

        Raises:
            UnsupportedPrimitiveError, TranslateError, InvalidSDFGError, PassError: when the pipeline fails.
        """
        with self._lock:
            if self._program is None:
                from jace.translate import passes

                with _timed(self.seconds, "translate"), notes.annotated(self.settings.options.sanitize):
                    self._program = passes.translate(self.closed, self.settings.pipeline)
            return self._program

    @property
    def library(self) -> Library:
        """The loaded code, compiled when first asked for.

        Raises:
            JaceError: whatever stage fails.
        """
        if self._library is None:
            with self._lock, _lock_of(self.key):
                if self._library is None:
                    self._library = self._remembered() or self._build()
        return self._library

    @property
    def idle(self) -> tuple[str, ...]:
        """Passes of the user's own that left the SDFG as it was; none where the code was there already."""
        return () if self._program is None else tuple(self._program.idle)

    def prepare(self) -> None:
        """Make sure that the jaxpr translates, unless compiled code is there already."""
        with self._lock:
            if self._library is None and self._program is None:
                self._library = self._remembered()
                if self._library is None:
                    _ = self.program

    def _remembered(self) -> Library | None:
        """The library from this process or the on-disk index (replaced rules live in this process only)."""
        with _libraries_lock:
            if (found := _libraries.get(self.key)) is not None:
                return found
        cache = default_cache()
        if cache is None or self.settings.rules:
            return None
        loaded = _from_index(cache, self.key)
        if loaded is not None:
            _keep(self.key, loaded)
        return loaded

    def _build(self) -> Library:
        from jace.build.drivers import build_library

        program = self.program
        try:
            with _timed(self.seconds, "compile"):
                library = build_library(program, self.settings.options)
        except CompileError as error:
            from jace.translate.rejected import with_equation

            raise with_equation(error, self.closed, self.settings.pipeline) from error.__cause__
        cache = default_cache()
        if cache is not None and not self.settings.rules:
            record = {
                "object": library.key,
                "signature": library.signature.to_json(),
                "externals": list(library.externals),
            }
            cache.remember(self.key, record)
        _keep(self.key, library)
        return library


@functools.lru_cache(maxsize=1024)
def unit_of(closed: ClosedJaxpr, settings: Settings) -> Unit:
    """The unit of a jaxpr object; the same object with equal settings gives the same unit while it is in use."""
    return Unit(closed, settings)


_libraries: dict[str, Library] = {}
_libraries_lock = threading.Lock()
_key_locks: dict[str, threading.RLock] = {}


def clear_caches() -> None:
    """Forget what this process has translated and compiled (not the on-disk cache). Running programs go on."""
    with _libraries_lock:
        _libraries.clear()
    unit_of.cache_clear()


def _keep(key: str, library: Library) -> None:
    with _libraries_lock:
        _libraries[key] = library


def _lock_of(key: str) -> threading.RLock:
    """One lock a key: two threads that compile the same program take turns, different programs do not."""
    with _libraries_lock:
        return _key_locks.setdefault(key, threading.RLock())


def _from_index(cache: Cache, key: str) -> Library | None:
    record = cache.lookup(key)
    if record is None:
        return None
    try:
        signature, obj = Signature.from_json(record["signature"]), str(record["object"])
        externals = tuple(str(name) for name in record["externals"])
    except (KeyError, TypeError, ValueError):
        return None  # a damaged entry is a missing one
    path = cache.library(obj)
    if path is None:
        return None
    try:
        return Library.load(path, obj, signature, cache.source(obj), externals)
    except CompileError:
        return None  # e.g. built against a library that is gone: build it again


@contextlib.contextmanager
def _timed(seconds: dict[str, float], stage: str) -> Iterator[None]:
    start = time.perf_counter()
    try:
        yield
    finally:
        seconds[stage] += time.perf_counter() - start


@functools.cache
def _versions() -> str:
    names = ("jax", "jaxlib", "dace", "numpy", "scipy")
    return " ".join([platform.python_version(), *(f"{name}={_version(name)}" for name in names)])


def _version(name: str) -> str:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return "none"


@functools.cache
def _sources() -> str:
    """Hash of the package's own sources: a changed rule or header makes new programs."""
    root = Path(__file__).parents[1]
    h = hashlib.sha256()
    for path in sorted(p for p in root.rglob("*") if p.suffix in (".py", ".h", ".cc")):
        h.update(str(path.relative_to(root)).encode() + b"\0")
        h.update(path.read_bytes() + b"\0")
    return h.hexdigest()
