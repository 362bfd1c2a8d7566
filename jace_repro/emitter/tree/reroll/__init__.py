"""Python loops of a traced function, which its trace has unrolled.

In: the steps of a function. Out: those that are the same calls at the same instructions, three times or more, as the
lines of a loop, where the loop is the same, step by step, when it is unrolled again.
"""
