"""Reduces findings that nobody chose, and prints how small they get and what that costs.

    python scripts/bench_reduce.py [--bugs N] [--loud N] [--starts M] [--seed S] [--least EQUATIONS] [--jobs N]
        [--folder DIR] [--entries DIR]... [--keep DIR] [--json FILE]
        [--beside lithium|picire|shrinkray]... [--python FILE] [--limit SECONDS]

Draws N of the planted bugs of tests/mutants by seed, which compute something else; with --loud as many whose rules
raise, or whose code does not compile, crashes or hangs (tests/mutants/loud.py), of primitives that programs use. For
each, up to M programs in which the tester finds it, of at least so many equations: entries of corpus/programs,
programs of the fuzzer, and entries that lie in the folders of --entries; small and large ones in turn. Each is reduced
as `jace-repro run` does it. Before them the small program of tests/mutants that shows the bug is reduced. How small a
bug's program can be is not known; "best" is what the best of these reductions ends with.

A row for each finding: equations and elements before, after and at best; lines of the minimal program; tests and
seconds; "!" where it is not within one equation and one element of the best; why the search ended, when not by itself;
and "SLIPPED" where the minimal program does not show the same finding in three tests in processes of their own, or
shows one without the bug. What shows by chance, and is reduced as the bad access that a sanitized build shows, is the
same finding. Then shares, medians and 90th percentiles. Ctrl-C ends it with what there is.

With --beside a reducer of text gets the script of the same finding, the same oracle and so many seconds; --python is
that of an environment in which it is installed (picire with setuptools<81, whose pkg_resources it imports). A row for
each, then how many times the tests it asks for, and how often it ends with fewer equations or elements than jace-repro.
"""

import argparse
import ast
import contextlib
import itertools
import json
import os
import random
import re
import statistics
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path

from text_reducers import REDUCERS, reduced

ROOT = Path(__file__).resolve().parents[1]
TESTS = [str(ROOT / "tests"), str(ROOT / "tests" / "support")]
sys.path[:0] = [str(ROOT), *TESTS]

#: Bugs of other families are of the compiler's flags, which outlive their test, and of what was compiled before.
FAMILIES = ("elementwise", "movement", "reductions", "regions", "planning", "passes")
#: Programs that are asked for a bug until it is found in enough of them.
TRIES = 12
#: Programs of the fuzzer that are drawn for those with enough equations.
DRAWN = 400
SIZE = 256
#: No program has more equations; none on pipelines with passes of DaCe, which take minutes there, more than the other.
MOST, MOST_OF_PASSES = 5000, 1500
#: Seconds after which a stage of a program with a bug does not end.
HANGS = 30.0


@dataclass
class Start:
    """A program to begin with."""

    name: str
    repro: object
    primitives: frozenset
    equations: int


@dataclass(frozen=True)
class Row:
    """What became of one finding."""

    bug: str
    pipeline: str
    start: str
    outcome: str
    equations: tuple
    elements: tuple
    tests: int
    seconds: float
    stopped: str
    slipped: bool
    small: bool
    refused: int | None = None
    lines: int = 0
    beside: tuple = ()


@dataclass(frozen=True)
class Beside:
    """What a reducer of text came to at a finding."""

    name: str
    equations: int
    elements: int
    tests: int
    seconds: float
    ended: bool


def recorded(folder):
    """The entries of the programs of the corpus."""
    from jace_repro.repro import load
    from jace_repro.tracker import recording
    from jace_repro.tracker.api import Target, record_program

    for path in sorted((ROOT / "corpus" / "programs").glob("*.py")):
        out = folder / path.stem
        if not out.exists():
            record_program(Target("path", str(path), (str(SIZE),)), out, timeout=120)
        for one in recording.load(out).entries:
            if one.repro is not None and not one.entry.eager:
                yield f"{path.stem}:{one.entry.name}", load(out / one.repro)


def generated(folder, seed, jobs):
    """Programs of the fuzzer."""
    from jace_repro.fuzz import writing
    from jace_repro.repro import load

    out = folder / f"seed {seed}"
    if not out.exists():
        with writing.writer(jobs) as writer:
            writing.write_all(writer, [writing.wanted_at(seed, n) for n in range(0, DRAWN, 2)], out)()
    for path in sorted(out.glob("*.py")):
        yield path.stem, load(path)


def of_recordings(folders):
    """The entries that lie in folders."""
    from jace_repro.repro import load

    for folder in folders:
        for path in sorted(folder.glob("*.py")):
            yield path.stem, load(path)


