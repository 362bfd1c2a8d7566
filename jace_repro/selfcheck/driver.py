"""The process of a self-check: imports JAX once, then runs each script in a fork of itself.

Run by path, `python -P driver.py < request.json`, so that neither jace nor jace_repro is imported before a
script has been executed, traced and run. Only then does the fork load `jace.ir` (without the rest of jace)
to print the script's jaxpr canonically: that text has to be written where the jaxpr is, for a jaxpr does not
leave its process; and the hooks, to see what an eager script makes JAX run. The fork is taken before JAX has
a backend, so every script gets a process in which nothing but imports has happened.

Request: {"root": directory of the packages, "scripts": {path: [fingerprint, eager]}, "jobs": n, "timeout": seconds};
an eager script is called outside of jit, and the fingerprint is that of a program which JAX runs for it.
Answer: one JSON object a line, {"path", "error" | "fingerprint", "outputs_sha256", "text"}, in order of
completion; "text" only of a script that has not its fingerprint.
"""

from __future__ import annotations

import importlib.util
import json
import os
import runpy
import signal
import sys
import tempfile
import time
import traceback
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jax

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


def _programs_of(call: Callable[[], Any], root: str) -> list[Any]:
    """The jaxprs that JAX compiles or runs during a call outside of jit."""
    hooks, handler = _module(root, "jace_repro.tracker.hooks"), _module(root, "jace_repro.tracker.handler")
    collector = handler.Collector()
    with hooks.installed(collector):
        call()
    programs: list[Any] = collector.programs
    return programs


def examine(path: str, root: str, fingerprint: str | None, eager: bool) -> dict[str, Any]:
    """Execute, trace and run one script; what there is to know about it."""
    try:
        space = runpy.run_path(path, run_name="repro")
        args = space["inputs"]()
        closed = jax.make_jaxpr(space["repro"])(*args)
        program = space["repro"] if eager else jax.jit(space["repro"])
        outputs = jax.tree.leaves(program(*args))
        digest = _digest(root)(outputs)
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
    intruders = sorted({name.partition(".")[0] for name in sys.modules} & set(_FORBIDDEN))
    if intruders:
        return {"path": path, "error": f"the script imports {', '.join(intruders)}", "type": "ImportError"}
    ir = _module(root, "jace.ir")
    programs = [closed]
    if eager:
        programs += sorted(_programs_of(lambda: space["repro"](*args), root), key=ir.count_equations)
    programs = [ir.normal_form(p) for p in programs]
    closed = next((p for p in programs if ir.fingerprint(p) == fingerprint), programs[-1])
    found = {"path": path, "fingerprint": ir.fingerprint(closed), "outputs_sha256": digest}
    differs = fingerprint and fingerprint != found["fingerprint"]
    return {**found, "text": ir.canonical_text(closed)} if differs else found


def _start(path: str, request: dict[str, Any], folder: str, number: int) -> int:
    pid = os.fork()
    if pid:
        return pid
    code = 1
    try:
        log = os.open(f"{folder}/{number}.log", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(log, 1)
        os.dup2(log, 2)
        result = examine(path, request["root"], *request["scripts"][path])
        Path(folder, f"{number}.json").write_text(json.dumps(result))
        code = 0
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stderr.flush()
        os._exit(code)


def _finish(path: str, folder: str, number: int, status: int, killed: bool) -> dict[str, Any]:
    result = Path(folder, f"{number}.json")
    if result.exists():
        answer: dict[str, Any] = json.loads(result.read_text())
        return answer
    code = os.waitstatus_to_exitcode(status)
    log = Path(folder, f"{number}.log")
    tail = log.read_text(errors="replace")[-400:] if log.exists() else ""
    reason = (
        "timeout" if killed else f"signal {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"
    )
    return {"path": path, "error": f"{reason}: {tail}".rstrip(": \n"), "type": reason}


def main() -> None:
    """Serve the one request on standard input."""
    request = json.load(sys.stdin)
    waiting = list(enumerate(request["scripts"]))[::-1]
    running: dict[int, tuple[int, str, float, bool]] = {}
    with tempfile.TemporaryDirectory() as folder:
        while waiting or running:
            while waiting and len(running) < request["jobs"]:
                number, path = waiting.pop()
                pid = _start(path, request, folder, number)
                running[pid] = (number, path, time.monotonic() + request["timeout"], False)
            pid, status = os.waitpid(-1, os.WNOHANG)
            if pid:
                number, path, _, killed = running.pop(pid)
                print(json.dumps(_finish(path, folder, number, status, killed)), flush=True)
                continue
            for child, (number, path, deadline, killed) in list(running.items()):
                if not killed and time.monotonic() > deadline:
                    os.kill(child, signal.SIGKILL)
                    running[child] = (number, path, deadline, True)
            time.sleep(0.01)


if __name__ == "__main__":
    main()
