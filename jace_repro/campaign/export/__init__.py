"""A report as other programs read it: JUnit XML and SARIF for what shows results, annotations for GitHub.

In: a `Report`. Out: text. The machine report (``--json``) has more than any of them.
"""

from __future__ import annotations

from jace_repro.campaign.export.github import as_annotations
from jace_repro.campaign.export.junit import as_junit
from jace_repro.campaign.export.sarif import as_sarif

__all__ = ["as_annotations", "as_junit", "as_sarif"]
