#!/usr/bin/env python
"""The first hour of a new user, typed: a table of what is promised and whether it holds.

    python scripts/first_hour.py [--all] [--only NAME]... [--jobs N]

Every row types what its user would type, in a throw-away directory, with the jace-repro of this checkout. By default
the quick ones; --all adds those that take long. Exits with 1 when a row does not hold.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
import textwrap
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from first_hour import control, errors, finding, python  # noqa: F401 - each enters its rows
from first_hour.place import NotSo, Place, shared_run
from first_hour.rows import ROWS, Row

#: Characters of a command that the table shows.
_WIDTH = 72


def chosen(everything: bool, only: Sequence[str]) -> list[Row]:
    """The rows that are asked for. Raises ValueError for a name that none has."""
    unknown = set(only) - {row.name for row in ROWS}
    if unknown:
        raise ValueError(
            f"no row {', '.join(sorted(unknown))}; there are {', '.join(row.name for row in ROWS)}"
        )
    if only:
        return [row for row in ROWS if row.name in only]
    return [row for row in sorted(ROWS, key=lambda row: (row.run, row.point)) if everything or not row.slow]


@dataclass(frozen=True)
class Result:
    """What became of a row: what was typed, why it does not hold ("" where it does), the seconds that it took."""

    row: Row
    typed: str
    problem: str
    seconds: float


def tried(row: Row, base: Path) -> Result:
    """Try a row in a folder of its own."""
    folder = base / row.name
    folder.mkdir()
    place = Place(folder, shared_run)
    began = time.monotonic()
    problem = ""
    try:
        row.tried(place)
    except NotSo as error:
        problem = str(error)
    except Exception as error:  # a row that cannot be tried does not hold
        problem = f"{type(error).__name__}: {error}"
    shutil.rmtree(folder, ignore_errors=True)
    return Result(row, place.typed, problem, time.monotonic() - began)


def table(rows: Sequence[Row], jobs: int = 1) -> int:
    """Try the rows, so many at a time, and print a line for each; how many do not hold."""
    broken = 0
    print(f"{'point':5}  {'row':35} {'typed':{_WIDTH}} {'s':>5}  holds")
    with tempfile.TemporaryDirectory(prefix="first-hour-") as base, ThreadPoolExecutor(jobs) as threads:
        os.environ["FIRST_HOUR_DIR"] = base
        os.environ.setdefault("JACE_CACHE_DIR", str(Path(base, "cache")))
        for run in sorted({row.run for row in rows if row.run}, reverse=True):
            threads.submit(shared_run, run)  # while those that need none are tried
        for result in threads.map(lambda row: tried(row, Path(base)), rows):
            row, broken = result.row, broken + bool(result.problem)
            typed = textwrap.shorten(result.typed, _WIDTH, placeholder="...")
            holds = "NO" if result.problem else "yes"
            print(
                f"{row.point:>5}  {row.name:35} {typed:{_WIDTH}} {result.seconds:5.1f}  {holds}", flush=True
            )
            if result.problem:
                print(f"{'':8}{row.what}\n{'':8}-> {result.problem}", flush=True)
    print(f"{len(rows)} rows, {broken} do not hold")
    return broken


def main(argv: Sequence[str] | None = None) -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--quick", action="store_true", help="without the slow rows (the default)")
    which.add_argument("--all", action="store_true", help="with the slow rows")
    which.add_argument("--only", action="append", default=[], metavar="NAME", help="this row; repeatable")
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="rows at a time [default: 2]")
    options = parser.parse_args(argv)
    try:
        rows = chosen(options.all, options.only)
    except ValueError as error:
        parser.error(str(error))
    return int(table(rows, options.jobs) > 0)


if __name__ == "__main__":
    sys.exit(main())
