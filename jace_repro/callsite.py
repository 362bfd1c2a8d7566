"""Where in the user's code a call stands, and what the user calls its result: read from frames and bytecode."""

from __future__ import annotations

import bisect
import dis
import functools
import sys
import types
from dataclasses import dataclass

from jace_repro.frames import is_user_file, shown_path

#: Which unpacking of an array gave values last, and how many: ((frame, offset), count).
Unpacking = tuple[tuple[int, int] | None, int]


def user_frame() -> types.FrameType | None:
    """The innermost frame of this thread that runs the user's code, or a library's."""
    frame: types.FrameType | None = sys._getframe(2)  # neither the caller nor its caller is
    while frame is not None and not _is_user_file(frame.f_code.co_filename):
        frame = frame.f_back
    return frame


_is_user_file = functools.lru_cache(maxsize=1 << 12)(is_user_file)
_shown = functools.lru_cache(maxsize=1 << 12)(shown_path)


def line_of(frame: types.FrameType) -> str:
    """ "file:line" where a frame stands."""
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
        line = f"{_shown(code.co_filename)}:{frame.f_lineno}"
        known = _Place(code, line, _targets(code, offset), _unpacked(code, offset))
        _places[id(code), offset] = known
    return known


@functools.lru_cache(maxsize=1 << 12)
def _instructions(code: types.CodeType) -> tuple[list[int], list[dis.Instruction]]:
    listing = list(dis.get_instructions(code))
    return [instruction.offset for instruction in listing], listing


def _targets(code: types.CodeType, offset: int) -> tuple[str, ...]:
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
