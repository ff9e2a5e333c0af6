"""Calls: builtins, methods of numbers, sequences and states, states that are built, functions of the rules."""

from __future__ import annotations

import ast
import builtins
import copy
import dataclasses
import enum
import types
from typing import Any

from plyforge.kernel.exact import constants, control
from plyforge.kernel.exact.boards import boards
from plyforge.kernel.exact.cells import cell_maps, cell_sets, set_algebra
from plyforge.kernel.exact.construct import replacer
from plyforge.kernel.exact.numbers import arithmetic, functions, wide
from plyforge.kernel.exact.numbers.standard import OTHERWISE, STANDARD
from plyforge.kernel.exact.records import defaults_of, given_by_place, is_record, names_of
from plyforge.kernel.exact.sequences import conversion, copies, extremes, growing, letters, ordering, sequences, texts
from plyforge.kernel.translate.base import located
from plyforge.kernel.translate.expressions.comprehensions import PUT, WHOLE
from plyforge.kernel.translate.expressions.folding import NOT_CONSTANT
from plyforge.kernel.translate.expressions.ordering import ORDERED, Ordering
from plyforge.kernel.translate.functions.recursion import DEEPER, ITSELF, STACK_HERE
from plyforge.kernel.translate.statements.any_order import AGREED, IN_ORDER, LOOPED
from plyforge.kernel.translate.statements.growing import GROWN
from plyforge.kernel.translate.statements.matching import IS_INSTANCE, IS_SEQUENCE

ONE_ARGUMENT: dict[str, Any] = {
    "len": boards.length,
    "tuple": conversion.to_tuple,
    "list": conversion.to_list,
    "set": cell_sets.as_set,
    "frozenset": cell_sets.as_frozenset,
    "dict": cell_maps.as_dict,
    "sum": extremes.sum_of,
    "max": extremes.largest,
    "min": extremes.smallest,
    "sorted": extremes.in_order,
    "reversed": extremes.turned,
    "abs": arithmetic.absolute,
    "int": arithmetic.to_int,
    "float": arithmetic.to_float,
    "bool": sequences.truth,
    "round": arithmetic.rounded,
}
METHODS: dict[tuple[str, int], Any] = {
    ("count", 1): sequences.count_of,
    ("index", 1): sequences.index_of,
    ("find", 1): sequences.find_in,
    ("copy", 0): cell_sets.copied,
    ("get", 1): cell_maps.get_or_none,
    ("get", 2): sequences.look_up_or,
    ("keys", 0): cell_maps.keys_of,
    ("values", 0): cell_maps.values_of,
    ("items", 0): cell_maps.items_of,
    ("isdisjoint", 1): set_algebra.disjoint,
    ("issubset", 1): set_algebra.is_inside,
    ("issuperset", 1): set_algebra.holds_all,
    ("union", 1): arithmetic.bit_or,
    ("intersection", 1): arithmetic.bit_and,
    ("difference", 1): arithmetic.sub,
    ("bit_count", 0): functions.bit_count,
    ("bit_length", 0): functions.bit_length,
    ("startswith", 1): texts.starts_with,
    ("endswith", 1): texts.ends_with,
    **{(name, 0): asked for name, asked in letters.ASKED.items()},
}
INTERNAL: dict[str, Any] = {
    IS_SEQUENCE: control.is_sequence,
    DEEPER: control.deeper,
    STACK_HERE: control.stack_here,
    ITSELF: control.itself,
    ORDERED: ordering.ordered,
    GROWN: growing.grown,
    PUT: boards.put,
    WHOLE: cell_sets.whole_number,
    LOOPED: cell_sets.in_any_order,
    IN_ORDER: cell_sets.has_order,
    AGREED: cell_sets.agreed,
}
"""Names that rewritten functions call."""


USUAL = (enum.Enum, enum.IntEnum, enum.StrEnum, enum.ReprEnum)
"""Enumerations without a way of their own from a value to a member."""
KEEPING = ("add", "append", "discard", "remove")
"""Methods that hand a list or a set an item."""


