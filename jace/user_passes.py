"""Passes of a user's own on SDFGs: by the name they were registered under, or as `FILE.py:NAME`.

What such a name stands for is a function that changes an SDFG in place, a `dace.transformation.pass_pipeline.Pass` or a
transformation of DaCe's (the class, or one with properties of its own), or a list of these. `jace.pipelines` has them
as steps of a pipeline.
"""

from __future__ import annotations

import difflib
import re
import runpy
import sysconfig
import traceback
from collections.abc import Mapping
from pathlib import Path
from typing import Any

#: FILE.py:NAME
_IN_FILE = re.compile(r"(?P<file>.+\.py):(?P<name>[A-Za-z_]\w*)")
_NAME = re.compile(r"[A-Za-z_][\w-]*")
#: Run under this name: `if __name__ == "__main__"` is not meant.
RUN_NAME = "jace_user_passes"

#: name -> (the change that it was registered by, passes).
_registered: dict[str, tuple[int, tuple[Any, ...]]] = {}
#: Files that were run: path -> (the change, their text, what they define).
_files: dict[Path, tuple[int, str, Mapping[str, Any]]] = {}
#: What the file defines that this process was started with, wherever it lies now.
_given: Mapping[str, Any] | None = None
#: How often a name came to stand for something else.
_changes = 0


def in_file(step: str) -> tuple[str, str] | None:
    """File and name of a step that is written FILE.py:NAME; None for any other."""
    match = _IN_FILE.fullmatch(step)
    return (match["file"], match["name"]) if match else None


def is_one(step: str) -> bool:
    """Whether a step of a pipeline is a user's pass; its file need not be there."""
    return step in _registered or in_file(step) is not None


def is_name(name: str) -> bool:
    """Whether a pass may be registered under this name."""
    return _NAME.fullmatch(name) is not None


def register(name: str, *passes: Any) -> None:
    """Have `name` stand for these passes, in order; what it stood for before is forgotten.

    Raises:
        ValueError: no name for a pass, or no pass.
    """
    if not is_name(name):
        raise ValueError(f"{name!r} is no name for a pass: letters, digits, _ and -, a letter first")
    if not passes:
        raise ValueError(f"no pass is given for {name!r}")
    _registered[name] = _changed(), passes


def give(namespace: Mapping[str, Any]) -> None:
    """Look passes that are written FILE.py:NAME up here: the file was run already, under any name."""
    global _given
    _given = namespace
    _changed()


def token() -> str:
    """A string that changes with every name that comes to stand for something else; "" while there are none."""
    return f"user-passes-{_changes}" if _changes else ""


def identity(step: str) -> str:
    """What a step stands for in this process, as a string that nothing else has.

    Raises:
        ValueError: as for `resolve`.
    """
    if step in _registered:
        return f"{step}#{_registered[step][0]}"
    resolve(step)
    place = in_file(step)
    known = _files.get(Path(place[0]).resolve()) if place is not None and _given is None else None
    return f"{step}#{known[0] if known is not None else 0}"


def _changed() -> int:
    global _changes
    _changes += 1
    return _changes


def resolve(step: str) -> tuple[Any, ...]:
    """The passes that a step stands for; a file is run when it was not, or was changed since.

    Raises:
        ValueError: there is no such file, or no such name in it. What the file raises is not caught.
    """
    if step in _registered:
        return _registered[step][1]
    place = in_file(step)
    if place is None:
        raise ValueError(
            f"{step!r} is no pass: write FILE.py:NAME, or register it with jace.register_pipeline"
        )
    file, name = place
    defined = _given if _given is not None else _defined(file)
    if name not in defined:
        near = difflib.get_close_matches(name, [n for n in defined if not n.startswith("_")], n=1)
        raise ValueError(f"{file} defines no {name!r}" + (f"; did you mean {near[0]}?" if near else ""))
    return (defined[name],)


def place_of(error: BaseException) -> str:
    """Where in a user's code what a pass raised comes from: " (line 12, in f)"; "" where none of it is the user's."""
    libraries = tuple({sysconfig.get_path(name) for name in ("stdlib", "purelib", "platlib")})
    frames = traceback.extract_tb(error.__traceback__)
    own = [f for f in frames if not f.filename.startswith((str(Path(__file__).parent), *libraries))]
    return f" (line {own[-1].lineno}, in {own[-1].name})" if own else ""


def _defined(file: str) -> Mapping[str, Any]:
    path = Path(file).resolve()
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise ValueError(f"the pass of a pipeline cannot be read from {file}: {error.strerror}") from error
    known = _files.get(path)
    if known is None or known[1] != text:
        known = _changed(), text, runpy.run_path(str(path), run_name=RUN_NAME)
        _files[path] = known
    return known[2]
