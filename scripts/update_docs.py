"""Rewrites the generated parts of README.md: what stands between ``<!-- NAME -->`` and ``<!-- /NAME -->``.

python scripts/update_docs.py [--check]        --check: change nothing, exit 1 when something is out of date
"""

import re
import sys
from pathlib import Path

from jace_repro.cli import COMMANDS
from jace_repro.report import outcome_table

README = Path(__file__).resolve().parents[1] / "README.md"


def outcomes() -> str:
    rows = [f"| `{name}` | {meaning} | {advice} |" for name, meaning, advice in outcome_table()]
    return "\n".join(["| outcome | meaning | what to do |", "|---|---|---|", *rows])


def commands() -> str:
    rows = [f"| `jace-repro {name}` | {text} |" for name, text in COMMANDS.items()]
    return "\n".join(["| command | does |", "|---|---|", *rows])


SECTIONS = {"outcomes": outcomes, "commands": commands}


def updated(text: str) -> str:
    """`text` with every generated section as it should be. Raises ValueError when one is missing."""
    for name, make in SECTIONS.items():
        pattern = re.compile(rf"(<!-- {name} -->\n).*?(<!-- /{name} -->)", re.DOTALL)
        if not pattern.search(text):
            raise ValueError(f"README.md has no section {name}")
        content = make() + "\n"
        text = pattern.sub(lambda match, content=content: match[1] + content + match[2], text)
    return text


def main() -> int:
    before = README.read_text(encoding="utf-8")
    after = updated(before)
    if "--check" in sys.argv[1:]:
        if after != before:
            print("README.md is out of date: run python scripts/update_docs.py", file=sys.stderr)
        return int(after != before)
    README.write_text(after, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
