"""The plots of the page as inline SVG: error map, histogram of errors, curve of a reduction.

By Matplotlib, which most users of JAX have, and which draws all three; it is imported when the first plot is drawn.
Its colours are names here, and in the page variables of CSS: one drawing serves both themes.
"""

from __future__ import annotations

import functools
import io
import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

from jace_repro.reducer import Improvement
from jace_repro.tester.views import OutputErrors

#: Colours that nothing else has, and the variables that they become.
_INK, _FAINT, _LINE, _ACCENT, _GOOD, _SECOND = (
    "#0a0b01",
    "#0a0b02",
    "#0a0b03",
    "#0a0b04",
    "#0a0b05",
    "#0a0b06",
)
_VARIABLES: Mapping[str, str] = {
    _INK: "var(--ink)",
    _FAINT: "var(--faint)",
    _LINE: "var(--line)",
    _ACCENT: "var(--bad)",
    _GOOD: "var(--good)",
    _SECOND: "var(--second)",
}
#: Of a figure, in inches.
_WIDTH = 4.6
#: The errors of a map are in this colour, the stronger the larger: visible on light and on dark.
_HEAT = (0.88, 0.24, 0.20)
_UNMATCHED = (0.52, 0.22, 0.78, 1.0)

_RC: Mapping[str, Any] = {
    "svg.fonttype": "none",
    "svg.hashsalt": "jace-repro",
    "font.size": 8.5,
    "axes.edgecolor": _LINE,
    "axes.facecolor": "none",
    "axes.labelcolor": _FAINT,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.linewidth": 0.8,
    "text.color": _INK,
    "xtick.color": _LINE,
    "ytick.color": _LINE,
    "xtick.labelcolor": _FAINT,
    "ytick.labelcolor": _FAINT,
    "xtick.major.size": 3,
    "ytick.major.size": 3,
}
_OWN_SIZE = re.compile(r'(<svg [^>]*?)width="([\d.]+)pt" height="([\d.]+)pt"')
_IDENTIFIER = re.compile(r' id="([^"]+)"')
_USED = re.compile(r'(?:href="|url\()#([^")]+)')


@functools.cache
def _matplotlib() -> Any:
    """Matplotlib, without a window system. Raises ImportError where it is not installed."""
    import matplotlib
    from matplotlib.backends.backend_svg import FigureCanvasSVG

    return matplotlib, FigureCanvasSVG


def preload() -> None:
    """Import what the first plot would."""
    _matplotlib()
    _figure(1.0, 1.0)


def _figure(width: float, height: float) -> Any:
    from matplotlib.figure import Figure
    from matplotlib.layout_engine import ConstrainedLayoutEngine

    figure = Figure(figsize=(width, height), layout=ConstrainedLayoutEngine(w_pad=0.02, h_pad=0.02))
    figure.patch.set_alpha(0)
    return figure


def _svg(figure: Any, label: str) -> str:
    """The figure as an element that has no colours, sizes and names of its own."""
    matplotlib, canvas = _matplotlib()
    text = io.StringIO()
    with matplotlib.rc_context(_RC):
        canvas(figure).print_svg(text, metadata={"Date": None})
    svg = text.getvalue()
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
    for colour, variable in _VARIABLES.items():
        svg = svg.replace(colour, variable)
    used = set(_USED.findall(svg))
    svg = _IDENTIFIER.sub(lambda found: found[0] if found[1] in used else "", svg)
    return _OWN_SIZE.sub(
        rf'\1class="plot" role="img" aria-label="{label}" width="\2" height="\3"', svg, count=1
    )


def _styled(function: Any) -> Any:
    @functools.wraps(function)
    def drawn(*args: Any) -> str:
        matplotlib, _ = _matplotlib()
        with matplotlib.rc_context(_RC):
            return str(function(*args))

    return drawn


