"""Constants: objects that the compiler sees as part of the *type*.

A game, an evaluation, a watcher, an opponent's policy: each is a `Constant`. In compiled code its fields
are literals and its methods are resolved and inlined, so an abstraction costs nothing. Interpreted,
it is an ordinary object.

Invariant: two Constants with equal fingerprints compile to the same machine code. So a fingerprint describes what would
be compiled, as it is in memory now: the values of all attributes and properties, and the bytecode of every function
that the methods can reach, with the constants, defaults, closures and globals that it names. Not the text on disk: that
may have been edited since. An instance's fingerprint is kept, together with everything that was read to find it, and is
good for as long as all of that is still the same object: a helper defined again in a notebook is seen at the next call.
Only the standard library, NumPy, Numba and Plyforge itself are taken as fixed (the versions, and what is reached of
Plyforge's own sources, are part of the names of files on disk, see `cache.py` and `reach.py`). What a class says is
given at run time (`_run_time`, see `run_time.py`) is left out, but for the kinds and shapes of arrays.
"""

from __future__ import annotations

import functools
import hashlib
import inspect
import sys
import sysconfig
import time
import types
import weakref
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, ClassVar

from plyforge.kernel.run_time import addresses_of, arrays_of

PACKAGE = Path(__file__).resolve().parent.parent
IMPORTED = time.time_ns()
"""When Plyforge was imported: what was written later may not be what is in memory."""
FIXED = ("numpy", "numba", "plyforge", "builtins")
"""Packages whose code is known by their version, or by a digest of its own."""


class Constant:
    """Base of everything that the compiler may treat as fixed. Subclass it as a frozen dataclass."""

    worth_compiling: bool = True
    """False: run interpreted unless asked otherwise (a tree of a dozen nodes)."""
    machine_words: bool = False
    """True: whole numbers are meant as machine words of 64 bits. Rules and the functions of their file are then
    compiled as they are written, without the checks that make compiled code give what Python gives: `1 << 70` wraps
    around, an index out of range is not noticed. It is up to the rules that nothing leaves 64 bits; `check` compares
    both speeds. Plyforge's own games mean it, and need not say it."""
    _run_time: ClassVar[tuple[str, ...]] = ()
    """Attributes that are no part of the type; those that are arrays are behind addresses."""

    @property
    def _addresses(self) -> tuple[int, ...]:
        """Where its arrays are that compiled code gets at run time."""
        return addresses_of(self)

    def fingerprint(self) -> str:
        """A text that is equal for two Constants exactly if they compile to the same code."""
        kept = _kept.get(id(self))
        if kept is not None and kept[0]() is self and kept[2].still_hold():
            return kept[1]
        reads = Reads()
        text = _fingerprint(self, reads)
        number = id(self)
        kept_ones = _kept  # at the end of the process the module's names are gone before the last Constants
        _kept[number] = (weakref.ref(self, lambda _: kept_ones.pop(number, None)), text, reads)
        return text


def defines(constant: Constant, name: str) -> bool:
    """True if a class gives a body of its own to what its root only has a default for.

    In compiled code this is known while compiling, and costs nothing.
    """
    cls = type(constant)
    bodies = [vars(base)[name] for base in cls.__mro__ if name in vars(base)]
    return bodies[0] is not bodies[-1]


class Reads:
    """What a fingerprint was made from, so that it can be told in microseconds whether it still holds."""

    def __init__(self) -> None:
        self._names: list[tuple[Mapping[str, Any], str, Any]] = []
        self._sizes: list[tuple[Mapping[str, Any], int]] = []
        self._functions: list[tuple[types.FunctionType, Any]] = []
        self._cells: list[tuple[Any, Any]] = []
        self._data: list[tuple[Any, str]] = []

    def name(self, space: Mapping[str, Any], name: str) -> None:
        """A name was looked up, and may have been found or not."""
        self._names.append((space, name, space.get(name, _ABSENT)))

    def space(self, space: Mapping[str, Any]) -> None:
        """All names of a class or an object were looked at."""
        self._sizes.append((space, len(space)))
        for name in space:
            self.name(space, name)

    def function(self, function: types.FunctionType) -> None:
        self._functions.append((function, _state_of(function)))
        for cell in function.__closure__ or ():
            self._cells.append((cell, _content(cell)))

    def data(self, value: Any, text: str) -> None:
        """A value was described; one that can change is described again each time."""
        if not _never_changes(value):
            self._data.append((value, text))

    def still_hold(self) -> bool:
        """True if reading everything again would give the same."""
        for space, name, value in self._names:
            if space.get(name, _ABSENT) is not value:
                return False
        for space, size in self._sizes:
            if len(space) != size:
                return False
        for function, state in self._functions:
            if any(now is not then for now, then in zip(_state_of(function), state, strict=True)):
                return False
        for cell, content in self._cells:
            if _content(cell) is not content:
                return False
        return all(describe(value) == text for value, text in self._data)


