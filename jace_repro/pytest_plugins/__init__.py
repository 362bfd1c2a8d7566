"""What jace-repro adds to pytest, loaded by its entry points; nothing here imports JAX until a test needs it.

    recorder   ``pytest --jace-repro``: a repro of every function that a failing test gave JAX; the fixture jace_check
    corpus     the entries of a corpus as tests

In: a test session. Out: repros of what failed, results of entries.
"""
