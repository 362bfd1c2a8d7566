"""Times jace.jit against jax.jit in one interleaved run and prints a table.

    python scripts/bench_run.py [--sizes 14,18,20] [--repeats N] [--pipeline P] [--json FILE]

Three measurements, each the minimum of N with the two candidates taking turns:

* call overhead: a program of five operations on 128 elements;
* running time of the three pyhpc kernels of corpus/programs at 2^14, 2^18 and 2^20 cells;
* time from a traced function to one that runs (translate + compile against XLA's lower + compile), cold: the
  cache of jace is off, and so is JAX's.
"""

import argparse
import importlib
import json
import os
import statistics
import sys
import time
from pathlib import Path

os.environ["JACE_CACHE"] = "0"
os.environ["JAX_ENABLE_COMPILATION_CACHE"] = "0"
PROGRAMS = Path(__file__).resolve().parents[1] / "corpus" / "programs"
sys.path.insert(0, str(PROGRAMS))

import jax  # noqa: E402
import jax.numpy as jnp  # noqa: E402
import numpy as np  # noqa: E402
from interleaving import interleaved  # noqa: E402

import jace  # noqa: E402

KERNELS = ("equation_of_state", "isoneutral_mixing", "turbulent_kinetic_energy")


def small(x, y):
    """Five operations on 128 elements."""
    return jnp.tanh(x * y + 1.0) - x


def overhead(pipeline, repeats):
    x, y = (jax.device_put(np.linspace(0.0, 1.0, 128, dtype=np.float32)) for _ in range(2))
    theirs, ours = jax.jit(small), jace.jit(small, pipeline=pipeline)
    np.testing.assert_allclose(ours(x, y), theirs(x, y), rtol=1e-5, atol=1e-6)
    times = interleaved({"jax": lambda: theirs(x, y), "jace": lambda: ours(x, y)}, repeats, calls=2000)
    return {"what": "call overhead, 128 elements", **times}


def kernel(name, size, pipeline, repeats):
    program = importlib.import_module(name)
    arguments = [jax.device_put(a) for a in program.inputs(size)]
    theirs = jax.jit(program.KERNEL)
    ours = jace.jit(program.KERNEL, pipeline=pipeline)
    worst = 0.0
    for reference, result in zip(
        jax.tree.leaves(theirs(*arguments)), jax.tree.leaves(ours(*arguments)), strict=True
    ):
        scale = float(np.max(np.abs(reference))) or 1.0
        worst = max(worst, float(np.max(np.abs(np.asarray(result) - np.asarray(reference)))) / scale)
    times = interleaved({"jax": lambda: theirs(*arguments), "jace": lambda: ours(*arguments)}, repeats)
    return {"what": f"{name}, 2^{size.bit_length() - 1} cells", "error": worst, **times}


def compilation(name, pipeline, repeats):
    program = importlib.import_module(name)
    arguments = program.inputs(2**14)
    samples = {"jax": [], "jace": []}
    for _ in range(repeats):
        for which, jit in (("jax", jax.jit), ("jace", lambda f: jace.jit(f, pipeline=pipeline))):
            jax.clear_caches()
            jace.clear_caches()
            traced = jit(lambda *a: program.KERNEL(*a)).trace(*arguments)
            start = time.perf_counter()
            traced.lower().compile()
            samples[which].append(time.perf_counter() - start)
    return {"what": f"{name}: translate + compile", **{k: min(v) for k, v in samples.items()}}


def show(row):
    unit, factor = ("us", 1e6) if row["jax"] < 1e-3 else ("ms", 1e3)
    ratio = row["jace"] / row["jax"]
    error = f"   largest error {row['error']:.1e}" if "error" in row else ""
    jax_time, jace_time = row["jax"] * factor, row["jace"] * factor
    told = f"jax {jax_time:10.2f} {unit}   jace {jace_time:10.2f} {unit}   ratio {ratio:6.2f}"
    print(f"{row['what']:46} {told}{error}", flush=True)
    return {**row, "ratio": ratio}


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sizes", default="14,18,20", help="exponents of 2, comma separated")
    parser.add_argument("--repeats", type=int, default=15)
    parser.add_argument("--pipeline", default="fused")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    how = f"pipeline {options.pipeline}, {os.cpu_count()} cores, min of {options.repeats}"
    print(f"jax {jax.__version__}, {how}")
    rows = [show(overhead(options.pipeline, options.repeats))]
    for name in KERNELS:
        for exponent in map(int, options.sizes.split(",")):
            rows.append(show(kernel(name, 2**exponent, options.pipeline, options.repeats)))
    for name in KERNELS:
        rows.append(show(compilation(name, options.pipeline, max(2, options.repeats // 5))))
    print(f"geometric mean of all ratios {statistics.geometric_mean(r['ratio'] for r in rows):.2f}")
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1) + "\n")


if __name__ == "__main__":
    main()
