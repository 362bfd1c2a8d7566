"""What `jace-repro localize` does: the equation, DaCe's pass, the flag of the C++ compiler that make a repro fail."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from jace_repro.campaign import command_lines, dace_only
from jace_repro.campaign.files import Loaded, alike
from jace_repro.campaign.observer import NOBODY, Observer
from jace_repro.campaign.report import EntryReport, Report, relative
from jace_repro.campaign.settings import Settings
from jace_repro.campaign.testing import check_entries, open_pool
from jace_repro.campaign.text import describe_error
from jace_repro.repro import Repro
from jace_repro.tester import OUTCOMES, Localized, Pool, Verdict
from jace_repro.tester.locate.bisected import Bisected
from jace_repro.tester.verdict.culprit import Culprit

#: Lines of the change of an SDFG that a person is shown; diff.txt has all of them.
DIFF_LINES = 40
#: What in the report's `localized` are files.
_PATHS = frozenset({"before", "after", "diff", "dace"})


@dataclass(frozen=True)
class Located:
    """What was found about one failure.

    Attributes:
        path: the repro that shows it.
        equation: the first that diverges; None when none does by itself, or none was looked for.
        bisected: the guilty pass, transformation or flag; None when none was looked for.
        localized: both, as the report has them; its paths are as they are on this machine.
    """

    path: Path
    equation: Localized | None
    bisected: Bisected | None
    localized: dict[str, Any]


def localize_files(
    loaded: Loaded,
    out: Path,
    settings: Settings,
    observer: Observer = NOBODY,
    *,
    base: Path = Path(),
    on_located: Callable[[Located], None] = lambda located: None,
) -> Report:
    """Test repros, and locate the first failure that each shows: of several that show one finding the first alone.

    Args:
        loaded: what fails.
        out: the SDFG before and after a guilty transformation go there, in a folder named after the repro.
        settings: how they are tested.
        observer: is told of the tests.
        base: where the report will lie.
        on_located: is told of each failure that was located, when it was.
    Raises:
        SettingsError: nothing can be sanitized here.
    """
    entries = loaded.entries()
    folders = _folders(entries, out)
    located_in: dict[str, str] = {}
    errors = list(loaded.errors)
    interrupted = False

    def keep(_: int, tested: EntryReport) -> None:
        assert tested.repro is not None
        entries[tested.repro] = tested
        observer.tested(tested, "")

    try:
        for needed, paths in alike(loaded.repros, settings).items():
            with open_pool(needed) as pool:
                check_entries([entries[path] for path in paths], pool, needed, keep, observer)
                for path in paths:
                    entry, verdict = entries[path], next(iter(entries[path].findings), None)
                    if verdict is None:
                        continue
                    signature = verdict.signature or f"that of {path} alone"
                    if signature in located_in:
                        entries[path] = replace(entry, same_as=located_in[signature])
                        continue
                    located, failures = _locate(
                        path, loaded.repros[path], verdict, pool, folders[path], needed
                    )
                    errors += failures
                    entries[path] = replace(entry, localized=seen_from(base, located.localized))
                    located_in[signature] = entry.name
                    on_located(located)
    except KeyboardInterrupt:
        interrupted = True
    return Report("localize", tuple(entries.values()), errors=tuple(errors), interrupted=interrupted)


def _folders(paths: Iterable[Path], out: Path) -> dict[Path, Path]:
    """A folder in `out` for each repro: named after it, and after where it lies as well if another has its name."""
    stems = Counter(path.stem for path in paths)
    return {
        path: out / (path.stem if stems[path.stem] == 1 else "-".join(path.with_suffix("").parts[-3:]))
        for path in paths
    }


def _locate(
    path: Path, repro: Repro, verdict: Verdict, pool: Pool, folder: Path, settings: Settings
) -> tuple[Located, list[str]]:
    """What makes a repro fail, and a line for each search that failed itself; the SDFGs go to `folder`."""
    errors: list[str] = []

    def attempt(what: str, search: Callable[..., Any], *more: str) -> Any:
        try:
            return search(repro, verdict.pipeline, *more)
        except Exception as error:  # the tester's failure is reported, the verdict stands
            errors.append(f"{what}: {describe_error(error, settings.verbose)}")
            return None

    outcome = OUTCOMES[verdict.outcome]
    equation = attempt("localize", pool.localize) if outcome.localizable else None
    bisected = attempt("bisect", pool.bisect, verdict.outcome) if outcome.bisectable else None
    try:
        localized = _localized(repro, equation, bisected, verdict, folder)
        if bisected is not None and bisected.scripts and localized["before"]:
            alone = dace_only.write_one(bisected.scripts, folder)
            localized["dace"] = None if alone is None else alone.as_posix()
    except OSError as error:  # what was found stands without the SDFGs
        errors.append(f"the SDFGs before and after the culprit could not be written: {error}")
        localized = _localized(repro, equation, bisected, verdict, None)
    return Located(path, equation, bisected, localized), errors


def localized_json(repro: Repro, found: Localized | None, verdict: Verdict) -> dict[str, Any] | None:
    """The report's `localized`: what localisation found, else what the verdict itself names.

    `source` is the line of the user's program when the repro knows it, else the line of the repro.
    """
    culprit = verdict.guilty
    if found is not None:
        equation = {name: getattr(found.culprit, name) for name in ("equation", "primitive", "source")}
        culprit = replace(culprit or Culprit(), **equation)
    return None if culprit is None else culprit.in_user_terms(repro.source).to_report(verdict.pipeline)


def seen_from(base: Path, localized: Mapping[str, Any], there: Path = Path()) -> dict[str, Any]:
    """What was localised, with its paths as the report in the directory `base` has them, and not as `there`."""
    found = {key: localized[key] for key in _PATHS & localized.keys()}
    places = {key: path and relative(there / path, base) for key, path in found.items()}
    return {**localized, **places}


def bisected_json(bisected: Bisected | None, folder: Path | None) -> dict[str, Any]:
    """What the report's `localized` says of a bisection; saves the SDFGs before and after the culprit in `folder`.

    Raises OSError.
    """
    step = bisected.culprit if bisected is not None else Culprit()
    saved = bisected.save(folder) if bisected is not None and folder is not None and step.pass_ else {}
    return {
        "application": step.application,
        "transformation": step.transformation or None,
        "match": step.match or None,
        "before": saved["before"].as_posix() if "before" in saved else None,
        "after": saved["after"].as_posix() if "after" in saved else None,
        "diff": saved["diff"].as_posix() if "diff" in saved else None,
        "flags": step.flag,
        "good": bisected.good or None if bisected is not None else None,
        "stop": bisected.stop or None if bisected is not None else None,
        "notes": list(bisected.notes) if bisected is not None else [],
    }


def _localized(
    repro: Repro, found: Localized | None, bisected: Bisected | None, verdict: Verdict, folder: Path | None
) -> dict[str, Any]:
    """The report's `localized`, with what bisection found; saves the SDFGs. Raises OSError."""
    base = localized_json(repro, found, verdict) or {"pipeline": verdict.pipeline}
    equation = (verdict.guilty or Culprit()) if found is None else found.culprit
    step = bisected.culprit if bisected is not None else Culprit()
    kernel = None
    if step.transformation == "fusion" and step.match.startswith("computed in "):
        kernel, _, joined = step.match.splitlines()[0].removeprefix("computed in ").partition(": ")
        base["equation"] = base.get("equation") or joined
    return {
        **{name: base.get(name) for name in ("equation", "primitive", "source", "pass")},
        **base,
        "pass": step.pass_ if bisected is not None else base.get("pass"),
        **bisected_json(bisected, folder),
        "iteration": equation.iteration,
        "kernel": kernel,
        "path": list(equation.path),
        "values": equation.to_json().get("values"),
        "compilations": {
            "equation": equation.compilations,
            **(bisected.compilations if bisected is not None else {}),
        },
    }


