"""The tracker: records what a program gives JAX, in this process or in another.

In: a program, or the body of a `with record():`. Out: a directory with a journal and one repro of every distinct
entry, on disk before XLA compiles or runs anything, and the `Recording` that reads it.

Nothing is imported here: a recorded program has this package in it before it imports JAX (`tracker.session`). The
doors are `tracker.api` (record, record_program), `tracker.recording` (load, and what it gives) and `tracker.session`.
"""
