"""What compiled code was made of: everything of Plyforge's own that a kernel can reach, and nothing else.

From a kernel and the types of its arguments this goes to every function that may be compiled, or run while compiling:
along the names that code says (globals, attributes of modules), closures, defaults, the bodies that the compiler has
for primitives, the classes of Constants and what they have as attributes. Of a class only those members are looked at
whose names some reached code says: nobody else can ask for them. So a game's rules are reached, and its notation and
its pictures are not.

Of what is reached, three things count: the whole text of each file that a reached function or class stands in; the
code of each reached function as it is in memory; the values of data (numbers, tables, weights, the layout of records).
All of `kernel/` counts always: it is the compiler's own part, and is found by no name.

Invariant: what is compiled stands in a counted file. Too much may be counted, never too little;
`tests/kernel/compiling/test_reach.py` compares with what Numba has in fact compiled.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import importlib
import itertools
import re
import sys
import time
import types
import uuid
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import types as numba_types
from numba.core.dispatcher import Dispatcher
from numba.core.extending import _Intrinsic
from numba.core.registry import cpu_target

from plyforge.kernel.constant import IMPORTED, PACKAGE, Constant, describe
from plyforge.kernel.function import NEVER_COMPILED, Choice, Kernel
from plyforge.kernel.run_time import arrays_of
from plyforge.kernel.storage.fill import PREFIX

KERNEL = PACKAGE / "kernel"
IN_KERNEL = f"{PACKAGE.name}.kernel."
FOREVER = ("numpy", "numba", "llvmlite", "builtins")
"""Packages that are known by their versions."""
WORDS = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)*")
"""Texts that may be names: of a hook, or the way to it (`"history.rule_draw"`)."""
ADDRESSES = "_addresses"
"""Where a Constant's arrays are, in this process."""
SIMPLE = (bool, int, float, complex, str, bytes, type(None), type(Ellipsis))


@functools.cache
def _is_fixed(module: str) -> bool:
    top = module.partition(".")[0]
    return top in FOREVER or top in sys.stdlib_module_names


@functools.cache
def file_of(module: str) -> Path | None:
    """The file of one of Plyforge's own modules."""
    if module.partition(".")[0] != PACKAGE.name:
        return None
    file = getattr(sys.modules.get(module), "__file__", None)
    return None if file is None else Path(file).resolve()


