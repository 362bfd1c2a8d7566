"""The regression corpus: reduced repros on disk, each with the outcome that it is expected to have, and a state.

    store.entries(root)                -> the entries in ROOT/repros, with their headers
    replay.replayed(entry, verdicts)   -> whether an entry still does what its header promises
    coverage.redundant(entries)        -> the right ones that cover nothing of their own
    index.update(root)                 -> the table in ROOT/README.md

In: a directory of repro files. Out: what of them still fails as promised, what is fixed, what fails in another way.
Campaigns (`jace_repro.campaign.corpus`) run them.
"""
