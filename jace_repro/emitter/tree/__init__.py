"""The call-tree form: a traced program as its user wrote it.

In: the `trace.model.Body` of a recorded call, or the data of a trace that failed. Out: a `Repro` with the user's
functions, loops, names and transforms.
"""
