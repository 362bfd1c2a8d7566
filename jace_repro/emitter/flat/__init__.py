"""The flat form: lax-level source of a traced program, one equation a line.

In: a closed jaxpr and its inputs. Out: a `Repro` whose jaxpr is that one.
"""
