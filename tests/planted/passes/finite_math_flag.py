"""Planted bug: the compiler is told that there are no NaNs."""

from jace.build import flags

flags._FAITHFUL = (*flags._FAITHFUL[:1], "-ffinite-math-only", *flags._FAITHFUL[1:])
