"""The journal by itself: whole lines, whatever the disk, other threads, signals and forks do."""

from __future__ import annotations

import errno
import io
import json
import os
import signal
import threading
from pathlib import Path

import pytest

from jace_repro.tracker.journal import JOURNAL, Journal


def lines(directory: Path) -> list[str]:
    return (directory / JOURNAL).read_text().splitlines()


def events(directory: Path) -> list[str]:
    return [json.loads(line)["event"] for line in lines(directory)]


def test_nothing_is_made_before_the_first_event(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "a", {"pid": 1})
    journal.describe(versions="v")
    assert not (tmp_path / "a").exists()
    journal.write("one")
    journal.describe(more=2)
    journal.close()
    journal.write("late")
    assert events(tmp_path / "a") == ["start", "one", "start"]
    first, last = json.loads(lines(tmp_path / "a")[0]), json.loads(lines(tmp_path / "a")[-1])
    assert (first["pid"], first["versions"], last["pid"], last["more"]) == (1, "v", 1, 2)


def test_a_line_that_the_disk_cut_short_spoils_no_other(tmp_path: Path) -> None:
    class Full:
        """A disk with room for five bytes, then for none, then for all."""

        def __init__(self, file: io.FileIO) -> None:
            self.file, self.room = file, [5, 0]

        def write(self, data: bytes) -> int:
            if not self.room:
                return self.file.write(data)
            room = self.room.pop(0)
            if not room:
                raise OSError(errno.ENOSPC, "no space left on device")
            return self.file.write(data[:room])

        def close(self) -> None:
            self.file.close()

    journal = Journal(tmp_path, {})
    journal.open()
    assert journal._file is not None
    journal._file = Full(journal._file)  # type: ignore[assignment]
    for event in ("torn", "lost"):
        with pytest.raises(OSError, match=r"[Nn]o space"):
            journal.write(event)
    journal.write("whole")
    journal.close()
    start, torn, whole = lines(tmp_path)
    assert json.loads(start)["event"] == "start"
    assert torn == '{"eve'
    assert json.loads(whole)["event"] == "whole"


def test_a_signal_handler_may_write_while_its_thread_does(tmp_path: Path) -> None:
    journal = Journal(tmp_path, {})
    before = signal.signal(signal.SIGALRM, lambda *_: journal.write("from the handler"))
    try:
        with journal._lock:  # as inside of write
            signal.raise_signal(signal.SIGALRM)
            journal.write("outside")
    finally:
        signal.signal(signal.SIGALRM, before)
    assert events(tmp_path) == ["start", "from the handler", "outside"]


def test_lines_of_many_threads_are_whole(tmp_path: Path) -> None:
    journal = Journal(tmp_path, {})
    work = lambda n: [journal.write("it", n=n, text="x" * 3000) for _ in range(50)]
    threads = [threading.Thread(target=work, args=(n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert events(tmp_path) == ["start"] + ["it"] * 200


def test_a_fork_can_drop_it_while_another_thread_writes(tmp_path: Path) -> None:
    """The lock is held by a thread that the child does not have."""
    journal = Journal(tmp_path, {})
    journal.open()
    held, release = threading.Event(), threading.Event()

    def hold() -> None:
        with journal._lock:
            held.set()
            release.wait(60)

    thread = threading.Thread(target=hold)
    thread.start()
    held.wait(60)
    before = (tmp_path / JOURNAL).stat().st_ino
    journal.abandon()  # what the child does; would hang if it took the lock
    release.set()
    thread.join()
    journal.write("ignored")
    assert events(tmp_path) == ["start"]
    assert os.stat(tmp_path / JOURNAL).st_ino == before
