"""A script as something to be made smaller: its text, its inputs, what JAX makes of it, and how large it is.

A candidate is a text that was edited. Most edits make a program that JAX refuses: that shows when it is traced in this
process, which costs milliseconds, and no test is spent on it.
"""

from __future__ import annotations

import ast
import hashlib
import traceback
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple, TypeAlias

import jax
import numpy as np

from jace import ir
from jace_repro.emitter import EmitError
from jace_repro.reducer.candidate import Steps
from jace_repro.reducer.problem import Problem, complexity_of, text_length
from jace_repro.reducer.source.code import Block, Code
from jace_repro.reducer.source.parts import Parts, taken_apart
from jace_repro.repro import Repro
from jace_repro.tester.verdict.signature import normalise


class Key(NamedTuple):
    """Size of a program, smaller is better, compared field by field.

    Attributes:
        nodes: of the syntax tree, without the inputs; a block counts for several.
        elements: of all inputs.
        inputs: how many there are, and their axes.
        complexity: how irregular the values of inputs and the numbers of the text are (`problem.complexity_of`).
        magnitude: the whole numbers of the text, summed.
        text: its length, and that of inputs when printed.
    """

    nodes: int
    elements: int
    inputs: int
    complexity: int
    magnitude: int
    text: int


class Failure(NamedTuple):
    """What JAX raises while it traces a program, and the call that it comes out of."""

    error: str
    call: str


@dataclass(frozen=True, eq=False)
class Program:
    """A script and its inputs.

    Attributes:
        parts: the script, taken apart.
        args: the inputs, one for each parameter of `repro`.
        note: what the pass did that made this candidate.
    """

    parts: Parts
    args: tuple[Any, ...]
    note: str = ""

    @property
    def text(self) -> str:
        """The program's own text."""
        return self.parts.text

    @cached_property
    def code(self) -> Code:
        """The text with its tree. Raises SyntaxError."""
        return Code(self.text)

    @property
    def entry(self) -> ast.FunctionDef:
        """`repro`."""
        program = self.code.tree.body[-1]
        assert isinstance(program, ast.FunctionDef)
        return program

    @cached_property
    def key(self) -> Key:
        """The sort key. Raises SyntaxError."""
        nodes = list(ast.walk(self.code.tree))
        numbers: list[Any] = [n.value for n in nodes if isinstance(n, ast.Constant) and _is_number(n.value)]
        values: list[Any] = [
            *self.args,
            *(np.float64(n) for n in numbers),
        ]  # of any size: 2439491574 is no int32
        return Key(
            nodes=sum(
                _BLOCK if isinstance(node, Block) else 1 for node in nodes if not isinstance(node, _FREE)
            ),
            elements=sum(int(np.size(value)) for value in self.args),
            inputs=len(self.args) + sum(map(np.ndim, self.args)),
            complexity=sum(map(complexity_of, values)),
            magnitude=sum(min(abs(n), 10**9) for n in numbers if isinstance(n, int)),
            text=len(self.text) + sum(map(text_length, self.args)),
        )

    @property
    def length(self) -> int:
        """How many nodes its syntax tree has, as `Key` counts them."""
        return self.key.nodes

    @property
    def equations(self) -> int:
        """Those of its jaxpr, of bodies, too; the statements of a program that is not traced to its end."""
        if self.problem is not None:
            return self.problem.equations
        return sum(isinstance(node, ast.Assign | ast.Return) for node in ast.walk(self.code.tree))

    @property
    def elements(self) -> int:
        """Those of all arrays of its jaxpr; of the inputs of a program that is not traced to its end."""
        return self.key.elements if self.problem is None else self.problem.elements

    @cached_property
    def fingerprint(self) -> str:
        """Of what it computes from what, which tests look at; of its text where it is not traced to its end."""
        if self.problem is None:
            types = [jax.typeof(value) for value in self.args]
            return hashlib.sha256(f"{self.text}\n{types}".encode()).hexdigest()
        live = ir.live_form(self.problem.closed)
        return Problem(live, self.problem.args).fingerprint

    @cached_property
    def repro(self) -> Repro:
        """Its script. Raises EmitError, SyntaxError."""
        with self.parts.repro.configured():
            return self.parts.script(self.args)

    @cached_property
    def traced(self) -> Problem | Exception:
        """What JAX makes of it, in this process, or what is raised."""
        try:
            script = self.repro
        except (EmitError, SyntaxError) as error:
            return error
        with script.configured(), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                args = script.load_inputs()
                return Problem(jax.make_jaxpr(script.load_function())(*args), tuple(args))
            except Exception as error:  # whatever the program raises
                return error

    @property
    def problem(self) -> Problem | None:
        """The jaxpr on its inputs, where JAX traces it to its end."""
        return self.traced if isinstance(self.traced, Problem) else None

    @property
    def failure(self) -> Failure | None:
        """What JAX raises, where it does not."""
        if isinstance(self.traced, Problem):
            return None
        error = normalise(f"{type(self.traced).__name__}: {self.traced}")
        return Failure(error, _call(self.repro.source, self.traced))

    def edited(self, text: str, note: str) -> Program:
        """The program with another text."""
        return replace(self, parts=replace(self.parts, text=text), note=note)

    def on(self, args: Sequence[Any], note: str) -> Program:
        """The program on other inputs of its own."""
        return replace(self, args=tuple(args), note=note)

    def with_input(self, number: int, value: Any, note: str) -> Program:
        """The program with another value for one input."""
        return self.on([value if i == number else arg for i, arg in enumerate(self.args)], note)

    @property
    def inputs(self) -> dict[str, Any]:
        """The inputs by the names that `repro` gives them."""
        names = [a.arg for a in self.entry.args.args]
        return dict(zip(names, self.args, strict=True))

    def taking(self, inputs: Mapping[str, Any], note: str) -> Program:
        """The program whose `repro` takes other inputs."""
        first, _ = self.code.rows(self.entry)
        lines = [*self.code.lines]
        lines[first] = f"def repro({', '.join(inputs)}):"
        parts = replace(self.parts, text="\n".join(lines))
        return replace(self, parts=parts, args=tuple(inputs.values()), note=note)


