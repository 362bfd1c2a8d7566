#!/usr/bin/env python
"""The first hour of a new user, typed: a table of what is promised and whether it holds.

    python scripts/first_hour.py [--all] [--only NAME]...

Every row types what its user would type, in a throw-away directory, with the jace-repro of this checkout. By default
the quick ones; --all adds those that take more than twenty seconds each. Exits with 1 when a row does not hold.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from first_hour import control, errors, finding, python  # noqa: F401 - each enters its rows
from first_hour.place import NotSo, Place, shared_run
from first_hour.rows import ROWS, Row

#: Characters of a command that the table shows.
_WIDTH = 72


def tried(row: Row, folder: Path) -> tuple[str, str]:
    """What was typed, and why the row does not hold, "" where it does."""
    place = Place(folder, shared_run)
    try:
        row.tried(place)
    except NotSo as problem:
        return place.typed, str(problem)
    except Exception as error:  # a row that cannot be tried does not hold
        return place.typed, f"{type(error).__name__}: {error}"
    return place.typed, ""


def chosen(everything: bool, only: Sequence[str]) -> list[Row]:
    """The rows that are asked for. Raises ValueError for a name that none has."""
    unknown = set(only) - {row.name for row in ROWS}
    if unknown:
        raise ValueError(
            f"no row {', '.join(sorted(unknown))}; there are {', '.join(row.name for row in ROWS)}"
        )
    if only:
        return [row for row in ROWS if row.name in only]
    return [row for row in sorted(ROWS, key=lambda row: row.point) if everything or not row.slow]


def table(rows: Sequence[Row]) -> int:
    """Try the rows, print a line for each; how many do not hold."""
    broken = 0
    print(f"{'point':5}  {'row':35} {'typed':{_WIDTH}} {'s':>5}  holds")
    with tempfile.TemporaryDirectory(prefix="first-hour-") as base:
        os.environ["FIRST_HOUR_DIR"] = base
        os.environ.setdefault("JACE_CACHE_DIR", str(Path(base, "cache")))
        for row in rows:
            folder = Path(base, row.name)
            folder.mkdir()
            began = time.monotonic()
            typed, problem = tried(row, folder)
            seconds = time.monotonic() - began
            broken += bool(problem)
            shown = typed if len(typed) <= _WIDTH else f"{typed[: _WIDTH - 3]}..."
            print(
                f"{row.point:>5}  {row.name:35} {shown:{_WIDTH}} {seconds:5.1f}  {'NO' if problem else 'yes'}",
                flush=True,
            )
            if problem:
                print(f"{'':8}{row.what}\n{'':8}-> {problem}", flush=True)
            shutil.rmtree(folder, ignore_errors=True)
    print(f"{len(rows)} rows, {broken} do not hold")
    return broken


def main(argv: Sequence[str] | None = None) -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--quick", action="store_true", help="without the slow rows (the default)")
    which.add_argument("--all", action="store_true", help="with the slow rows")
    which.add_argument("--only", action="append", default=[], metavar="NAME", help="this row; repeatable")
    options = parser.parse_args(argv)
    try:
        rows = chosen(options.all, options.only)
    except ValueError as error:
        parser.error(str(error))
    return int(table(rows) > 0)


if __name__ == "__main__":
    sys.exit(main())