class Calls(Ordering):
    """Part of the translator."""

    def visit_Call(self, node: ast.Call) -> Any:
        constant = self.folded(node)
        if constant is not None:
            return constant
        if any(isinstance(arg, ast.Starred) for arg in node.args) or any(k.arg is None for k in node.keywords):
            return self.starred_call(node)
        if isinstance(node.func, ast.Name):
            if node.func.id in INTERNAL:
                return self.call(INTERNAL[node.func.id], [self.visit(arg) for arg in node.args], node)
            if node.func.id == IS_INSTANCE or (node.func.id == "isinstance" and self.is_builtin("isinstance")):
                return self.instance(node)
            if self.is_builtin(node.func.id):
                return self.builtin(node, node.func.id)
        if isinstance(node.func, ast.Attribute):
            made = self.method(node, node.func)
            if made is not None:
                return made
        cls = self.constant_of(node.func)
        if is_record(cls):
            return self.construct(node, cls)
        if type(cls) is enum.EnumMeta and len(node.args) == 1 and not node.keywords:
            return self.member_with_value(node, cls)
        if isinstance(cls, types.BuiltinFunctionType):
            if cls in OTHERWISE:
                self.refuse(f"math.{cls.__name__} is computed in another way by compiled code: write it out", node)
            if cls in STANDARD and len(node.args) == 1 and not node.keywords:
                return self.call(STANDARD[cls], [self.visit(node.args[0])], node)
        if cls in (copy.copy, copy.deepcopy) and len(node.args) == 1 and not node.keywords:
            function = copies.deep_copy if cls is copy.deepcopy else copies.shallow_copy
            return self.call(function, [self.visit(node.args[0])], node)
        if cls is dataclasses.replace and len(node.args) == 1:
            return self.replaced_fields(node, node.args[0], True)
        kept = isinstance(node.func, ast.Attribute) and node.func.attr in KEEPING
        ordered = isinstance(node.func, ast.Attribute) and node.func.attr == "extend"
        popped = isinstance(node.func, ast.Attribute) and node.func.attr == "pop" and not node.args
        node.func = self.visit(node.func)
        if popped and isinstance(node.func, ast.Attribute):
            node.func.value = self.call(sequences.ordered_owner, [node.func.value], node)
        node.args = [self.kept(arg) if kept else self.visit(arg) for arg in node.args]
        if ordered:
            node.args = [self.call(sequences.in_fixed_order, [arg], node) for arg in node.args]
        node.keywords = [self.visit(keyword) for keyword in node.keywords]
        return node

    def member_with_value(self, node: ast.Call, cls: Any) -> Any:
        """`Color(1 - s.turn)`: looked up among the values."""
        values = [member.value for member in cls]
        found = dict(zip(values, cls, strict=True)) if all(isinstance(v, int | str) for v in values) else {}
        usual = not issubclass(cls, enum.Flag) and not any(
            "_missing_" in vars(c) for c in cls.__mro__ if c not in USUAL
        )
        if not usual or not found or constants.frozen_type(found) is None:
            self.refuse(
                f"it finds a member of {cls.__name__} by its value, which is compiled where all values are whole"
                " numbers, or all are texts of one letter: use a dict of the file from values to members",
                node,
            )
        return self.call(boards.get, [self.frozen(found, node), self.visit(node.args[0])], node)

    def starred_call(self, node: ast.Call) -> Any:
        """`f(a, *rest)` of a function of the rules, where it is known how many the rest are."""
        plain = isinstance(node.func, ast.Name) and not self.is_builtin(node.func.id)
        one = isinstance(node.args[-1], ast.Starred) if node.args else False
        known = self.constant_of(node.func) if plain else None
        if node.keywords or not one or not isinstance(known, types.FunctionType):
            self.refuse("it calls a function with a star: write the arguments out", node)
        *first, last = node.args
        if any(isinstance(arg, ast.Starred) for arg in first):
            self.refuse("it calls a function with two stars: write the arguments out", node)
        assert isinstance(last, ast.Starred)
        node.args = [self.visit(arg) for arg in first]
        last.value = self.call(conversion.plain_tuple, [self.visit(last.value)], node)
        node.args.append(last)
        node.func = self.visit(node.func)
        return node

    def instance(self, node: ast.Call) -> Any:
        """`isinstance(value, cls)`, and the same in a pattern."""
        cls: Any = self.class_of(node.args[1]) if len(node.args) == 2 else None
        if cls is None:
            self.refuse("it asks isinstance, but compiled code knows each type beforehand: leave it out", node)
        return self.call(control.instance_of(cls), [self.visit(node.args[0])], node)

    def class_of(self, node: ast.expr) -> Any:
        """The class that a name stands for; None where it is none."""
        value = self.constant_of(node)
        if isinstance(node, ast.Name) and self.is_builtin(node.id):
            value = getattr(builtins, node.id)
        return value if isinstance(value, type) else None

    def builtin(self, node: ast.Call, name: str) -> Any:
        made = self.keyed_call(node, name)
        if made is not None:
            return made
        lifted = self.lifted_call(node, name)
        if lifted is not None:
            return lifted
        args, keywords = node.args, {k.arg: k.value for k in node.keywords}
        if name == "enumerate" and set(keywords) == {"start"} and len(args) == 1:
            args, keywords, node.keywords = [*args, keywords["start"]], {}, []
        if name == "float" and len(args) == 1 and isinstance(args[0], ast.Constant) and isinstance(args[0].value, str):
            return located(ast.Constant(float(args[0].value)), node)
        if name == "range" and self.context.wide:
            node.args = [self.call(wide.as_index, [self.visit(arg)], node) for arg in args]
            return node
        if keywords and name not in ("enumerate", "range"):
            if not (name == "zip" and self.is_false(keywords.get("strict"))):
                words = ", ".join(str(word) for word in keywords)
                self.refuse(f"it calls {name} with `{words}`, which is not compiled: write the loop out", node)
            node.keywords = []
        if name in ("max", "min") and len(args) > 1:
            choose = extremes.larger if name == "max" else extremes.smaller
            made = self.visit(args[0])
            for arg in args[1:]:
                made = self.call(choose, [made, self.visit(arg)], node)
            return made
        if name == "sum" and len(args) == 2:
            total = self.call(extremes.sum_of, [self.visit(args[0])], node)
            return self.call(arithmetic.add, [self.visit(args[1]), total], node)
        if name == "divmod" and len(args) == 2:
            return self.call(functions.quotient_and_rest, [self.visit(arg) for arg in args], node)
        if name == "pow" and len(args) == 2:
            return self.call(arithmetic.power, [self.visit(arg) for arg in args], node)
        if name in ("ord", "chr") and len(args) == 1:
            function = functions.code_point if name == "ord" else functions.letter_at
            return self.call(function, [self.visit(args[0])], node)
        if name in ("list", "tuple") and len(args) == 1 and not keywords:
            return self.call(ONE_ARGUMENT[name], [self.iterable(args[0])], node)
        if name in cell_sets.empty and not args and not keywords:
            return self.call(cell_sets.empty[name], [], node)
        if name in ONE_ARGUMENT and len(args) == 1 and not keywords:
            return self.call(ONE_ARGUMENT[name], [self.visit(args[0])], node)
        if name not in ("range", "enumerate", "zip", "set", "list", "bool", "int"):
            self.refuse(f"'{name}' has no compiled form: write it out with numbers, tuples and loops", node)
        through = {"zip": len(args), "enumerate": 1}.get(name, 0)
        node.args = [self.iterable(arg) if place < through else self.visit(arg) for place, arg in enumerate(args)]
        node.keywords = [self.visit(keyword) for keyword in node.keywords]
        return node

    def is_false(self, node: Any) -> bool:
        return isinstance(node, ast.Constant) and node.value is False

    def method(self, node: ast.Call, function: ast.Attribute) -> Any:
        """Methods of numbers, sequences and states that have a compiled form of ours."""
        if isinstance(function.value, ast.Call) and function.attr == "count":
            inner = function.value
            ones = len(node.args) == 1 and isinstance(node.args[0], ast.Constant) and node.args[0].value == "1"
            if isinstance(inner.func, ast.Name) and inner.func.id == "bin" and self.is_builtin("bin") and ones:
                return self.call(functions.bit_count, [self.visit(inner.args[0])], node)
        if function.attr == "_replace" and not node.args:
            return self.replaced_fields(node, function.value, False)
        if self.constant_of(function) is not NOT_CONSTANT:  # math.gcd, a function of a module, a class's own
            return None
        if isinstance(function.value, ast.Name) and function.value.id == self.this and self.this:
            return None
        if function.attr in ("get", "items", "keys", "values") and self.constant_of(function.value) is not NOT_CONSTANT:
            return self.method_of_dict(node, function)
        if function.attr in self.state_methods():
            args = [self.visit(function.value), *(self.visit(arg) for arg in node.args)]
            return self.call(self.state_method(function.attr), args, node)
        if function.attr == "pop" and not node.keywords:  # which item a set gives is not known
            function.value = self.call(sequences.in_fixed_order, [self.visit(function.value)], node)
            node.args = [self.visit(arg) for arg in node.args]
            return node
        if (function.attr, len(node.args)) in METHODS and not node.keywords:
            args = [self.visit(function.value), *(self.visit(arg) for arg in node.args)]
            return self.call(METHODS[function.attr, len(node.args)], args, node)
        return None

    def replaced_fields(self, node: ast.Call, state: ast.expr, of_dataclass: bool) -> Any:
        names = tuple(str(keyword.arg) for keyword in node.keywords)
        values = [self.visit(keyword.value) for keyword in node.keywords]
        return self.call(replacer(names, of_dataclass), [self.visit(state), *values], node)

    def method_of_dict(self, node: ast.Call, function: ast.Attribute) -> Any:
        table = self.visit(function.value)
        if function.attr == "get" and len(node.args) == 2:
            return self.call(sequences.look_up_or, [table, *(self.visit(arg) for arg in node.args)], node)
        if function.attr in ("keys", "values") and not node.args:
            part = constants.keys_of if function.attr == "keys" else constants.values_of
            return self.call(part, [table], node)
        return None

    def construct(self, node: ast.Call, cls: Any) -> Any:
        """A NamedTuple or a dataclass: all its fields, in their order, defaults written out."""
        defaults, places = defaults_of(cls), given_by_place(cls)
        given = dict(zip(places, node.args, strict=False))
        named = {str(keyword.arg): keyword.value for keyword in node.keywords}
        if len(node.args) > len(places) or named.keys() & given.keys() or named.keys() - {*names_of(cls)}:
            self.refuse(f"it gives a {cls.__name__} more than its fields, or one of them twice", node)
        given.update(named)
        args = []
        for name in names_of(cls):
            if name in given:
                args.append(self.visit(given[name]))
            elif name in defaults:
                args.append(self.constant_node(defaults[name], node))
            else:
                self.refuse(f"it builds a {cls.__name__} without its field '{name}'", node)
        return self.call(self.constructor(cls, node), args, node)
