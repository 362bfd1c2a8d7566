"""DaCe 2.0.0b1: a comparison that is compared with a name cannot be parsed.

`dace.symbolic.pystr_to_symbolic` turns what stands beside a comparison into a truth, lest SymPy compares a comparison
with a
number: `(a < 0) != 1`. It takes names for constants, too (since DaCe PR 1756):

    (a < 0) != d
    AttributeError: 'Name' object has no attribute 'value'

simplify has scalars become symbols (`ScalarToSymbolPromotion`), puts one into the other (`SymbolPropagation`), and
raises.

    python corpus/dace/compared_truth.py        exit status 1: bug present

Found by `jace-repro fuzz` on `canonical/simplify`: the remainder of two integers, whose signs are compared. jace's
work-around (`bug:compared_truth` among the steps of a pipeline switches it off): a comparison of truths is C++.
"""

import sys

import dace
from dace.symbolic import pystr_to_symbolic


def main():
    print("dace", dace.__version__)
    print("(a < 0) != 1:", pystr_to_symbolic("(a < 0) != 1"))
    try:
        print("(a < 0) != d:", pystr_to_symbolic("(a < 0) != d"))
    except AttributeError as error:
        print(f"(a < 0) != d: AttributeError: {error}\nbug present")
        return 1
    print("bug not shown")
    return 0


if __name__ == "__main__":
    sys.exit(main())
