"""Whether a disk was full, or a quota spent: what failed then says nothing about any program."""

from __future__ import annotations

import errno
import os
import re

_ERRORS = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
#: What is said of them, of a program that was ended for that, and by Python when it finds no folder with room.
_SAID = re.compile(
    "|".join(
        map(
            re.escape,
            (*map(os.strerror, _ERRORS), "File size limit exceeded", "No usable temporary directory"),
        )
    )
)


def is_full(error: BaseException) -> bool:
    """Whether an error is that of a disk that takes no more."""
    return isinstance(error, OSError) and (error.errno in _ERRORS or says_full(str(error)))


def says_full(text: str) -> bool:
    """Whether a program says so."""
    return _SAID.search(text) is not None
