"""The exception types of jace.

Every error names the equation and the user's source line where they are known, and says what to do next. The
stage that failed is the type of the exception, and what it belongs to are its fields, so that a caller (a tester,
say) can tell a missing rule from a broken SDFG or a failing C++ compiler without reading messages.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


class JaceError(Exception):
    """Base of all errors raised by jace.

    Attributes:
        primitive: name of the equation's primitive, if the error belongs to one equation.
        equation: text of the jaxpr equation, if the error belongs to one.
        source: "file:line (function)" of the user's line that made the equation, if known.
    """

    def __init__(
        self,
        message: str,
        *,
        primitive: str | None = None,
        equation: str | None = None,
        source: str | None = None,
        more: Sequence[str] = (),
    ) -> None:
        self.primitive = primitive
        self.equation = equation
        self.source = source
        details = [message]
        if equation:
            details.append(f"  equation: {equation}")
        if source:
            details.append(f"  from:     {source}")
        super().__init__("\n".join([*details, *more]))


@dataclass(frozen=True)
class UnsupportedEquation:
    """An equation that jace cannot translate, and why.

    Attributes:
        primitive: name of its primitive.
        equation: the equation in one line, parameters and types included.
        source: "file:line (function)" of the user's line that made it, "" if unknown.
        reason: what is missing.
    """

    primitive: str
    equation: str
    source: str
    reason: str

    def __str__(self) -> str:
        return f"{self.equation}: {self.reason}" + (f"  at {self.source}" if self.source else "")


class UnsupportedPrimitiveError(JaceError):
    """The program contains primitives (or parameter combinations) that no rule translates.

    Attributes:
        unsupported: all unsupported equations of the program, in order.
    """

    def __init__(self, unsupported: Sequence[UnsupportedEquation]) -> None:
        self.unsupported = tuple(unsupported)
        lines = "\n".join(f"  - {found}" for found in self.unsupported)
        super().__init__(
            f"jace cannot translate {len(self.unsupported)} equation(s) of this program:\n{lines}\n"
            'Leave them to XLA with jace.jit(..., on_unsupported="xla"), register a rule with '
            "jace.register_rule(primitive, rule), or run the program with jax.jit. "
            "`jace-repro doctor --primitives` lists what is supported."
        )

    @property
    def primitives(self) -> tuple[str, ...]:
        """Names of the unsupported primitives, sorted, each once."""
        return tuple(sorted({found.primitive for found in self.unsupported}))


class TranslateError(JaceError):
    """A rule or the planner failed on an equation it claims to support: a bug in jace or in a user's rule."""


class InvalidSDFGError(JaceError):
    """The SDFG that was built does not pass DaCe's validation."""


class PassError(JaceError):
    """A pass of the pipeline (a DaCe transformation, say) raised.

    Attributes:
        pass_name: name of the pass as listed by the pipeline.
    """

    def __init__(self, message: str, *, pass_name: str) -> None:
        self.pass_name = pass_name
        super().__init__(f"pass '{pass_name}' failed: {message}")


class CodegenError(JaceError):
    """DaCe could not generate C++ code from a valid SDFG."""


class CompileError(JaceError):
    """The C++ compiler is missing or rejected the generated code.

    Attributes:
        command: the command line that failed ("" when no compiler was found).
        stderr: what the compiler printed.
        source_file: where the generated code was kept for inspection, or None.
    """

    def __init__(
        self,
        message: str,
        *,
        command: str = "",
        stderr: str = "",
        source_file: str | None = None,
        primitive: str | None = None,
        equation: str | None = None,
        source: str | None = None,
    ) -> None:
        self.command = command
        self.stderr = stderr
        self.source_file = source_file
        self._message = message
        parts = []
        if command:
            parts.append(f"  command: {command}")
        if source_file:
            parts.append(f"  source kept in: {source_file}")
        if stderr:
            parts.append(stderr.rstrip()[-4000:])
        super().__init__(message, primitive=primitive, equation=equation, source=source, more=parts)

    def of_equation(self, primitive: str, equation: str, source: str) -> CompileError:
        """The same error, of the code of one equation."""
        return type(self)(
            self._message,
            command=self.command,
            stderr=self.stderr,
            source_file=self.source_file,
            primitive=primitive,
            equation=equation,
            source=source or None,
        )


class CompilerKilledError(CompileError):
    """The C++ compiler was ended from outside, or had no memory or disk left: this says nothing about the code."""


class NoGPUError(JaceError):
    """A pipeline asks for a GPU, and its compiler or the GPU is not there: this says nothing about the program."""
