"""jax 0.10.1 on CPU: XLA's compiler runs out of its stack on a long chain of operations that move elements.

| program | what happens | what should be |
|---|---|---|
| `x = x.reshape(2, 2).T.reshape(4) * 1.5`, 400 times | the process ends with SIGSEGV | numbers |
| `x = jnp.pad(x, (1, 0))[:-1] + 0.5`, 400 times | the process ends with SIGSEGV | numbers |

200 times compile. Also at `xla_backend_optimization_level=0` and with `ulimit -s unlimited`; jax 0.11.2 is right.

    python corpus/xla/long_chains.py   exit status 1: the bug is present

jace's results are right.
"""

import subprocess
import sys

STEPS = ("x.reshape(2, 2).T.reshape(4) * 1.5", "jnp.pad(x, (1, 0))[:-1] + 0.5")
PROGRAM = """
import jax, jax.numpy as jnp

def program(x):
    for _ in range(400):
        x = {step}
    return x

jax.jit(program)(jnp.arange(4.0)).block_until_ready()
"""

ends = [
    subprocess.run(
        [sys.executable, "-c", PROGRAM.format(step=step)], capture_output=True, check=False
    ).returncode
    for step in STEPS
]
print(
    *(
        f"{step}: {'right' if not end else f'the process ended with {end}'}"
        for step, end in zip(STEPS, ends, strict=True)
    ),
    sep="\n",
)
sys.exit(any(ends))
