"""The table of rows: each module of this folder enters its own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from first_hour.place import Place

Try = Callable[[Place], None]


@dataclass(frozen=True)
class Row:
    """A promise, by the point of the issue that it is of.

    `slow` ones take long, and CI leaves them out; `run` is the shared one that it looks at, if it does.
    """

    name: str
    point: int
    what: str
    tried: Try
    slow: bool = False
    run: str = ""


#: In the order in which they are tried.
ROWS: list[Row] = []


def row(point: int, *, slow: bool = False, run: str = "") -> Callable[[Try], Try]:
    """Enters a function: its name is the row's, its docstring what it promises; it raises `NotSo`."""

    def enter(tried: Try) -> Try:
        name = tried.__name__.replace("_", "-")
        ROWS.append(Row(name, point, (tried.__doc__ or "").partition("\n")[0], tried, slow, run))
        return tried

    return enter
