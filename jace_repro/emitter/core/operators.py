"""Python's operators: how strongly each binds, and which method of an array it calls."""

from __future__ import annotations

#: Binding strength of operators between operands; a comprehension binds least of all.
STRENGTHS = {
    "for": -1,
    "or": 0,
    "and": 1,
    **dict.fromkeys(("<", "<=", "==", "!=", ">", ">=", "in", "is"), 2),
    "|": 3,
    "^": 4,
    "&": 5,
    **dict.fromkeys(("<<", ">>"), 6),
    **dict.fromkeys(("+", "-"), 7),
    **dict.fromkeys(("*", "/", "//", "%", "@"), 8),
    "**": 10,
}

#: That of operators before an operand, and of what needs no parentheses anywhere.
UNARY, ATOM = 9, 12

#: Operators between operands, by the names of their methods without underscores.
BINARY = {
    "lt": "<",
    "le": "<=",
    "eq": "==",
    "ne": "!=",
    "gt": ">",
    "ge": ">=",
    "or": "|",
    "xor": "^",
    "and": "&",
    "lshift": "<<",
    "rshift": ">>",
    "add": "+",
    "sub": "-",
    "mul": "*",
    "truediv": "/",
    "floordiv": "//",
    "mod": "%",
    "matmul": "@",
    "pow": "**",
}

#: Operators before an operand, and functions of Python's own that call a method.
PREFIX = {"__neg__": "-", "__pos__": "+", "__invert__": "~"}
BUILTIN = {
    "__abs__": "abs",
    "__divmod__": "divmod",
    "__round__": "round",
    # what no traced value has: calls that raise
    "__bool__": "bool",
    "__int__": "int",
    "__float__": "float",
    "__complex__": "complex",
    "__index__": "range",
    "__len__": "len",
    "__iter__": "iter",
    "__hash__": "hash",
    "__array__": "np.asarray",
}
