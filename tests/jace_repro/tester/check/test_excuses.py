"""What makes a difference no finding though the oracle does not explain it."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
from jax.extend.core import JaxprEqn, Literal
from oracles import oracle

import jace
from jace import ir
from jace.ir import calls
from jace.ir.rewrite import Splice
from jace_repro.fuzz import named
from jace_repro.tester import check_repro
from jace_repro.tester.check import excuses
from jace_repro.tester.numerics.compare import compare


def test_one_may_overflow_just_before_the_other() -> None:
    x = np.array([1.0, 89.4], np.float32)
    expected = [np.array([3.8e36, np.inf], np.float32)]
    reference = SimpleNamespace(outputs=expected, oracle=oracle(lambda x: x * 3.8e36, x))
    for top, fine in ((3.4e38, True), (2e38, False), (-3.4e38, False)):
        got = [np.array([3.8e36, top], np.float32)]
        found = compare(expected, got, reference.oracle.granted)
        assert excuses.well_conditioned(reference, got, found) == fine


def test_what_jace_takes_for_another_program_is_not_put_down_to_xla(monkeypatch: pytest.MonkeyPatch) -> None:
    """The oracle reads programs by the same functions as the translation, and is wrong with it."""
    subject = named("platform_dependent/4")  # one branch for CPU, another one for any other platform
    assert check_repro(subject, ["fused"])[0].outcome == "ok"

    def others(eqn: JaxprEqn) -> Splice:
        aval = eqn.outvars[0].aval
        value = np.asarray(eqn.params["platforms"].index(None), aval.dtype)
        return Splice(ir.make_closed([], [Literal(value[()], aval)], []), ())

    monkeypatch.setitem(calls.DECIDED, "platform_index", others)
    with jace.use_rules({}):  # what was compiled before is not found again
        (found,) = check_repro(subject, ["fused"])
    assert (found.outcome, found.who) == ("mismatch", "jace reading")
    assert found.guilty is not None
    assert "calls" in found.guilty.note
    assert found.signature is not None
