"""Worker processes: a crash, a hang or a memory blow-up is one repro's outcome, never the run's end.

In: repros and options. Out: verdicts, from processes that are forked warm and held to limits.

    pool         hands repros to workers, starts them when needed, ends those that grew
    process      one worker at the pool's end; `died` says how a request ended it
    forkserver   one process that has imported everything, and forks
    worker       one worker at its own end
    protocol     the messages between the two
"""
