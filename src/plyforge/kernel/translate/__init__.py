"""Rules as people write them, for the compiler: functions that are not Plyforge's own are translated before they are
compiled.

Plyforge's games mean machine words and say so; whoever else writes rules means Python's integers, tuples and lists.
`translated` gives a function in the words of `plyforge.kernel.exact`, in which the compiled answer is the interpreted
one, or an exception. See docs/decisions/0019.
"""

from __future__ import annotations

import ast
import copy
import hashlib
import inspect
import re
import types
from typing import Any

from numba.core import errors

from plyforge.kernel.compiling.room import CONSTANT, Room
from plyforge.kernel.constant import is_local_file
from plyforge.kernel.exact.constants import Frozen
from plyforge.kernel.exact.primitive import SAYS, Refused
from plyforge.kernel.function import Kernel
from plyforge.kernel.translate.context import NOBODY, Context
from plyforge.kernel.translate.functions import listing, recursion
from plyforge.kernel.translate.functions.scopes import parameters
from plyforge.kernel.translate.source import tree_of
from plyforge.kernel.translate.statements import growing
from plyforge.kernel.translate.translator import Refusal, Translator, located

AS_WRITTEN, FOR_KERNELS, LISTED = "as written", "for kernels", "listed"
"""The forms of a function that lists: as it is; as a generator, if it builds a list; as a list, if it is a
generator."""


class Untranslated(Refused):
    """A function that has no compiled form, with the lines that stand in the way; the message tells the first."""

    def __init__(self, function: Any, *obstacles: tuple[str, int]) -> None:
        self.function, self.obstacles = function, obstacles
        sentence, line = obstacles[0]
        file = function.__code__.co_filename
        super().__init__(sentence, f'\nFile "{file}", line {line}')


def is_foreign(function: Any) -> bool:
    """True for functions of somebody's own: neither Plyforge's, nor installed, nor the standard library's."""
    code = getattr(function, "__code__", None)
    if code is None or getattr(function, "__module__", "").partition(".")[0] == "plyforge":
        return False
    file = code.co_filename
    return file.startswith("<") or is_local_file(file)


def translated(function: Any, context: Context = NOBODY, form: str = AS_WRITTEN) -> Any:
    """The function as the compiler takes it. Raises Untranslated."""
    if not is_foreign(function):
        return function
    key = (function, form)
    if key not in context.made:
        context.made[key] = _translate(function, context, form)
    return context.made[key]


def translated_call(function: Any, context: Context) -> Kernel:
    """A function that translated rules call, translated when the compiler comes to it."""
    key = ("call", function)
    if key not in context.made:
        context.made[key] = _Later(function, context)
    made: Kernel = context.made[key]
    return made


class _Later(Kernel):
    """A helper of rules, compiled into whoever calls it."""

    def __init__(self, function: Any, context: Context) -> None:
        super().__init__(function, inlined=True)
        self.context = context

    def for_compiler(self) -> Any:
        """The function to compile."""
        return translated(self.function, self.context)


class _Helper(Kernel):
    """A comprehension that has become a function; translated already."""

    def for_compiler(self) -> Any:
        return self.function


class _Lifted(Kernel):
    """A function of a function's own, or one that counts how deep it is; translated already, or being translated."""

    def __init__(self, name: str) -> None:
        self.__name__ = self.__qualname__ = name
        self.function: Any = None
        self.inlined = True
        self.parameters: list[str] = []
        self.changed: set[str] = set()
        """Those whose lists it changes."""

    def __repr__(self) -> str:
        return f"<lifted {self.__name__}>"

    def for_compiler(self) -> Any:
        return self.function


