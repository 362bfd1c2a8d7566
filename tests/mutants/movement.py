"""Wrong index maps: starts, strides, axes, bounds."""

from __future__ import annotations

import dataclasses

from jax.lax import GatherScatterMode

from jace.plan.index import ZERO, constant
from jace.rules import bounds
from jace.rules.loops import movement
from mutants import Mutant
from mutants.plants import parameters, patched, reads, rule


def _mirrored(index, shape):
    """The last axis backwards."""
    return (*index[:-1], constant(shape[-1] - 1) - index[-1])


def _first(index, shape):
    """The first element of the last axis for all."""
    return (*index[:-1], ZERO)


def _zeros(start_indices):
    return (0,) * len(start_indices)


def _shifted(right):
    """iota that starts at one."""
    return dataclasses.replace(
        right,
        value=lambda em, eqn, index, k: right.value(em, eqn, tuple(ix + 1 for ix in index), k),
    )


def _always_first(right):
    """Every piece of a split is the first."""
    return dataclasses.replace(right, value=lambda em, eqn, index, k: right.value(em, eqn, index, 0))


def _turned(right):
    """A 64-bit count's halves swapped."""
    return dataclasses.replace(right, value=lambda em, eqn, index, k: right.value(em, eqn, index, 1 - k))


def _backwards(right):
    """The operands in reverse order."""
    return dataclasses.replace(
        right,
        value=lambda em, eqn, index, k: right.value(em, eqn.replace(invars=eqn.invars[::-1]), index, k),
    )


def _unclamped(right):
    del right
    return lambda em, atom, index, last: em.opaque(f"(jace::i64){em.value(atom, index)}")


def _clamped_too_late(right):
    return lambda em, atom, index, last: right(em, atom, index, last + 1)


def _from_zero(right):
    del right
    return lambda em, atom, index, last: ZERO


def _without_upper(right):
    def checked(em, atom, index, last):
        x = em.value(atom, index)
        return em.opaque(f"(jace::i64){x}"), f"{x} >= 0"

    del right
    return checked


_MIRROR = (
    "broadcast_in_dim", "reshape", "squeeze", "transpose", "slice", "rev", "pad", "concatenate", "dynamic_slice",
    "gather", "bitcast_convert_type",
)  # fmt: skip
_PADS = "padding_config"


def _mutant(name, primitive, plant, *more):
    return Mutant(name, "movement", primitive, plant, (primitive, *more))


MUTANTS = [
    *(_mutant(f"{name}_mirrors", name, reads(name, _mirrored)) for name in _MIRROR),
    _mutant("broadcast_in_dim_repeats_one", "broadcast_in_dim", reads("broadcast_in_dim", _first)),
    _mutant("reshape_repeats_one", "reshape", reads("reshape", _first)),
    _mutant("rev_forgets_an_axis", "rev", parameters("rev", lambda p: {"dimensions": p["dimensions"][:-1]})),
    _mutant(
        "slice_ignores_its_start",
        "slice",
        parameters("slice", lambda p: {"start_indices": _zeros(p["start_indices"])}),
    ),
    _mutant("slice_ignores_its_strides", "slice", parameters("slice", lambda p: {"strides": None})),
    _mutant("concatenate_backwards", "concatenate", rule("concatenate", _backwards)),
    _mutant(
        "pad_ignores_low", "pad", parameters("pad", lambda p: {_PADS: [(0, b, c) for _, b, c in p[_PADS]]})
    ),
    _mutant(
        "pad_ignores_interior",
        "pad",
        parameters("pad", lambda p: {_PADS: [(a, b, 0) for a, b, _ in p[_PADS]]}),
    ),
    _mutant("split_repeats_the_first", "split", rule("split", _always_first)),
    _mutant("iota_starts_at_one", "iota", rule("iota", _shifted)),
    _mutant(
        "iota_along_another_axis",
        "iota",
        parameters("iota", lambda p: {"dimension": (p["dimension"] + 1) % len(p["shape"])}),
    ),
    _mutant("iota_2x32_swaps_words", "iota_2x32_shape", rule("iota_2x32_shape", _turned)),
    _mutant(
        "threefry_swaps_words", "threefry2x32", rule("threefry2x32", _turned), "random_split", "random_bits"
    ),
    _mutant("dynamic_slice_is_not_clamped", "dynamic_slice", patched(movement, "clamped", _unclamped)),
    _mutant(
        "dynamic_slice_is_clamped_late", "dynamic_slice", patched(movement, "clamped", _clamped_too_late)
    ),
    _mutant(
        "dynamic_update_slice_from_zero", "dynamic_update_slice", patched(movement, "clamped", _from_zero)
    ),
    _mutant("gather_does_not_look", "gather", patched(bounds, "checked", _without_upper)),
    _mutant(
        "gather_clips_instead_of_filling",
        "gather",
        parameters("gather", lambda p: {"mode": GatherScatterMode.CLIP}),
    ),
    _mutant("gather_fills_with_zero", "gather", parameters("gather", lambda p: {"fill_value": 0})),
]
