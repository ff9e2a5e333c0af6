"""Operators, comparisons, items and attributes as calls of exact primitives."""

from __future__ import annotations

import ast
import enum
import inspect
import types
from typing import Any

import numba

from plyforge.kernel.exact import constants
from plyforge.kernel.exact.boards import boards
from plyforge.kernel.exact.cells import cell_maps, cell_sets
from plyforge.kernel.exact.numbers import arithmetic, functions, wide
from plyforge.kernel.exact.primitive import Primitive, Same, primitive
from plyforge.kernel.exact.records import is_record, is_record_type
from plyforge.kernel.exact.sequences import conversion, sequences, slices, texts
from plyforge.kernel.translate.base import PREFIX, located
from plyforge.kernel.translate.context import Context
from plyforge.kernel.translate.expressions.folding import NOT_CONSTANT, Folding
from plyforge.kernel.translate.functions.listing import LISTS

OWN = "own__"
"""`self.own__actions` in rules is the method as it is written; kernels ask `actions`, which may be made a generator."""

OPERATORS: dict[type, Any] = {
    ast.Add: arithmetic.add,
    ast.Sub: arithmetic.sub,
    ast.Mult: arithmetic.mul,
    ast.FloorDiv: arithmetic.floordiv,
    ast.Div: arithmetic.truediv,
    ast.Mod: arithmetic.mod,
    ast.Pow: arithmetic.power,
    ast.LShift: arithmetic.lshift,
    ast.RShift: arithmetic.rshift,
    ast.BitAnd: arithmetic.bit_and,
    ast.BitOr: arithmetic.bit_or,
    ast.BitXor: arithmetic.bit_xor,
    ast.USub: arithmetic.neg,
    ast.UAdd: arithmetic.pos,
    ast.Invert: arithmetic.invert,
    ast.Eq: arithmetic.eq,
    ast.NotEq: arithmetic.ne,
    ast.Lt: arithmetic.lt,
    ast.LtE: arithmetic.le,
    ast.Gt: arithmetic.gt,
    ast.GtE: arithmetic.ge,
}


CHANGING = (
    "add",
    "append",
    "clear",
    "discard",
    "extend",
    "insert",
    "pop",
    "popitem",
    "remove",
    "reverse",
    "sort",
    "update",
)
"""Methods after which a second call may say something else."""


def is_at_hand(node: ast.expr) -> bool:
    """True if asking for it can't fail and costs nothing: a constant, a name, a field."""
    if isinstance(node, ast.UnaryOp):
        return isinstance(node.operand, ast.Constant)
    if isinstance(node, ast.Attribute):
        return isinstance(node.value, ast.Name)
    return isinstance(node, (ast.Constant, ast.Name))


def is_repeatable(node: ast.expr) -> bool:
    """True if asking twice gives the same twice."""
    calls = [each.func for each in ast.walk(node) if isinstance(each, ast.Call)]
    changes = any(isinstance(called, ast.Attribute) and called.attr in CHANGING for called in calls)
    return not changes and not any(isinstance(each, ast.NamedExpr) for each in ast.walk(node))


def _state_method(name: str, context: Context) -> Primitive:
    def method(state: Any, *args: Any) -> Any:
        return getattr(state, name)(*args)

    made = primitive(method)

    @made.rule
    def _rule(typing: Any, state: Any, *args: Any) -> Any:
        from plyforge.kernel.translate import translated_call

        is_member = isinstance(state, numba.types.EnumMember)
        if not is_member and (not is_record_type(state) or name in state.fields):
            return None
        value = inspect.getattr_static(state.instance_class, name, None)
        value = value.fget if isinstance(value, property) else value
        if not isinstance(value, types.FunctionType):
            return None
        return Same(translated_call(value, context), (state, *map(numba.types.unliteral, args)))

    return made


