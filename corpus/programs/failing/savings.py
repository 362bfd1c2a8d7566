"""Savings: interest, then a deposit, year by year, and what each of several shares in them is worth.

The loop carries the balance and writes a row: the year's shares times the balance. DaCe's auto_optimize moves the loop
into the map over the row (MoveLoopIntoMap) and leaves the balance outside, where it is computed once only: this program
is wrong when it runs through the pipeline canonical/auto-optimize, right through the others:

    jace-repro run --pipeline canonical/auto-optimize corpus/programs/failing/savings.py

    python savings.py [YEARS]        YEARS: default 12
"""

import sys

import jax
import numpy as np

INTEREST = 1.05
DEPOSIT = 10.0


@jax.jit
def save(shares):
    """f32 (T, N) -> the balance after T years, and f32 (T, N): the shares' worth."""

    def year(balance, row):
        balance = balance * INTEREST + DEPOSIT
        return balance, row * balance

    return jax.lax.scan(year, 100.0, shares)


def main(years=12):
    shares = np.linspace(0.1, 0.4, 4 * years, dtype=np.float32).reshape(years, 4)
    balance, worth = map(np.asarray, save(shares))
    print(f"savings: {years} years, balance {balance:.2f}, largest share {worth.max():.2f}")


if __name__ == "__main__":
    main(*(int(a) for a in sys.argv[1:]))
