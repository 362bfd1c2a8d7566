"""One run of the C++ compiler, through the on-disk cache."""

from __future__ import annotations

import shlex
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from jace.build.cache import Cache, digest, scratch_dir
from jace.build.flags import Toolchain
from jace.errors import CompileError


@dataclass(frozen=True)
class Built:
    """A compiled, not yet loaded program: cache key, library file and what was compiled."""

    key: str
    path: Path
    source: str
    scratch: Path | None


def run_compiler(command: Sequence[str], source: Path) -> None:
    """Run a compiler command.

    Raises:
        CompileError: if it fails; the source file is left in place.
    """
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    if done.returncode != 0:
        raise CompileError(
            f"the C++ compiler failed with exit status {done.returncode}",
            command=shlex.join(command),
            stderr=done.stderr,
            source_file=str(source),
        )


def compile_text(
    text: str,
    flags: Sequence[str],
    libraries: Sequence[str],
    tools: Toolchain,
    cache: Cache | None,
    includes: Sequence[str] = (),
) -> Built:
    """Compile one translation unit into a shared library, through the cache.

    Args:
        text: the C++ source.
        flags, libraries: of the compiler and of its linker; part of the key.
        includes: directories with headers that the versions of our dependencies pin; not part of the key.
    """
    arguments = [*flags, *(f"-I{path}" for path in includes)]
    # Include paths are where things are, not what they are: the versions in `text` and `identity` say that.
    key = digest("direct", text, " ".join([*flags, *libraries]), str(bool(includes)), tools.identity)
    if cache is not None and (found := cache.library(key)) is not None:
        return Built(key, found, text, None)
    scratch = scratch_dir()
    source, out = scratch / "program.cc", scratch / "program.so"
    source.write_text(text, encoding="utf-8")
    run_compiler([tools.path, *arguments, "-shared", "-o", str(out), str(source), *libraries], source)
    if cache is None:
        return Built(key, out, text, scratch)
    path = cache.store(key, out, text)
    if path != out:
        shutil.rmtree(scratch, ignore_errors=True)
        return Built(key, path, text, None)
    return Built(key, out, text, scratch)