class _RulesTranslator(Translator):
    def compiled_helper(self, tree: ast.FunctionDef, own: set[str]) -> Kernel:
        """A function of our own, with names of its own, in the same surroundings."""
        inner = _RulesTranslator(self.context, self.outside, set(own), self.this, self.where)
        inner.whole = False
        made = inner.function(tree)
        return _Helper(_built(made, inner, self.where), inlined=True)

    def declare_helper(self, name: str) -> None:
        self.outside[name] = _Lifted(name)

    def changed_parameters(self, called: ast.expr) -> tuple[list[str], set[str]]:
        value, bound = self.constant_of(called), False
        if isinstance(called, ast.Attribute) and isinstance(called.value, ast.Name) and self.this:
            if called.value.id == self.this and self.context.instance is not None:
                value = inspect.getattr_static(type(self.context.instance), called.attr, None)
                bound, value = not isinstance(value, staticmethod), getattr(value, "__func__", value)
        if isinstance(value, _Lifted):
            return value.parameters, value.changed
        value = getattr(value, "__wrapped__", value)
        if not isinstance(value, types.FunctionType) or not is_foreign(value):
            return [], set()
        key = ("changes", value)
        if key not in self.context.made:
            tree = tree_of(value)
            known = isinstance(tree, ast.FunctionDef)
            names = [arg.arg for arg in parameters(tree)] if known else []
            self.context.made[key] = names, growing.changes(tree) if known else set()
        names, changed = self.context.made[key]
        return names[1:] if bound else names, changed

    def define_helper(self, tree: ast.FunctionDef, own: set[str]) -> None:
        inner = _RulesTranslator(self.context, self.outside, set(own), self.this, self.where)
        inner.whole = False
        lifted = self.outside[tree.name]
        lifted.parameters = [arg.arg for arg in parameters(tree)]
        lifted.changed = growing.changes(tree)
        made = inner.function(tree)
        lifted.function = _built(made, inner, self.where)
        lifted.function.__plyforge_called__ = tree.name.startswith(recursion.DEEP)

    def calls_itself(self, called: ast.expr, name: str) -> bool:
        if not self.whole:
            return isinstance(called, ast.Name) and called.id == name and isinstance(self.outside.get(name), _Lifted)
        if isinstance(called, ast.Attribute) and isinstance(called.value, ast.Name) and self.this:
            if called.value.id == self.this:
                return called.attr == self.where.__name__
        value = self.constant_of(called)
        return getattr(value, "__wrapped__", value) is self.where


def _translate(function: Any, context: Context, form: str) -> Any:
    tree = tree_of(function)
    if tree is None:
        sentence = "its source can't be read, or has changed since it was loaded: keep rules in a file"
        raise Untranslated(function, (sentence, function.__code__.co_firstlineno))
    circle = recursion.circle(function, context.instance)
    if circle:
        sentence = f"{' and '.join(circle)} call each other: write them as one function that calls itself"
        raise Untranslated(function, (sentence, function.__code__.co_firstlineno))
    remembers = any("cache" in ast.unparse(each) for each in getattr(tree, "decorator_list", ()))
    if tree_has_decorators(tree):
        raise Untranslated(function, ("it has a decorator: leave it out", tree.lineno))
    if form == FOR_KERNELS and isinstance(tree, ast.FunctionDef):
        tree = listing.as_generator(copy.deepcopy(tree)) or tree
    elif form == LISTED and isinstance(tree, ast.FunctionDef):
        tree = listing.as_list(tree)
    code = function.__code__
    own = {*code.co_varnames, *code.co_cellvars, *_stored(tree)}
    this = _name_of_the_game(function, context)
    translator = _RulesTranslator(context, _outside(function), own, this, function)
    translator.remembers = remembers
    try:
        made = translator.function(tree)
    except Refusal as refusal:
        raise Untranslated(function, *refusal.obstacles) from None
    return _built(made, translator, function)


def tree_has_decorators(tree: Any) -> bool:
    """Decorators may change what a function does; a static method is known by its class."""
    names = {ast.unparse(each) for each in getattr(tree, "decorator_list", ())}
    names = {name for name in names if not name.removeprefix("functools.").startswith(("lru_cache", "cache"))}
    return bool(names - {"staticmethod", "property", "functools.cached_property", "cached_property", "override"})


