"""Progress says what is true: what is done, what is under way, what was found, how long it may take."""

from __future__ import annotations

import io
import re
import threading
import time

from rich.console import Console

from jace_repro.cli.progress import Watched, live, logged
from jace_repro.cli.terminal import Terminal


def test_a_job_says_how_far_it_is() -> None:
    job = Watched("tested", 4, started=time.monotonic() - 30)
    assert job.status() == "tested 0 of 4, 30 s"
    job.done()
    job.done(2, findings=1)
    assert job.status() == "tested 3 of 4, 1 finding, 30 s, about 10 s left"
    job.done()
    assert job.status() == "tested 4 of 4, 1 finding, 30 s"
    open_ended = Watched("reducing: test", None, started=time.monotonic() - 120)
    open_ended.done(7, findings=2)
    open_ended.says("9 -> 3 equations")
    assert open_ended.status() == "reducing: test 7, 9 -> 3 equations, 2 findings, 2.0 min"


def test_each_thread_says_what_it_is_at() -> None:
    job = Watched("tested", 2)
    job.stage("compile")  # of nothing: not told
    assert job.now() == []

    def work() -> None:
        job.working("step (59 equations)")
        job.stage("compile")

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    job.working("loss (3 equations)")
    assert job.now() == ["step (59 equations), compile, 0 s", "loss (3 equations), 0 s"]
    job.rests()
    assert job.now() == ["step (59 equations), compile, 0 s"]


def test_in_a_pipe_a_line_comes_every_few_seconds() -> None:
    out = io.StringIO()
    job = Watched("tested", 2)
    job.working("step (59 equations)")
    with logged(job, Console(file=out, width=200), interval=0.02):
        while "\n" not in out.getvalue():
            time.sleep(0.01)
    lines = out.getvalue()
    assert re.match(r"jace-repro: tested 0 of 2, 0 s; step \(59 equations\), 0 s\n", lines)
    time.sleep(0.05)
    assert out.getvalue() == lines, "nothing is told of a job that is over"


def test_on_a_terminal_the_program_is_seen_shrinking() -> None:
    out = io.StringIO()
    job = Watched("reducing: test", None)
    with live(job, Console(file=out, force_terminal=True, width=100)):
        job.working("step")
        job.shows("def repro(a):\n    return lax.sin(a)")
    shown = out.getvalue()
    for told in ("reducing: test 0", "step, 0 s", "return lax.sin(a)"):
        assert told in shown


def test_who_is_quiet_shows_no_progress() -> None:
    out = io.StringIO()
    terminal = Terminal(quiet=True, err=Console(file=out, force_terminal=True))
    terminal.note("recording")
    with terminal.progress("tested", 1) as job:
        job.done()
    assert out.getvalue() == ""
