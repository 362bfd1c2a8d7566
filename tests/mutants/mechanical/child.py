"""What a fork does: jace is imported here, the right one or a mutant's."""

from __future__ import annotations

import hashlib
import importlib
import os
import pkgutil
import re
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from mutants.mechanical.counting import headers

#: tell(event), and wait(): until the other side says to go on.
Tell = Callable[[Mapping[str, Any]], None]
Wait = Callable[[], None]

_NAME = re.compile(r"\b[A-Za-z_]\w+\b")
_LOCATION = re.compile(r"^\s*\.loc \d+ (\d+)", re.MULTILINE)
_NUMBERED = re.compile(r"\w*\d{3,}\w*|__\w+")


def check(request: Mapping[str, Any], tell: Tell, wait: Wait) -> None:
    """Ask the tester about programs, one after the other.

    Request:
        overlay: the folder of the mutant, "" for the right jace; cache, tmp: for what is compiled.
        subjects: `Subject.to_json` with "source", the digest of what the right jace generates, or "" to compile in
            any case.
        runs: how many programs are run at most.
        alike: seconds of CPU after which it ends when no program was run, as the C++ of all was what it should be.
        watched: a file of jace, relative to the package, the lines of which that run are told at the end; or "".
        ffi: the share of programs that are called from XLA, too.
        inside: whether these are called inside of a scan, mapped over a batch and differentiated as well.
    Events:
        {"event": "same", "key"}; {"event": "begin", "key", "name"}; {"event": "verdict", "key", "name", "outcome",
        "detail", "code"}, after one that is not ok it waits; {"event": "lines", "lines"}.
    """
    watching = _watching(request)
    _enter(request)
    tell = _with_price(tell)
    from jace_repro.tester import check as tester

    inside = {"inside_share": 1.0} if request["inside"] else {}
    options = tester.Options(
        localize=False, blame=False, ffi_share=request["ffi"], inputs=request["inputs"], **inside
    )

    def run(subject: Mapping[str, Any], named: Any) -> bool:
        tell({"event": "begin", "key": subject["key"], "name": named.name})
        try:
            (verdict,) = tester.check_repro(named, [subject["pipeline"]], options=options)
        except Exception as error:  # the tester asks jace, too
            event = {"outcome": "raised", "detail": f"{type(error).__name__}: {error}", "code": []}
        else:
            code = sorted(row["sha256"] for row in verdict.ran or ())
            event = {"outcome": verdict.outcome, "detail": verdict.detail[:400], "code": code}
        tell({"event": "verdict", "key": subject["key"], "name": named.name, **event})
        if event["outcome"] != "ok":
            wait()
        return event["outcome"] == "ok"

    ran, started = [], time.process_time()
    for subject in request["subjects"]:
        if len(ran) >= request["runs"]:
            break
        named = _named(subject, subject["name"])
        tell({"event": "begin", "key": subject["key"], "name": named.name})
        if subject["source"] and _source(named, subject["pipeline"]) == subject["source"]:
            tell({"event": "same", "key": subject["key"]})
            if not ran and time.process_time() - started > request["alike"]:
                break
            continue
        if run(subject, named):
            ran.append(subject)
    for turn in range(max((len(s["variants"]) for s in ran), default=0)):
        for subject in ran:
            if turn < len(subject["variants"]):
                run(subject, _named(subject, subject["variants"][turn]))
    if watching is not None:
        watching.stop()
        data = watching.get_data()
        tell(
            {
                "event": "lines",
                "lines": sorted({n for f in data.measured_files() for n in data.lines(f) or ()}),
            }
        )


def _with_price(tell: Tell) -> Tell:
    """Tells with each event how many seconds of CPU the worker and its compilers have taken."""

    def priced(event: Mapping[str, Any]) -> None:
        compilers = resource.getrusage(resource.RUSAGE_CHILDREN)
        tell({**event, "cpu": time.process_time() + compilers.ru_utime + compilers.ru_stime})

    return priced


def _watching(request: Mapping[str, Any]) -> Any:
    """A tracer of the file that is watched, if one is."""
    if not request["watched"]:
        return None
    import coverage

    folder = f"{request['overlay']}/jace" if request["overlay"] else request["package"]
    tracer = coverage.Coverage(data_file=None, include=[f"{folder}/{request['watched']}"], config_file=False)
    tracer.start()
    return tracer


