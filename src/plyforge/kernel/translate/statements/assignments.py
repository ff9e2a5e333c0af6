"""Assignments: to names, to several at once, to items of a list that is a value (`new[i] = x` is `new = put(new, i,
x)`)."""

from __future__ import annotations

import ast
from typing import Any

from plyforge.kernel.exact.boards import boards
from plyforge.kernel.exact.cells import cell_maps
from plyforge.kernel.exact.numbers import functions
from plyforge.kernel.exact.sequences import conversion, stars, texts
from plyforge.kernel.translate.base import located
from plyforge.kernel.translate.expressions.calls import Calls
from plyforge.kernel.translate.expressions.expressions import OPERATORS
from plyforge.kernel.translate.statements.owned import is_new


class Assignments(Calls):
    """Part of the translator."""

    def visit_Assign(self, node: ast.Assign) -> Any:
        popped = self.popped(node)
        if popped is not None:
            return popped
        own, value = is_new(node.value), self.visit(node.value)
        if len(node.targets) == 1:
            if own and isinstance(node.targets[0], ast.Subscript):
                return self.item_assigned(node.targets[0], value, node)
            return self.assigned(node.targets[0], value, node)
        name = self.temporary()
        first = located(ast.Assign([ast.Name(name, ast.Store())], value), node)
        rest = [self.assigned(t, located(ast.Name(name, ast.Load()), node), node) for t in node.targets]
        return [first, *(statement for part in rest for statement in part)]

    def popped(self, node: ast.Assign) -> Any:
        """`piece = board.pop(cell)` of a copy: the piece, then the dict, or the list, without it."""
        value = node.value
        if not isinstance(value, ast.Call) or not isinstance(value.func, ast.Attribute) or value.func.attr != "pop":
            return None
        base = value.func.value
        if not isinstance(base, ast.Name) or base.id not in self.copies - self.shared or len(value.args) != 1:
            return None
        key = self.temporary()
        first = located(ast.Assign([ast.Name(key, ast.Store())], self.visit(value.args[0])), node)
        here, at = ast.Name(base.id, ast.Load()), ast.Name(key, ast.Load())
        piece = located(ast.Assign(node.targets, self.call(boards.get, [here, at], node)), node)
        rest = self.call(cell_maps.without_popped, [here, at], node)
        targets = [self.assigned(target, piece.value, node) for target in node.targets]
        again = located(ast.Assign([ast.Name(base.id, ast.Store())], rest), node)
        return [first, *(each for part in targets for each in part), again]

    def visit_AnnAssign(self, node: ast.AnnAssign) -> Any:
        return None if node.value is None else self.assigned(node.target, self.visit(node.value), node)

    def assigned(self, target: Any, value: Any, node: ast.AST) -> list[ast.stmt]:
        """Statements that bind a target to a translated value."""
        if isinstance(target, ast.Name):
            return [located(ast.Assign([target], value), node)]
        if isinstance(target, (ast.Tuple, ast.List)):
            return self.unpacked(target, value, node)
        if isinstance(target, ast.Subscript):  # a row that is a list would have two names
            return self.item_assigned(target, self.call(boards.no_shared_list, [value], node), node)
        if isinstance(target, ast.Attribute):
            self.visit_Attribute(target)
        return self.refuse("it assigns to something that is no name, item or part: take the steps one by one", target)

    def unpacked(self, target: Any, value: Any, node: ast.AST) -> list[ast.stmt]:
        count = len(target.elts)
        if any(isinstance(each, ast.Starred) for each in target.elts):
            return self.unpacked_with_star(target.elts, value, node)
        name = self.temporary()
        whole = self.call(conversion.unpack, [value, ast.Constant(count)], node)
        found: list[ast.stmt] = [located(ast.Assign([ast.Name(name, ast.Store())], whole), node)]
        for place, each in enumerate(target.elts):
            item = self.call(boards.get, [ast.Name(name, ast.Load()), ast.Constant(place)], node)
            found.extend(self.assigned(each, item, node))
        return found

    def unpacked_with_star(self, targets: list[Any], value: Any, node: ast.AST) -> list[ast.stmt]:
        """`a, *rest, b = ...`: those before the star from the front, those after it from the end."""
        name = self.temporary()
        whole = self.call(stars.enough, [value, ast.Constant(len(targets) - 1)], node)
        found: list[ast.stmt] = [located(ast.Assign([ast.Name(name, ast.Store())], whole), node)]
        passed = False
        for place, each in enumerate(targets):
            here, after = ast.Name(name, ast.Load()), len(targets) - 1 - place
            if isinstance(each, ast.Starred):
                passed = True
                if isinstance(each.value, ast.Name) and each.value.id not in self.read:
                    continue
                part = self.call(stars.rest, [here, ast.Constant(place), ast.Constant(after)], node)
                found.extend(self.assigned(each.value, part, node))
                continue
            at = located(ast.Constant(-1 - after if passed else place), node)
            found.extend(self.assigned(each, self.call(boards.get, [here, at], node), node))
        return found

    def item_assigned(self, target: ast.Subscript, value: Any, node: ast.AST) -> list[ast.stmt]:
        """`x[i] = v` and `x[i][j] = v`: the list with one item replaced, under the same name."""
        if isinstance(target.slice, ast.Slice):
            self.refuse("it assigns to a slice: assign to the items one by one", target)
        held = self.temporary()
        found: list[ast.stmt] = [located(ast.Assign([ast.Name(held, ast.Store())], value), node)]
        new: Any = located(ast.Name(held, ast.Load()), node)
        base: Any = target
        places = []
        while isinstance(base, ast.Subscript):
            places.append(base.slice)
            base = base.value
        if not isinstance(base, ast.Name) or base.id not in self.own:
            self.refuse(
                "it changes something that is no list of its own: make a list of it first, and change that",
                target,
            )
        indices = []
        for place in reversed(places):
            name = self.temporary()
            found.append(located(ast.Assign([ast.Name(name, ast.Store())], self.index(place)), node))
            indices.append(name)
        change = boards.put_shared if base.id in self.shared else boards.put
        for depth in range(len(indices), 0, -1):
            inner: Any = ast.Name(base.id, ast.Load())
            for name in indices[: depth - 1]:
                inner = self.call(boards.get, [inner, ast.Name(name, ast.Load())], node)
            new = self.call(change, [inner, ast.Name(indices[depth - 1], ast.Load()), new], node)
        found.append(located(ast.Assign([ast.Name(base.id, ast.Store())], new), node))
        return found

    def visit_AugAssign(self, node: ast.AugAssign) -> Any:
        operator = self.operator(node.op)
        if isinstance(node.target, ast.Name) and isinstance(node.op, ast.BitOr):
            plain = node.target.id in self.sets and node.target.id not in self.copies
            if plain and self.is_builtin("set"):  # an empty set gets its type from what is put into it
                whole = located(ast.Name(node.target.id, ast.Load()), node)
                value = self.call(texts.as_set, [self.visit(node.value)], node)
                change = ast.Call(ast.Attribute(whole, "update", ast.Load()), [value], [])
                return located(ast.Expr(change), node)
        if isinstance(node.target, ast.Name):
            here = located(ast.Name(node.target.id, ast.Load()), node)
            if node.target.id in self.shared:  # a list or set with two names would change under both
                here = self.call(boards.no_shared_list, [here], node)
            made = self.call(
                functions.in_place(OPERATORS[type(node.op)], operator), [here, self.visit(node.value)], node
            )
            return located(ast.Assign([node.target], made), node)
        if not isinstance(node.target, ast.Subscript):
            return self.visit_Attribute(node.target)
        found, target = self.held(node.target, node)
        load = located(ast.Subscript(target.value, target.slice, ast.Load()), node)
        made = self.call(operator, [self.visit(load), self.visit(node.value)], node)
        return [*found, *self.item_assigned(target, made, node)]

    def held(self, target: ast.Subscript, node: ast.AST) -> tuple[list[ast.stmt], ast.Subscript]:
        """A target whose indices are computed once, before."""
        found: list[ast.stmt] = []
        base: Any = target.value
        if isinstance(base, ast.Subscript):
            found, base = self.held(base, node)
        name = self.temporary()
        found.append(located(ast.Assign([ast.Name(name, ast.Store())], self.index(target.slice)), node))
        index = ast.Name(name, ast.Load())
        return found, located(ast.Subscript(base, index, ast.Load()), node)
