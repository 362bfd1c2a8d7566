"""A finding without JAX and jace: a script of DaCe and NumPy that runs an SDFG before and after the guilty step.

The SDFGs lie beside it as DaCe's JSON, the inputs are in its text. Where the step is one application of a
transformation, the script applies it to the SDFG before it; where it is a pass, it runs the pass; where it can do
neither, it compares the two. Where the step raises, or what it leaves is no valid SDFG, nothing is compiled.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import dace
import numpy as np

#: More elements than these are no script.
MOST_ELEMENTS = 2048
#: What is called by the name of NumPy's and of DaCe's dtype alike.
_DTYPES = frozenset(
    {"bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32", "float64"}
)

_TEXT = '''\
"""{title}

Found by jace-repro in a program of JAX and reduced there; neither is needed here.

    python {file}        prints what the SDFG computes before and after; exit status 1: bug present

Needs dace, numpy and a C++ compiler, and {beside} beside it.
"""

{json}import sys
from pathlib import Path

import dace
{module}import numpy as np
{imports}from numpy import inf, nan  # noqa: F401 - values of arrays

HERE = Path(__file__).resolve().parent
dace.Config.set("compiler", "cpp_standard", value="20")
dace.Config.set("compiler", "cpu", "args", value="-O1 -fPIC -w")  # no fast math: rounding is not the difference
{match}

def arguments():
    return {{
{arguments}
    }}


def step(sdfg):
    """{step}"""
{body}


def computed(sdfg, name):
    sdfg.name = f"{{sdfg.name}}_{{name}}"
    values = arguments()
    sdfg(**values)
    return [values[name] for name in {outputs!r}]


def main():
    print("dace", dace.__version__)
    before = dace.SDFG.from_file(str(HERE / "before.sdfg"))
    right = computed(before, "before")
    wrong = computed(step(dace.SDFG.from_file(str(HERE / "before.sdfg"))), "after")
    same = all(np.array_equal(a, b, equal_nan=a.dtype.kind == "f") for a, b in zip(right, wrong))
    print(f"before: {{right}}\\nafter:  {{wrong}}")
    print("bug not shown" if same else "bug present")
    return int(not same)


if __name__ == "__main__":
    sys.exit(main())
'''

_RAISING = '''\
"""{title}

Found by jace-repro in a program of JAX and reduced there; neither is needed here.

    python {file}        prints what becomes of it; exit status 1: bug present

Needs dace, and {beside} beside it.
"""

{json}import sys
from pathlib import Path

import dace
{module}{imports}
HERE = Path(__file__).resolve().parent
{match}

def step(sdfg):
    """{step}"""
{body}


def text(error):
    try:
        return str(error).partition("\\n")[0]
    except Exception:  # some of DaCe's look for nodes that are gone
        return ""


def main():
    print("dace", dace.__version__)
    sdfg = dace.SDFG.from_file(str(HERE / "before.sdfg"))
    sdfg.validate()
    print("before: valid")
    try:
        step(sdfg).validate()
    except Exception as error:
        print(f"after:  {{type(error).__name__}}: {{text(error)}}")
        same = any(cls.__name__ == {raises!r} for cls in type(error).__mro__)
        print("bug present" if same else "another failure")
        return int(same)
    print("bug not shown")
    return 0


if __name__ == "__main__":
    sys.exit(main())
'''

_APPLY = """\
    match = xf.PatternTransformation.from_json(json.loads(MATCH))
    region = sdfg.cfg_list[match.cfg_id]
    match.setup_match(region.sdfg, match.cfg_id, match.state_id, match.subgraph, match.expr_index)
    match.apply(region.node(match.state_id) if match.state_id >= 0 else region, region.sdfg)
    return sdfg"""
_RUN = """\
    Pipeline([{name}()]).apply_pass(sdfg, {{}})
    return sdfg"""
_LOAD = '    return dace.SDFG.from_file(str(HERE / "after.sdfg"))'


@dataclass(frozen=True)
class Step:
    """A step as a script takes it.

    Attributes:
        what: it, for people.
        module: where its class is; "" to load the SDFG after it.
        name: its class, of a pass.
        replay: one application of a transformation, as its `to_json` says it.
        raises: the class of the exception that it, or the validation of what it leaves, ends with; "" where what the
            SDFG computes is another.
    """

    what: str
    module: str = ""
    name: str = ""
    replay: str = ""
    raises: str = ""

    @property
    def texts(self) -> dict[str, str]:
        """What it puts into the script."""
        # DaCe looks for the class of a match by its name, among those of the modules that are imported
        if self.replay:
            return {
                "json": "import json\n",
                "module": f"import {self.module}  # noqa: F401 - has the transformation\n",
                "imports": "from dace.transformation import transformation as xf\n",
                "match": f"MATCH = r'''{self.replay}'''\n",
                "body": _APPLY,
            }
        plain = dict.fromkeys(("json", "module", "imports", "match"), "")
        if self.module:
            imports = f"from {self.module} import {self.name}\n"
            imports += "from dace.transformation.pass_pipeline import Pipeline\n"
            return {**plain, "imports": imports, "body": _RUN.format(name=self.name)}
        return {**plain, "body": _LOAD}


def dace_script(program: Any, values: Sequence[np.ndarray[Any, Any]], step: Step) -> str:
    """The script; "" where its values are none that a script can say.

    Args:
        program: of the SDFG before the step, with its inputs, outputs and sizes.
        values: of the inputs, in order.
        step: what to do with it.
    """
    beside = "before.sdfg" if step.module else "before.sdfg and after.sdfg"
    common = {"file": "dace_only.py", "beside": beside, "step": f"{step.what}.", **step.texts}
    if step.raises:
        title = f"DaCe {dace.__version__}: {step.what} fails on a valid SDFG, or leaves one that is not."
        return _RAISING.format(title=title, raises=step.raises, **common)
    buffers = dict(zip((b.name for b in program.inputs), values, strict=True))
    made = {b.name: np.zeros(b.shape or (1,), b.dtype) for b in program.outputs}
    arrays = {**buffers, **made}
    if any(a.dtype.name not in _DTYPES for a in arrays.values()):
        return ""
    if sum(a.size for a in arrays.values()) > MOST_ELEMENTS:
        return ""
    written = [(name, _value(array, name in made)) for name, array in arrays.items()]
    return _TEXT.format(
        title=f"DaCe {dace.__version__}: {step.what} changes what an SDFG computes.",
        arguments="\n".join(
            f"        {name!r}: {text}," for name, text in (*written, *program.sizes.items())
        ),
        outputs=tuple(made),
        **common,
    )


def _value(array: np.ndarray[Any, Any], zeros: bool) -> str:
    if zeros:
        return f"np.zeros({array.shape}, np.{array.dtype.name})"
    shape = "" if array.shape else ".reshape(1)"
    return f"np.array({array.tolist()!r}, np.{array.dtype.name}){shape}"