class Reach:
    """All that was reached from what was visited."""

    def __init__(self) -> None:
        self.files: set[Path] = set()
        self.facts: set[str] = set()
        self.names: set[str] = set()
        self._numbers: dict[int, tuple[str, Any]] = {}
        """What was visited, by its place in memory: its number, and itself, so that nothing else gets the place."""
        self._waiting: dict[str, list[tuple[str, Any]]] = defaultdict(list)
        """Members whose names nobody has said yet; of a Constant's property, the Constant that it is asked of."""
        self._to_do: list[tuple[str, Any]] = []

    def visit(self, value: Any, label: str = "") -> None:
        """Take in a value, and whatever it reaches."""
        self._to_do.append((label, value))
        while self._to_do:
            self._visit(*self._to_do.pop())

    # ------------------------------------------------------------------ kinds of values
    def _later(self, value: Any, label: str) -> None:
        self._to_do.append((label, value))

    def _visit(self, label: str, value: Any) -> None:
        """`label` says where the value was found. What stands in several places has a number: which place leads to
        which is a fact, too."""
        if isinstance(value, SIMPLE):
            self.facts.add(f"{label}={value!r}")
        elif isinstance(value, types.ModuleType):
            pass  # the code that says its name says those of its attributes, too
        elif isinstance(value, (np.ndarray, np.generic)):
            self.facts.add(f"{label}={describe(value)}")
        elif isinstance(value, np.dtype):
            self.facts.add(f"{label}={value.str}{value.descr if value.names else ''}{value.itemsize}")
        elif isinstance(value, numba_types.Type):
            self._type(value, label)
        elif isinstance(value, (tuple, set, frozenset)):
            self._container(value, label)
        else:
            number, is_new = self._number(value)
            self.facts.add(f"{label}->{number}")
            if is_new:
                self._numbered(value, number)

    def _number(self, value: Any) -> tuple[str, bool]:
        """The number of a thing, in the order in which things are met, and whether it is new."""
        if id(value) in self._numbers:
            return self._numbers[id(value)][0], False
        number = f"#{len(self._numbers)}"
        self._numbers[id(value)] = (number, value)
        return number, True

    def _numbered(self, value: Any, number: str) -> None:
        if isinstance(value, types.FunctionType):
            self._function(value, number)
        elif isinstance(value, type):
            self._class(value, number)
        elif isinstance(value, Kernel):
            self._bodies(value, number)
            self._later(value.function, number)
            if isinstance(value, Choice):
                self._later(value.otherwise, f"{number} otherwise")
                self._trait(value.trait, f"{number} trait")
        elif isinstance(value, Constant):
            self._constant(value, number)
        elif isinstance(value, (list, dict)):
            self._container(value, number)
        else:
            self._other(value, number)

    def _other(self, value: Any, label: str) -> None:
        kind = type(value)
        fixed = _is_fixed(kind.__module__)
        said = str(value) if isinstance(value, ir.Type) else getattr(value, "__name__", "") if fixed else ""
        self.facts.add(f"{label}:{kind.__module__}.{kind.__qualname__} {said}")
        inside = _inside(value)
        for place, found in enumerate(inside):
            self._later(found, f"{label}[{place}]")
        if not inside and not fixed:
            self._later(kind, f"{label} class")
            for name, found in list(getattr(value, "__dict__", {}).items()):
                self._later(found, f"{label}.{name}")

    def _trait(self, trait: Any, label: str) -> None:
        if isinstance(trait, str):
            self._say(trait)
        self._later(trait, label)

    def _container(self, value: Any, label: str) -> None:
        if _is_simple(value):
            text = repr(sorted(map(repr, value)) if isinstance(value, (set, frozenset)) else value)
            self.facts.add(f"{label}={hashlib.sha256(text.encode()).hexdigest()}")
            return
        items = itertools.chain(value, value.values()) if isinstance(value, dict) else iter(value)
        if isinstance(value, (set, frozenset)):  # an order of their own they have not
            items = iter(sorted(value, key=lambda item: f"{type(item)}{getattr(item, '__qualname__', '')}"))
        for place, item in enumerate(items):
            self._later(item, f"{label}[{place}]")

    def _type(self, kind: Any, label: str) -> None:
        """The type of an argument, or one that a primitive names."""
        instance = getattr(kind, "instance", None)
        if isinstance(instance, Constant):
            self._later(instance, label)
            return
        if isinstance(kind, numba_types.Dispatcher):
            self._later(kind.dispatcher.py_func, label)
            return
        if isinstance(kind, numba_types.Function):
            self._later(kind.typing_key, label)
            return
        self.facts.add(f"{label}:{kind}")
        for place, inner in enumerate(getattr(kind, "types", ())):
            self._later(inner, f"{label}[{place}]")
        cls = getattr(kind, "instance_class", None)
        if cls is not None:
            self._later(cls, f"{label} class")

    # ------------------------------------------------------------------ code
    def _bodies(self, function: Any, label: str) -> None:
        """The bodies that the compiler has in place of a function's own, whoever gave them."""
        found = cpu_target.typing_context._lookup_global(function)
        bodies = [getattr(template, "_overload_func", None) for template in getattr(found, "templates", ())]
        ours = [body for body in bodies if body is not None and not _is_fixed(body.__module__)]
        for place, body in enumerate(sorted(ours, key=lambda body: (body.__module__, body.__qualname__))):
            self._later(body, f"{label} body {place}")

    def _function(self, function: types.FunctionType, label: str) -> None:
        self._bodies(function, label)
        module = function.__module__ or ""
        self.facts.add(f"{label} is {module}.{function.__qualname__}")
        if _is_fixed(module):
            return
        self._file(module)
        self._later(function.__defaults__, f"{label}()")
        self._later(function.__kwdefaults__, f"{label}(*)")
        for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
            try:
                self._later(cell.cell_contents, f"{label}<{name}>")
            except ValueError:
                self.facts.add(f"{label}<{name}> is empty")
        inner = getattr(function, "__wrapped__", None)
        if inner is not None:
            self._later(inner, f"{label} wrapped")
        self._code(function.__code__, function.__globals__, label)

    def _code(self, code: types.CodeType, names: dict[str, Any], label: str) -> None:
        said = hashlib.sha256(code.co_code)
        for constant in code.co_consts:
            if isinstance(constant, types.CodeType):
                self._code(constant, names, f"{label}/{constant.co_name}")
            else:
                said.update(f"{describe(constant)}\0".encode())
                if isinstance(constant, str) and len(constant) < 80 and WORDS.fullmatch(constant):
                    self._say(constant)
        said.update(repr((code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars)).encode())
        self.facts.add(f"{label}#{said.hexdigest()}")
        in_kernel = str(names.get("__name__")).startswith(IN_KERNEL)
        for name in code.co_names:
            self._say(name)
            value = names.get(name, _ABSENT)
            if value is _ABSENT and name.partition(".")[0] == PACKAGE.name:
                value = _imported(name, code.co_names)
            if isinstance(value, types.ModuleType):
                self._module(value, code.co_names, set())
            elif value is not _ABSENT and (not in_kernel or isinstance(value, CODE)):
                self._later(value, f"{names.get('__name__')}.{name}")

    def _module(self, module: types.ModuleType, said: tuple[str, ...], seen: set[str]) -> None:
        """A module that code names: any of its attributes may be meant whose names the code says, too."""
        if _is_fixed(module.__name__) or module.__name__ in seen:
            return
        seen.add(module.__name__)
        for name in said:
            value = getattr(module, name, _ABSENT)
            if isinstance(value, types.ModuleType):
                self._module(value, said, seen)
            elif value is not _ABSENT:
                self._later(value, f"{module.__name__}.{name}")

    def _say(self, words: str) -> None:
        """Some code says a name: members that were waiting for it are reached."""
        for word in words.split("."):
            name = word.removeprefix(PREFIX)
            if name not in self.names:
                self.names.add(name)
                for label, member in self._waiting.pop(name, ()):
                    self._member(name, label, member)

    def _file(self, module: str) -> None:
        file = file_of(module)
        if file is not None:
            self.files.add(file)

    # ------------------------------------------------------------------ classes and Constants
    def _class(self, cls: type, label: str) -> None:
        for place, base in enumerate(cls.__mro__):
            number, is_new = self._number(base)
            self.facts.add(f"{label} base {place}->{number}")
            if (is_new or base is cls) and not _is_fixed(base.__module__):
                self._members(base, number)
            else:
                self.facts.add(f"{number} is {base.__module__}.{base.__qualname__}")

    def _members(self, cls: type, label: str) -> None:
        self._file(cls.__module__)
        self.facts.add(f"{label} is {cls.__module__}.{cls.__qualname__}{getattr(cls, '_fields', '')}")
        # a Constant was made before, and is known by its fields and by the values of its properties
        skipped = (property, functools.cached_property) if issubclass(cls, Constant) else ()
        for name, member in list(vars(cls).items()):
            if name in NOT_ASKED or isinstance(member, (*DESCRIPTORS, *skipped)):
                continue
            if getattr(member, NEVER_COMPILED, False) or (skipped and name in MAKING):
                continue
            self._wait(name, label, member)

    def _constant(self, constant: Constant, label: str) -> None:
        cls = type(constant)
        self._later(cls, f"{label} class")
        for name, array in arrays_of(constant).items():  # of what is given at run time, kind and shape alone count
            self.facts.add(f"{label}.{name}:{array.dtype.str}{array.shape}")
        given = {*cls._run_time, ADDRESSES}
        for name, value in list(vars(constant).items()):
            if name not in given and not isinstance(getattr(cls, name, None), functools.cached_property):
                self._later(value, f"{label}.{name}")
        for base in cls.__mro__:
            for name, member in vars(base).items():
                if name not in given and isinstance(member, (property, functools.cached_property)):
                    self._wait(name, label, _Property(constant))

    def _wait(self, name: str, label: str, member: Any) -> None:
        if name in self.names or (name.startswith("__") and name.endswith("__")):
            self._member(name, label, member)
        else:
            self._waiting[name].append((label, member))

    def _member(self, name: str, label: str, member: Any) -> None:
        if not isinstance(member, _Property):
            self._later(member, f"{label}.{name}")
            return
        try:
            value = getattr(member.of, name)
        except Exception as error:  # a property that fails does so again where it is used
            self.facts.add(f"{label}.{name}!{type(error).__name__}")
        else:
            self._later(value, f"{label}.{name}")


