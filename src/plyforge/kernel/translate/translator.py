"""From rules as people write them to rules as the compiler takes them: one function's syntax tree, rewritten.

Operators, indices, comparisons and builtins become calls of exact primitives; a list that is made of a board, changed and made a tuple again becomes a value
that is replaced (`new[i] = x` is `new = put(new, i, x)`); comprehensions and generator expressions become functions of their
own (`comprehensions.py`); constants of the file become tables. Statements, loops and calls stay what they are.

Invariant: the translated function gives what the function gives, or raises, or is refused while compiling. Evaluation order is Python's.
A list that is a value must have one name only: where a second name could see a change, the change is refused (`owned.py`).
"""

from __future__ import annotations

import ast
import builtins
import enum
import functools
import inspect
import types
from typing import Any

import numba

from plyforge.kernel.exact import arithmetic, boards, constants, sequences, wide
from plyforge.kernel.exact.construct import constructor, converter, replacer
from plyforge.kernel.exact.primitive import Primitive, Same, primitive
from plyforge.kernel.translate.comprehensions import Comprehensions
from plyforge.kernel.translate.context import Context
from plyforge.kernel.translate.folding import NOT_CONSTANT, Folding
from plyforge.kernel.translate.owned import shared_lists

SHORT = 4
"""Tuples of numbers no longer than this are written out where they are used; longer ones are tables."""
WRITTEN_OUT = 64
"""Tables of numbers beyond 64 bits may have so many."""
PREFIX = "_plyforge_"
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
ONE_ARGUMENT: dict[str, Any] = {
    "len": boards.length,
    "tuple": sequences.to_tuple,
    "list": sequences.to_list,
    "sum": sequences.sum_of,
    "max": sequences.largest,
    "min": sequences.smallest,
    "sorted": sequences.in_order,
    "reversed": sequences.turned,
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
    ("copy", 0): sequences.to_list,
    ("bit_count", 0): arithmetic.bit_count,
    ("bit_length", 0): arithmetic.bit_length,
}
TAKEN_APART = ("utility", "evaluate", "rewards", "bounds", "features")
"""Hooks that may give a tuple of numbers, which kernels take apart."""
REFUSED: dict[type, str] = {
    ast.Try: "it uses try/except, which is not compiled: test first instead, with `if`",
    ast.With: "it uses `with`, which is not compiled: write what it does without it",
    ast.Global: "it changes a global: what changes belongs into the state",
    ast.Nonlocal: "it changes a name of an outer function: what changes belongs into the state",
    ast.Delete: "it uses `del`, which is not compiled: leave it out",
    ast.JoinedStr: "it works with text: keep text in format_state, format_action and show",
    ast.DictComp: "it builds a dict: use tuples instead",
    ast.Dict: "it builds a dict: use tuples, or a dict that is a constant of the file",
    ast.YieldFrom: "it uses `yield from`: write the loop, `for x in ...: yield x`",
    ast.Match: "it uses `match`, which is not compiled: compare with `if`",
    ast.Import: "it imports inside a function: import at the top of the file",
    ast.ImportFrom: "it imports inside a function: import at the top of the file",
}


class Refusal(Exception):
    """A part of a function that has no compiled form."""

    def __init__(self, sentence: str, line: int) -> None:
        super().__init__(sentence)
        self.sentence, self.line = sentence, line


def _state_method(name: str, context: Context) -> Primitive:
    def method(state: Any, *args: Any) -> Any:
        return getattr(state, name)(*args)

    made = primitive(method)

    @made.rule
    def _rule(typing: Any, state: Any, *args: Any) -> Any:
        from plyforge.kernel.translate import translated_call

        if not isinstance(state, numba.types.BaseNamedTuple) or name in state.fields:
            return None
        value = inspect.getattr_static(state.instance_class, name, None)
        value = value.fget if isinstance(value, property) else value
        if not isinstance(value, types.FunctionType):
            return None
        return Same(translated_call(value, context), (state, *map(numba.types.unliteral, args)))

    return made


def located(new: Any, old: ast.AST) -> Any:
    """A node that errors place where the old one is, itself and what is new in it."""
    for inner in ast.walk(new):
        if not hasattr(inner, "lineno"):
            ast.copy_location(inner, old)
    return new


