"""Functions that call themselves, with a count of how deep they are.

    def gcd(a, b):                                        def deep_gcd(a, b, base, depth):
        return a if b == 0 else gcd(b, a % b)                 depth = deeper(base, depth)
                                                              return a if b == 0 else deep_gcd(b, a % b, base, depth)

                                                          def gcd(a, b):
                                                              return deep_gcd(a, b, stack_here(), 0)

Python stops at a depth of 1,000 calls, all functions taken together. Compiled code stops earlier, and long before the
stack ends, and the call is made again interpreted. See `exact/control.py`.
"""

from __future__ import annotations

import ast
import dis
import inspect
import types
from collections.abc import Iterator
from typing import Any

from plyforge.kernel.translate.base import PREFIX, Base, located
from plyforge.kernel.translate.functions.scopes import parameters

DEEP = f"{PREFIX}deep_"
BASE, DEPTH = f"{PREFIX}base", f"{PREFIX}depth"
DEEPER, STACK_HERE, ITSELF = f"{PREFIX}deeper", f"{PREFIX}stack_here", f"{PREFIX}itself"


def guard(translator: Base, function: ast.FunctionDef) -> ast.FunctionDef:
    """The function as a call of a helper that counts, where it calls itself."""
    if function.name.startswith(DEEP):
        return function
    calls = _SelfCalls(translator, function.name)
    for statement in function.body:
        calls.visit(statement)
    if not calls.found:
        return function
    if translator.remembers:
        translator.refuse(
            "it keeps its answers with a cache and calls itself, which could take forever without one: write a loop",
            calls.found[0],
        )
    if any(isinstance(node, (ast.Yield, ast.YieldFrom)) for node in ast.walk(function)):
        translator.refuse("a generator calls itself: make it a function that gives a list", calls.found[0])
    names = [arg.arg for arg in parameters(function)]
    defaults = len(function.args.defaults)
    if function.args.vararg or function.args.kwarg or function.args.kwonlyargs:
        translator.refuse("a function that calls itself takes any number of arguments: name each of them", function)
    deep = ast.FunctionDef(
        f"{DEEP}{function.name}",
        ast.arguments(
            posonlyargs=[],
            args=[ast.arg(name) for name in [*names, BASE, DEPTH]],
            kwonlyargs=[],
            kw_defaults=[],
            defaults=[],
        ),
        [*ast.parse(f"{DEPTH} = {DEEPER}({BASE}, {DEPTH})").body, *function.body],
        [],
    )
    if defaults:
        calls.fill_in(names, function.args.defaults)
    given = ", ".join([*names, f"{STACK_HERE}()", f"{ITSELF}(0)"])
    function.body = ast.parse(f"return {deep.name}({given})").body
    for inner in ast.walk(function.body[0]):
        ast.copy_location(inner, function)
    ast.copy_location(deep.body[0], function)
    for inner in ast.walk(deep.body[0]):
        ast.copy_location(inner, function)
    located(deep, function)
    translator.declare_helper(deep.name)
    translator.define_helper(deep, {*translator.own, BASE, DEPTH})
    return function


def circle(function: Any, game: Any) -> list[str]:
    """The functions of the rules by which one is called from itself, with others in between; empty where there are
    none."""
    from plyforge.kernel.translate import is_foreign

    paths = [[function]]
    seen = {function}
    while paths:
        path = paths.pop()
        for called in _called(path[-1], game):
            if called is function and len(path) > 1:
                return [each.__qualname__ for each in path]
            if called not in seen and is_foreign(called):
                seen.add(called)
                paths.append([*path, called])
    return []


def _called(function: Any, game: Any) -> Iterator[Any]:
    """Functions of the file, and methods of the game, that a function's code names."""
    this = function.__code__.co_varnames[:1]
    waiting = [function.__code__]
    while waiting:
        code = waiting.pop()
        waiting += [each for each in code.co_consts if isinstance(each, types.CodeType)]
        before: Any = None
        for step in dis.get_instructions(code):
            value: Any = None
            if step.opname == "LOAD_GLOBAL":
                value = function.__globals__.get(step.argval)
            elif step.opname in ("LOAD_ATTR", "LOAD_METHOD") and before in this:
                value = inspect.getattr_static(type(game), step.argval, None)
                value = getattr(value, "__func__", value)
            before = step.argval if step.opname in ("LOAD_FAST", "LOAD_DEREF") else None
            value = getattr(value, "__wrapped__", value)
            if isinstance(value, types.FunctionType):
                yield value


class _SelfCalls(ast.NodeTransformer):
    def __init__(self, translator: Base, name: str) -> None:
        self.translator, self.name = translator, name
        self.found: list[ast.Call] = []

    def visit_Call(self, node: ast.Call) -> Any:
        self.generic_visit(node)
        if not self.translator.calls_itself(node.func, self.name):
            return node
        if any(isinstance(arg, ast.Starred) for arg in node.args) or any(k.arg is None for k in node.keywords):
            self.translator.refuse("it calls a function with a star: write the arguments out", node)
        if isinstance(node.func, ast.Attribute):
            node.args.insert(0, node.func.value)
        node.func = ast.Name(f"{DEEP}{self.name}", ast.Load())
        node.args = [_no_literal(arg) for arg in node.args]
        for keyword in node.keywords:
            keyword.value = _no_literal(keyword.value)
        node.keywords += [ast.keyword(name, ast.Name(name, ast.Load())) for name in (BASE, DEPTH)]
        self.found.append(located(node, node))
        return node

    def fill_in(self, names: list[str], defaults: list[ast.expr]) -> None:
        """Defaults of what a call of itself leaves out."""
        pairs = list(zip(names[len(names) - len(defaults) :], defaults, strict=True))
        for node in self.found:
            said = {*names[: len(node.args)], *(keyword.arg for keyword in node.keywords)}
            for name, default in pairs:
                if name in said:
                    continue
                if not isinstance(default, ast.Constant):
                    self.translator.refuse("a function that calls itself has a default: write it out", node)
                node.keywords.append(located(ast.keyword(name, _no_literal(default)), node))


def _no_literal(node: ast.expr) -> ast.expr:
    """A number whose type does not tell its value: the function is compiled once, for all of them."""
    value = node.operand if isinstance(node, ast.UnaryOp) else node
    if not isinstance(value, ast.Constant):
        return node
    made: ast.expr = located(ast.Call(ast.Name(ITSELF, ast.Load()), [node], []), node)
    return made
