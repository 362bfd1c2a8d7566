"""Every script that recordings of this checkout's programs hold, written so that two versions can be compared.

    python scripts/emission.py --out DIR [--programs calltree|library|all] [--slow] [--only TEXT]
    python scripts/emission.py --compare DIR_A DIR_B

The programs of tests/support are recorded in this process, those of scripts/libraries and corpus/programs whose
libraries are installed by `jace-repro record`; those whose names begin as SLOW says only with --slow. DIR gets scripts,
digests of their arrays, and how programs and entries ended. Only the paths of this checkout and of temporary
directories are replaced. The programs are those beside this file, the package is the one that Python finds: of an
older version, in the same environment, with `PYTHONPATH=/path/to/checkout`. Exit status 1: something differs.
"""

import argparse
import difflib
import importlib.util
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from hashlib import sha256
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
ENVIRONMENT = {"PYTHONHASHSEED": "0", "JAX_PLATFORMS": "cpu"}
SLOW = """diffrax dmpix equinox_rnn evosax gymnax haiku_att haiku_conv isoneutral jax_keys jaxcfd jaxmd jaxopt jaxscipy
lineax_gr lineax_it linen_cnn linen_lstm linen_tran mjx nnx_rnn numpyro optax_lb optimistix stax_conv tinygp_quasi"""


def record_call(run: Callable[[], object], folder: Path) -> str:
    """Record what is called in this process."""
    from jace_repro import record

    with record(folder / "recording"):
        run()
    return "ended\n"


def record_file(program: Path, folder: Path) -> str:
    """Record a program in a process of its own; answer how it and its entries ended."""
    words = ["-P", "-m", "jace_repro", "record", "--no-self-check", "-o", "recording", str(program)]
    done = subprocess.run([sys.executable, *words], cwd=folder, capture_output=True, text=True, check=False)
    if not (path := folder / "recording" / "report.json").exists():
        return f"no report: {done.stderr}"
    report = json.loads(path.read_text("utf-8"))
    said = [[e["name"], e["status"], e["error"], e["call_tree_error"]] for e in report["entries"]]
    return "".join(json.dumps(line) + "\n" for line in (report["summary"]["program"], *said))


def jobs(which: str, slow: bool) -> Iterator[tuple[str, Callable[[Path], str]]]:
    """(name, what records it below a directory and answers how it ended)."""
    if which != "library":
        sys.path.append(str(ROOT / "tests" / "support"))
        from calltree_programs import PROGRAMS

        for name, program in PROGRAMS.items():
            yield f"calltree/{name}", partial(record_call, program.run)
    if which != "calltree":
        paths = [p for top in ("scripts/libraries", "corpus/programs") for p in (ROOT / top).rglob("*.py")]
        for path in sorted(p for p in paths if slow or not p.stem.startswith(tuple(SLOW.split()))):
            modules = re.findall(r"^(?:import|from) (\w+)", path.read_text("utf-8"), re.MULTILINE)
            if all(map(importlib.util.find_spec, modules)):
                yield f"{path.parent.name}/{path.stem}", partial(record_file, path)


def keep(job: Callable[[Path], str], out: Path) -> None:
    """Record in a temporary directory and keep what can be compared, as text."""
    with tempfile.TemporaryDirectory() as folder:
        texts, top = {"said.txt": job(Path(folder))}, Path(folder, "recording")
        texts |= {str(path.relative_to(top)): path.read_text("utf-8") for path in top.rglob("*.py")}
        for path in top.rglob("*.npz"):
            told = ((k, v.dtype, v.shape, sha256(v.tobytes()).hexdigest()) for k, v in np.load(path).items())
            texts[f"{path.relative_to(top)}.txt"] = "".join(" ".join(map(str, line)) + "\n" for line in told)
    for name, text in texts.items():
        (out / name).parent.mkdir(parents=True, exist_ok=True)
        text = text.replace(f"{ROOT}/", "ROOT/").replace(f"{folder}/", "TEMPORARY/")
        (out / name).write_text(text, "utf-8")


def compare(one: Path, other: Path) -> int:
    """Print what differs and how much does not; answer the exit status."""
    names = sorted({p.relative_to(top) for top in (one, other) for p in top.rglob("*.*") if p.is_file()})
    same = []
    for paths in [(one / name, other / name) for name in names]:
        lines = [p.read_text("utf-8").splitlines(True) if p.exists() else ["no such file\n"] for p in paths]
        sys.stdout.writelines(difflib.unified_diff(*lines, *map(str, paths)))
        same += paths[:1] if lines[0] == lines[1] else []
    good, scripts = (sum(p.suffix == ".py" for p in some) for some in (same, names))
    print(f"{good} of {scripts} scripts are the same; so are {len(same)} of all {len(names)} files")
    return 0 if good and len(same) == len(names) else 1


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--out", type=Path, metavar="DIR")
    parser.add_argument("--programs", choices=("calltree", "library", "all"), default="all")
    parser.add_argument("--slow", action="store_true")
    parser.add_argument("--only", default="", metavar="TEXT")
    parser.add_argument("--compare", nargs=2, type=Path, metavar=("DIR_A", "DIR_B"))
    options = parser.parse_args()
    if options.compare:
        return compare(*options.compare)
    if options.out is None or options.out.exists():
        parser.error("--out: a directory that is not there yet")
    if not ENVIRONMENT.items() <= os.environ.items():
        os.execve(sys.executable, [sys.executable, *sys.orig_argv[1:]], {**os.environ, **ENVIRONMENT})
    for name, job in (found for found in jobs(options.programs, options.slow) if options.only in found[0]):
        keep(job, options.out / name)
        print(f"{sum(os.times()[:4]):6.0f} s of the CPU: {name}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
