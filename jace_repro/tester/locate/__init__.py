"""Where a program goes wrong: the first diverging equation; the pass, its application, the compiler's flag.

In: a program that fails. Out: an equation with the user's line, a step of the pipeline, a flag.
"""
