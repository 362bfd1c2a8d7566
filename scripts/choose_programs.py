"""Chooses the programs of the gating sample: those of the table of operations in which something new is seen.

    python scripts/choose_programs.py [--seeds N] [--most M] [--add] [--operation NAME]... [--out FILE]

Draws N programs of every operation in each mode, translates them, and keeps, greedily, as many as are needed to see
all that any of them shows: operations and each choice of theirs (a mode, an axis, a kind of transform), contexts,
branches of jace that are executed, C++ functions that the generated code calls, pairs of primitive and dtype, forms of
equations (`jace_repro.fuzz.forms`). Writes the names to tests/jace_repro/fuzz/sample.txt, the most telling first, and
prints how many of jace's branches they execute, with the branches that they do not. With --add the programs that are
there stay, and those that show what none of these shows are put after them; with --operation, so are programs of these.
"""

import argparse
import collections
import itertools
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SAMPLE = ROOT / "tests" / "jace_repro" / "fuzz" / "sample.txt"
#: Folders of jace whose branches count: what decides what is computed.
DECIDING = ("rules", "plan", "sdfg", "translate", "ir", "build")
_ARC = re.compile(r"(jace/\S+\.py):(-?\d+)>(-?\d+)")
#: Choices that all operations have: what is seen of them is seen elsewhere (branches, pairs of primitive and dtype).
_COMMON = frozenset({"dtype", "rank", "length"})
_SEEN = "seen: "
_CALLED = re.compile(r"jace::(\w+)(?=\s*[<(])")


def seen(first, last, x64, operations):
    """Prints a line of JSON for each program of the seeds first, ..., last - 1 of a mode: what is seen in it."""
    import coverage
    import jax

    jax.config.update("jax_enable_x64", x64)
    import jace.api
    from jace.ir import walk
    from jace.translate import passes, unit
    from jace_repro.fuzz.forms import forms
    from jace_repro.fuzz.operations import OPERATIONS
    from jace_repro.fuzz.programs import name_of, program

    jace.api._load_rules()
    folders = [str(ROOT / "jace" / name / "*") for name in DECIDING]
    for operation in operations or OPERATIONS:
        for seed in range(first, last):
            name = name_of(operation, seed, x64=x64)
            try:
                found = program(name)
            except ValueError as error:
                print(_SEEN + json.dumps([name, 0, [], [f"error: {error}"]]), flush=True)
                continue
            features = {f"operation {operation}"}
            features |= {
                f"{choice} {value}" for choice, value in found.choices if choice in ("context", "sweep")
            }
            # what is around an operation is drawn after it
            own = itertools.takewhile(lambda made: made[0] != "context", found.choices)
            features |= {f"{operation}: {choice} {value}" for choice, value in own if choice not in _COMMON}
            used = collections.Counter()
            for _, eqn in walk(found.closed):
                aval = (*eqn.invars, *eqn.outvars)[0].aval if (*eqn.invars, *eqn.outvars) else None
                used[eqn.primitive.name, str(getattr(aval, "dtype", ""))] += 1
            features |= {f"primitive {p} {t}" for p, t in used} | forms(found.closed)
            cov = coverage.Coverage(branch=True, data_file=None, include=folders, config_file=False)
            unit.clear_caches()
            started = time.perf_counter()
            for pipeline in ("fused", "canonical"):
                cov.start()
                try:
                    translated = passes.translate(found.closed, pipeline)
                except Exception as error:
                    features.add(f"{pipeline} {type(error).__name__}: {str(error)[:200]}")
                    continue
                finally:
                    cov.stop()
                for node, _ in translated.sdfg.all_nodes_recursive():
                    text = getattr(getattr(node, "code", None), "as_string", "")
                    features |= {f"C++ {call}" for call in _CALLED.findall(text)}
            data = cov.get_data()
            arcs = [
                f"{Path(file).relative_to(ROOT)}:{a}>{b}"
                for file in data.measured_files()
                for a, b in data.arcs(file) or ()
            ]
            print(
                _SEEN + json.dumps([name, time.perf_counter() - started, sorted(features), arcs]), flush=True
            )


