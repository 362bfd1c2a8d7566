"""Tests programs that are right, and counts the false alarms.

    python scripts/clean.py [--out DIR] [--from SEED] [--operations N] [--composed N] [--unstable N] [--alike N]
                            [--random N] [--exact N] [--harness F] [--no-corpus] [--jobs N] [--pipeline P]...

The programs, distinct by their jaxprs within a batch:

* exact: made at random from operations that round nothing on small integers (tests/support/exact_programs.py);
* random: nested functions and transforms that round (tests/support/random_programs.py);
* operations: N programs of every operation of the table (jace_repro/fuzz/operations), one in three in 64-bit mode, with
  parameters, shapes, dtypes and critical values drawn from SEED on;
* composed: several of these operations in one program, in control flow and transforms, from SEED on;
* unstable: chaos, systems of equations that are nearly singular, long recurrences, cancellation, near ties, loops that
  end when a value says so (tests/support/unstable_programs.py), from SEED on, one in three in 64-bit mode;
* alike: sums of terms that are alike and long recurrences, where rounding goes one way
  (tests/support/alike_programs.py), from SEED on;
* harness: JAX's own primitive harnesses, all or a fraction of each group;
* corpus: the entries of the programs in corpus/programs.

Each goes through `jace-repro check` on its recorded inputs and one set of generated ones (exact ones where the program
may be exact on some). Prints, by source, how many were tested, how many of those that were compared were so exactly,
how many are ill-conditioned, and how many raised an alarm; then each alarm. A finding whose signature the corpus has is
a known bug, no false alarm (one of DaCe's on the pipeline of its entry only): it is printed with the entry of the
corpus that it is taken for, as two bugs may have one signature.

DIR keeps a line for each program: a run that finds some goes on after them. Exit status: 1 if there was a false alarm.
"""

import argparse
import collections
import json
import os
import shutil
import subprocess
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "support")]

SOURCES = ("corpus", "operations", "composed", "unstable", "alike", "harness", "random", "exact")
CLEAN = frozenset({"ok", "ill-conditioned", "unsupported"})
#: Programs that one process writes and one command tests.
BATCH = 200


def write(source, names, folder):
    """Write the repros of these programs into a folder; answer {path: name}. Runs in a process of its own."""
    folder.mkdir(parents=True)
    if source == "harness":
        from jace_repro.survey import harnesses

        listed = [harnesses.Harness("", name, x64, "", 0, 0, ()) for x64, name in names]
        modes = {harnesses.stem_of(name): [x64, name] for x64, name in names}
        return {str(path): modes[path.stem] for path in harnesses.write_repros(listed, folder)}
    if source in ("operations", "composed"):
        return {str(path): name for name in names if (path := write_program(name, folder)) is not None}
    from alike_programs import alike_inputs, alike_program
    from exact_programs import exact_inputs, exact_program
    from program_sources import generated, normal
    from random_programs import random_program
    from unstable_programs import unstable_inputs, unstable_program

    maker, inputs = {
        "exact": (exact_program, exact_inputs),
        "random": (random_program, normal(4)),
        "unstable": (unstable_program, unstable_inputs),
        "alike": (alike_program, alike_inputs),
    }[source]
    return {
        str(repro.save(folder / f"{source}{seed:06}.py").path): seed
        for seed, repro in generated(maker, inputs, names)
    }


def write_program(name, folder):
    """Write a program of the table; None where it has no repro."""
    from jace_repro.emitter import EmitError, emit_flat
    from jace_repro.fuzz import named
    from jace_repro.repro import Header, current_config

    told = named(name)
    with told.configured():
        closed, arrays = told.traced
        header = Header(name=name, origin=f"operation {name}", jax_config=current_config())
        try:
            return emit_flat(closed, arrays, header=header).save(folder / f"{name.replace('/', '-')}.py").path
        except EmitError as error:
            print(f"{name}: no repro: {error}", file=sys.stderr)
            return None


