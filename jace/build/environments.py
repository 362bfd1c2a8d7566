"""DaCe's environments, libraries that implementations of its library nodes need: what is here, how to build with it.

DaCe names them for CMake; here they are directories and libraries of one call of the compiler.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import dace.library

#: What Debian and its kin install an environment by.
_PACKAGES = {"OpenBLAS": "libopenblas-dev and liblapacke-dev", "IntelMKL": "libmkl-dev, or mkl-devel by pip"}


@dataclass(frozen=True)
class Needed:
    """What a program is compiled with.

    Attributes:
        includes: directories of headers.
        libraries: arguments of the linker.
    """

    includes: tuple[str, ...] = ()
    libraries: tuple[str, ...] = ()


def missing(environments: Iterable[Any]) -> str:
    """Which of DaCe's environments cannot be built with here, and what would help; "" when all can."""
    lacking = [env.__name__ for env in environments if not _is_usable(env)]
    advice = [f"{name} comes with {_PACKAGES[name]}" for name in lacking if name in _PACKAGES]
    return "; ".join([", ".join(lacking), *advice])


def _is_usable(environment: Any) -> bool:
    """Whether it is a library for CPUs that DaCe finds here: the others ask for a GPU's compiler."""
    return environment.__name__ in _PACKAGES and bool(environment.is_installed())


def needed(names: Iterable[str]) -> Needed:
    """What programs with the environments of these names are compiled with."""
    found = dace.library.get_environments_and_dependencies(set(names))
    includes = [str(path) for env in found for path in (*_all(env, "cmake_includes"), _folder(env))]
    libraries = [
        *(
            name if Path(name).is_absolute() else f"-l:{name}"
            for env in found
            for name in _all(env, "cmake_libraries")
        ),
        *(flag for env in found for flag in _all(env, "cmake_link_flags") if not flag.startswith("${")),
    ]
    return Needed(tuple(dict.fromkeys(includes)), tuple(dict.fromkeys(libraries)))


def _all(environment: Any, field: str) -> list[str]:
    """A field of an environment, which is a list or a function."""
    found = getattr(environment, field, [])
    return list(found() if callable(found) else found)


def _folder(environment: Any) -> Path:
    """Headers of DaCe's own are named from where the environment is defined."""
    return Path(str(sys.modules[environment.__module__].__file__)).parent
