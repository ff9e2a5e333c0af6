"""Say in words why rules could not be compiled: which function, which line, what to write instead.

The compiler's own message speaks of pipelines and type inference, thirty lines of it. Here each of the game's
functions is compiled alone, in the order in which they depend on each other; the first that fails
is the one to name, and the last line of the rules that the compiler mentions is the line.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from numba import types

from plyforge.kernel.compiler import ConstantType, NoRecursion, OneSignature, _inlined
from plyforge.kernel.constant import local_modules

ADVICE: tuple[tuple[str, str], ...] = (
    (r"GET_YIELD_FROM_ITER|yield from", "it uses `yield from`: write the loop, `for x in ...: yield x`"),
    (r"OverloadSelector", "it uses a Constant that is a global: make it a field of the game"),
    (
        r"function getitem>[\s\S]*slice",
        "it cuts a tuple with a slice: build the tuple item by item, or pack it in an int",
    ),
    (r"'_replace'", "_replace is not known to compiled code: write the new state out, field by field"),
    (r"call each other, which", "two functions call each other: write them as one kernel that calls itself"),
    (r"genexpr", "it uses a generator expression, as in any(... for ...): write the loop out"),
    (
        r"Cannot unify (.+?) and (.+?) for '([^'.]+)",
        "the variable '{2}' is a {0} on one path and a {1} on another: give it one type "
        "(0.0 instead of 0, a tuple of one length)",
    ),
    (
        r"Can't unify return type from the following types: (.+)",
        "it returns different types on different paths ({0}): return the same type everywhere",
    ),
    (
        r"Untyped global name '(super)'",
        "'{0}()' has no compiled form: name the parent's method as a method of its own "
        "(`inherited = Parent.method`) and call that",
    ),
    (
        r"[Uu]nknown attribute '?(\w+)'? of type (.+)",
        "'.{0}' is not known for a {1} in compiled code",
    ),
    (
        r"(?:Untyped global name|NameError: name) '?(\w+)'?",
        "the name '{0}' stands for something that has no compiled form: use numbers, tuples, NumPy arrays "
        "and plain functions defined in the rules file",
    ),
    (
        r"(?:list|reflected list|set)\((.+?)\)",
        "it builds a list or set: use tuples, or bits in an int, instead",
    ),
    (r"DictType|dict", "it uses a dict: use tuples, or bits in an int, instead"),
    (
        r"try.*except|[Uu]nsupported use of exception|[Ee]xception object",
        "it uses try/except or raises with computed text: test first instead",
    ),
    (r"unicode_type|str\b", "it works with text: keep text in format_state, format_action and show"),
    (
        r"lambda|closure|make_function",
        "it defines a function inside a function, or uses any(... for ...): write the loop out, or define the function in the module",
    ),
    (
        r"float64.*uint64|uint64.*int64|int64.*uint64",
        "it mixes uint64 with plain ints: wrap the ints as np.uint64(...)",
    ),
)


def explain(error: Exception, args: tuple[Any, ...]) -> str:
    """One or two sentences about `error`, which came from compiling a kernel for `args`."""
    game = next((a for a in args if hasattr(a, "actions") and hasattr(a, "result")), None)
    if game is None:
        return _first_line(error)
    state = next((a for a in args if isinstance(a, tuple)), game.start())
    for name, attempt in _attempts(game, state):
        try:
            attempt()
        except _Differs as found:
            return f"{type(game).__name__}.{name}{_definition(game, name)} can't be compiled: {found}"
        except Exception as found:  # the compiler has errors of many kinds
            place = _line_in(game, str(found)) or _definition(game, name)
            return f"{type(game).__name__}.{name}{place} can't be compiled: {_advice(found)}"
    if _cause(error, OneSignature) or _cause(error, NoRecursion):
        return _first_line(error)
    place = _line_in(game, str(error))
    return f"{type(game).__name__}{place} can't be compiled: {_advice(error)}"


class _Differs(Exception):
    """Two functions disagree about a type."""


def _attempts(game: Any, state: Any) -> Iterator[tuple[str, Any]]:
    from numba import typeof

    game_type: ConstantType = typeof(game)
    state_type = types.unliteral(typeof(state))
    cls = type(game)

    def compile_one(name: str, *more: Any) -> Any:
        dispatcher = _inlined(inspect.getattr_static(cls, name))
        dispatcher.compile((game_type, *more))
        return dispatcher.overloads[(game_type, *more)].signature.return_type

    def state_from_start() -> None:
        try:
            given = compile_one("start")
        except Exception:  # no search compiles it: it may do what it likes
            return
        if given != state_type:
            raise _Differs(_difference("it gives", given, "the state that came in is", state_type))

    def result_keeps_type() -> None:
        action = compile_one("actions", state_type)
        action = getattr(action, "yield_type", None) or getattr(action, "dtype", None)
        if action is None:
            raise _Differs("actions gives something that is not a generator: write `yield action` in a loop")
        given = compile_one("result", state_type, types.unliteral(action))
        if given != state_type:
            raise _Differs(_difference("it gives", given, "but was given", state_type))

    yield "player", lambda: compile_one("player", state_type)
    yield "terminal", lambda: compile_one("terminal", state_type)
    yield "utility", lambda: compile_one("utility", state_type)
    yield "actions", lambda: compile_one("actions", state_type)
    yield "result", result_keeps_type
    yield "start", state_from_start
    for name in ("chance", "evaluate", "count", "key"):
        yield name, lambda name=name: compile_one(name, state_type)


def _difference(first: str, one: Any, second: str, other: Any) -> str:
    fields = getattr(one, "fields", ())
    for field, left, right in zip(
        fields, getattr(one, "types", ()), getattr(other, "types", ()), strict=False
    ):
        if left != right:
            return f"{first} a state whose field '{field}' is {left}, {second} one where it is {right}: make them the same"
    return f"{first} {one}, {second} {other}: make them the same type"


def _line_in(game: Any, text: str) -> str:
    """The last line of the rules' own files that the message mentions."""
    own = {
        Path(module.__file__).resolve() for module in local_modules(type(game)).values() if module.__file__
    }
    own |= {Path(f).resolve() for f in _source_files(type(game))}
    found = ""
    mentions = re.findall(r'File "([^"]+)", line (\d+)|(?:at|from) (\S+\.py) \((\d+)\)', text)
    for file, line in ((a or c, b or d) for a, b, c, d in mentions):
        path = Path(file).resolve()
        if path in own or any(path.name == mine.name for mine in own):
            found = f" ({path.name}, line {line})"
    return found


