"""Mutants that nobody chose: small mechanical changes of jace's own text, drawn at random.

    scope: which text may be changed, and what is left out, with reasons
    edits: one change; python (with syntax), cpp, templates: the operators that make them
    draw: a sample of them by seed, spread over the modules
    overlay: jace with one change, beside the right one
    server, child: processes that have imported JAX and DaCe but not jace; a fork asks the tester about one mutant
    reach: which lines of jace each program runs through, and what it generates
    sources: the programs
    asking: looks for one mutant; clean: what the right jace does; results, telling: what became of them, in tables

The planted bugs of the folder above were written by hand, with the programs at hand: they are regressions. The score
that counts is the one of these, from a seed that nobody has used before.

The operators are this project's own: a mutator that knows no syntax changes comments, docstrings and messages as gladly
as code, and one that knows Python's only runs a test suite for each mutant. Python is read with `ast`, C++ with
tree-sitter, and C++ in Python's strings with both.
"""
