"""Lists without generators: the actions of a state written straight into a buffer.

Rules say `yield action`, which reads best. Compiled, each `yield` saves all live variables and the next step loads them
again: in chess a fifth of a search's time. Where all actions are wanted at once, that is not needed: of

    for square in free(s):
        yield square

this file makes, from the function's own syntax tree,

    for square in free(s):
        if number == room:
            return TOO_MANY
        put(buffer, number, square)
        number += 1
    return number

and whole lists that are handed on (`for action in self.moves(s): yield action`) become one call. Rules with a `yield`
of another kind, or whose source is not at hand or is not what runs (it was edited since), are listed by the generator,
as before: slower, never otherwise.

Invariant: what is put into the buffer is what the generator yields, in its order; a test holds every game to it.
"""

from __future__ import annotations

import ast
import copy
import functools
import inspect
import types
from collections import Counter
from typing import Any

from plyforge.kernel.function import when_compiling
from plyforge.kernel.storage.buffer import put

TOO_MANY = -1
"""Said instead of a number: there is no room for all actions."""
PREFIX = "fill__"
"""In compiled code `game.fill__actions(s, buffer, number, room)` puts what `game.actions(s)` yields behind the first
`number`."""
BUFFER, NUMBER, ROOM, PUT, TOO_MANY_NAME = NAMES = tuple(
    f"_fill_{word}" for word in ("buffer", "number", "room", "put", "too_many")
)
"""Names of our own in functions that are made: rules that use one of them are driven."""


def fill_actions(game: Any, state: Any, buffer: Any) -> int:
    """Put every action of a state into a buffer. How many there are, or TOO_MANY."""
    return _fill(game, game.actions(state), buffer)


def fill_sufficient_actions(game: Any, state: Any, buffer: Any) -> int:
    """The same for actions among which a best one is sure to be."""
    return _fill(game, game.heuristics.sufficient_actions(game, state), buffer)


def fill_tactical_actions(game: Any, state: Any, buffer: Any) -> int:
    """The same for the actions that quiescence search follows."""
    return _fill(game, game.heuristics.tactical_actions(game, state), buffer)


def _fill(game: Any, actions: Any, buffer: Any) -> int:
    number = 0
    for action in actions:
        if number == game.max_actions:
            return TOO_MANY
        put(buffer, number, action)
        number += 1
    return number


@when_compiling
def _natively() -> None:
    from numba.extending import overload

    @overload(fill_actions, inline="always")
    def _fill_actions(game, state, buffer):
        return lambda game, state, buffer: game.fill__actions(state, buffer, 0, game.max_actions)

    @overload(fill_sufficient_actions, inline="always")
    def _fill_sufficient_actions(game, state, buffer):
        return lambda game, state, buffer: game.heuristics.fill__sufficient_actions(
            game, state, buffer, 0, game.max_actions
        )

    @overload(fill_tactical_actions, inline="always")
    def _fill_tactical_actions(game, state, buffer):
        return lambda game, state, buffer: game.heuristics.fill__tactical_actions(
            game, state, buffer, 0, game.max_actions
        )


# ------------------------------------------------------------------ from a generator to a function that fills
@functools.cache
def filling(name: str, owner: type, context: Any = None) -> types.FunctionType:
    """The function that fills a buffer with what the attribute `name` of rules of this class lists."""
    function = inspect.getattr_static(owner, name, None)
    if context is not None and isinstance(function, types.FunctionType):
        from plyforge.kernel.translate import FOR_KERNELS, translated

        needed = [p.name for p in inspect.signature(function).parameters.values() if p.default is p.empty]
        function = translated(function, context, FOR_KERNELS)
        return rewritten(function, owner) or _driven(name, needed, function)
    if not isinstance(function, types.FunctionType):  # a static method, or a function kept in a field
        return _driven(name, ["self", "s"], filling)
    needed = [p.name for p in inspect.signature(function).parameters.values() if p.default is p.empty]
    return rewritten(function, owner) or _driven(name, needed, function)


