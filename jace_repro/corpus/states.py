"""What may have been made of an entry of a corpus, and what a test of one may say."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Literal

#: The states, and what each says of an entry.
STATES: Mapping[str, str] = {
    "pending": "nobody has said yet what is to be made of it",
    "accepted": "it is to do what its header promises: to show a bug that is there, or to be right",
    "fixed": "it showed a bug that is gone: it is to be right for ever",
    "invalid": "it shows no bug",
    "duplicate": "it shows a bug that another entry shows",
}

#: Those that a replay tests unless it is told otherwise.
REPLAYED = ("accepted", "fixed")
#: Those that nobody needs any more.
REJECTED = ("invalid", "duplicate")

#: It does what its header expects, or not every time; it expects a failure and there is none; there is a failure that
#: it does not expect.
ReplayState = Literal["as expected", "flaky", "fixed", "another failure"]
#: Those in which nothing new is wrong.
KNOWN: Collection[ReplayState | None] = ("as expected", "flaky")
