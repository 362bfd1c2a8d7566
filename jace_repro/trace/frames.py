"""Stack frames and source lines: which are the user's, which JAX's, and how they are shown.

A place is "file:line" or "file:line (function)" with the file as Python knows it: whose it is can be told of that
alone. Where a place is written down for a person to read, :func:`shown` makes its file relative.
"""

from __future__ import annotations

import contextlib
import functools
import os
import re
import sys
import types
from pathlib import Path
from typing import Any

import jax
import jaxlib
import numpy as np

from jace_repro.paths import SOURCE_ROOT


def _directories(*files: str | None) -> tuple[str, ...]:
    """The directories of files, under the names that code from there knows them by and under their own."""
    named = [Path(str(file)).parent for file in files]
    return tuple(dict.fromkeys(f"{d}{os.sep}" for name in named for d in (name, name.resolve())))


JAX_DIRECTORIES = _directories(jax.__file__, jaxlib.__file__)


def whole_stack(
    tb: types.TracebackType | None, caller: types.FrameType | None
) -> list[tuple[types.FrameType, int]]:
    """Frames of the stack up to and including ``caller``, then those of the traceback, outermost first."""
    outer: list[tuple[types.FrameType, int]] = []
    frame = caller
    while frame is not None:
        outer.append((frame, frame.f_lineno))
        frame = frame.f_back
    outer.reverse()
    while tb is not None:
        outer.append((tb.tb_frame, tb.tb_lineno))
        tb = tb.tb_next
    return [(f, line) for f, line in outer if f.f_code.co_varnames != REDIRECTED]


#: Local variables of the code that stands in for a public function's while recording: it has the function's name,
#: and its frame is followed by the function's own.
REDIRECTED = ("_args", "_kwargs", "_target")


def frames_of(error: BaseException) -> list[tuple[types.FrameType, int]]:
    """The frames of an exception's traceback, outermost first."""
    return whole_stack(error.__traceback__, None)


def is_jax_file(filename: str) -> bool:
    """Whether a source file belongs to JAX itself."""
    return filename.startswith(JAX_DIRECTORIES)


def function_source(closed: Any) -> tuple[str, str, int]:
    """(name, file, line) of the Python function a jaxpr was traced from; file "" and line 0 if unknown."""
    return split_source(closed.jaxpr.debug_info.func_src_info)


def split_source(text: str) -> tuple[str, str, int]:
    """Take "name at file:line" apart."""
    name, _, where = text.partition(" at ")
    file, _, line = where.rpartition(":")
    return (name, file, int(line)) if line.isdigit() else (name, "", 0)


def shown_path(file: str) -> str:
    """A source file relative to the working directory where it lies under it, else as it is."""
    with contextlib.suppress(ValueError, OSError):
        return _shown_from(os.getcwd(), file)
    return file


@functools.lru_cache(maxsize=1 << 12)
def _shown_from(directory: str, file: str) -> str:
    relative = os.path.relpath(file, directory)
    return file if relative.startswith(os.pardir) else relative


_PLACE = re.compile(r"(.*):(\d+)( \(.*\))?", re.DOTALL)


def file_of(place: str) -> str:
    """The file of a place; "" where it has none."""
    match = _PLACE.fullmatch(place)
    return match[1] if match else ""


def line_of(place: str) -> str:
    """The "file:line" of a place."""
    match = _PLACE.fullmatch(place)
    return f"{match[1]}:{match[2]}" if match else place


def shown(place: str) -> str:
    """A place as it is written down: the file by :func:`shown_path`."""
    match = _PLACE.fullmatch(place)
    return f"{shown_path(match[1])}{place[match.end(1) :]}" if match else place


def is_user_frame(frame: types.FrameType) -> bool:
    """Whether a frame runs code that is neither JAX's nor jace's nor the harness's nor Python's own start-up."""
    return is_user_file(frame.f_code.co_filename)


def is_user_file(file: str) -> bool:
    """Whether code from a file is neither JAX's nor jace's nor the harness's nor Python's own start-up."""
    return not (is_jax_file(file) or file.startswith(_NOT_USER) or file in _PLUMBING)


_JACE = SOURCE_ROOT / "jace" / "__init__.py"  # where self-checks have a stand-in for it, too
# opt_einsum, which jax.numpy imports, checks the operands of jnp.einsum
_LIBRARIES = (np.__file__, str(_JACE), getattr(sys.modules.get("opt_einsum"), "__file__", np.__file__))
_NOT_USER = (*_directories(os.path.dirname(__file__), *_LIBRARIES), "<frozen")  # jace_repro: the folder above
_PLUMBING = frozenset({contextlib.__file__, functools.__file__})


#: Files of JAX through which a jitted function comes to be traced when a program calls it itself.
_JIT = frozenset(
    f"{directory}_src{os.sep}{name}.py"
    for directory in _directories(jax.__file__)
    for name in ("pjit", "traceback_util", "tree_util", "tree")
)


def called_by_program() -> bool:
    """Whether it was the program that called the jitted function that is being traced, and not code of JAX."""
    frame: types.FrameType | None = sys._getframe(1)
    while frame is not None and not is_user_frame(frame):
        file = frame.f_code.co_filename
        if is_jax_file(file) and file not in _JIT and frame.f_code.co_varnames != REDIRECTED:
            return False
        frame = frame.f_back
    return frame is not None


def is_jitted_by_jax(fun: Any) -> bool:
    """Whether a module of JAX has a jitted form of this function, or a class in that module."""
    module = sys.modules.get(getattr(fun, "__module__", None) or "")
    if module is None or not is_jax_file(getattr(module, "__file__", None) or ""):
        return False
    owners = [module, *(value for value in vars(module).values() if isinstance(value, type))]
    values = [value for owner in owners for value in vars(owner).values()]
    functions = [getattr(value, "_func", value) for value in values]  # -x is the jitted function of a ufunc
    return any(getattr(function, "__wrapped__", None) is fun for function in functions)


def user_line() -> str:
    """The innermost user line of the current stack, a place with its function, or ""."""
    frame: types.FrameType | None = sys._getframe(1)
    while frame is not None and not is_user_frame(frame):
        frame = frame.f_back
    return "" if frame is None else describe_frame(frame, frame.f_lineno)


def describe_frame(frame: types.FrameType, line: int) -> str:
    """The "file:line (function)" of a frame."""
    return f"{frame.f_code.co_filename}:{line} ({frame.f_code.co_qualname})"
