"""What DaCe's errors say, and the files that they leave behind."""

from __future__ import annotations

import contextlib
import os

_DUMPED = "Invalid SDFG saved for inspection in "


def said(error: BaseException) -> str:
    """What an error of DaCe's says; some look for nodes that are gone, and raise when they are asked.

    Not where it has left a file: `forget_dump` takes that away.
    """
    try:
        text = str(error)
    except Exception:
        text = str(getattr(error, "message", ""))
    return "\n".join(line for line in text.splitlines() if not line.startswith(_DUMPED))


def forget_dump(error: BaseException) -> None:
    """DaCe writes an invalid SDFG to `_dacegraphs/` of the user's working directory; take it away again."""
    path = getattr(error, "path", None)
    if path and os.path.exists(path):
        os.remove(path)
        with contextlib.suppress(OSError):  # the folder is the user's if it holds anything else
            os.rmdir(os.path.dirname(path))
