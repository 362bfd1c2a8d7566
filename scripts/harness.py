"""Runs JAX's own primitive harnesses through DaCe and compares with XLA.

    python scripts/harness.py [--out DIR] [--jobs 2] [--groups sin,cos] [--fraction 0.05] [--summary FILE]

Prints how far it is, then a table per group: how many harnesses each pipeline has, how many of them are ok,
ill-conditioned, wrong (mismatch), unsupported, or ended in an error (every other outcome), and the seconds they
took. Then come the totals and, unless --quiet, every harness that is not ok, with the reason.

Results are kept in DIR line by line. A run that finds results of the same sources there continues them; results of
other sources are put aside. DIR also has the run's compilation caches: with them a second run is a warm one.

Exit status: 0 if every harness is ok, ill-conditioned or unsupported; 1 otherwise; 2 for a usage error.
"""

from __future__ import annotations

import argparse
import fnmatch
import os
import resource
import sys
import time
from pathlib import Path

os.environ.setdefault("JAX_PLATFORMS", "cpu")

import jace
from jace.pipelines import parse
from jace_repro.survey import harness_run, harnesses, tallies
from jace_repro.survey.results import Results, commit, one_line, state

ACCEPTABLE = frozenset({"ok", "ill-conditioned", "unsupported"})


def parser() -> argparse.ArgumentParser:
    """The command line."""
    made = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    made.add_argument(
        "--out", type=Path, default=Path("harness-out"), metavar="DIR", help="default: harness-out"
    )
    made.add_argument("--groups", default="", metavar="G,G", help="only these groups (shell patterns)")
    made.add_argument("--match", default="*", metavar="PATTERN", help="only harnesses whose name matches")
    made.add_argument(
        "--pipelines",
        default=",".join(harness_run.PIPELINES),
        metavar="P,P",
        help="any; default: %(default)s",
    )
    made.add_argument(
        "--mode", choices=("both", "x32", "x64"), default="both", help="x64: those only x64 has"
    )
    made.add_argument("--fraction", type=float, default=1.0, metavar="F", help="of each group, at least one")
    made.add_argument("--sample", action="store_true", help="the sample that the default tests run")
    made.add_argument(
        "--jobs", type=int, default=os.cpu_count() or 1, metavar="N", help="default: %(default)s"
    )
    made.add_argument("--timeout", type=float, default=60.0, metavar="S", help="for a stage; default: 60")
    made.add_argument("--memory-mb", type=int, metavar="M", help="for a worker; default: its share of 70%%")
    made.add_argument("--fresh", action="store_true", help="put earlier results aside, of whatever sources")
    made.add_argument(
        "--rerun-failures",
        action="store_true",
        help="keep the ok results that are there, of whatever sources, and run the rest again",
    )
    made.add_argument(
        "--summary", type=Path, metavar="FILE", help="write the summary there (jace/harness.json)"
    )
    made.add_argument(
        "--repros",
        type=Path,
        metavar="DIR",
        help="write a repro of every harness that is not ok, for jace-repro",
    )
    made.add_argument("--list", action="store_true", help="print the names of the chosen harnesses and stop")
    made.add_argument("--quiet", action="store_true", help="do not list the harnesses that are not ok")
    return made


def chosen(options: argparse.Namespace) -> list[harnesses.Harness]:
    """The harnesses that the options ask for."""
    found = harnesses.catalogue(options.out / "catalogue.json")
    if options.sample:
        found = harnesses.sample(found)
    elif options.fraction < 1.0:
        found = harnesses.stratified(found, options.fraction)
    patterns = [p for p in options.groups.split(",") if p] or ["*"]
    return [
        h
        for h in found
        if any(fnmatch.fnmatchcase(h.group, p) for p in patterns)
        and fnmatch.fnmatchcase(h.name, options.match)
        and options.mode in ("both", "x64" if h.x64 else "x32")
    ]


