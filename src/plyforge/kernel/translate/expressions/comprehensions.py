"""Comprehensions and generator expressions as functions of their own, called where they stand.

    any(board[i] == 0 for i in line)        any7(board, line), with    def any7(board, line):
                                                                           for i in line:
                                                                               if board[i] == 0:
                                                                                   return True
                                                                           return False

What they read of the function around them are their parameters, so that they are evaluated where and when Python would.
"""

from __future__ import annotations

import ast
import copy
from typing import Any

from plyforge.kernel.exact.cells import cell_maps, cell_sets
from plyforge.kernel.exact.sequences import conversion, copies, mapping, sequences, whole
from plyforge.kernel.translate.base import PREFIX
from plyforge.kernel.translate.expressions.expressions import Expressions
from plyforge.kernel.translate.functions.recursion import ITSELF
from plyforge.kernel.translate.functions.scopes import bound_names
from plyforge.kernel.translate.statements.any_order import ANY_ORDER

ITEM = "_plyforge_item"
MADE = "_plyforge_made"
MORE = "_plyforge_more"
PUT, WHOLE = f"{PREFIX}put", f"{PREFIX}whole"
MANY = 512
"""Numbers of a range that are written as a table."""


class Comprehensions(Expressions):
    """Part of the translator."""

    # ------------------------------------------------------------ what Python calls with a generator expression
    def lifted_call(self, node: ast.Call, name: str) -> Any:
        """The call of a builtin that goes through what it is given; None where it is another call."""
        if name == "next" and 1 <= len(node.args) <= 2 and isinstance(node.args[0], ast.GeneratorExp):
            return self.first_item(node)
        if name not in (
            "any",
            "all",
            "sum",
            "min",
            "max",
            "tuple",
            "list",
            "set",
            "frozenset",
            "sorted",
            "map",
        ):
            return None
        if len(node.args) == 2 and name == "map":
            return self.mapped(node)
        if len(node.args) != 1 or (node.keywords and name != "sorted"):
            return None
        source = self.with_map_written_out(node.args[0])
        if name == "tuple" and isinstance(source, (ast.List, ast.Tuple)):
            return self.visit(_at(ast.Tuple(source.elts, ast.Load()), source))
        if name == "tuple" and self.is_call_of(source, "sorted"):
            return self.call(whole.sorted_tuple, [self.visit(source.args[0])], node)  # type: ignore[attr-defined]
        if name in ("any", "all"):
            return self.any_or_all(node, name, source)
        rows = self.rows(name, source)
        if rows is not None:
            return self.call(rows[0], [self.visit(rows[1])], node)
        if not isinstance(source, ast.GeneratorExp):
            node.args = [source]
            return None
        if name in ("sum", "min", "max"):
            return self.accumulated(node, name, source)
        listed = _at(ast.ListComp(source.elt, source.generators), source)
        if name in ("set", "frozenset"):
            return self.visit(_at(ast.SetComp(source.elt, source.generators), source))
        setattr(listed, ANY_ORDER, name == "sorted" and not node.keywords)
        node.args = [listed]
        return None

    def is_call_of(self, node: Any, name: str) -> bool:
        """True for the call of a builtin with one argument and nothing else."""
        return (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id == name
            and self.is_builtin(name)
            and len(node.args) == 1
            and not node.keywords
            and not isinstance(node.args[0], (ast.GeneratorExp, ast.Starred))
        )

    def with_map_written_out(self, node: ast.expr) -> ast.expr:
        """`map(f, xs)` as `(f(x) for x in xs)`."""
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id == "map"
            and self.is_builtin("map")
            and len(node.args) == 2
        ):
            return self.as_generator(node)
        return node

    def as_generator(self, node: ast.Call) -> ast.GeneratorExp:
        name = self.temporary()
        call = ast.Call(node.args[0], [ast.Name(name, ast.Load())], [])
        each = ast.comprehension(ast.Name(name, ast.Store()), node.args[1], [], 0)
        made: ast.GeneratorExp = _at(ast.GeneratorExp(call, [each]), node)
        return made

    def mapped(self, node: ast.Call) -> Any:
        made = self.as_generator(node)
        return self.visit(_at(ast.ListComp(made.elt, made.generators), node))

    def rows(self, name: str, source: ast.expr) -> Any:
        """A board row by row made lists, or tuples: the primitive, and the board."""
        if name not in ("tuple", "list") or not isinstance(source, (ast.GeneratorExp, ast.ListComp)):
            return None
        inner = _copied_rows(source)
        if inner is None:
            return None
        kind, board = inner
        if kind != name:
            return None
        return (conversion.rows_as_tuples if name == "tuple" else conversion.rows_as_lists), board

    def visit_ListComp(self, node: ast.ListComp) -> Any:
        inner = _copied_rows(node)
        if inner is not None and inner[0] == "list":
            return self.call(conversion.rows_as_lists, [self.visit(inner[1])], node)
        if inner is not None and inner[0] == "copy":
            return self.call(copies.copied_rows, [self.visit(inner[1])], node)
        if len(node.generators) == 1 and not node.generators[0].ifs:
            return self.each_item(node)
        body = ast.parse(f"{MADE}.append(None)").body[0]
        body.value.args = [node.elt]  # type: ignore[attr-defined]
        free = getattr(node, ANY_ORDER, False)
        return self.lifted("listed", node, [f"{MADE} = []"], body, [f"return {MADE}"], any_order=free)

    def visit_SetComp(self, node: ast.SetComp) -> Any:
        body = ast.parse(f"{MADE}.add(None)").body[0]
        body.value.args = [node.elt]  # type: ignore[attr-defined]
        return self.lifted("set", node, [f"{MADE} = set()"], body, [f"return {MADE}"], any_order=True)

    def visit_DictComp(self, node: ast.DictComp) -> Any:
        """`{cell: piece for cell, piece in board.items() if ...}`: a dict with the keys of another, or some of them."""
        loop = node.generators[0]
        source: Any = loop.iter
        items = isinstance(source, ast.Call) and isinstance(source.func, ast.Attribute) and source.func.attr == "items"
        pair = loop.target.elts if isinstance(loop.target, ast.Tuple) else []
        same_keys = len(pair) == 2 and ast.unparse(node.key) == ast.unparse(pair[0])
        if len(node.generators) > 1 or not items or not same_keys:
            self.refuse(
                "it builds a dict from something else than another one: copy that, `dict(s.board)`, and change it", node
            )
        body = ast.parse(f"{MADE} = {PUT}({MADE}, None, None)").body[0]
        body.value.args[1:] = [node.key, node.value]  # type: ignore[attr-defined]
        first, after = [f"{MADE} = {MORE}"], [f"return {ITSELF}({MADE})"]
        like = self.visit(copy.deepcopy(source.func.value))
        listed = _at(ast.GeneratorExp(node.value, node.generators), node)
        made = self.lifted("dict", listed, first, body, after, [MORE], any_order=True)
        begin = cell_sets.nothing if loop.ifs else cell_maps.as_dict
        made.args.append(self.call(begin, [like], node))
        return made

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> Any:
        return self.visit_ListComp(_at(ast.ListComp(node.elt, node.generators), node))

    def iterable(self, node: ast.expr, in_any_order: bool = False) -> Any:
        """What a loop goes through: a generator expression there is a list; the order of a set is not known."""
        if isinstance(node, ast.GeneratorExp):
            node = _at(ast.ListComp(node.elt, node.generators), node)
        combined = self.combinations_of(node)
        if combined is not None:
            return self.frozen(combined, node)
        ordered = cell_sets.in_any_order if in_any_order else sequences.in_fixed_order
        return self.call(ordered, [self.visit(node)], node)

    # ------------------------------------------------------------ the functions
    def any_or_all(self, node: ast.Call, name: str, source: ast.expr) -> Any:
        if not isinstance(source, ast.GeneratorExp):
            each = ast.comprehension(ast.Name(ITEM, ast.Store()), source, [], 0)
            source = _at(ast.GeneratorExp(ast.Name(ITEM, ast.Load()), [each]), node)
        assert isinstance(source, ast.GeneratorExp)
        found = name == "any"
        test = source.elt if found else _at(ast.UnaryOp(ast.Not(), source.elt), source)
        body = ast.parse(f"if None:\n    return {found}").body[0]
        body.test = test  # type: ignore[attr-defined]
        return self.lifted(name, source, [], body, [f"return {not found}"], any_order=True)

    def accumulated(self, node: ast.Call, name: str, source: ast.GeneratorExp) -> Any:
        if name == "sum":
            body = ast.parse(f"{MADE} = {MADE} + None").body[0]
            body.value.right = source.elt  # type: ignore[attr-defined]
            unordered = self.context.cells and any(self.may_be_a_set(loop.iter) for loop in source.generators)
            if unordered:  # whole numbers add up to the same in any order
                source.elt = _at(ast.Call(ast.Name(WHOLE, ast.Load()), [source.elt], []), source)
                body.value.right = source.elt  # type: ignore[attr-defined]
            return self.lifted("sum", source, [f"{MADE} = 0"], body, [f"return {MADE}"], any_order=unordered)
        text = (
            f"{ITEM}_new = None\nif not {MADE}_found:\n    {MADE} = {ITEM}_new\n    {MADE}_found = True\n"
            f"else:\n    {MADE} = {name}({MADE}, {ITEM}_new)"
        )
        statements = ast.parse(text).body
        statements[0].value = source.elt  # type: ignore[attr-defined]
        after = [f"if not {MADE}_found:\n    raise ValueError('of nothing')", f"return {MADE}"]
        return self.lifted(name, source, [f"{MADE}_found = False"], statements, after, any_order=True)

    def first_item(self, node: ast.Call) -> Any:
        """`next(x for x in ... if ...)`, with or without a value for none."""
        source = node.args[0]
        assert isinstance(source, ast.GeneratorExp)
        body = ast.parse("return None").body[0]
        body.value = source.elt  # type: ignore[attr-defined]
        if len(node.args) == 1:
            return self.lifted("next", source, [], body, ["raise ValueError('there is none')"])
        made = self.lifted("next", source, [], body, [f"return {MORE}"], more=[MORE])
        made.args.append(self.visit(node.args[1]))
        return made

    def each_item(self, node: ast.ListComp) -> Any:
        """`[f(x) for x in xs]`: as long as `xs`, so that the length may be known."""
        loop = node.generators[0]
        free = sorted(self.free_names(node.elt) - _bound(loop.target))
        text = f"def item({ITEM}, {MORE}):\n    pass"
        function = ast.parse(text).body[0]
        assert isinstance(function, ast.FunctionDef)
        lines = [f"{', '.join(free)}, = {MORE}"] if free else []
        taken = ast.parse(f"x = {ITEM}").body[0]
        taken.targets = [loop.target]  # type: ignore[attr-defined]
        answer = ast.Return(node.elt)
        function.body = [*ast.parse("\n".join(lines)).body, taken, answer]
        _at(function, node)
        own = {*free, *_bound(loop.target), ITEM, MORE}
        helper = self.compiled_helper(function, own)
        more = _at(ast.Tuple([ast.Name(name, ast.Load()) for name in free] or [ast.Constant(0)], ast.Load()), node)
        source = self.counted(loop.iter, getattr(node, ANY_ORDER, False))
        where = self.name(helper, "item")
        return self.call(mapping.map_items, [where, source, more], node)

    def counted(self, node: ast.expr, in_any_order: bool) -> Any:
        """What a comprehension goes through: a range whose ends are known is a table of so many numbers."""
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "range":
            known = self.value(node)
            if isinstance(known, range) and 0 < len(known) <= MANY:
                return self.frozen(tuple(known), node)
            inner = node.args[0] if len(node.args) == 1 else None
            if isinstance(inner, ast.Call) and isinstance(inner.func, ast.Name) and inner.func.id == "len":
                if self.is_builtin("range") and self.is_builtin("len") and len(inner.args) == 1:
                    return self.call(whole.places_of, [self.visit(inner.args[0])], node)
        return self.iterable(node, in_any_order)

    def lifted(
        self,
        hint: str,
        node: Any,
        before: list[str],
        body: Any,
        after: list[str],
        more: list[str] | None = None,
        any_order: bool = False,
    ) -> Any:
        """A call of a function that goes through the loops of a comprehension, with `body` inside of them."""
        bound: set[str] = set()
        for loop in node.generators:
            bound |= _bound(loop.target)
        free = sorted(self.free_names(node))
        statements = body if isinstance(body, list) else [body]
        for loop in reversed(node.generators):
            for condition in reversed(loop.ifs):
                statements = [ast.If(condition, statements, [])]
            statements = [ast.For(loop.target, loop.iter, statements, [])]
            setattr(statements[0], ANY_ORDER, any_order)
        parameters = [*free, *(more or [])]
        function = ast.parse(f"def {hint}({', '.join(parameters)}):\n    pass").body[0]
        assert isinstance(function, ast.FunctionDef)
        first = ast.parse("\n".join(before)).body
        function.body = [*first, *statements, *ast.parse("\n".join(after)).body]
        _at(function, node)
        own = {*bound_names(function), *bound}
        helper = self.compiled_helper(function, own)
        args = [ast.Name(name, ast.Load()) for name in free]
        return self.call(helper, args, node)

    def free_names(self, node: ast.AST) -> set[str]:
        """Names of the function around that a comprehension reads."""
        read = {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}
        inner: set[str] = set()
        for n in ast.walk(node):
            if isinstance(n, ast.comprehension):
                inner |= _bound(n.target)
            if isinstance(n, ast.NamedExpr):
                self.refuse("it uses `:=` inside a comprehension: write the loop out", n)
        outer = (
            {n.id for n in ast.walk(node.generators[0].iter) if isinstance(n, ast.Name)}
            if hasattr(node, "generators")
            else set()
        )
        if inner & outer & self.own:  # the first iterable belongs to the function around
            self.refuse("a comprehension uses a name both inside and outside: give it another", node)
        return {name for name in read if name in self.own and name not in inner}


