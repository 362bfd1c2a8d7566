"""The process of a self-check: imports JAX once, then runs scripts in forks of itself.

Run by path, `python -P driver.py < request.json`, so that neither jace nor jace_repro is imported before a
script has been executed, traced and run. Only then does the fork load `jace.ir` (without the rest of jace)
to print the script's jaxpr canonically: that text has to be written where the jaxpr is, for a jaxpr does not
leave its process; and the hooks, to see what an eager script makes JAX run. The fork is taken before JAX has
a backend. Scripts that configure JAX alike share one, which saves most of the time; a script that is not what it
should be there, or that ends the process, is asked again in a fork of its own, in which nothing but imports has
happened: its answer is the one that counts. Two scripts of a process that trace to the very same program on the same
arguments, as the two forms of a function do, run it once: most of the time is XLA's, which would compile it again.

Request: {"root": directory of the packages, "scripts": {path: {"fingerprint", "outputs_sha256", "eager",
"without_dead_code", "config", "alone"}}, "jobs": n, "timeout": seconds}; an eager script is called outside of jit, and
the fingerprint is that of a program which JAX runs for it.
Answer: one JSON object a line, {"path", "error" | "fingerprint", "outputs_sha256", "text"}, in order of
completion; "text" only of a script that has not its fingerprint.
"""

from __future__ import annotations

import builtins
import contextlib
import importlib.util
import itertools
import json
import os
import runpy
import signal
import sys
import tempfile
import time
import traceback
import types
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jax

#: Scripts that share a process at most.
MOST = 16
_FORBIDDEN = ("jace", "jace_repro", "flax", "optax", "equinox")


