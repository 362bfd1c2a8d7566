"""The flat form: lax-level source of a traced program, one equation a line.

In: a closed jaxpr and its inputs. Out: a `Repro` whose jaxpr is that one. Importing this package registers every family
of equations that is more than a bind.
"""

from __future__ import annotations

from jace_repro.emitter.flat import callbacks, calls, derivatives, lax_calls, loops, public_calls

__all__ = ["callbacks", "calls", "derivatives", "lax_calls", "loops", "public_calls"]