def _bound(target: Any) -> set[str]:
    return {n.id for n in ast.walk(target) if isinstance(n, ast.Name)}


def _at(new: Any, old: ast.AST) -> Any:
    """A node that errors place where the old one is; what was written by hand keeps its place."""
    for inner in ast.walk(new):
        if getattr(inner, "lineno", 1) == 1 or not hasattr(inner, "lineno"):
            ast.copy_location(inner, old)
    return new


def _copied_rows(node: Any) -> tuple[str, ast.expr] | None:
    """`[list(row) for row in board]` and its kin: what the rows become ("copy" for what they are), and the board."""
    if len(node.generators) != 1:
        return None
    loop = node.generators[0]
    if loop.ifs or not isinstance(loop.target, ast.Name):
        return None
    elt, row = node.elt, loop.target.id
    if isinstance(elt, ast.Call) and isinstance(elt.func, ast.Name) and not elt.keywords and len(elt.args) == 1:
        if elt.func.id in ("list", "tuple") and isinstance(elt.args[0], ast.Name) and elt.args[0].id == row:
            return elt.func.id, loop.iter
    if ast.unparse(elt) == f"[*{row}]":
        return "list", loop.iter
    return ("copy", loop.iter) if ast.unparse(elt) in (f"{row}[:]", f"{row}.copy()") else None


__all__ = ["Comprehensions"]
