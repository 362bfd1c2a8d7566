"""XLAxiom's workloads (https://github.com/Hardonian/XLAxiom, on PyPI as xlaxiom).

Its campaign varies the seed only; here the dtype, the operation and the values take turns, too, as its corpus has them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import jax.numpy as jnp
from xlaxiom import model
from xlaxiom.execution import compile_execution_plan
from xlaxiom.generation import GenerationConfig, generate
from xlaxiom.operations import OPERATION_SPECS

from mutants.generators import Made, numbered

_VALUES = ("random", "finite_edges", "extreme_finite", "zeros", "ones", "signed_zero", "nonfinite")


def programs(seed: int) -> Iterator[Made]:
    """Workloads, every other one of a single operation."""
    operations = sorted(OPERATION_SPECS)
    dtypes = sorted(model.DTYPES)
    for number in numbered(seed):
        alone = operations[number // 2 % len(operations)] if number % 2 else None
        dtype = dtypes[number // 3 % len(dtypes)]
        values = _VALUES[number // 5 % len(_VALUES)]
        config = GenerationConfig(seed=number, max_rank=3, dtype=dtype, input_mode=values, preferred_op=alone)
        try:
            yield _made(generate(config))
        except (ValueError, TypeError):  # an operation that has no such dtype, values that it has not
            continue


def _made(workload: model.Workload) -> Made:
    plan = compile_execution_plan(workload)
    inputs = model.materialize_inputs(workload)

    def function(*arrays: Any) -> tuple[Any, ...]:
        return plan.bind(jnp).evaluate(arrays)

    return Made(function, [inputs[name] for name in plan.input_names], x64=True)
