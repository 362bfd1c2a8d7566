"""The release of XLA, where it decides what an operation means: nothing in jaxlib tells but its version."""

from __future__ import annotations

import jaxlib.version

_major, _minor, _patch = (int(part) for part in jaxlib.version.__version__.split(".")[:3])
#: 1001 for jaxlib 0.10.1, 1200 for 0.12.0 and 0.12.0.1.
XLA = 10_000 * _major + 100 * _minor + _patch
