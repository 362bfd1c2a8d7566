"""What a person reads of an entry, a finding, a report: plain lines of text, shown by whoever has a terminal."""

from __future__ import annotations

import textwrap
import traceback
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple

from jace_repro.campaign import exit_codes
from jace_repro.campaign.command_lines import jace_repro, python, shown
from jace_repro.campaign.report import EntryReport, Group, ReducedReport, Report
from jace_repro.tester.verdict.blame import PARTIES
from jace_repro.tester.verdict.outcomes import OUTCOMES
from jace_repro.tester.verdict.verdict import Verdict
from jace_repro.tracker.recording import Recording

_DETAIL_LINES = 6
_REPORT_IT = (
    "Report the minimal repro: to DaCe when only canonical/ pipelines with its passes show it, else to jace."
)
#: What is the user's own to mend, by whose fault a finding is.
_USERS = {"user rule": "rule", "user pass": "pass"}


class Line(NamedTuple):
    """A line, and whether it tells of something bad or doubtful (a terminal may colour it)."""

    text: str = ""
    tone: Literal["plain", "doubtful", "bad"] = "plain"


def result_line(entry: EntryReport) -> Line:
    """A tested entry."""
    where = f"{entry.source}: " if entry.source else ""
    outcomes: dict[str, list[str]] = {}
    for verdict in entry.verdicts:
        outcomes.setdefault(verdict.outcome, []).append(verdict.pipeline)
    told = "; ".join(f"{name} on {', '.join(pipelines)}" for name, pipelines in outcomes.items())
    size = f" ({_count(entry.entry.equations, 'equation')})" if entry.entry.equations else ""
    text = f"{where}{entry.name}{size}: {told or 'not tested'}"
    if entry.findings:
        return Line(f"FAIL {text}", "bad")
    return Line(f"ok   {text}") if set(outcomes) <= {"ok"} else Line(f"--   {text}", "doubtful")


def eager_line(entries: Sequence[EntryReport]) -> Line | None:
    """All eager operations together; None when there are none."""
    eager = [e for e in entries if e.entry.eager]
    if not eager:
        return None
    if bad := sum(bool(e.findings) for e in eager):
        return Line(f"FAIL {bad} of {len(eager)} eager operations, shown above", "bad")
    others = [{v.outcome for v in e.verdicts} - {"ok"} if e.verdicts else {"not tested"} for e in eager]
    if told := sorted(set[str]().union(*others)):
        return Line(
            f"--   {sum(map(bool, others))} of {len(eager)} eager operations: {', '.join(told)}", "doubtful"
        )
    return Line(f"ok   {len(eager)} eager operations")


def summary_lines(
    result: Report, *, base: Path | None = None, program_end: str | None = None
) -> Iterator[Line]:
    """The closing lines: every finding, what else must be said, and one sentence.

    `base` is the directory that holds everything, if one does; `program_end` how the program ended, if badly.
    """
    groups = result.groups
    for number, group in enumerate(groups, 1):
        yield Line()
        yield from map(Line, finding_lines(number, group))
    yield Line()
    for verdict, entry in _other_failures(result):
        yield Line(f"{verdict.outcome}: {entry.name} on {verdict.pipeline}: {_first_line(verdict.detail)}")
        yield Line(f"  -> {verdict.advice}")
        if entry.reduced is not None:
            yield Line(f"  minimal   {_minimal(entry.reduced)}")
        elif OUTCOMES[verdict.outcome].kind == "program" and entry.shown_to_raise is not None:
            yield Line(f"  next      {jace_repro('reduce', entry.shown_to_raise)}  makes it small")
    for text in result.errors:
        yield Line(f"error: {text}", "doubtful")
    if program_end is not None:
        yield Line(f"Note: {program_end}. Everything it gave JAX until then was recorded.", "doubtful")
    yield Line(_verdict_sentence(result, len(groups)))
    yield from _idle(result)
    if result.tested_earlier:
        yield Line(
            f"{result.tested_earlier} of them were right in an earlier run and are what they were then: "
            "JACE_CACHE=0 tests them again."
        )
    if result.stopped:
        untested = len(result.entries) + result.unlisted - result.tested
        yield Line(f"Stopped there (--max-findings): {_entries(untested)} not tested.", "doubtful")
    yield from selection_lines(result)
    if base is not None:
        parts = [
            name
            for name in ("report.json", "entries/", "programs/", "children/", "minimal/")
            if (base / name).exists()
        ]
        yield Line(f"Everything is in {shown(base)}: {', '.join(parts)}.")


