"""Measures how soon programs of jace's fuzzer show bugs of jace that nobody chose, beside those of other generators.

    python scripts/bench_generators.py [--random N --seed S | --of FILE [--missed]] [--generator NAME]...
                                       [--first SEED] [--seconds S] [--effort S] [--pipeline P]... [--jobs N]
                                       [--json FILE]

The bugs are mechanical mutants (scripts/mutants.py): drawn by seed, or those of what a run of it has kept, with
--missed only the ones that its sample does not find. The generators (tests/mutants/generators) are `own`, the programs
of `jace-repro fuzz` in a campaign's order, without its mutators and its guidance; `plain`, a strategy of hypothesis as
a user writes one; `nnsmith` and `xlaxiom`, which have to be installed: `pip install nnsmith xlaxiom`.

Of each generator: how many programs are tested a minute, measured cold on its first ones; as many programs as it has
tested in S seconds (--seconds) then are a campaign. A mutant is found by the first program of the campaign that the
tester convicts with it and does not without it, and its time is that of all the programs up to this one. Programs that
do not run through what is changed, or of which jace makes the same C++, are not run: they cannot show it. Of the
others as many are asked as take --effort seconds of CPU; those in 32-bit mode first, so a time may be too long.

Printed are, of the mutants that change the C++ of any program of any generator, or are found: the share that is found,
within a minute and in the campaign, the median time to find one, and which are found by one generator alone. All are
judged by jace-repro: neither NNSmith's nor XLAxiom's own comparison is measured.
"""

import argparse
import contextlib
import json
import os
import statistics
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests"), str(ROOT / "tests" / "support")]

#: Programs whose tests say what one takes.
PRICED = 48
MINUTE = 60.0


def main():
    from mutants import generators

    known = (generators.OWN, *generators.OTHERS)
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--random", type=int, default=50, metavar="N", help="draw so many mutants")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--of", type=Path, metavar="FILE", help="those that scripts/mutants.py has kept")
    parser.add_argument("--missed", action="store_true", help="of these, the ones that it missed")
    parser.add_argument("--generator", action="append", choices=known, help="default: all")
    parser.add_argument("--first", type=int, default=1, help="seed of the generators")
    parser.add_argument("--seconds", type=float, default=300.0, help="of a campaign")
    parser.add_argument("--effort", type=float, default=60.0, help="seconds of CPU for one mutant")
    parser.add_argument("--pipeline", action="append", default=[], help="default: those of `fuzz`")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    os.environ["JAX_PLATFORMS"] = "cpu"
    from jace_repro.campaign.settings import choose_pipelines

    pipelines = choose_pipelines(tuple(options.pipeline))
    chosen = _chosen(options)
    print(f"{len(chosen)} mutants", flush=True)
    found = {}
    with tempfile.TemporaryDirectory(prefix="bench-generators-") as scratch:
        for name in options.generator or known:
            found[name] = campaign(name, chosen, pipelines, Path(scratch), options)
            print("\n".join(table(found)), flush=True)
            if options.json:
                options.json.write_text(json.dumps(found, indent=1) + "\n")


def _chosen(options):
    """The mutants."""
    from mutants.mechanical import scope
    from mutants.mechanical.draw import drawn
    from mutants.mechanical.results import Result

    if options.of is None:
        return drawn(options.random, options.seed)
    results = map(Result.of_json, json.loads(options.of.read_text())["mutants"])
    wanted = {r.mutation.key for r in results if not (options.missed and r.found)}
    files = sorted({file for file, _, _ in wanted})
    made = {m.key: m for file in files for m in scope.mutations(file) if m.key in wanted}
    print(f"{len(wanted) - len(made)} are no longer there, or argued to be equivalent")
    return list(made.values())