def _stored(tree: ast.AST) -> set[str]:
    return {n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}


def _name_of_the_game(function: Any, context: Context) -> str:
    """What a method calls the game: its first parameter, `self`; in a companion its second, `game`. "" in any other
    function."""
    game, name = context.instance, function.__name__
    names = function.__code__.co_varnames[: function.__code__.co_argcount]
    if game is None:
        return ""
    if inspect.getattr_static(type(game), name, None) is function:
        return names[0] if names else ""
    others = (getattr(game, each, None) for each in getattr(game, "_companions", ()))
    if any(inspect.getattr_static(type(each), name, None) is function for each in others):
        return names[1] if len(names) > 1 else ""
    return ""


def _outside(function: Any) -> dict[str, Any]:
    """What names stand for that are not the function's own."""
    names = dict(function.__globals__)
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        try:
            names[name] = cell.cell_contents
        except ValueError:
            continue
    return names


def _built(tree: ast.FunctionDef, translator: Translator, function: Any) -> Any:
    """A function object of a translated tree."""
    module = ast.fix_missing_locations(ast.Module([located(tree, tree)], []))
    code = compile(module, function.__code__.co_filename, "exec")
    body = next(constant for constant in code.co_consts if isinstance(constant, types.CodeType))
    given = (*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values()) or None
    made = types.FunctionType(body, {**translator.outside, **translator.made}, tree.name, given)
    if len(given or ()) > body.co_argcount or tree.name != function.__name__:
        made.__defaults__ = None
    made.__module__ = function.__module__
    made.__qualname__ = f"{function.__qualname__}_{_digest(tree, translator)}"
    made.__plyforge_tree__ = tree  # type: ignore[attr-defined]
    return made


def _digest(tree: ast.FunctionDef, translator: Translator) -> str:
    """What a translated function does, in a word: part of its name, so that code of another one is never taken for
    it, in this process or from disk."""
    said = hashlib.sha256(f"{ast.dump(tree)}{translator.context.text}".encode())
    for name, value in translator.made.items():
        if isinstance(value, Frozen):
            said.update(f"{name}={value.value!r}\0".encode())
        else:
            inner = getattr(value, "function", value)
            said.update(f"{name}={getattr(inner, '__qualname__', inner)}\0".encode())
    return said.hexdigest()[:12]


def compile_function(function: Any) -> Any:
    """One function compiled as rules are: a callable that answers as Python does, or raises. It raises CannotCompile
    where it can't be compiled."""
    from plyforge.errors import CannotCompile

    room, compiled = Room(), _compiled_with(function, Room())

    def call(*args: Any) -> Any:
        nonlocal room, compiled
        while True:
            try:
                return compiled(*args)
            except errors.NumbaError as error:
                raise CannotCompile(_said(error)) from error
            except OverflowError as error:
                more = room.after(str(error))
                if more is None:
                    raise
                room, compiled = more, _compiled_with(function, more)

    return call


def _compiled_with(function: Any, room: Room) -> Any:
    """The function compiled with so much room for numbers."""
    from plyforge.errors import CannotCompile
    from plyforge.kernel.compiling import compiler

    context = Context(wide=room.wide, growth=room.growth, text=repr(room)) if room.wide else NOBODY
    try:
        return compiler.callable_from_python(translated(function, context))
    except errors.NumbaError as error:
        more = room.after(CONSTANT) if CONSTANT in str(error) else None
        if more is not None:
            return _compiled_with(function, more)
        raise CannotCompile(_said(error)) from error


def _said(error: Exception) -> str:
    said = re.search(rf"{SAYS}(.*)", str(error))
    return said[1] if said else str(error).replace("\n", " ")[:300]


__all__ = [
    "NOBODY",
    "Context",
    "Untranslated",
    "compile_function",
    "is_foreign",
    "translated",
    "translated_call",
]
