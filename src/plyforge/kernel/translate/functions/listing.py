"""Functions that build a list of actions, as generators: a search that stops at the third action then never makes the
fourth.

    def actions(self, s):                                    def actions(self, s):
        moves = []                                               moves = 0
        for i in range(9):                                       for i in range(9):
            if s.board[i] == 0:                                      if s.board[i] == 0:
                moves.append(i)                                          yield i; moves += 1
        return moves                                             return

Also the other way round: a generator that holds lists of its own while it waits would lose them when nobody asks on,
and so it is made a function that gives a list.

Invariant: the same actions in the same order. Whatever else is done with the list than to append to it, to ask whether
it is empty, or to return it, leaves the function as it is.
"""

from __future__ import annotations

import ast
from typing import Any

LISTS = ("actions", "chance", "sufficient_actions", "tactical_actions", "legal_actions", "symmetries")
"""Hooks whose answer kernels go through."""
LISTED = "_plyforge_listed"


def as_generator(function: ast.FunctionDef) -> ast.FunctionDef | None:
    """The function with a `yield` for each item of the list that it returns; None where that can't be done."""
    if any(isinstance(node, (ast.Yield, ast.YieldFrom)) for node in ast.walk(function)):
        return None
    returns = [node for node in ast.walk(function) if isinstance(node, ast.Return)]
    if not returns or any(
        isinstance(node, (ast.FunctionDef, ast.Lambda)) for node in ast.walk(function) if node is not function
    ):
        return None
    lists = {node.value.id for node in returns if isinstance(node.value, ast.Name)}
    writer = _Writer(lists)
    if not all(_grows_only(function, name) for name in lists):
        return None
    made: ast.FunctionDef = writer.visit(function)
    if writer.refused:
        return None
    return made


def _grows_only(function: ast.FunctionDef, name: str) -> bool:
    """True if a local list is made empty, appended to, asked whether it is empty, and returned; nothing else."""
    allowed: set[int] = set()
    made = False
    for node in ast.walk(function):
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and _is(node.targets[0], name):
            if not (isinstance(node.value, ast.List) and not node.value.elts):
                return False
            made = True
            allowed.add(id(node.targets[0]))
        elif isinstance(node, ast.Expr) and _appended(node, name) is not None:
            allowed.add(id(node.value.func.value))  # type: ignore[attr-defined]
        elif isinstance(node, ast.Return) and _is(node.value, name):
            allowed.add(id(node.value))
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not) and _is(node.operand, name):
            allowed.add(id(node.operand))
        elif isinstance(node, (ast.If, ast.While)) and _is(node.test, name):
            allowed.add(id(node.test))
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "len":
            if len(node.args) == 1 and _is(node.args[0], name):
                allowed.add(id(node.args[0]))
    uses = [node for node in ast.walk(function) if _is(node, name)]
    return made and all(id(node) in allowed for node in uses)


def _is(node: Any, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def _appended(node: ast.Expr, name: str) -> ast.expr | None:
    call = node.value
    if (
        isinstance(call, ast.Call)
        and isinstance(call.func, ast.Attribute)
        and call.func.attr == "append"
        and _is(call.func.value, name)
        and len(call.args) == 1
        and not call.keywords
    ):
        return call.args[0]
    return None


class _Writer(ast.NodeTransformer):
    def __init__(self, lists: set[str]) -> None:
        self.lists, self.refused = lists, False

    def visit_Assign(self, node: ast.Assign) -> Any:
        target = node.targets[0]
        if isinstance(target, ast.Name) and target.id in self.lists:
            node.value = ast.copy_location(ast.Constant(0), node.value)
        return node

    def visit_Expr(self, node: ast.Expr) -> Any:
        for name in self.lists:
            item = _appended(node, name)
            if item is not None:
                given = ast.Expr(ast.Yield(item))
                more = ast.parse(f"{name} += 1").body[0]
                return [_placed(given, node), _placed(more, node)]
        return node

    def visit_Call(self, node: ast.Call) -> Any:
        if isinstance(node.func, ast.Name) and node.func.id == "len" and len(node.args) == 1:
            if isinstance(node.args[0], ast.Name) and node.args[0].id in self.lists:
                return node.args[0]
        return self.generic_visit(node)

    def visit_Return(self, node: ast.Return) -> Any:
        end = _placed(ast.Return(None), node)
        value = node.value
        if isinstance(value, ast.Name) and value.id in self.lists:
            return end
        if isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id in ("list", "tuple"):
            if len(value.args) == 1 and isinstance(value.args[0], ast.GeneratorExp):
                value = value.args[0]
        if isinstance(value, (ast.ListComp, ast.GeneratorExp)):
            body: list[ast.stmt] = [ast.Expr(ast.Yield(value.elt))]
            for loop in reversed(value.generators):
                for condition in reversed(loop.ifs):
                    body = [ast.If(condition, body, [])]
                body = [ast.For(loop.target, loop.iter, body, [])]
            return [_placed(body[0], node), end]
        if isinstance(value, (ast.List, ast.Tuple)) and not any(isinstance(e, ast.Starred) for e in value.elts):
            return [*(_placed(ast.Expr(ast.Yield(each)), node) for each in value.elts), end]
        self.refused = True
        return node


def as_list(function: ast.FunctionDef) -> ast.FunctionDef:
    """A generator as a function that gives the list of what it would yield."""
    lister = _Lister()
    body = [lister.visit(statement) for statement in function.body]
    first, last = ast.parse(f"{LISTED} = []\nreturn {LISTED}").body
    function.body = [_placed(first, function), *body, _placed(last, function)]
    return function


class _Lister(ast.NodeTransformer):
    def visit_FunctionDef(self, node: ast.FunctionDef) -> Any:
        return node  # a function inside has answers of its own

    def visit_Expr(self, node: ast.Expr) -> Any:
        if isinstance(node.value, ast.Yield) and node.value.value is not None:
            call = ast.parse(f"{LISTED}.append(None)").body[0]
            call.value.args = [node.value.value]  # type: ignore[attr-defined]
            return _placed(call, node)
        return node

    def visit_Return(self, node: ast.Return) -> Any:
        return _placed(ast.parse(f"return {LISTED}").body[0], node)


def _placed(new: Any, old: ast.AST) -> Any:
    for inner in ast.walk(new):
        if getattr(inner, "lineno", 1) == 1:
            ast.copy_location(inner, old)
    return new