_ABSENT = object()
_kept: dict[int, tuple[weakref.ref[Constant], str, Reads]] = {}
"""By the place of a Constant in memory, which is another's once it is gone: the Constant, its fingerprint and what
that was made from."""


def _fingerprint(constant: Constant, reads: Reads) -> str:
    cls = type(constant)
    fields = []
    for name, value in sorted(vars(constant).items()):
        is_kept = isinstance(inspect.getattr_static(cls, name, None), functools.cached_property)
        if not is_kept and name not in cls._run_time:
            fields.append(f"{name}={describe(value, reads)}")
            reads.name(vars(constant), name)
    fields += [f"{name}:{array.dtype}{array.shape}" for name, array in arrays_of(constant).items()]
    digest = Digest(reads)
    digest.visit(cls)
    for name in _computed(cls):
        try:
            digest.data(f"{name}={describe(getattr(constant, name), reads)}")
        except Exception as error:  # a property that fails does so again where it is used
            digest.data(f"{name}!{type(error).__name__}")
    return f"{cls.__module__}.{cls.__qualname__}({', '.join(fields)})#{digest.text()}"


def _state_of(function: types.FunctionType) -> tuple[Any, Any, Any]:
    """What of a function can be exchanged in place, as tools do that load modules again."""
    return function.__code__, function.__defaults__, function.__kwdefaults__


def _content(cell: Any) -> Any:
    try:
        return cell.cell_contents
    except ValueError:
        return _ABSENT


def _never_changes(value: Any) -> bool:
    if isinstance(value, tuple):
        return all(_never_changes(item) for item in value)
    return isinstance(value, (bool, int, float, complex, str, bytes, type(None)))


def _computed(cls: type[Constant]) -> Iterator[str]:
    """The names of a class's properties: their values are compiled in."""
    for base in cls.__mro__:
        if not _is_fixed(base.__module__):
            for name, member in vars(base).items():
                if isinstance(member, (property, functools.cached_property)) and name not in cls._run_time:
                    yield name


def describe(value: Any, reads: Reads | None = None) -> str:
    """A text of a value that is equal for equal values, whatever the process."""
    if isinstance(value, types.FunctionType):
        return f"{value.__qualname__}#{source_digest(value, reads)}"
    text = _description(value)
    if reads is not None:
        reads.data(value, text)
    return text


def _description(value: Any) -> str:
    if isinstance(value, Constant):
        return value.fingerprint()
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
    """A digest of all of Plyforge's own sources and weights. What compiled code depends on is less: see `reach.py`."""
    digest = hashlib.sha256()
    kinds = ("*.py", "*.json", "*.npz")
    for path in sorted(path for kind in kinds for path in PACKAGE.rglob(kind)):
        digest.update(str(path.relative_to(PACKAGE)).encode() + b"\0")
        digest.update(path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


def source_digest(thing: Any, reads: Reads | None = None) -> str:
    """A digest of a class or function and of everything that it can reach, outside the fixed packages."""
    digest = Digest(reads)
    digest.visit(thing)
    return digest.text()


class Digest:
    """Walks from a class or function over all that it names, each thing once."""

    def __init__(self, reads: Reads | None = None) -> None:
        self._hash = hashlib.sha256()
        self._seen: set[int] = set()
        self._reads = Reads() if reads is None else reads

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
            self.data(describe(value, self._reads))

    def _class(self, cls: type) -> None:
        self.data(f"{cls.__qualname__}{getattr(cls, '_fields', '')}{getattr(cls, '__annotations__', '')}")
        self._reads.space(vars(cls))
        for name, member in sorted(vars(cls).items(), key=lambda item: item[0]):
            if not (name.startswith("__") and name.endswith("__")) and name not in (
                "_abc_impl",
                "_field_defaults",
            ):
                self.data(name)
                self.visit(member)

    def _function(self, function: types.FunctionType) -> None:
        self._reads.function(function)
        self.data(describe((function.__defaults__, function.__kwdefaults__), self._reads))
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
            self._reads.name(names, name)
            if name in names:
                value = names[name]
                self.visit(value)
                if isinstance(value, types.ModuleType) and not _is_fixed(value.__name__):
                    for attribute in code.co_names:  # helpers.f: both names are here, which belongs to which is not
                        self._reads.name(vars(value), attribute)
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
