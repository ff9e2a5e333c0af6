"""Constant expressions: what a rules file's own constants make, computed while translating.

`sorted(CORNERS + CENTRE)`, `(0,) * (N * N)`, `self.size * 2`: where all names are constants of the file or fields of
the game, the value is known.
"""

from __future__ import annotations

import ast
import enum
import itertools
import types
from typing import Any

from plyforge.kernel.exact.sequences import conversion
from plyforge.kernel.translate.expressions.constants import Constants

NOT_CONSTANT: Any = object()
PURE = {"len", "sorted", "tuple", "list", "range", "sum", "min", "max", "abs", "set", "frozenset"}
COMBINING = (
    itertools.product,
    itertools.combinations,
    itertools.permutations,
    itertools.combinations_with_replacement,
    itertools.pairwise,
)
LARGEST = 1 << 16
"""Items that a folded sequence may have."""


class Folding(Constants):
    """Part of the translator."""

    def constant_of(self, node: Any) -> Any:
        """What an expression of names and dots stands for; NOT_CONSTANT where that is not known."""
        if isinstance(node, ast.Constant):
            return node.value
        if isinstance(node, ast.Name):
            if node.id in self.own or node.id not in self.outside:
                return NOT_CONSTANT
            return self.outside[node.id]
        if isinstance(node, ast.Attribute):
            if isinstance(node.value, ast.Name) and node.value.id == self.this and self.this:
                return self.field(node.attr)
            owner = self.constant_of(node.value)
            if isinstance(owner, (types.ModuleType, type)):
                return getattr(owner, node.attr, NOT_CONSTANT)
            if isinstance(owner, enum.Enum) and node.attr in ("name", "value"):
                return getattr(owner, node.attr)
        return NOT_CONSTANT

    def field(self, name: str) -> Any:
        """A field or class constant of the game; not its methods."""
        game = self.context.instance
        if game is None:
            return NOT_CONSTANT
        if name in vars(game):
            return vars(game)[name]
        value = getattr(type(game), name, NOT_CONSTANT)
        if isinstance(value, (bool, int, float, str, tuple, list, dict, set, frozenset)):
            return value
        return NOT_CONSTANT

    def folded(self, node: Any) -> Any:
        """The table of an expression whose value is a known sequence; None for any other."""
        if not isinstance(node, (ast.BinOp, ast.Call, ast.Subscript)):
            return None
        value = self.value(node)
        if isinstance(value, (tuple, list, str, dict, set, frozenset)):
            if len(value) > LARGEST or not len(value):
                return None
            table = self.frozen(value, node)
            if isinstance(value, list) and not isinstance(node, ast.Subscript):  # a list of one's own, to be changed
                return self.call(conversion.to_list, [table], node)
            return table
        return None

    def value(self, node: Any) -> Any:
        """The value of a constant expression."""
        try:
            return self._value(node)
        except Exception:  # it fails again where it runs
            return NOT_CONSTANT

    def combinations_of(self, node: Any) -> tuple[Any, ...] | None:
        """What `product(range(3), repeat=2)` and its kin go through, where that is known; such a thing can be gone
        through only once, so it has no other use."""
        if not isinstance(node, ast.Call) or self.constant_of(node.func) not in COMBINING:
            return None
        args = [self.combinations_of(arg) or self.value(arg) for arg in node.args]
        more = {str(each.arg): self.value(each.value) for each in node.keywords}
        if NOT_CONSTANT in (*args, *more.values()):
            return None
        try:
            found = tuple(itertools.islice(self.constant_of(node.func)(*args, **more), LARGEST + 1))
        except (TypeError, ValueError):  # it fails again where it runs
            return None
        return found if 0 < len(found) <= LARGEST else None

    def _value(self, node: Any) -> Any:
        if isinstance(node, (ast.Constant, ast.Name, ast.Attribute)):
            return self.constant_of(node)
        if isinstance(node, (ast.Tuple, ast.List)):
            items = [self._value(each) for each in node.elts]
            if any(item is NOT_CONSTANT for item in items):
                return NOT_CONSTANT
            return tuple(items) if isinstance(node, ast.Tuple) else items
        if isinstance(node, ast.Dict) and None not in node.keys:
            keys, values = ([self._value(each) for each in part] for part in (node.keys, node.values))
            known = not any(item is NOT_CONSTANT for item in (*keys, *values))
            return dict(zip(keys, values, strict=True)) if known else NOT_CONSTANT
        if isinstance(node, ast.BinOp):
            left, right = self._value(node.left), self._value(node.right)
            if left is NOT_CONSTANT or right is NOT_CONSTANT or _too_large(node.op, left, right):
                return NOT_CONSTANT
            return self._computed(ast.BinOp(ast.Name("a"), node.op, ast.Name("b")), a=left, b=right)
        if isinstance(node, ast.UnaryOp):
            operand = self._value(node.operand)
            return (
                NOT_CONSTANT
                if operand is NOT_CONSTANT
                else self._computed(ast.UnaryOp(node.op, ast.Name("a")), a=operand)
            )
        if isinstance(node, ast.Subscript) and not isinstance(node.slice, ast.Slice):
            base, index = self._value(node.value), self._value(node.slice)
            return NOT_CONSTANT if base is NOT_CONSTANT or index is NOT_CONSTANT else base[index]
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in PURE:
            if node.func.id in self.own or node.func.id in self.outside or node.keywords:
                return NOT_CONSTANT
            args = [self._value(arg) for arg in node.args]
            if any(arg is NOT_CONSTANT for arg in args):
                return NOT_CONSTANT
            import builtins

            return getattr(builtins, node.func.id)(*args)
        return NOT_CONSTANT

    def _computed(self, expression: Any, **names: Any) -> Any:
        for inner in ast.walk(expression):
            if isinstance(inner, ast.Name):
                inner.ctx = ast.Load()
        tree = ast.fix_missing_locations(ast.Expression(expression))
        return eval(compile(tree, "<constant>", "eval"), {"__builtins__": {}}, names)


def _too_large(op: Any, left: Any, right: Any) -> bool:
    """True for what nobody should compute beforehand: `1 << 4_000_000_000`, a sequence as often."""
    if isinstance(op, (ast.LShift, ast.Pow)):
        return isinstance(right, int) and right > LARGEST
    counts = [each for each in (left, right) if isinstance(each, int)]
    return isinstance(op, ast.Mult) and len(counts) == 1 and counts[0] > LARGEST
