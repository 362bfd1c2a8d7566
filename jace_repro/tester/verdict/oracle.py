"""The oracle: who is wrong, when DaCe and XLA differ by more than the fast comparison accepts.

For every output element it has a centre (the higher-precision result) and a bound (how far rounding errors
alone move it: the spread of noisy evaluations). An output that no rounding reaches, whatever the inputs or on
these ones, has the equation-by-equation result in the program's own dtypes as its centre (`native.py`: NumPy's,
not XLA's) and no bound at all.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from jace.ir import ClosedJaxpr, slice_to, walk
from jace_repro.tester.numerics import extended, poles
from jace_repro.tester.numerics.compare import CLASSES, OutputDifference, as_real, is_float, same_elements
from jace_repro.tester.numerics.errormodel import DISCONTINUOUS, Budget, aval_of, is_inexact, is_smooth
from jace_repro.tester.numerics.exactness import exact_on
from jace_repro.tester.numerics.native import TooLongError
from jace_repro.tester.numerics.native import evaluate as evaluate_natively
from jace_repro.tester.numerics.noise import limits_of
from jace_repro.tester.numerics.precision import Decision, decisions, evaluate

#: Noisy samples a judgement takes. With noise of +-4 errors, a margin of 2 and six samples, an element whose
#: own error is the largest published one is granted too little with probability (1/8)^6.
SAMPLES = 6
MARGIN = 2.0
#: Samples before a program is convicted in which a decision is a matter of rounding: one that falls the other way in a
#: third of them is the same in the first six by chance once in eleven times.
MANY = 32
#: So many samples convict a number that is so many times as far off as they explain, where noise moves results in
#: proportion to itself (`is_smooth`): that the others explain it has a probability of 6e-8 an element.
FAR = ((2, 2.0**12), (3, 2.0**8), (4, 2.0**6))
#: One execution is off as another is when it is at most so many times as far off, in so many times the elements.
LIKE = 4.0
#: Of many elements that a loop has computed such a share may be so many times as far off as the samples explain: the
#: largest of six differs by so much from element to element. One of less than a thousand may not.
STRAY_SHARE = 1e-3
STRAY = 3.0
#: A number that noise moves by so much of itself has lost its digits. Where so many of an output have, the few samples
#: say little of how far each of them may go: of a thousand such numbers, some are within a hundredth in all of them.
LOST = 1e-2
LOST_SHARE = 0.25
#: Where the largest spread of these is so many times the typical one, the noise was multiplied on its way, by chance,
#: and not added: such a number may be off by orders of magnitude more than the few samples show.
WILD = 1e3
#: Two numbers this far apart, relative to the larger, differ by a step and not by noise.
STEP = 1e-2

_Array = np.ndarray[Any, Any]
_Masks = dict[str, np.ndarray[Any, np.dtype[np.bool_]]]


@dataclass(frozen=True)
class Assessment:
    """One execution against the oracle.

    Attributes:
        differences: what is beyond explanation, one an output; empty when nothing is.
    """

    differences: tuple[OutputDifference, ...]

    @property
    def wrong(self) -> bool:
        """Whether anything is beyond explanation."""
        return bool(self.differences)

    @property
    def kind(self) -> str | None:
        """The most telling class of difference, None when there is none."""
        kinds = {difference.kind for difference in self.differences}
        return next((kind for kind in CLASSES if kind in kinds), None)

    def __str__(self) -> str:
        return "; ".join(map(str, self.differences[:4]))


@dataclass
class Oracle:
    """Judges executions of one program on one input; evaluates lazily and once.

    Attributes:
        closed: the program, without typed PRNG keys.
        args: its inputs, native dtypes.
        budgets: as `errormodel.budgets(closed)`.
    """

    closed: ClosedJaxpr
    args: Sequence[Any]
    budgets: Sequence[Budget]
    _bounds: dict[int, _Array] = field(default_factory=dict)
    _samples: list[list[_Array]] = field(default_factory=list)
    _widened: set[int] = field(default_factory=set)

    @cached_property
    def rounds_nothing(self) -> bool:
        """Whether a single wrong bit convicts: no rounding reaches an output, ever or on these inputs.

        The sign of a zero excepted where the inputs decide: XLA rewrites x + 0 to x.
        """
        return all(budget.exact for budget in self.budgets) or exact_on(self.closed, self.args)

    @property
    def granted(self) -> Sequence[Budget]:
        """What the fast comparison grants: nothing where the program rounds nothing on these inputs."""
        if not self.rounds_nothing:
            return self.budgets
        return [Budget(0.0, budget.exact) for budget in self.budgets]

    def _is_exact(self, output: int) -> bool:
        return self.budgets[output].exact or self.rounds_nothing

    @cached_property
    def native(self) -> dict[int, _Array]:
        """The exact outputs by equation-by-equation evaluation in the program's own dtypes."""
        places = [i for i in range(len(self.budgets)) if self._is_exact(i)]
        sliced, used = slice_to(self.closed, [self.closed.jaxpr.outvars[i] for i in places])
        return dict(zip(places, evaluate_natively(sliced, [self.args[i] for i in used]), strict=True))

    @cached_property
    def centre(self) -> list[_Array]:
        """The best estimate of the true outputs; native where no rounding reaches."""
        wide: Sequence[_Array] = () if len(self.native) == len(self.budgets) else self.precise
        return [as_real(self.native[i] if i in self.native else wide[i]) for i in range(len(self.budgets))]

    @cached_property
    def precise(self) -> list[_Array]:
        """The outputs by the higher-precision evaluation: f64 itself in longdouble as far as that goes."""
        if extended.helps(self.closed):
            try:
                return extended.evaluate(self.closed, self.args)
            except (TooLongError, extended.NotWiderError):
                pass  # in f64, where XLA helps
        return evaluate(self.closed, self.args)

    @cached_property
    def best(self) -> list[_Array]:
        """The best estimate in the program's own dtypes and shapes."""
        dtypes = [aval_of(v).dtype for v in self.closed.jaxpr.outvars]
        with np.errstate(all="ignore"):
            return [
                self.native[i] if i in self.native else np.asarray(self.precise[i]).astype(dtype)
                for i, dtype in enumerate(dtypes)
            ]

    def samples(self, count: int = SAMPLES) -> list[list[_Array]]:
        """Noisy evaluations, real views: the first `count` of them."""
        while len(self._samples) < count:
            noisy = evaluate(self.closed, self.args, salt=len(self._samples) + 1)
            self._samples.append([as_real(out) for out in noisy])
        return self._samples[:count]

    @cached_property
    def _smooth(self) -> bool:
        return is_smooth(self.closed)

    @cached_property
    def _unsettled(self) -> bool:
        """Whether a decision is a matter of rounding: a few samples may have it the same way by chance."""
        return not self._smooth and bool(self.near_ties)

    @cached_property
    def loops(self) -> bool:
        """Whether there is a recurrence, in which errors may go one way."""
        return any(eqn.primitive.name in ("scan", "while") for _, eqn in walk(self.closed))

    @cached_property
    def near_ties(self) -> list[str]:
        """The discontinuous primitives that decide otherwise under rounding-sized noise: a tie is near.

        When none of them could be watched (all are in long loops), all that the program has.
        """
        of_floats = {
            eqn.primitive.name
            for _, eqn in walk(self.closed)
            if any(is_inexact(aval_of(v).dtype) for v in eqn.invars)
        }
        present = sorted(of_floats & DISCONTINUOUS)
        first = decisions(self.closed, self.args) if present else []
        if not first:
            return present
        others = [decisions(self.closed, self.args, salt) for salt in range(1, SAMPLES + 1)]
        return sorted({name for other in others if (name := _first_flip(first, other)) is not None})

    def bound(self, output: int) -> _Array:
        """Per element how far rounding may move it from the centre; infinite where its class is undecided."""
        if output not in self._bounds:
            self._bounds[output] = self._bound(output)
        return self._bounds[output]

    @cached_property
    def _poles(self) -> list[_Array]:
        """Per element of each output whether rounding that takes the program onto a pole decides if it is finite."""
        found = [np.zeros(centre.shape, bool) for centre in self.centre]
        if len(self.native) == len(self.budgets) or not poles.near(self.closed):
            return found
        for salt in poles.SALTS:
            for position, out in enumerate(map(as_real, evaluate(self.closed, self.args, salt))):
                if is_float(self.centre[position].dtype) and not self._is_exact(position):
                    found[position] |= np.isfinite(self.centre[position]) != np.isfinite(out)
        return found

    def _bound(self, output: int, count: int = SAMPLES) -> _Array:
        """The bound by the first `count` samples, which further ones only widen."""
        centre = self.centre[output]
        if self._is_exact(output):
            return np.zeros(centre.shape)
        samples = [sample[output] for sample in self.samples(count)]
        if not is_float(centre.dtype):
            return np.where(np.any([sample != centre for sample in samples], axis=0), np.inf, 0.0)
        with np.errstate(all="ignore"):
            spread = _spread(centre, samples)
            magnitude = _magnitude(centre)
            usable = np.isfinite(spread) & (magnitude > 0)
            # an element may be lucky in all samples: grant each the relative spread of the typical one
            typical = float(np.median(spread[usable] / magnitude[usable])) if usable.any() else 0.0
            lost = usable & (spread > LOST * magnitude)
            if lost.sum() > LOST_SHARE * lost.size:
                reach = _reach(spread[lost])
                if reach == np.inf:  # numbers so many orders of magnitude apart are infinite, or not
                    lost |= np.isinf(centre)
                spread = np.maximum(spread, np.where(lost, reach, 0.0))
            return MARGIN * np.maximum(spread, typical * magnitude) + self._floor(output)

    def _floor(self, output: int) -> _Array:
        """Per element what is granted at least, whatever the samples say: what `bound` never falls below."""
        centre = self.centre[output]
        if self._is_exact(output) or not is_float(centre.dtype):
            return np.zeros(centre.shape)
        magnitude = _magnitude(centre)
        limits = limits_of(aval_of(self.closed.jaxpr.outvars[output]).dtype)
        ulps = max(self.budgets[output].ulps, 1.0)
        with np.errstate(all="ignore"):
            return np.asarray(ulps * float(limits.eps) * magnitude + 4 * float(limits.tiny))

    def assess(self, outputs: Sequence[_Array], unlike: Sequence[_Array] | None = None) -> Assessment:
        """What in `outputs` (native dtypes, shapes and dtypes already compared) rounding does not explain.

        Args:
            outputs: what is assessed.
            unlike: another execution: where the two have the same bits, neither is known to be wrong.
        """
        everywhere: Sequence[_Array | None] = [None] * len(outputs)
        different = everywhere if unlike is None else _different(outputs, unlike)
        found = [
            self._assess_output(*each) for each in zip(range(len(outputs)), outputs, different, strict=True)
        ]
        return Assessment(tuple(difference for difference in found if difference is not None))

    def _assess_output(
        self, position: int, output: _Array, different: _Array | None
    ) -> OutputDifference | None:
        centre, exact = self.centre[position], self.budgets[position].exact
        have = as_real(output)
        if have.size == 0:
            return None
        # what is within the least that is granted needs no samples, which cost the most
        masks, apart = deviations(centre, have, self._floor(position), exact=exact)
        masks = _among(masks, different)
        if masks and not self._is_exact(position):
            masks, apart = self._beyond_noise(position, have, exact)
            masks = _among(masks, different)
        if not masks:
            return None
        kind = next(kind for kind in CLASSES if kind in masks)
        worst = int(np.argmax(np.where(masks[kind], apart, -1.0)))
        index = tuple(int(i) for i in np.unravel_index(worst, have.shape))
        count = int(np.any(list(masks.values()), axis=0).sum())
        return OutputDifference(
            position, kind, count, have.size, index[: output.ndim], str(centre[index]), str(have[index])
        )

    def _beyond_noise(self, position: int, have: _Array, exact: bool) -> tuple[_Masks, _Array]:
        """What the samples do not explain: as few are taken as will say so."""
        centre = self.centre[position]
        if position not in self._bounds and self._smooth:
            for count, far in FAR:
                bound = self._bound(position, count)
                masks, apart = deviations(centre, have, bound, exact=exact)
                is_far = set(masks) == {"value"} and bool(np.any((apart > far * bound) & masks["value"]))
                if not masks or is_far:
                    return masks, apart
        found = self._deviations(position, centre, have)
        if found[0] and position not in self._widened and self._unsettled:
            self._widened.add(position)
            self._bounds[position] = self._bound(position, MANY)
            found = self._deviations(position, centre, have)
        return found

    def _deviations(self, position: int, centre: _Array, have: _Array) -> tuple[_Masks, _Array]:
        """How an execution is beyond the bound of what is taken for right; a pole within reach explains what it may."""
        masks, apart = deviations(centre, have, self.bound(position), exact=self.budgets[position].exact)
        if set(masks) == {"value"} and self.loops and not self._is_exact(position):
            mask = masks["value"]
            few = mask.sum() <= STRAY_SHARE * mask.size
            if few and np.all(apart[mask] <= STRAY * self.bound(position)[mask]):
                return {}, apart
        if masks.keys() & {"nan", "inf"}:
            beyond = {k: m if k == "value" else m & ~self._poles[position] for k, m in masks.items()}
            masks = {kind: mask for kind, mask in beyond.items() if mask.any()}
        return masks, apart

    def agree(
        self, one: Sequence[_Array], other: Sequence[_Array], outputs: Iterable[int] | None = None
    ) -> bool:
        """Whether two executions are within the bounds of each other, wherever the centre is.

        Args:
            one, other: the executions.
            outputs: those that are asked for; None for all.
        """
        asked = range(len(one)) if outputs is None else outputs
        return not any(self._deviations(k, as_real(one[k]), as_real(other[k]))[0] for k in asked)

    def alike(self, one: Sequence[_Array], other: Sequence[_Array]) -> bool:
        """Whether an execution is no further from the truth than another is, in like ways, where rounding reaches.

        The bounds are those of a few samples: they do not hold for each of thousands of elements that noise has moved
        as far as it can, nor for a recurrence that rounding stops. By how much they do not, the other execution says:
        of the same output, or of the program, how many times they are as far off as the bound. Where the two have the
        same bits, neither is known to be off.
        """
        different = _different(one, other)

        def off(position: int, output: _Array) -> tuple[_Masks, _Array]:
            masks, apart = self._deviations(position, self.centre[position], as_real(output))
            return _among(masks, different[position]), apart

        ours, theirs = ([off(p, out) for p, out in enumerate(outs)] for outs in (one, other))
        times = max((self._times(p, *found) for p, found in enumerate(theirs)), default=0.0)
        count = sum(int(masks["value"].sum()) for masks, _ in theirs if "value" in masks)
        for position, (masks, apart) in enumerate(ours):
            others, as_far = theirs[position]
            if masks and self._is_exact(position):
                return False
            for kind, mask in masks.items():
                few = kind in others and mask.sum() <= LIKE * others[kind].sum()
                if few and np.max(apart[mask]) <= LIKE * np.max(as_far[others[kind]]):
                    continue
                if kind != "value" or mask.sum() > LIKE * count:
                    return False
                if self._times(position, masks, apart) > LIKE * times:
                    return False
        return True

    def _times(self, position: int, masks: _Masks, apart: _Array) -> float:
        """How many times the numbers of an output that nothing explains are as far off as the bound, at most."""
        if "value" not in masks or self._is_exact(position):
            return 0.0
        mask = masks["value"]
        return float(np.max(apart[mask] / self.bound(position)[mask]))


