"""What a pipeline raises, as a verdict: the outcome, what is guilty, the signature."""

from __future__ import annotations

from jace import errors
from jace.build import is_full
from jace.errors import JaceError
from jace_repro.tester.verdict.culprit import Culprit
from jace_repro.tester.verdict.signature import signature
from jace_repro.tester.verdict.verdict import Verdict

#: Exceptions of jace by outcome, most special first; whatever else is raised is a translate-error.
OUTCOME_OF: tuple[tuple[type[JaceError], str], ...] = (
    (errors.UnsupportedPrimitiveError, "unsupported"),
    (errors.InvalidSDFGError, "invalid-sdfg"),
    (errors.PassError, "pass-error"),
    (errors.CodegenError, "codegen-error"),
    (errors.CompileError, "compile-error"),
    (JaceError, "translate-error"),
)


def failed(error: Exception, pipeline: str, stage: str, *, of_plan: bool = True) -> Verdict:
    """The verdict of an exception in a stage of the test.

    Args:
        of_plan: whether it was so before the first pass of DaCe's: then another equation is another bug. What a pass
            breaks reads alike, whatever the equation.
    """
    text = f"{type(error).__name__}: {error}"
    if isinstance(error, ImportError):
        detail = f"the backend cannot be imported: {text}"
        return Verdict(pipeline, "harness-error", None, detail, stage=stage)
    if is_full(error):
        detail = f"the disk is full: {text} ($TMPDIR says where temporary files go)"
        return Verdict(pipeline, "harness-error", None, detail, stage=stage)
    if isinstance(error, errors.CompilerKilledError):
        said, *more = text.splitlines()
        advice = " (With fewer --jobs each compiler has more memory.)" if "memory" in said else ""
        detail = "\n".join([f"{said}{advice}", *more])
        return Verdict(pipeline, "harness-error", None, detail, stage=stage)
    if isinstance(error, errors.NoGPUError):
        return Verdict(pipeline, "harness-error", None, text, stage=stage)
    if stage in ("run", "ffi"):
        sign = signature("crash", stage=stage, error=text)
        detail = f"the compiled program failed: {text}"
        return Verdict(pipeline, "crash", sign, detail, stage=stage)
    outcome = next((name for kind, name in OUTCOME_OF if isinstance(error, kind)), "translate-error")
    culprit = culprit_of(error)
    known = culprit or Culprit()
    sign = signature(
        outcome,
        primitive=known.primitive if of_plan else None,
        guilty_pass=known.pass_,
        error=None if outcome == "unsupported" else _telling_line(error),
    )
    return Verdict(pipeline, outcome, sign, text, guilty=culprit, stage=stage)


def culprit_of(error: Exception) -> Culprit | None:
    """What an error of jace says about its culprit."""
    if not isinstance(error, JaceError):
        return None
    source = error.source or None
    if isinstance(error, errors.UnsupportedPrimitiveError) and error.primitives:
        # The first stands for all: a reduction that drops the others keeps the signature.
        return Culprit(primitive=error.primitives[0], primitives=error.primitives, source=source)
    if isinstance(error, errors.PassError):
        return Culprit(pass_=error.pass_name, source=source)
    if error.equation:
        return Culprit(primitive=error.primitive, equation=error.equation, source=source)
    return Culprit(source=source) if source else None


def _telling_line(error: Exception) -> str:
    """The line of an error that says what is wrong: for a compiler the first one with "error:"."""
    if isinstance(error, errors.CompileError):
        for line in error.stderr.splitlines():
            if "error:" in line:
                return line[line.index("error:") :]
    return f"{type(error).__name__}: {error}"
