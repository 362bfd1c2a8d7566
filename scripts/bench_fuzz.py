"""Measures the programs of `jace-repro fuzz`: how many are valid, say something, show a bug; and how many a minute.

    python scripts/bench_fuzz.py [--programs N] [--seed K] [--jobs N] [--pipeline P]... [--json FILE]

Of N programs of a seed, those of one operation and those of several apart:

* valid: JAX takes them and XLA runs them; finite: none of their outputs under XLA has a NaN or an infinity (values at
  the ends of a domain are a part of what is drawn for one operation, so those need not be);
* sensitive: wrong results of one equation, drawn at random of those that it runs and some output needs, and of those
  that are like it, are a `mismatch` to the tester. The wrong one is NumPy's evaluation of the program with these
  results changed: all of their elements (by a quarter, or by one), or one element drawn at random. Programs none of
  whose results has an element cannot be wrong, and are not judged;
* the primitives that they reach, of those that jace translates, and those that none has.

Then in one interleaved run, with empty caches: `plain`, the same programs traced and run by jax.jit in one process,
which nobody can go below; `fuzz`, the command; `plain` again. The ratio is what a test costs in runs of XLA.
"""

import argparse
import collections
import hashlib
import json
import os
import random
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[1]


@dataclass(frozen=True)
class Drawn:
    """Which equations of a program are wrong: those of one form, as of a rule that is.

    Attributes:
        forms: those of all of the program's equations.
        wrong: the one that was drawn.
    """

    forms: frozenset[str] = frozenset()
    wrong: str = ""


#: What was drawn last in this process: the tester asks for a program's equations by themselves after the program.
LAST = Drawn()


def form(eqn):
    """What an equation computes, whatever its variables are called."""
    return f"{eqn.primitive.name} {eqn.params} {[v.aval for v in (*eqn.invars, *eqn.outvars)]}"


@dataclass
class Wrong:
    """NumPy's evaluation of a program whose equations of one form give wrong results, as an `Executable`."""

    closed: object
    share: str
    seconds: dict = field(default_factory=dict)

    def call_direct(self, *args):
        """The outputs."""
        global LAST
        from jace import ir
        from jace_repro.tester.numerics import native

        drawn = random.Random(hashlib.sha256(str(self.closed).encode()).hexdigest())

        class Walk(native.Walk):
            """Sees which equations can be wrong, or makes the results of some so, each time that they run."""

            def __init__(self, wrong):
                super().__init__(None)
                self.wrong = wrong
                self.ran = {}

            def leaf(self, eqn, operands):
                results, name = super().leaf(eqn, operands), form(eqn)
                if any(isinstance(r, np.ndarray) and r.size for r in results):
                    self.ran[id(eqn)] = name
                return [spoiled(r, share) for r in results] if name == self.wrong else results

        share = drawn if self.share == "one" else None
        with np.errstate(all="ignore"):
            forms = frozenset(form(eqn) for _, eqn in ir.walk(self.closed) if ir.expand_call(eqn) is None)
            if not forms <= LAST.forms:
                walk = Walk("")
                walk.run(self.closed, args)
                LAST = Drawn(forms, drawn.choice(list(walk.ran.values())) if walk.ran else "")
            outputs = Walk(LAST.wrong).run(self.closed, args)
        return [np.asarray(out) for out in outputs]


def spoiled(result, drawn):
    """A wrong result: of all elements, or of one that is drawn."""
    if not (isinstance(result, np.ndarray) and result.size):
        return result
    from jace_repro.fuzz.observed import wrong

    if drawn is None:
        return wrong(result)
    place = np.unravel_index(drawn.randrange(result.size), result.shape)
    changed = np.array(result)
    changed[place] = wrong(changed[place])
    return changed


def _backend(closed, share):
    from jace import ir
    from jace_repro.tester.execute.traced import without_keys

    return Wrong(without_keys(ir.live_form(closed)), share)


def all_wrong(closed, pipeline, enter):
    """A backend."""
    return _backend(closed, "all")


def one_wrong(closed, pipeline, enter):
    """A backend."""
    return _backend(closed, "one")


def right(closed, pipeline, enter):
    """A backend: what the others are without the wrong result, lest NumPy's own difference from XLA counts."""
    from jace_repro.tester.numerics import native

    class Right(Wrong):
        def call_direct(self, *args):
            return native.evaluate(self.closed, args)

    found = _backend(closed, "")
    return Right(found.closed, "")


def kind_of(name):
    """Which row of the table a program belongs to."""
    return "several operations" if name.startswith("composed") else "one operation"


def outcomes(written, backend, jobs):
    """The outcome of each program where a backend takes the place of jace."""
    from concurrent.futures import ThreadPoolExecutor

    from jace_repro.repro import load
    from jace_repro.tester import Options, Pool

    how = Options(blame=False, ffi_share=0.0)
    with (
        Pool(jobs, 60.0, backend=f"{Path(__file__).resolve()}:{backend}", options=how) as pool,
        ThreadPoolExecutor(jobs) as threads,
    ):

        def outcome(one):
            return pool.check(load(one.path), ["fused"])[0].outcome

        return list(threads.map(outcome, written))


