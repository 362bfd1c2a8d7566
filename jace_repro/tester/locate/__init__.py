"""Where a program goes wrong: the first diverging equation; the pass, its application, the compiler's flag.

In: a program that fails. Out: an equation with the user's line, a step of the pipeline, a flag.

    localize          the first diverging equation: alone (`side_by_side`), in a loop's body, or in context (`windows`)
    reference_fault   the same for what XLA has wrong
    bisect, search    the pass, its application, the flag, by binary search; `sdfg_text` shows what it changed
    crash             the equation in which compiled code crashed
    localized, bisected, conviction   what these find
"""
