"""The exception types of jace.

Every error names the equation and the user's source line where they are known, and says what to do next. The
stage that failed is the type of the exception, so that a caller (a tester, say) can tell a missing rule from a
broken SDFG or a failing C++ compiler without reading messages.
"""

from __future__ import annotations

from collections.abc import Sequence


class JaceError(Exception):
    """Base of all errors raised by jace.

    Attributes:
        equation: text of the jaxpr equation, if the error belongs to one.
        source: "file:line (function)" of the user's line that made the equation, if known.
    """

    def __init__(self, message: str, *, equation: str | None = None, source: str | None = None) -> None:
        self.equation = equation
        self.source = source
        details = [message]
        if equation:
            details.append(f"  equation: {equation}")
        if source:
            details.append(f"  from:     {source}")
        super().__init__("\n".join(details))


class UnsupportedPrimitiveError(JaceError):
    """The program contains primitives (or parameter combinations) that no rule translates.

    Attributes:
        primitives: names of all unsupported primitives of the program, sorted.
        reasons: one line an unsupported equation: primitive, parameters, source line and reason.
    """

    def __init__(self, reasons: Sequence[str], primitives: Sequence[str]) -> None:
        self.reasons = tuple(reasons)
        self.primitives = tuple(sorted(set(primitives)))
        lines = "\n".join(f"  - {reason}" for reason in self.reasons)
        super().__init__(
            f"jace cannot translate {len(self.reasons)} equation(s) of this program:\n{lines}\n"
            'Leave them to XLA with jace.jit(..., on_unsupported="xla"), register a rule with '
            "jace.register_rule(primitive, rule), or run the program with jax.jit. "
            "`jace-repro doctor --primitives` lists what is supported."
        )


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
        self, message: str, *, command: str = "", stderr: str = "", source_file: str | None = None
    ) -> None:
        self.command = command
        self.stderr = stderr
        self.source_file = source_file
        parts = [message]
        if command:
            parts.append(f"  command: {command}")
        if source_file:
            parts.append(f"  source kept in: {source_file}")
        if stderr:
            parts.append(stderr.rstrip()[-4000:])
        super().__init__("\n".join(parts))


class CompilerKilledError(CompileError):
    """The C++ compiler was ended from outside or had no memory left: this says nothing about the code."""
