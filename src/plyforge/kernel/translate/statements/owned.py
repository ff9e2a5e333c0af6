"""Lists that have one name only.

In compiled code a list of fixed length is a value: to change it is to replace it under its name. That is what Python
does as long as no other name means the same list. This file finds, by reading one function, the names of lists for
which that is not certain.

Claim: a name that is not in `shared_lists` is bound only to lists made on the spot, and nothing else in the function is
bound to them.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

CHOOSERS = {"min", "max", "next"}
"""Functions that give one of the things that they are given."""


def shared_lists(function: ast.FunctionDef, is_record: Callable[[ast.expr], bool] = lambda called: False) -> set[str]:
    """Names under which a list may be known that another name means, too. `is_record` says whether what is called
    keeps what it is given: a NamedTuple, a dataclass."""
    finder = _Finder(is_record)
    for arg in [*function.args.args, *function.args.kwonlyargs, *function.args.posonlyargs]:
        finder.shared.add(arg.arg)
    for statement in function.body:
        finder.visit(statement)
    return finder.shared


def is_new(node: ast.expr) -> bool:
    """True for an expression that makes a list which nobody else has, or no list at all."""
    if isinstance(node, (ast.Dict, ast.DictComp, ast.SetComp)):
        return True
    if isinstance(
        node, (ast.List, ast.Set, ast.ListComp, ast.BinOp, ast.Constant, ast.Compare, ast.UnaryOp, ast.Tuple)
    ):
        return not any(isinstance(each, ast.Name) for each in getattr(node, "elts", ()))
    if isinstance(node, ast.Subscript):
        return isinstance(node.slice, ast.Slice)
    if isinstance(node, ast.IfExp):
        return is_new(node.body) and is_new(node.orelse)
    if not isinstance(node, ast.Call):
        return False
    # functions of the rules that would give a list of their caller's are refused where they return it
    return not (isinstance(node.func, ast.Name) and node.func.id in CHOOSERS)


def only_sets(function: ast.FunctionDef) -> set[str]:
    """Names that are bound to nothing but sets made on the spot."""
    bound: dict[str, bool] = {}
    counted: set[int] = set()
    taken: set[str] = {arg.arg for arg in ast.walk(function) if isinstance(arg, ast.arg)}
    for node in ast.walk(function):
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            name = node.targets[0]
            bound[name.id] = bound.get(name.id, True) and _makes_a_set(node.value)
            counted.add(id(name))
        elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            counted.add(id(node.target))
    for node in ast.walk(function):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load) and id(node) not in counted:
            taken.add(node.id)
    return {name for name, sets in bound.items() if sets} - taken


def copies(function: ast.FunctionDef) -> set[str]:
    """Names that are bound to nothing but copies of sets, or of dicts, made on the spot: `set(s.mine)`,
    `dict(s.board)`, `s.board.copy()`."""
    found: dict[str, bool] = {}
    others = {arg.arg for arg in ast.walk(function) if isinstance(arg, ast.arg)}
    for node in ast.walk(function):
        if isinstance(node, ast.Assign):
            for each in node.targets:
                if isinstance(each, ast.Name):
                    copied = len(node.targets) == 1 and _is_copy(node.value)
                    found[each.id] = found.get(each.id, True) and copied
                elif isinstance(each, (ast.Tuple, ast.List)):
                    others |= {n.id for n in ast.walk(each) if isinstance(n, ast.Name)}
        elif isinstance(node, (ast.For, ast.comprehension, ast.NamedExpr, ast.AnnAssign)):
            others |= {n.id for n in ast.walk(node.target) if isinstance(n, ast.Name)}
    return {name for name, copied in found.items() if copied} - others


def _is_copy(node: ast.expr) -> bool:
    if isinstance(node, (ast.Dict, ast.DictComp)):
        return True
    if not isinstance(node, ast.Call) or node.keywords:
        return False
    if isinstance(node.func, ast.Attribute):
        by_module = node.func.attr in ("copy", "deepcopy") and isinstance(node.func.value, ast.Name)
        return by_module or (node.func.attr == "copy" and not node.args)
    if isinstance(node.func, ast.Name) and len(node.args) == 1 and not isinstance(node.args[0], ast.GeneratorExp):
        inner = node.func.id.endswith("grown")
        return _is_copy(node.args[0]) if inner else node.func.id in ("dict", "set", "deepcopy")
    return False


def _makes_a_set(node: ast.expr) -> bool:
    called = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "set"
    return called or isinstance(node, (ast.Set, ast.SetComp))


class _Finder(ast.NodeVisitor):
    def __init__(self, is_record: Callable[[ast.expr], bool]) -> None:
        self.shared: set[str] = set()
        self.is_record = is_record

    def bound(self, target: Any, value: ast.expr | None) -> None:
        if isinstance(target, (ast.Tuple, ast.List)):
            parts: list[ast.expr | None] = [None] * len(target.elts)
            if isinstance(value, (ast.Tuple, ast.List)) and len(value.elts) == len(target.elts):
                if not any(isinstance(each, ast.Starred) for each in [*target.elts, *value.elts]):
                    parts = list(value.elts)  # `seen, todo = set(), [start]`
            for each, part in zip(target.elts, parts, strict=True):
                self.bound(each, part)
        elif isinstance(target, ast.Name) and (value is None or not is_new(value)):
            self.shared.add(target.id)

    def visit_Assign(self, node: ast.Assign) -> None:
        for target in node.targets:
            self.bound(target, node.value if len(node.targets) == 1 else None)
        if isinstance(node.value, ast.Name):
            self.shared.add(node.value.id)
        self.generic_visit(node)

    def visit_NamedExpr(self, node: ast.NamedExpr) -> None:
        self.bound(node.target, node.value)
        if isinstance(node.value, ast.Name):
            self.shared.add(node.value.id)
        self.generic_visit(node)

    def visit_For(self, node: ast.For) -> None:
        self.bound(node.target, None)
        self.generic_visit(node)

    def visit_IfExp(self, node: ast.IfExp) -> None:
        for part in (node.body, node.orelse):
            if isinstance(part, ast.Name):
                self.shared.add(part.id)
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        for part in node.values:
            if isinstance(part, ast.Name):
                self.shared.add(part.id)
        self.generic_visit(node)

    def visit_Return(self, node: ast.Return) -> None:
        self.given_back(node.value)

    def given_back(self, node: Any) -> None:
        """What is in a state that is returned: nothing here can change it any more."""
        if isinstance(node, ast.Tuple) and not any(isinstance(each, ast.Starred) for each in node.elts):
            parts = node.elts
        elif isinstance(node, ast.Call) and self.keeps(node):
            parts = [*node.args, *(each.value for each in node.keywords)]
        else:
            parts = [] if node is None or isinstance(node, ast.Name) else [node]
            for each in parts:
                self.visit(each)
            return
        for each in parts:
            self.given_back(each)

    def keeps(self, node: ast.Call) -> bool:
        """True for what makes a state of what it is given."""
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        return name in ("_replace", "replace", "_make") or self.is_record(node.func)

    def visit_Call(self, node: ast.Call) -> None:
        if self.keeps(node):
            given = [*node.args, *(each.value for each in node.keywords)]
            self.shared |= {each.id for each in given if isinstance(each, ast.Name)}
        self.generic_visit(node)

    def held(self, node: Any) -> None:
        """A display, a yield: what holds a list by another way."""
        for part in getattr(node, "elts", [getattr(node, "value", None)]):
            if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load):
                self.shared.add(part.id)
        self.generic_visit(node)

    visit_Tuple = visit_List = visit_Set = visit_Yield = visit_Starred = held
    # a comprehension's own names are functions' parameters: see `comprehensions.py`
