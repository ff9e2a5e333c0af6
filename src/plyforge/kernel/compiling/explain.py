"""Say in words why rules could not be compiled: which function, which line, what to write instead.

The compiler's own message speaks of pipelines and type inference, thirty lines of it. Here each of the game's functions
is compiled alone, in the order in which they depend on each other; of those that fail, the innermost line of the rules
that the compiler mentions is the line, and whatever else is written there that has no compiled form is told with it, so
that all can be mended at once. One may also give what the search can't take: nothing on some path, or no number.

Advice goes by what the compiler complains of, never by what else it quotes: lines of source, names of files, its other
attempts.
"""

from __future__ import annotations

import builtins
import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from numba import types

from plyforge.kernel.compiling.asked import ASKED
from plyforge.kernel.compiling.compiler import ConstantType, _inlined, may_be_nothing, method_of
from plyforge.kernel.compiling.obstacles import Obstacle, together, written_obstacles
from plyforge.kernel.compiling.resolving import NoRecursion, OneSignature
from plyforge.kernel.compiling.rules_context import as_compiled, rules_context
from plyforge.kernel.compiling.rules_context import state_type as compiled_state_type
from plyforge.kernel.constant import PACKAGE, is_local_file, local_modules
from plyforge.kernel.exact.primitive import SAYS
from plyforge.kernel.translate import NOBODY

