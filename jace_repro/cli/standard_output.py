"""``-`` for the file of a report: that is alone on standard output, and all that is said goes to standard error."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TextIO

import click

STANDARD_OUTPUT = Path("-")


def claimed(paths: Iterable[Path | None]) -> TextIO | None:
    """Standard output, when one of the files is it; None when none is.

    What this process and those that it starts write there while the command runs, the user's program above all, goes to
    standard error. Raises click.UsageError when several are.
    """
    asked = [path for path in paths if path == STANDARD_OUTPUT]
    if len(asked) > 1:
        raise click.UsageError("only one report can go to standard output (-)")
    if not asked:
        return None
    sys.stdout.flush()
    stream = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)

    def give_back() -> None:
        sys.stdout.flush()
        os.dup2(stream.fileno(), 1)

    click.get_current_context().call_on_close(give_back)
    return stream
