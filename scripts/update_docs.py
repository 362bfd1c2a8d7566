"""Rewrites what is generated of the documentation: the tables of README.md, jace/PRIMITIVES.md, docs/gallery.md,
docs/transformations.md, the bugs in docs/how-to/dace-pass.md, and of corpus/README.md the table of entries.

python scripts/update_docs.py [--check] [FILE...]    --check: change nothing, exit 1 when something is out of date

Sections are what stands between ``<!-- NAME -->`` and ``<!-- /NAME -->``.
"""

import re
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import gallery
import transformation_page

from jace.known_bugs import GONE_ROUND
from jace_repro.cli import command_table
from jace_repro.corpus import index, store
from jace_repro.tester.verdict.blame import PARTIES
from jace_repro.tester.verdict.outcomes import OUTCOMES

ROOT = Path(__file__).resolve().parents[1]


def outcomes() -> str:
    rows = [f"| `{o.name}` | {o.meaning} | {o.advice} |" for o in OUTCOMES.values()]
    return "\n".join(["| outcome | meaning | what to do |", "|---|---|---|", *rows])


def culprits() -> str:
    rows = [f"| {name} | {meaning} |" for name, meaning in PARTIES.items()]
    return "\n".join(["| who | because |", "|---|---|", *rows])


def commands() -> str:
    rows = [f"| `jace-repro {name}` | {text} |" for name, text in command_table().items()]
    return "\n".join(["| command | does |", "|---|---|", *rows])


def bugs() -> str:
    rows = [f"| `{name}` | {does} | {instead} |" for name, (does, instead) in GONE_ROUND.items()]
    return "\n".join(["| bug | DaCe | instead |", "|---|---|---|", *rows])


README = {"outcomes": outcomes, "culprits": culprits, "commands": commands}


def with_sections(text: str, sections: Mapping[str, Callable[[], str]]) -> str:
    """`text` with every generated section as it should be. Raises ValueError when one is missing."""
    for name, make in sections.items():
        pattern = re.compile(rf"(<!-- {name} -->\n).*?(<!-- /{name} -->)", re.DOTALL)
        if not pattern.search(text):
            raise ValueError(f"there is no section {name}")
        content = make() + "\n"
        text = pattern.sub(lambda match, content=content: match[1] + content + match[2], text)
    return text


def primitives(text: str) -> str:
    """The coverage page: translates a probe of each primitive (20 seconds)."""
    from jace_repro import survey

    return survey.page(list(survey.coverage()), survey.load_harness())


FILES: dict[str, Callable[[str], str]] = {
    "README.md": lambda text: with_sections(text, README),
    "jace/PRIMITIVES.md": primitives,
    "corpus/README.md": lambda text: index.with_table(text, store.entries(ROOT / "corpus")),
    "docs/gallery.md": gallery.page,
    "docs/how-to/dace-pass.md": lambda text: with_sections(text, {"bugs": bugs}),
    "docs/transformations.md": transformation_page.page,
}


def main() -> int:
    check = "--check" in sys.argv[1:]
    names = [word for word in sys.argv[1:] if word != "--check"] or list(FILES)
    stale = []
    for name in names:
        path = ROOT / name
        before = path.read_text(encoding="utf-8") if path.exists() else ""
        after = FILES[name](before)
        if after != before:
            stale.append(name)
            if not check:
                path.write_text(after, encoding="utf-8")
    if check and stale:
        print(f"{', '.join(stale)}: out of date; run python scripts/update_docs.py", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
