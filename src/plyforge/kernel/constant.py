"""Constants: objects that the compiler sees as part of the *type*.

A game, an evaluation, a watcher, an opponent's policy: each is a `Constant`. In compiled code its fields
are literals and its methods are resolved and inlined, so an abstraction costs nothing. Interpreted,
it is an ordinary object.

Invariant: two Constants with equal fingerprints compile to the same machine code. So a fingerprint
holds the fields and a digest of every source that the methods can reach: the module of the class,
the modules it imports that are not installed packages, the arrays and numbers among their globals.
(Plyforge's own sources are covered separately, by `package_digest`.)
"""

from __future__ import annotations

import dataclasses
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


class Constant:
    """Base of everything that the compiler may treat as fixed. Subclass it as a frozen dataclass."""

    def fingerprint(self) -> str:
        """A text that is equal for two Constants exactly if they compile to the same code."""
        cached: str | None = self.__dict__.get("_fingerprint")
        if cached is not None:
            return cached
        cls: Any = type(self)
        fields = ", ".join(f"{name}={describe(value)}" for name, value in _fields(self))
        text = f"{cls.__module__}.{cls.__qualname__}({fields})#{source_digest(cls)}"
        if dataclasses.is_dataclass(self) and self.__dataclass_params__.frozen:
            object.__setattr__(self, "_fingerprint", text)
        return text

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "_fingerprint"}


def _fields(constant: Constant) -> Iterator[tuple[str, Any]]:
    if dataclasses.is_dataclass(constant):
        for field in dataclasses.fields(constant):
            yield field.name, getattr(constant, field.name)
        return
    for name, value in vars(constant).items():
        if not name.startswith("_"):
            yield name, value


def describe(value: Any) -> str:
    """A text of a field's value that is equal for equal values, whatever the process."""
    if isinstance(value, Constant):
        return value.fingerprint()
    if isinstance(value, types.FunctionType):
        return f"{value.__module__}.{value.__qualname__}#{source_digest(value)}"
    if isinstance(value, tuple):
        inside = ",".join(describe(item) for item in value)
        return f"{type(value).__name__}({inside})"
    if hasattr(value, "dtype") and hasattr(value, "tobytes"):
        content = hashlib.sha256(value.tobytes()).hexdigest()[:16]
        return f"{value.dtype}{getattr(value, 'shape', ())}:{content}"
    return repr(value)


@functools.cache
def package_digest() -> str:
    """A digest of all of Plyforge's own sources: code compiled from other sources is never served."""
    digest = hashlib.sha256()
    for path in sorted(PACKAGE.rglob("*.py")):
        digest.update(str(path.relative_to(PACKAGE)).encode() + b"\0")
        digest.update(path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


@functools.cache
def source_digest(thing: Any) -> str:
    """A digest of all source outside Plyforge that `thing` (a class or a function) can reach."""
    digest = hashlib.sha256()
    owners = [base for base in thing.__mro__ if base is not object] if isinstance(thing, type) else [thing]
    modules: dict[str, types.ModuleType] = {}
    for owner in owners:
        module = sys.modules.get(owner.__module__)
        if module is None or not _collect_local_modules(module, modules):
            if not _is_installed(module):
                _update_with_code(digest, owner)
    for name in sorted(modules):
        digest.update(name.encode() + b"\0" + inspect.getsource(modules[name]).encode() + b"\0")
        for key, value in sorted(vars(modules[name]).items()):
            if not key.startswith("__") and _is_plain_data(value):
                digest.update(f"{key}={describe(value)}\0".encode())
    return digest.hexdigest()[:16]


def local_modules(thing: type | types.FunctionType) -> dict[str, types.ModuleType]:
    """The modules whose plain functions the rules may call: the rules' own, and what those import locally."""
    found: dict[str, types.ModuleType] = {}
    owners = thing.__mro__ if isinstance(thing, type) else (thing,)
    for owner in owners:
        module = sys.modules.get(owner.__module__)
        if module is not None:
            _collect_local_modules(module, found)
    return found


def _collect_local_modules(module: types.ModuleType, found: dict[str, types.ModuleType]) -> bool:
    """Add `module` and the local modules it mentions to `found`; false where there is no source to read."""
    if module.__name__ in found:
        return True
    if _is_installed(module):
        return False
    try:
        inspect.getsource(module)
    except (OSError, TypeError):
        return False
    found[module.__name__] = module
    for value in list(vars(module).values()):
        mentioned = value if isinstance(value, types.ModuleType) else None
        if mentioned is None and isinstance(value, (type, types.FunctionType)):
            mentioned = sys.modules.get(value.__module__)
        if mentioned is not None and mentioned is not module:
            _collect_local_modules(mentioned, found)
    return True


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


def _is_plain_data(value: Any) -> bool:
    return isinstance(value, (bool, int, float, str, tuple)) or (
        hasattr(value, "dtype") and hasattr(value, "tobytes")
    )


def _update_with_code(digest: Any, thing: Any) -> None:
    """Without a source file (a notebook cell, `exec`): digest the bytecode instead, and what it names."""
    seen: set[int] = set()

    def visit_code(code: types.CodeType, names: dict[str, Any]) -> None:
        digest.update(code.co_code)
        for constant in code.co_consts:
            if isinstance(constant, types.CodeType):
                visit_code(constant, names)
            else:
                digest.update(repr(constant).encode())
        for name in code.co_names:
            digest.update(name.encode())
            if name in names:
                visit(names[name])

    def visit(value: Any) -> None:
        if id(value) in seen:
            return
        seen.add(id(value))
        if isinstance(value, types.FunctionType):
            visit_code(value.__code__, value.__globals__)
        elif isinstance(value, (staticmethod, classmethod)):
            visit(value.__func__)
        elif isinstance(value, (property, functools.cached_property)):
            visit(value.fget if isinstance(value, property) else value.func)
        elif isinstance(value, type):
            for name, member in sorted(vars(value).items(), key=lambda item: item[0]):
                digest.update(name.encode())
                visit(member)
        elif _is_plain_data(value):
            digest.update(describe(value).encode())

    visit(thing)
