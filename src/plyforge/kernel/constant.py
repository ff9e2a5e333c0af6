"""Constants: objects that the compiler sees as part of the *type*.

A game, an evaluation, a watcher, an opponent's policy: each is a `Constant`. In compiled code its fields
are literals and its methods are resolved and inlined, so an abstraction costs nothing. Interpreted,
it is an ordinary object.

Invariant: two Constants with equal fingerprints compile to the same machine code. So a fingerprint describes what
would be compiled, as it is in memory now: the values of all attributes and properties, and the bytecode of every function
that the methods can reach, with the constants, defaults, closures and globals that it names. Not the text on disk: that
may have been edited since. Only the standard library, NumPy, Numba and Plyforge itself are taken as fixed (the versions and
Plyforge's own sources are part of the names of files on disk, see `cache.py`).
"""

from __future__ import annotations

import functools
import hashlib
import inspect
import sys
import sysconfig
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any

PACKAGE = Path(__file__).resolve().parent.parent
FIXED = ("numpy", "numba", "plyforge", "builtins")
"""Packages whose code is known by their version, or by a digest of its own."""


class Constant:
    """Base of everything that the compiler may treat as fixed. Subclass it as a frozen dataclass."""

    def fingerprint(self) -> str:
        """A text that is equal for two Constants exactly if they compile to the same code."""
        cls = type(self)
        fields = ", ".join(
            f"{name}={describe(value)}"
            for name, value in sorted(vars(self).items())
            if not isinstance(inspect.getattr_static(cls, name, None), functools.cached_property)
        )
        digest = Digest()
        digest.visit(cls)
        for name in _computed(cls):
            try:
                digest.data(f"{name}={describe(getattr(self, name))}")
            except Exception as error:  # a property that fails does so again where it is used
                digest.data(f"{name}!{type(error).__name__}")
        return f"{cls.__module__}.{cls.__qualname__}({fields})#{digest.text()}"


def _computed(cls: type) -> Iterator[str]:
    """The names of a class's properties: their values are compiled in."""
    for base in cls.__mro__:
        if not _is_fixed(base.__module__):
            for name, member in vars(base).items():
                if isinstance(member, (property, functools.cached_property)):
                    yield name


def describe(value: Any) -> str:
    """A text of a value that is equal for equal values, whatever the process."""
    if isinstance(value, Constant):
        return value.fingerprint()
    if isinstance(value, types.FunctionType):
        return f"{value.__qualname__}#{source_digest(value)}"
    if isinstance(value, (tuple, list)):
        inside = ",".join(describe(item) for item in value)
        return f"{type(value).__name__}({inside})"
    if isinstance(value, (set, frozenset)):
        return f"{type(value).__name__}({','.join(sorted(map(describe, value)))})"
    if isinstance(value, dict):
        inside = ",".join(f"{describe(key)}:{describe(item)}" for key, item in value.items())
        return f"dict({inside})"
    if hasattr(value, "dtype") and hasattr(value, "tobytes"):
        content = hashlib.sha256(value.tobytes()).hexdigest()[:16]
        return f"{value.dtype}{getattr(value, 'shape', ())}:{content}"
    if isinstance(value, (bool, int, float, complex, str, bytes, type(None))):
        return repr(value)
    return f"{type(value).__module__}.{type(value).__qualname__}"  # no compiled form: what it is says enough