def starts_of(repros, least):
    """Those with enough equations."""
    from jace import ir
    from jace_repro.repro import trace_repro

    for name, repro in repros:
        with repro.configured():
            closed, _ = trace_repro(repro)
        if least <= (count := ir.count_equations(closed)) <= MOST:
            yield Start(name, repro, frozenset(ir.primitives(closed)), count)


def small_starts(mutant, programs):
    """Its own small programs, the likeliest first."""
    from mutants.samples import Program
    from mutants.scoring import PROGRAMS, candidates

    from jace import ir
    from jace_repro.emitter import emit_flat
    from jace_repro.repro import Header, current_config

    for name, x64 in candidates(mutant, programs)[:PROGRAMS]:
        if x64:  # a process makes harnesses of one mode
            continue
        subject = Program(name, 0, (), x64).named
        with subject.configured():
            closed, args = subject.traced
            repro = emit_flat(closed, args, header=Header(name=name, jax_config=current_config()))
        yield Start(name, repro, frozenset(ir.primitives(closed)), ir.count_equations(closed))


def size_of(repro):
    """Its equations, and the elements of its inputs, results and outputs, among others."""
    from jace_repro.reducer.problem import normalise
    from jace_repro.repro import trace_repro

    with repro.configured():
        closed, args = trace_repro(repro)
        return normalise(closed, args).key


def lines_of(script):
    """Lines of its program: of all functions but the one that makes the inputs."""
    functions = [node for node in ast.parse(script).body if isinstance(node, ast.FunctionDef)]
    return sum(node.end_lineno - node.lineno + 1 for node in functions if node.name != "inputs")


class Bench:
    """Workers in which bugs are planted."""

    def __init__(self, options):
        from jace_repro.tester import Options, Pool

        os.environ["PYTHONPATH"] = os.pathsep.join([*TESTS, os.environ.get("PYTHONPATH", "")])
        self.keep = options.keep
        self.beside, self.python, self.limit = options.beside, options.python, options.limit
        self.right = {}
        self.pool = Pool(
            options.jobs,
            60.0,
            backend="mutants.backend:planted",
            options=Options(blame=False, ffi_share=0.0, remember=True),
        )

    def check(self, repro, pipeline):
        """Its verdict."""
        return self.pool.check(repro, [pipeline])[0]

    def finding(self, mutant, start):
        """The verdict that finds the bug in a program which is right without it, or None."""
        from mutants import loud, scoring

        from jace_repro.tester import OUTCOMES

        with self.pool.within(HANGS):
            verdict = self.check(start.repro, f"{mutant.name}|{mutant.pipeline}")
        if verdict.outcome not in (loud.FOUND if mutant.family == "loud" else scoring.FOUND):
            return None
        reducible = verdict.signature is not None and OUTCOMES[verdict.outcome].reduction.max_calls > 0
        return verdict if reducible and self.is_right(start, mutant.pipeline) else None

    def is_right(self, start, pipeline):
        """Whether a program is `ok` without a bug; it is asked once."""
        from mutants.backend import NONE

        key = start.repro.source, pipeline
        if key not in self.right:
            self.right[key] = self.check(start.repro, f"{NONE}|{pipeline}").outcome == "ok"
        return self.right[key]

    def reduced(self, mutant, start, verdict, *, small=False):
        """The row of one finding."""
        from mutants.backend import NONE

        from jace_repro.campaign.smallest import CONFIRMATIONS, LEAST_SECONDS, shows, smallest
        from jace_repro.tester import OUTCOMES

        how = OUTCOMES[verdict.outcome].reduction
        began = time.monotonic()
        with self.pool.within(self.pool.timeout if how.seconds is None else LEAST_SECONDS):
            search = smallest(start.repro, verdict, self.pool, how.max_calls)
        found = search.reduced
        seconds = time.monotonic() - began
        if found.stopped == "interrupt":  # a reduction keeps the best at Ctrl-C: here it ends the bench
            raise KeyboardInterrupt
        if self.keep is not None:
            place = self.keep / mutant.name / re.sub(r"\W+", "_", start.name)[:100]
            start.repro.save(place / "start.py")
            found.repro.save(place / "minimal.py")
        # what shows by chance was reduced as the bad access that a sanitized build shows every time
        sanitized = search.verdict is not verdict and search.verdict.explained
        pool = self.pool.sanitizing() if sanitized else self.pool
        with pool.within(HANGS):
            same = shows(found.repro, search.verdict, pool, CONFIRMATIONS)
        clean = self.check(found.repro, f"{NONE}|{mutant.pipeline}").outcome
        return Row(
            mutant.name,
            mutant.pipeline,
            start.name,
            verdict.outcome,
            (start.equations, found.equations),
            (size_of(start.repro).elements, found.elements),
            found.oracle_calls,
            round(seconds, 2),
            found.stopped,
            not (search.confirmed and same) or clean != "ok",
            small,
            found.refused,
            lines_of(found.repro.source),
            () if small else tuple(self.by_text(name, start, verdict) for name in self.beside),
        )

    def by_text(self, name, start, verdict):
        """What a reducer of text comes to at the same finding."""
        from jace_repro.campaign.smallest import shows
        from jace_repro.repro import load

        with tempfile.TemporaryDirectory() as folder:
            place = start.repro.save(Path(folder) / "program.py").path

            def candidate(text):
                place.write_text(text, encoding="utf-8")
                return load(place)

            def interesting(text):
                try:
                    return shows(candidate(text), verdict, self.pool, 1)
                except Exception:  # what is no repro any more shows nothing
                    return False

            found = reduced(name, self.python, place.read_text(encoding="utf-8"), interesting, self.limit)
            size = size_of(candidate(found.text))
        beside = Beside(
            name, size.equations, size.elements, found.tests, round(found.seconds, 2), found.ended
        )
        print(f"  {beside}", file=sys.stderr, flush=True)
        return beside


