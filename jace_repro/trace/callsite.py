"""Where in the user's code a call stands, and what the user calls its result: read from frames and bytecode."""

from __future__ import annotations

import bisect
import dis
import functools
import inspect
import sys
import types
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from jace_repro.trace.frames import is_user_file
from jace_repro.trace.model import Path

#: Which unpacking of an array gave values last, and how many: ((frame, offset), count).
Unpacking = tuple[tuple[int, int] | None, int]


def user_frame() -> types.FrameType | None:
    """The innermost frame of this thread that runs the user's code, or a library's."""
    frame: types.FrameType | None = sys._getframe(2)  # neither the caller nor its caller is
    while frame is not None and not _is_user_file(frame.f_code.co_filename):
        frame = frame.f_back
    return frame


_is_user_file = functools.lru_cache(maxsize=1 << 12)(is_user_file)


def calls_from(frame: types.FrameType, runner: types.CodeType) -> list[types.FrameType]:
    """The frames of the user's functions from that which ``runner`` called to ``frame``, innermost last."""
    found: list[types.FrameType] = []
    at: types.FrameType | None = frame
    while at is not None and at.f_code is not runner:
        if _is_user_file(at.f_code.co_filename):
            found.append(at)
        at = at.f_back
    found.reverse()
    return found


def called_from(frame: types.FrameType, path: Path, runner: types.CodeType) -> bool:
    """Whether a frame runs the function at the end of a path, called from where the path says."""
    if frame.f_code is not path[-1][0]:
        return False
    at = frame.f_back
    for code, offset in reversed(path[:-1]):
        if at is None or at.f_code is not code or at.f_lasti != offset:
            return False
        at = at.f_back
    return at is not None and at.f_code is runner


#: A function that calls one of these may see, or change, what is done to its local variables.
_REFLECTS = frozenset({"locals", "vars", "dir", "eval", "exec"})


def parameters_of(frame: types.FrameType) -> Mapping[str, Any]:
    """What the parameters of the function that a frame runs stand for now; empty where nobody may look.

    Also the variables of enclosing functions that it uses.
    """
    code = frame.f_code
    if not _REFLECTS.isdisjoint(code.co_names):
        return {}
    local = frame.f_locals
    names = (*parameter_names(code), *code.co_freevars)
    return {name: local[name] for name in names if name in local}


@functools.lru_cache(maxsize=1 << 12)
def parameter_names(code: types.CodeType) -> tuple[str, ...]:
    """The names of a function's parameters, that of `*args` before those that must be named."""
    plain, named = code.co_argcount, code.co_kwonlyargcount
    names = code.co_varnames
    extra = (names[plain + named],) if code.co_flags & inspect.CO_VARARGS else ()
    return (*names[:plain], *extra, *names[plain : plain + named])


def starred_name(code: types.CodeType) -> str | None:
    """The name of the parameter for any further arguments, `*args`."""
    starred = code.co_flags & inspect.CO_VARARGS
    return parameter_names(code)[code.co_argcount] if starred else None


@functools.lru_cache(maxsize=1 << 12)
def returned_names(code: types.CodeType) -> tuple[str, ...]:
    """The local variables that a function returns as a tuple; () when it returns anything else."""
    _, listing = _instructions(code)
    ends = [i for i, instruction in enumerate(listing) if instruction.opname == "RETURN_VALUE"]
    if len(ends) != 1 or listing[ends[0] - 1].opname != "BUILD_TUPLE":
        return ()
    count = listing[ends[0] - 1].arg or 0
    loads = listing[max(ends[0] - 1 - count, 0) : ends[0] - 1]
    if len(loads) < count or any(instruction.opname != "LOAD_FAST" for instruction in loads):
        return ()
    return tuple(str(instruction.argval) for instruction in loads)


def line_of(frame: types.FrameType) -> str:
    """Where a frame stands, "file:line"."""
    return _place(frame).line


def names_for(frame: types.FrameType, unpacking: Unpacking) -> tuple[tuple[str, ...], Unpacking]:
    """The names under which the user stores what the call in ``frame`` gives, () for none, and the next ``unpacking``.

    An array that is unpacked gives one value after the other, with a call for each.
    """
    place = _place(frame)
    names = place.unpacked
    if not names:
        return place.targets, unpacking
    where = (id(frame), frame.f_lasti)
    count = (unpacking[1] + 1) % len(names) if unpacking[0] == where else 0  # a loop unpacks anew
    return (names[count],), (where, count)


