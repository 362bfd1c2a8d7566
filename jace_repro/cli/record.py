"""``jace-repro record``, and the recording half of ``jace-repro run``."""

from __future__ import annotations

import contextlib
import re
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from jace_repro.campaign import exit_codes, report
from jace_repro.campaign.report import EntryReport, Report
from jace_repro.cli.common import (
    Settings,
    Terminal,
    common_options,
    describe_error,
    finish,
    warn_about_jaxlib,
)
from jace_repro.repro import ReproError
from jace_repro.tracker import recording
from jace_repro.tracker.journal import JOURNAL

INTERRUPTED = "interrupted (ctrl-C)"

PROGRAM_SETTINGS = {"ignore_unknown_options": True, "allow_interspersed_args": False}


_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}


def _size(ctx: click.Context, option: click.Parameter, text: str | None) -> int | None:
    """A number of bytes, perhaps in K, M, G or T (powers of 1024).  Raises click.BadParameter."""
    if text is None:
        return None
    found = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([KMGT]?)(?:i?B)?", text.strip(), re.IGNORECASE)
    if found is None:
        raise click.BadParameter(f"{text!r} is no size: write 500M or 2G", ctx, option)
    return int(float(found[1]) * _UNITS[found[2].upper()])


class ProgramCommand(click.Command):
    """A command that ends in a program and its arguments, which it leaves alone as ``python`` does.

    ``-m MODULE`` and ``--pytest`` end the command's own options, too.
    """

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        return super().parse_args(ctx, _stop_at_program(self, args))


def _stop_at_program(command: click.Command, args: list[str]) -> list[str]:
    """`args` with ``--`` between the command's options and what belongs to the program."""
    takes_value = {
        name: not option.is_flag
        for option in command.params
        if isinstance(option, click.Option)
        for name in option.opts
    }
    position = 0
    while position < len(args):
        word = args[position]
        if word == "--" or not word.startswith("-"):
            break
        position += 2 if takes_value.get(word, False) else 1
        if word in ("-m", "--pytest"):
            return [*args[:position], "--", *args[position:]]
    return args


def program_options(function: Any) -> Any:
    """Adds ``--max-disk``, ``--max-inputs``, ``-m`` and ``--pytest`` and the program's own words."""
    for option in reversed(
        (
            click.option(
                "--max-disk",
                callback=_size,
                metavar="SIZE",
                help="Write no more repros than that (500M, 2G); entries whose inputs would exceed it get none.",
            ),
            click.option(
                "--max-inputs",
                type=click.IntRange(min=1),
                default=1,
                show_default=True,
                metavar="N",
                help="Keep the inputs of so many calls of a function, where their values differ.",
            ),
            click.option(
                "-m", "module", metavar="MODULE", help="Run a module, as python -m does; its ARGS follow."
            ),
            click.option("--pytest", "use_pytest", is_flag=True, help="Run pytest; its ARGS follow."),
            click.argument("words", nargs=-1, type=click.UNPROCESSED, metavar="[PROG.py] [ARGS]..."),
        )
    ):
        function = option(function)
    return function


def make_target(words: tuple[str, ...], module: str | None, use_pytest: bool) -> recording.Target:
    """What to run. Raises click.UsageError."""
    if module is not None:
        return recording.Target("module", module, words)
    if use_pytest:
        return recording.Target("pytest", "", words)
    if not words:
        raise click.UsageError("name a program: PROG.py, -m MODULE or --pytest")
    if not Path(words[0]).exists():
        raise click.UsageError(f"there is no program {words[0]!r}")
    return recording.Target("path", words[0], words[1:])


def output_directory(out: Path | None, target: recording.Target) -> Path:
    """Where the recording goes: `out`, which must hold none yet, or a new one named after the program."""
    if out is not None:
        if (out / JOURNAL).exists():
            raise click.UsageError(f"{out} holds a recording already: name another directory or remove it")
        return out
    stem = Path(target.value).stem if target.kind == "path" else target.value or "pytest"
    return recording.unused_directory(stem)


def record_target(
    target: recording.Target,
    out: Path,
    max_disk: int | None,
    max_inputs: int,
    settings: Settings,
    terminal: Terminal,
) -> recording.Recording:
    """Run the program under the tracker. Exits with 2 when it cannot record."""
    from jace_repro.tracker import hooks
    from jace_repro.tracker.api import record_program

    terminal.note(f"jace-repro: recording {target.describe()}")
    try:
        recorded = record_program(
            target, out, timeout=settings.timeout, max_disk=max_disk, max_inputs=max_inputs
        )
    except hooks.HooksUnavailable as error:
        terminal.warn(f"jace-repro: {error}\njace-repro: run jace-repro doctor")
        sys.exit(exit_codes.ERROR)
    except OSError as error:
        terminal.warn(f"jace-repro: cannot record into {out}: {describe_error(error, settings.verbose)}")
        sys.exit(exit_codes.ERROR)
    for problem in recorded.tracker_errors:
        terminal.warn(f"jace-repro: not recorded: {problem}")
    return recorded


