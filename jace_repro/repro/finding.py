"""What a script says of the finding that it shows: a text at its end, which it prints after or before its outputs.

And the part of a script that a person looks at: its program.
"""

from __future__ import annotations

import re

_MAIN = 'if __name__ == "__main__":\n'
_STATED = re.compile(r'FINDING = """\\\n(?:.*\n)*?"""\n\n\n(?=if __name__ == "__main__":\n)')
_PROGRAM = re.compile(r"^def repro\(.*\n(?:[ )].*\n|\n(?=[ \n]))*", re.MULTILINE)
_PRINTED = "    print(FINDING)\n"
_PRINTED_FIRST = "    print(FINDING, flush=True)\n"


def stating(source: str, text: str, *, first: bool = False) -> str:
    """A script that states `text`, in place of what it stated before.

    With `first` it does so before it runs: for one that does not come to its end. A script without a main part, which
    prints nothing, is unchanged.
    """
    source = _STATED.sub("", source).replace(_PRINTED, "").replace(_PRINTED_FIRST, "")
    before, main, after = source.rpartition(_MAIN)
    if not main:
        return source
    quoted = text.strip("\n").replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
    prints = (_PRINTED_FIRST, "") if first else ("", _PRINTED)
    return f'{before}FINDING = """\\\n{quoted}\n"""\n\n\n{main}{prints[0]}{after.rstrip()}\n{prints[1]}'


def excerpt(source: str, most: int = 24) -> str:
    """The program of a script, without its inputs and what surrounds them; so many lines of it at most."""
    found = _PROGRAM.search(source)
    lines = found[0].rstrip().splitlines() if found is not None else []
    if len(lines) > most:
        lines = [*lines[: most - 1], f"    ... {len(lines) - most + 1} more lines"]
    return "\n".join(lines)
