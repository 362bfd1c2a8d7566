"""The C++ compiler, through the on-disk cache."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from jace.build import units
from jace.build.cache import Cache, digest
from jace.build.disk import says_full
from jace.build.flags import Toolchain
from jace.build.scratch import forget_old, scratch_dir
from jace.errors import CompileError, CompilerKilledError

#: A unit that is compiled beside others has at least so many parts, and a program has at most so many units: each takes
#: some hundred megabytes, and several programs may be compiled at once.
PARTS, MOST_UNITS = 4, 4


@dataclass(frozen=True)
class Built:
    """A compiled, not yet loaded program: cache key, library file and what was compiled."""

    key: str
    path: Path
    source: str
    scratch: Path | None


#: What compilers and linkers say when a part of theirs was killed or got no memory.
_KILLED = re.compile(
    r"(?:Killed|Terminated) signal terminated program"
    r"|terminated with signal \d+ \[(?:Killed|Terminated)\]"
    r"|unable to execute command: (?:Killed|Terminated)"
    r"|out of memory allocating \d+ bytes"
    r"|virtual memory exhausted|[Cc]annot allocate memory|LLVM ERROR: out of memory"
)
_SIGNALS = (signal.SIGKILL, signal.SIGTERM)
#: As a process that was killed ends, and as a shell that ran it does.
_KILLED_STATUS = frozenset({*(-s for s in _SIGNALS), *(128 + s for s in _SIGNALS)})


def failure(
    message: str, stderr: str, *, command: str = "", source_file: str, status: int = 1
) -> CompileError:
    """The error of a compiler that failed: one of its own when it was killed, or found no room on the disk.

    Args:
        message: for one that rejected the code.
        stderr: what it printed.
        command, source_file: as `CompileError` has them.
        status: its exit status.
    """
    if says_full(stderr):
        return CompilerKilledError(
            f"the disk is full: the C++ compiler could not write to {tempfile.gettempdir()} ($TMPDIR says where); "
            "nothing is wrong with the program.",
            command=command,
            stderr=stderr,
        )
    if status not in _KILLED_STATUS and not _KILLED.search(stderr):
        return CompileError(message, command=command, stderr=stderr, source_file=source_file)
    return CompilerKilledError(
        "the C++ compiler was killed, most likely for lack of memory; nothing is wrong with the program. "
        "Compile fewer programs at a time, or give it more memory.",
        command=command,
        stderr=stderr,
        source_file=source_file,
    )


def run_compiler(command: Sequence[str], source: Path) -> None:
    """Run a compiler command.

    Raises:
        CompilerKilledError: if it is killed or gets no memory.
        CompileError: if it fails. The source file is left in place.
    """
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    if done.returncode != 0:
        forget_old()
        raise failure(
            f"the C++ compiler failed with exit status {done.returncode}",
            done.stderr,
            command=shlex.join(command),
            source_file=str(source),
            status=done.returncode,
        )


def unit_count(text: str) -> int:
    """In how many units at once a text is compiled on this machine."""
    return max(1, min(units.parts_in(text) // PARTS, MOST_UNITS, os.cpu_count() or 1))


def _compile(compiler: Sequence[str], source: Path, out: Path, libraries: Sequence[str], count: int) -> None:
    """Compile and link a source, in so many units at once."""
    if count < 2:
        run_compiler([*compiler, "-shared", "-o", str(out), str(source), *libraries], source)
        return

    def compiled(unit: int) -> str:
        to = str(out.with_suffix(f".{unit}.o"))
        run_compiler([*compiler, *units.flags(unit, count), "-c", "-o", to, str(source)], source)
        return to

    with ThreadPoolExecutor(count) as threads:
        objects = list(threads.map(compiled, range(count)))
    run_compiler([*compiler, "-shared", "-o", str(out), *objects, *libraries], source)
    for one in objects:
        Path(one).unlink()


def compile_text(
    text: str,
    flags: Sequence[str],
    libraries: Sequence[str],
    tools: Toolchain,
    cache: Cache | None,
    includes: Sequence[str] = (),
    suffix: str = ".cc",
) -> Built:
    """Compile a program into a shared library, through the cache; a long one in several units at once.

    Args:
        text: the C++ source.
        flags, libraries: of the compiler and of its linker; part of the key.
        includes: directories with headers that the versions of our dependencies pin; not part of the key.
        suffix: of the source file, which tells some compilers the language.
    """
    arguments = [*flags, *(f"-I{path}" for path in includes)]
    # Include paths are where things are, not what they are: the versions in `text` and `identity` say that.
    key = digest("direct", text, " ".join([*flags, *libraries]), str(bool(includes)), tools.identity)
    if cache is not None and (found := cache.library(key)) is not None:
        return Built(key, found, text, None)
    scratch = scratch_dir()
    source, out = scratch / f"program{suffix}", scratch / "program.so"
    source.write_text(text, encoding="utf-8")
    _compile([tools.path, *arguments], source, out, libraries, unit_count(text))
    if cache is None:
        return Built(key, out, text, scratch)
    path = cache.store(key, out, text)
    if path != out:
        shutil.rmtree(scratch, ignore_errors=True)
        return Built(key, path, text, None)
    return Built(key, out, text, scratch)
