"""What each of DaCe's transformations and passes does to programs: `pipeline="canonical/xform:NAME"`, one at a time.

    python scripts/transformations.py [NAME...] [--programs N] [--seed S] [--after STEP] [--tested N] [--jobs N]
    python scripts/transformations.py --write        lists what DaCe ships anew (jace/transformations.json)

Draws programs of the fuzzer's sample, applies each transformation that is for CPUs (or for --device) to the SDFG that
`canonical` makes of each (with --after, what that step of DaCe's makes of it), and tests up to --tested of those that
it changes: compiled, run, compared with XLA. What is for a GPU is compiled where none is, and counts as that. Prints
how many it changed and what became of them, and names what is not `ok` by program and pipeline. --write keeps both as
the figures of docs/transformations.md when names or programs are given with it.
"""

import argparse
import contextlib
import copy
import importlib
import inspect
import json
import multiprocessing
import pkgutil
import random
import re
import signal
import sys
import warnings
from collections import Counter, defaultdict
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

CATALOGUE = ROOT / "jace" / "transformations.json"
SAMPLE = ROOT / "tests" / "jace_repro" / "fuzz" / "sample.txt"
#: Seconds that one transformation may take on one SDFG.
SECONDS = 20
#: What is for another machine than a CPU, by a part of its name or of its module's.
DEVICES = (
    (
        "GPU",
        re.compile(r"gpu|GPU|AddThreadBlockMap|CopyToDevice|WarpTiling|SharedMemory|LowerDynamicMapState"),
    ),
    ("MPI", re.compile(r"MPI|map_distribution")),
    ("SVE", re.compile(r"\bsve\b|SVE")),
    ("FPGA", re.compile(r"Streaming|StreamTransient|AccumulateTransient")),
)
#: Modules of what only looks at an SDFG, or runs others.
HELPERS = re.compile(
    r"passes\.analysis|transformation\.pass_pipeline|passes\.pattern_matching|transformation\.transformation"
)


def ships():
    """Every transformation and pass of DaCe's that can be made without being told anything, by name."""
    import dace.transformation
    from dace.transformation import pass_pipeline
    from dace.transformation import transformation as xf

    for module in pkgutil.walk_packages(dace.transformation.__path__, "dace.transformation."):
        try:
            importlib.import_module(module.name)
        except ImportError:  # it is for a framework that is not installed
            continue
    kinds = (
        ("state", xf.SingleStateTransformation),
        ("region", xf.MultiStateTransformation),
        ("subgraph", xf.SubgraphTransformation),
        ("pass", pass_pipeline.Pass),
    )
    found = {}
    for kind, base in kinds:
        for cls in _subclasses(base):
            if cls.__name__ not in found and _is_shipped(cls):
                found[cls.__name__] = _row(cls, kind)
    return dict(sorted(found.items()))


def _subclasses(base):
    for cls in base.__subclasses__():
        yield cls
        yield from _subclasses(cls)


def _is_shipped(cls):
    """Whether it is DaCe's, changes something, and needs no arguments."""
    from dace.transformation import pass_pipeline
    from dace.transformation import transformation as xf

    if not cls.__module__.startswith("dace.transformation.") or HELPERS.search(cls.__module__):
        return False
    if inspect.isabstract(cls) or issubclass(cls, xf.ExpandTransformation):
        return False
    try:
        made = cls()
    except TypeError:
        return False
    looks = not isinstance(made, xf.TransformationBase) and made.modifies() == pass_pipeline.Modifies.Nothing
    return not looks


def _row(cls, kind):
    place = f"{cls.__module__} {cls.__name__}"
    device = next((name for name, pattern in DEVICES if pattern.search(place)), "CPU")
    text = inspect.cleandoc(cls.__dict__.get("__doc__") or "").split("\n\n")[0].split(":param")[0]
    does = " ".join(text.split()).split(". ")[0].rstrip(".")
    return {
        "module": cls.__module__,
        "kind": kind,
        "device": device,
        "regions": bool(getattr(cls, "__explicit_cf_compatible__", False)),
        "does": "" if does.startswith(cls.__name__ + "(") else does,
    }


def write():
    """The catalogue, of the DaCe that is installed; the figures there are stay."""
    import dace

    before = (
        json.loads(CATALOGUE.read_text(encoding="utf-8"))["transformations"] if CATALOGUE.exists() else {}
    )
    found = ships()
    for name, row in found.items():
        row["seen"] = before.get(name, {}).get("seen", {})
    save({"dace": dace.__version__, "transformations": found})
    print(f"{len(found)} transformations and passes of DaCe {dace.__version__}")


def save(catalogue):
    CATALOGUE.write_text(json.dumps(catalogue, indent=1) + "\n", encoding="utf-8")


# --- what they change -------------------------------------------------------------------------------------------------


class TooLongError(Exception):
    """A transformation that does not come to an end."""


