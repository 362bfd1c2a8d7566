"""The options of a run that goes on."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path

import click
import pytest

from jace_repro.cli.commands.run import command
from jace_repro.cli.resume import OPTIONS, command_for, keep_options, recorded_in
from jace_repro.tracker.journal import JOURNAL, Journal
from jace_repro.tracker.recording import Target


def context(*words: str) -> click.Context:
    return command.make_context("run", list(words))


@pytest.fixture
def directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Of a run that was killed, with a program that is not there any more."""
    monkeypatch.chdir(tmp_path)
    journal = Journal(
        Path("out"), {"target": {"kind": "path", "value": "prog.py", "argv": ["-x", "a b"]}, "pid": 2**22 + 1}
    )
    journal.open()
    journal.close()
    return Path("out")


@pytest.mark.parametrize(
    "words",
    [
        (),
        ("-x", "-v", "--pipeline", "fused", "--pipeline", "canonical/simplify", "--no-eager", "--jobs", "3"),
        (
            "--inputs",
            "all",
            "--max-disk",
            "2G",
            "--timeout",
            "1.5",
            "--no-reduce",
            "--no-self-check",
            "--sanitize",
        ),
        (
            "--inputs",
            "3",
            "--select",
            "a*",
            "--select",
            "file:b.py",
            "--ignore",
            "primitive:c",
            "--max-inputs",
            "2",
        ),
        ("--max-findings", "4", "--json", "r.json", "--report", "sub/bug.md", "--rules", "rules.py"),
    ],
)
def test_a_run_goes_on_with_its_options(directory: Path, words: tuple[str, ...]) -> None:
    Path("rules.py").touch()
    before = context(*words, "-o", "out", "prog.py", "-x", "a b")
    keep_options(before, directory)
    after = context("--resume", "out")
    its_own = ("out", "words", "resume")
    assert {k: v for k, v in after.params.items() if k not in its_own} == {
        k: v for k, v in before.params.items() if k not in its_own
    }
    target, recorded = recorded_in(after, directory)
    assert target == Target("path", "prog.py", ("-x", "a b"))
    assert recorded.error == "jace-repro was ended while it was recorded"
    again = command_for(target, recorded)
    assert again is not None
    assert again.endswith("jace-repro run prog.py -x 'a b'")
    assert command_for(target, replace(recorded, error="ValueError: no")) is None


def test_the_command_line_wins_and_paths_are_where_they_were(
    directory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep_options(context("--jobs", "3", "--json", "r.json", "p.py"), directory)
    os.mkdir("elsewhere")
    monkeypatch.chdir("elsewhere")
    after = context("--resume", "../out", "--jobs", "2")
    assert (after.params["jobs"], after.params["json_path"]) == (2, Path("../r.json"))


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--resume", "nothing"), "holds no recording"),
        (("--resume", "none"), "does not exist"),
        (("--resume", "broken"), "broken/options.json: "),
        (("--resume", "out", "other.py"), "--resume goes not with a program: out says that already"),
        (("--resume", "out", "-o", "there"), "--resume goes not with --out"),
        (("--resume", "out", "-m", "module"), "--resume goes not with -m"),
    ],
)
def test_what_cannot_be_resumed(directory: Path, words: tuple[str, ...], told: str) -> None:
    Path("nothing").mkdir()
    Path("broken").mkdir()
    Path("broken", JOURNAL).touch()
    Path("broken", OPTIONS).write_text(json.dumps({"schema": 1}))
    with pytest.raises(click.ClickException) as error:
        recorded_in(context(*words), directory)
    assert told in error.value.message


def test_a_run_of_a_release_that_kept_no_options_is_told_the_pipelines(directory: Path) -> None:
    Path("out", "report.json").write_text("{}")
    with pytest.raises(click.UsageError, match=r"an earlier release.*--pipeline NAME"):
        recorded_in(context("--resume", "out"), directory)
    target, _ = recorded_in(context("--resume", "out", "--pipeline", "fused"), directory)
    assert target.value == "prog.py"


def test_a_recording_by_the_switch_is_run(tmp_path: Path) -> None:
    target = {"kind": "module", "value": "train", "argv": []}
    journal = Journal(tmp_path / "out", {"target": target, "pid": 2**22 + 1, "started_by": "JACE_REPRO"})
    journal.open()
    found, recorded = recorded_in(context("--resume", str(tmp_path / "out")), tmp_path / "out")
    assert (found, recorded.error) == (Target("module", "train"), None)


def test_a_program_that_still_runs_is_waited_for(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "out", {"pid": os.getpid()})
    journal.open()
    with pytest.raises(click.UsageError, match=rf"process {os.getpid()} still records into"):
        recorded_in(context("--resume", str(tmp_path / "out")), tmp_path / "out")
    journal.write("exit", code=0)
    assert recorded_in(context("--resume", str(tmp_path / "out")), tmp_path / "out")[1].exit_code == 0
