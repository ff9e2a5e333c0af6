"""Lists whose length changes, or that another function changes: they are lists of Numba's from the start, not values of
fixed length.

    dice = list(s.dice)                dice = grown(list(s.dice))
    dice.append(6)                     dice.append(6)

A list of Numba's is known by reference, as Python's are: whoever has another name for it sees the change. Which names
mean such lists is read off the function: those that are appended to and so on, those that are given to a function which
changes what it is given, and other names of these.
"""

from __future__ import annotations

import ast
from typing import Any

from plyforge.kernel.translate.base import PREFIX, Base, located
from plyforge.kernel.translate.functions.scopes import parameters
from plyforge.kernel.translate.statements.owned import is_new

GROWN = f"{PREFIX}grown"
CHANGE_LENGTH = {"append", "extend", "insert", "remove", "pop", "clear"}
CHANGE_ORDER = {"sort", "reverse"}


def grow(translator: Base, function: ast.FunctionDef) -> ast.FunctionDef:
    """The function with lists that have to be lists made so."""
    writer = _Writer(translator, names_that_grow(translator, function))
    wrapped = writer.visit(ast.Module(function.body, []))
    function.body = wrapped.body
    return function


def names_that_grow(translator: Base, function: ast.FunctionDef) -> set[str]:
    """Names of lists that do not stay values of fixed length."""
    found: set[str] = set()
    same: list[tuple[str, str]] = []
    for node in ast.walk(function):
        if isinstance(node, ast.Call):
            found |= _grown_by(node)
            changed = changed_arguments(translator, node)
            found |= {arg.id for arg in changed if isinstance(arg, ast.Name)}
        elif isinstance(node, ast.Delete):
            found |= {
                each.value.id
                for each in node.targets
                if isinstance(each, ast.Subscript) and isinstance(each.value, ast.Name)
            }
        elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            if isinstance(node.value, (ast.List, ast.ListComp)):
                found.add(node.target.id)
        elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Name):
            same += [(each.id, node.value.id) for each in node.targets if isinstance(each, ast.Name)]
    for _ in same:
        for one, other in same:
            if one in found or other in found:
                found |= {one, other}
    return found & translator.own


def _grown_by(node: ast.Call) -> set[str]:
    if isinstance(node.func, ast.Attribute) and node.func.attr in CHANGE_LENGTH:
        if isinstance(node.func.value, ast.Name):
            return {node.func.value.id}
    return set()


def changed_arguments(translator: Base, node: ast.Call) -> list[ast.expr]:
    """The arguments of a call that the function changes."""
    names, changed = translator.changed_parameters(node.func)
    if not changed:
        return []
    given = [arg for name, arg in zip(names, node.args, strict=False) if name in changed]
    return given + [keyword.value for keyword in node.keywords if keyword.arg in changed]


def changes(function: Any, itself: Any = None) -> set[str]:
    """The parameters of a function whose lists it changes, by itself or by calling itself."""
    names = [arg.arg for arg in parameters(function)]
    found: set[str] = set()
    for node in ast.walk(function):
        if isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load):
            base: Any = node.value
            while isinstance(base, ast.Subscript):
                base = base.value
            if isinstance(base, ast.Name):
                found.add(base.id)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            if node.func.attr in CHANGE_LENGTH | CHANGE_ORDER and isinstance(node.func.value, ast.Name):
                found.add(node.func.value.id)
    bound = {node.id for node in ast.walk(function) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    return (found & set(names)) - bound


class _Writer(ast.NodeTransformer):
    def __init__(self, translator: Base, names: set[str]) -> None:
        self.translator, self.names = translator, names

    def made(self, target: Any, value: Any) -> Any:
        """The value of a name that has to be a list."""
        if isinstance(target, (ast.Tuple, ast.List)) and isinstance(value, (ast.Tuple, ast.List)):
            if len(target.elts) == len(value.elts):
                value.elts = [self.made(t, v) for t, v in zip(target.elts, value.elts, strict=True)]
            return value
        if isinstance(target, ast.Name) and target.id in self.names:
            return grown(value)
        return value

    def visit_Assign(self, node: ast.Assign) -> Any:
        self.generic_visit(node)
        if len(node.targets) == 1:
            node.value = self.made(node.targets[0], node.value)
            rests = [each.value for each in ast.walk(node.targets[0]) if isinstance(each, ast.Starred)]
            again = [_again(each.id) for each in rests if isinstance(each, ast.Name) and each.id in self.names]
            return [node, *(located(each, node) for each in again)]
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> Any:
        self.generic_visit(node)
        node.value = self.made(node.target, node.value)
        return node

    def visit_Call(self, node: ast.Call) -> Any:
        self.generic_visit(node)
        changed = changed_arguments(self.translator, node)
        node.args = [grown(arg) if arg in changed else arg for arg in node.args]
        for keyword in node.keywords:
            if keyword.value in changed:
                keyword.value = grown(keyword.value)
        return node

    def visit_Delete(self, node: ast.Delete) -> Any:
        """`del x[i]` as `x.pop(i)`."""
        made = []
        for each in node.targets:
            if not isinstance(each, ast.Subscript) or isinstance(each.slice, ast.Slice):
                return node
            pop = ast.Attribute(each.value, "pop", ast.Load())
            each.value.ctx = ast.Load()  # type: ignore[attr-defined]
            made.append(located(ast.Expr(ast.Call(pop, [each.slice], [])), node))
        return made


def _again(name: str) -> ast.Assign:
    """The rest of what was unpacked, as a list that grows."""
    call = ast.Call(ast.Name(GROWN, ast.Load()), [ast.Name(name, ast.Load())], [])
    return ast.Assign([ast.Name(name, ast.Store())], call)


def grown(value: Any) -> Any:
    """A new list as one of Numba's; anything else as it is."""
    if value is None or not is_new(value) or isinstance(value, (ast.List, ast.Constant, ast.Tuple)):
        return value
    if isinstance(value, ast.ListComp) and (len(value.generators) > 1 or value.generators[0].ifs):
        return value
    if isinstance(value, ast.Call) and not value.args:  # `list()`, whose items are not known yet
        return value
    return located(ast.Call(ast.Name(GROWN, ast.Load()), [value], []), value)