SIX = ("player", "terminal", "utility", "actions", "result")
"""In the order in which they depend on each other."""
ALWAYS = ("chance", "evaluate", "count", "key")
"""Asked whether the rules define them or not."""
MADE_OF = "numbers, tuples, NumPy arrays and plain functions defined in the rules file"
ADVICE: tuple[tuple[str, str], ...] = (
    (r"GET_YIELD_FROM_ITER|yield from", "it uses `yield from`: write the loop, `for x in ...: yield x`"),
    (r"OverloadSelector", "it uses a Constant that is a global: make it a field of the game"),
    (
        r"exception_match|exc_class|try.*except|[Uu]nsupported use of exception|[Ee]xception object",
        "it uses try/except, which is not compiled: test first instead, with `if`",
    ),
    (r"STORE_GLOBAL|DELETE_GLOBAL", "it changes a global: what changes belongs into the state"),
    (r"opcode \(MATCH_", "`match` is compiled for numbers only: take the parts by name and compare them with `if`"),
    (r"UNPACK_EX", "it unpacks with a star, `a, *b = ...`: take the items one by one"),
    (r"IMPORT_NAME", "it imports inside a function: import at the top of the file"),
    (
        r"[Uu]nsupported opcode \((\w+)\)",
        "it uses something that has no compiled form ({0}): write it in plainer words",
    ),
    (r"context manager", "it uses `with`, which is not compiled: write what it does without it"),
    (r"Illegal IR, del found", "it uses `del`, which is not compiled: leave it out"),
    (r"Int value is too large", "a number is beyond 64 bits: keep it in two ints, or in a tuple of them"),
    (r"use of yield in a closure", "it uses a generator expression, as in any(... for ...): write the loop out"),
    (
        r"function getitem>[\s\S]*slice",
        "it cuts a tuple with a slice: build the tuple item by item, or pack it in an int",
    ),
    (
        r">>> (?:static_)?getitem\(Tuple\(|Invalid use of getiter with parameters \(Tuple\(",
        "it goes through a tuple whose items are of different types or lengths: make them all alike",
    ),
    (r">>> contains\(", "it asks for `in` of something with items of different types: compare with `==`, one by one"),
    (
        r">>> tuple\((?:reflected )?(?:list|set)",
        (
            "it makes a tuple of a list, but a tuple's length is part of its type: write the items out, or pack them in"
            " an int"
        ),
    ),
    (r">>> isinstance\(", "it asks isinstance, but compiled code knows each type beforehand: leave it out"),
    (r"'_replace'", "_replace is not known to compiled code: write the new state out, field by field"),
    (
        r"attribute '?(bit_count)'?",
        "'.{0}' is not known to compiled code: write popcount(n), `from plyforge import popcount`",
    ),
    (
        r"attribute '?(bit_length)'?",
        "'.{0}' is not known to compiled code: write highest(n) + 1 where n is not 0, `from plyforge import highest`",
    ),
    (r"call each other, which", "two functions call each other: write them as one kernel that calls itself"),
    (
        r"(?:lowering |setattr: \()(\w+).*?\.(\w+) = ",
        "it changes '.{1}' of a {0}: what changes belongs into the state, and result gives a new one",
    ),
    (
        r"Cannot bind .* to signature '[^']*\*, ",
        "it calls a function with keyword-only arguments: leave the `*` out of its parameters",
    ),
    (r"Cannot bind .* to signature '(.+?)'", "it calls a function with other arguments than it takes, which are {0}"),
    (r"expected a type instance, got \{", "it calls a function with `**` in its parameters: name each of them"),
    (
        r"Cannot unify (.+?) and (.+?) for '\$",
        "a value is {0} on one path and {1} on another: give it one type (0.0 instead of 0, a tuple of one length)",
    ),
    (
        r"Cannot unify (.+?) and (.+?) for '([^'.]+)",
        (
            "the variable '{2}' is {0} on one path and {1} on another: give it one type "
            "(0.0 instead of 0, a tuple of one length)"
        ),
    ),
    (
        r"Can't unify (return|yield) type from the following types: (.+)",
        "it {0}s different types on different paths ({1}): {0} the same type everywhere",
    ),
    (
        r"Untyped global name '(super)'",
        (
            "'{0}()' has no compiled form: name the parent's method as a method of its own "
            "(`inherited = Parent.method`) and call that"
        ),
    ),
    (
        r"attribute '?(\w+)'? of type Module\(<module '([\w.]+)'",
        "'{1}.{0}' has no compiled form: write it out with numbers, tuples and loops",
    ),
    (r"unsupported NumPy function '(?:numpy\.)?(\S+?)'", "'np.{0}' has no compiled form: write it out as a loop"),
    (r"attribute 'add' of type iter", "it builds a set with `for` inside: write the loop out"),
    (
        r">>> _(?:put|popped|updated|merged)\(lookup of constants"
        r"|attribute '?(?:setdefault|update|pop|popitem|clear)'? of type lookup of constants",
        "it changes a dict that it has written out, which compiled code has as a table: count in a list,"
        " `counts = [0] * n`, or in numbers",
    ),
    (r"[Uu]nknown attribute '?(\w+)'? of type (.+)", "'.{0}' is not known for {1} in compiled code"),
    (r"NameError: (?:global )?name '?(\w+)'?", "there is nothing called '{0}' here"),
    (
        r"Untyped global name '?(\w+)'?",
        f"the name '{{0}}' stands for something that has no compiled form: use {MADE_OF}",
    ),
    (
        r"The use of a (?:reflected )?(\w+).* type, assigned to variable '(\w+)' in globals",
        "the constant '{1}' is a {0}, which can't be one in compiled code: make it a tuple, or a NumPy array",
    ),
    (
        r"Type of variable '\$\S+' cannot be determined",
        "the type of a value in this line can't be found out, often because of `:=`: give each step a line of its own",
    ),
    (r"DictType|\bdict\(", "it uses a dict: use tuples, or bits in an int, instead"),
    (r">>> (\w+)\(.*generator\(", "it hands a generator to {0}: write the loop out"),
    (r">>> (\w+)\(.*\bkey=", "it calls {0} with `key`, which has no compiled form here: write the loop out"),
    (
        r"(?:list|reflected list|set)\((.+?)\)|[Cc]annot type empty list",
        "it builds a list or set that can't be compiled: use tuples, or bits in an int, instead",
    ),
    (r"unicode_type|Literal\[str\]|\bstr\b", "it works with text: keep text in format_state, format_action and show"),
    (
        r">>> .*\(uint64, int64\)|>>> .*\(int64, uint64\)",
        "it mixes uint64 with plain ints: wrap the ints as np.uint64(...)",
    ),
    (r">>> (\w+)(\(.*\))", "there is no compiled form of {0}{1}: write it out with numbers, tuples and loops"),
    (
        r"lambda|closure|make_function",
        "it defines a function inside a function: define it in the file, outside of the class",
    ),
)
"""What the compiler's message says, and what to say instead; the first that fits."""

SEARCHED = ("player", "terminal", "utility", "evaluate")
"""Functions whose answers a search computes with."""


