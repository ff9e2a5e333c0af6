"""Kernels for one game at the interpreted speed: what the compiler would know, without the compiler.

A kernel is written for every game: it asks for dozens of traits at each node, and calls helpers that do nothing where a
game lacks them. Compiled, all that is gone. Here it is taken out of the kernel's own syntax tree: the game's traits are
put in as the constants that they are, branches that can't be taken are left out, helpers are called directly, and
buffers are lists. Numbers of 64 bits are plain ones, an entry of the table is a tuple in a dict of buckets,
`PlainEngineMemory` is the memory.

Claim: `specialised(kernel, game)` does what `kernel.function` does, node for node, for games with the same traits; a
test holds every game to it. Lines of tracebacks are those of the kernel.
"""

from __future__ import annotations

import ast
import copy
import functools
import inspect
import math
import textwrap
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np

from plyforge.contract import Game
from plyforge.kernel import MAX_PLY, Kernel, word
from plyforge.kernel.function import KNOWN, Choice, Trait, holds
from plyforge.kernel.storage.buffer import get, new_actions, new_keys, new_numbers, put
from plyforge.search.engine.interpreted.inlining import with_steps
from plyforge.search.engine.interpreted.steps import (
    IN_THEIR_PLACE,
    PARTS,
    forget_what_was_asked,
    plain_score_all,
    plain_word,
)
from plyforge.search.engine.steps.move_ordering import next_best, score_all
from plyforge.search.engine.transposition_table import fetch, pack

PLAIN = (bool, int, float)
NUMBERS: dict[str, Any] = {"inf": math.inf, "nan": math.nan}
SELECTIVE = "game.heuristics.selective"
ROOM = (new_actions, new_numbers, new_keys)


def specialised(kernel: Kernel, game: Game) -> Callable[..., Any]:
    """The kernel's function for games with the traits of this one; the kernel's own function where its source is not
    at hand."""
    forget_what_was_asked()
    try:
        written, chosen_by = _all_traits(kernel)
        traits = {text: _value(game, text) for text in written}
        key = (kernel, *traits.values(), *(holds(trait, game) for trait in chosen_by))
        if key not in _made:
            _made[key] = _make(kernel, game, traits, {})
        return _made[key]
    except (OSError, TypeError, SyntaxError):
        return kernel.function


_made: dict[tuple[Any, ...], Callable[..., Any]] = {}
"""By kernel and all traits that it and its helpers ask for."""


def _value(game: Game, text: str) -> Any:
    """What is written of the game, `game.players` or `defines(game.history, "rule_draw")`, as a constant; None for
    what is none, or fails."""
    try:
        value = _worth(game, ast.parse(text, mode="eval").body)
    except Exception:
        return None
    return value if type(value) in PLAIN else None


def _worth(game: Game, node: ast.expr) -> Any:
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        return KNOWN[node.func.id](*(_worth(game, each) for each in node.args))
    if isinstance(node, ast.Attribute):
        return getattr(_worth(game, node.value), node.attr)
    return game if isinstance(node, ast.Name) else ast.literal_eval(node)


def _asks_game(node: ast.AST) -> bool:
    """True for `game.players`, `game.history.superko`, `defines(game.history, "rule_draw")`: what is fixed for a
    game."""
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Name) and node.func.id in KNOWN
    while isinstance(node, ast.Attribute):
        node = node.value
        if isinstance(node, ast.Name):
            return node.id == "game"
    return False


def _make(
    kernel: Kernel, game: Game, traits: dict[str, Any], made: dict[Kernel, Callable[..., Any]]
) -> Callable[..., Any]:
    """A function for one game, and those of its helpers."""
    kernel = kernel.chosen_for(game)
    if kernel in IN_THEIR_PLACE:
        return IN_THEIR_PLACE[kernel]
    if kernel is score_all and not game.heuristics.selective:
        return plain_score_all
    if kernel in made:
        return made[kernel]
    code = kernel.function.__code__
    definition = _tree(kernel)
    ast.increment_lineno(definition, code.co_firstlineno - 1)
    definition.decorator_list, definition.returns = [], None
    for argument in definition.args.args:
        argument.annotation = None
    space = dict(kernel.function.__globals__)
    with_steps(definition, space, game, _tree)
    written: ast.FunctionDef = _Writer(traits, space, kernel is not score_all, game).visit(definition)
    before = ""
    while before != (before := ast.dump(written)):
        written = _Writer({}, space, False, None, _settled(written), _read(written)).visit(written)
    written.body = _leaves_first(written.body)
    exec(compile(ast.fix_missing_locations(ast.Module([written], [])), code.co_filename, "exec"), space)
    made[kernel] = space[definition.name]
    for name in _read(written):
        if isinstance(space.get(name), Kernel):
            space[name] = _make(space[name], game, traits, made)
    if space.get("word") is word:
        space["word"] = plain_word
    space["nextafter"] = math.nextafter
    return made[kernel]


