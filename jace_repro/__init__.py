"""Finds where a JAX program and its DaCe translation disagree, and reduces each disagreement to a script.

The command line is ``jace-repro`` (see :mod:`jace_repro.cli`). For use inside Python:

* :func:`record` — a context manager that journals every entry JAX traces in its body;
* :func:`check` — compares one function on one set of arguments through XLA and DaCe, for use in a test.
"""

from __future__ import annotations