def explain(error: Exception, args: tuple[Any, ...]) -> str:
    """A sentence or two about everything in the rules that led to `error`, which came from compiling a kernel for
    `args`."""
    game = next((a for a in args if hasattr(a, "actions") and hasattr(a, "result")), None)
    if game is None:
        return _first_line(error)
    state = next((a for a in args if isinstance(a, tuple)), game.start())
    given, found = _survey(game, state)
    if not found and (_cause(error, OneSignature) or _cause(error, NoRecursion)):
        return _first_line(error)
    wrong = {name: _no_number(game, name, given[name]) for name in SEARCHED if name in given}
    unfit = [Obstacle(name, _definition(game, name), why) for name, why in wrong.items() if why]
    if found or unfit:
        return together(game, found + unfit)
    place = _line_in(game, str(error))
    return f"{type(game).__name__}{place} can't be compiled: {_advice(error, game, state)}"


_surveyed: dict[tuple[str, str], tuple[dict[str, Any], list[Obstacle]]] = {}
"""What was found, by the rules and the type of their states: every kernel that can't be compiled would ask again."""


def _survey(game: Any, state: Any) -> tuple[dict[str, Any], list[Obstacle]]:
    """What each function gives that compiles alone, and what stands in the way of the others."""
    from numba import typeof

    key = (typeof(game).fingerprint, str(compiled_state_type(game, state) or typeof(state)))
    if key not in _surveyed:
        _surveyed[key] = _surveyed_now(game, state)
    return _surveyed[key]


def _surveyed_now(game: Any, state: Any) -> tuple[dict[str, Any], list[Obstacle]]:
    given: dict[str, Any] = {}
    found: list[Obstacle] = []
    context = rules_context(game)
    for hook, attempt in _attempts(game, state):
        name = hook.path
        if "action" in hook.arguments and "actions" not in given:  # what an action is, is not known
            found += [] if context is None else written_obstacles(game, (hook,), context)
            continue
        try:
            given[name] = attempt()
        except _Differs as difference:
            found.append(Obstacle(name, _definition(game, name), str(difference)))
        except Exception as complaint:  # the compiler has errors of many kinds
            place = _line_in(game, str(complaint)) or _definition(game, name)
            found.append(Obstacle(name, place, _advice(complaint, game, state)))
            found += [] if context is None else written_obstacles(game, (hook,), context)
    return given, found


class _Differs(Exception):
    """Two functions disagree about a type."""


def _attempts(game: Any, state: Any) -> Iterator[tuple[Any, Any]]:
    from numba import typeof

    game_type: ConstantType = typeof(game)
    state_type = compiled_state_type(game, state) or types.unliteral(typeof(state))

    def compile_one(hook: Any, *more: Any) -> Any:
        dispatcher, owner = method_of(game, hook)
        given = (owner, game_type, *more) if hook.companion else (owner, *more)
        dispatcher.compile(given)
        return dispatcher.overloads[given].signature.return_type

    def action_type() -> Any:
        action = compile_one(hooks["actions"], state_type)
        action = getattr(action, "yield_type", None) or getattr(action, "dtype", None)
        if action is None:
            raise _Differs("actions gives something that is not a generator: write `yield action` in a loop")
        return types.unliteral(action)

    def result_keeps_type() -> Any:
        given = compile_one(hooks["result"], state_type, action_type())
        if may_be_nothing(given):
            raise _Differs(_nothing(game, "result", given))
        if given != state_type:
            raise _Differs(_difference("it gives", given, "but was given", state_type))
        return given

    hooks = {hook.path: hook for hook in ASKED}
    for name in SIX:
        hook = hooks[name]
        yield hook, result_keeps_type if name == "result" else lambda hook=hook: compile_one(hook, state_type)
    for name, hook in hooks.items():
        if name in SIX or (name not in ALWAYS and not _is_own(hook.function_of(game))):
            continue
        if hook.arguments == ("s",):
            yield hook, lambda hook=hook: compile_one(hook, state_type)
        elif hook.arguments == ("s", "action"):
            yield hook, lambda hook=hook: compile_one(hook, state_type, action_type())


def _is_own(function: Any) -> bool:
    """True if the rules' author wrote it."""
    code = getattr(function, "__code__", None)
    return code is not None and is_local_file(code.co_filename)