def reach(request: Mapping[str, Any], tell: Tell, wait: Wait) -> None:
    """Which lines of jace each program runs through on its way to C++ and to its key, and what the C++ is.

    Events:
        {"event": "imported", "lines"}; {"event": "reached", "key", "source", "names", "primitives", "forms",
        "calls", "typed", "seconds", "lines"}: "lines" are {file: [line]}, "names" the names that the C++ mentions.
    """
    import coverage

    package = request["package"]
    tracer = coverage.Coverage(data_file=None, include=[f"{package}/*"], config_file=False)
    tracer.start()
    tracer.switch_context("import")
    _enter(request)
    import jace
    import jace.dtypes
    from jace import ir
    from jace_repro.fuzz.forms import forms

    # Each module now: else the first program that needs it would be told to run it.
    for module in pkgutil.walk_packages(jace.__path__, "jace."):
        importlib.import_module(module.name)
    tracer.stop()
    cached = [f for f in vars(jace.dtypes).values() if hasattr(f, "cache_clear")]
    told = []
    for subject in request["subjects"]:
        named = _named(subject, subject["name"])
        try:
            with named.configured():
                closed, _ = named.traced
            for function in cached:  # else the first program alone would run through them
                function.cache_clear()
            tracer.start()
            tracer.switch_context(subject["key"])
            started = time.perf_counter()
            text = _text_or_none(named, subject["pipeline"])
            seconds = time.perf_counter() - started
            ir.fingerprint(closed)  # a part of the key under which the code is kept
        except Exception as error:  # not a program that the right jace translates: it is asked nothing
            tell({"event": "refused", "key": subject["key"], "detail": str(error)[:300]})
            continue
        finally:
            tracer.stop()
        whole, body = text or ("", "")
        names = sorted({n for n in _NAME.findall(body) if not _NUMBERED.fullmatch(n)})
        row = {"key": subject["key"], "source": whole and _digest(whole), "names": names, "seconds": seconds}
        row["primitives"] = list(ir.primitives(closed))
        row["forms"], row["calls"] = sorted(forms(closed)), sorted({*_call(closed, taken_apart=text is None)})
        row["typed"] = sorted({_typed(eqn) for _, eqn in ir.walk(closed)})
        told.append((row, _compiled_lines(whole, Path(package)) if whole else {}))
        tell({"event": "made"})  # is not hung
    lines = _by_context(tracer.get_data(), Path(package))
    tell({"event": "imported", "lines": lines.get("import", {})})
    for row, compiled in told:
        tell({"event": "reached", **row, "lines": lines.get(row["key"], {}) | compiled})


def execute(request: Mapping[str, Any], tell: Tell, wait: Wait) -> None:
    """Which branches of jace's Python programs run through, and how often each way out of a line of its C++ is taken.

    Request:
        subjects: as for `check`; "runs" says whether it is compiled and run, on its inputs and those of its variants.
    Events:
        {"event": "made"} for each; {"event": "executed", "arcs": {file: [[line, line]]}, "counts": `counting.to_json`}.
    """
    import coverage

    from mutants.mechanical import counting

    _enter(request)
    package, folder = Path(request["package"]), Path(request["tmp"])
    import jace.dtypes

    cached = [f for f in vars(jace.dtypes).values() if hasattr(f, "cache_clear")]
    tracer = coverage.Coverage(data_file=None, branch=True, include=[f"{package}/*"], config_file=False)
    counts: counting.Counts = {}
    for number, subject in enumerate(request["subjects"]):
        named = [_named(subject, name) for name in (subject["name"], *subject["variants"])]
        try:
            with named[0].configured():
                closed, _ = named[0].traced
                for function in cached:
                    function.cache_clear()
                tracer.start()
                try:
                    program, text = _program(closed, subject["pipeline"])
                finally:
                    tracer.stop()
                if subject["runs"]:
                    inputs = [n.traced[1] for n in named]
                    more = counting.run(program, text, inputs, package, folder / str(number))
                    counting.add(counts, more)
        except Exception as error:  # needs DaCe's headers, has keys for inputs, is taken apart: others do not
            tell(
                {
                    "event": "refused",
                    "key": subject["key"],
                    "detail": f"{type(error).__name__}: {error}"[:300],
                }
            )
            continue
        tell({"event": "made"})  # is not hung
    data = tracer.get_data()
    arcs = {Path(f).relative_to(package).as_posix(): data.arcs(f) for f in data.measured_files()}
    tell({"event": "executed", "arcs": arcs, "counts": counting.to_json(counts)})


def _program(closed: Any, pipeline: str) -> tuple[Any, str]:
    """A translated program, and its whole unit of C++."""
    import jace
    from jace.build import codegen

    program = jace.translate_jaxpr(closed, pipeline=pipeline)
    source = codegen.generate(program)
    if source.includes:
        raise NotImplementedError(f"it includes {source.includes}")
    return program, source.text()


def _typed(eqn: Any) -> str:
    dtypes = (str(getattr(v.aval, "dtype", "")) for v in (*eqn.invars, *eqn.outvars))
    return " ".join([eqn.primitive.name, *sorted(set(dtypes))])


