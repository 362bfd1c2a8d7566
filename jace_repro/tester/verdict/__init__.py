"""What a test comes to: outcomes, who is wrong and on what evidence, which failures are the same bug.

In: outputs of two executions that differ, and the program. Out: an outcome, a culprit, a signature.

    outcomes   the table of outcomes
    verdict    what testing one repro on one pipeline gave
    culprit    what is guilty, what crashed, what the witnesses say
    oracle     whether an execution is right, within what rounding explains
    blame      whose fault a finding is
    signature  equal for two failures that are the same bug
"""
