"""A full disk: what was lost is said, nothing is taken for right or found, and what was there before stays."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from jace.build import is_full
from jace.build.compiler import failure
from jace.errors import CompilerKilledError
from jace_repro import page
from jace_repro.campaign import exit_codes, last_check
from jace_repro.campaign.entries import losses
from jace_repro.campaign.report import EntryReport, Report, write
from jace_repro.campaign.run import REPORT, replay
from jace_repro.campaign.settings import Settings
from jace_repro.campaign.stored import read
from jace_repro.campaign.text import summary_lines
from jace_repro.cli.output import Output, finish, write_page
from jace_repro.cli.terminal import Terminal
from jace_repro.repro import write_file
from jace_repro.repro.entry import Entry
from jace_repro.tester.check.failures import failed
from jace_repro.tester.verdict.verdict import Verdict
from jace_repro.tracker.journal import JOURNAL, LOST, Journal
from jace_repro.tracker.recording import Recording, Target, load

GOOD = Report("run", (EntryReport(Entry("f"), verdicts=(Verdict("fused", "ok"),)),))
FULL = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@pytest.fixture
def full(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Fills the disk: half of what is written from then on is there, and an error."""

    def fill() -> None:
        real = Path.write_bytes

        def write_bytes(self: Path, data: bytes) -> int:
            real(self, data[: len(data) // 2])
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

        monkeypatch.setattr(Path, "write_bytes", write_bytes)

    return fill


@pytest.mark.parametrize(
    "again",
    [
        lambda folder: write(GOOD, folder / REPORT),
        lambda folder: page.write(read(folder / REPORT), folder, folder / page.PAGE),
        lambda folder: write_file(folder / "any", b"new"),
        lambda folder: last_check.remember(folder, GOOD.entries),
    ],
)
def test_what_was_there_is_still_there(tmp_path: Path, full: Callable[[], None], again, monkeypatch) -> None:
    monkeypatch.setenv("JACE_CACHE_DIR", str(tmp_path / "cache"))
    write(GOOD, tmp_path / REPORT)
    again(tmp_path)
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    full()
    with pytest.raises(OSError, match="No space left on device: '"):
        again(tmp_path)
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before


def test_a_run_whose_report_does_not_fit_ends_with_2_and_says_so(tmp_path: Path, full) -> None:
    full()
    result = replay(Target("path", "prog.py"), Recording(tmp_path, (), 0), tmp_path, Settings())
    assert result.exit_code == exit_codes.ERROR
    assert result.errors == ("report.json could not be written: No space left on device",)
    assert list(tmp_path.iterdir()) == []


def test_every_report_is_tried_and_each_that_is_lost_is_named(tmp_path: Path, full, capsys) -> None:
    full()
    names = {"json_path": "a.json", "junit": "a.xml", "sarif": "a.sarif"}
    output = Output(Terminal(), **{name: tmp_path / file for name, file in names.items()})
    with pytest.raises(SystemExit) as ended:
        finish(GOOD, output)
    assert ended.value.code == exit_codes.ERROR
    said = capsys.readouterr().err.replace("\n", " ")
    assert all(f"cannot write {tmp_path / file}: No space left on device" in said for file in names.values())


def test_a_page_that_does_not_fit_is_told(tmp_path: Path, full, capsys) -> None:
    write(GOOD, tmp_path / REPORT)
    full()
    assert not write_page(tmp_path, Terminal())
    assert "no page: OSError: [Errno 28] No space left on device" in capsys.readouterr().err


def test_a_journal_that_lacks_something_makes_no_clean_run(tmp_path: Path) -> None:
    class Full:
        """A disk that is full for the second line."""

        def __init__(self, file: Any) -> None:
            self.file, self.lines = file, 0

        def write(self, data: bytes) -> int:
            self.lines += 1
            if self.lines == 2:
                raise FULL
            return self.file.write(data)

    journal = Journal(tmp_path, {"pid": 1})
    journal.open()
    journal._file = Full(journal._file)  # type: ignore[assignment]
    journal.write("exit", code=0)
    with pytest.raises(OSError, match="No space"):
        journal.write("traced", id="e0001", name="f")
    assert (tmp_path / LOST).read_bytes() == b""
    child = Journal(tmp_path / "children" / "7", {"pid": 7, "parent": 1})
    child.open()
    (child.directory / LOST).touch()
    recorded = load(tmp_path)
    assert recorded.lost == ("the program", "process 7")
    result = replay(Target("path", "prog.py"), recorded, tmp_path, Settings())
    assert result.exit_code == exit_codes.ERROR
    assert result.errors == losses(recorded)
    assert "not all that process 7 gave JAX is in the recording" in result.errors[1]
    (tmp_path / LOST).unlink()
    (child.directory / LOST).unlink()
    assert replay(Target("path", "prog.py"), load(tmp_path), tmp_path, Settings()).exit_code == 0
    assert (tmp_path / JOURNAL).exists()


def test_what_could_not_be_tested_is_not_counted_as_right() -> None:
    lost = EntryReport(Entry("g"), verdicts=(Verdict("fused", "harness-error", detail="no repro"),))
    for entries, said in (
        ((lost,), "1 of 1 entries could not be tested, see above; nothing else was tested."),
        (
            (*GOOD.entries, lost),
            "1 of 2 entries could not be tested, see above; nothing was found in the others.",
        ),
    ):
        lines = [line.text for line in summary_lines(Report("run", entries))]
        assert said in lines
        assert not any(line.startswith("No findings") for line in lines)


@pytest.mark.parametrize(
    "said",
    [
        "/tmp/ccq1.s: No space left on device",
        "collect2: fatal error: ld terminated with signal 25 [File size limit exceeded]",
        "ld: final link failed: File too large",
    ],
)
def test_a_compiler_without_room_is_no_finding(said: str) -> None:
    error = failure("the C++ compiler failed with exit status 1", said, source_file="p.cc")
    assert isinstance(error, CompilerKilledError)
    verdict = failed(error, "fused", "compile")
    assert (verdict.outcome, verdict.is_finding) == ("harness-error", False)
    assert "the disk is full: the C++ compiler could not write to" in verdict.detail
    assert "--jobs" not in verdict.detail


@pytest.mark.parametrize("stage", ["translate", "compile", "run"])
def test_a_tester_without_room_finds_nothing(stage: str) -> None:
    verdict = failed(FULL, "fused", stage)
    assert (verdict.outcome, verdict.is_finding) == ("harness-error", False)
    assert "the disk is full" in verdict.detail
    assert failed(OSError(errno.EACCES, "no"), "fused", stage).is_finding


def test_what_a_full_disk_is() -> None:
    assert is_full(FULL)
    assert is_full(FileNotFoundError(errno.ENOENT, "No usable temporary directory found in ['/tmp']"))
    assert not is_full(FileNotFoundError(errno.ENOENT, "No such file or directory"))
    assert not is_full(ValueError("No space left on device"))
