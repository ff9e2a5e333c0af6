"""Constants of a rules file in translated code: numbers as they are, sequences as tables in read-only memory,
functions to be translated when they are called."""

from __future__ import annotations

import ast
import enum
import functools
import types
from typing import Any

from plyforge.kernel.exact import constants
from plyforge.kernel.exact.boards import conversion
from plyforge.kernel.exact.construct import constructor
from plyforge.kernel.exact.members import named
from plyforge.kernel.exact.numbers import wide_kind
from plyforge.kernel.exact.records import is_record, names_of, why_not
from plyforge.kernel.function import Kernel
from plyforge.kernel.members import is_numbered
from plyforge.kernel.translate.base import Base, located

SHORT = 4
"""Tuples of numbers no longer than this are written out where they are used; longer ones are tables."""
WRITTEN_OUT = 64
"""Tables of numbers beyond 64 bits may have so many."""


class Constants(Base):
    """Part of the translator."""

    def visit_Constant(self, node: ast.Constant) -> Any:
        if isinstance(node.value, str):
            if len(node.value) == 1:
                return self.call(conversion.as_letter, [ast.Constant(ord(node.value))], node)
            return self.frozen(node.value, node)
        if isinstance(node.value, int) and not isinstance(node.value, bool):
            if not -(1 << 63) <= node.value < 1 << 63:
                return self.beyond_64_bits(node.value, "a number", node)
        return node

    def beyond_64_bits(self, value: int, what: str, node: Any) -> Any:
        """A constant that needs more bits than a word has."""
        if not self.context.wide or value.bit_length() >= wide_kind.BITS - 1:
            self.refuse(f"{what} is beyond 64 bits: keep it in two ints, or in a tuple of them", node)
        return located(self.name(wide_kind.WideConstant(value), "wide"), node)

    def visit_Name(self, node: ast.Name) -> Any:
        if not isinstance(node.ctx, ast.Load) or node.id in self.own or node.id not in self.outside:
            return node
        return self.outer(self.outside[node.id], node)

    def outer(self, value: Any, node: Any) -> Any:
        """A name of the file, or of what a module of somebody's own has."""
        if isinstance(value, enum.Enum):
            return self.constant_node(value, node)
        if isinstance(value, (list, dict, set, frozenset, tuple, str)) or is_record(type(value)):
            return self.frozen(value, node)
        if isinstance(value, int) and not isinstance(value, bool) and not -(1 << 63) <= value < 1 << 63:
            return self.beyond_64_bits(value, f"the constant '{ast.unparse(node)}'", node)
        if isinstance(value, functools._lru_cache_wrapper):  # a pure function gives the same without its cache
            value = value.__wrapped__
        if isinstance(value, Kernel) and hasattr(value, "for_compiler"):  # a helper of our own
            return located(self.name(value, getattr(value, "__name__", "helper")), node)
        if isinstance(value, types.FunctionType):
            from plyforge.kernel.translate import is_foreign, translated_call

            if is_foreign(value):
                return located(self.name(translated_call(value, self.context), value.__name__), node)
        return node

    def frozen(self, value: Any, node: Any) -> Any:
        """A constant as a table in read-only memory."""
        if is_record(type(value)):
            parts = [self.constant_node(getattr(value, name), node) for name in names_of(type(value))]
            return self.call(self.constructor(type(value), node), parts, node)
        if isinstance(value, tuple) and len(value) <= SHORT and all(constants.scalar_type(each) for each in value):
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
            return self.call(conversion.as_letter, [ast.Constant(ord(value))], node)
        for name, each in self.made.items():
            same = isinstance(each, constants.Frozen) and type(each.value) is type(value) and each.value == value
            if same and repr(each.value) == repr(value):  # 1 equals True, and a member may equal its text
                return located(ast.Name(name, ast.Load()), node)
        return located(self.name(constants.Frozen(value), "table"), node)

    def constructor(self, cls: type, node: Any) -> Any:
        """What makes a NamedTuple or a dataclass."""
        reason = why_not(cls)
        if reason:
            self.refuse(
                f"it builds a {cls.__name__}, which {reason}: leave that out, or make it a plain NamedTuple",
                node,
            )
        key = ("constructor", cls)
        if key not in self.context.made:
            self.context.made[key] = constructor(cls, self.context.fields.get(cls))
        return self.context.made[key]

    def constant_node(self, value: Any, node: ast.AST) -> Any:
        if isinstance(value, enum.Enum):
            known = value if is_numbered(type(value)) else named(value)
            return located(self.name(known, "member"), node)
        if isinstance(value, (list, dict, set, frozenset, tuple, str)) or is_record(type(value)):
            return self.frozen(value, node)
        if isinstance(value, int) and value < 0:
            return located(ast.UnaryOp(ast.USub(), ast.Constant(-value)), node)
        if value is not None and type(value) not in (bool, int, float):
            self.refuse(f"it uses a {type(value).__name__} as a constant, which has no compiled form", node)
        return located(ast.Constant(value), node)