class _Property:
    """Whose property is to be asked for."""

    def __init__(self, of: Constant) -> None:
        self.of = of


_ABSENT = object()
CODE = (types.FunctionType, type, Kernel)
"""What of the kernel layer's globals leads anywhere: its data is in its text, or comes and goes while it works."""
TEXTS = ("__repr__", "__str__", "__format__")
OF_CLASSES = (
    "__doc__",
    "__module__",
    "__dict__",
    "__weakref__",
    "__annotations__",
    "__qualname__",
    "__slots__",
)
OF_DATA_CLASSES = ("__match_args__", "__dataclass_fields__", "__dataclass_params__", "_field_defaults")
OF_ABSTRACT_CLASSES = ("_abc_impl", "__abstractmethods__", "__parameters__", "__orig_bases__")
OF_PYTHON = ("__reduce__", "__getstate__", "__setstate__", "__init_subclass__")
NOT_ASKED = frozenset((*TEXTS, *OF_CLASSES, *OF_DATA_CLASSES, *OF_ABSTRACT_CLASSES, *OF_PYTHON))
"""What compiled code never asks a class for; for all else that has two underscores it need not say a name."""
MAKING = frozenset(("__init__", "__new__", "__post_init__"))
DESCRIPTORS = (types.GetSetDescriptorType, types.MemberDescriptorType, types.WrapperDescriptorType)


