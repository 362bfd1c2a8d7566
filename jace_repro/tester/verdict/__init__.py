"""What a test comes to: outcomes, who is wrong and on what evidence, which failures are the same bug.

In: outputs of two executions that differ, and the program. Out: an outcome, a culprit, a signature.
"""
