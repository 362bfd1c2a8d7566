"""Compares long functions that are compiled whole and in parts (`jace.build.parts`), taking turns, and prints a table.

    python scripts/bench_parts.py [--layers N] [--pipeline P] [--repeats N] [REPRO...]

The programs are repro files; without any, a training step of a dense network of N layers, unrolled. For each: lines of
its code; seconds and memory of the C++ compiler, and milliseconds of a call, whole and in parts, with their ratio; and
seconds on the clock until the parts are compiled and linked, in one unit and in several at once.
"""

import argparse
import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

os.environ["JACE_CACHE"] = "0"

import jax
import jax.numpy as jnp
import numpy as np
from interleaving import interleaved

import jace
from jace.build import codegen, compiler, parts
from jace.build.drivers import build_library
from jace.build.flags import CompilerOptions, compile_flags, link_flags, opt_level, toolchain

#: What no function has.
NEVER = 10**9

_PEAK = """
import resource, subprocess, sys
done = subprocess.run(sys.argv[1:])
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(used.ru_utime, used.ru_maxrss)
sys.exit(done.returncode)
"""


def network(layers):
    """A training step, and its arguments."""
    rng = np.random.default_rng(0)
    weights = [rng.normal(size=(16, 16)).astype(np.float32) / 4 for _ in range(layers)]
    x = rng.normal(size=(8, 16)).astype(np.float32)

    def loss(weights, x):
        for w in weights:
            x = x + jnp.tanh((x - x.mean(-1, keepdims=True)) @ w)
        return (x * x).mean()

    def step(weights, x):
        value, gradient = jax.value_and_grad(loss)(weights, x)
        return [w - 0.1 * g for w, g in zip(weights, gradient, strict=True)], value

    closed = jax.make_jaxpr(step)(weights, x)
    return closed, jax.tree.leaves((weights, x))


def recorded(path):
    """The program of a repro file, and its arguments."""
    from jace_repro.repro import load, trace_repro

    repro = load(path)
    with repro.configured():
        closed, args = trace_repro(repro)
    return closed, [np.asarray(a) for a in args]


def coded(program):
    """The source, and the compiler's flags."""
    source = codegen.generate(program)
    options = CompilerOptions.of({})
    level = opt_level(options, source.elements, source.has_loops, len(source.body))
    return source, compile_flags(toolchain(), options, level)


def compiled(program):
    """Seconds and MB of the compiler."""
    source, flags = coded(program)
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "program.cc"
        place.write_text(source.text())
        command = [toolchain().path, *flags]
        command += ["-shared", "-o", str(place.with_suffix(".so")), str(place)]
        done = subprocess.run(
            [sys.executable, "-c", _PEAK, *command], capture_output=True, text=True, check=True
        )
    seconds, kilobytes = done.stdout.split()
    return float(seconds), int(kilobytes) / 1024


@contextlib.contextmanager
def whole_up_to(lines):
    """Functions of fewer lines than that are compiled whole."""
    before, parts.LONG = parts.LONG, lines
    try:
        yield
    finally:
        parts.LONG = before


def measured(program, args, repeats):
    """Of both ways: seconds and MB of the compiler, and seconds of a call."""
    ways = {"whole": NEVER, "parts": parts.LONG}
    costs, calls = {name: [] for name in ways}, {}
    for _ in range(repeats):
        for name, lines in ways.items():
            with whole_up_to(lines):
                costs[name].append(compiled(program))
    for name, lines in ways.items():
        with whole_up_to(lines):
            library = build_library(program, CompilerOptions.of({}))
        calls[name] = lambda library=library: library.call_direct(args)
    for one, other in zip(*(call() for call in calls.values()), strict=True):
        np.testing.assert_array_equal(one, other)
    called = interleaved(calls, 5 * repeats)
    return [(*min(costs[name]), called[name]) for name in ways]


def at_once(program, repeats):
    """Seconds on the clock to compile and link, in one unit and in as many as there may be, and how many these are."""
    source, flags = coded(program)
    text, most = source.text(), compiler.MOST_UNITS

    def built(count):
        compiler.MOST_UNITS = count
        libraries = link_flags(toolchain(), CompilerOptions.of({}))
        shutil.rmtree(compiler.compile_text(text, flags, libraries, toolchain(), None).scratch)

    seconds = interleaved({n: lambda n=n: built(n) for n in (1, most)}, repeats)
    compiler.MOST_UNITS = most
    return seconds[1], seconds[most], compiler.unit_count(text)


def main():
    """Prints the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("repros", nargs="*", type=Path, metavar="REPRO")
    parser.add_argument("--layers", type=int, default=200)
    parser.add_argument("--pipeline", default="fused")
    parser.add_argument("--repeats", type=int, default=2)
    options = parser.parse_args()
    named = {path.stem: recorded(path) for path in options.repros}
    for name, (closed, args) in (named or {f"{options.layers} layers": network(options.layers)}).items():
        program = jace.translate_jaxpr(closed, options.pipeline)
        (seconds, mb, call), (in_parts, mb_in_parts, call_in_parts) = measured(program, args, options.repeats)
        one, several, count = at_once(program, options.repeats)
        print(
            f"{name}: {codegen.generate(program).body.count(chr(10))} lines; "
            f"compiled in {seconds:.1f} s whole, {in_parts:.1f} s in parts ({in_parts / seconds:.2f}); "
            f"{mb:.0f} MB, {mb_in_parts:.0f} MB ({mb_in_parts / mb:.2f}); "
            f"a call {1e3 * call:.3f} ms, {1e3 * call_in_parts:.3f} ms ({call_in_parts / call:.2f}); "
            f"on the clock {one:.1f} s in one unit, {several:.1f} s in {count} ({several / one:.2f})",
            flush=True,
        )


if __name__ == "__main__":
    main()
