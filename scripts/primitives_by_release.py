"""Writes docs/primitives-by-release.md: the primitives of the supported releases of JAX, and what jace makes of them.

    python scripts/primitives_by_release.py [--pair PYTHON JAX]... [--keep DIR] [--check]

The releases are that of this environment and those of `scripts/releases.py`, each in an environment of its own; a
missing interpreter ends it, for the page would say less. --check changes nothing; exit status 1 if the page would.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from canary import report
from releases import PAIRS, ROOT, environment

from jace_repro.campaign.interpreters import find

PAGE = ROOT / "docs" / "primitives-by-release.md"
ELSEWHERE, ABSENT = "other devices", "-"
HEAD = """# Primitives by release

Written by `python scripts/primitives_by_release.py`: do not edit. [PRIMITIVES.md](../jace/PRIMITIVES.md) has the whole
list of the reference release, and says what each kind is; `jace-repro doctor --primitives` prints that of the release
which is installed.
"""

#: What `doctor --primitives` says of each primitive of a release, by its name.
Listed = Mapping[str, Mapping[str, Any]]


def listed(found: Mapping[str, Any]) -> tuple[str, Listed]:
    """(release of JAX, its primitives) of a machine report."""
    return found["versions"]["jax"], {row["primitive"]: row for row in found["primitives"]}


def page(releases: Sequence[tuple[str, Listed]]) -> str:
    """The page: how many of each kind a release has, and what differs between them."""
    counts = [Counter(row["kind"] for row in rows.values()) for _, rows in releases]
    kinds = sorted(
        {k for c in counts for k in c}, key=lambda k: (k in (ELSEWHERE, "unsupported"), -counts[0][k], k)
    )
    names = [f"jax {release}" for release, _ in releases]
    head = [f"| {' | '.join(['kind', *names])} |", f"|---|{'---|' * len(names)}"]
    total = [f"| all | {' | '.join(str(len(rows)) for _, rows in releases)} |"]
    lines = [HEAD, *head, *(f"| {k} | {' | '.join(str(c[k]) for c in counts)} |" for k in kinds), *total, ""]
    differ = [name for name in sorted({n for _, rows in releases for n in rows}) if _differs(name, releases)]
    here = [n for n in differ if any(_kind(n, rows) not in (ABSENT, ELSEWHERE) for _, rows in releases)]
    lines += [
        f"{len(differ)} primitives are not in all of them, or are not treated alike. {len(differ) - len(here)} of",
        "these are of other devices wherever they are; the rest:",
        "",
        f"| {' | '.join(['primitive', *names])} |",
        head[1],
        *(f"| `{n}` | {' | '.join(_kind(n, rows) for _, rows in releases)} |" for n in here),
        "",
    ]
    reasons = {row["note"]: n for n in here for _, rows in releases if (row := rows.get(n)) and _refused(row)}
    lines += [f"- `{name}` is not translated: {note}." for note, name in reasons.items()]
    return "\n".join(lines).rstrip() + "\n"


def _kind(name: str, rows: Listed) -> str:
    return rows[name]["kind"] if name in rows else ABSENT


def _differs(name: str, releases: Sequence[tuple[str, Listed]]) -> bool:
    return len({_kind(name, rows) for _, rows in releases}) > 1


def _refused(row: Mapping[str, Any]) -> bool:
    return bool(row["note"]) and not row["translated"] and row["kind"] != ELSEWHERE


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--pair", nargs=2, action="append", metavar=("PYTHON", "JAX"))
    parser.add_argument("--keep", type=Path, metavar="DIR", help="where the environments are made and kept")
    parser.add_argument("--check", action="store_true", help="change nothing")
    options = parser.parse_args()
    releases = [listed(report(Path(sys.executable), "doctor", "--primitives"))]
    with tempfile.TemporaryDirectory(prefix="primitives-") as scratch:
        for version, jax in options.pair or PAIRS:
            python = find(version)
            if python is None:
                sys.exit(f"there is no Python {version} here")
            made = environment(python, jax, (options.keep or Path(scratch)) / f"{version}-{jax}")
            releases.append(listed(report(made, "doctor", "--primitives")))
    text = page(releases)
    if PAGE.exists() and PAGE.read_text(encoding="utf-8") == text:
        return 0
    if options.check:
        print(
            f"{PAGE.relative_to(ROOT)}: out of date; run python scripts/primitives_by_release.py",
            file=sys.stderr,
        )
        return 1
    PAGE.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
