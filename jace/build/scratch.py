"""Folders that programs are built in. That of one which the compiler rejects is kept for its source, as others come."""

from __future__ import annotations

import shutil
import tempfile
import time
from pathlib import Path

_PREFIX = "jace-build-"
#: Of folders that were left so many are kept, and those of so many seconds: another process may be building there.
_KEPT, _KEPT_SECONDS = 50, 3600.0


def scratch_dir() -> Path:
    """A fresh private directory for one build."""
    return Path(tempfile.mkdtemp(prefix=_PREFIX))


def forget_old() -> None:
    """Delete old folders that builds have left, but the newest: a fuzzer has many rejected."""
    known = []
    for folder in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*"):
        try:
            known.append((folder.stat().st_mtime, folder))
        except OSError:
            continue  # another process forgot it
    for since, folder in sorted(known, reverse=True)[_KEPT:]:
        if time.time() - since > _KEPT_SECONDS:
            shutil.rmtree(folder, ignore_errors=True)