def rows_of(bench, mutant, starts, programs, rng, wanted):
    """The reductions of one bug, that of its small program first."""
    for small in small_starts(mutant, programs):
        if (verdict := bench.finding(mutant, small)) is not None:
            yield bench.reduced(mutant, small, verdict, small=True)
            break
    else:
        return
    named = {name for name in mutant.sample if not name.startswith("small:")}
    most = MOST if mutant.pipeline == "fused" else MOST_OF_PASSES
    fitting = [s for s in starts if s.equations <= most and (not named or s.primitives & named)]
    for start in itertools.islice(of_every_size(fitting, rng), TRIES):
        if wanted and (verdict := bench.finding(mutant, start)) is not None:
            yield bench.reduced(mutant, start, verdict)
            wanted -= 1


def of_every_size(starts, rng):
    """All of them, drawn by chance, those of one binary order of magnitude and the next in turn."""
    groups = {}
    for start in rng.sample(starts, len(starts)):
        groups.setdefault(start.equations.bit_length(), []).append(start)
    turns = itertools.zip_longest(*rng.sample(list(groups.values()), len(groups)))
    return filter(None, itertools.chain.from_iterable(turns))


def drawn_loud(starts, seed, count):
    """Bugs of as many kinds as there are, in turn, of primitives (that have a rule) and places drawn by seed."""
    from mutants import loud

    from jace.registry import lookup

    rng = random.Random(f"{seed} loud")
    used = sorted(filter(lookup, set().union(*(start.primitives for start in starts))))
    kinds = tuple(loud.CODE)
    for number in range(count):
        kind, primitive = kinds[number % len(kinds)], rng.choice(used)
        yield loud.loud(kind, rng.choice(loud.places_of(kind, primitive)), primitive)


def best_of(rows):
    """Fewest equations and fewest elements that a program of each bug has, by bug."""
    best = {}
    for row in rows:
        equations, elements = best.get(row.bug, (row.equations[1], row.elements[1]))
        best[row.bug] = min(equations, row.equations[1]), min(elements, row.elements[1])
    return best


def is_best(row, best):
    """Whether it is within one equation and one element of the best."""
    equations, elements = best[row.bug]
    return row.equations[1] <= equations + 1 and row.elements[1] <= elements + 1


