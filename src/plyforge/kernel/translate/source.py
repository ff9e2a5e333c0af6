"""The syntax tree of a function, if its source is at hand and is what runs.

Claim: what `tree_of` gives compiles to the very code of the function: a file that was edited since it was loaded is not
taken for what runs.
"""

from __future__ import annotations

import ast
import functools
import linecache
import types
from collections.abc import Iterator
from typing import Any

from plyforge.kernel.storage.fill import same_code


def tree_of(function: types.FunctionType) -> Any:
    """A fresh syntax tree of a function or lambda; None where there is none."""
    code = function.__code__
    lines = linecache.getlines(code.co_filename, function.__globals__)
    if not lines:
        return None
    text = "".join(lines)
    try:
        compiled, _ = _parsed(code.co_filename, text)
    except SyntaxError:
        return None
    if not any(same_code(each, code) for each in _codes(compiled) if _could_be(each, code)):
        return None
    found = [node for node in ast.walk(ast.parse(text)) if _is_source(node, code)]
    return found[0] if len(found) == 1 else None  # two lambdas in a line can't be told apart


def _is_source(node: ast.AST, code: types.CodeType) -> bool:
    if isinstance(node, ast.FunctionDef):
        first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
        return node.name == code.co_name and first == code.co_firstlineno
    return isinstance(node, ast.Lambda) and code.co_name == "<lambda>" and node.lineno == code.co_firstlineno


@functools.lru_cache(maxsize=64)
def _parsed(filename: str, text: str) -> tuple[types.CodeType, str]:
    return compile(text, filename, "exec", dont_inherit=True), filename


def _codes(code: types.CodeType) -> Iterator[types.CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _codes(constant)


def _could_be(one: types.CodeType, other: types.CodeType) -> bool:
    return one.co_name == other.co_name and one.co_firstlineno == other.co_firstlineno
