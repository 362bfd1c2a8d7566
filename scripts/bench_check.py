"""Times `jace-repro check` on many small repros, cold and warm, and prints repros a minute.

    python scripts/bench_check.py [--repros N] [--jobs N] [--pipeline P]... [--folder DIR] [--before DIR] [--json FILE]

The repros are distinct by their jaxprs: random programs (tests/support/random_programs.py), the sample of JAX's
harnesses (tests/harness/sample.txt) and small compositions, in turn. In one interleaved run they are

* plain: loaded, traced and run by jax.jit in one process, without jace: what nobody can go below;
* cold:  `jace-repro check` with empty caches;
* plain again, then warm: `jace-repro check` once more, the compiled code in jace's on-disk cache.

With --before, the checkout of another commit, that one's `check` runs after each of the two, and the ratio of its CPU
seconds is printed. It must be able to read the repros: have its own bench write them into --folder.

Wall seconds include the start of all processes. On a busy machine look at the CPU seconds (user + system of the
command and all it started): `jobs` cores can do no more than `jobs` * 60 / CPU seconds a repro.
"""

import argparse
import collections
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "support")]

#: Exit statuses of a command that tested everything: no finding, findings.
FINISHED = (0, 1)

PLAIN = """
import sys, json
import jax
from pathlib import Path
from jace_repro.repro import load, trace_repro
from jax.extend.core import jaxpr_as_fun
for name in json.load(sys.stdin):
    repro = load(Path(name))
    with repro.configured():
        try:
            closed, args = trace_repro(repro)
            jax.block_until_ready(jax.jit(jaxpr_as_fun(closed))(*args))
        except Exception as error:
            print(f"{name}: {type(error).__name__}", file=sys.stderr)
"""


def make_repros(count, folder):
    """Write `count` repros into `folder`, unless they are there; answer their paths, mixed."""
    from program_sources import composition, generated, normal
    from random_programs import random_program

    from jace_repro.survey import harnesses

    kept = folder / "repros.json"
    if kept.exists() and len(names := json.loads(kept.read_text())) == count:
        return [folder / name for name in names]
    folder.mkdir(parents=True, exist_ok=True)
    wanted = [line.split(maxsplit=1) for line in (ROOT / "tests/harness/sample.txt").read_text().splitlines()]
    listed = [harnesses.Harness("", name, mode == "x64", "", 0, 0, ()) for mode, name in wanted]
    chosen = random.Random(0).sample(listed, min(len(listed), count // 3))
    paths = harnesses.write_repros(chosen, folder)
    seeds = range(10**6)
    sources = [
        ("random", generated(random_program, normal(4), seeds)),
        ("composed", generated(composition, normal(8), seeds)),
    ]
    for k in range(count - len(paths)):
        prefix, repros = sources[k % 2]
        seed, repro = next(repros)
        paths.append(repro.save(folder / f"{prefix}{seed:05}.py").path)
    random.Random(1).shuffle(paths)
    kept.write_text(json.dumps([path.name for path in paths]))
    return paths


def environment(root, cache):
    """That of a checkout's commands, with a cache of its own."""
    path = os.pathsep.join(p for p in (str(root), os.environ.get("PYTHONPATH", "")) if p)
    return {**os.environ, "PYTHONPATH": path, "JAX_PLATFORMS": "cpu", "JACE_CACHE_DIR": str(cache)}


def measured(command, env, stdin=""):
    """(wall seconds, CPU seconds of the command and its children, exit status)."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run(
        command, env=env, input=stdin, text=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    )
    wall, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode not in FINISHED:
        sys.exit(
            f"{' '.join(command[:4])} ... ended with {done.returncode}: its time means nothing\n{done.stderr}"
        )
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return {"wall": wall, "cpu": cpu, "status": done.returncode}


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--repros", type=int, default=500)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--pipeline", action="append", default=[], help="default: those of `check`")
    parser.add_argument("--folder", type=Path, help="where the repros are kept for the next run")
    parser.add_argument("--before", type=Path, metavar="DIR", help="a checkout to compare with")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="bench-check-") as scratch:
        rows = timed(options, Path(scratch))
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1) + "\n")


def timed(options, scratch):
    """The rows by name; prints each as soon as it is known."""
    folder = options.folder or scratch / "repros"
    paths = [str(path) for path in make_repros(options.repros, folder.resolve())]
    pipelines = [word for name in options.pipeline for word in ("--pipeline", name)]
    report = scratch / "report.json"
    check = [sys.executable, "-P", "-m", "jace_repro", "check", "--jobs", str(options.jobs)]
    check += ["--json", str(report), *pipelines, *paths]
    roots = {"": ROOT} | ({" before": options.before.resolve()} if options.before else {})
    envs = {which: environment(root, scratch / f"cache{which}") for which, root in roots.items()}
    rows = {}

    def run(name, command, which="", stdin=""):
        rows[name] = row = measured(command, envs[which], stdin)
        row["a minute"] = 60 * len(paths) / row["wall"]
        row["cpu a repro"] = row["cpu"] / len(paths)
        rates = f"{row['a minute']:8.1f} repros a minute   CPU {row['cpu a repro'] * 1e3:8.1f} ms a repro"
        print(f"{name:12}  {rates}   {row['wall']:7.1f} s", flush=True)
        return row

    for state, plain in (("cold", "plain"), ("warm", "plain again")):
        below = run(plain, [sys.executable, "-c", PLAIN], stdin=json.dumps(paths))
        for which in roots:
            row = run(f"{state}{which}", check, which)
            outcomes, stages = summary(report)
            row.update(ratio=row["cpu"] / below["cpu"], outcomes=outcomes, stages=stages)
            print(f"{'':14}CPU ratio to plain {row['ratio']:.2f}   {outcomes}")
            print(f"{'':14}seconds by stage: {stages}", flush=True)
        if options.before:
            ratio = rows[state]["cpu"] / rows[f"{state} before"]["cpu"]
            print(f"{'':14}CPU ratio to before {ratio:.2f}", flush=True)
    return rows


def summary(report):
    """How many verdicts of each outcome, and seconds by stage."""
    verdicts = [v for entry in json.loads(report.read_text())["entries"] for v in entry["verdicts"]]
    stages = collections.Counter()
    for verdict in verdicts:
        stages.update(verdict["seconds"])
    outcomes = dict(collections.Counter(v["outcome"] for v in verdicts).most_common())
    return outcomes, {name: round(seconds, 1) for name, seconds in stages.most_common()}


if __name__ == "__main__":
    main()