def _no_number(game: Any, name: str, kind: Any) -> str:
    """What is wrong with an answer of this type; empty if it is a number, or where the rules may say so a tuple."""
    if may_be_nothing(kind):
        return _nothing(game, name, kind)
    if isinstance(kind, (types.Number, types.Boolean)):
        return ""
    if name in ("utility", "evaluate") and isinstance(kind, types.BaseTuple):
        return ""
    wanted = {"player": "a whole number", "terminal": "True or False"}.get(name, "a number")
    return f"it gives {_plain(str(kind))}: it must give {wanted}"


def _nothing(game: Any, name: str, kind: Any) -> str:
    """Which function ends without a `return`: this one, or one that it calls and whose answer it gives."""
    function, who = inspect.getattr_static(type(game), name), "it"
    seen = {function}
    while called := next((f for f in _called_by(game, function) if f not in seen and _gave_nothing(game, f)), None):
        function, who = called, f"{called.__name__}{_place(called.__code__)}, which it calls,"
        seen.add(called)
    if isinstance(kind, types.NoneType):
        return f"{who} gives nothing: write `return` before what it is to give"
    return f"{who} gives nothing on some path: end it with a `return`, or with an `else` that returns"


def _called_by(game: Any, function: Any) -> Iterator[Any]:
    """Functions of the rules that one of them names."""
    for name in function.__code__.co_names:
        called = inspect.getattr_static(type(game), name, None) or function.__globals__.get(name)
        called = called.__func__ if isinstance(called, staticmethod) else called
        if inspect.isfunction(called):
            yield called


def _gave_nothing(game: Any, function: Any) -> bool:
    compiled = _inlined(as_compiled(game, function, rules_context(game) or NOBODY))
    return any(may_be_nothing(made.signature.return_type) for made in compiled.overloads.values())


def _difference(first: str, one: Any, second: str, other: Any) -> str:
    fields = getattr(one, "fields", ())
    if len(fields) > len(getattr(one, "types", ())):
        return (
            f"it builds a {one.instance_class.__name__} without all its fields, and compiled code knows no defaults:"
            f" write all {len(fields)}"
        )
    for field, left, right in zip(fields, getattr(one, "types", ()), getattr(other, "types", ()), strict=False):
        if left != right:
            remedy = _remedy(left, right)
            return f"{first} a state whose field '{field}' is {left}, {second} one where it is {right}: {remedy}"
    return f"{first} {one}, {second} {other}: make them the same type"


def _remedy(left: Any, right: Any) -> str:
    """How a field gets one type."""
    if may_be_nothing(left) or may_be_nothing(right):
        return "use a number, such as -1, instead of None"
    if isinstance(left, types.BaseTuple) and isinstance(right, types.BaseTuple):
        return "keep its length and its items' types, which are part of a tuple's type"
    if types.uint64 in (left, right):
        return "make them the same, with each int wrapped as np.uint64(...)"
    return "make them the same"


def _line_in(game: Any, text: str) -> str:
    """The first line of the rules' own files that the message mentions: the innermost; those that called it follow."""
    own = {
        Path(str(module.__file__)).resolve()
        for module in local_modules(type(game)).values()
        if getattr(module, "__file__", None)
    }
    own |= {Path(f).resolve() for f in _source_files(type(game))}
    mentions = re.findall(r'File "([^"]+)", line (\d+)|(?:at|from) (\S+\.py) \((\d+)\)', text)
    for file, line in ((a or c, b or d) for a, b, c, d in mentions):
        path = Path(file).resolve()
        if path.is_relative_to(PACKAGE) and not path.is_relative_to(PACKAGE / "games"):
            continue
        if path in own or any(path.name == mine.name for mine in own):
            return f" ({path.name}, line {line})"
    return ""


def _definition(game: Any, path: str) -> str:
    *companion, name = path.split(".")
    owner = getattr(game, companion[0]) if companion else game
    code = getattr(inspect.getattr_static(type(owner), name, None), "__code__", None)
    return _place(code) if code else ""


def _place(code: Any) -> str:
    return f" ({Path(code.co_filename).name}, line {code.co_firstlineno})"


