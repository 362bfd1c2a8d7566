"""What a process waits for a processor is told, and does not count against the limit of its stage."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator

import pytest

from jace_repro.tester.workers import starved

BUSY = "while True: pass"

pytestmark = pytest.mark.skipif(
    not os.path.exists("/proc/self/schedstat"), reason="this system does not say how long a process waits"
)


@pytest.fixture
def crowd() -> Iterator[list[subprocess.Popen]]:
    """Four processes that compute on one processor."""
    cpu = min(os.sched_getaffinity(0))
    started = [subprocess.Popen([sys.executable, "-c", BUSY]) for _ in range(4)]
    for process in started:
        os.sched_setaffinity(process.pid, {cpu})
    yield started
    for process in started:
        process.kill()
        process.wait()


def test_of_four_on_one_processor_each_waits_most_of_the_time(crowd: list[subprocess.Popen]) -> None:
    before = starved.waits(crowd[0].pid)
    began = time.monotonic()
    time.sleep(2)
    waited, passed = starved.waited_since(before, crowd[0].pid), time.monotonic() - began
    assert 0.3 * passed < waited <= 1.1 * passed


def test_what_sleeps_does_not_wait() -> None:
    with subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"]) as process:
        time.sleep(0.5)
        before = starved.waits(process.pid)
        time.sleep(1)
        assert starved.waited_since(before, process.pid) < 0.3
        process.kill()


def test_of_a_process_that_has_ended_nothing_is_known() -> None:
    with subprocess.Popen([sys.executable, "-c", ""]) as process:
        process.wait()
    assert starved.waits(process.pid) == {}
    assert starved.waited_since({}, process.pid) == 0