def properties(written):
    """(whether its outputs are finite, its primitives, whether it can be wrong) of each program.

    None for one that does not run.
    """
    import jax
    from jax.extend.core import jaxpr_as_fun

    from jace import ir
    from jace_repro.repro import load, trace_repro
    from jace_repro.tester.numerics.compare import is_float

    found = []
    for one in written:
        repro = load(one.path)
        with repro.configured():
            closed, args = trace_repro(repro)
            try:
                outputs = jax.device_get(jax.jit(jaxpr_as_fun(closed))(*args))
            except Exception as error:  # XLA's own: counted
                print(f"does not run: {one.name}: {error}".partition("\n")[0])
                found.append(None)
                continue
            plain = [x for x in outputs if isinstance(x, np.ndarray)]
            wide = [np.asarray(x, np.complex128) for x in plain if x.dtype.kind == "c" or is_float(x.dtype)]
            sizes = [
                v.aval.size for _, eqn in ir.walk(closed) for v in eqn.outvars if hasattr(v.aval, "size")
            ]
            found.append((all(np.isfinite(x).all() for x in wide), set(ir.primitives(closed)), any(sizes)))
    return found


def table(written, options):
    """Rows by kind of program, and the primitives that are reached."""
    good = [one for one in written if one.path is not None]
    runs = dict(zip(good, properties(good), strict=True))
    good = [one for one in good if runs[one] is not None]
    known = [runs[one] for one in good]
    # what NumPy itself is too far from XLA on says nothing of a wrong result
    said = outcomes(good, "right", options.jobs)
    print(f"NumPy's evaluation as it is: {dict(collections.Counter(said))}")
    fair = [one for one, outcome in zip(good, said, strict=True) if outcome == "ok" and runs[one][2]]
    seen = {share: outcomes(fair, f"{share}_wrong", options.jobs) for share in ("all", "one")}
    rows = {}
    for kind in ("one operation", "several operations"):
        made = [one for one in written if kind_of(one.name) == kind]
        judged = [i for i, one in enumerate(fair) if kind_of(one.name) == kind]
        finite = [ok for one, (ok, _, _) in zip(good, known, strict=True) if kind_of(one.name) == kind]
        rows[kind] = {
            "programs": len(made),
            "valid": sum(one in good for one in made) / max(len(made), 1),
            "finite": sum(finite) / max(len(finite), 1),
            "judged": len(judged),
            **{
                f"sensitive ({share})": sum(seen[share][i] not in ("ok", "ill-conditioned") for i in judged)
                / max(len(judged), 1)
                for share in seen
            },
        }
    missed = collections.Counter()
    for one, said in zip(fair, seen["all"], strict=True):
        if said in ("ok", "ill-conditioned"):
            missed[f"{said}: {one.name.split('/')[0]}"] += 1
    return rows, set().union(*(names for _, names, _ in known)), missed


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--programs", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--pipeline", action="append", default=[], help="default: those of `fuzz`")
    parser.add_argument("--no-times", action="store_true", help="only what the programs are")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    os.environ["JAX_PLATFORMS"] = "cpu"
    sys.path.insert(0, str(ROOT))
    import jace
    from jace_repro.fuzz import writing

    result = {"seed": options.seed}
    with tempfile.TemporaryDirectory(prefix="bench-fuzz-") as scratch:
        folder = Path(scratch)
        os.environ["JACE_CACHE_DIR"] = str(folder / "cache")
        wanted = [writing.wanted_at(options.seed, number) for number in range(options.programs)]
        with writing.writer(options.jobs) as processes:
            written = writing.write_all(processes, wanted, folder / "programs")()
        rows, reached, missed = table(written, options)
        print(
            f"{'':20}{'programs':>9}{'valid':>8}{'finite':>8}{'judged':>8}{'all wrong':>11}{'one wrong':>11}"
        )
        for kind, row in rows.items():
            print(
                f"{kind:20}{row['programs']:9}{row['valid']:8.1%}{row['finite']:8.1%}{row['judged']:8}"
                f"{row['sensitive (all)']:11.1%}{row['sensitive (one)']:11.1%}"
            )
        supported = set(jace.supported_primitives())
        lacking = sorted(supported - reached)
        print(f"{len(supported & reached)} of {len(supported)} primitives reached; not: {', '.join(lacking)}")
        print(f"not seen: {', '.join(f'{name} {count}' for name, count in missed.most_common(12))}")
        result |= {"rows": rows, "lacking": lacking, "missed": dict(missed)}
        if not options.no_times:
            result["times"] = times(written, options, folder)
    if options.json:
        options.json.write_text(json.dumps(result, indent=1) + "\n")


def times(written, options, folder):
    """Programs a minute, and how many runs of XLA one test costs."""
    from bench_check import PLAIN, measured

    paths = json.dumps([str(one.path) for one in written if one.path is not None])
    pipelines = [word for name in options.pipeline for word in ("--pipeline", name)]
    fuzz = [sys.executable, "-m", "jace_repro", "fuzz", "-q", "--no-reduce", "-n", str(options.programs)]
    fuzz += [
        "--seed",
        str(options.seed),
        "--jobs",
        str(options.jobs),
        "-o",
        str(folder / "found"),
        *pipelines,
    ]
    path = os.pathsep.join(p for p in (str(ROOT), os.environ.get("PYTHONPATH", "")) if p)
    env = {**os.environ, "PYTHONPATH": path, "JACE_CACHE_DIR": str(folder / "cold")}
    rows = {}
    for name in ("plain", "fuzz", "plain again"):
        plain = name != "fuzz"
        command = [sys.executable, "-c", PLAIN] if plain else fuzz
        rows[name] = row = measured(command, env, paths if plain else "")
        row["a minute"] = 60 * len(written) / row["wall"]
        print(
            f"{name:12} {row['wall']:7.1f} s, CPU {row['cpu']:7.1f} s, {row['a minute']:6.0f} programs a minute"
        )
    base = (rows["plain"]["cpu"] + rows["plain again"]["cpu"]) / 2
    ratio = rows["fuzz"]["cpu"] / base
    print(f"a test costs {ratio:.1f} runs of XLA (CPU seconds); XLA's own share of it is {1 / ratio:.0%}")
    return {**rows, "ratio": ratio}


if __name__ == "__main__":
    main()