def _digest(root: str) -> Any:
    spec = importlib.util.spec_from_file_location("_digest", Path(root) / "jace_repro/repro/digest.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.digest_outputs


def _module(root: str, name: str) -> Any:
    """A module of jace or jace_repro, without executing jace/__init__.py, which would import DaCe."""
    for top in ("jace", "jace_repro"):
        package = types.ModuleType(top)
        package.__path__ = [str(Path(root) / top)]
        sys.modules.setdefault(top, package)
    return importlib.import_module(name)


@contextlib.contextmanager
def _raising_for_no_value() -> Iterator[None]:
    """What appears is compared, whatever the script has JAX raise for."""
    with jax.debug_nans(False), jax.debug_infs(False):
        yield


def _programs_of(call: Callable[[], Any], root: str) -> list[Any]:
    """The jaxprs that JAX compiles or runs during a call outside of jit."""
    hooks, handler = _module(root, "jace_repro.tracker.hooks"), _module(root, "jace_repro.tracker.handler")
    collector = handler.Collector()
    with hooks.installed(collector), _raising_for_no_value():
        call()
    programs: list[Any] = collector.programs
    return programs


@contextlib.contextmanager
def _watching_imports() -> Iterator[set[str]]:
    """The packages that are asked for meanwhile, also those that are there already."""
    found: set[str] = set()
    real = builtins.__import__

    def spy(name: str, *rest: Any, **named: Any) -> Any:
        found.add(name.partition(".")[0])
        return real(name, *rest, **named)

    builtins.__import__ = spy
    try:
        yield found
    finally:
        builtins.__import__ = real


def _identity(closed: Any, args: Any, root: str) -> str | None:
    """What two programs of a process share that give the same; None where what they call outside decides it."""
    ir = _module(root, "jace.ir")
    if closed.effects or any("callback" in name for name in ir.primitives(closed)):
        return None
    return f"{ir.fingerprint(closed)} {_digest(root)(jax.tree.leaves(args))}"


def examine(path: str, root: str, said: Mapping[str, Any], ran: dict[str, str]) -> dict[str, Any]:
    """Execute, trace and run one script; what there is to know about it.

    Args:
        path, root: of the script, and of the packages.
        said: what is asked (see above).
        ran: the digest of what programs gave in this process, by what they are; this one is entered.
    """
    fingerprint, eager = said["fingerprint"], said["eager"]
    same: str | None = None
    try:
        with _watching_imports() as imported:
            space = runpy.run_path(path, run_name="repro")
        args = space["inputs"]()
        closed = jax.make_jaxpr(space["repro"])(*args)
        if ran and not eager:
            same = _identity(closed, args, root)
        digest = ran.get(same or "")
        if digest is None:
            program = space["repro"] if eager else jax.jit(space["repro"])
            with _raising_for_no_value():
                digest = _digest(root)(jax.tree.leaves(program(*args)))
    except (Exception, SystemExit) as error:
        name = type(error).__name__
        frames = traceback.extract_tb(error.__traceback__)
        return {
            "path": path,
            "error": f"{name}: {error}",
            "type": name,
            "trace": traceback.format_exc(limit=-3),
            "marked": any(f.filename == path and "# raises " in (f.line or "") for f in frames),
        }
    intruders = sorted(imported & set(_FORBIDDEN))
    if intruders:
        return {"path": path, "error": f"the script imports {', '.join(intruders)}", "type": "ImportError"}
    if not eager and (same := same or _identity(closed, args, root)) is not None:
        ran[same] = digest
    ir = _module(root, "jace.ir")
    programs = [closed]
    if eager:
        programs += sorted(_programs_of(lambda: space["repro"](*args), root), key=ir.count_equations)
    programs = [ir.live_form(p) if said["without_dead_code"] else ir.normal_form(p) for p in programs]
    closed = next((p for p in programs if ir.fingerprint(p) == fingerprint), programs[-1])
    found = {"path": path, "fingerprint": ir.fingerprint(closed), "outputs_sha256": digest}
    differs = fingerprint and fingerprint != found["fingerprint"]
    return {**found, "text": ir.canonical_text(closed)} if differs else found


@dataclass
class _Batch:
    """Scripts that run one after the other in one process.

    Attributes:
        paths: of the scripts.
        number: of the batch, in the names of its files.
        done: how many have an answer.
        deadline: of the one that runs.
        killed: whether it had taken too long.
    """

    paths: list[str]
    number: int
    deadline: float
    done: int = 0
    killed: bool = False

    def answer(self, folder: str, position: int) -> Path:
        """The file with the answer about a script."""
        return Path(folder, f"{self.number}-{position}.json")


def _start(batch: _Batch, request: dict[str, Any], folder: str) -> int:
    pid = os.fork()
    if pid:
        return pid
    code = 1
    try:
        log = os.open(f"{folder}/{batch.number}.log", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(log, 1)
        os.dup2(log, 2)
        ran: dict[str, str] = {}
        for position, path in enumerate(batch.paths):
            said = request["scripts"][path]
            result = examine(path, request["root"], said, ran)
            written = batch.answer(folder, position).with_suffix(".part")
            written.write_text(json.dumps(result))
            written.rename(batch.answer(folder, position))
            jax.clear_caches()  # what one script has compiled, the next one compiles itself
        code = 0
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stderr.flush()
        os._exit(code)


def _died(path: str, batch: _Batch, folder: str, status: int) -> dict[str, Any]:
    """The answer about the script that ended its process."""
    code = os.waitstatus_to_exitcode(status)
    log = Path(folder, f"{batch.number}.log")
    tail = log.read_text(errors="replace")[-400:] if log.exists() else ""
    reason = f"signal {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"
    if batch.killed:
        reason = "timeout"
    return {"path": path, "error": f"{reason}: {tail}".rstrip(": \n"), "type": reason}


def _sound(result: dict[str, Any], said: dict[str, Any]) -> bool:
    """Whether a script is what it was written from."""
    outputs = said["outputs_sha256"] in (None, result.get("outputs_sha256"))
    return "error" not in result and "text" not in result and outputs


def _batches(scripts: dict[str, Any], jobs: int) -> list[list[str]]:
    """Scripts that may share a process: they configure JAX alike, and none of them is to fail."""
    groups: dict[str, list[str]] = {}
    for path, said in scripts.items():
        groups.setdefault(path if said["alone"] else json.dumps(said["config"], sort_keys=True), []).append(
            path
        )
    size = min(MOST, max(1, -(-len(scripts) // jobs)))
    return [group[k : k + size] for group in groups.values() for k in range(0, len(group), size)]


def main() -> None:
    """Serve the one request on standard input."""
    request = json.load(sys.stdin)
    waiting = _batches(request["scripts"], request["jobs"])[::-1]
    running: dict[int, _Batch] = {}
    numbers = itertools.count()

    def tell(result: dict[str, Any]) -> None:
        print(json.dumps(result), flush=True)

    with tempfile.TemporaryDirectory() as folder:

        def collect(batch: _Batch) -> None:
            """Tell the answers that are there; what is not sound in company is asked again alone."""
            while batch.done < len(batch.paths) and batch.answer(folder, batch.done).exists():
                path = batch.paths[batch.done]
                result = json.loads(batch.answer(folder, batch.done).read_text())
                batch.done += 1
                batch.deadline = time.monotonic() + request["timeout"]
                if len(batch.paths) == 1 or _sound(result, request["scripts"][path]):
                    tell(result)
                else:
                    waiting.append([path])

        while waiting or running:
            while waiting and len(running) < request["jobs"]:
                batch = _Batch(waiting.pop(), next(numbers), time.monotonic() + request["timeout"])
                running[_start(batch, request, folder)] = batch
            pid, status = os.waitpid(-1, os.WNOHANG)
            if pid:
                batch = running.pop(pid)
                collect(batch)
                rest = batch.paths[batch.done :]
                if rest and len(batch.paths) == 1:
                    tell(_died(rest[0], batch, folder, status))
                elif rest:
                    waiting += [[rest[0]], *([rest[1:]] if rest[1:] else [])]
                continue
            for child, batch in running.items():
                collect(batch)
                if not batch.killed and time.monotonic() > batch.deadline:
                    os.kill(child, signal.SIGKILL)
                    batch.killed = True
            time.sleep(0.01)


if __name__ == "__main__":
    main()
