"""What `jace-repro fuzz` does: programs by seed, tested, what is found reduced; bounded on disk and in memory.

    campaign    the whole of it: which programs, until when, and the report
    state       what is known so far, and the journal that a campaign goes on with
    here        its programs are tested on this machine
    cluster     ... or by the workers of a Dask cluster, part by part;
    remote      what such a worker does: it begins a process of its own for a part,
    part        which tests it as `here` does, or reduces a finding

``DIR/campaign.json`` says which programs, ``DIR/tested.jsonl`` has a line for each that was tested, ``DIR/programs/``
the repros of those that show something, ``DIR/minimal/`` a minimal repro of each distinct finding.
"""
