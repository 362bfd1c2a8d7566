"""`jace.jit`: like jax.jit, but the function runs as a DaCe program."""

from __future__ import annotations

import contextlib
import functools
import importlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import jax
from jax.extend.core import ClosedJaxpr

from jace import ir, pipelines, registry, user_passes
from jace.debug import disabled
from jace.jax_internals import api_boundary, jax_jit
from jace.primitive.bind import bind_with_state
from jace.releases.jaxprs import jaxpr_of
from jace.settings import ON_UNSUPPORTED, Settings
from jace.stages import Wrapped
from jace.stages.placement import placed

#: Part of the key of every jax.jit cache: a change of rules makes functions trace and compile anew.
_jax: Any = jax  # some of what is used is not annotated
_rules_context: Any = _jax.make_user_context("")
_rules_context.set_global("")  # now, so that leaving use_rules() comes back to the very same key

#: `jit` is used as a decorator with options.
_NO_FUNCTION: Any = object()


def _note_changes() -> None:
    """Have functions traced anew that were compiled with other rules or passes than there are now."""
    _rules_context.set_global(registry.rules_token() + user_passes.token())


@api_boundary
def jit(
    fun: Any = _NO_FUNCTION,
    /,
    *,
    in_shardings: Any = None,
    out_shardings: Any = None,
    static_argnums: int | Sequence[int] | None = None,
    static_argnames: str | Iterable[str] | None = None,
    donate_argnums: int | Sequence[int] | None = None,
    donate_argnames: str | Iterable[str] | None = None,
    keep_unused: bool = False,
    device: Any = None,
    backend: str | None = None,
    inline: bool = False,
    pipeline: str = pipelines.DEFAULT,
    compiler_options: Mapping[str, Any] | None = None,
    on_unsupported: str = ON_UNSUPPORTED[0],
) -> Any:
    """Compile a JAX function with DaCe.

    The result is called like `jax.jit`'s, composes with jax.jit, grad, vmap, scan and the rest, and has the
    stages `.trace(...)`, `.lower(...)`, `.eval_shape(...)` of jax.stages. Without `fun` it is a decorator. Where
    `$JACE_DISABLE` is set, calls are those of jax.jit.

    Args:
        fun: a function of pytrees of arrays, traceable by JAX.
        static_argnums, static_argnames, donate_argnums, donate_argnames, keep_unused, inline: as for jax.jit.
        in_shardings, out_shardings, device, backend: as for jax.jit, as long as they say the one CPU device that
            the function runs on.
        pipeline: "fused" (fast), or DaCe's own way: "canonical/none" (alias "canonical"),
            "canonical/simplify", "canonical/auto-optimize", or any transformations of DaCe's and passes of your own,
            "canonical/simplify+xform:MapTiling+my_passes.py:my_pass" (`jace.pipelines`). `NAME@PASS[.K][:N]` cuts it
            (`jace.debug.stop`).
        compiler_options: {"compiler": "direct" | "stock", "opt": 0..3, "extra_flags": [...], "sanitize":
            bool, "first_flags": int}; see `jace.build.flags.CompilerOptions`.
        on_unsupported: what becomes of equations that jace cannot translate. "error": the function cannot be
            compiled; the error lists all of them with their source lines. "xla": they stay with XLA, in the same
            program, between regions that DaCe compiles. Callbacks (pure_callback, io_callback, jax.debug) and
            ffi_call stay with XLA in either case; ordered effects stay ordered.

    Raises:
        TypeError: if `fun` is not callable.
        ValueError: for an unknown pipeline, compiler option or `on_unsupported`; for another place than one CPU
            device; and where jax.jit raises one.
        JaceError: when the function is first called (or lowered, or compiled) and cannot be; the type says
            why.
    """
    settings = Settings.of(pipeline, compiler_options, on_unsupported)
    _note_changes()  # a file of passes may be another
    for_jax = {
        "static_argnums": static_argnums,
        "static_argnames": static_argnames,
        "donate_argnums": donate_argnums,
        "donate_argnames": donate_argnames,
        "keep_unused": keep_unused,
        "inline": inline,
        **placed(in_shardings, out_shardings, device, backend),
    }
    make = functools.partial(_jit, settings=settings, for_jax=for_jax)
    return make if fun is _NO_FUNCTION else make(fun)