@contextlib.contextmanager
def limited(seconds):
    def ring(number, frame):
        raise TooLongError(f"longer than {seconds} s")

    signal.signal(signal.SIGALRM, ring)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)


def changes(program, names, after):
    """{transformation: "changed" | "" | what it raised} for one program, in a process of its own."""
    import jace
    from jace.debug.steps import digest
    from jace.translate import transform
    from jace_repro.fuzz import named

    warnings.simplefilter("ignore")
    subject = named(program)
    with subject.configured():
        sdfg = jace.translate_jaxpr(subject.traced[0], f"canonical/{after or 'none'}").sdfg
    before, found = digest(sdfg), {}
    for name in names:
        try:
            with limited(SECONDS), contextlib.redirect_stdout(None):
                if not transform.matches(name, sdfg):
                    found[name] = ""
                    continue
                copied = copy.deepcopy(sdfg)
                transform.run(f"xform:{name}", copied)
        except Exception as error:
            found[name] = f"{type(error).__name__}: {error}".splitlines()[0]
        else:
            found[name] = "changed" if digest(copied) != before else ""
    return found


def all_changes(programs, names, after, jobs):
    """`changes` of each program, in order; a program whose process dies has none."""
    with ProcessPoolExecutor(jobs, mp_context=multiprocessing.get_context("spawn")) as pool:
        waiting = {program: pool.submit(changes, program, names, after) for program in programs}
        for program, future in waiting.items():
            try:
                yield program, future.result()
            except Exception as error:
                print(
                    f"not translated: {program}: {type(error).__name__}: {error}".splitlines()[0], flush=True
                )


# --- whether it is right ----------------------------------------------------------------------------------------------


def tested(cases, jobs):
    """(program, pipeline, verdict) of each case (program, pipeline)."""
    from jace_repro.fuzz import named
    from jace_repro.tester import Options, Pool

    with Pool(jobs, 60.0, options=Options(blame=False)) as pool, ThreadPoolExecutor(jobs) as threads:

        def test(case):
            program, pipeline = case
            return program, pipeline, pool.check(named(program), [pipeline])[0]

        yield from threads.map(test, cases)


def survey(options):
    catalogue = json.loads(CATALOGUE.read_text(encoding="utf-8"))
    rows = catalogue["transformations"]
    names = options.names or [name for name, row in rows.items() if row["device"] == options.device]
    if unknown := sorted(set(names) - set(rows)):
        sys.exit(f"DaCe has no {', '.join(unknown)}")
    rng = random.Random(options.seed)
    programs = rng.sample(SAMPLE.read_text(encoding="utf-8").split(), options.programs)
    base = f"canonical/{options.after}+" if options.after else "canonical/"
    changed, raised = defaultdict(list), defaultdict(dict)
    looked = 0
    for program, found in all_changes(programs, names, options.after, options.jobs):
        looked += 1
        for name, what in found.items():
            if what == "changed":
                changed[name].append(program)
            elif what:
                raised[name].setdefault(what, program)
    cases = [
        (program, f"{base}xform:{name}")
        for name in names
        for program in rng.sample(changed[name], min(options.tested, len(changed[name])))
    ]
    outcomes = defaultdict(Counter)
    for program, pipeline, verdict in tested(cases, options.jobs):
        name = pipeline.rpartition(":")[2]
        became = "compiled" if "NoGPUError: the program was compiled" in verdict.detail else verdict.outcome
        outcomes[name][became] += 1
        if became not in ("ok", "compiled"):
            detail = verdict.detail.strip().splitlines() or [""]
            print(f"{became}: {program} on {pipeline}: {detail[0][:200]}", flush=True)
    for name in names:
        for what, program in raised[name].items():
            print(f"raised: {program} on {base}xform:{name}: {what[:200]}")
    for name in names:
        told = ", ".join(f"{n} {outcome}" for outcome, n in sorted(outcomes[name].items()))
        print(f"{name:32} changed {len(changed[name]):4} of {looked}{f'; tested: {told}' if told else ''}")
        seen = {
            "programs": looked,
            "changed": len(changed[name]),
            "outcomes": dict(sorted(outcomes[name].items())),
        }
        rows[name].setdefault("seen", {})[options.after or "none"] = seen
    if options.write:
        save(catalogue)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--programs", type=int, metavar="N", help="of the sample (default: 100)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--device", default="CPU", choices=("CPU", "GPU"), help="where no name is given")
    parser.add_argument("--after", default="", metavar="STEP", help="simplify, auto-optimize or gpu")
    parser.add_argument(
        "--tested", type=int, default=4, metavar="N", help="changed programs of each (default: 4)"
    )
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    if options.write and not options.names and options.programs is None:
        write()
        return
    options.programs = options.programs or 100
    survey(options)


if __name__ == "__main__":
    main()
