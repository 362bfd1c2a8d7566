"""Evaluating jaxprs without XLA's compiler, and how far apart two right answers may be.

In: a jaxpr and concrete values. Out: values in its own dtypes, in wider ones, with rounding-sized noise; budgets of
rounding; comparisons of outputs; whether anything rounds at all.
"""