def located_lines(located: Located) -> Iterator[str]:
    """What a person reads: numbered lines, and what the guilty pass changed."""
    found, bisected, localized = located.equation, located.bisected, located.localized
    yield f"Localised on {localized['pipeline']}:"
    lines = [*_equation_lines(found, localized), *_pass_lines(bisected, localized)]
    yield from (f"  {number}. {line}" for number, line in enumerate(lines, 1))
    if bisected is not None and bisected.diff:
        yield f"  What changed (of {len(bisected.diff)} lines):"
        yield from (f"    {line}" for line in bisected.diff[:DIFF_LINES])


def _equation_lines(found: Localized | None, localized: dict[str, Any]) -> Iterator[str]:
    if found is None:
        yield "equation: none diverges by itself: the failure lies in how equations are combined"
        return
    culprit = found.culprit
    inside = f" in {' > '.join(culprit.path)}" if culprit.path else ""
    source = f" at {localized['source']}" if localized["source"] else ""
    yield f"equation: {culprit.equation}{inside}{source}"
    if culprit.note:
        yield f"note: {culprit.note}"
    for name, texts in culprit.values.items():
        yield f"{name}: {'; '.join(texts)}"


def _pass_lines(bisected: Bisected | None, localized: dict[str, Any]) -> Iterator[str]:
    if bisected is None:
        return
    culprit = bisected.culprit
    if culprit.pass_ is not None:
        number = f", application {culprit.application}" if culprit.application else ""
        what = f": {culprit.transformation}" if culprit.transformation else ""
        yield f"pass: {culprit.pass_}{number}{what}"
    elif bisected.innocent:
        yield "pass: none: it fails without any; a translation rule or the plain plan is wrong"
    if culprit.match:
        yield "match: " + culprit.match.replace("\n", "\n       ")
    if culprit.flag is not None:
        yield f"flag: {culprit.flag}; the same SDFG is right without optimisation"
    if bisected.stop:
        yield f'right: jace.jit(pipeline="{bisected.good}"), or JACE_STOP_AFTER={bisected.good.partition("@")[2]}'
        yield f'wrong: jace.jit(pipeline="{bisected.stop}"), or JACE_STOP_AFTER={bisected.stop.partition("@")[2]}'
    if localized["before"]:
        yield f"saved: {', '.join(filter(None, map(localized.get, ('before', 'after', 'diff'))))}"
    if localized.get("dace"):
        yield f"without JAX: {command_lines.python(Path(localized['dace']))}"
    yield from (f"note: {note}" for note in bisected.notes)
    counted = ", ".join(f"{count} for {what}" for what, count in localized["compilations"].items() if count)
    yield f"compilations: {counted or 'none'}"
