"""What executes a program: XLA, DaCe through jace (or a stand-in), sanitized builds, threads in an order of ours.

In: a program, its inputs, a pipeline. Out: outputs and times, or the error of the stage that failed.

    named, traced     programs: by name, or a jaxpr with its inputs
    xla, remembered   the reference and its witnesses; XLA's answers kept on disk
    backends, proof   what makes a program executable; that its code was called
    sanitizer         builds that say where they read or write out of bounds
    runs              running twice, over other memory, under other `conditions` and `schedules` of the threads
    calls             calling it in other ways: from XLA, from threads, on strided arguments, inside of a loop
    stability         what the results of one binary depend on
"""
