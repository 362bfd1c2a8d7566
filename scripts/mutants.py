"""Plants bugs in jace and counts how many of them the tester finds.

    python scripts/mutants.py [--only NAME]... [--family NAME]... [--locate] [--jobs N] [--json FILE] [--list]

Prints a row for each family, each mutant that was missed and why, and the score; with --locate also how many wrong
rules and passes localisation and bisection name. Exit status: 0 if at least 95% were found, and of those 95% of the
rules and all passes named, 1 if not. The mutants are in tests/mutants/.
"""

import argparse
import json
import os
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests"), str(ROOT / "tests" / "support")]

WANTED = 0.95


def main():
    from mutants import FAMILIES, mutants
    from mutants.locating import locate, shares, told
    from mutants.samples import programs
    from mutants.scoring import Scorer, score, table

    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", action="append", metavar="NAME", help="this mutant; may be repeated")
    parser.add_argument("--family", action="append", choices=FAMILIES)
    parser.add_argument("--locate", action="store_true", help="ask who is guilty of each that was found")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--list", action="store_true", help="print the mutants, test nothing")
    options = parser.parse_args()
    known = mutants()
    if unknown := set(options.only or ()) - set(known):
        parser.error(f"no such mutant: {', '.join(sorted(unknown))}")
    chosen = [
        m
        for m in known.values()
        if (not options.only or m.name in options.only) and (not options.family or m.family in options.family)
    ]
    if options.list:
        for mutant in chosen:
            print(f"{mutant.family:12} {mutant.name:45} {mutant.target}")
        return 0

    def tell(result):
        word = result.outcome or "MISSED"
        where = f" by {result.program}" if result.program else ""
        print(
            f"{result.mutant.name:45} {word:16} {result.seconds:6.1f} s{where}", file=sys.stderr, flush=True
        )

    known_programs = programs(_index())
    started = time.perf_counter()
    with Scorer(known_programs, options.jobs) as scorer:
        results = scorer.score_all(chosen, tell)
    seconds = time.perf_counter() - started
    print("\n".join(table(results)))
    print(f"{seconds:.0f} s")
    located = list(locate(results, known_programs, options.jobs)) if options.locate else []
    print("\n".join(told(located)))
    if options.json:
        report = {"score": score(results), "seconds": seconds, "mutants": [r.to_json() for r in results]}
        report |= {"located": [one.to_json() for one in located]}
        options.json.write_text(json.dumps(report, indent=1) + "\n")
    named = shares(located)
    good = score(results) >= WANTED and named["equation"] >= WANTED and named["pass"] == 1
    return 0 if good else 1


def _index():
    from jace.build.cache import default_cache

    cache = default_cache()
    return cache.root / "mutants-programs.json" if cache is not None else None


if __name__ == "__main__":
    sys.exit(main())