def _idle(result: Report) -> Iterator[Line]:
    """The user's own passes that had nothing to do anywhere: that nothing was found says nothing of them."""
    ran = [v for entry in result.entries for v in entry.verdicts if v.ran is not None]
    for pipeline in dict.fromkeys(v.pipeline for v in ran if v.idle):
        of = [v.idle for v in ran if v.pipeline == pipeline]
        for name in of[0]:
            if all(name in idle for idle in of):
                yield Line(
                    f"Note: {name} changed nothing: in none of {len(of)} programs on {pipeline} did it find anything "
                    "to do, or DaCe passed over what it raised.",
                    "doubtful",
                )


def selection_lines(result: Report) -> Iterator[Line]:
    """How many entries were not asked for, and what was asked for in vain."""
    if result.left_out:
        yield Line(f"{_entries(result.left_out)} left out (--select, --ignore, --no-eager).")
    for text in result.notes:
        yield Line(f"Note: {text}.", "doubtful")


def finding_lines(number: int, group: Group) -> Iterator[str]:
    """One finding, whichever entries show it."""
    verdict, entry = group.verdict, group.entry
    also = [m.name for m in group.entries if m is not entry]
    outcome = OUTCOMES[verdict.outcome]
    of = "" if outcome.asked else f" on {verdict.pipeline} (signature {verdict.signature})"
    yield f"Finding {number}: {verdict.outcome}{of}"
    yield f"  {outcome.meaning}"
    yield f"  in        {entry.name}{f', {entry.source}' if entry.source else ''}"
    if entry.beside and entry.cut:
        yield f"  beside    another finding of {entry.beside}, out of whose program this was cut"
    elif entry.beside:
        yield f"  beside    another finding of {entry.beside}, whose guilty equation is an input here"
    if entry.tests:
        yield f"  test      {textwrap.shorten(', '.join(entry.tests), 160)}"
    if entry.processes:
        yield f"  process   {', '.join(entry.processes)}"
    if verdict.inputs is not None:
        yield f"  inputs    generated: {verdict.inputs}"
    if also:
        yield f"            {len(group.entries)} entries: same finding {verdict.signature}"
        yield f"  also in   {', '.join(sorted(set(also)))}"
    if entry.localized:
        yield from _localized(entry.localized)
    elif verdict.guilty is not None and verdict.guilty.rule:
        yield f"  rule      {verdict.guilty.rule}"
    detail = [line for line in _without_location(verdict.detail, entry).splitlines() if line.strip()]
    for index, line in enumerate(detail[:_DETAIL_LINES]):
        yield f"  {'what' if index == 0 else '':9} {line}"
    yield from _blame(verdict)
    path = entry.repro_of(verdict)
    if entry.reduced is not None:
        path = entry.reduced.repro
        yield f"  minimal   {_minimal(entry.reduced)}"
        yield from _access(verdict, entry.reduced)
    elif path is not None:
        yield f"  repro     {shown(path)}"
    if entry.error:
        yield f"  note      {entry.error}"
    if path is not None:
        options = entry.options.get(verdict.pipeline, ()) if path == entry.repro else ()
        commands = {python(path): "runs it under plain JAX"}
        if not outcome.asked:
            commands[jace_repro("check", *options, path)] = "tests it again"
        if entry.reduced is None:
            commands[jace_repro("reduce", *options, path)] = "makes it small"
        width = max(map(len, commands))
        for index, (command, effect) in enumerate(commands.items()):
            yield f"  {'' if index else 'next':9} {command:{width}}  {effect}"
    advice = _REPORT_IT if entry.reduced is not None and outcome.to_report else outcome.advice
    if verdict.who in _USERS:
        advice = f"Mend the {_USERS[verdict.who]}."
        if path != entry.repro:
            advice += " The repro tests it again with the copy of its file that lies beside it."
    yield from textwrap.wrap(advice, 100, initial_indent="            ", subsequent_indent="            ")


def program_end(recorded: Recording) -> str | None:
    """How a program ended that did not end well, else None."""
    if recorded.error:
        code = "" if recorded.exit_code is None else f" (exit code {recorded.exit_code})"
        return f"the program ended early: {recorded.error}{code}{_last_call(recorded)}"
    if recorded.exit_code:
        return f"the program exited with code {recorded.exit_code}{_last_call(recorded)}"
    return None


