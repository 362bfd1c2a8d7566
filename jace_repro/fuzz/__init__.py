"""Programs that nobody chose: made from one table of operations, by seed.

In: a name (operation and seed). Out: a JAX function with its inputs, as a `NamedProgram` for the tester.
"""

from jace_repro.fuzz.programs import Program, named, program

__all__ = ["Program", "named", "program"]
