"""`sorted`, `min`, `max` with `key=`, `reverse=` and `default=`: the key is written into the loop that asks for it.

max(cells, key=lambda i: s.points[i])        best(cells, s), with    def best(cells, s):
                                                                         for item in cells:
                                                                             key = s.points[item]
                                                                             if it is the first, or key > best key: ...
"""

from __future__ import annotations

import ast
import copy
import operator
from typing import Any

from plyforge.kernel.exact.sequences import conversion, ordering, sequences
from plyforge.kernel.translate.base import PREFIX, located
from plyforge.kernel.translate.expressions.comprehensions import ITEM, MADE, MORE, Comprehensions
from plyforge.kernel.translate.functions.scopes import COMPREHENSIONS, bound_names

ITEMS, TURN, ORDERED = f"{PREFIX}items", f"{PREFIX}turn", f"{PREFIX}ordered"
KEYWORDS = {"sorted": {"key", "reverse"}, "min": {"key", "default"}, "max": {"key", "default"}}


class Ordering(Comprehensions):
    """Part of the translator."""

    def keyed_call(self, node: ast.Call, name: str) -> Any:
        """A call with these keywords; None where it is another one."""
        keywords = {str(k.arg): k.value for k in node.keywords}
        if not keywords or not node.args or not set(keywords) <= KEYWORDS.get(name, set()):
            return None
        key = keywords.get("key")
        key = None if isinstance(key, ast.Constant) and key.value is None else key
        if name == "sorted":
            return self.sorted_by(node, key, keywords.get("reverse"))
        source = node.args[0]
        if len(node.args) > 1:
            source = located(ast.Tuple(node.args, ast.Load()), node)
        return self.best(node, name, source, key, keywords.get("default"))

    def sorted_by(self, node: ast.Call, key: ast.expr | None, reverse: ast.expr | None) -> Any:
        """A list of what there is to sort, handed to a helper that makes the keys."""
        source = self.visit(node.args[0])
        items = self.call(conversion.to_list, [self.call(sequences.in_fixed_order, [source], node)], node)
        turn = self.test(reverse) if reverse is not None else located(ast.Constant(False), node)
        if key is None:
            return self.call(ordering.in_reverse, [items, turn], node)
        return self.keyed(items, key, turn, node)

    def keyed(self, items: Any, key: ast.expr, turn: Any, node: ast.AST) -> Any:
        """Items in the order of their keys; the items and `turn` are translated already."""
        name = self.new_name()
        expression = self.applied(key, name)
        loop = ast.comprehension(ast.Name(name, ast.Store()), ast.Name(ITEMS, ast.Load()), [], 0)
        free = sorted(self.free_names(expression) - {name})
        text = f"def keyed({', '.join([ITEMS, TURN, *free])}):\n    return {ORDERED}({ITEMS}, None, {TURN})"
        function: Any = ast.parse(text).body[0]
        function.body[0].value.args[1] = ast.ListComp(expression, [loop])
        for inner in ast.walk(function):
            if getattr(inner, "lineno", 1) == 1:
                ast.copy_location(inner, node)
        helper = self.compiled_helper(function, {ITEMS, TURN, *free})
        args = [items, turn, *(ast.Name(each, ast.Load()) for each in free)]
        return self.call(helper, args, node)

    def best(self, node: ast.Call, name: str, source: ast.expr, key: ast.expr | None, default: ast.expr | None) -> Any:
        source = self.with_map_written_out(source)
        if not isinstance(source, ast.GeneratorExp):
            each = ast.comprehension(ast.Name(ITEM, ast.Store()), source, [], 0)
            source = located(ast.GeneratorExp(ast.Name(ITEM, ast.Load()), [each]), node)
        assert isinstance(source, ast.GeneratorExp)
        item, of_item = self.new_name(), self.new_name()
        expression = ast.Name(item, ast.Load()) if key is None else self.applied(key, item)
        sign = ">" if name == "max" else "<"
        text = (
            f"{item} = None\n{of_item} = None\n"
            f"if not {MADE}_found:\n    {MADE} = {item}\n    {MADE}_key = {of_item}\n    {MADE}_found = True\n"
            f"elif {of_item} {sign} {MADE}_key:\n    {MADE} = {item}\n    {MADE}_key = {of_item}"
        )
        statements = ast.parse(text).body
        statements[0].value = source.elt  # type: ignore[attr-defined]
        statements[1].value = copy.deepcopy(expression)  # type: ignore[attr-defined]
        both = ast.Tuple([source.elt, expression], ast.Load())
        whole = located(ast.GeneratorExp(both, source.generators), node)
        nothing = f"raise ValueError('{name} of nothing')" if default is None else f"return {MORE}"
        after = [f"if not {MADE}_found:\n    {nothing}", f"return {MADE}"]
        more = [] if default is None else [MORE]
        made = self.lifted(name, whole, [f"{MADE}_found = False"], statements, after, more)
        if default is not None:
            made.args.append(self.visit(default))
        return made

    def applied(self, key: ast.expr, name: str) -> ast.expr:
        """A function applied to the item of this name."""
        item = ast.Name(name, ast.Load())
        if isinstance(key, ast.Lambda):
            args = key.args
            if len(args.args) != 1 or args.posonlyargs or args.vararg or args.kwonlyargs or args.kwarg:
                self.refuse("a key takes one thing", key)
            old = args.args[0].arg
            for inner in ast.walk(key.body):
                if isinstance(inner, (ast.Lambda, *COMPREHENSIONS)) and old in bound_names(inner):
                    self.refuse(f"the name '{old}' means two things here: give one of them another", inner)
            body: ast.expr = _Renamer(old, name).visit(key.body)
            return body
        if isinstance(key, ast.Attribute) and key.attr == "__getitem__":
            return located(ast.Subscript(key.value, item, ast.Load()), key)
        if isinstance(key, ast.Call) and self.constant_of(key.func) is operator.itemgetter:
            if len(key.args) == 1:
                return located(ast.Subscript(item, key.args[0], ast.Load()), key)
        if not isinstance(key, (ast.Name, ast.Attribute)):
            self.refuse("its key is no function that is known beforehand: write a lambda", key)
        return located(ast.Call(key, [item], []), key)


class _Renamer(ast.NodeTransformer):
    def __init__(self, old: str, new: str) -> None:
        self.old, self.new = old, new

    def visit_Name(self, node: ast.Name) -> Any:
        return ast.copy_location(ast.Name(self.new, node.ctx), node) if node.id == self.old else node