def program_report(target: recording.Target, recorded: recording.Recording) -> dict[str, Any]:
    """The program's own end, for the machine report."""
    return {"command": target.describe(), "exit_code": recorded.exit_code, "error": recorded.error}


def entry_reports(recorded: recording.Recording, max_inputs: int) -> list[EntryReport]:
    """The recorded entries, before they are tested.

    What several processes completed is one entry, with the repros of `max_inputs` of them.
    """
    entries: dict[tuple[str, ...], EntryReport] = {}
    for entry in recorded.entries:
        report = _entry_report(recorded, entry)
        key: tuple[str, ...] = (entry.id,)
        if entry.status == "completed" and entry.entry.fingerprint:
            key = (entry.entry.fingerprint, entry.entry.callbacks)
        entries[key] = _merged(entries[key], report, max_inputs) if key in entries else report
    return list(entries.values())


def _merged(one: EntryReport, other: EntryReport, max_inputs: int) -> EntryReport:
    """One entry of what two processes recorded of it."""
    repros = (*one.repros, *other.repros)[: max(max_inputs, len(one.repros))]
    return replace(
        one,
        calls=one.calls + other.calls,
        repro=repros[0] if repros else None,
        repros=repros,
        processes=(*one.processes, *other.processes),
        tests=tuple(dict.fromkeys((*one.tests, *other.tests))),
    )


def _entry_report(recorded: recording.Recording, entry: recording.RecordedEntry) -> EntryReport:
    return EntryReport(
        name=entry.entry.name,
        source=entry.entry.call_site
        if _in_a_library(entry.entry.source) and entry.entry.call_site
        else entry.entry.source,
        equations=entry.entry.equations,
        primitives=entry.entry.primitives,
        repro=None if entry.repro is None else recorded.path(entry),
        status=entry.status,
        eager=entry.entry.eager,
        calls=entry.calls,
        error=entry.error or entry.note,
        call_tree=None if entry.calltree is None else recorded.directory / entry.calltree,
        call_tree_error=entry.calltree_note,
        repros=tuple(recorded.directory / path for path in entry.repros),
        processes=(entry.process,) if entry.process else (),
        tests=entry.tests,
    )


def _in_a_library(source: str) -> bool:
    """Whether a "file:line" lies in an installed package: then the user's line that called it says more."""
    return "site-packages" in source or "dist-packages" in source


def describe_program_end(recorded: recording.Recording) -> str | None:
    """One line about a program that did not end well, else None."""
    if recorded.error:
        code = "" if recorded.exit_code is None else f" (exit code {recorded.exit_code})"
        return f"the program ended early: {recorded.error}{code}{_last_call(recorded)}"
    if recorded.exit_code:
        return f"the program exited with code {recorded.exit_code}{_last_call(recorded)}"
    return None


def _last_call(recorded: recording.Recording) -> str:
    """Which function a program that was killed called last, and whether its inputs are those that were kept."""
    if recorded.last_call is None:
        return ""
    key, call = recorded.last_call
    told = f"; what it called last was {recorded.entry(key).entry.name}"
    return (
        told if call == 1 else f"{told}, for the {call}th time (--max-inputs keeps the inputs of later calls)"
    )


def _expected(entries: list[EntryReport]) -> dict[Path, str]:
    """The recorded jaxpr, as text, for every call tree: that of the flat form beside it."""
    from jace_repro.emitter import saved_jaxpr

    pairs = [(e.call_tree, saved_jaxpr(e.repro)) for e in entries if e.call_tree and e.repro]
    return {tree: text for tree, text in pairs if text is not None}