def drawn(seeds, jobs, operations):
    """{name: (seconds, features)} of all programs, or of some operations."""
    chunks = [(low, min(low + 3, seeds), x64) for x64 in (0, 1) for low in range(0, seeds // (1 + x64), 3)]
    command = [sys.executable, __file__, "--seen"]
    found = {}

    def told(chunk):
        words = [*command, *map(str, chunk), *(word for name in operations for word in ("--operation", name))]
        env = {**os.environ, "JAX_PLATFORMS": "cpu"}
        return subprocess.run(words, stdout=subprocess.PIPE, text=True, env=env, check=True).stdout

    with ThreadPoolExecutor(jobs) as threads:
        for said in threads.map(told, chunks):
            for line in said.splitlines():
                if line.startswith(_SEEN):  # DaCe prints as well
                    name, seconds, features, arcs = json.loads(line.removeprefix(_SEEN))
                    found[name] = (seconds, {*features, *arcs})
            print(f"{len(found)} programs", file=sys.stderr, flush=True)
    return found


def chosen(found, most, there=()):
    """The names of a small set in which all is seen, the most telling first; after what is seen in those there."""
    rest, missing = dict(found), set().union(*(features for _, features in found.values()))
    for name in rest.keys() & set(there):
        missing -= rest.pop(name)[1]
    names = []
    gains = {name: len(features) for name, (_, features) in rest.items()}
    while missing and len(names) < most:
        # Gains only shrink: what was best is looked at again before it is taken.
        while True:
            name = max(gains, key=lambda n: (gains[n], n))
            gain = len(rest[name][1] & missing)
            if gain == gains[name]:
                break
            gains[name] = gain
        if not gain:
            break
        names.append(name)
        missing -= rest.pop(name)[1]
        del gains[name]
    return names


def report(found, names, folder):
    """Lines: how many of the branches of jace's deciding folders the programs execute, and those that they do not."""
    import coverage

    arcs = collections.defaultdict(list)
    for name in names:
        for feature in found[name][1]:
            if match := _ARC.fullmatch(feature):
                arcs[str(ROOT / match[1])].append((int(match[2]), int(match[3])))
    data = coverage.CoverageData(basename=str(folder / "data"))
    data.add_arcs(arcs)
    data.write()
    every = [str(ROOT / "jace" / part) for part in DECIDING]
    cov = coverage.Coverage(data_file=str(folder / "data"), branch=True, source=every, config_file=False)
    cov.load()
    cov.json_report(outfile=str(folder / "report.json"))
    told = json.loads((folder / "report.json").read_text())
    for file, one in sorted(told["files"].items()):
        lines = Path(file).read_text().splitlines() if Path(file).exists() else []
        for a, b in one["missing_branches"]:
            where = "the end" if b < 0 else f"line {b}"
            yield f"{Path(file)}:{a} -> {where}: {lines[a - 1].strip() if lines else ''}"
    total = told["totals"]
    yield f"{total['covered_branches']} of {total['num_branches']} branches of jace,"
    yield f"{total['covered_lines']} of {total['num_statements']} statements"


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seeds", type=int, default=12)
    parser.add_argument("--most", type=int, default=10_000)
    parser.add_argument("--add", action="store_true", help="keep the programs that are there")
    parser.add_argument(
        "--operation", action="append", default=[], metavar="NAME", help="of this; may be repeated"
    )
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--out", type=Path, default=SAMPLE)
    parser.add_argument(
        "--kept", type=Path, help="keep what is seen in each program in this file, or read it there"
    )
    parser.add_argument("--seen", nargs=3, type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.seen:
        return seen(*options.seen[:2], bool(options.seen[2]), options.operation)
    if options.kept and options.kept.exists():
        found = {
            name: (seconds, set(features))
            for name, (seconds, features) in json.loads(options.kept.read_text()).items()
        }
    else:
        found = drawn(options.seeds, options.jobs, options.operation)
        if options.kept:
            options.kept.write_text(json.dumps({n: [s, sorted(f)] for n, (s, f) in found.items()}))
    options.out.parent.mkdir(parents=True, exist_ok=True)
    there = options.out.read_text().split() if options.add or options.operation else []
    names = [*there, *chosen(found, options.most, there)]
    options.out.write_text("\n".join(names) + "\n")
    with tempfile.TemporaryDirectory() as folder:
        print("\n".join(report(found, [name for name in names if name in found], Path(folder))))
    print(f"{len(names)} programs, {len(names) - len(there)} of them chosen now out of {len(found)}")
    return 0


if __name__ == "__main__":
    sys.path[:0] = [str(ROOT)]
    sys.exit(main())