def _different(one: Sequence[_Array], other: Sequence[_Array]) -> list[_Array]:
    """Per output the elements that two executions do not have in common."""
    return [~same_elements(as_real(a), as_real(b)) for a, b in zip(one, other, strict=True)]


def _among(masks: _Masks, different: _Array | None) -> _Masks:
    """The masks of the elements that are different from another execution's, where there is one."""
    if different is None:
        return masks
    return {kind: mask & different for kind, mask in masks.items() if (mask & different).any()}


def _magnitude(centre: _Array) -> _Array:
    """Of each number; 0 where it is not finite."""
    return np.where(np.isfinite(centre), np.abs(centre), 0.0)


def _spread(centre: _Array, samples: Iterable[_Array]) -> _Array:
    """How far each element is from the centre, at most; infinite where it is another NaN or infinity in a sample."""
    spread = np.zeros(centre.shape)
    for sample in samples:
        apart = np.abs(sample - centre)
        same = (sample == centre) | (np.isnan(sample) & np.isnan(centre))
        spread = np.maximum(spread, np.where(same, 0.0, np.nan_to_num(apart, nan=np.inf)))
    return spread


def _reach(spread: _Array) -> float:
    """How far noise may move each of many numbers that have lost their digits."""
    largest = float(np.max(spread))
    return np.inf if largest > WILD * float(np.median(spread)) else largest


