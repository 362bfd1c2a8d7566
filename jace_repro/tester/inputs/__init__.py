"""Generated inputs: which kinds tell something about a program, their values, and the repro of one that fails.

In: a program and its recorded inputs. Out: further sets of inputs by name.
"""
