"""Where in a pass of the user's own a worker was, by what `faulthandler` writes."""

from __future__ import annotations

from pathlib import Path

import pytest

from jace_repro.tester.workers import stack

LOG = """\
Thread 0x00007f (most recent call first):
  File "/lib/threading.py", line 331 in wait
  File "/home/me/own.py", line 99 in helper

Current thread 0x00007e (most recent call first):
  File "/home/me/own.py", line 7 in step
  File "/home/me/own.py", line 12 in mine
  File "/site-packages/jace/{where}.py", line 70 in apply
  File "/site-packages/jace/translate/passes.py", line 250 in run_passes
"""


@pytest.mark.parametrize(
    ("where", "file", "said"),
    [
        ("translate/transform", "/home/me/own.py", "line 7, in step"),
        ("plan/planner", "/home/me/own.py", None),  # of a rule
        ("translate/transform", "/home/me/other.py", None),
    ],
)
def test_the_innermost_place_in_a_pass_is_told(where: str, file: str, said: str | None) -> None:
    assert stack.within_pass(LOG.format(where=where), Path(file)) == said


def test_a_worker_that_is_gone_is_not_asked(tmp_path: Path) -> None:
    log = tmp_path / "log"
    log.write_text("")
    stack.ask(2**22 + 1, log)
    assert not log.read_text()