def self_checked(entries: list[EntryReport], settings: Settings, terminal: Terminal) -> list[EntryReport]:
    """The entries with what the self-check of each script says: does it replay exactly, in a fresh process?"""
    from jace_repro.emitter import note_self_check, self_check_many

    paths = [path for e in entries for path in (*e.repros, *([e.call_tree] if e.call_tree else []))]
    with terminal.progress("self-checking", total=None):
        checks = self_check_many(
            paths,
            jobs=settings.jobs,
            timeout=settings.stage_timeout,
            expected=_expected(entries),
            alike={e.call_tree: e.repro for e in entries if e.call_tree and e.repro},
        )
    results = dict(zip(paths, checks, strict=True))
    for path, check in results.items():
        with contextlib.suppress(
            OSError, ReproError
        ):  # the report says it as well; a lost script is told there
            note_self_check(path, check)
    checked = []
    for entry in entries:
        if entry.call_tree is not None:
            tree = results[entry.call_tree]
            error = entry.call_tree_error if tree.status == "exact" else tree.detail
            entry = replace(entry, call_tree_check=tree.status, call_tree_error=error)
        if entry.repros:
            path = next((p for p in entry.repros if results[p].status != "exact"), entry.repros[0])
            result = results[path]
            problem = entry.error or (None if result.status == "exact" else result.detail)
            entry = replace(entry, repro=path, self_check=result.status, error=problem)
        checked.append(entry)
    return checked


@click.command("record", cls=ProgramCommand, context_settings=PROGRAM_SETTINGS)
@click.option(
    "-o",
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help=f"Directory of the recording [default: a new one in {recording.OUT_ROOT}].",
)
@click.option("--no-self-check", is_flag=True, help="Do not replay the repros that were written.")
@common_options
@program_options
def command(
    words: tuple[str, ...],
    module: str | None,
    use_pytest: bool,
    max_disk: int | None,
    max_inputs: int,
    out: Path | None,
    no_self_check: bool,
    settings: Settings,
) -> None:
    """Run PROG.py as python does and write a repro of every function it lets JAX trace.

    Each repro (DIR/entries/*.py) is one script that runs on stock JAX and NumPy and holds the real inputs. It
    is written before the function is compiled or run: a crash loses nothing. Processes that the program
    starts write theirs to DIR/children/PID/entries. Afterwards every repro is replayed in a fresh process:
    "exact" means the same jaxpr and bit-identical outputs.

    \b
    jace-repro record train.py --epochs 1
    jace-repro record -o recording -m package.module
    jace-repro record --max-inputs 5 --max-disk 2G simulation.py
    jace-repro record --pytest tests -k solver
    """
    terminal = Terminal(verbose=settings.verbose)
    target = make_target(words, module, use_pytest)
    directory = output_directory(out, target)
    warn_about_jaxlib(terminal)
    recorded = record_target(target, directory, max_disk, max_inputs, settings, terminal)
    entries = entry_reports(recorded, max_inputs)
    interrupted = recorded.error == INTERRUPTED
    if not (no_self_check or interrupted):
        entries = self_checked(entries, settings, terminal)
    for entry in entries:
        if not entry.eager or settings.verbose:
            terminal.line(_entry_line(entry))
    eager = sum(e.eager for e in entries)
    terminal.line(
        f"{len(entries) - eager} functions and {eager} eager operations recorded in {directory}"
        if entries
        else "nothing was recorded: the program let JAX trace nothing"
    )
    if line := _trees_line(entries):
        terminal.line(line)
    if end := describe_program_end(recorded):
        terminal.warn(f"jace-repro: {end}")
    bad = [e for e in entries if e.self_check not in (None, "exact")]
    errors = tuple(f"{e.name}: self-check {e.self_check}: {e.error}" for e in bad)
    if bad:
        terminal.warn(f"jace-repro: {len(bad)} repros do not replay exactly; see the lines above")
    result = Report("record", tuple(entries), program_report(target, recorded), errors, interrupted)
    report.write(result, directory / "report.json")
    finish(result, settings, terminal)


def _trees_line(entries: list[EntryReport]) -> str:
    """How many functions were written as their user wrote them, and how these replay; "" when none was checked."""
    functions = [e for e in entries if not e.eager and e.repros]
    states = Counter(e.call_tree_check or "without one" for e in functions)
    if set(states) <= {"without one"}:
        return ""
    return f"call trees: {', '.join(f'{count} {state}' for state, count in sorted(states.items()))}"


def _entry_line(entry: EntryReport) -> str:
    where = f"{entry.source} " if entry.source else ""
    state = entry.self_check or entry.status or ""
    text = f"{state:14} {where}{entry.name} ({entry.equations} equations, {entry.calls} calls)"
    if entry.tests:
        text += f" in {entry.tests[0]}" + (f" and {len(entry.tests) - 1} more" if entry.tests[1:] else "")
    if entry.processes:
        text += f" in process {', '.join(entry.processes)}"
    return text + (f": {entry.error}" if entry.error else "")