def corpus(folder):
    """The recorded entries of the corpus' programs: {path: name}."""
    for program in sorted((ROOT / "corpus/programs").glob("*.py")):
        subprocess.run(
            [sys.executable, "-m", "jace_repro", "record", "-o", folder / program.stem, program],
            env=environment(folder),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
    paths = sorted(folder.glob("*/entries/*.py"))
    return {str(path): f"{path.parts[-3]}/{path.stem}" for path in paths}


def environment(folder):
    path = os.pathsep.join(p for p in (str(ROOT), os.environ.get("PYTHONPATH", "")) if p)
    return {**os.environ, "PYTHONPATH": path, "JAX_PLATFORMS": "cpu", "JACE_CACHE_DIR": str(folder / "cache")}


def test(written, folder, options):
    """One line for each program: its name, the outcomes, whether one comparison was exact, the alarms."""
    from jace_repro.repro import load

    report = folder / "report.json"
    command = [sys.executable, "-m", "jace_repro", "check", "--jobs", str(options.jobs), "--inputs", "1"]
    command += [word for name in options.pipeline for word in ("--pipeline", name)]
    command += ["--json", str(report), *written]
    done = subprocess.run(command, env=environment(folder), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    if not report.exists():
        sys.exit(f"check wrote no report: {done.stderr.decode()[-2000:]}")
    for entry in json.loads(report.read_text())["entries"]:
        verdicts = entry["verdicts"]
        alarms = [
            {k: v[k] for k in ("pipeline", "outcome", "signature", "detail", "who", "inputs")}
            for v in verdicts
            if v["outcome"] not in CLEAN
        ]
        path = next(p for p in written if Path(p).name == Path(entry["repro"]).name)
        if alarms:
            kept = options.out / "alarms"
            load(Path(path)).save(kept / Path(path).name)
        yield {
            "name": written[path],
            "outcomes": [v["outcome"] for v in verdicts],
            "compared": any(v["exact"] is not None for v in verdicts),
            "exact": any(v["exact"] for v in verdicts),
            "alarms": alarms,
        }


def batches(options, done):
    """(source, names) of what is left to test."""
    from jace_repro.fuzz.operations import OPERATIONS, UNWRITTEN
    from jace_repro.fuzz.programs import COMPOSED, name_of
    from jace_repro.survey import harnesses

    def numbers(count):
        return range(options.first, options.first + count)

    listed = harnesses.catalogue(options.out / "harnesses.json") if options.harness else []
    names = {
        "corpus": [None] if options.corpus else [],
        "operations": [
            name_of(o, seed, x64=seed % 3 == 2)
            for seed in numbers(options.operations)
            for o in OPERATIONS
            if o not in UNWRITTEN
        ],
        "composed": [name_of(COMPOSED, seed, x64=seed % 3 == 2) for seed in numbers(options.composed)],
        "unstable": list(numbers(options.unstable)),
        "alike": list(numbers(options.alike)),
        "harness": [[h.x64, h.name] for h in harnesses.stratified(listed, options.harness)] if listed else [],
        "random": list(range(options.random)),
        "exact": list(range(options.exact)),
    }
    for source in SOURCES:
        tried = done[source]
        left = [name for name in names[source] if json.dumps(name) not in tried]
        for start in range(0, len(left), BATCH):
            yield source, left[start : start + BATCH]


def known_findings():
    """The findings of the corpus."""
    from jace_repro.corpus import store

    return store.known(ROOT / "corpus")


def table(rows, known):
    """The lines to print, and how many false alarms there are; `known` as `known_findings` gives it."""

    def entry(alarm):
        path = known.entry(*(alarm[name] for name in ("signature", "outcome", "pipeline")))
        return path and path.relative_to(ROOT)

    lines = [
        f"{'source':10} {'programs':>9} {'compared':>9} {'exactly':>9} {'ill-cond.':>9} {'known bugs':>11}"
        f" {'false alarms':>13}"
    ]
    false = []
    total = collections.Counter()
    for source in SOURCES:
        mine = [row for row in rows if row["source"] == source and row["outcomes"]]
        of_known = [r for r in mine if r["alarms"] and all(map(entry, r["alarms"]))]
        alarms = [r for r in mine if r["alarms"] and r not in of_known]
        false += alarms
        figures = {
            "programs": len(mine),
            "compared": sum(r["compared"] for r in mine),
            "exactly": sum(r["exact"] for r in mine),
            "ill": sum("ill-conditioned" in r["outcomes"] for r in mine),
            "known": len(of_known),
            "alarms": len(alarms),
        }
        total.update(figures)
        lines.append(row_of(source, figures))
    lines.append(row_of("all", total))
    alarms = [(row, a) for row in rows for a in row["alarms"]]
    lines += [f"known: {said(row, a)}: {entry(a)}" for row, a in alarms if entry(a)]
    lines += [f"{said(row, a)}: {a['detail']}" for row, a in alarms if not entry(a)]
    return lines, len(false)


def said(row, alarm):
    inputs = alarm["inputs"] or "recorded"
    return f"{row['source']} {row['name']}: {alarm['pipeline']}: {alarm['outcome']} {alarm['signature']} on {inputs}"


def row_of(source, figures):
    share = f"{figures['exactly'] / max(figures['compared'], 1):.1%}"
    ill = f"{figures['ill'] / max(figures['programs'], 1):.1%}"
    counts = [figures[k] for k in ("programs", "compared")]
    return f"{source:10} {counts[0]:9} {counts[1]:9} {share:>9} {ill:>9} {figures['known']:11} {figures['alarms']:13}"


def run(options, done):
    """Tests what is left to test; yields the rows of a batch after the other."""
    scratch = options.out / "scratch"
    shutil.rmtree(scratch, ignore_errors=True)
    with ProcessPoolExecutor(1, mp_context=get_context("spawn"), max_tasks_per_child=1) as pool:

        def begin(number, source, names):
            folder = scratch / str(number)
            job = (corpus, folder) if source == "corpus" else (write, source, names, folder)
            return source, names, folder, pool.submit(*job)

        begun = (begin(number, *batch) for number, batch in enumerate(batches(options, done)))
        batch = next(begun, None)
        while batch is not None:
            source, names, folder, writing = batch
            written = writing.result()
            batch = next(begun, None)  # which is written while this one is tested
            found = (
                {json.dumps(row["name"]): row for row in test(written, folder, options)} if written else {}
            )
            untested = {"outcomes": [], "alarms": []}
            for name in written.values() if source == "corpus" else names:
                yield {"source": source, "name": name, **found.get(json.dumps(name), untested)}
            shutil.rmtree(folder)


def parsed():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=Path, default=Path("clean-out"), metavar="DIR")
    parser.add_argument("--operations", type=int, default=9, metavar="N", help="programs of each operation")
    parser.add_argument(
        "--from",
        type=int,
        default=0,
        dest="first",
        metavar="SEED",
        help="the first seed of operations, composed, unstable, alike",
    )
    parser.add_argument("--composed", type=int, default=1500, metavar="N")
    parser.add_argument("--unstable", type=int, default=8000, metavar="N")
    parser.add_argument("--alike", type=int, default=1000, metavar="N")
    parser.add_argument("--exact", type=int, default=4000, metavar="N")
    parser.add_argument("--random", type=int, default=800, metavar="N")
    parser.add_argument("--harness", type=float, default=1.0, metavar="F", help="fraction of each group")
    parser.add_argument("--no-corpus", dest="corpus", action="store_false")
    parser.add_argument("--pipeline", action="append", default=[], help="default: those of `check`")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args()
    options.out = options.out.resolve()
    options.out.mkdir(parents=True, exist_ok=True)
    return options


def main():
    options = parsed()
    results = options.out / "results.jsonl"
    rows = [json.loads(line) for line in results.read_text().splitlines()] if results.exists() else []
    done = {source: {json.dumps(r["name"]) for r in rows if r["source"] == source} for source in SOURCES}
    options.corpus = options.corpus and not done["corpus"]
    started, tested = time.perf_counter(), 0
    with results.open("a") as lines:
        for row in run(options, done):
            rows.append(row)
            print(json.dumps(row), file=lines, flush=True)
            tested += bool(row["outcomes"])
            if len(rows) % BATCH == 0:
                rate = 60 * tested / (time.perf_counter() - started)
                alarms = sum(bool(r["alarms"]) for r in rows)
                print(
                    f"{len(rows):6} done, {rate:6.0f} a minute, {alarms} alarms", file=sys.stderr, flush=True
                )
    told, false = table(rows, known_findings())
    print("\n".join(told))
    return int(bool(false))


if __name__ == "__main__":
    sys.exit(main())
