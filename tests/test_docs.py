"""The pages of docs/ say what is so: examples run, commands parse, links lead somewhere."""

from __future__ import annotations

import builtins
import contextlib
import re
import shlex
import tomllib
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import dask_jobqueue
import pytest
import yaml
from distributed.cli import dask_scheduler, dask_worker
from places import CORPUS, ROOT

import jace
import jace_repro
from jace.build import gpu
from jace_repro.cli import cli, config
from jace_repro.corpus import store
from jace_repro.fuzz import strategies

DOCS = ROOT / "docs"
GUIDES = [DOCS / "index.md", *sorted((DOCS / "how-to").glob("*.md"))]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"\]\((?![a-z]+:)([^)\s#]*)(?:#([^)\s]*))?\)")
#: Commands that are not ours: what they mean is not looked into.
OTHERS = {"bash", "make", "mkdocs", "mypy", "lint-imports", "pip", "pytest", "python", "python3", "ruff"}


def blocks(path: Path, language: str) -> list[str]:
    """The fenced blocks of a page in a language."""
    return [text for name, text in BLOCK.findall(path.read_text(encoding="utf-8")) if name == language]


def commands(path: Path) -> list[str]:
    """The lines of a page that are to be typed, those of a workflow too."""
    typed = [line for text in blocks(path, "sh") for line in text.splitlines()]
    return typed + [line for text in blocks(path, "yaml") for line in workflow_commands(text)]


def workflow_commands(text: str) -> list[str]:
    """The commands of a workflow of GitHub's, of a part of one, or of jobs of GitLab's."""
    found, steps = yaml.safe_load(text), []
    if isinstance(found, list):
        steps = found
    else:
        for job in found.get("jobs", found).values():
            steps += job.get("steps", []) + [{"run": line} for line in job.get("script", [])]
    return [step["run"] for step in steps if "run" in step]


def cases(pages: list[Path], found: Callable[[Path], list[str]]) -> list[Any]:
    """A parameter for each thing that is found on each page."""
    return [
        pytest.param(thing, id=f"{path.stem}-{number}")
        for path in pages
        for number, thing in enumerate(found(path))
    ]


def parse(words: list[str]) -> None:
    """Parse a command line of jace-repro without running it. Raises click.UsageError."""
    context, command, rest = click.Context(cli, info_name="jace-repro"), cli, words
    while isinstance(command, click.Group):
        name, *rest = rest
        found = command.get_command(context, name)
        assert found is not None, f"no command {name}"
        context = click.Context(found, info_name=name, parent=context, **found.context_settings)
        command = found
    values, _, given = command.make_parser(context).parse_args(rest)
    for option in given:
        if option.nargs == 1 and not isinstance(option.type, click.Path):  # files need not be there
            option.type_cast_value(context, values[option.name])


def parse_dask(words: list[str]) -> None:
    """Parse a command line of dask's without running it. Raises click.UsageError."""
    command = {"worker": dask_worker.main, "scheduler": dask_scheduler.main}[words[0]]
    command.make_context(words[0], words[1:])


