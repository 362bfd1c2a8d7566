"""Keep findings as a regression corpus, and replay it."""

from __future__ import annotations

import contextlib
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

import click
from click.shell_completion import CompletionItem

from jace_repro.campaign import exit_codes
from jace_repro.campaign.settings import Settings
from jace_repro.cli.options import common_options, corpus_option, testing_options
from jace_repro.corpus.states import REJECTED, REPLAYED, STATES

# A shell that completes this command waits for its options.
if TYPE_CHECKING:
    from jace_repro.campaign.corpus import Change
    from jace_repro.campaign.replays import Corpus
    from jace_repro.cli.output import Output
    from jace_repro.corpus.store import CorpusEntry

ORDER = 53
F = TypeVar("F", bound=Callable[..., Any])


class _Entry(click.types.StringParamType):
    """The name of an entry, of its file, or what only its name begins with."""

    name = "entry"

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """The entries whose names begin so."""
        root = Path(ctx.params.get("corpus_dir") or "corpus")
        names = (path.relative_to(root / "repros").with_suffix("") for path in root.glob("repros/*/*.py"))
        return [CompletionItem(str(name)) for name in sorted(names) if str(name).startswith(incomplete)]


def _entries_argument(*, required: bool) -> Callable[[F], F]:
    metavar = "ENTRY..." if required else "[ENTRY...]"
    return click.argument("names", nargs=-1, required=required, type=_Entry(), metavar=metavar)


def _state_option(default: tuple[str, ...]) -> Callable[[F], F]:
    return click.option(
        "--state",
        "states",
        multiple=True,
        type=click.Choice(list(STATES)),
        default=default,
        show_default=", ".join(default) or "all",
        help="Only entries in this state; repeatable.",
    )


def _reason_option(*, required: bool) -> Callable[[F], F]:
    return click.option("--reason", metavar="TEXT", required=required, help="Why; kept in the entry.")


@click.group("corpus")
def command() -> None:
    """Keep findings as a regression corpus, and replay it.

    A corpus is a directory of repros, DIR/repros/AREA/SIGNATURE.py, each with what a test of it is expected to give
    and a state: pending, accepted, fixed, invalid or duplicate. It is made to be committed: plain scripts that need
    only jax and numpy, and a table of them in DIR/README.md. `run`, `accept` and `check` run the code of entries; the
    other commands only read them.

    \b
    jace-repro run -o found prog.py       finds a bug and reduces it
    jace-repro corpus add found           keeps it, pending
    jace-repro corpus accept              tests it three times: it is to do that again
    jace-repro corpus run                 replays the corpus: what is fixed, what is new

    ENTRY is the name that `corpus list` shows, what only that begins with, or the path of the file.
    """


@command.command("add")
@click.argument(
    "paths", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path), metavar="DIR|REPRO.py..."
)
@click.option("--area", metavar="NAME", help="Whose bug it is [default: dace, xla, jace ... as was found].")
@corpus_option
@common_options
def add(
    paths: tuple[Path, ...], area: str | None, corpus_dir: Path, settings: Settings, output: Output
) -> None:
    """Add what was found, as pending.

    Nothing is run. Of the directory of a `run` or a `fuzz` the minimal repro of every distinct finding is added, with
    its bug report; of any other directory all repros below it. What is known (the same program with the same signature
    on the same pipeline) is left out. A recorded program that is right may be added, too, so that it stays right.

    \b
    jace-repro corpus add jace-repro-out/train
    jace-repro corpus add --area dace minimal/step-mismatch-3fa9c1d2.py
    """
    from jace_repro.campaign.corpus import add_files, add_report
    from jace_repro.campaign.run import REPORT
    from jace_repro.campaign.stored import StoredError, read

    if area is not None and (Path(area).name != area or area.startswith(".")):
        raise click.UsageError(f"--area {area}: a name, not a path")
    runs = [path for path in paths if (path / REPORT).is_file()]
    with _changing(corpus_dir):
        changes: list[Change] = []
        for path in runs:
            try:
                changes += add_report(read(path / REPORT).report, corpus_dir, area)
            except StoredError as error:
                raise click.UsageError(str(error)) from error
        if rest := [path for path in paths if path not in runs]:
            changes += add_files(rest, corpus_dir, area)
    if not changes:
        output.terminal.line("Nothing was found there, so nothing was added.")
    _told(changes, output, corpus_dir)