def rewritten(function: types.FunctionType, owner: type) -> types.FunctionType | None:
    """Without a generator; None where that can't be done."""
    tree = _tree_of(function)
    if tree is None or set(NAMES) & {*function.__code__.co_varnames, *function.__code__.co_names}:
        return None
    read = Counter(node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load))
    writer = _Writer(owner)
    body = [writer.visit(statement) for statement in tree.body]
    if writer.refused or any(read[name] > number for name, number in writer.handed_on.items()):
        return None
    tree.body = _flat(body) + ast.parse(f"return {NUMBER}").body
    tree.args.args += [ast.arg(name) for name in (BUFFER, NUMBER, ROOM)]
    return _compiled(tree, function)


def _driven(name: str, parameters: list[str], function: Any) -> types.FunctionType:
    """With the list itself, whatever it is; errors are placed where `function` is."""
    text = (
        f"def {name}({', '.join([*parameters, BUFFER, NUMBER, ROOM])}):\n"
        f"    for _action in {parameters[0]}.{name}({', '.join(parameters[1:])}):\n"
        f"        if {NUMBER} == {ROOM}:\n"
        f"            return {TOO_MANY_NAME}\n"
        f"        {PUT}({BUFFER}, {NUMBER}, _action)\n"
        f"        {NUMBER} += 1\n"
        f"    return {NUMBER}\n"
    )
    tree = ast.parse(text).body[0]
    assert isinstance(tree, ast.FunctionDef)
    return _compiled(tree, inspect.unwrap(function))


def _tree_of(function: types.FunctionType) -> ast.FunctionDef | None:
    """The syntax tree of a generator, if its source is at hand and is what runs."""
    if not inspect.isgeneratorfunction(function) or function.__closure__:
        return None
    if hasattr(function, "__plyforge_tree__"):
        return copy.deepcopy(function.__plyforge_tree__)
    try:
        lines, first = inspect.getsourcelines(function)
        # Under an `if`, a method keeps its place in the line: moved to the left, texts of several lines would be
        # others.
        block = ast.parse(f"if True:\n{''.join(lines)}" if lines[0][0].isspace() else f"\n{''.join(lines)}")
    except (OSError, TypeError, SyntaxError, IndexError):
        return None
    ast.increment_lineno(block, first - 2)
    outer = block.body[0]
    module = ast.Module(outer.body if isinstance(outer, ast.If) else block.body, [])
    tree = module.body[0]
    if not isinstance(tree, ast.FunctionDef) or tree.decorator_list or tree.args.vararg or tree.args.kwarg:
        return None
    if tree.args.kwonlyargs or tree.args.posonlyargs or tree.args.defaults:
        return None
    imported = [
        ast.alias(name)
        for name in function.__code__.co_names
        if isinstance(function.__globals__.get(name), types.ModuleType)
    ]
    # Python compiles `module.function()` otherwise where it sees that the name was imported.
    heads: list[list[ast.stmt]] = [[], [ast.Import(imported)]] if imported else [[]]
    for head in heads:
        whole = ast.fix_missing_locations(ast.Module([*head, *module.body], []))
        read = _code_in(compile(whole, function.__code__.co_filename, "exec"))
        if same_code(read, function.__code__):
            return tree
    return None


def same_code(one: types.CodeType, other: types.CodeType) -> bool:
    """True if both do the same; where their text stands is of no interest."""
    if (one.co_code, one.co_names, one.co_varnames) != (other.co_code, other.co_names, other.co_varnames):
        return False
    if len(one.co_consts) != len(other.co_consts):
        return False
    for a, b in zip(one.co_consts, other.co_consts, strict=True):
        if isinstance(a, types.CodeType) and isinstance(b, types.CodeType):
            if not same_code(a, b):
                return False
        elif type(a) is not type(b) or a != b:
            return False
    return True


def _compiled(tree: ast.FunctionDef, function: types.FunctionType) -> types.FunctionType:
    tree.returns = None
    for argument in tree.args.args:
        argument.annotation = None
    module = ast.fix_missing_locations(ast.Module([tree], []))
    code = _code_in(compile(module, function.__code__.co_filename, "exec"))
    names = {**function.__globals__, PUT: put, TOO_MANY_NAME: TOO_MANY}
    made = types.FunctionType(code, names, function.__name__)
    made.__module__, made.__qualname__ = function.__module__, function.__qualname__
    return made