#: What a pass is.
Edits: TypeAlias = Steps[Program]

#: How many nodes a block counts for: a loop is more than what its first iteration is written with.
_BLOCK = 8
#: What counts nothing: every name has one, and operators are nodes of their own.
_FREE = (ast.expr_context, ast.operator, ast.unaryop, ast.cmpop, ast.boolop)


def _is_number(value: object) -> bool:
    return isinstance(value, bool | int | float) and value != float("inf")


def program_of(repro: Repro) -> Program:
    """A script as a program; its own text, without what stands around it.

    Raises:
        ValueError: `repro` has no name for each input.
        Exception: whatever executing the script raises.
    """
    with repro.configured():
        program = Program(taken_apart(repro), tuple(repro.load_inputs()))
    if len(program.entry.args.args) != len(program.args):
        raise ValueError(
            "repro() of the script does not name each of its inputs, so that it cannot be edited"
        )
    return program


def _call(source: str, error: Exception) -> str:
    """What is called in the line of a script that an error comes out of, as text; "" where that is not known."""
    frames = [f for f in traceback.extract_tb(error.__traceback__) if f.filename.startswith("<repro ")]
    if not frames or frames[-1].lineno is None:
        return ""
    line = frames[-1].lineno
    code = Code(source)
    calls = [
        node
        for node in ast.walk(code.tree)
        if isinstance(node, ast.Call) and node.lineno <= line <= (node.end_lineno or line)
    ]
    # the outermost call of the innermost statement
    inside = [node for node in calls if node.lineno == line] or calls
    return code.of(inside[0].func) if inside else ""
