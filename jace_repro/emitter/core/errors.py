"""What goes wrong when a program is written as source."""

from __future__ import annotations


class EmitError(Exception):
    """A value or an equation that cannot be written as source; the message says which and why."""


class SeveralDevices(EmitError):
    """A mesh of more than the one device that a script can count on: nothing can be written in its place."""