def _source_files(cls: type) -> Iterator[str]:
    for base in cls.__mro__[:-1]:
        try:
            yield inspect.getsourcefile(base) or ""
        except (TypeError, OSError):  # built in, or typed into a shell
            continue


def _advice(error: Exception, game: Any, state: Any) -> str:
    said = re.search(rf"{SAYS}(.*)", _readable(str(error)))
    if said:
        return said[1].strip()
    text = _complaint(str(error))
    known = _of_the_rules(text, game, state)
    if known:
        return known
    if isinstance(error, AssertionError) and not text.strip():  # of a NamedTuple that is called
        return (
            "it seems to build a NamedTuple without all its fields, and compiled code knows no defaults: write all of"
            " them, in their order"
        )
    for pattern, advice in ADVICE:
        match = re.search(pattern, text)
        if match:
            return advice.format(*(_plain(group or "") for group in match.groups()))
    return _first_line(error)


def _of_the_rules(text: str, game: Any, state: Any) -> str:
    """What the rules themselves tell about a name that the compiler does not know."""
    attribute = re.search(r"[Uu]nknown attribute '?(\w+)'? of type (\w+)", text)
    if attribute and attribute[2] == type(game).__name__:
        kind = _kind(inspect.getattr_static(game, attribute[1], None))
        return f"self.{attribute[1]} is {kind}" if kind else ""
    if attribute and attribute[2] == type(state).__name__ and not hasattr(state, attribute[1]):
        fields = ", ".join(getattr(state, "_fields", ()))
        return f"a {attribute[2]} has no field '{attribute[1]}'; it has {fields}"
    name = re.search(r"Untyped global name '?(\w+)'?", text)
    if name and name[1] == "super":
        return ""
    for module in local_modules(type(game)).values() if name else ():
        kind = _kind(vars(module).get(name[1])) if name else ""
        if kind and name:
            return f"the name '{name[1]}' stands for {kind}"
    if name and hasattr(builtins, name[1]):
        return f"'{name[1]}' has no compiled form: write it out with numbers, tuples and loops"
    return ""


def _kind(value: Any) -> str:
    """What a value is that has no compiled form, and what to make of it; empty where that is not known."""
    if isinstance(value, (list, dict, set, frozenset)):
        return f"a {type(value).__name__}, which has no compiled form there: make it a tuple, or a NumPy array"
    if isinstance(value, int) and value.bit_length() > 63:
        return "a number beyond 64 bits: keep it in two ints, or in a tuple of them"
    if isinstance(value, classmethod):
        return "a class method, which has no compiled form: make it a plain or a static method"
    if hasattr(value, "__wrapped__"):
        return "a function with a decorator, which has no compiled form: leave the decorator out"
    return ""


def _complaint(text: str) -> str:
    """A message without what it only quotes: lines of source, where they are, and what else was tried."""
    text = re.sub(r'^ *File "[^\n]*", line \d+:\n[\s\S]*?^ *\^[^\n]*$', "", _readable(text), flags=re.MULTILINE)
    text = re.sub(r"^There are \d+ candidate implementations:[\s\S]*?(?=^During:|\Z)", "", text, flags=re.MULTILINE)
    text = re.sub(r"^ *During: .*$", "", text, flags=re.MULTILINE)
    return re.sub(r"(?:location: |Raised from )\S+", "", text)


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
    """The compiler's types as Python calls them."""
    text = re.sub(r"Literal\[(\w+)\]\([^()]*\)", r"\1", text.strip())
    text = re.sub(r"OptionalType\((\w+)\)", r"\1 or None", text)
    text = re.sub(r"\b(u?int|float)64\b", lambda m: m[0] if m[1] == "uint" else m[1], text)
    text = re.sub(r"\bnone\b", "None", text.replace("unicode_type", "str"))
    text = re.sub(r"type\(CPUDispatcher\(.*?\)\)|Function\(<.*?>\)", "a function", text)
    return re.sub(r"UniTuple\((\w+) x (\d+)\)", r"tuple of \2 \1", text).replace("Tuple(", "tuple(")


def _cause(error: BaseException | None, kind: type) -> bool:
    while error is not None:
        if isinstance(error, kind) or kind.__name__ in type(error).__name__:
            return True
        error = error.__cause__ or error.__context__
    return False