def told(rows):
    """Lines: a row for each finding, then the figures of those that begin large."""
    best = best_of(rows)
    for row in rows:
        pairs = zip((row.equations, row.elements), best[row.bug], strict=True)
        sizes = " ".join(f"{before:>6} -> {after:<3} ({least})" for (before, after), least in pairs)
        marks = [
            "" if is_best(row, best) else "!",
            "" if row.stopped == "fixpoint" else row.stopped,
            "SLIPPED" if row.slipped else "",
        ]
        cost = f"{row.lines:3} {row.tests:4} {row.seconds:6.1f} s"
        yield f"{row.bug[:40]:40} {row.start[:34]:34} {sizes} {cost} {' '.join(filter(None, marks))}"
        for one in row.beside:
            sizes = f"{row.equations[0]:>6} -> {one.equations:<6} {row.elements[0]:>6} -> {one.elements:<6}"
            late = "" if one.ended else "out of time"
            yield f"{'':40} {one.name:34} {sizes} {one.tests:4} {one.seconds:6.1f} s {late}"
    large = [row for row in rows if not row.small]
    if not large:
        return
    sizes = [row.equations[0] for row in large]
    good = sum(is_best(row, best) for row in large)
    yield f"{len(large)} findings in programs of {min(sizes)} to {max(sizes)} equations"
    yield f"as small as the best of their bug, within one equation and one element: {good} of {len(large)}"
    for name in ("lines", "tests", "seconds"):
        values = sorted(getattr(row, name) for row in large)
        most = values[round(0.9 * (len(values) - 1))]
        yield f"{name}: median {statistics.median(values):.0f}, 90% at most {most:.0f}"
    ended = sum(row.stopped == "fixpoint" for row in large)
    yield f"ended by themselves: {ended}; slipped: {sum(row.slipped for row in large)}"
    for name in sorted({one.name for row in large for one in row.beside}):
        pairs = [(row, one) for row in large for one in row.beside if one.name == name]
        times = statistics.median(one.tests / row.tests for row, one in pairs)
        smaller = sum(
            one.equations < row.equations[1] or one.elements < row.elements[1] for row, one in pairs
        )
        ended = sum(one.ended for _, one in pairs)
        yield f"{name}: median {times:.1f} times the tests, in its time {ended} of {len(pairs)}; smaller {smaller}"
    steps = [row.refused for row in large if row.refused is not None]
    yield f"1-minimal: {len(steps)}; steps refused: median {statistics.median(steps or [0]):.0f}, in all {sum(steps)}"


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--bugs", type=int, default=20)
    parser.add_argument("--loud", type=int, default=0, help="bugs that are seen without comparing")
    parser.add_argument("--starts", type=int, default=3)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--least", type=int, default=30, metavar="EQUATIONS")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--only", action="append", metavar="BUG", help="this bug; may be repeated")
    parser.add_argument("--folder", type=Path, metavar="DIR", help="where the programs lie, or go to")
    parser.add_argument(
        "--entries", type=Path, action="append", default=[], metavar="DIR", help="further programs"
    )
    parser.add_argument(
        "--keep", type=Path, metavar="DIR", help="what is reduced goes there, before and after"
    )
    parser.add_argument("--json", type=Path)
    parser.add_argument("--beside", action="append", default=[], choices=REDUCERS)
    parser.add_argument("--python", type=Path, default=Path(sys.executable), help="has the reducers of text")
    parser.add_argument("--limit", type=float, default=300.0, metavar="SECONDS", help="that they have each")
    options = parser.parse_args()
    import jax
    from mutants import mutants
    from mutants.samples import programs

    from jace.build import default_cache

    cache = default_cache()
    known = programs(cache.root / "mutants-programs.json" if cache is not None else None)
    rng = random.Random(options.seed)
    bugs = [m for m in mutants().values() if m.family in FAMILIES]
    chosen = [m for m in bugs if m.name in options.only] if options.only else rng.sample(bugs, options.bugs)
    rows: list[Row] = []
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
        here = options.folder or Path(folder)
        sources = [
            *recorded(here),
            *generated(here, options.seed, options.jobs),
            *of_recordings(options.entries),
        ]
        starts = list(starts_of(sources, options.least))
        print(f"{len(starts)} programs of at least {options.least} equations", flush=True)
        bench = Bench(options)
        stack.enter_context(bench.pool)
        stack.enter_context(contextlib.suppress(KeyboardInterrupt))
        planted = [*chosen, *drawn_loud(starts, options.seed, options.loud)]
        for mutant in rng.sample(planted, len(planted)):  # an early end leaves some of each kind
            own = random.Random(f"{options.seed} {mutant.name}")
            for row in rows_of(bench, mutant, starts, known, own, options.starts):
                jax.clear_caches()  # what one reduction has compiled is of no use to the next one
                rows.append(row)
                print(
                    f"{row.bug}: {row.start}: {row.equations[0]} -> {row.equations[1]} equations, "
                    f"{row.elements[1]} elements, {row.tests} tests, {row.seconds:.1f} s, {row.stopped}"
                    f"{', SLIPPED' if row.slipped else ''}",
                    file=sys.stderr,
                    flush=True,
                )
    print("\n".join(told(rows)))
    if options.json:
        options.json.write_text(json.dumps([asdict(row) for row in rows], indent=1) + "\n")


if __name__ == "__main__":
    main()