def _last_call(recorded: Recording) -> str:
    """Which function a program that was killed called last, and whether its inputs are those that were kept."""
    if recorded.last_call is None:
        return ""
    key, call = recorded.last_call
    told = f"; what it called last was {recorded.entry(key).entry.name}"
    return (
        told if call == 1 else f"{told}, for the {call}th time (--max-inputs keeps the inputs of later calls)"
    )


def describe_error(error: BaseException, verbose: bool) -> str:
    """A failure of the harness in one line; with `verbose` its traceback follows."""
    text = f"{type(error).__name__}: {error}".strip()
    if verbose:
        return text + "\n" + "".join(traceback.format_exception(error)).rstrip()
    return text.splitlines()[0]


def _without_location(detail: str, entry: EntryReport) -> str:
    """The detail of a verdict less what the line `guilty` says already."""
    return detail.partition("; first diverging equation:")[0] if entry.localized else detail


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _minimal(reduced: ReducedReport) -> str:
    """A minimal repro: where it is, how small, and what it took."""
    when = " in an earlier run" if reduced.earlier else ""
    size = f"{_count(reduced.equations, 'equation')}, {_count(reduced.elements, 'element')}"
    took = f"{reduced.oracle_calls} tests, {reduced.seconds:.0f} s{when}{_ended(reduced)}"
    return f"{shown(reduced.repro)} ({size}; {took})"


def _access(verdict: Verdict, reduced: ReducedReport) -> Iterator[str]:
    """What a sanitized build of the minimal repro does wrong, of a finding that is no crash by itself."""
    minimal = reduced.verdict
    if verdict.outcome != "crash" and minimal is not None and minimal.explained and minimal.crash is not None:
        yield f"  access    a sanitized build of it says: {minimal.crash.summary}"


def _ended(reduced: ReducedReport) -> str:
    """Why nothing smaller was found."""
    if reduced.stopped != "fixpoint":
        return f"; the search ended early ({reduced.stopped})"
    return f"; no step makes it smaller: {reduced.refused} refused" if reduced.refused else ""


def _localized(found: Mapping[str, Any]) -> Iterable[str]:
    source = f" at {found['source']}" if found.get("source") else ""
    if found.get("primitive"):
        yield f"  guilty    {found['primitive']}{source}"
    if found.get("equation") not in (None, ""):
        yield f"            {textwrap.shorten(_first_line(str(found['equation'])), 160)}"
    if found.get("pass"):
        number = f", application {found['application']}" if found.get("application") else ""
        what = f": {found['transformation']}" if found.get("transformation") else ""
        yield f"  pass      {found['pass']}{number}{what}"
    if found.get("rule"):
        yield f"  rule      {found['rule']}"


def _blame(verdict: Verdict) -> Iterable[str]:
    """Who is wrong, and which oracle agrees with whom."""
    if verdict.who is not None:
        yield f"  to blame  {verdict.who}: {PARTIES[verdict.who]}"
    for witness in verdict.evidence or ():
        yield f"            {witness.summary}"


def _other_failures(result: Report) -> list[tuple[Verdict, EntryReport]]:
    """What is no finding but must be said: errors of the program or the harness, ill-conditioned results."""
    seen, failures = set(), []
    for entry in result.entries:
        for verdict in entry.verdicts:
            if verdict.is_finding or verdict.outcome == "ok" or (entry.name, verdict.outcome) in seen:
                continue
            seen.add((entry.name, verdict.outcome))
            failures.append((verdict, entry))
    return failures


def _verdict_sentence(result: Report, findings: int) -> str:
    tested = result.tested
    if result.interrupted:
        return f"Interrupted: {tested} of {len(result.entries) + result.unlisted} entries were tested."
    if findings:
        return f"{findings} {'finding' if findings == 1 else 'findings'} in {tested} tested entries."
    if not result.entries and not result.unlisted:
        if result.program is None or result.left_out:
            return "Nothing was tested."
        return "Nothing was recorded: the program let JAX trace nothing."
    if result.exit_code == exit_codes.ERROR:
        failed = sum(any(OUTCOMES[v.outcome].kind == "harness" for v in e.verdicts) for e in result.entries)
        others = "nothing was found in the others" if failed < tested else "nothing else was tested"
        if failed:
            return f"{failed} of {tested} entries could not be tested, see above; {others}."
        return f"No findings in {tested} tested entries, but not all went well: see above."
    return f"No findings in {tested} tested entries."


def _entries(number: int) -> str:
    return "1 entry was" if number == 1 else f"{number} entries were"


def _first_line(text: str) -> str:
    return text.strip().splitlines()[0] if text.strip() else ""
