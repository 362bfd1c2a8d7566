"""How the operands of a scan are grouped: two counts until jax 0.11, from then on flat trees of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from jace.jax_internals import flattree


def counts(params: Mapping[str, Any]) -> tuple[int, int]:
    """How many operands of a scan are constants, and how many carries."""
    if "ft_in" in params:
        consts, carries, _ = params["ft_in"].unpack()
        return len(consts), len(carries)
    return params["num_consts"], params["num_carry"]


def groups(params: Mapping[str, Any], body: Any, consts: int, carries: int) -> dict[str, Any]:
    """The parameters that say how the operands and results of `body` are grouped, in the manner of `params`."""
    if "ft_in" not in params:
        return {"num_consts": consts, "num_carry": carries}

    def trees(*sizes: int) -> Any:
        return flattree.pack(tuple(flattree.nones(size) for size in sizes))

    stacked, ys = len(body.in_avals) - consts - carries, len(body.out_avals) - carries
    return {"ft_in": trees(consts, carries, stacked), "ft_out": trees(carries, ys)}


def plain(params: Mapping[str, Any]) -> Mapping[str, Any]:
    """Parameters of any equation in the words of jax 0.10: texts and digests are the same on each release."""
    if "ft_in" not in params:
        return params
    consts, carries = counts(params)
    others = {name: value for name, value in params.items() if name not in ("ft_in", "ft_out")}
    return {**others, "num_consts": consts, "num_carry": carries}
