"""Sanitized builds: where a compiled program reads or writes out of bounds, in terms of the SDFG and of the user.

A worker of a sanitizing pool has AddressSanitizer preloaded (`environment`), and its backend builds programs with
AddressSanitizer and UndefinedBehaviorSanitizer (`backend`). What they print before they end the worker is read by
`fault`; what the lines of the generated C++ that it names are about is told by `locate.crash`.
"""

from __future__ import annotations

import functools
import os
import re
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jax.extend.core import ClosedJaxpr

from jace.build import default_cache, toolchain
from jace.errors import CompileError
from jace_repro.tester.execute.backends import Backend, Executable, compiling_with, load_backend

#: A report ends the process; leaks are Python's and XLA's business; neither pairs malloc with free as C++ wants it.
_ASAN_OPTIONS = (
    "detect_leaks=0",
    "alloc_dealloc_mismatch=0",
    "detect_odr_violation=0",
    "allocator_may_return_null=1",
    "quarantine_size_mb=64",
    "handle_sigfpe=1",
    "handle_sigill=1",
    "exitcode=86",
)
_UBSAN_OPTIONS = ("print_stacktrace=1", "halt_on_error=1", "exitcode=86")

_ASAN = re.compile(r"ERROR: AddressSanitizer: ([\w\-]+)")
_UBSAN = re.compile(r"^(.*program\.cc):(\d+):\d+: runtime error: (.*)$", re.MULTILINE)
_ACCESS = re.compile(r"^(READ|WRITE) of size (\d+)", re.MULTILINE)
_SIGNAL_ACCESS = re.compile(r"caused by a (READ|WRITE) memory access")
_REGION = re.compile(r"is located (.*?) ?\[0x[0-9a-f]+,")
_FRAME = re.compile(r"^ +#\d+ 0x[0-9a-f]+ in (.*?) (?:\S*/)?program\.cc:(\d+)", re.MULTILINE)


@dataclass(frozen=True)
class Fault:
    """What a sanitizer said.

    Attributes:
        kind: "heap-buffer-overflow", "SEGV", "undefined-behavior", ...
        what: for people: the access and the block of memory, or the message.
        lines: of the generated C++, innermost frame first.
    """

    kind: str
    what: str
    lines: tuple[int, ...]


@functools.cache
def _libraries() -> tuple[str, ...]:
    """What must be loaded before Python: libasan, and libstdc++ whose functions it wraps.

    Raises:
        CompileError: this compiler has no AddressSanitizer to load.
    """
    tools = toolchain()
    names = ("libclang_rt.asan-x86_64.so",) if tools.is_clang else ("libasan.so",)
    found = []
    for name in (*names, "libstdc++.so.6"):
        done = subprocess.run(
            [tools.path, f"-print-file-name={name}"], capture_output=True, text=True, check=False
        )
        path = done.stdout.strip()
        if not os.path.isabs(path) or not os.path.exists(path):  # the bare name comes back: not found
            raise CompileError(f"--sanitize needs {name}, which {tools.path} does not have")
        found.append(os.path.realpath(path))
    return tuple(found)


def environment(folder: Path) -> dict[str, str]:
    """The variables of a process that runs sanitized programs. Raises CompileError when it cannot be.

    Where the user has no cache, programs are kept in the folder: a stack is told by the library that lies there.
    """
    kept = {} if default_cache() is not None else {"JACE_CACHE": "1", "JACE_CACHE_DIR": str(folder / "kept")}
    return {
        **kept,
        "LD_PRELOAD": " ".join(_libraries()),
        "ASAN_OPTIONS": ":".join(_ASAN_OPTIONS),
        "UBSAN_OPTIONS": ":".join(_UBSAN_OPTIONS),
        # OpenBLAS and XLA keep their threads; the program's own are one, so that a report has one stack.
        "OMP_NUM_THREADS": "1",
    }


def source_file(folder: Path, pid: int) -> Path:
    """Where worker `pid` keeps the C++ of the program it runs, annotated."""
    return folder / f"generated-{pid}.cc"


def sanitizing(name: str) -> Backend:
    """The backend called `name`; if it takes compiler options, with sanitized builds whose source is kept."""
    backend = load_backend(name)
    sanitized = compiling_with(backend, sanitize=True)
    return backend if sanitized is None else functools.partial(_keeping_source, sanitized)


def _keeping_source(
    backend: Backend, closed: ClosedJaxpr, pipeline: str, enter: Callable[[str], None]
) -> Executable:
    """A program whose annotated source is in the working directory from now on."""
    built: Any = backend(closed, pipeline, enter)
    path = source_file(Path.cwd(), os.getpid())
    path.unlink(missing_ok=True)
    # jace's cache keeps the source beside the library; a link to it also says where a person finds it.
    (kept,) = (Path(library["file"]).with_suffix(".cpp") for library in built.loaded())
    if kept.exists() and not kept.is_relative_to(Path.cwd()):
        path.symlink_to(kept)
    else:
        path.write_text(built.compiled.as_text(), encoding="utf-8")
    return built


def fault(report: str) -> Fault | None:
    """The last report of a sanitizer in a process's output, None if there is none."""
    undefined = list(_UBSAN.finditer(report))
    address = list(_ASAN.finditer(report))
    if undefined and not (address and address[-1].start() > undefined[-1].start()):
        found = undefined[-1]
        rest = report[found.start() :]
        return Fault("undefined-behavior", found[3], (int(found[2]), *_frames(rest)))
    if not address:
        return None
    rest = report[address[-1].start() :]
    own = rest.partition("\n\n")[0]  # the stacks of allocation follow after an empty line
    access = _ACCESS.search(own) or _SIGNAL_ACCESS.search(own)
    size = f" of {access[2]} bytes" if access and access.re is _ACCESS else ""
    region = _REGION.search(rest)
    told = [f"{access[1].lower()}{size}"] if access else []
    if region:
        told.append(region[1].replace("to the right of", "after").replace("to the left of", "before"))
    return Fault(address[-1][1], ", ".join(told), _frames(own))


def _frames(text: str) -> tuple[int, ...]:
    return tuple(int(line) for _, line in _FRAME.findall(text))
