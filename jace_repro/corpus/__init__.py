"""The regression corpus: reduced repros on disk, each with the outcome that it is expected to have.

    store.entries(root)           -> the entries in ROOT/repros, with their headers
    replay.replay(entry, pool)    -> whether an entry still does what its header promises

In: a directory of repro files. Out: what of them still fails as promised, what is fixed, what fails in another way.
"""
