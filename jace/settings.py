"""How a function is compiled: one frozen value from `jace.jit` down to the C++ compiler.

Made by the public functions, it is the parameter `settings` of every `jace_call` equation, and part of the key under
which compiled code is kept.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from jace import pipelines, registry, user_passes
from jace.build.flags import CompilerOptions
from jace.debug import stop

#: What `on_unsupported=` takes: raise an error, or leave the equations to XLA.
ON_UNSUPPORTED = ("error", "xla")


@dataclass(frozen=True)
class Settings:
    """What decides how a program is compiled, beside the program.

    Attributes:
        pipeline: name of the way from jaxpr to SDFG (`jace.pipelines`), with "@PASS[.K][:N]" where it is cut.
        options: of the C++ compiler.
        on_unsupported: "error" or "xla": what becomes of equations that jace cannot translate.
        rules: token of the rules (`registry.rules_token`) and of the user's passes that the program is translated with.
    """

    pipeline: str = pipelines.DEFAULT
    options: CompilerOptions = field(default_factory=CompilerOptions)
    on_unsupported: str = ON_UNSUPPORTED[0]
    rules: str = ""

    @classmethod
    def of(
        cls,
        pipeline: str = pipelines.DEFAULT,
        compiler_options: Mapping[str, Any] | CompilerOptions | None = None,
        on_unsupported: str = ON_UNSUPPORTED[0],
    ) -> Settings:
        """From the arguments of the public API.

        Raises:
            ValueError: for an unknown pipeline, compiler option or `on_unsupported`. What the file of a user's own
                pass raises is not caught.
        """
        for step in pipelines.parse(pipeline)[0].dace:
            if user_passes.is_one(step):
                user_passes.resolve(step)  # now, where the user says it
        if on_unsupported not in ON_UNSUPPORTED:
            raise ValueError(
                f"unknown on_unsupported {on_unsupported!r}; choose one of {', '.join(ON_UNSUPPORTED)}"
            )
        return cls(pipeline, CompilerOptions.of(compiler_options), on_unsupported)

    @property
    def leave_unsupported(self) -> bool:
        """Whether equations that jace cannot translate stay with XLA."""
        return self.on_unsupported == "xla"

    def in_force(self) -> Settings:
        """With the rules and passes of this moment, and cut where `$JACE_STOP_AFTER` says when it is not cut already.

        Raises:
            ValueError: the variable is no place to stop.
        """
        steps = filter(user_passes.is_one, pipelines.parse(self.pipeline)[0].dace)
        rules = " ".join(filter(None, [registry.rules_token(), *map(user_passes.identity, steps)]))
        return replace(self, pipeline=stop.effective(self.pipeline), rules=rules)