def _definition(game: Any, name: str) -> str:
    code = getattr(inspect.getattr_static(type(game), name, None), "__code__", None)
    return f" ({Path(code.co_filename).name}, line {code.co_firstlineno})" if code else ""


def _source_files(cls: type) -> Iterator[str]:
    for base in cls.__mro__[:-1]:
        try:
            yield inspect.getsourcefile(base) or ""
        except TypeError:
            continue


def _advice(error: Exception) -> str:
    text = _readable(str(error))
    for pattern, advice in ADVICE:
        match = re.search(pattern, text)
        if match:
            return advice.format(*(_plain(group) for group in match.groups()))
    return _first_line(error)


def _first_line(error: Exception) -> str:
    for line in map(str.strip, _readable(str(error)).splitlines()):
        if line and not line.startswith(("Failed in nopython", "During:", "-")):
            return line
    return type(error).__name__


def _readable(text: str) -> str:
    """Without colours, and with a Constant's class name in place of its fingerprint."""
    text = re.sub(r"\x1b\[[0-9;]*m", "", text)
    return re.sub(r"[\w.]*?(\w+)\([^\n]*?\)#[0-9a-f]{16}", r"\1", text)


def _plain(text: str) -> str:
    return text.replace("Literal[int]", "int ").replace("int64", "int").replace("float64", "float").strip()


def _cause(error: BaseException | None, kind: type) -> bool:
    while error is not None:
        if isinstance(error, kind) or kind.__name__ in type(error).__name__:
            return True
        error = error.__cause__ or error.__context__
    return False
