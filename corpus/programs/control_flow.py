"""A small stack machine: while over a program counter, switch over the opcode, cond inside a branch.

python control_flow.py [SIZE]        SIZE: number of elements of the registers, default 2^14
"""

import sys

import jax
import jax.numpy as jnp
import numpy as np

HALT, ADD, SCALE, SORT, NEWTON, LOOP = range(6)
PROGRAM = np.array([ADD, SCALE, NEWTON, SORT, LOOP, ADD, NEWTON, HALT], np.int32)


def newton_root(x):
    """Square roots by Newton's method: a while with an array-valued residual."""
    target = jnp.abs(x) + 1.0

    def unfinished(carry):
        guess, steps = carry
        return jnp.logical_and(jnp.max(jnp.abs(guess * guess - target) / target) > 1e-5, steps < 30)

    def improve(carry):
        guess, steps = carry
        return 0.5 * (guess + target / guess), steps + 1

    return jax.lax.while_loop(unfinished, improve, (target, jnp.int32(0)))[0]


def add(registers, budget):
    return registers + jnp.roll(registers, 1, axis=0), budget


def scale(registers, budget):
    largest = jnp.max(jnp.abs(registers))
    scaled = jax.lax.cond(largest > 1.0, lambda r: r / largest, lambda r: r * 2.0, registers)
    return scaled, budget


def sort(registers, budget):
    return jnp.sort(registers, axis=1), budget


def newton(registers, budget):
    return newton_root(registers), budget


def loop(registers, budget):
    return registers * 0.5, budget - 1


@jax.jit
def run(program, registers):
    """Runs `program` i32 (P,) on registers f32 (4, N) until HALT; LOOP jumps back while its budget lasts."""
    branches = [lambda r, b: (r, b), add, scale, sort, newton, loop]

    def running(state):
        counter, _, _, executed = state
        return (program[counter] != HALT) & (executed < 100)

    def execute(state):
        counter, registers, budget, executed = state
        opcode = program[counter]
        registers, budget = jax.lax.switch(opcode, branches, registers, budget)
        counter = jax.lax.cond(
            (opcode == LOOP) & (budget > 0), lambda c: jnp.int32(0), lambda c: c + 1, counter
        )
        return counter, registers, budget, executed + 1

    start = (jnp.int32(0), registers, jnp.int32(3), jnp.int32(0))
    _, registers, _, executed = jax.lax.while_loop(running, execute, start)
    return registers, executed


def main(size=2**14):
    registers = np.random.default_rng(1945).standard_normal((4, max(1, size // 4))).astype(np.float32)
    registers, executed = run(PROGRAM, registers)
    print(f"control_flow: {int(executed)} instructions, mean {float(np.mean(registers)):.6f}")


if __name__ == "__main__":
    main(*(int(a) for a in sys.argv[1:]))
