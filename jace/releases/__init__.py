"""What differs between the releases of JAX that jace runs on, one difference a module.

Which form a release has is told by what it has, not by its version: each module says what to look for. All else of jace
asks these functions and knows one form only.
"""

from __future__ import annotations

from jace.releases.derivatives import backward
from jace.releases.jaxprs import closed_of
from jace.releases.jits import inline_of

__all__ = ["backward", "closed_of", "inline_of"]
