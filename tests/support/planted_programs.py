"""A campaign's programs without drawing any: quick to make, some of them with a bug of `planted_pool`'s in them."""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from planted_pool import open_pool

from jace_repro.campaign import reduction
from jace_repro.campaign.fuzz import campaign
from jace_repro.emitter import emit_flat
from jace_repro.fuzz import writing
from jace_repro.fuzz.writing import Wanted, Written
from jace_repro.repro import Header


class Here:
    """In place of the processes that write programs."""

    def begin(self, task: Callable[..., Any], *args: Any) -> Future[Any]:
        done: Future[Any] = Future()
        done.set_result(task(*args))
        return done


@contextlib.contextmanager
def here(jobs: int) -> Iterator[Here]:
    yield Here()


def write(wanted: Wanted, folder: Path) -> Written:
    """Programs without end: the fourth of ten has a floor, the seventh cannot be made."""
    number = wanted.number
    name = f"program/{number}"
    if number % 10 == 7:
        return Written(number, name, why="ValueError: it cannot be made")
    function = (lambda x: jnp.sin(jnp.floor(x))) if number % 10 == 4 else jnp.sin
    closed = jax.make_jaxpr(function)(np.ones(3, np.float32))
    repro = emit_flat(closed, [np.ones(3, np.float32)], header=Header(name=name))
    path = repro.save(folder / f"program-{number}.py").path
    return Written(number, name, path, len(closed.jaxpr.eqns))


def write_or_not(wanted: Wanted, folder: Path) -> Written:
    """The second program is never written, the third takes its process with it."""
    number = wanted.number
    if number == 1:
        threading.Event().wait()
    if number == 2:
        os._exit(3)
    return Written(number, f"program/{number}", folder / "written.py")


def plant(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have a campaign of this process make these programs, and test them without workers."""
    monkeypatch.setattr(campaign, "open_pool", open_pool)
    monkeypatch.setattr(writing, "writer", here)
    monkeypatch.setattr(writing, "write", write)
    monkeypatch.setattr(reduction.reduced_before, "recall", lambda folder, repro: None)
