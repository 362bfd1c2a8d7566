"""Python functions that the program calls more than once, as functions of the script.

In: the body of a traced program, in which their steps stand in a row with those of the caller, for JAX does not see
these calls. Out: the same body with calls of functions in the place of steps, where that makes the script shorter.
"""
