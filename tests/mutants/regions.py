"""Wrong regions: scatters, sorts, convolutions, loops, branches."""

from __future__ import annotations

import dataclasses
import functools

import jax
from jax import lax
from jax.lax import GatherScatterMode

from jace.plan.index import constant
from jace.rules import bounds, control_flow, ordering, random
from jace.rules.operations import Convolution
from mutants import Mutant
from mutants.plants import parameters, patched, primitive_is, rule


def _other_order(right):
    """Descending where it should ascend."""

    @functools.wraps(right)
    def take(planner, eqn, axis, comparison, sources, outs, *, stable):
        def turned(em, index, a, b):
            return comparison(em, index, b, a)

        right(planner, eqn, axis, turned, sources, outs, stable=stable)

    return take


def _without_check(right):
    del right
    return lambda em, atom, index, last: (em.opaque(f"(jace::i64){em.value(atom, index)}"), None)


def _one_early(right):
    """An index is refused that is the last one."""
    return lambda em, atom, index, last: right(em, atom, index, last - 1)


def _flipped(right):
    """The window of a convolution backwards."""

    def kernel_index(self, feature, in_feature, offsets):
        turned = [constant(n - 1) - ix for n, ix in zip(self.windows.sizes, offsets, strict=True)]
        return right(self, feature, in_feature, turned)

    return kernel_index


def _next_branch(right):
    """A branch too far, and from the last one to the first."""

    def build(planner, eqn):
        branches = eqn.params["branches"]
        right.build(planner, eqn.replace(params={**eqn.params, "branches": (*branches[1:], branches[0])}))

    return dataclasses.replace(right, build=build)


def _once_more(right):
    """`<=` in place of `<` in the condition."""

    def build(planner, eqn):
        cond = eqn.params["cond_jaxpr"]
        eqns = [e.replace(primitive=lax.le_p) if e.primitive is lax.lt_p else e for e in cond.jaxpr.eqns]
        wrong = cond.replace(jaxpr=cond.jaxpr.replace(eqns=eqns))
        right.build(planner, eqn.replace(params={**eqn.params, "cond_jaxpr": wrong}))

    return dataclasses.replace(right, build=build)


def _turned_words(right):
    return lambda em, state: right(em, state)[::-1]


def _every_lane(right):
    """All lanes of a batched while go on, those that are done as well."""

    def advance(planner, lanes, old, new):
        def build(em, index):
            em.line(f"w_{old.buffer.name}[{old.address(index)}] = {em.load(new, index)};")

        planner.kernel("advance", old.shape, build, writes=[old], reads=[old], independent=True)

    del right
    return advance


def _no_padding(p):
    return {"padding": tuple((low + 1, high - 1) for low, high in p["padding"])}


def _inverse(kind):
    """IFFT for FFT, and the other way round."""
    return {jax.lax.FftType.FFT: jax.lax.FftType.IFFT, jax.lax.FftType.IFFT: jax.lax.FftType.FFT}.get(
        kind, kind
    )


def _mutant(name, primitive, plant, *more):
    return Mutant(name, "regions", primitive, plant, (primitive, *more))


MUTANTS = [
    _mutant(
        "scatter_add_overwrites", "scatter-add", primitive_is("scatter-add", lax.scatter_p, update_jaxpr=None)
    ),
    _mutant("scatter_mul_adds", "scatter-mul", primitive_is("scatter-mul", lax.scatter_add_p)),
    _mutant("scatter_min_is_max", "scatter-min", primitive_is("scatter-min", lax.scatter_max_p)),
    _mutant("scatter_max_is_min", "scatter-max", primitive_is("scatter-max", lax.scatter_min_p)),
    _mutant("scatter_adds", "scatter", primitive_is("scatter", lax.scatter_add_p)),
    _mutant(
        "scatter_clips_instead_of_dropping",
        "scatter-add",
        parameters("scatter-add", lambda p: {"mode": GatherScatterMode.CLIP}),
    ),
    _mutant("scatter_does_not_look", "scatter-add", patched(bounds, "checked", _without_check)),
    _mutant("scatter_drops_the_last", "scatter", patched(bounds, "checked", _one_early)),
    _mutant("sort_descends", "sort", patched(ordering, "_take_in_order", _other_order)),
    _mutant("sort_looks_at_one_key", "sort", parameters("sort", lambda p: {"num_keys": 1})),
    _mutant("top_k_takes_the_least", "top_k", patched(ordering, "_take_in_order", _other_order)),
    _mutant(
        "approx_top_k_turned",
        "approx_top_k",
        parameters("approx_top_k", lambda p: {"is_max_k": not p["is_max_k"]}),
    ),
    _mutant(
        "convolution_flips_its_window",
        "conv_general_dilated",
        patched(Convolution, "kernel_index", _flipped),
    ),
    _mutant(
        "convolution_pads_too_low", "conv_general_dilated", parameters("conv_general_dilated", _no_padding)
    ),
    _mutant(
        "convolution_ignores_its_strides",
        "conv_general_dilated",
        parameters("conv_general_dilated", lambda p: {"window_strides": (1,) * len(p["window_strides"])}),
    ),
    _mutant(
        "convolution_ignores_dilation",
        "conv_general_dilated",
        parameters("conv_general_dilated", lambda p: {"lhs_dilation": (1,) * len(p["lhs_dilation"])}),
    ),
    _mutant(
        "triangular_solve_takes_the_other_triangle",
        "triangular_solve",
        parameters("triangular_solve", lambda p: {"lower": not p["lower"]}),
    ),
    _mutant(
        "triangular_solve_of_a_unit_diagonal",
        "triangular_solve",
        parameters("triangular_solve", lambda p: {"unit_diagonal": not p["unit_diagonal"]}),
    ),
    _mutant(
        "fft_is_its_inverse",
        "fft",
        parameters("fft", lambda p: {"fft_type": _inverse(p["fft_type"])}),
    ),
    _mutant("generator_swaps_key_and_counter", "rng_bit_generator", patched(random, "_state", _turned_words)),
    _mutant("scan_runs_backwards", "scan", parameters("scan", lambda p: {"reverse": not p["reverse"]})),
    _mutant(
        "scan_misses_the_last_step", "scan", parameters("scan", lambda p: {"length": max(p["length"] - 1, 1)})
    ),
    _mutant("while_runs_once_more", "while", rule("while", _once_more)),
    _mutant(
        "while_advances_every_lane",
        "while",
        patched(control_flow, "_advance", _every_lane),
        "small:batched_while",
    ),
    _mutant("cond_takes_the_next_branch", "cond", rule("cond", _next_branch)),
]
