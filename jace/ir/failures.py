"""Errors that belong to an equation, made in one place: each carries its primitive, its text and the user's line."""

from __future__ import annotations

from jax.extend.core import JaxprEqn

from jace.errors import TranslateError, UnsupportedEquation
from jace.ir.core import describe, source_of


def unsupported(eqn: JaxprEqn, reason: str) -> UnsupportedEquation:
    """The record of an equation that cannot be translated."""
    return UnsupportedEquation(eqn.primitive.name, describe(eqn), source_of(eqn), reason)


def translate_error(eqn: JaxprEqn, message: str) -> TranslateError:
    """The error to raise for an equation that should have been translated."""
    return TranslateError(
        message, primitive=eqn.primitive.name, equation=describe(eqn), source=source_of(eqn)
    )


def rule_failure(eqn: JaxprEqn, error: Exception) -> TranslateError:
    """The error to raise when the rule of `eqn` raised something that is not jace's own."""
    return translate_error(eqn, f"the rule of '{eqn.primitive.name}' failed: {type(error).__name__}: {error}")
