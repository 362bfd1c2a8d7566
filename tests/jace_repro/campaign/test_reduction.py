"""What findings are reduced with."""

from __future__ import annotations

import contextlib

from jace_repro.campaign import reduction
from jace_repro.campaign.settings import Settings
from jace_repro.tester import OUTCOMES, Verdict


def test_candidates_that_hang_are_not_waited_for_as_long_as_the_finding(monkeypatch):
    opened = []

    @contextlib.contextmanager
    def open_pool(settings):
        opened.append(settings)
        yield "quick"

    monkeypatch.setattr(reduction, "open_pool", open_pool)
    settings = Settings(timeout=90.0, sanitize=True)
    with reduction.suited("own", settings, Verdict("fused", "mismatch", "ab")) as suitable:
        assert suitable == ("own", settings)
    with reduction.suited("own", settings, Verdict("fused", "timeout", "ab")) as (suitable, hasty):
        assert suitable == "quick"
        assert (hasty.stage_timeout, hasty.sanitize) == (OUTCOMES["timeout"].reduction.seconds, False)
    assert opened == [hasty]
