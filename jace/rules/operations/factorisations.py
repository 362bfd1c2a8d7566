"""Matrices as products of others."""

from __future__ import annotations

from dataclasses import dataclass

from jace.ir.core import Atom
from jace.rules.operations.base import Operation


@dataclass(frozen=True, eq=False)
class Cholesky(Operation):
    """The lower triangle L of positive definite matrices L L^H, or NaN."""

    operand: Atom


@dataclass(frozen=True, eq=False)
class LU(Operation):
    """L and U of matrices P L U in one, the swaps of rows (from 0, in their order), and P as rows' numbers."""

    operand: Atom