@command.command("list")
@_entries_argument(required=False)
@_state_option(())
@corpus_option
@common_options
def list_(
    names: tuple[str, ...], states: tuple[str, ...], corpus_dir: Path, settings: Settings, output: Output
) -> None:
    """Show the entries: name, state, expectation, pipeline, origin.

    Nothing is run.

    \b
    jace-repro corpus list
    jace-repro corpus list --state pending
    """
    from jace_repro.campaign.report import Report
    from jace_repro.cli.output import finish

    found = _opened(corpus_dir)
    chosen = _chosen(found, names, states)
    rows = [
        (e.name, e.state, e.header.outcome or "", e.header.pipeline or "", e.header.origin or e.header.name)
        for e in chosen
    ]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        output.terminal.line("  ".join(f"{c:{w}}" for c, w in zip(row, widths, strict=True)).rstrip())
    counts = Counter(entry.state for entry in chosen)
    told = ", ".join(f"{counts[state]} {state}" for state in STATES if counts[state])
    output.terminal.line(f"{_entries(len(chosen))} in {corpus_dir}{f': {told}' if told else ''}.")
    _say_errors(found, output)
    finish(Report("corpus", errors=found.errors, extra={"corpus": [_as_json(e) for e in chosen]}), output)


@command.command("show")
@_entries_argument(required=True)
@corpus_option
@common_options
def show(names: tuple[str, ...], corpus_dir: Path, settings: Settings, output: Output) -> None:
    """Show what entries promise, and their scripts.

    Nothing is run; what is to be typed for that is shown.
    """
    from jace_repro.campaign.command_lines import jace_repro, python, shown
    from jace_repro.campaign.report import Report
    from jace_repro.cli.output import finish

    found = _opened(corpus_dir)
    chosen = _chosen(found, names, ())
    line = output.terminal.line
    for entry in chosen:
        header = entry.header
        line(f"{entry.name}: {entry.state} ({STATES.get(entry.state, 'no known state')})")
        facts = {
            "expects": f"{header.outcome} on {header.pipeline}" if header.outcome else "nothing yet",
            "signature": header.signature,
            "why": header.reason,
            "from": header.origin or header.name,
            "file": shown(entry.path),
            "report": shown(entry.path.with_suffix(".md"))
            if entry.path.with_suffix(".md").exists()
            else None,
            "run it": python(entry.path),
            "test it": jace_repro("check", entry.path),
        }
        for name, text in facts.items():
            if text is not None:
                line(f"  {name:9} {text}")
        line()
        line(entry.repro.source.rstrip())
        line()
    finish(Report("corpus", extra={"corpus": [_as_json(e) for e in chosen]}), output)


