"""What a finding needs to show again: its repro says it, and testing the repro meets it."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

from jace_repro.campaign.report import versions
from jace_repro.campaign.settings import Settings, choose_pipelines
from jace_repro.campaign.statement import statement
from jace_repro.repro import Header, Repro, load
from jace_repro.repro.finding import stating
from jace_repro.repro.rules import Rules
from jace_repro.tester import OUTCOMES, Verdict

#: Variables that decide what is compiled, by XLA or through DaCe.
VARIABLES = ("XLA_FLAGS", "JACE_STOP_AFTER", "CXX")


def showing(repro: Repro, verdict: Verdict, settings: Settings) -> Repro:
    """A repro that says what it shows, in its header and when it is run, and carries what it needs for that.

    Args:
        repro: what failed.
        verdict: how.
        settings: under which; its rules file is read.
    Raises:
        OSError: the rules file cannot be read.
    """
    how = OUTCOMES[verdict.outcome]
    if how.asked:  # no test would show it
        header = replace(repro.header, pipeline=None, outcome=None, signature=None, releases=versions())
        return replace(repro, header=header, source=stating(repro.source, statement(verdict, header)))
    rules = repro.header.rules if settings.rules is None else Rules.of(settings.rules)
    header = replace(
        repro.header,
        pipeline=verdict.pipeline,
        outcome=verdict.outcome,
        signature=verdict.signature,
        rules=rules,
        sanitize=settings.sanitize,
        environment=environment(settings),
        inputs=verdict.inputs or repro.header.inputs,
        releases=versions(),
    )
    if how.kind == "program":  # the script says it by itself, and prints nothing
        return replace(repro, header=header)
    source = stating(repro.source, statement(verdict, header), first=how.ends_plain_jax)
    return replace(repro, header=header, source=source)


def note_finding(path: Path, verdict: Verdict, settings: Settings) -> None:
    """Have the repro at `path` say what it shows. Raises OSError, ReproError."""
    showing(load(path), verdict, settings).save(path)


def options_for(verdict: Verdict, header: Header, settings: Settings) -> tuple[str | Path, ...]:
    """The options with which a command shows a verdict again that the repro's header does not speak of."""
    options: list[str | Path] = []
    if verdict.pipeline not in choose_pipelines((), header.pipeline):
        options += ["--pipeline", verdict.pipeline]
    if settings.rules is not None and header.rules is None:
        options += ["--rules", settings.rules]
    if settings.sanitize and not header.sanitize:
        options.append("--sanitize")
    return tuple(options)


def environment(settings: Settings) -> dict[str, str]:
    """The variables that decide what is compiled, as far as they are set."""
    found = {name: os.environ[name] for name in VARIABLES if os.environ.get(name)}
    return {**dict(settings.environment), **found}


def as_found(settings: Settings, repro: Repro) -> Settings:
    """Settings under which a repro shows its finding again, as far as the user does not say otherwise."""
    header = repro.header
    rules = settings.rules
    if rules is None and header.rules is not None and repro.path is not None:
        rules = repro.path.with_name(header.rules.file).resolve()
    return replace(
        settings,
        rules=rules,
        sanitize=settings.sanitize or header.sanitize,
        environment=tuple(sorted({**header.environment, **dict(settings.environment)}.items())),
    )
