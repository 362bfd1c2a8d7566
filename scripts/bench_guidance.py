"""Measures what guidance is worth: what the programs of `jace-repro fuzz --guided` reach, beside those of `fuzz`.

    python scripts/bench_guidance.py [--seconds S] [--seeds K] [--first SEED] [--pipeline P]... [--json FILE]

For each seed both make programs for S seconds each, batch by batch in turn, by one process that also finds out what
each program reaches (`jace_repro.fuzz.reach`); nothing is compiled and nothing runs. Printed are the branches, passes,
pairs and forms that are reached after a quarter, a half and all of the time, and the ratio guided / plain of each at
the end.
"""

import argparse
import collections
import json
import os
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def arms(seed, folder):
    """Both ways to choose programs: name -> (guide, from numbers to what is wanted, what learns)."""
    from jace_repro.campaign.fuzz.guidance import Guidance
    from jace_repro.fuzz.guide import Guide
    from jace_repro.fuzz.writing import wanted_at

    seeds = folder / "seeds"
    seeds.mkdir(parents=True)
    guided = Guidance(Guide(seed), folder / "reached.json", seeds)
    plain = Guide(seed)

    def learn_plainly(batch):
        for written in batch:
            plain.learn(written)

    return {
        "plain": (plain, lambda numbers: (wanted_at(seed, n) for n in numbers), learn_plainly),
        "guided": (guided.guide, guided.programs, guided.learn),
    }


def measured(seed, folder, options):
    """One seed: name -> rows of (seconds, programs, counts)."""
    from jace_repro.campaign.fuzz.here import BATCH
    from jace_repro.fuzz import writing
    from jace_repro.fuzz.reach import KINDS

    ways = arms(seed, folder)
    rows = {name: [(0.0, 0, dict.fromkeys(KINDS, 0))] for name in ways}
    with writing.writer(1) as processes:
        writing.write_all(processes, [writing.wanted_at(seed, 0)], folder / "warm", options.pipeline)()
        while (late := min(rows, key=lambda name: rows[name][-1][0])) and rows[late][-1][0] < options.seconds:
            guide, wanted, learn = ways[late]
            spent, made, _ = rows[late][-1]
            began = time.perf_counter()
            numbers = range(made, made + BATCH)
            learn(writing.write_all(processes, wanted(iter(numbers)), folder / late, options.pipeline)())
            rows[late].append((spent + time.perf_counter() - began, numbers.stop, guide.counts))
    return rows


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seconds", type=float, default=120.0, metavar="S")
    parser.add_argument("--seeds", type=int, default=2, metavar="K")
    parser.add_argument("--first", type=int, default=0, metavar="SEED")
    parser.add_argument("--pipeline", action="append", default=[], metavar="P", help="default: those of fuzz")
    parser.add_argument("--json", type=Path, metavar="FILE")
    options = parser.parse_args()
    os.environ["JAX_PLATFORMS"] = "cpu"
    sys.path.insert(0, str(ROOT))
    from jace_repro.campaign.settings import choose_pipelines
    from jace_repro.fuzz.reach import KINDS

    options.pipeline = choose_pipelines(tuple(options.pipeline))
    print(f"{'seed':>6}{'':10}{'seconds':>9}{'programs':>10}" + "".join(f"{kind:>9}" for kind in KINDS))
    results, ratios = {}, collections.defaultdict(list)
    for seed in range(options.first, options.first + options.seeds):
        with tempfile.TemporaryDirectory(prefix="bench-guidance-") as scratch:
            found = results[seed] = measured(seed, Path(scratch), options)
        for name, rows in found.items():
            for share in (0.25, 0.5, 1.0):
                seconds, made, counts = next(r for r in rows if r[0] >= share * options.seconds)
                told = "".join(f"{counts[kind]:9}" for kind in KINDS)
                print(f"{seed:6}{name:>10}{seconds:9.0f}{made:10}{told}", flush=True)
        for kind in KINDS:
            ratios[kind].append(found["guided"][-1][2][kind] / max(1, found["plain"][-1][2][kind]))
    print("guided / plain: " + ", ".join(f"{name} {sum(r) / len(r):.2f}" for name, r in ratios.items()))
    if options.json:
        options.json.write_text(json.dumps(results, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