@dataclass(frozen=True)
class _Place:
    """What is known of an instruction.  ``code`` is that whose identity is the key, kept alive."""

    code: types.CodeType
    line: str
    targets: tuple[str, ...]
    unpacked: tuple[str, ...]


_places: dict[tuple[int, int], _Place] = {}  # by identity: the hash of a code is that of all its constants
_MOST = 1 << 16


def _place(frame: types.FrameType) -> _Place:
    """Where a frame stands."""
    code, offset = frame.f_code, frame.f_lasti
    known = _places.get((id(code), offset))
    if known is None:
        if len(_places) >= _MOST:
            _places.clear()
        line = f"{code.co_filename}:{frame.f_lineno}"
        known = _Place(code, line, targets_of(code, offset), _unpacked(code, offset))
        _places[id(code), offset] = known
    return known


@functools.lru_cache(maxsize=1 << 12)
def _instructions(code: types.CodeType) -> tuple[list[int], list[dis.Instruction]]:
    listing = [part for instruction in dis.get_instructions(code) for part in _parts(instruction)]
    return [instruction.offset for instruction in listing], listing


def _parts(instruction: dis.Instruction) -> list[dis.Instruction]:
    """An instruction that loads or stores two variables (from Python 3.13 on) as two, at one offset."""
    first, of, second = instruction.opname.partition("_FAST_")
    if not of or not isinstance(instruction.argval, tuple):
        return [instruction]
    names = (f"{first}_FAST", second)
    return [instruction._replace(opname=n, argval=v) for n, v in zip(names, instruction.argval, strict=True)]


def is_unpacking(code: types.CodeType, offset: int) -> bool:
    """Whether the instruction takes an array apart, with a step for each of its elements."""
    return bool(_unpacked(code, offset))


def line_at(code: types.CodeType, offset: int) -> str:
    """Where an instruction stands, "file:line"."""
    lines = (line for start, end, line in code.co_lines() if start <= offset < end)
    return f"{code.co_filename}:{next(lines, None) or code.co_firstlineno}"


@functools.lru_cache(maxsize=1 << 12)
def loops_of(code: types.CodeType) -> tuple[tuple[int, int], ...]:
    """(first, last) offset of each loop of the code."""
    _, listing = _instructions(code)
    return tuple((i.argval, i.offset) for i in listing if i.opcode in dis.hasjrel and i.argval < i.offset)


def in_loop(code: types.CodeType, first: int, last: int | None = None) -> bool:
    """Whether a loop of the code has both instructions in it; `last` may be the first."""
    last = first if last is None else last
    return any(begin <= first and last <= end for begin, end in loops_of(code))


@functools.lru_cache(maxsize=1 << 12)
def targets_of(code: types.CodeType, offset: int) -> tuple[str, ...]:
    """The names that the value of the instruction at ``offset`` is stored under: () for none.

    ``offset`` may be that of the instruction's inline cache.
    """
    offsets, listing = _instructions(code)
    position = bisect.bisect_right(offsets, offset)
    count = 1
    if position < len(listing) and listing[position].opname == "UNPACK_SEQUENCE":
        count = listing[position].arg or 0
        position += 1
    return _stored(listing[position : position + count], count)


def _unpacked(code: types.CodeType, offset: int) -> tuple[str, ...]:
    """The names that the instruction at ``offset`` unpacks an array into; () when it is another instruction."""
    offsets, listing = _instructions(code)
    position = bisect.bisect_right(offsets, offset) - 1
    if position < 0 or listing[position].opname != "UNPACK_SEQUENCE":
        return ()
    count = listing[position].arg or 0
    return _stored(listing[position + 1 : position + 1 + count], count)


def _stored(stores: list[dis.Instruction], count: int) -> tuple[str, ...]:
    if len(stores) < count or not all(s.opname in _STORES for s in stores):
        return ()
    return tuple(str(s.argval) for s in stores)


_STORES = frozenset({"STORE_FAST", "STORE_NAME", "STORE_GLOBAL", "STORE_DEREF"})
