"""The results of mechanical mutants as lines, and their score."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from scipy.stats import binom

from mutants.mechanical.results import Result

#: A share of mutants that would be as low as this by chance once in so many runs is no chance.
BY_CHANCE = 1e-3


def told(result: Result) -> str:
    """One line on a result."""
    m = result.mutation
    said = result.outcome or f"missed, {result.reason}"
    by = f" by {result.program}" if result.program else f", shown by {result.test}" if result.test else ""
    return f"jace/{m.file}:{m.line} {m.operator}: {said} ({result.seconds:.0f} s){by}"


def table(results: Sequence[Result]) -> Iterator[str]:
    """Lines: a row for each module, then what was missed and why.

    "score" is the share that programs find, "silent" that of those in which jace does not raise, "guarded" the one that
    programs find or tests of jace's own.
    """
    yield "module        mutants  found  loud  same  missed  score  silent  tests  guarded      s"
    modules = sorted({_module(r) for r in results})
    for module in (*modules, "all"):
        rows = [r for r in results if module in (_module(r), "all")]
        loud = sum(r.outcome == "loud" for r in rows)
        same = sum(r.reason == "same source" for r in rows)
        missed = sum(not r.found for r in rows) - same
        yield (
            f"{module:12} {len(rows):8} {len(rows) - missed - same - loud:6} {loud:5} {same:5} {missed:7} "
            f"{_percent(score(rows)):>6} {_percent(score(rows, loud=False)):>7} {sum(bool(r.test) for r in rows):6} "
            f"{_percent(guarded(rows)):>8} {sum(r.seconds for r in rows):6.0f}"
        )
    for reason in sorted({r.reason for r in results if not r.found}):
        yield ""
        yield f"missed, {reason}:"
        for r in results:
            if r.reason == reason:
                m = r.mutation
                yield f"  jace/{m.file}:{m.line} ({m.operator}; {r.reached} reach it, {r.ran} ran, {r.same} same)"
                yield f"    - {m.before}"
                yield f"    + {m.after}"
                yield from ([f"    shown by {r.test}"] if r.test else [])
                yield from (f"    {shrug}" for shrug in r.shrugs[:3])
    for alarm in sorted({alarm for r in results for alarm in r.alarms}):
        yield f"not right without a mutant: {alarm}"


def _module(result: Result) -> str:
    file = result.mutation.file
    if not file.endswith(".py"):
        return "runtime"
    return file.partition("/")[0] if "/" in file else "jace"


def _percent(share: float) -> str:
    return f"{100 * share:.0f}%"


def score(results: Sequence[Result], *, loud: bool = True) -> float:
    """The share of mutants that were found, of those that change the source of any program."""
    counted = [r for r in results if r.reason != "same source" and (loud or r.outcome != "loud")]
    return sum(r.found for r in counted) / len(counted) if counted else 1.0


def guarded(results: Sequence[Result]) -> float:
    """The share of mutants that a program finds or a test, of those that change anything."""
    counted = [r for r in results if r.is_counted]
    return sum(r.is_guarded for r in counted) / len(counted) if counted else 1.0


def too_few(results: Sequence[Result], expected: float) -> bool:
    """Whether so few are found that a true share of `expected` is out of the question."""
    counted = [r for r in results if r.reason != "same source"]
    return bool(binom.cdf(sum(r.found for r in counted), len(counted), expected) < BY_CHANCE)