@command.command("run")
@_entries_argument(required=False)
@_state_option(REPLAYED)
@corpus_option
@testing_options
def run(
    names: tuple[str, ...], states: tuple[str, ...], corpus_dir: Path, settings: Settings, output: Output
) -> None:
    """Test whether entries do what they promise.

    This runs their code. Each is tested on the pipeline that it was made for, and on those of --pipeline: there it is
    expected to be right, unless it is XLA that is wrong. So what a pass of your own breaks is one command. What is not
    as expected is tested twice more; what is so some other time is flaky.

    The exit code is 0 when all is as expected, 1 when something is fixed (`corpus accept` has it promise that) or
    fails in another way.

    \b
    jace-repro corpus run
    jace-repro corpus run --pipeline canonical/simplify --pipeline mypass.py:MyPass
    jace-repro corpus run --junit jace.xml --github
    """
    from jace_repro.campaign.command_lines import jace_repro
    from jace_repro.campaign.replays import replay_entries
    from jace_repro.campaign.text import summary_lines
    from jace_repro.cli.output import finish, observing, warn_about_machine

    found = _opened(corpus_dir)
    chosen = _chosen(found, names, states)
    warn_about_machine(output.terminal)
    result = replay_entries(chosen, settings, observing(output.terminal), errors=found.errors)
    output.terminal.show(*summary_lines(result))
    counts = Counter(entry.replayed for entry in result.entries if entry.replayed)
    told = ", ".join(f"{count} {state}" for state, count in counts.items())
    output.terminal.line(f"{_entries(sum(counts.values()))} replayed: {told or 'none'}.")
    for entry in result.entries:
        if entry.replayed == "fixed":
            again = jace_repro("corpus", "accept", "--corpus-dir", corpus_dir, entry.name)
            output.terminal.line(f"{entry.name} is fixed. It is to stay so: {again}")
    finish(result, output)


@command.command("accept")
@_entries_argument(required=False)
@_reason_option(required=False)
@corpus_option
@testing_options
def accept(
    names: tuple[str, ...], reason: str | None, corpus_dir: Path, settings: Settings, output: Output
) -> None:
    """Test entries three times; what they do is their promise.

    This runs the code of all that are pending, or of those named. One that does not do the same every time is refused.
    One that promised a failure and is right now becomes fixed: it is to stay right.

    \b
    jace-repro corpus accept
    jace-repro corpus accept dace/41002611a471 --reason "the pass asks for reads now"
    """
    from jace_repro.campaign.corpus import accept as accepting
    from jace_repro.cli.output import observing, warn_about_machine

    found = _opened(corpus_dir)
    _stop_at_errors(found)
    chosen = _chosen(found, names, () if names else ("pending",))
    if not chosen:
        output.terminal.line(f"No entry in {corpus_dir} is pending.")
    warn_about_machine(output.terminal)
    with _changing(corpus_dir):
        changes = accepting(chosen, corpus_dir, settings, reason, observing(output.terminal))
    _told(changes, output, corpus_dir)


@command.command("reject")
@_entries_argument(required=True)
@click.option("--as", "state", type=click.Choice(list(REJECTED)), required=True, help="What it is.")
@_reason_option(required=True)
@corpus_option
@common_options
def reject(
    names: tuple[str, ...], state: str, reason: str, corpus_dir: Path, settings: Settings, output: Output
) -> None:
    """Say that entries show no bug, or a known one.

    Nothing is run. They stay, so that they are not added again, and are replayed no more; `corpus prune` removes them.

    \b
    jace-repro corpus reject jace/0123456789ab --as duplicate --reason "shows what dace/41002611a471 shows"
    """
    from jace_repro.campaign.corpus import reject as rejecting

    found = _opened(corpus_dir)
    _stop_at_errors(found)
    with _changing(corpus_dir):
        changes = rejecting(_chosen(found, names, ()), corpus_dir, state, reason)
    _told(changes, output, corpus_dir)


@command.command("prune")
@click.option("--yes", is_flag=True, help="Remove them; else they are only listed.")
@corpus_option
@common_options
def prune(yes: bool, corpus_dir: Path, settings: Settings, output: Output) -> None:
    """List or remove (--yes) what nobody needs.

    Nothing is run. That is what was rejected, and what is right and covers nothing that others do not: operations with
    their keywords, dtypes and ranks, and pairs of an operation and one that reads it, per pipeline. What shows or
    showed a failure stays.
    """
    from jace_repro.campaign.corpus import prune as pruning

    _stop_at_errors(_opened(corpus_dir))
    with _changing(corpus_dir):
        changes = pruning(corpus_dir, remove=yes)
    for change in changes:
        output.terminal.line(f"{'removed' if yes else 'can go'}  {change.name}: {change.text}")
    if not changes:
        output.terminal.line("Every entry is needed.")
    elif not yes:
        output.terminal.line("Nothing was removed: --yes removes them.")
    _finished(changes, output)