@_styled
def error_map(errors: OutputErrors) -> str:
    """The errors of an output as a heat map; cells without an error are empty."""
    import numpy as np

    table = np.array([[math.inf if cell is None else cell for cell in row] for row in errors.map], float)
    rows, columns = table.shape
    known = np.isfinite(table) & (table > 0)
    strength = np.log2(1 + np.where(known, table, 0))
    least, most = (float(f(strength[known])) if known.any() else 0.0 for f in (np.min, np.max))
    pixels = np.zeros((rows, columns, 4))
    pixels[..., :3] = _HEAT
    pixels[..., 3] = np.where(known, 1 - 0.8 * (most - strength) / max(most - least, 1.0), 0.0)
    pixels[np.isinf(table)] = _UNMATCHED
    side = min(_WIDTH / columns, 0.42)
    figure = _figure(_WIDTH, min(max(side * rows, 0.3), 3.2) + 0.42)
    axes = figure.add_subplot()
    axes.imshow(pixels, interpolation="none", aspect="auto", extent=(0, errors.columns, errors.rows, 0))
    axes.grid(visible=False)
    for side in axes.spines.values():
        side.set_visible(True)
    for axis, extent in ((axes.xaxis, errors.columns), (axes.yaxis, errors.rows)):
        ticks = sorted({0, extent // 2, extent - 1})
        axis.set_ticks([tick + 0.5 for tick in ticks], [str(tick) for tick in ticks])
    told = f"errors of output {errors.output} by element, {rows} by {columns} cells"
    return _svg(figure, told)


@_styled
def histogram(errors: OutputErrors) -> str:
    """How many elements are how far apart: a bar each for 0, 1, 2 to 3, 4 to 7, ..."""
    from matplotlib.ticker import MaxNLocator

    counts = errors.histogram
    figure = _figure(_WIDTH, 1.75)
    axes = figure.add_subplot()
    colours = [_GOOD if k == 0 else _ACCENT for k in range(len(counts))]
    bars = axes.bar(range(len(counts)), counts, color=colours, width=0.86)
    tallest = max(counts, default=1)
    few = sum(count > 0 for count in counts) <= 12
    for bar, count in zip(bars, counts, strict=True):
        if count and few:
            axes.annotate(
                str(count),
                (bar.get_x() + bar.get_width() / 2, count),
                xytext=(0, 2),
                textcoords="offset points",
                ha="center",
                fontsize=7.5,
                color=_FAINT,
            )
    if tallest > 200 * min(count for count in counts if count):
        axes.set_yscale("log")
        axes.minorticks_off()
        axes.set_ylim(0.5, tallest * 3)
    else:
        axes.set_ylim(0, tallest * 1.18)
        axes.yaxis.set_major_locator(MaxNLocator(3, integer=True))
    step = max(1, math.ceil((len(counts) - 1) / 8))
    ticks = [0, *range(1, max(len(counts), 4), step)]
    axes.set_xticks(ticks, ["0", *(_power(k - 1) for k in ticks[1:])])
    axes.set_xlim(-0.7, max(len(counts), 4) - 0.3)
    axes.set_xlabel("ULP apart" if errors.unit == "ULP" else "difference")
    axes.set_ylabel("elements")
    return _svg(figure, f"histogram of the errors of output {errors.output}")


def _power(exponent: int) -> str:
    return str(2**exponent) if exponent <= 6 else f"2{str(exponent).translate(_RAISED)}"


_RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


@_styled
def reduction_curve(steps: Sequence[Improvement], tests: int) -> str:
    """Equations and elements of the best program after so many tests."""
    from matplotlib.ticker import MaxNLocator

    figure = _figure(_WIDTH, 2.2)
    upper, lower = figure.subplots(2, 1, sharex=True, height_ratios=(3, 2))
    at = [step.test for step in steps]
    for axes, values, colour, name in (
        (upper, [step.equations for step in steps], _INK, "equations"),
        (lower, [step.elements for step in steps], _SECOND, "elements"),
    ):
        axes.step([*at, max(tests, at[-1])], [*values, values[-1]], where="post", color=colour, linewidth=1.6)
        axes.plot(at, values, linestyle="none", marker="o", markersize=3.2, color=colour)
        if max(values) > 20 * max(min(values), 1):
            axes.set_yscale("log")
            axes.minorticks_off()
        else:
            axes.set_ylim(bottom=0, top=max(values) * 1.12)
            axes.yaxis.set_major_locator(MaxNLocator(3, integer=True))
        axes.set_ylabel(name)
        axes.annotate(
            str(values[-1]),
            (max(tests, at[-1]), values[-1]),
            xytext=(4, 0),
            textcoords="offset points",
            va="center",
            color=colour,
        )
    lower.xaxis.set_major_locator(MaxNLocator(8, integer=True))
    lower.set_xlabel("tests")
    return _svg(figure, "equations and elements of the best program over the tests of the reduction")


@_styled
def reached_curve(curve: Sequence[tuple[int, ...]], programs: int) -> str:
    """How much of each kind (`fuzz.reach.KINDS`) so many programs have reached."""
    from matplotlib.ticker import MaxNLocator

    figure = _figure(2 * _WIDTH, 2.2)
    at = [0, *(point[0] for point in curve), programs]
    names = "branches", "passes", "primitives in a context", "forms of equations"
    for number, (axes, name) in enumerate(zip(figure.subplots(1, len(names)), names, strict=True), 1):
        values = [0, *(point[number] for point in curve)]
        axes.step(at, [*values, values[-1]], where="post", color=_SECOND, linewidth=1.6)
        axes.set_ylim(0, max(1, values[-1]) * 1.12)
        axes.yaxis.set_major_locator(MaxNLocator(3, integer=True))
        axes.xaxis.set_major_locator(MaxNLocator(4, integer=True))
        axes.set_title(name, fontsize=8.5, color=_FAINT, loc="left")
        axes.set_xlabel("programs")
    return _svg(
        figure, "branches, passes, primitives in contexts and forms that were reached, over the programs"
    )
