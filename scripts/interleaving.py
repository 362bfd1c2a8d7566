"""Timing of candidates that take turns, shared by the benchmarks."""

import time

import jax


def interleaved(candidates, repeats, calls=1):
    """Seconds per call: name -> the minimum over `repeats` rounds in which the candidates take turns."""
    best = dict.fromkeys(candidates, float("inf"))
    for _ in range(repeats):
        for name, call in candidates.items():
            start = time.perf_counter()
            for _ in range(calls):
                out = call()
            jax.block_until_ready(out)
            best[name] = min(best[name], (time.perf_counter() - start) / calls)
    return best
