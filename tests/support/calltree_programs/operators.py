"""Programs: operators."""

from __future__ import annotations

import numpy as np

from calltree_programs.base import INTEGERS, POSITIVE, M, X, Y, normal, program


@program(X, Y, normal(4))
def associativity(a, b, c):
    return (
        a - (b - c),
        (a - b) - c,
        a - b - c,
        a / (b / c),
        a / b / c,
        a * (b / c),
        a * b / c,
        (a + b) * c,
        a + b * c,
        a - (b + c),
        a - -b,
        a // (b // c),
        a % (b % c),
        a % b * c,
        a % (b * c),
    )


@program(X, np.float32(3.0))
def powers_and_signs(x, y):
    return (
        -(x**2),
        (-x) ** 2,
        2.0**-x,
        2**-x,
        -(2.0**x),
        (-2) ** POSITIVE,
        x ** (y**x),
        (x**y) ** 2,
        x**-y,
        -x * y,
        -(x * y),
        (-x) * -y,
        +x,
        -(-x),  # noqa: B002
        -x.sum(),
        (-x).sum(),
        (x + y).sum(),
        (2.0 - x) ** 0.5,
        1 / x,
        1 - x,
        3 % x,
        (-1.5) * x,
        x - (-1.5),
        x**-1.5,
        x**2**2,
        (x**2) ** 2,
        (x * 2)[0],
        -x[0],
        (-x)[0],
    )


@program(X, Y, normal(4))
def comparisons(a, b, c):
    return (
        (a < b) == (b < c),
        (a < b) & (b < c),
        (a < b) | ~(b >= c),
        ((a < b) < (b < c)),
        a < (b + c),
        (a == b) != (b == c),
        (a != b) ^ (a > c),
        1.0 < a,  # noqa: SIM300
        1 >= b,  # noqa: SIM300
        ((a > 0) == (b > 0)) == (c > 0),
        (a <= b) + 1,
        ~(a < b) & True,
        (a < b) == True,  # noqa: E712
    )


@program(INTEGERS, POSITIVE)
def integers(i, j):
    return (
        i << j,
        i >> j,
        (i << 1) + j,
        i << (1 + j),
        i & j | i ^ j,
        i & (j | i) ^ j,
        (i | j) ^ (i & j),
        ~i,
        ~(i + j),
        -~i,
        ~-i,
        divmod(i, j),
        divmod(i, 3),
        divmod(7, j),
        i // j,
        i % j,
        i**2,
        2**j,
        7 // j,
        7 % j,
        1 << j,
        256 >> j,
        5 & i,
        5 | i,
        5 ^ i,
        abs(i),
        abs(-i) - abs(i),
        i / j,
    )


@program(X)
def builtins(x):
    quotient, rest = divmod(x, 0.5)
    return quotient, rest, round(x), round(x, 1), abs(x - 1), abs(x) ** 2, sum(x), max(0, 1) * x, len(x) + x


@program(M, normal(5, 4), X)
def matrices(x, y, v):
    return (
        x @ y.T,
        (x @ y.T).T,
        x @ v,
        x.T @ x,
        x @ (y.T @ y),
        x @ y.T @ y,
        x.T @ x @ v,
        x.T @ (x @ v),
        -x @ v,
        2 * x @ v,
        x @ v * 2,
        x @ (v * 2),
        np.ones((2, 3), np.float32) @ x,
        x.mT,
        x.at[0, 0].set(1.0) @ v,
    )
