"""Command lines that work as they are printed: with the programs of the environment that prints them."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from pathlib import Path

from jace_repro.campaign.report import relative


def python(*words: str | Path) -> str:
    """A command line for this environment's Python."""
    return _line(_typed("python", _beside("python")), words)


def jace_repro(*words: str | Path) -> str:
    """A command line for this environment's jace-repro."""
    script = _beside("jace-repro")
    if script.name == "jace-repro":
        return _line(_typed("jace-repro", script), words)
    return python("-m", "jace_repro", *words)


def shown(path: Path) -> str:
    """A path as short as it can be typed from here."""
    seen = relative(path, Path.cwd()) or str(path)
    return str(path) if seen.startswith("../../..") else seen


def _beside(name: str) -> Path:
    """The program of that name in this environment; its Python, by whatever name, when there is none."""
    program = Path(sys.executable).with_name(name)
    return program if program.exists() else Path(sys.executable)


def _typed(name: str, program: Path) -> str:
    """The name alone where the shell finds that program under it, else where it lies."""
    found = shutil.which(name)
    if found is not None and os.path.realpath(Path(found).parent) == os.path.realpath(program.parent):
        return name
    return shlex.quote(shown(program))


def _line(program: str, words: tuple[str | Path, ...]) -> str:
    texts = (shown(word) if isinstance(word, Path) else word for word in words)
    return " ".join([program, *map(shlex.quote, texts)])
