"""Worker processes: a crash, a hang or a memory blow-up is one repro's outcome, never the run's end.

In: repros and options. Out: verdicts, from processes that are forked warm and held to limits.
"""