@api_boundary
def _jit(fun: Callable[..., Any], *, settings: Settings, for_jax: dict[str, Any]) -> Wrapped:
    tracer = jax_jit(fun, **{name: for_jax[name] for name in ("static_argnums", "static_argnames")})
    remake = functools.partial(_jit, settings=settings, for_jax=for_jax)
    jitted = jax_jit(_binder(fun, tracer, settings), **for_jax)
    disabled.tell("pipeline", settings.pipeline)
    called = jax_jit(fun, **for_jax) if disabled.is_disabled() else jitted
    return Wrapped.of(fun, jitted, tracer, remake, called)


def _binder(fun: Callable[..., Any], tracer: Any, settings: Settings) -> Callable[..., Any]:
    """The function that jax.jit traces: it has `fun` traced, and binds the jaxpr as one jace_call.

    Args:
        fun: the user's function.
        tracer: its own jax.jit, which only traces: errors of tracing are jax.jit's to the letter.
        settings: how it is compiled.
    """
    name = getattr(fun, "__name__", type(fun).__name__)

    def bind(*args: Any, **kwargs: Any) -> Any:
        if _jax.config.jax_disable_jit:
            return fun(*args, **kwargs)
        traced = tracer.trace(*args, **kwargs)
        # inside a jit trace exactly the dynamic leaves are tracers; everything else is static
        leaves = [leaf for leaf in jax.tree.leaves((args, kwargs)) if isinstance(leaf, jax.core.Tracer)]
        outs = bind_with_state(jaxpr_of(traced), leaves, name=name, settings=settings.in_force())
        return jax.tree.unflatten(traced.out_tree, outs)

    return functools.wraps(fun, updated=())(bind)


def register_pipeline(name: str, *passes: Any) -> None:
    """Have `pipeline="canonical/NAME"` run passes of your own on the SDFG that `canonical` makes.

    Args:
        name: letters, digits, _ and -; what it stood for before is forgotten, also by functions compiled before.
        passes: in order. Each is a function that changes an SDFG in place, a `dace.transformation.pass_pipeline.Pass`
            or a transformation of DaCe's (the class, or one with properties of its own), or a list of these.

    Raises:
        ValueError: no such name can be had, or no pass is given.
    """
    if name in pipelines.STEPS:
        raise ValueError(f"{name!r} is a pass of DaCe's")
    user_passes.register(name, *passes)
    _note_changes()


def register_rule(primitive: Any, rule: Any = None, *, override: bool = False) -> Any:
    """Register a rule for a primitive, as `jace.registry.register_rule`; compiled functions see it."""
    _load_rules()
    disabled.tell("rule", registry.name_of(primitive))
    made = registry.register_rule(primitive, rule, override=override)
    if rule is not None:
        _note_changes()
        return made

    def decorate(fn: Any) -> Any:
        answer = made(fn)
        _note_changes()
        return answer

    return decorate


@contextlib.contextmanager
def use_rules(rules: Mapping[Any, Any]) -> Iterator[None]:
    """Replace (or add) rules within a `with` block, in all threads, also for functions compiled before."""
    _load_rules()
    try:
        for primitive in rules:
            disabled.tell("rule", registry.name_of(primitive))
        with registry.use_rules(rules):
            _note_changes()
            yield
    finally:
        _note_changes()


def _load_rules() -> None:
    """Rules register at import: before then there is nothing to replace, nor to come back to."""
    importlib.import_module("jace.rules")


def rule_of(primitive: Any) -> registry.Rule | None:
    """The rule in force for a primitive (or its name), or None: what a replacement rule may build on."""
    _load_rules()
    return registry.lookup(primitive if isinstance(primitive, str) else primitive.name)


def translated_primitives(closed: ClosedJaxpr) -> tuple[str, ...]:
    """Names of the primitives whose rules translate a program: with calls inlined, and expanded what has no rule."""
    from jace.translate import support

    _load_rules()
    return tuple(dict.fromkeys(eqn.primitive.name for _, eqn in ir.walk(support.flatten(closed))))


def supported_primitives() -> tuple[str, ...]:
    """Names of all primitives that have a rule (calls and `lower_fun` primitives are supported besides)."""
    _load_rules()
    return registry.supported_primitives()


def preload() -> None:
    """Import all that translating and compiling need, DaCe too, which is otherwise imported when it is first used."""
    for name in ("jace.translate.passes", "jace.build.drivers"):
        importlib.import_module(name)