def _code_in(module: types.CodeType) -> types.CodeType:
    return next(constant for constant in module.co_consts if isinstance(constant, types.CodeType))


def _flat(statements: list[Any]) -> list[ast.stmt]:
    return [inner for item in statements for inner in (item if isinstance(item, list) else [item])]


class _Writer(ast.NodeTransformer):
    """Writes each `yield` as a place in the buffer; `refused` says that one was of another kind."""

    def __init__(self, owner: type) -> None:
        self.owner, self.refused = owner, False
        self.handed_on: Counter[str] = Counter()
        """Variables of loops that have become a call, how often: they are not there any more."""

    def visit_Expr(self, node: ast.Expr) -> Any:
        if isinstance(node.value, ast.Yield) and node.value.value is not None:
            return self._keep(self.visit(node.value.value), node)
        return self.generic_visit(node)

    def visit_For(self, node: ast.For) -> Any:
        if len(node.body) == 1 and not node.orelse and isinstance(node.target, ast.Name):
            only = node.body[0]
            if isinstance(only, ast.Expr) and isinstance(only.value, ast.Yield):
                given = only.value.value
                if isinstance(given, ast.Name) and given.id == node.target.id and self._is_list(node.iter):
                    self.handed_on[given.id] += 1
                    return self._hand_on(node.iter, node)
        return self.generic_visit(node)

    def visit_Return(self, node: ast.Return) -> Any:
        if node.value is not None:
            self.refused = True
        node.value = ast.Name(NUMBER, ast.Load())
        return node

    def _refuse(self, node: Any) -> Any:
        self.refused = True
        return node

    visit_Yield = visit_YieldFrom = visit_FunctionDef = visit_Lambda = _refuse
    visit_Try = visit_With = visit_Await = visit_NamedExpr = _refuse

    def _keep(self, value: ast.expr, node: ast.stmt) -> list[ast.stmt]:
        text = f"if {NUMBER} == {ROOM}:\n    return {TOO_MANY_NAME}\n{PUT}({BUFFER}, {NUMBER}, None)\n{NUMBER} += 1"
        check, call, count = (_at(statement, node) for statement in ast.parse(text).body)
        assert isinstance(call, ast.Expr) and isinstance(call.value, ast.Call)
        call.value.args[2] = value
        return [check, call, count]

    def _hand_on(self, source: ast.expr, node: ast.stmt) -> Any:
        assert isinstance(source, ast.Call) and isinstance(source.func, ast.Attribute)
        text = f"{NUMBER} = None\nif {NUMBER} < 0:\n    return {NUMBER}"
        assign, check = (_at(statement, node) for statement in ast.parse(text).body)
        source.func.attr = PREFIX + source.func.attr
        source.args += [ast.Name(name, ast.Load()) for name in (BUFFER, NUMBER, ROOM)]
        assert isinstance(assign, ast.Assign)
        assign.value = source
        return [assign, check]

    def _is_list(self, source: ast.expr) -> bool:
        """True for `self.something(...)` that is a method, called with just what it needs; and for
        `game.something(...)` in companions of our own games, which are written so."""
        if not (
            isinstance(source, ast.Call)
            and isinstance(source.func, ast.Attribute)
            and isinstance(source.func.value, ast.Name)
            and source.func.value.id in ("self", "game")
            and not source.keywords
            and not any(isinstance(argument, ast.Starred) for argument in source.args)
        ):
            return False
        if source.func.value.id == "game":
            return self.owner.__module__.startswith("plyforge.games.")
        method = inspect.getattr_static(self.owner, source.func.attr, None)
        if not isinstance(method, types.FunctionType):
            return False
        parameters = inspect.signature(method).parameters.values()
        plain = all(p.kind is p.POSITIONAL_OR_KEYWORD and p.default is p.empty for p in parameters)
        return plain and len(parameters) == 1 + len(source.args)


def _at(statement: ast.stmt, node: ast.stmt) -> ast.stmt:
    """A statement that errors place where `node` is."""
    for inner in ast.walk(statement):
        ast.copy_location(inner, node)
    return statement