class Progress:
    """A line every so often, and one for each harness that is not as it should be."""

    def __init__(self, total: int) -> None:
        self.total, self.done, self.bad = total, 0, 0
        self.started = self.told = time.monotonic()

    def __call__(self, harness: harnesses.Harness, verdicts: object) -> None:
        """A harness is finished."""
        self.done += 1
        for verdict in verdicts:
            if verdict.outcome not in ACCEPTABLE:
                self.bad += 1
                print(f"{harness.name}: {verdict.outcome} on {verdict.pipeline}: ", end="")
                print(one_line(verdict.detail), flush=True)
        now = time.monotonic()
        if now - self.told > 15 or self.done == self.total:
            self.told = now
            rate = self.done / (now - self.started)
            left = (self.total - self.done) / rate
            print(
                f"[{now - self.started:5.0f} s] {self.done} of {self.total}, {self.bad} wrong or failed, "
                f"{60 * rate:.0f} a minute, {left / 60:.1f} min left",
                flush=True,
            )


def main() -> int:
    """Run what the command line asks for; answers the exit code."""
    made = parser()
    options = made.parse_args()
    pipelines = [p for p in options.pipelines.split(",") if p]
    for name in pipelines:
        try:
            parse(name)
        except ValueError as error:
            made.error(str(error))
    found = chosen(options)
    if not found:
        made.error("no harness matches")
    if options.list:
        print("\n".join(f"{'x64' if h.x64 else 'x32'} {h.name}" for h in found))
        return 0
    jace.preload()  # what does not import fails here, not in every harness
    path = options.out / "results.jsonl"
    if options.fresh and path.exists():
        path.replace(path.with_suffix(".old.jsonl"))
    current, at = state(), commit()
    results = Results(path, current, keep_other_states=options.rerun_failures)
    wanted = [(h, results.missing(h, pipelines, failures=options.rerun_failures)) for h in found]
    wanted = [(h, missing) for h, missing in wanted if missing]
    warm = (options.out / "cache").exists()
    print(f"{len(found)} harnesses on {' and '.join(pipelines)}; {len(wanted)} to run, {options.jobs} jobs")
    started = time.monotonic()
    with harness_run.environment(options.out):
        harness_run.run(
            wanted,
            results,
            jobs=options.jobs,
            timeout=options.timeout,
            memory_mb=options.memory_mb,
            progress=Progress(len(wanted)),
        )
    spent, computed = time.monotonic() - started, resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = computed.ru_utime + computed.ru_stime
    if state() != current:
        print("the sources changed while this ran: the results are of no state", file=sys.stderr)
        return 2
    rows = results.of(found, pipelines)
    print("\n".join(tallies.table(rows, {name: line["seconds"] for name, line in results.found.items()})))
    print(
        f"{spent:.0f} s ({cpu:.0f} s of CPU), {options.jobs} jobs, caches {'there before' if warm else 'empty before'}"
    )
    if not options.quiet:
        for row in rows:
            if row.outcome != "ok":
                print(f"{row.harness.name} [{row.pipeline}] {row.outcome}: {row.reason}")
    if options.repros:
        failed = dict.fromkeys(row.harness for row in rows if row.outcome != "ok")
        written = harnesses.write_repros(list(failed), options.repros)
        print(f"{len(written)} repros in {options.repros}: jace-repro check, localize or reduce them")
    if options.summary:
        facts = {
            "commit": at,
            "versions": {name: text for name, text in current.items() if name != "sources"},
            "run": {
                "seconds": round(spent),
                "cpu_seconds": round(cpu),
                "jobs": options.jobs,
                "ran": len(wanted),
                "cache": "warm" if warm else "cold",
            },
        }
        tallies.write_summary(tallies.summary(rows, facts), options.summary)
    return int(any(row.outcome not in ACCEPTABLE for row in rows))


if __name__ == "__main__":
    sys.exit(main())