class Translator(Folding, Comprehensions, ast.NodeTransformer):
    """Rewrites one function. `outside` are the values of names that are not its own: globals and what it closes over."""

    def __init__(
        self, context: Context, outside: dict[str, Any], own: set[str], this: str, where: Any
    ) -> None:
        self.context, self.outside, self.own, self.this, self.where = context, outside, own, this, where
        self.made: dict[str, Any] = {}
        """Names of our own in the translated function, and what they stand for."""
        self.shared: set[str] = set()
        self.fresh = 0
        self.whole = True
        """False in a comprehension that has become a function of its own."""

    # ------------------------------------------------------------ names of our own
    def name(self, value: Any, hint: str) -> ast.Name:
        """A name for something that translated code refers to."""
        for known, each in self.made.items():
            if each is value:
                return ast.Name(known, ast.Load())
        name = f"{PREFIX}{hint}{len(self.made)}"
        self.made[name] = value
        return ast.Name(name, ast.Load())

    def call(self, function: Any, args: list[Any], old: ast.AST) -> Any:
        hint = getattr(function, "__name__", "f").strip("_<>")
        return located(ast.Call(self.name(function, hint), args, []), old)

    def temporary(self) -> str:
        self.fresh += 1
        name = f"{PREFIX}t{self.fresh}"
        self.own.add(name)
        return name

    def refuse(self, sentence: str, node: Any) -> Any:
        raise Refusal(sentence, node.lineno)

    def generic_visit(self, node: ast.AST) -> Any:
        sentence = REFUSED.get(type(node))
        if sentence is not None:
            self.refuse(sentence, node)
        return super().generic_visit(node)

    # ------------------------------------------------------------ operators
    def visit_BinOp(self, node: ast.BinOp) -> Any:
        constant = self.folded(node)
        if constant is not None:
            return constant
        replaced = self.replaced_item(node)
        if replaced is not None:
            return replaced
        args = [self.visit(node.left), self.visit(node.right)]
        if self.context.wide and isinstance(node.op, ast.LShift):
            return self.call(wide.wide_lshift, args, node)
        if (
            self.context.wide
            and isinstance(node.op, ast.Pow)
            and isinstance(node.left, ast.Constant)
            and node.left.value == 2
        ):
            return self.call(wide.wide_lshift, [located(ast.Constant(1), node), args[1]], node)
        return self.call(OPERATORS[type(node.op)], args, node)

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
        helper = self.compiled_helper(function, set(names))  # type: ignore[attr-defined]
        return self.call(helper, [self.visit(value) for value in values], node)

    def comparison(self, op: Any, left: Any, right: ast.expr, node: ast.AST) -> Any:
        """One comparison; `left` is translated already."""
        if isinstance(op, (ast.Is, ast.IsNot)):
            if isinstance(right, ast.Constant) and right.value is None:
                made = self.call(sequences.is_none, [left], node)
            else:
                made = self.call(arithmetic.same_object, [left, self.visit(right)], node)
            return made if isinstance(op, ast.Is) else located(ast.UnaryOp(ast.Not(), made), node)
        if isinstance(op, (ast.In, ast.NotIn)):
            if isinstance(right, (ast.List, ast.Set)):
                right = located(ast.Tuple(right.elts, ast.Load()), right)
            made = self.call(sequences.contains, [self.visit(right), left], node)
            return made if isinstance(op, ast.In) else located(ast.UnaryOp(ast.Not(), made), node)
        return self.call(OPERATORS[type(op)], [left, self.visit(right)], node)

    def visit_IfExp(self, node: ast.IfExp) -> Any:
        node.test = self.test(node.test)
        node.body, node.orelse = self.visit(node.body), self.visit(node.orelse)
        return node

    def visit_Constant(self, node: ast.Constant) -> Any:
        if isinstance(node.value, str):
            if len(node.value) == 1:
                return self.call(boards.as_letter, [ast.Constant(ord(node.value))], node)
            return self.frozen(node.value, node)
        if isinstance(node.value, int) and not isinstance(node.value, bool):
            if not -(1 << 63) <= node.value < 1 << 63:
                return self.beyond_64_bits(node.value, "a number", node)
        return node

    def beyond_64_bits(self, value: int, what: str, node: Any) -> Any:
        """A constant that needs more bits than a word has."""
        if not self.context.wide or value.bit_length() >= wide.BITS - 1:
            self.refuse(f"{what} is beyond 64 bits: keep it in two ints, or in a tuple of them", node)
        return located(self.name(wide.WideConstant(value), "wide"), node)

    def visit_Name(self, node: ast.Name) -> Any:
        if not isinstance(node.ctx, ast.Load) or node.id in self.own or node.id not in self.outside:
            return node
        return self.outer(self.outside[node.id], node)

    def outer(self, value: Any, node: Any) -> Any:
        """A name of the file, or of what a module of somebody's own has."""
        if isinstance(value, (list, dict, set, frozenset, tuple, str)):
            return self.frozen(value, node)
        if isinstance(value, int) and not isinstance(value, bool) and not -(1 << 63) <= value < 1 << 63:
            return self.beyond_64_bits(value, f"the constant '{ast.unparse(node)}'", node)
        if isinstance(
            value, functools._lru_cache_wrapper
        ):  # a pure function gives the same without its cache
            value = value.__wrapped__
        if isinstance(value, types.FunctionType):
            from plyforge.kernel.translate import is_foreign, translated_call

            if is_foreign(value):
                return located(self.name(translated_call(value, self.context), value.__name__), node)
        return node

    def frozen(self, value: Any, node: Any) -> Any:
        """A constant as a table in read-only memory."""
        if isinstance(value, tuple) and hasattr(value, "_fields"):
            parts = [self.constant_node(part, node) for part in value]
            return self.call(self.constructor(type(value)), parts, node)
        if (
            isinstance(value, tuple)
            and len(value) <= SHORT
            and all(constants.scalar_type(each) for each in value)
        ):
            return located(ast.Tuple([self.constant_node(part, node) for part in value], ast.Load()), node)
        if self.context.wide and isinstance(value, (tuple, list)) and all(isinstance(v, int) for v in value):
            if len(value) <= WRITTEN_OUT and any(v.bit_length() > 63 for v in value):
                parts = [self.beyond_64_bits(v, "a number", node) for v in value]
                return located(ast.Tuple(parts, ast.Load()), node)
        if constants.frozen_type(value) is None:
            shown = ast.unparse(node)
            self.refuse(
                f"the constant '{shown}' is a {type(value).__name__} whose items are not alike: "
                "compiled code wants numbers, letters, or tuples of them, all of one kind",
                node,
            )
        if isinstance(value, str) and len(value) == 1:
            return self.call(boards.as_letter, [ast.Constant(ord(value))], node)
        for name, each in self.made.items():
            if isinstance(each, constants.Frozen) and type(each.value) is type(value) and each.value == value:
                return located(ast.Name(name, ast.Load()), node)
        return located(self.name(constants.Frozen(value), "table"), node)

    def visit_Attribute(self, node: ast.Attribute) -> Any:
        if not isinstance(node.ctx, ast.Load):
            self.refuse(
                f"it changes '.{node.attr}': what changes belongs into the state, and result gives a new one",
                node,
            )
        value = self.constant_of(node)
        if value is not NOT_CONSTANT and isinstance(
            value, (list, dict, set, frozenset, tuple, str, types.FunctionType)
        ):
            return self.outer(value, node)
        this = isinstance(node.value, ast.Name) and node.value.id == self.this
        if not this and isinstance(self.state_methods().get(node.attr), property):
            return self.call(self.state_method(node.attr), [self.visit(node.value)], node)
        if this and node.attr in self.listing_hooks():
            return located(ast.Attribute(node.value, OWN + node.attr, ast.Load()), node)
        node.value = self.visit(node.value)
        return node

    def listing_hooks(self) -> tuple[str, ...]:
        from plyforge.kernel.translate.listing import LISTS

        return LISTS

    # ------------------------------------------------------------ items
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
            return self.call(sequences.slice_of, [base, *args], node)
        index = self.visit(node.slice)
        if self.context.wide:
            index = self.call(wide.as_index, [index], node)
        return self.call(boards.get, [base, index], node)

    def replaced_item(self, node: ast.BinOp) -> Any:
        """`x[:i] + (item,) + x[i + 1:]`, and the same of a text."""
        if not (
            isinstance(node.op, ast.Add)
            and isinstance(node.left, ast.BinOp)
            and isinstance(node.left.op, ast.Add)
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
        if not rows or not all(
            isinstance(row, ast.Tuple) and len(row.elts) == len(rows[0].elts) for row in rows
        ):
            return
        for column in range(len(rows[0].elts)):
            values = [self.value(row.elts[column]) for row in rows]
            if all(isinstance(v, int) for v in values) and any(v.bit_length() > 63 for v in values):
                for row, value in zip(rows, values, strict=True):
                    name = self.beyond_64_bits(value, "a number", row)
                    row.elts[column] = name

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
            self.refuse(
                "it builds a tuple with a star: write the items out, or make a list of it and change that",
                node,
            )
        return self.generic_visit(node)

    # ------------------------------------------------------------ calls
    def visit_Call(self, node: ast.Call) -> Any:
        constant = self.folded(node)
        if constant is not None:
            return constant
        if any(isinstance(arg, ast.Starred) for arg in node.args) or any(
            k.arg is None for k in node.keywords
        ):
            self.refuse("it calls a function with a star: write the arguments out", node)
        if isinstance(node.func, ast.Name) and self.is_builtin(node.func.id):
            return self.builtin(node, node.func.id)
        if isinstance(node.func, ast.Attribute):
            made = self.method(node, node.func)
            if made is not None:
                return made
        cls = self.constant_of(node.func)
        if isinstance(cls, type) and issubclass(cls, tuple) and hasattr(cls, "_fields"):
            return self.construct(node, cls)
        node.func = self.visit(node.func)
        node.args = [self.visit(arg) for arg in node.args]
        node.keywords = [self.visit(keyword) for keyword in node.keywords]
        return node

    def is_builtin(self, name: str) -> bool:
        return name not in self.own and name not in self.outside and hasattr(builtins, name)

    def builtin(self, node: ast.Call, name: str) -> Any:
        lifted = self.lifted_call(node, name)
        if lifted is not None:
            return lifted
        args, keywords = node.args, {k.arg: k.value for k in node.keywords}
        if name == "sorted" and len(args) == 1 and set(keywords) == {"reverse"}:
            turn = keywords["reverse"]
            if isinstance(turn, ast.Constant) and turn.value is True:
                in_order = self.call(sequences.in_order, [self.visit(args[0])], node)
                return self.call(sequences.turned, [in_order], node)
        if name == "enumerate" and set(keywords) == {"start"} and len(args) == 1:
            args, keywords, node.keywords = [*args, keywords["start"]], {}, []
        if (
            name == "float"
            and len(args) == 1
            and isinstance(args[0], ast.Constant)
            and isinstance(args[0].value, str)
        ):
            return located(ast.Constant(float(args[0].value)), node)
        if name == "range" and self.context.wide:
            node.args = [self.call(wide.as_index, [self.visit(arg)], node) for arg in args]
            return node
        if keywords and name not in ("enumerate", "range"):
            if not (name == "zip" and self.is_false(keywords.get("strict"))):
                words = ", ".join(str(word) for word in keywords)
                self.refuse(
                    f"it calls {name} with `{words}`, which is not compiled: write the loop out", node
                )
            node.keywords = []
        if name in ("max", "min") and len(args) > 1:
            choose = sequences.larger if name == "max" else sequences.smaller
            made = self.visit(args[0])
            for arg in args[1:]:
                made = self.call(choose, [made, self.visit(arg)], node)
            return made
        if name == "sum" and len(args) == 2:
            total = self.call(sequences.sum_of, [self.visit(args[0])], node)
            return self.call(arithmetic.add, [self.visit(args[1]), total], node)
        if name == "divmod" and len(args) == 2:
            return self.call(arithmetic.quotient_and_rest, [self.visit(arg) for arg in args], node)
        if name == "pow" and len(args) == 2:
            return self.call(arithmetic.power, [self.visit(arg) for arg in args], node)
        if name in ("ord", "chr") and len(args) == 1:
            function = arithmetic.code_point if name == "ord" else arithmetic.letter_at
            return self.call(function, [self.visit(args[0])], node)
        if name in ONE_ARGUMENT and len(args) == 1 and not keywords:
            return self.call(ONE_ARGUMENT[name], [self.visit(args[0])], node)
        if name not in ("range", "enumerate", "zip", "set", "list", "bool", "int"):
            self.refuse(f"'{name}' has no compiled form: write it out with numbers, tuples and loops", node)
        node.args = [self.visit(arg) for arg in args]
        node.keywords = [self.visit(keyword) for keyword in node.keywords]
        return node

    def is_false(self, node: Any) -> bool:
        return isinstance(node, ast.Constant) and node.value is False

    def method(self, node: ast.Call, function: ast.Attribute) -> Any:
        """Methods of numbers, sequences and states that have a compiled form of ours."""
        if isinstance(function.value, ast.Call) and function.attr == "count":
            inner = function.value
            ones = (
                len(node.args) == 1 and isinstance(node.args[0], ast.Constant) and node.args[0].value == "1"
            )
            if (
                isinstance(inner.func, ast.Name)
                and inner.func.id == "bin"
                and self.is_builtin("bin")
                and ones
            ):
                return self.call(arithmetic.bit_count, [self.visit(inner.args[0])], node)
        if function.attr == "_replace" and not node.args:
            names = tuple(str(keyword.arg) for keyword in node.keywords)
            values = [self.visit(keyword.value) for keyword in node.keywords]
            return self.call(replacer(names), [self.visit(function.value), *values], node)
        if self.constant_of(function) is not NOT_CONSTANT:  # math.gcd, a function of a module, a class's own
            return None
        if isinstance(function.value, ast.Name) and function.value.id == self.this and self.this:
            return None
        if (
            function.attr in ("get", "items", "keys", "values")
            and self.constant_of(function.value) is not NOT_CONSTANT
        ):
            return self.method_of_dict(node, function)
        if function.attr in self.state_methods():
            args = [self.visit(function.value), *(self.visit(arg) for arg in node.args)]
            return self.call(self.state_method(function.attr), args, node)
        if (function.attr, len(node.args)) in METHODS and not node.keywords:
            args = [self.visit(function.value), *(self.visit(arg) for arg in node.args)]
            return self.call(METHODS[function.attr, len(node.args)], args, node)
        return None

    def state_methods(self) -> dict[str, Any]:
        """Methods and properties of the file's own NamedTuples, by name."""
        key = ("state methods", id(self.where.__globals__))
        if key not in self.context.made:
            classes = {value for value in self.where.__globals__.values() if isinstance(value, type)}
            found: dict[str, Any] = {}
            for cls in {*classes, *self.context.fields}:
                if issubclass(cls, tuple) and hasattr(cls, "_fields"):
                    for name, value in vars(cls).items():
                        if isinstance(value, (types.FunctionType, property)) and not name.startswith("_"):
                            found[name] = value
            self.context.made[key] = found
        methods: dict[str, Any] = self.context.made[key]
        return methods

    def state_method(self, name: str) -> Any:
        """A primitive that calls the method of that name of whatever NamedTuple it is given."""
        key = ("state method", name)
        if key not in self.context.made:
            self.context.made[key] = _state_method(name, self.context)
        return self.context.made[key]

    def method_of_dict(self, node: ast.Call, function: ast.Attribute) -> Any:
        table = self.visit(function.value)
        if function.attr == "get" and len(node.args) == 2:
            return self.call(sequences.look_up_or, [table, *(self.visit(arg) for arg in node.args)], node)
        if function.attr in ("keys", "values") and not node.args:
            part = constants.keys_of if function.attr == "keys" else constants.values_of
            return self.call(part, [table], node)
        return None

    def construct(self, node: ast.Call, cls: Any) -> Any:
        """A NamedTuple: all its fields, in their order, defaults written out."""
        given = dict(zip(cls._fields, node.args, strict=False))
        given.update({str(keyword.arg): keyword.value for keyword in node.keywords})
        args = []
        for name in cls._fields:
            if name in given:
                args.append(self.visit(given[name]))
            elif name in cls._field_defaults:
                args.append(self.constant_node(cls._field_defaults[name], node))
            else:
                self.refuse(f"it builds a {cls.__name__} without its field '{name}'", node)
        return self.call(self.constructor(cls), args, node)

    def constructor(self, cls: type) -> Any:
        key = ("constructor", cls)
        if key not in self.context.made:
            self.context.made[key] = constructor(cls, self.context.fields.get(cls))
        return self.context.made[key]

    def constant_node(self, value: Any, node: ast.AST) -> Any:
        if isinstance(value, (list, dict, set, frozenset, tuple, str)):
            return self.frozen(value, node)
        if isinstance(value, enum.Enum):
            return located(self.name(value, "member"), node)
        if isinstance(value, int) and value < 0:
            return located(ast.UnaryOp(ast.USub(), ast.Constant(-value)), node)
        return located(ast.Constant(value), node)

    # ------------------------------------------------------------ statements
    def visit_If(self, node: ast.If) -> Any:
        node.test = self.test(node.test)
        node.body, node.orelse = self.statements(node.body), self.statements(node.orelse)
        return node

    def visit_While(self, node: ast.While) -> Any:
        node.test = self.test(node.test)
        node.body, node.orelse = self.statements(node.body), self.statements(node.orelse)
        return node

    def visit_Assert(self, node: ast.Assert) -> Any:
        node.test, node.msg = self.test(node.test), None
        return node

    def statements(self, body: list[ast.stmt]) -> list[ast.stmt]:
        """Each statement translated; one may become several."""
        found: list[ast.stmt] = []
        for statement in body:
            made = self.visit(statement)
            found.extend(made if isinstance(made, list) else [made] if made is not None else [])
        return found

    def visit_For(self, node: ast.For) -> Any:
        if isinstance(node.iter, (ast.List, ast.Set)) and node.iter.elts:
            if isinstance(node.iter, ast.Set):
                self.refuse(
                    "it goes through a set, whose order compiled code does not know: make it a tuple", node
                )
            node.iter = located(ast.Tuple(node.iter.elts, ast.Load()), node.iter)
        source = self.iterable(node.iter)
        if isinstance(node.target, ast.Tuple):
            name = self.temporary()
            target, node.target = node.target, located(ast.Name(name, ast.Store()), node)
            first = self.assigned(target, located(ast.Name(name, ast.Load()), node), node)
        else:
            first = []
        node.iter = source
        node.body, node.orelse = [*first, *self.statements(node.body)], self.statements(node.orelse)
        return node

    def iterable(self, node: ast.expr) -> Any:
        """What a loop goes through: a generator expression there is a list."""
        if isinstance(node, ast.GeneratorExp):
            node = located(ast.ListComp(node.elt, node.generators), node)
        return self.call(sequences.in_fixed_order, [self.visit(node)], node)

    def visit_Assign(self, node: ast.Assign) -> Any:
        value = self.visit(node.value)
        if len(node.targets) == 1:
            return self.assigned(node.targets[0], value, node)
        name = self.temporary()
        first = located(ast.Assign([ast.Name(name, ast.Store())], value), node)
        rest = [self.assigned(t, located(ast.Name(name, ast.Load()), node), node) for t in node.targets]
        return [first, *(statement for part in rest for statement in part)]

    def visit_AnnAssign(self, node: ast.AnnAssign) -> Any:
        return None if node.value is None else self.assigned(node.target, self.visit(node.value), node)

    def assigned(self, target: Any, value: Any, node: ast.AST) -> list[ast.stmt]:
        """Statements that bind a target to a translated value."""
        if isinstance(target, ast.Name):
            return [located(ast.Assign([target], value), node)]
        if isinstance(target, (ast.Tuple, ast.List)):
            return self.unpacked(target, value, node)
        if isinstance(target, ast.Subscript):
            return self.item_assigned(target, value, node)
        if isinstance(target, ast.Attribute):
            self.visit_Attribute(target)
        return self.refuse("it unpacks with a star, `a, *b = ...`: take the items one by one", target)

    def unpacked(self, target: Any, value: Any, node: ast.AST) -> list[ast.stmt]:
        count = len(target.elts)
        name = self.temporary()
        whole = self.call(sequences.unpack, [value, ast.Constant(count)], node)
        found: list[ast.stmt] = [located(ast.Assign([ast.Name(name, ast.Store())], whole), node)]
        for place, each in enumerate(target.elts):
            if isinstance(each, ast.Starred):
                self.refuse("it unpacks with a star, `a, *b = ...`: take the items one by one", node)
            item = self.call(boards.get, [ast.Name(name, ast.Load()), ast.Constant(place)], node)
            found.extend(self.assigned(each, item, node))
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
            found.append(located(ast.Assign([ast.Name(name, ast.Store())], self.visit(place)), node))
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
        operator = OPERATORS[type(node.op)]
        if self.context.wide and isinstance(node.op, ast.LShift):
            operator = wide.wide_lshift
        if isinstance(node.target, ast.Name):
            here = located(ast.Name(node.target.id, ast.Load()), node)
            made = self.call(arithmetic.in_place(operator), [here, self.visit(node.value)], node)
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
        found.append(located(ast.Assign([ast.Name(name, ast.Store())], self.visit(target.slice)), node))
        index = ast.Name(name, ast.Load())
        return found, located(ast.Subscript(base, index, ast.Load()), node)

    def visit_Expr(self, node: ast.Expr) -> Any:
        if isinstance(node.value, ast.Constant):
            return None
        if isinstance(node.value, ast.YieldFrom):
            name = self.temporary()
            given = ast.Expr(ast.Yield(ast.Name(name, ast.Load())))
            return self.visit(
                located(ast.For(ast.Name(name, ast.Store()), node.value.value, [given], []), node)
            )
        return super().generic_visit(node)

    def visit_Return(self, node: ast.Return) -> Any:
        if node.value is None:
            return node
        one_of_several = isinstance(node.value, (ast.IfExp, ast.BoolOp, ast.NamedExpr))
        if one_of_several or (isinstance(node.value, ast.Name) and node.value.id in self.shared):
            node.value = self.call(boards.no_shared_list, [self.visit(node.value)], node)
        else:
            node.value = self.visit(node.value)
        if self.whole and self.this and self.where.__name__ in TAKEN_APART:
            node.value = self.call(sequences.plain_tuple, [node.value], node)
        if self.gives_states("result", "passed", "with_turn"):
            node.value = self.call(self.to_state(), [node.value], node)
        return node

    def visit_Yield(self, node: ast.Yield) -> Any:
        if node.value is not None:
            node.value = self.visit(node.value)
            if self.gives_states("symmetries"):
                node.value = self.call(self.to_state(), [node.value], node)
        return node

    def gives_states(self, *names: str) -> bool:
        """True in these methods of the game, whose answers are states."""
        return bool(
            self.whole and self.this and self.context.state is not None and self.where.__name__ in names
        )

    def to_state(self) -> Any:
        """A primitive that brings what a method gives to the type that states have."""
        key = "to state"
        if key not in self.context.made:
            self.context.made[key] = converter(self.context.state)
        return self.context.made[key]

    def visit_Raise(self, node: ast.Raise) -> Any:
        return located(ast.parse("raise ValueError('the rules raise an exception here')").body[0], node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> Any:
        return self.refuse(
            "it defines a function inside a function: define it in the file, outside of the class", node
        )

    def visit_Lambda(self, node: ast.Lambda) -> Any:
        return self.refuse("it uses a lambda: write a function of the file, or the loop", node)

    def visit_NamedExpr(self, node: ast.NamedExpr) -> Any:
        node.value = self.visit(node.value)
        return node

    # ------------------------------------------------------------ the function
    def function(self, node: Any) -> ast.FunctionDef:
        """The whole of it; a lambda becomes a function that returns."""
        if isinstance(node, ast.Lambda):
            body: list[ast.stmt] = [located(ast.Return(node.body), node)]
            node = located(ast.FunctionDef("anonymous", node.args, body, []), node)
        node.decorator_list, node.returns = [], None
        for arg in [*node.args.args, *node.args.kwonlyargs, *node.args.posonlyargs]:
            arg.annotation = None
        if node.args.kwonlyargs and not any(node.args.kw_defaults) and not node.args.defaults:
            node.args.args += node.args.kwonlyargs  # they are called by name
            node.args.kwonlyargs, node.args.kw_defaults = [], []
        elif node.args.kwonlyargs and all(node.args.kw_defaults):
            node.args.args += node.args.kwonlyargs
            node.args.defaults += node.args.kw_defaults
            node.args.kwonlyargs, node.args.kw_defaults = [], []
        self.shared = shared_lists(node)
        node.body = self.statements(node.body) or [located(ast.Pass(), node)]
        return node