def _inside(value: Any) -> tuple[Any, ...]:
    """What a thing that stands for functions stands for."""
    if isinstance(value, (staticmethod, classmethod)):
        return (value.__func__,)
    if isinstance(value, types.MethodType):
        return value.__func__, value.__self__
    if isinstance(value, property):
        return (value.fget,)
    if isinstance(value, functools.cached_property):
        return (value.func,)
    if isinstance(value, functools.partial):
        return value.func, value.args, value.keywords
    if isinstance(value, functools._lru_cache_wrapper):
        return (value.__wrapped__,)
    if isinstance(value, Dispatcher):
        return (value.py_func,)
    if isinstance(value, _Intrinsic):
        return (value._defn,)
    return ()


def _imported(name: str, said: tuple[str, ...]) -> Any:
    """A module that a function imports inside, with those of its modules that it may mean."""
    with contextlib.suppress(ImportError):
        module = importlib.import_module(name)
        for folder in getattr(module, "__path__", ()):
            for inner in said:
                if (Path(folder) / f"{inner}.py").is_file():
                    importlib.import_module(f"{name}.{inner}")
        return module
    return _ABSENT


def _is_simple(value: Any) -> bool:
    if isinstance(value, dict):
        return _is_simple(tuple(value)) and _is_simple(tuple(value.values()))
    return all(isinstance(item, SIMPLE) or (isinstance(item, tuple) and _is_simple(item)) for item in value)


# ------------------------------------------------------------------ digests
def reached(function: Any, kinds: Any) -> Reach:
    """What a kernel reaches that is compiled for arguments of these types."""
    cpu_target.target_context.refresh()  # all bodies that primitives have are known
    found = Reach()
    found.visit(function)
    for number, kind in enumerate(kinds):
        found.visit(kind, f"argument {number}")
    return found


def digest(function: Any, kinds: Any) -> str:
    """A digest of all that the compiled code of a kernel depends on, as far as it is Plyforge's."""
    found = reached(function, kinds)
    said = hashlib.sha256()
    for file in sorted(found.files | set(_kernel_files())):
        said.update(f"{file.relative_to(PACKAGE).as_posix()}\0{_text_digest(file)}\0".encode())
    for fact in sorted(found.facts):
        said.update(fact.encode() + b"\0")
    return said.hexdigest()[:32]


@functools.cache
def _kernel_files() -> tuple[Path, ...]:
    return tuple(KERNEL.rglob("*.py"))


@functools.cache
def _text_digest(file: Path) -> str:
    """Of a file that was written since Plyforge was imported nobody knows whether it is what is in memory: what is
    compiled then is for this process only."""
    try:
        if IMPORTED < file.stat().st_mtime_ns <= time.time_ns():
            return uuid.uuid4().hex
        return hashlib.sha256(file.read_bytes()).hexdigest()
    except OSError:
        return "unread"


__all__ = ["Reach", "digest", "reached"]
