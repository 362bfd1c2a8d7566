"""What DaCe's errors say, and the files that they leave behind."""

from __future__ import annotations

import contextlib
import os


def said(error: Exception) -> str:
    """What an error of DaCe's says; some look for nodes that are gone, and raise when they are asked."""
    try:
        return str(error)
    except Exception:
        return str(getattr(error, "message", ""))


def forget_dump(error: Exception) -> None:
    """DaCe writes an invalid SDFG to `_dacegraphs/` of the user's working directory; take it away again."""
    path = getattr(error, "path", None)
    if path and os.path.exists(path):
        os.remove(path)
        with contextlib.suppress(OSError):  # the folder is the user's if it holds anything else
            os.rmdir(os.path.dirname(path))
