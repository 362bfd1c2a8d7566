"""Reducers of text, which know nothing of programs, at the same findings with the same oracle.

A reducer runs in a process of its own, from an environment that has it (`python`), and asks about each candidate here:
over a socket, so that no test pays for the start of jace. What it ends with is the shortest text that showed the
finding, whether it came to its end or to that of its time.
"""

import contextlib
import os
import shlex
import signal
import socketserver
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

#: Asks whether a file shows the finding: the socket's path, then the file's. Lithium imports it; as a command, exit
#: status 0 if it does.
QUESTION = """
import socket, sys

def interesting(args, prefix=None):
    with socket.socket(socket.AF_UNIX) as s:
        s.connect(args[0])
        s.sendall(args[1].encode() + b"\\n")
        return s.recv(1) == b"1"

if __name__ == "__main__":
    sys.exit(0 if interesting(sys.argv[1:]) else 1)
"""


def _question(folder: Path) -> Path:
    path = folder / "question.py"
    path.write_text(QUESTION)
    return path


def _command(folder: Path, server: Path) -> Path:
    """A command that asks about the file that it is given."""
    path = folder / "ask.sh"
    command = shlex.join([sys.executable, "-S", "-E", str(_question(folder)), str(server)])
    path.write_text(f'#!/bin/sh\nexec {command} "$1"\n')
    path.chmod(0o755)
    return path


def _lithium(python: Path, folder: Path, program: Path, server: Path) -> Sequence[str]:
    return [str(python), "-m", "lithium", str(_question(folder)), str(server), str(program)]


def _picire(python: Path, folder: Path, program: Path, server: Path) -> Sequence[str]:
    test, out = str(_command(folder, server)), str(folder / "out")
    named = ["--input", str(program), "--test", test, "--out", out, "--cache", "content"]
    return [str(python), "-m", "picire", "--quiet", *named]


def _shrinkray(python: Path, folder: Path, program: Path, server: Path) -> Sequence[str]:
    named = ["--input-type", "arg", "--in-place", "--parallelism", "1", "--ui", "basic", "--timeout", "60"]
    return [str(python), "-m", "shrinkray", *named, str(_command(folder, server)), str(program)]


#: How each is started: by its Python, a folder of its own, the program that it shrinks, and the server's socket.
REDUCERS: dict[str, Callable[[Path, Path, Path, Path], Sequence[str]]] = {
    "lithium": _lithium,
    "picire": _picire,
    "shrinkray": _shrinkray,
}


@dataclass
class Found:
    """What a reducer came to.

    Attributes:
        text: the shortest that showed the finding.
        tests: that it asked for, those it asked for twice counted once.
        ended: whether it ended by itself.
    """

    text: str
    tests: int = 0
    seconds: float = 0.0
    ended: bool = True


@dataclass
class _Questions:
    shows: Callable[[str], bool]
    found: Found
    known: dict[str, bool] = field(default_factory=dict)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def answer(self, text: str) -> bool:
        with self.lock:
            if text not in self.known:
                self.found.tests += 1
                self.known[text] = self.shows(text)
                if self.known[text] and len(text) < len(self.found.text):
                    self.found.text = text
            return self.known[text]


def reduced(name: str, python: Path, text: str, shows: Callable[[str], bool], seconds: float) -> Found:
    """Reduce a text with a reducer.

    Args:
        name: a key of REDUCERS.
        python: of the environment that has it.
        text: shows the finding.
        shows: whether another one does.
        seconds: after which it is ended.
    """
    found = Found(text)
    questions = _Questions(shows, found)

    class Handler(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            path = Path(self.rfile.readline().decode().rstrip("\n"))
            try:
                candidate = path.read_text(encoding="utf-8")
            except (OSError, UnicodeDecodeError):
                candidate = ""
            answer = b"1" if candidate and questions.answer(candidate) else b"0"
            with contextlib.suppress(ConnectionError):  # a reducer has limits of its own, and does not wait
                self.wfile.write(answer)

    with tempfile.TemporaryDirectory() as base:
        folder = Path(base)
        program = folder / "program.py"
        program.write_text(text, encoding="utf-8")
        with socketserver.ThreadingUnixStreamServer(str(folder / "socket"), Handler) as server:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            started = time.monotonic()
            said = folder / "said.txt"
            with said.open("wb") as file:
                process = subprocess.Popen(
                    REDUCERS[name](python, folder, program, folder / "socket"),
                    stdout=file,
                    stderr=subprocess.STDOUT,
                    cwd=folder,
                    start_new_session=True,
                )
            try:
                process.wait(seconds)
            except subprocess.TimeoutExpired:
                found.ended = False
            finally:  # ctrl-C is no reason to leave it to its own
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
                process.wait()
                found.seconds = time.monotonic() - started
                server.shutdown()
            if found.ended and process.returncode != 0:
                why = said.read_text(encoding="utf-8", errors="replace").strip().rpartition("\n")[2]
                raise RuntimeError(f"{name} ended with exit status {process.returncode}: {why}")
    return found