@functools.cache
def _parsed(kernel: Kernel) -> ast.FunctionDef:
    definition = ast.parse(textwrap.dedent(inspect.getsource(kernel.function))).body[0]
    assert isinstance(definition, ast.FunctionDef)
    return definition


def _tree(kernel: Kernel) -> ast.FunctionDef:
    return copy.deepcopy(_parsed(kernel))


def _kernels(kernel: Kernel) -> dict[str, Kernel]:
    """The kernels that a kernel calls, by the names that it has for them."""
    space = kernel.function.__globals__
    return {name: space[name] for name in kernel.function.__code__.co_names if isinstance(space.get(name), Kernel)}


@functools.cache
def _all_traits(kernel: Kernel) -> tuple[tuple[str, ...], tuple[Trait, ...]]:
    """What a kernel and all its helpers ask of the game, as it is written; and the traits by which helpers are
    chosen."""
    found: set[str] = set()
    traits: dict[Trait, None] = {}
    left, seen = [kernel], set()
    while left:
        one = left.pop()
        if one in seen:
            continue
        seen.add(one)
        if isinstance(one, Choice):
            traits[one.trait] = None
            left.append(one.otherwise)
        left += _kernels(one).values()
        found |= {ast.unparse(node) for node in ast.walk(_parsed(one)) if _asks_game(node)}
    return tuple(sorted(found)), tuple(traits)


def _settled(function: ast.FunctionDef) -> dict[str, Any]:
    """Variables that are read, and are never set to anything but one constant."""
    stored = _stored([function])
    stored.update(argument.arg for argument in function.args.args)
    read = _read(function)
    given: dict[str, list[Any]] = {}
    for node in ast.walk(function):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            value = node.value.value if isinstance(node.value, ast.Constant) else None
            if type(value) in PLAIN:
                given.setdefault(node.targets[0].id, []).append(value)
    return {
        name: values[0]
        for name, values in given.items()
        if name in read and len(values) == stored[name] and len(set(map(repr, values))) == 1
    }


def _stored(statements: list[ast.stmt]) -> Counter[str]:
    """How often each variable is set in some statements."""
    nodes = [node for statement in statements for node in ast.walk(statement)]
    return Counter(node.id for node in nodes if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load))


def _read(function: ast.stmt) -> set[str]:
    """The names that are read in a function, or another statement."""
    nodes = [node for node in ast.walk(function) if isinstance(node, ast.Name)]
    return {node.id for node in nodes if isinstance(node.ctx, ast.Load)}


def _calls(expression: ast.expr) -> bool:
    """True if something is called, which may do more than give a value."""
    return any(isinstance(inner, ast.Call) for inner in ast.walk(expression))


def _asks_player(expression: ast.expr) -> bool:
    """True for `game.player(state) == ...`: it is asked of the rules, and changes nothing."""
    return isinstance(expression, ast.Compare) and ast.unparse(expression.left) == "game.player(state)"


def _leaves_first(statements: list[ast.stmt]) -> list[ast.stmt]:
    """The same block, where what an `if ...: return` does not need is set after it: most nodes are leaves."""
    found: list[ast.stmt] = []
    for statement in statements:
        waiting: list[ast.stmt] = []
        if (
            isinstance(statement, ast.If)
            and not statement.orelse
            and _ends(statement.body)
            and not _calls(statement.test)
        ):
            kept: set[str] = set()
            place, needed = len(found), _needed(statement)
            while place and (target := _set_purely(found[place - 1])) is not None:
                place -= 1
                reads = _read(found[place])
                if target in needed or reads & kept:
                    needed |= reads
                    kept.add(target)
                else:
                    waiting.insert(0, found.pop(place))
        found += [statement, *waiting]
    return found


def _needed(statement: ast.If) -> set[str]:
    """What has to be set before a branch that ends with `return`."""
    stored: set[str] = set()
    needed = _read(ast.Expr(statement.test))
    for inner in statement.body:
        needed |= _read(inner) - stored
        if (target := _target(inner)) is not None:
            stored.add(target)
    return needed


def _target(statement: ast.stmt) -> str | None:
    """The variable that an assignment sets, if it is one."""
    if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name):
        return statement.targets[0].id
    return None


def _set_purely(statement: ast.stmt) -> str | None:
    """The same, if nothing else happens."""
    if not isinstance(statement, ast.Assign):
        return None
    pure = not _calls(statement.value) or _asks_player(statement.value)
    return _target(statement) if pure else None


