"""Generated inputs: which kinds tell something about a program, their values, and the repro of one that fails.

In: a program and its recorded inputs. Out: further sets of inputs by name.

    profile, indices   what of a program decides which inputs tell something
    meaning            what a recorded value says of values like it
    kinds -> sets      the table of kinds; the sets that they give
    generated          a program on these sets, with XLA's answers; the repro of one
"""