class Expressions(Folding):
    """Part of the translator."""

    def visit_BinOp(self, node: ast.BinOp) -> Any:
        constant = self.folded(node)
        if constant is not None:
            return constant
        joined = self.with_display(node)
        if joined is not None:
            return joined
        replaced = self.replaced_item(node)
        if replaced is not None:
            return replaced
        args = [self.visit(node.left), self.visit(node.right)]
        if (
            self.context.wide
            and isinstance(node.op, ast.Pow)
            and isinstance(node.left, ast.Constant)
            and type(node.left.value) is int
            and node.left.value == 2
        ):
            return self.call(wide.wide_lshift, [located(ast.Constant(1), node), args[1]], node)
        return self.call(self.operator(node.op), args, node)

    def with_display(self, node: ast.BinOp) -> Any:
        """`stones | {cell}`, `stones - {cell}` and `board | {cell: piece}`: what is written out is put in, or taken
        out, one by one."""
        right = node.right
        joins = isinstance(node.op, ast.BitOr)
        if isinstance(right, ast.Set) and (joins or isinstance(node.op, ast.Sub)):
            if not isinstance(node.left, ast.Set) and not any(isinstance(each, ast.Starred) for each in right.elts):
                made = self.visit(node.left)
                for each in right.elts:
                    made = self.call(cell_sets.joined_with if joins else cell_sets.less, [made, self.kept(each)], node)
                return made
        if isinstance(right, ast.Dict) and joins and None not in right.keys:
            return self.with_entries(self.call(cell_maps.as_dict, [self.visit(node.left)], node), right, right.keys)
        return None

    def with_entries(self, made: Any, node: ast.Dict, keys: list[Any]) -> Any:
        """A dict with the last entries of a display put in."""
        for key, value in zip(keys, node.values[-len(keys) :] if keys else (), strict=True):
            made = self.call(boards.put, [made, self.visit(key), self.visit(value)], node)
        return made

    def visit_Dict(self, node: ast.Dict) -> Any:
        if not node.keys:
            return self.call(cell_sets.empty["dict"], [], node)
        written_out = self.value(node)  # `{"x": 1.0, "o": -1.0}[piece]`: a table, which nobody can change
        if written_out is not NOT_CONSTANT and constants.frozen_type(written_out) is not None:
            return self.frozen(written_out, node)
        if node.keys[0] is not None or None in node.keys[1:]:
            self.refuse("it builds a dict: use tuples, or copy a dict of the state, `{**s.board, cell: piece}`", node)
        first = self.call(cell_maps.as_dict, [self.visit(node.values[0])], node)
        return self.with_entries(first, node, node.keys[1:])

    def operator(self, op: Any) -> Any:
        """The primitive of an operator: one that gives wide numbers, where the rules need them."""
        usual = OPERATORS[type(op)]
        if self.context.wide and usual is arithmetic.lshift:
            return wide.wide_lshift
        for growth in range(1, self.context.growth + 1):
            usual = wide.WIDER[growth].get(usual, usual)
        return usual

    def visit_UnaryOp(self, node: ast.UnaryOp) -> Any:
        if isinstance(node.op, ast.Not):
            return located(ast.UnaryOp(ast.Not(), self.test(node.operand)), node)
        if isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Constant):
            value = node.operand.value
            if isinstance(value, (int, float)) and not isinstance(value, bool):
                return self.visit_Constant(located(ast.Constant(-value), node))
        return self.call(OPERATORS[type(node.op)], [self.visit(node.operand)], node)

    def test(self, node: ast.expr) -> Any:
        """An expression of which only the truth matters."""
        if isinstance(node, ast.BoolOp):
            return located(ast.BoolOp(node.op, [self.test(value) for value in node.values]), node)
        if isinstance(node, ast.Compare) or (isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)):
            return self.visit(node)
        return self.call(sequences.truth, [self.visit(node)], node)

    def visit_Compare(self, node: ast.Compare) -> Any:
        values = [node.left, *node.comparators]
        if len(node.ops) == 1:
            return self.comparison(node.ops[0], self.visit(node.left), node.comparators[0], node)
        if any(isinstance(op, (ast.Is, ast.IsNot, ast.In, ast.NotIn)) for op in node.ops):
            self.refuse("it compares in a chain with `in` or `is`: write two comparisons with `and`", node)
        if not all(map(is_at_hand, values[2:])):
            return self.chain_in_steps(node, values)
        names = [f"{PREFIX}x{place}" for place in range(len(values))]
        parts: list[ast.expr] = [
            ast.Compare(ast.Name(one, ast.Load()), [op], [ast.Name(other, ast.Load())])
            for one, op, other in zip(names, node.ops, names[1:], strict=False)
        ]
        function = ast.parse(f"def chain({', '.join(names)}):\n    return None").body[0]
        assert isinstance(function, ast.FunctionDef)
        function.body = [ast.Return(ast.BoolOp(ast.And(), parts))]
        for inner in ast.walk(function):
            ast.copy_location(inner, node)
        helper = self.compiled_helper(function, set(names))
        return self.call(helper, [self.visit(value) for value in values], node)

    def chain_in_steps(self, node: ast.Compare, values: list[ast.expr]) -> Any:
        """A chain of which Python may leave out the end: `0 <= i < board[i]`, where `board[i]` may not be there. What
        stands in the middle is written twice."""
        if not all(map(is_repeatable, values[1:-1])):
            self.refuse("it compares in a chain with something that changes when asked: give it a name first", node)
        steps = zip(values, node.ops, values[1:], strict=False)
        parts = [self.comparison(op, self.visit(left), right, node) for left, op, right in steps]
        return located(ast.BoolOp(ast.And(), parts), node)

    def comparison(self, op: Any, left: Any, right: ast.expr, node: ast.AST) -> Any:
        """One comparison; `left` is translated already."""
        if isinstance(op, (ast.Is, ast.IsNot)):
            if isinstance(right, ast.Constant) and right.value is None:
                made = self.call(sequences.is_none, [left], node)
            else:
                made = self.call(functions.same_object, [left, self.visit(right)], node)
            return made if isinstance(op, ast.Is) else located(ast.UnaryOp(ast.Not(), made), node)
        if isinstance(op, (ast.In, ast.NotIn)):
            if isinstance(right, (ast.List, ast.Set)) and not any(isinstance(each, ast.Starred) for each in right.elts):
                right = located(ast.Tuple(right.elts, ast.Load()), right)
            made = self.call(sequences.contains, [self.visit(right), left], node)
            return made if isinstance(op, ast.In) else located(ast.UnaryOp(ast.Not(), made), node)
        return self.call(OPERATORS[type(op)], [left, self.visit(right)], node)

    def visit_IfExp(self, node: ast.IfExp) -> Any:
        node.test = self.test(node.test)
        node.body, node.orelse = self.visit(node.body), self.visit(node.orelse)
        return node

    def visit_NamedExpr(self, node: ast.NamedExpr) -> Any:
        node.value = self.visit(node.value)
        return node

    def visit_Attribute(self, node: ast.Attribute) -> Any:
        if not isinstance(node.ctx, ast.Load):
            self.refuse(
                f"it changes '.{node.attr}': what changes belongs into the state, and result gives a new one",
                node,
            )
        value: Any = self.constant_of(node)
        if isinstance(value, enum.Enum):
            return self.constant_node(value, node)
        if value is not NOT_CONSTANT and isinstance(
            value, (list, dict, set, frozenset, tuple, str, types.FunctionType)
        ):
            return self.outer(value, node)
        if type(value) in (bool, int, float) and isinstance(self.constant_of(node.value), (type, enum.Enum)):
            return self.visit(located(ast.Constant(value), node))
        this = isinstance(node.value, ast.Name) and node.value.id == self.this
        if not this and isinstance(self.state_methods().get(node.attr), property):
            return self.call(self.state_method(node.attr), [self.visit(node.value)], node)
        if this and node.attr in LISTS:
            return located(ast.Attribute(node.value, OWN + node.attr, ast.Load()), node)
        node.value = self.visit(node.value)
        return node

    def state_methods(self) -> dict[str, Any]:
        """Methods and properties of the file's own NamedTuples, dataclasses and enumerations, by name."""
        key = ("state methods", id(self.where.__globals__))
        if key not in self.context.made:
            classes = {value for value in self.where.__globals__.values() if isinstance(value, type)}
            found: dict[str, Any] = {}
            for cls in {*classes, *self.context.fields}:
                if is_record(cls) or issubclass(cls, enum.Enum):
                    for name, value in vars(cls).items():
                        if isinstance(value, (types.FunctionType, property)) and not name.startswith("_"):
                            found[name] = value
            self.context.made[key] = found
        methods: dict[str, Any] = self.context.made[key]
        return methods

    def state_method(self, name: str) -> Any:
        """A primitive that calls the method of that name of whatever state or member it is given."""
        key = ("state method", name)
        if key not in self.context.made:
            self.context.made[key] = _state_method(name, self.context)
        return self.context.made[key]

    def visit_Subscript(self, node: ast.Subscript) -> Any:
        if not isinstance(node.ctx, ast.Load):
            return node
        constant = self.folded(node)
        if constant is not None:
            return constant
        base = self.visit(node.value)
        if isinstance(node.slice, ast.Slice):
            ends = [node.slice.lower, node.slice.upper, node.slice.step]
            args = [ast.Constant(None) if end is None else self.visit(end) for end in ends]
            return self.call(slices.slice_of, [base, *args], node)
        return self.call(boards.get, [base, self.index(node.slice)], node)

    def index(self, node: ast.expr) -> Any:
        """What stands between brackets: a number of 64 bits, or a key."""
        made = self.visit(node)
        return self.call(wide.as_index, [made], node) if self.context.wide else made

    def replaced_item(self, node: ast.BinOp) -> Any:
        """`x[:i] + (item,) + x[i + 1:]`, and the same of a text."""
        if not (
            isinstance(node.op, ast.Add) and isinstance(node.left, ast.BinOp) and isinstance(node.left.op, ast.Add)
        ):
            return None
        item = node.left.right
        if isinstance(item, ast.Tuple):
            if len(item.elts) != 1 or isinstance(item.elts[0], ast.Starred):
                return None
            item = item.elts[0]
        return self.replacing(node.left.left, item, node.right, node)

    def replacing(self, before: ast.expr, item: ast.expr, after: ast.expr, node: ast.AST) -> Any:
        if not (isinstance(before, ast.Subscript) and isinstance(after, ast.Subscript)):
            return None
        first, last = before.slice, after.slice
        if not (isinstance(first, ast.Slice) and isinstance(last, ast.Slice)):
            return None
        if first.lower or first.step or last.upper or last.step or first.upper is None or last.lower is None:
            return None
        expected = ast.BinOp(first.upper, ast.Add(), ast.Constant(1))
        same = ast.dump(before.value) == ast.dump(after.value) and ast.dump(expected) == ast.dump(last.lower)
        if not same or not isinstance(before.value, (ast.Name, ast.Attribute)):
            return None
        if not isinstance(first.upper, (ast.Name, ast.Attribute)):
            return None
        args = [self.visit(before.value), self.visit(first.upper), self.visit(item)]
        return self.call(sequences.replaced, args, node)

    def one_width(self, rows: list[Any]) -> None:
        """Constants of one column of a table that is written out: where one is beyond 64 bits, all are as wide."""
        if not rows or not all(isinstance(row, ast.Tuple) and len(row.elts) == len(rows[0].elts) for row in rows):
            return
        for column in range(len(rows[0].elts)):
            values = [self.value(row.elts[column]) for row in rows]
            if all(isinstance(v, int) for v in values) and any(v.bit_length() > 63 for v in values):
                for row, value in zip(rows, values, strict=True):
                    name = self.beyond_64_bits(value, "a number", row)
                    row.elts[column] = name

    def visit_List(self, node: ast.List) -> Any:
        if not isinstance(node.ctx, ast.Load) or not any(isinstance(e, ast.Starred) for e in node.elts):
            return self.generic_visit(node)
        parts: list[Any] = []
        for each in node.elts:  # `[*a, b]` is `list(a) + [b]`
            if isinstance(each, ast.Starred):
                source = self.call(sequences.in_fixed_order, [self.visit(each.value)], node)
                parts.append(self.call(conversion.to_list, [source], node))
            elif parts and isinstance(parts[-1], ast.List):
                parts[-1].elts.append(self.visit(each))
            else:
                parts.append(located(ast.List([self.visit(each)], ast.Load()), node))
        made = parts[0]
        for part in parts[1:]:
            made = self.call(arithmetic.add, [made, part], node)
        return made

    def joined(self, node: ast.Tuple) -> Any:
        """`(*a, x, *b)` as `tuple(a) + (x,) + tuple(b)`."""
        made: Any = None
        for each in node.elts:
            if isinstance(each, ast.Starred):
                part = self.call(conversion.to_tuple, [self.visit(each.value)], node)
            else:
                part = located(ast.Tuple([self.visit(each)], ast.Load()), node)
            made = part if made is None else self.call(arithmetic.add, [made, part], node)
        return made

    def kept(self, node: ast.expr) -> Any:
        """What a list or a set keeps: a text that is a constant as one of several that it may hold."""
        may_be_text = isinstance(node, (ast.Name, ast.Subscript, ast.Attribute, ast.IfExp)) or (
            isinstance(node, ast.Constant) and isinstance(node.value, str)
        )
        made = self.visit(node)
        return self.call(texts.as_value, [made], node) if may_be_text else made

    def visit_Set(self, node: ast.Set) -> Any:
        node.elts = [self.kept(each) for each in node.elts]
        return node

    def visit_Tuple(self, node: ast.Tuple) -> Any:
        if self.context.wide and isinstance(node.ctx, ast.Load):
            self.one_width(node.elts)
        if isinstance(node.ctx, ast.Load) and len(node.elts) == 3:
            first, item, last = node.elts
            if isinstance(first, ast.Starred) and isinstance(last, ast.Starred):
                made = self.replacing(first.value, item, last.value, node)
                if made is not None:
                    return made
        if isinstance(node.ctx, ast.Load) and any(isinstance(each, ast.Starred) for each in node.elts):
            return self.joined(node)
        return self.generic_visit(node)