def _ends(statements: list[ast.stmt]) -> bool:
    """True if nothing after these statements is ever reached from them."""
    return bool(statements) and isinstance(statements[-1], (ast.Return, ast.Continue, ast.Break, ast.Raise))


class _Writer(ast.NodeTransformer):
    """Writes constants for traits, and leaves out what they rule out."""

    def __init__(
        self,
        traits: dict[str, Any],
        space: dict[str, Any],
        scored: bool,
        game: Game | None = None,
        settled: dict[str, Any] | None = None,
        read: set[str] | None = None,
    ) -> None:
        self.traits, self.space, self.game, self.settled = traits, space, game, settled or {}
        self.read = read  # the names that are; None: not known yet
        self.scored = scored  # what is put among the scores has a place there

    def known(self, node: ast.expr) -> Any:
        """What a name stands for outside of the function; None if it may be a variable."""
        return self.space.get(node.id) if isinstance(node, ast.Name) else None

    def visit_Name(self, node: ast.Name) -> Any:
        if isinstance(node.ctx, ast.Load) and node.id in self.settled:
            return _constant(self.settled[node.id], node)
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> Any:
        node.body = self.all(node.body)
        return node

    def visit_While(self, node: ast.While) -> Any:
        node.test, node.body = self.visit(node.test), self.all(node.body)
        return node

    def visit_For(self, node: ast.For) -> Any:
        node.iter, node.body = self.visit(node.iter), self.all(node.body)
        return node

    def visit_Assign(self, node: ast.Assign) -> Any:
        node = self.generic_visit(node)  # type: ignore[assignment]
        target, value = node.targets[0], node.value
        if isinstance(target, ast.Name) and not _calls(value):
            unread = self.read is not None and target.id not in self.read
            if unread or (isinstance(value, ast.Name) and target.id == value.id):
                return None
        if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
            if all(isinstance(each, ast.Constant) for each in value.elts):
                return [
                    ast.copy_location(ast.Assign([name], each), node)
                    for name, each in zip(target.elts, value.elts, strict=True)
                ]
        return node

    def visit_Attribute(self, node: ast.Attribute) -> Any:
        if _asks_game(node) and self.traits.get(ast.unparse(node)) is not None:
            return _constant(self.traits[ast.unparse(node)], node)
        if isinstance(node.value, ast.Name):
            if node.value.id == "memory" and isinstance(node.ctx, ast.Load):
                if node.attr == "marks" or (node.attr == "selective" and self.traits.get(SELECTIVE) is False):
                    return _constant(0, node)  # one thread; and depth is a promise
                if node.attr == "ply_limit":
                    return _constant(MAX_PLY, node)
            if self.known(node.value) is np and node.attr in NUMBERS:
                return _constant(NUMBERS[node.attr], node)
            if self.known(node.value) is np and node.attr == "nextafter":
                return ast.copy_location(ast.Name("nextafter", ast.Load()), node)
        return self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> Any:
        if _asks_game(node) and self.traits.get(ast.unparse(node)) is not None:
            return _constant(self.traits[ast.unparse(node)], node)
        node = self.generic_visit(node)  # type: ignore[assignment]
        called = self.known(node.func)
        if isinstance(called, Kernel) and self.game is not None:
            short = _answer(called.chosen_for(self.game), node.args)
            if short is not None:
                return ast.copy_location(self.visit(short), node)
        if called is next_best:  # it is only asked while some action is left
            return ast.copy_location(ast.parse("scores.index(max(scores))", mode="eval").body, node)
        if called is get:
            return ast.copy_location(ast.Subscript(node.args[0], node.args[1], ast.Load()), node)
        if called is pack:
            return ast.copy_location(ast.Tuple(node.args, ast.Load()), node)
        if isinstance(called, Kernel) and called in PARTS:
            return ast.copy_location(ast.Subscript(node.args[0], ast.Constant(PARTS[called]), ast.Load()), node)
        if ast.unparse(node.func) in ("np.uint64", "np.int64") and isinstance(node.args[0], ast.Constant):
            return node.args[0]
        if called in ROOM and isinstance(node.func, ast.Name):
            return ast.copy_location(ast.List([], ast.Load()), node)
        if isinstance(node.func, ast.Name) and node.func.id == "float" and isinstance(node.args[0], ast.Constant):
            return _constant(float(node.args[0].value), node)  # type: ignore[arg-type]
        return node

    def visit_Subscript(self, node: ast.Subscript) -> Any:
        node = self.generic_visit(node)  # type: ignore[assignment]
        if isinstance(node.slice, ast.Tuple) and isinstance(node.value, ast.Attribute):
            row = ast.Subscript(node.value, node.slice.elts[0], ast.Load())
            return ast.copy_location(ast.Subscript(ast.copy_location(row, node), node.slice.elts[1], node.ctx), node)
        return node

    def visit_Expr(self, node: ast.Expr) -> Any:
        if isinstance(node.value, ast.Call) and self.known(node.value.func) is fetch:
            return None
        if isinstance(node.value, ast.Call) and ast.unparse(node.value.func).startswith("watch."):
            return None  # who is watched is not specialised
        if isinstance(node.value, ast.Call) and self.known(node.value.func) is put:
            buffer, index, value = node.value.args
            named = isinstance(buffer, ast.Name) and buffer.id == "scores"
            if self.scored and named and not isinstance(index, ast.Constant):
                place = ast.copy_location(ast.Subscript(buffer, self.visit(index), ast.Store()), node)
                return ast.copy_location(ast.Assign([place], self.visit(value)), node)
        return self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> Any:
        node = self.generic_visit(node)  # type: ignore[assignment]
        if isinstance(node.op, ast.Not) and isinstance(node.operand, ast.Constant):
            return _constant(not node.operand.value, node)
        if isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Constant):
            return _constant(-node.operand.value, node)  # type: ignore[operator]
        return node

    def visit_Compare(self, node: ast.Compare) -> Any:
        node = self.generic_visit(node)  # type: ignore[assignment]
        sides = (node.left, *node.comparators)
        if len(sides) == 2 and all(isinstance(side, ast.Constant) for side in sides):
            return _constant(eval(ast.unparse(node)), node)
        return node

    def visit_BoolOp(self, node: ast.BoolOp) -> Any:
        node = self.generic_visit(node)  # type: ignore[assignment]
        ends = isinstance(node.op, ast.Or)  # the value that decides
        values: list[ast.expr] = []
        for value in node.values:
            if isinstance(value, ast.Constant) and isinstance(value.value, bool):
                if value.value is ends:
                    values.append(value)
                    break
                continue
            values.append(value)
        if not values:
            return _constant(not ends, node)
        if isinstance(values[-1], ast.Constant) and all(
            isinstance(value, ast.Compare) and not _calls(value) for value in values[:-1]
        ):
            return values[-1]  # it decides, whatever comes before
        if len(values) == 1 or (isinstance(values[0], ast.Constant) and values[0].value is ends):
            return values[0]
        node.values = values
        return node

    def visit_IfExp(self, node: ast.IfExp) -> Any:
        node = self.generic_visit(node)  # type: ignore[assignment]
        if isinstance(node.test, ast.Constant):
            return node.body if node.test.value else node.orelse
        return node

    def visit_If(self, node: ast.If) -> Any:
        node.test = self.visit(node.test)
        if isinstance(node.test, ast.Constant):
            return self.all(node.body if node.test.value else node.orelse)
        node.body, node.orelse = self.all(node.body), self.all(node.orelse)
        if not node.body and not node.orelse and not _calls(node.test):
            return None
        node.body = node.body or [ast.copy_location(ast.Pass(), node)]
        return node

    def all(self, statements: list[ast.stmt]) -> list[ast.stmt]:
        """A block. What comes after a `return` is left out, and where `if x: return` was passed, x is False."""
        found: list[ast.stmt] = []
        before = self.settled
        for place, statement in enumerate(statements):
            written = self.visit(statement)
            found += written if isinstance(written, list) else [] if written is None else [written]
            if _ends(found):
                break
            last = found[-1] if found else None
            if isinstance(last, ast.If) and isinstance(last.test, ast.Name) and _ends(last.body):
                if not last.orelse and last.test.id not in _stored(statements[place + 1 :]):
                    self.settled = {**self.settled, last.test.id: False}
        self.settled = before
        return found


def _answer(kernel: Kernel, given: list[ast.expr]) -> ast.expr | None:
    """What a helper that does nothing answers: a constant, one of its arguments, or bounds that are the game's. None
    for all others."""
    function = _parsed(kernel)
    last = function.body[-1]
    if not isinstance(last, ast.Return) or len(function.body) > (2 if ast.get_docstring(function) else 1):
        return None
    if isinstance(last.value, ast.Constant):
        return copy.deepcopy(last.value)
    names = [argument.arg for argument in function.args.args]
    if isinstance(last.value, ast.Name) and last.value.id in names:
        return given[names.index(last.value.id)]
    if isinstance(last.value, ast.Name) and type(kernel.function.__globals__.get(last.value.id)) in PLAIN:
        return ast.Constant(kernel.function.__globals__[last.value.id])
    return None


def _constant(value: Any, node: ast.expr) -> ast.expr:
    return ast.copy_location(ast.Constant(value), node)
