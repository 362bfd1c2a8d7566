"""The sample that gates: every program in which something of jace is seen that no other shows is `ok`, both ways.

`scripts/choose_programs.py` chooses it, the most telling first: these are tested in CI, the others with `-m slow`. What
is not `ok` everywhere is listed with its reason.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from jace_repro.fuzz import named
from jace_repro.fuzz.operations import OPERATIONS
from jace_repro.tester import Options, Pool

NAMES = Path(__file__).with_name("sample.txt").read_text(encoding="utf-8").split()
PIPELINES = ("fused", "canonical")
#: The programs that CI tests: in them most branches of jace are executed that any executes.
MOST_TELLING = 40
_NOT_XLAS = "XLA is off, and it is said so (reference-mismatch): mpmath has it as DaCe does"
_ALIKE = "XLA is off as far, the other way: the product of the exponent and a large logarithm has lost digits"
_UNDERFLOWS = "XLA gives nan where the function is 0, in the wider type too: mpmath has it as DaCe does"
#: Programs that are not `ok` though DaCe is right: {name: why}.
KNOWN: dict[str, str] = {
    "log/0/x64": _NOT_XLAS,
    "tan/4/x64": _NOT_XLAS,
    "logistic/3/x64": _NOT_XLAS,
    "sweep/2/x64": _NOT_XLAS,
    "sweep_of_gamma/1/x64": _NOT_XLAS,
    "sweep_of_several/3/x64": _NOT_XLAS,
    "in_place/5/x64": "an update in place that XLA reads back: corpus/repros/xla/d741d4d9a609-shifted_update.py",
    "lgamma/9": _NOT_XLAS,
    "pow/2/x64": _ALIKE,
    "square/1/x64": "the real part of a square is what is left of a difference of squares",
    "square/3/x64": "the real part of a square is what is left of a difference of squares",
    "zeta/3": _UNDERFLOWS,
    "zeta/5": _UNDERFLOWS,
    "zeta/8": _UNDERFLOWS,
    "zeta/9": _NOT_XLAS,
    "polygamma/10": _NOT_XLAS,
    "polygamma/1/x64": _NOT_XLAS,
    "igamma/6": "XLA gives nan where the function is 0: it is said so (reference-mismatch)",
    "igamma/8": "XLA gives nan where the function is 0: it is said so (reference-mismatch)",
    "igammac/6": "XLA is wrong, in the wider type too: igammac(1e-38, 1e-38) is 1e-36 and not 1",
    "igammac/11": "XLA gives nan where the function is 1: it is said so (reference-mismatch)",
    "far_indices/2/x64": "JAX cuts an index to int32: corpus/repros/xla/29e47c667acd.py",
    "concatenate/9": "XLA's compiler aborts: corpus/repros/xla/69c13da6c5b7-int2_concatenated.py",
}


@pytest.fixture(scope="module")
def pool() -> Iterator[Pool]:
    with Pool(1, 120.0, options=Options(blame=False)) as found:
        yield found


def test_the_sample_is_of_operations_that_there_are() -> None:
    assert {name.partition("/")[0] for name in NAMES} == set(OPERATIONS)
    assert len(NAMES) == len(set(NAMES))
    assert set(KNOWN) <= set(NAMES)


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(n, marks=pytest.mark.ci if k < MOST_TELLING else pytest.mark.slow)
        for k, n in enumerate(NAMES)
    ],
)
def test_program(name: str, pool: Pool) -> None:
    verdicts = pool.check(named(name), list(PIPELINES))
    wrong = [f"{v.outcome} on {v.pipeline}: {v.detail}" for v in verdicts if v.outcome != "ok"]
    assert not wrong or name in KNOWN, wrong
