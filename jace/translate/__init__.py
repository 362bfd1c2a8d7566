"""From a jaxpr to an SDFG: what can be translated, what is left to XLA, the named passes, one unit of compilation.

In: a closed jaxpr. Out: `pipelines.Program` (an SDFG with its inputs and outputs in call order) and, through
`jace.build`, its loaded code.
"""
