"""Executes repro scripts as `python SCRIPT` would, many in one interpreter; run by libraries.py under stock JAX.

    python stock_runner.py SECONDS < paths

JAX is imported once; every script then gets a fork of its own, taken before JAX has a backend, so that no script
sees another's configuration or imports. Prints a JSON object a line: {"path", "error": null or the last lines}.
Imports nothing but JAX and the standard library: where the interpreter has more, so would the scripts.
"""

from __future__ import annotations

import json
import os
import runpy
import signal
import sys
import tempfile
import traceback

import jax  # noqa: F401  imported once for all scripts


def execute(path: str, log: int) -> None:
    """In a fork: the script as __main__, its output in the file `log`. Ends the process."""
    os.dup2(log, 1)
    os.dup2(log, 2)
    sys.argv = [path]
    sys.path[0] = os.path.dirname(path)
    code = 0
    try:
        runpy.run_path(path, run_name="__main__")
    except BaseException:
        # Whatever a script ends with is its answer, SystemExit and KeyboardInterrupt included.
        traceback.print_exc()
        code = 1
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


def outcome(path: str, seconds: int) -> str | None:
    """None when the script ended well, else how it ended."""
    with tempfile.TemporaryFile() as log:
        pid = os.fork()
        if pid == 0:
            signal.alarm(seconds)  # its default action ends the process: no script runs longer
            execute(path, log.fileno())
        code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        if code == 0:
            return None
        log.seek(0)
        tail = log.read().decode(errors="replace").strip()[-600:]
    return f"no end after {seconds} s" if code == -signal.SIGALRM else tail or f"exit code {code}"


def main() -> None:
    """Serve the paths on standard input."""
    for path in sys.stdin.read().splitlines():
        print(json.dumps({"path": path, "error": outcome(path, int(sys.argv[1]))}), flush=True)


if __name__ == "__main__":
    main()