def campaign(name, mutations, pipelines, scratch, options):
    """What a generator finds: {"a minute", "programs", "mutants": [{"file", ..., "at", "seconds"}]}."""
    from mutants import generators
    from mutants.mechanical.asking import Asker, ask_all
    from mutants.mechanical.clean import Clean
    from mutants.mechanical.reach import record
    from mutants.mechanical.results import Effort
    from mutants.mechanical.sources import Subject

    some = generators.write(name, options.first, PRICED, scratch / name, options.jobs)
    each = price(some, pipelines, options.jobs)
    count = max(PRICED, round(options.seconds / each * PRICED / len(some)))
    paths = generators.write(name, options.first, count, scratch / name, options.jobs)
    print(f"{name}: {MINUTE / each:.0f} programs a minute, {len(paths)} of {count} are programs", flush=True)
    subjects = [
        Subject("mutants.generators:loaded", str(path), generators.needs_x64(path), pipeline)
        for path in paths
        for pipeline in pipelines
    ]
    place = {str(path): number for number, path in enumerate(paths)}
    effort = replace(
        Effort(), runs=10_000, seconds=options.effort, alike=options.effort, inputs=None, further=False
    )

    def tell(result):
        said = result.outcome or f"missed, {result.reason}"
        where = f" at {place[result.program]}" if result.program else ""
        m = result.mutation
        print(f"  {name}: jace/{m.file}:{m.line} {said}{where} ({result.seconds:.0f} s)", file=sys.stderr)

    folder = scratch / "mutants"
    with contextlib.ExitStack() as stack:
        askers = [stack.enter_context(Asker(folder)) for _ in range(options.jobs)]
        reached = record(subjects, folder, [asker.mutant for asker in askers])
        in_order = replace(reached, order=[s.key for s in subjects])
        results = ask_all(mutations, in_order, Clean(folder), askers, effort, tell)
    rows = []
    for result in results:
        at = place.get(result.program) if result.found else None
        rows.append({**result.to_json(), "at": at, "campaign": None if at is None else (at + 1) * each})
    return {"a minute": MINUTE / each, "programs": len(paths), "mutants": rows}


def price(paths, pipelines, jobs):
    """Seconds on the clock that a program takes in a campaign: both compilers, nothing kept."""
    from jace_repro.repro import load
    from jace_repro.tester import Pool

    with tempfile.TemporaryDirectory() as cold:
        os.environ["JACE_CACHE_DIR"] = cold
        with Pool(jobs, 60.0) as pool, ThreadPoolExecutor(jobs) as threads:

            def test(path):
                return pool.check(load(path), pipelines)

            list(threads.map(test, paths[:jobs]))  # the workers begin
            started = time.perf_counter()
            list(threads.map(test, paths[jobs:]))
            seconds = time.perf_counter() - started
        del os.environ["JACE_CACHE_DIR"]
    return seconds / max(1, len(paths) - jobs)


def table(found):
    """Lines on the campaigns so far."""
    key = "file", "before", "after"
    kept = {name: {tuple(r[k] for k in key): r for r in one["mutants"]} for name, one in found.items()}
    counted = {
        m
        for rows in kept.values()
        for m, r in rows.items()
        if r["outcome"] or r["reason"] in ("answers agree", "not accused")
    }
    finders = {m: [name for name, rows in kept.items() if rows[m]["outcome"]] for m in counted}
    yield (
        f"{'':10}{'a minute':>9}{'programs':>9}{'mutants':>9}{'a minute':>9}{'campaign':>9}{'median s':>9}{'alone':>7}"
    )
    for name, rows in kept.items():
        times = [rows[m]["campaign"] for m in counted if rows[m]["campaign"] is not None]
        alone = sum(who == [name] for who in finders.values())
        soon = sum(t <= MINUTE for t in times)
        n = max(1, len(counted))
        yield (
            f"{name:10}{found[name]['a minute']:9.0f}{found[name]['programs']:9}{len(counted):9}"
            f"{soon / n:9.0%}{len(times) / n:9.0%}{statistics.median(times) if times else float('nan'):9.1f}{alone:7}"
        )


if __name__ == "__main__":
    main()