def _call(closed: Any, *, taken_apart: bool) -> Iterator[str]:
    """What a call of a program has to do with: what goes in and comes out, and what else happens."""
    from jace import ir

    jaxpr = closed.jaxpr
    for what, variables in (
        ("input", jaxpr.invars),
        ("output", jaxpr.outvars),
        ("constant", jaxpr.constvars),
    ):
        yield f"{min(len(variables), 4)} {what}s"
        for aval in (v.aval for v in variables):
            shape = getattr(aval, "shape", ())
            yield f"{what} of {getattr(aval, 'dtype', type(aval).__name__)}"
            yield f"{what} of rank {min(len(shape), 3)}"
            if 0 in shape:
                yield f"{what} of no elements"
            if getattr(aval, "weak_type", False):
                yield f"weak {what}"
    outputs = [v for v in jaxpr.outvars if isinstance(v, ir.Var)]
    read = {v for eqn in jaxpr.eqns for v in eqn.invars if isinstance(v, ir.Var)}
    said = {
        "an output twice": len(outputs) > len(set(outputs)),
        "an output is a number": len(outputs) < len(jaxpr.outvars),
        "an output is an input": not set(outputs).isdisjoint(jaxpr.invars),
        "an input nobody reads": not read.issuperset(jaxpr.invars),
        "taken apart": taken_apart,
        **{f"effect {type(effect).__name__}": True for effect in closed.effects},
    }
    yield from (what for what, holds in said.items() if holds)


def _compiled_lines(text: str, package: Path) -> dict[str, list[int]]:
    """The lines of the runtime's headers that a program has code of, by file.

    Unoptimised, a template that is not used and a branch of `if constexpr` that is not taken leave no code.
    """
    from jace.build.flags import toolchain

    command = [
        toolchain().path,
        *["-std=c++20", "-O0", "-g1", "-S", "-w", "-march=native", "-fopenmp", "-x", "c++", "-o", "-", "-"],
    ]
    compiled = subprocess.run(command, input=text, capture_output=True, check=False, text=True)
    if compiled.returncode:  # it needs DaCe's own headers, and is compiled with these
        return {}
    lines = {int(n) for n in _LOCATION.findall(compiled.stdout)}
    return {
        file: sorted(n - first for n in lines if first < n <= last)
        for file, (first, last) in headers(text, package).items()
    }


def _by_context(data: Any, package: Path) -> dict[str, dict[str, list[int]]]:
    found: dict[str, dict[str, list[int]]] = {}
    for file in data.measured_files():
        name = Path(file).relative_to(package).as_posix()
        for line, contexts in data.contexts_by_lineno(file).items():
            for context in contexts:
                found.setdefault(context, {}).setdefault(name, []).append(line)
    return found


def _enter(request: Mapping[str, Any]) -> None:
    """Have the mutant's jace imported from now on, with a cache of its own."""
    assert not any(name == "jace" or name.startswith("jace.") for name in sys.modules)
    if request["overlay"]:
        sys.path.insert(0, request["overlay"])
        sys.dont_write_bytecode = True
    os.environ["JACE_CACHE_DIR"] = request["cache"]
    os.environ["TMPDIR"] = request["tmp"]
    import tempfile

    tempfile.tempdir = None
    import jace

    wanted = Path(request["overlay"] or request["package"])
    assert Path(jace.__file__).is_relative_to(wanted), jace.__file__


def _named(subject: Mapping[str, Any], name: str) -> Any:
    from jace_repro.tester.execute.named import NamedProgram

    return NamedProgram(subject["maker"], name, {"jax_enable_x64": True} if subject["x64"] else {})


def _source(named: Any, pipeline: str) -> str:
    """Digest of the C++ of a program; of what jace raises, if it raises."""
    try:
        return _digest(_text(named, pipeline)[0])
    except Exception as error:  # the tester will say so, too
        return f"{type(error).__name__}: {error}"


def _text(named: Any, pipeline: str) -> tuple[str, str]:
    """The C++ of a program: the whole unit, and the part that is not the runtime."""
    import jace
    from jace.build import codegen

    with named.configured():
        closed, _ = named.traced
        source = codegen.generate(jace.translate_jaxpr(closed, pipeline=pipeline))
        return source.text(), source.body


def _text_or_none(named: Any, pipeline: str) -> tuple[str, str] | None:
    """As `_text`; None for a program that jace takes apart, as some of it stays with XLA."""
    import jace

    try:
        return _text(named, pipeline)
    except jace.UnsupportedPrimitiveError:
        with named.configured():
            jace.compile_jaxpr(named.traced[0], pipeline=pipeline)
        return None


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:32]
