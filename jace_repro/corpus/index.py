"""The table of a corpus's entries in its README.md, between two marks: written, never read."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from jace_repro.corpus import store
from jace_repro.corpus.states import STATES
from jace_repro.corpus.store import CorpusEntry
from jace_repro.repro import write_file

README = "README.md"
_MARKS = "<!-- entries -->\n", "<!-- /entries -->"
_NEW = """\
# Corpus

Reduced repros with the outcome that each is expected to have. `jace-repro corpus run` replays them: that runs their
code.

{table}

## Add a finding

```sh
jace-repro run -o found prog.py
jace-repro corpus add found
jace-repro corpus accept
```

`run` tests a program and reduces what fails, `add` writes the minimal repros here, where they are pending, and
`accept` tests each three times and keeps what it does as its promise.
"""


def table(entries: Sequence[CorpusEntry]) -> str:
    """The table, with its marks: an entry that was right from the first is counted there, by its folder."""
    right = Counter(entry.area for entry in entries if entry.was_right)
    rows = [
        f"| [`{e.name}`]({store.REPROS}/{e.name}.py) | {e.state} | {e.header.outcome or ''} | "
        f"{e.header.pipeline or ''} | {_plain(e.header.origin or e.header.name)} | {_plain(e.header.reason or '')} |"
        for e in entries
        if not e.was_right
    ]
    rows += [
        f"| `{store.REPROS}/{area}/*` | accepted | ok | | {count} program{'s' * (count > 1)} | "
        "right since they were added: they are to stay so |"
        for area, count in sorted(right.items())
    ]
    head = ["| entry | state | outcome | pipeline | from | why |", "|---|---|---|---|---|---|"]
    states = [f"`{name}`: {meaning}" for name, meaning in STATES.items()]
    text = "\n".join([*head, *rows, "", f"The states: {'; '.join(states)}."])
    return f"{_MARKS[0]}{text}\n{_MARKS[1]}"


def with_table(text: str, entries: Sequence[CorpusEntry]) -> str:
    """The text of a README.md with the table in its place; it is appended where there are no marks."""
    made = table(entries)
    pattern = re.compile(f"{_MARKS[0]}.*?{_MARKS[1]}", re.DOTALL)
    if pattern.search(text):
        return pattern.sub(lambda _: made, text)
    return f"{text.rstrip()}\n\n{made}\n" if text.strip() else _NEW.format(table=made)


def update(root: Path) -> None:
    """Write the table of a corpus into its README.md. Raises OSError, ReproError."""
    path = root / README
    before = path.read_text(encoding="utf-8") if path.exists() else ""
    after = with_table(before, store.entries(root))
    if after != before:
        write_file(path, after.encode())


def _plain(text: str) -> str:
    """As it can stand in a cell."""
    return " ".join(text.replace("|", r"\|").split())
