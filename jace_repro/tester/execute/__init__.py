"""What executes a program: XLA, DaCe through jace (or a stand-in), sanitized builds, threads in an order of ours.

In: a program, its inputs, a pipeline. Out: outputs and times, or the error of the stage that failed.
"""