def _opened(root: Path) -> Corpus:
    """Raises click.UsageError where there is no corpus."""
    from jace_repro.campaign.replays import opened
    from jace_repro.corpus import store

    if not (root / store.REPROS).is_dir():
        raise click.UsageError(
            f"{root} is no corpus (it has no {store.REPROS}/): `jace-repro corpus add` makes one; --corpus-dir names it"
        )
    return opened(root)


def _chosen(found: Corpus, names: Sequence[str], states: Sequence[str]) -> list[CorpusEntry]:
    """The entries that are named, else those in these states. Raises click.UsageError for a name that none has."""
    if not names:
        return [entry for entry in found.entries if not states or entry.state in states]
    chosen = []
    for name in names:
        exact = [e for e in found.entries if name in (e.name, e.path.name, e.path.stem, str(e.path))]
        exact = exact or [e for e in found.entries if e.path.resolve() == Path(name).resolve()]
        meant = exact or [e for e in found.entries if name in (e.name[: len(name)], e.path.stem[: len(name)])]
        if len(meant) != 1:
            what = f"several entries: {', '.join(e.name for e in meant)}" if meant else "no entry"
            raise click.UsageError(f"'{name}' means {what} of {found.root}")
        chosen += meant
    return list({entry.path: entry for entry in chosen}.values())


def _stop_at_errors(found: Corpus) -> None:
    """A corpus of which a file cannot be read is not changed. Raises click.UsageError."""
    if found.errors:
        raise click.UsageError("\n".join(found.errors))


def _entries(number: int) -> str:
    return "1 entry" if number == 1 else f"{number} entries"


def _say_errors(found: Corpus, output: Output) -> None:
    for text in found.errors:
        output.terminal.warn(text)


@contextlib.contextmanager
def _changing(root: Path) -> Iterator[None]:
    """What cannot be read or written is told in the command's words. Raises click.ClickException."""
    from jace.build import is_full
    from jace_repro.repro import ReproError

    try:
        yield
    except ReproError as error:
        raise click.UsageError(str(error)) from error
    except OSError as error:
        if is_full(error):
            raise
        raise click.ClickException(f"{root} cannot be changed: {error}") from error


def _told(changes: Sequence[Change], output: Output, root: Path) -> NoReturn:
    """Say what became of entries, and exit: with 2 when something was refused."""
    from jace_repro.campaign.command_lines import jace_repro

    for change in changes:
        text = f": {change.text}" if change.text else ""
        style = "yellow" if change.done == "refused" else None
        output.terminal.line(f"{change.done:9} {change.name}{text}", style)
    if any(change.done == "added" for change in changes):
        accepts = jace_repro("corpus", "accept", "--corpus-dir", root)
        output.terminal.line(f"Pending until they are tested, which runs them: {accepts}")
    _finished(changes, output)


def _finished(changes: Sequence[Change], output: Output) -> NoReturn:
    from jace_repro.campaign.report import Report
    from jace_repro.cli.output import write_reports

    data = [{"done": change.done, "entry": change.name, "text": change.text} for change in changes]
    write_reports(Report("corpus", extra={"changes": data}), output)
    refused = any(change.done == "refused" for change in changes)
    sys.exit(exit_codes.ERROR if refused else exit_codes.NOTHING)


def _as_json(entry: CorpusEntry) -> dict[str, Any]:
    header = entry.header
    return {
        "entry": entry.name,
        "state": entry.state,
        "reason": header.reason,
        "outcome": header.outcome,
        "signature": header.signature,
        "pipeline": header.pipeline,
        "origin": header.origin,
        "path": entry.path.as_posix(),
    }
