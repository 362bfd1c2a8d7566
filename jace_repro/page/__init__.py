"""The page: a report as one HTML file that needs nothing else, neither a server nor a network.

In: the directory of a `run` (report.json with entries/, minimal/ and views/ beside it). Out: an HTML file.

    page -> finding (listing, graph, drawing, plots, timeline), entries

`templates/` has the HTML, the style and the script, which are inlined. Whatever is missing is said on the page.
"""

from __future__ import annotations

from jace_repro.page.page import render, write
from jace_repro.page.plots import preload

#: The page, in the directory of a report.
PAGE = "report.html"

__all__ = ["PAGE", "preload", "render", "write"]
