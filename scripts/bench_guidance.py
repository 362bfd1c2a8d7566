"""Measures what guidance is worth: what the programs of `jace-repro fuzz --guided` reach, beside those of `fuzz`.

    python scripts/bench_guidance.py [--programs N] [--seeds K] [--first SEED] [--pipeline P]... [--json FILE]

For each seed both make N programs, batch by batch in turn, on both sides by one process that also finds out what each
program reaches (`jace_repro.fuzz.reach`); nothing is compiled and nothing runs. Printed are the branches, passes and
pairs that a quarter, a half and all of the programs reach, the seconds, and the ratio guided / plain of each at the
end.
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


def arms(seed, folder, options):
    """Both ways to choose programs: name -> (guide, a function from numbers to what is wanted)."""
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
    """One seed: name -> the counts at each quarter, and seconds."""
    from jace_repro.campaign.fuzz.here import BATCH
    from jace_repro.fuzz import writing

    ways = arms(seed, folder, options)
    found = {name: {"at": {}, "seconds": 0.0} for name in ways}
    with writing.writer(1) as processes:
        for start in range(0, options.programs, BATCH):
            numbers = range(start, min(start + BATCH, options.programs))
            for name, (guide, wanted, learn) in ways.items():
                began = time.perf_counter()
                out = folder / name
                learn(writing.write_all(processes, wanted(numbers), out, options.pipeline)())
                found[name]["seconds"] += time.perf_counter() - began
                found[name]["at"][numbers.stop] = guide.counts
    return found


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--programs", type=int, default=256, metavar="N")
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
    print(f"{'seed':>6}{'':10}{'programs':>9}" + "".join(f"{kind:>9}" for kind in KINDS) + f"{'seconds':>9}")
    results, ratios = {}, collections.defaultdict(list)
    for seed in range(options.first, options.first + options.seeds):
        with tempfile.TemporaryDirectory(prefix="bench-guidance-") as scratch:
            found = results[seed] = measured(seed, Path(scratch), options)
        for name, one in found.items():
            ends = sorted(one["at"])
            for end in sorted({ends[len(ends) * k // 4 - 1] for k in (1, 2, 4) if len(ends) * k >= 4}):
                counts = one["at"][end]
                seconds = f"{one['seconds']:9.0f}" if end == ends[-1] else ""
                print(
                    f"{seed:6}{name:>10}{end:9}" + "".join(f"{counts[kind]:9}" for kind in KINDS) + seconds,
                    flush=True,
                )
        last = {name: one["at"][max(one["at"])] for name, one in found.items()}
        for kind in KINDS:
            ratios[kind].append(last["guided"][kind] / max(1, last["plain"][kind]))
        ratios["seconds"].append(found["guided"]["seconds"] / found["plain"]["seconds"])
    print("guided / plain: " + ", ".join(f"{name} {sum(r) / len(r):.2f}" for name, r in ratios.items()))
    if options.json:
        options.json.write_text(json.dumps(results, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