def _first_flip(one: Sequence[Decision], other: Sequence[Decision]) -> str | None:
    """The first decision that two evaluations take differently; later ones follow from it."""
    for (name, outs), (_, others) in zip(one, other, strict=False):
        if any(map(_flipped, outs, others)):
            return name
    return None


def _flipped(a: _Array, b: _Array) -> bool:
    """Whether results differ by a step: counts and truths at all, numbers by more than noise."""
    if a.shape != b.shape:
        return True
    if a.dtype.kind not in "fc":
        return bool(np.any(a != b))
    with np.errstate(all="ignore"):
        return bool(np.any(np.abs(a - b) > STEP * np.maximum(np.abs(a), np.abs(b))))


def deviations(centre: _Array, have: _Array, bound: _Array, *, exact: bool) -> tuple[_Masks, _Array]:
    """Masks of the elements of `have` that are not explained, by class, and the distances."""
    if not is_float(have.dtype):
        apart = (have != centre).astype(np.float64)
        mask = apart > bound
        return ({"value": mask} if mask.any() else {}), apart
    wide_have, wide_centre = have.astype(np.float64), centre.astype(np.float64)
    undecided = np.isinf(bound)
    nan_h, nan_c = np.isnan(wide_have), np.isnan(wide_centre)
    inf_h, inf_c = np.isinf(wide_have), np.isinf(wide_centre)
    finite = np.isfinite(wide_have) & np.isfinite(wide_centre)
    with np.errstate(all="ignore"):
        apart = np.where(finite, np.abs(wide_have - wide_centre), 0.0)
        top = float(limits_of(have.dtype).max)
        overflows = inf_h & ~inf_c & ~nan_c & (np.abs(wide_centre) + bound >= top)
        overflows |= inf_c & ~inf_h & ~nan_h & (np.abs(wide_have) + bound >= top)
        overflows &= bound > 0  # the largest number is not infinite where nothing rounds
        masks = {
            "value": finite & (apart > bound),
            "nan": (nan_h != nan_c) & ~undecided,
            "inf": ~nan_h & ~nan_c & (inf_h | inf_c) & (wide_have != wide_centre) & ~undecided & ~overflows,
        }
        if exact:
            zeros = (wide_have == 0) & (wide_centre == 0)
            masks["sign-of-zero"] = zeros & (np.signbit(wide_have) != np.signbit(wide_centre))
    apart = np.where(masks["nan"] | masks["inf"], np.inf, apart)
    return {kind: mask for kind, mask in masks.items() if mask.any()}, apart