@functools.cache
def package_digest() -> str:
    """A digest of all of Plyforge's own sources and weights: code compiled from others is never served."""
    digest = hashlib.sha256()
    kinds = ("*.py", "*.json", "*.npz")
    for path in sorted(path for kind in kinds for path in PACKAGE.rglob(kind)):
        digest.update(str(path.relative_to(PACKAGE)).encode() + b"\0")
        digest.update(path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


def source_digest(thing: Any) -> str:
    """A digest of a class or function and of everything that it can reach, outside the fixed packages."""
    digest = Digest()
    digest.visit(thing)
    return digest.text()


class Digest:
    """Walks from a class or function over all that it names, each thing once."""

    def __init__(self) -> None:
        self._hash = hashlib.sha256()
        self._seen: set[int] = set()

    def text(self) -> str:
        return self._hash.hexdigest()[:16]

    def data(self, text: str) -> None:
        self._hash.update(text.encode() + b"\0")

    def visit(self, value: Any) -> None:
        """Take in a function, class, module attribute or piece of data."""
        if isinstance(value, (bool, int, float, str, type(None))):
            self.data(repr(value))
            return
        if id(value) in self._seen:
            return
        self._seen.add(id(value))
        if isinstance(value, types.FunctionType):
            if not _is_fixed(value.__module__):
                self._function(value)
        elif isinstance(value, type):
            for base in value.__mro__:
                if not _is_fixed(base.__module__):
                    self._class(base)
        elif isinstance(value, (staticmethod, classmethod)):
            self.visit(value.__func__)
        elif isinstance(value, property):
            self.visit(value.fget)
        elif isinstance(value, functools.cached_property):
            self.visit(value.func)
        elif hasattr(value, "function") and isinstance(value.function, types.FunctionType):
            self.visit(value.function)  # a kernel
        elif hasattr(value, "py_func"):
            self.visit(value.py_func)  # a function that Numba has compiled
        elif not isinstance(value, (types.ModuleType, types.BuiltinFunctionType)):
            self.data(describe(value))

    def _class(self, cls: type) -> None:
        self.data(f"{cls.__qualname__}{getattr(cls, '_fields', '')}{getattr(cls, '__annotations__', '')}")
        for name, member in sorted(vars(cls).items(), key=lambda item: item[0]):
            if not (name.startswith("__") and name.endswith("__")) and name not in (
                "_abc_impl",
                "_field_defaults",
            ):
                self.data(name)
                self.visit(member)

    def _function(self, function: types.FunctionType) -> None:
        self.data(describe((function.__defaults__, function.__kwdefaults__)))
        for cell in function.__closure__ or ():
            try:
                self.visit(cell.cell_contents)
            except ValueError:
                self.data("empty cell")
        self._code(function.__code__, function.__globals__)

    def _code(self, code: types.CodeType, names: dict[str, Any]) -> None:
        self._hash.update(code.co_code)
        for constant in code.co_consts:
            if isinstance(constant, types.CodeType):
                self._code(constant, names)
            else:
                self.data(describe(constant))
        for name in code.co_names:
            self.data(name)
            if name in names:
                value = names[name]
                self.visit(value)
                if isinstance(value, types.ModuleType) and not _is_fixed(value.__name__):
                    for (
                        attribute
                    ) in code.co_names:  # helpers.f: both names are here, which belongs to which is not
                        if attribute in vars(value):
                            self.visit(vars(value)[attribute])


@functools.cache
def _is_fixed(module_name: str) -> bool:
    """True for the standard library, NumPy, Numba and Plyforge: known by version, or digested as a whole."""
    top = module_name.partition(".")[0]
    return top in FIXED or top in sys.stdlib_module_names


def local_modules(thing: type | types.FunctionType) -> dict[str, types.ModuleType]:
    """The modules whose plain functions the rules may call: the rules' own, and what those import locally."""
    found: dict[str, types.ModuleType] = {}
    owners = thing.__mro__ if isinstance(thing, type) else (thing,)
    for owner in owners:
        module = sys.modules.get(owner.__module__)
        if module is not None:
            _collect_local_modules(module, found)
    return found


def _collect_local_modules(module: types.ModuleType, found: dict[str, types.ModuleType]) -> None:
    if module.__name__ in found or _is_installed(module):
        return
    found[module.__name__] = module
    for value in list(vars(module).values()):
        mentioned = value if isinstance(value, types.ModuleType) else None
        if mentioned is None and isinstance(value, (type, types.FunctionType)):
            mentioned = sys.modules.get(value.__module__)
        if mentioned is not None and mentioned is not module:
            _collect_local_modules(mentioned, found)


def _is_installed(module: types.ModuleType | None) -> bool:
    """True for the standard library, installed packages and Plyforge itself: not the rules' author's."""
    if module is None:
        return False
    if module.__name__ == "__main__":
        return False
    file = getattr(module, "__file__", None)
    if file is None:
        return True
    return not is_local_file(file)


def is_local_file(file: str) -> bool:
    """True for a source file that is neither Plyforge's, nor installed, nor the standard library's."""
    path = Path(file).resolve()
    return path.suffix == ".py" and not any(path.is_relative_to(root) for root in _installed_roots())


@functools.cache
def _installed_roots() -> tuple[Path, ...]:
    paths = sysconfig.get_paths()
    roots = {Path(paths[key]).resolve() for key in ("stdlib", "platstdlib", "purelib", "platlib")}
    return (PACKAGE, *sorted(roots))
