"""Plants bugs in jace and counts how many of them the tester finds.

    python scripts/mutants.py [--only NAME]... [--family NAME]... [--locate] [--jobs N] [--json FILE] [--list]
    python scripts/mutants.py --random N --seed S [--full] [--tests] [--module PATTERN] [--jobs N] [--json FILE]
    python scripts/mutants.py --bugs FILE [--full] [--tests] [--jobs N] [--json FILE]
    python scripts/mutants.py --told FILE [FILE]...

Prints a row for each family, each mutant that was missed and why, and the score; with --locate also how many wrong
rules and passes localisation and bisection name. Exit status: 0 if at least 95% were found, and of those 95% of the
rules and all passes named, 1 if not. The mutants are in tests/mutants/.

With --random the mutants are mechanical changes of jace that nobody chose, drawn by seed (tests/mutants/mechanical/).
Prints the lines of each before and after, what became of it, a table by module, and the reason of every miss. Loud
ones, where jace raises, are counted apart; those that change the source of no program are not counted: somebody has to
argue that they are equivalent (tests/mutants/mechanical/equivalent.toml) or to write a program. --brief asks fewer
programs, --full all of them; --tests asks jace's own tests about those that no program shows, and prints the share that
programs or tests find ("guarded") beside that of programs alone ("score"). --json keeps each as soon as it is known.
Exit status: 1 if programs find fewer than chance explains when the share is EXPECTED. --bugs asks in the same way about
bugs that somebody wrote, a JSON list of {"file": "jace/rules/shape.py", "old": text that is there once, "new": text}:
best one who has read jace alone, and knows none of the programs. --told prints one table of what earlier runs kept
(their --json), without what was argued to be equivalent since, and each mutant once.
"""

import argparse
import contextlib
import json
import os
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests"), str(ROOT / "tests" / "support")]

WANTED = 0.95
#: The share of random mutants that is found with --brief, a little below what was measured last.
EXPECTED = 0.5


def main():
    from mutants import FAMILIES

    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", action="append", metavar="NAME", help="this mutant; may be repeated")
    parser.add_argument("--family", action="append", choices=FAMILIES)
    parser.add_argument("--locate", action="store_true", help="ask who is guilty of each that was found")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--list", action="store_true", help="print the mutants, test nothing")
    drawn = parser.add_argument_group("mutants that nobody chose, and those that somebody else wrote")
    asked = drawn.add_mutually_exclusive_group()
    asked.add_argument("--random", type=int, metavar="N", help="draw so many mechanical mutants")
    asked.add_argument("--bugs", type=Path, metavar="FILE", help="take those of a file")
    asked.add_argument("--told", type=Path, nargs="+", metavar="FILE", help="print what runs have kept")
    drawn.add_argument("--seed", type=int, default=0)
    drawn.add_argument("--module", default="*", metavar="PATTERN", help="of these files only: 'rules/*'")
    drawn.add_argument("--tests", action="store_true", help="jace's own tests, where no program shows it")
    effort = drawn.add_mutually_exclusive_group()
    effort.add_argument("--brief", action="store_true", help="a few programs for each, as in CI")
    effort.add_argument("--full", action="store_true", help="every program that reaches a mutant")
    options = parser.parse_args()
    if options.told:
        return _told(options.told)
    if options.random is not None or options.bugs:
        chosen = _chosen(parser, options)
        return 0 if options.list else _searched(options, chosen)
    return _planted(parser, options)


def _planted(parser, options):
    from mutants import mutants
    from mutants.locating import locate, shares, told
    from mutants.samples import programs
    from mutants.scoring import Scorer, score, table

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


def _chosen(parser, options):
    """The mutants that are drawn, or those of a file; printed."""
    from mutants.mechanical.draw import drawn
    from mutants.mechanical.written import bugs

    if options.bugs:
        try:
            chosen = bugs(options.bugs)
        except ValueError as error:
            parser.error(f"{options.bugs}: {error}")
    else:
        print(f"seed {options.seed}", flush=True)
        chosen = drawn(options.random, options.seed, options.module)
    for m in chosen:
        print(f"jace/{m.file}:{m.line} {m.operator}\n  - {m.before}\n  + {m.after}")
    return chosen


def _told(files):
    from mutants.mechanical import scope
    from mutants.mechanical.results import Result
    from mutants.mechanical.telling import table

    rows = [row for file in files for row in json.loads(file.read_text())["mutants"]]
    results = {r.mutation.key: r for r in map(Result.of_json, rows)}
    argued = results.keys() & scope.equivalents().keys()
    print("\n".join(table([r for key, r in results.items() if key not in argued])))
    print(f"{len(files)} runs, {len(results)} mutants, {len(argued)} of them argued to be equivalent")
    return 0


def _searched(options, chosen):
    from mutants.mechanical.asking import Asker, ask_all
    from mutants.mechanical.by_tests import TestAsker, recorded
    from mutants.mechanical.clean import Clean
    from mutants.mechanical.reach import record
    from mutants.mechanical.results import BRIEF, FULL, QUICK
    from mutants.mechanical.sources import subjects
    from mutants.mechanical.telling import table, told, too_few

    def tell(text):
        print(text, file=sys.stderr, flush=True)

    def heard(result):
        tell(told(result))
        so_far.append(result)
        _keep(options, so_far, time.perf_counter() - started)  # a search of hours may be cut off

    so_far = []
    sys.stdout.flush()
    started = time.perf_counter()
    index = _index()
    with contextlib.ExitStack() as stack:
        shared = index.parent if index else Path(stack.enter_context(tempfile.TemporaryDirectory()))
        folder = shared / "mutants"
        askers = [stack.enter_context(Asker(folder)) for _ in range(options.jobs)]
        asked, servers = subjects(index, brief=options.brief), [asker.mutant for asker in askers]
        reached = record(asked, folder, servers, tell)
        effort = BRIEF if options.brief else FULL if options.full else QUICK
        tests = TestAsker(recorded(folder, options.jobs)) if options.tests else None
        results = ask_all(chosen, reached, Clean(folder), askers, effort, heard, tests)
    seconds = time.perf_counter() - started
    print("\n".join(table(results)))
    print(f"{seconds:.0f} s")
    _keep(options, results, seconds)
    return int(too_few(results, EXPECTED))


def _keep(options, results, seconds):
    if options.json:
        report = {"seed": None if options.bugs else options.seed, "seconds": seconds}
        report["mutants"] = [r.to_json() for r in results]
        options.json.write_text(json.dumps(report, indent=1) + "\n")


def _index():
    from jace.build.cache import default_cache

    cache = default_cache()
    return cache.root / "mutants-programs.json" if cache is not None else None


if __name__ == "__main__":
    sys.exit(main())
