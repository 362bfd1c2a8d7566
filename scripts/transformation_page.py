"""The page of DaCe's transformations: what each is for, what it changes, and what became of the programs it changed."""

from collections.abc import Iterator
from typing import Any

from jace import pipelines

HEAD = """\
# Transformations

DaCe's transformations and passes, as `xform:NAME` in a pipeline names them, written from `jace/transformations.json` by
`python scripts/update_docs.py`: do not edit. `python scripts/transformations.py --write` lists what DaCe ships;
`python scripts/transformations.py --programs 120 --write` tries each on programs of the fuzzer's sample.

*Changed* is of how many programs' SDFGs, of those that were tried; *became* is the outcome of some of these, drawn by
seed, compiled and compared with XLA. What matches nothing here may do so in programs of other kinds. After `none` the
SDFG is as `canonical` makes it, a state an equation. What is known of outcomes other than `ok` is in the
[corpus](../corpus/README.md). `Vectorization` gives vectors to tasklets whose C++ is ours and knows numbers only: that
is no defect of DaCe's.

"""
KINDS = {"state": "in a state", "region": "between states", "subgraph": "on a subgraph", "pass": "a pass"}
#: After what the transformations for a device were tried.
STEPS = {"CPU": ("none", "simplify"), "GPU": ("none", "gpu")}
GPU = """
## For GPUs

Tried in the same way on what `canonical` makes, and on what the step `gpu` makes of that, which is DaCe's
`apply_gpu_transformations`: `python scripts/transformations.py --device GPU --after gpu --programs 60 --write`. Where
no GPU is, programs for one are compiled and not run: *compiled*. [On a GPU](how-to/gpu.md) says what such programs
need, and what was run on one.

"""


def page(_: str = "") -> str:
    """The whole page."""
    rows = pipelines.transformations()
    by_device = {
        device: [n for n, row in rows.items() if row["device"] == device] for device in _devices(rows)
    }
    parts = [
        HEAD,
        *_table("CPU", by_device.pop("CPU"), rows),
        GPU,
        *_table("GPU", by_device.pop("GPU"), rows),
    ]
    parts.append("\n## For other machines\n\n")
    parts.append(
        "These need code generation for another device and are not tried.\n\n| device | transformations |\n|---|---|\n"
    )
    parts += [
        f"| {device} | {', '.join(f'`{name}`' for name in names)} |\n" for device, names in by_device.items()
    ]
    return "".join(parts)


def _devices(rows: dict[str, Any]) -> list[str]:
    return sorted({row["device"] for row in rows.values()}, key=lambda device: (device != "CPU", device))


def _table(device: str, names: list[str], rows: dict[str, Any]) -> Iterator[str]:
    steps = STEPS[device]
    heads = [f"{word} after `{step}`" for step in steps for word in ("changed", "became")]
    yield f"| name | works | {' | '.join(heads)} | does |\n|{'---|' * (3 + len(heads))}\n"
    for name in names:
        row = rows[name]
        cells = [cell for step in steps for cell in _seen(row.get("seen", {}).get(step))]
        yield f"| `{name}` | {KINDS[row['kind']]} | {' | '.join(cells)} | {_plain(row['does'])} |\n"


def _seen(seen: dict[str, Any] | None) -> tuple[str, str]:
    if seen is None:
        return "", ""
    told = ", ".join(f"{count} {outcome}" for outcome, count in seen["outcomes"].items())
    return f"{seen['changed']} of {seen['programs']}", told


def _plain(text: str) -> str:
    return text.replace("|", "\\|").replace("``", "`").replace("[", "\\[").replace("<", "&lt;")