@pytest.mark.parametrize("source", cases(GUIDES, lambda path: blocks(path, "python")))
def test_an_example_runs(source: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    module = types.ModuleType("example")
    if "dask_jobqueue" in source:  # no job is submitted here
        monkeypatch.setattr(dask_jobqueue.SLURMCluster, "adapt", lambda self, **jobs: asked.update(jobs))
        monkeypatch.setattr(builtins, "input", lambda text: asked.update(script=module.cluster.job_script()))
    asked: dict[str, Any] = {}
    no_gpu = "canonical/gpu" in source and not gpu.capability()
    with (
        jace.use_rules({}),  # those that it registers are gone afterwards
        pytest.raises(jace.NoGPUError) if no_gpu else contextlib.nullcontext(),
    ):
        exec(compile(source, "example", "exec"), vars(module))
    if "dask_jobqueue" in source:
        module.cluster.close()
        assert asked["maximum_jobs"] > asked["minimum_jobs"]
        (line,) = [line for line in asked["script"].splitlines() if "dask_worker" in line]
        parse_dask(["worker", *line.partition("dask_worker ")[2].split()])


@pytest.mark.parametrize("line", cases([*GUIDES, ROOT / "README.md", ROOT / "CONTRIBUTING.md"], commands))
def test_a_command_can_be_typed(line: str) -> None:
    for part in re.split(r" && ", line):
        words = shlex.split(part, comments=True)
        while words and re.match(r"[A-Z_]+=", words[0]):
            del words[0]
        program = words[0].removeprefix(".venv/bin/")
        if program == "jace-repro":
            parse(words[1:])
        elif program == "dask":
            parse_dask(words[1:])
        else:
            assert program in OTHERS, program
        for word in words:
            if re.match(r"(corpus|scripts|tests/test_|\.ci)\b", word):
                assert (ROOT / word).exists(), word


@pytest.mark.parametrize("path", sorted((ROOT / ".github" / "workflows").glob("*.yml")), ids=lambda p: p.stem)
def test_a_workflow_runs_commands_that_there_are(path: Path) -> None:
    lines = workflow_commands(path.read_text(encoding="utf-8"))
    assert lines
    for line in lines:
        test_a_command_can_be_typed(line)


@pytest.mark.parametrize(
    "line", ["check --no-such-option x.py", "run --jobs none x.py", "check --pipeline no x.py"]
)
def test_a_wrong_command_is_seen(line: str) -> None:
    with pytest.raises(click.UsageError):
        parse(line.split())


@pytest.mark.parametrize("source", cases(GUIDES, lambda path: blocks(path, "toml")))
def test_an_options_file_is_understood(source: str) -> None:
    values = tomllib.loads(source)["tool"]["jace-repro"]
    group = click.Context(cli)
    known = {name: cli.get_command(group, name) for name in cli.list_commands(group)}
    read = config.Config(ROOT / "pyproject.toml", "tool.jace-repro", values)
    assert any(config.default_map(read, known).values())


def anchors(path: Path) -> set[str]:
    """The anchors of a page's headings."""
    text = re.sub(r"^```.*?^```$", "", path.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    titles = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", title).strip().lower()) for title in titles}


@pytest.mark.parametrize(
    "path",
    [*sorted(DOCS.rglob("*.md")), ROOT / "README.md", ROOT / "CONTRIBUTING.md"],
    ids=lambda path: path.relative_to(ROOT).as_posix(),
)
def test_links_lead_somewhere(path: Path) -> None:
    text = re.sub(
        r"^```.*?^```$|`[^`\n]*`", "", path.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE
    )
    for target, anchor in LINK.findall(text):
        found = (path.parent / target).resolve() if target else path
        assert found.is_file(), target
        assert not anchor or anchor in anchors(found), f"{target}#{anchor}"


def test_every_page_is_in_the_navigation() -> None:
    listed = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    for path in DOCS.rglob("*.md"):
        assert f": {path.relative_to(DOCS).as_posix()}\n" in listed, path


def test_the_reference_has_every_public_name() -> None:
    listed = re.findall(
        r"^::: (\S+)$", (DOCS / "reference" / "api.md").read_text(encoding="utf-8"), re.MULTILINE
    )
    modules = (jace, jace_repro, strategies)
    public = [f"{module.__name__}.{name}" for module in modules for name in module.__all__]
    assert sorted(listed) == sorted(public)


def test_the_gallery_has_every_finding() -> None:
    text = (DOCS / "gallery.md").read_text(encoding="utf-8")
    findings = [entry.path for entry in store.entries(CORPUS) if not entry.was_right]
    for path in [*findings, *store.scripts(CORPUS)]:
        assert f"](../corpus/{path.relative_to(CORPUS).as_posix()})" in text
