"""Says which branches of jace no program of the sample executes.

    python scripts/executed.py [--pattern P] [--every N] [--jobs N] [--all] [--json FILE]

Translates the programs of the sample in which mutants are looked for (tests/mutants/mechanical/sources.py) under
coverage.py, and compiles and runs them with gcov's counters, but for those that all of DaCe's passes go through.
Prints the branches of jace's rules, planner, builder and C++ runtime that none of them takes and that
tests/mutants/mechanical/unexecuted.toml gives no reason for (--all: those, too), and reasons of what is executed after
all. Exit status: 1 if there is one of either. --every N takes one program in N.
"""

import argparse
import contextlib
import fnmatch
import json
import os
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests"), str(ROOT / "tests" / "support")]


def runs(subject):
    """Whether a program is compiled and run: what DaCe's passes make of it is no other code of jace's."""
    return "auto-optimize" not in subject.pipeline


def main():
    from mutants.mechanical import executed
    from mutants.mechanical.asking import Asker
    from mutants.mechanical.sources import subjects

    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--pattern", default="*", help="of the names of programs: 'small:*'")
    parser.add_argument("--every", type=int, default=1, metavar="N")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--all", action="store_true", help="print those with a reason as well")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    asked = [s for s in subjects() if fnmatch.fnmatch(s.name, options.pattern)][:: options.every]
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        askers = [stack.enter_context(Asker(folder)) for _ in range(options.jobs)]
        found = executed.execute(
            asked, runs, [a.right for a in askers], lambda text: print(text, file=sys.stderr, flush=True)
        )
    for key, why in found.refused.items():
        print(f"not asked: {key}: {why}", file=sys.stderr)
    missing = executed.missing(found)
    known = executed.listed()
    news = [b for b in missing if b.key not in known]
    stale = [key for key in known if key not in {b.key for b in missing}]
    for branch in missing if options.all else news:
        print(branch)
        if branch.key in known:
            print(f"    {known[branch.key]}")
    for file, line, way in stale:
        print(f"executed after all: jace/{file}: {line}: {way}")
    print(executed.totals(found))
    print(f"{len(missing)} branches are not executed, {len(news)} of them without a reason")
    if options.json:
        options.json.write_text(
            json.dumps([{"file": b.file, "line": b.line, "way": b.way} for b in missing], indent=1)
        )
    return int(bool(news or (stale and options.every == 1 and options.pattern == "*")))


if __name__ == "__main__":
    sys.exit(main())
