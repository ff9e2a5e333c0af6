"""Steps put into the kernel that calls them, and the record that they share made local variables: what the compiler
does for compiled code, done to a syntax tree for the interpreted speed.

    if probe(memory, node):            if node_in_table:
        return node.known     ->           ...
                                           return node_known

A step is an inlined kernel that takes `node` or `watch`, or nothing but the search's memory. Its `return` becomes what
the caller does with the answer, its variables get names of their own.

Claim: what comes out does what the kernel with its steps does, in the same order. A step that can't be put in (a
`return` inside of a loop) is refused.
"""

from __future__ import annotations

import ast
import copy
import math
from collections import Counter
from collections.abc import Callable
from typing import Any

from plyforge.contract import Game
from plyforge.kernel import Kernel
from plyforge.kernel.storage.stack_record import STACK_RECORDS

RECORD = "node"
"""What kernels call the record that their steps share."""
Parse = Callable[[Kernel], ast.FunctionDef]


class CannotInline(RuntimeError):
    """A step is not written so that it can be put in."""


def with_steps(definition: ast.FunctionDef, space: dict[str, Any], game: Game, parse: Parse) -> None:
    """Put all steps into a kernel. `space` are its global names; those of the steps come to them."""
    inliner = _Inliner(space, game, parse)
    definition.body = inliner.block(definition.body)
    if inliner.made:
        _Fields(space).visit(definition)
        _forward(definition)
        _constants(definition, space)


class _Inliner:
    def __init__(self, space: dict[str, Any], game: Game, parse: Parse) -> None:
        self.space, self.game, self.parse = space, game, parse
        self.made = 0
        """Steps that were put in."""

    def step(self, node: ast.AST | None) -> ast.FunctionDef | None:
        """The step that is called here, if one is."""
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
            return None
        kernel = self.space.get(node.func.id)
        if not isinstance(kernel, Kernel) or not kernel.inlined:
            return None
        chosen = kernel.chosen_for(self.game)
        names = chosen.function.__code__.co_varnames[: chosen.function.__code__.co_argcount]
        if RECORD not in names and "watch" not in names and names[:1] != ("memory",):
            return None
        for name in chosen.function.__code__.co_names:
            if name in chosen.function.__globals__:
                value = chosen.function.__globals__[name]
                if self.space.setdefault(name, value) is not value:
                    raise CannotInline(f"two things are called {name}")
        return self.parse(chosen)

    def block(self, statements: list[ast.stmt]) -> list[ast.stmt]:
        found: list[ast.stmt] = []
        for statement in statements:
            found += self.statement(statement)
        return found

    def statement(self, node: ast.stmt) -> list[ast.stmt]:
        if isinstance(node, ast.If):
            return self.branch(node)
        if isinstance(node, (ast.While, ast.For)):
            node.body = self.block(node.body)
            return [self.expressions(node)]
        value = getattr(node, "value", None)
        if isinstance(node, (ast.Expr, ast.Assign, ast.Return)) and (step := self.step(value)) is not None:
            return self.put_in(value, step, lambda answer: _answered(node, answer))  # type: ignore[arg-type]
        return [self.expressions(node)]

    def branch(self, node: ast.If) -> list[ast.stmt]:
        node.orelse = self.block(node.orelse)
        test = node.test
        if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And) and not node.orelse:
            if self.step(test.values[-1]) is not None and not self.is_short(test.values[-1]):
                inner = ast.copy_location(ast.If(test.values[-1], node.body, []), node)
                rest = test.values[0] if len(test.values) == 2 else ast.BoolOp(ast.And(), test.values[:-1])
                outer = ast.If(ast.copy_location(rest, test), [inner], [])
                return self.branch(ast.copy_location(outer, node))
        if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.Or) and not node.orelse and _exits(node.body):
            if any(self.step(value) is not None and not self.is_short(value) for value in test.values):
                each = [ast.If(value, copy.deepcopy(node.body), []) for value in test.values]
                return self.block([ast.copy_location(one, node) for one in each])
        step = self.step(test)
        if step is None or node.orelse or self.is_short(test):
            node.body = self.block(node.body)
            node.test = self.expressions(node.test)
            return [node]
        body = self.block(node.body)

        def then(answer: ast.expr | None) -> list[ast.stmt]:
            if isinstance(answer, ast.Constant):
                return copy.deepcopy(body) if answer.value else []
            assert answer is not None
            return [ast.copy_location(ast.If(answer, copy.deepcopy(body), []), node)]

        return self.put_in(test, step, then)  # type: ignore[arg-type]

    def is_short(self, node: ast.expr) -> bool:
        """True for a step that is one expression."""
        step = self.step(node)
        return step is not None and len(_body(step)) == 1 and isinstance(_body(step)[0], ast.Return)

    def expressions(self, node: Any) -> Any:
        """Calls of short steps in an expression, replaced."""
        this = self

        class Short(ast.NodeTransformer):
            def visit_Call(self, inner: ast.Call) -> Any:
                step = this.step(inner)
                if step is None or not this.is_short(inner):
                    return self.generic_visit(inner)
                this.made += 1
                before, (returned, *_) = this.bound(inner, step)
                if before:
                    raise CannotInline(f"{step.name} is given too much in an expression")
                return self.visit(returned.value)  # type: ignore[attr-defined]

        return Short().visit(node)

    def put_in(
        self, call: ast.Call, step: ast.FunctionDef, then: Callable[[ast.expr | None], list[ast.stmt]]
    ) -> list[ast.stmt]:
        self.made += 1
        before, body = self.bound(call, step)
        return self.block(before + _returning(body, then))

    def bound(self, call: ast.Call, step: ast.FunctionDef) -> tuple[list[ast.stmt], list[ast.stmt]]:
        """What is set before, and the body with the caller's arguments in place of parameters."""
        stored = {n.id for n in ast.walk(step) if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load)}
        names: dict[str, ast.expr] = {name: ast.Name(f"{name}_{self.made}", ast.Load()) for name in stored}
        before: list[ast.stmt] = []
        for parameter, given in zip(step.args.args, call.args, strict=True):
            field = isinstance(given, ast.Attribute) and isinstance(_body(step)[0], ast.Return)  # nothing is set there
            if parameter.arg in stored or not (_is_simple(given) or field):
                own = f"{parameter.arg}_{self.made}"
                names[parameter.arg] = ast.Name(own, ast.Load())
                before.append(ast.copy_location(ast.Assign([ast.Name(own, ast.Store())], given), call))
            else:
                names[parameter.arg] = given
        return before, [_Renamer(names).visit(copy.deepcopy(statement)) for statement in _body(step)]


def _body(step: ast.FunctionDef) -> list[ast.stmt]:
    return step.body[1:] if ast.get_docstring(step) else step.body


def _is_simple(given: ast.expr) -> bool:
    """True for what may be asked as often as one likes: it changes nothing, and nobody changes it meanwhile."""
    if isinstance(given, ast.Call):
        return ast.unparse(given.func) == "get"
    return isinstance(given, (ast.Name, ast.Constant)) or (
        isinstance(given, (ast.Compare, ast.BoolOp)) and not any(isinstance(n, ast.Call) for n in ast.walk(given))
    )


def _answered(node: Any, answer: ast.expr | None) -> list[ast.stmt]:
    """The statement with the answer in place of the call."""
    if isinstance(node, ast.Expr):
        return [] if answer is None or isinstance(answer, ast.Constant) else [ast.copy_location(ast.Expr(answer), node)]
    made = copy.deepcopy(node)
    made.value = answer or ast.Constant(None)
    return [made]


def _returning(
    statements: list[ast.stmt], then: Callable[[ast.expr | None], list[ast.stmt]], last: bool = True
) -> list[ast.stmt]:
    """A body whose every `return` is what the caller does with it."""
    found: list[ast.stmt] = []
    for place, statement in enumerate(statements):
        rest = statements[place + 1 :]
        if isinstance(statement, ast.Return):
            return found + then(statement.value)
        if any(isinstance(inner, ast.Return) for inner in ast.walk(statement)):
            if not isinstance(statement, ast.If):
                raise CannotInline("a return inside of a loop")
            body = _returning(statement.body + ([] if _returns(statement.body) else rest), then)
            other = _returning(statement.orelse + rest, then)
            ends = _exits(body)
            test = statement.test
            if not body:
                made = ast.If(ast.UnaryOp(ast.Not(), test), other or [ast.Pass()], [])
                return [*found, ast.copy_location(made, statement)]
            made = ast.If(test, body, [] if ends else other)
            return [*found, ast.copy_location(made, statement), *(other if ends else [])]
        found.append(statement)
    return found + then(None) if last else found


def _exits(statements: list[ast.stmt]) -> bool:
    """True if nothing after these statements follows on them."""
    return bool(statements) and isinstance(statements[-1], (ast.Return, ast.Continue, ast.Break))


def _returns(statements: list[ast.stmt]) -> bool:
    """True if every way through ends with `return`."""
    if not statements:
        return False
    end = statements[-1]
    return isinstance(end, ast.Return) or (isinstance(end, ast.If) and _returns(end.body) and _returns(end.orelse))


class _Renamer(ast.NodeTransformer):
    def __init__(self, names: dict[str, ast.expr]) -> None:
        self.names = names

    def visit_Name(self, node: ast.Name) -> Any:
        known = self.names.get(node.id)
        if known is None:
            return node
        if isinstance(node.ctx, ast.Load):
            return copy.deepcopy(known)
        assert isinstance(known, ast.Name)
        return ast.copy_location(ast.Name(known.id, node.ctx), node)


class _Fields(ast.NodeTransformer):
    """The record's fields are variables."""

    def __init__(self, space: dict[str, Any]) -> None:
        self.space = space

    def visit_Assign(self, node: ast.Assign) -> Any:
        value = node.value
        if isinstance(value, ast.Call) and isinstance(value.func, ast.Name):
            if self.space.get(value.func.id) in STACK_RECORDS:
                return None
        return self.generic_visit(node)

    def visit_Attribute(self, node: ast.Attribute) -> Any:
        if isinstance(node.value, ast.Name) and node.value.id == RECORD:
            return ast.copy_location(ast.Name(f"{RECORD}_{node.attr}", node.ctx), node)
        return self.generic_visit(node)


def _forward(definition: ast.FunctionDef) -> None:
    """A variable that is set once, to an argument that never changes, is that argument."""
    names = [n for n in ast.walk(definition) if isinstance(n, ast.Name)]
    stored = Counter(name.id for name in names if not isinstance(name.ctx, ast.Load))
    arguments = {argument.arg for argument in definition.args.args if not stored[argument.arg]}
    same: dict[str, ast.expr] = {}
    for node in ast.walk(definition):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and isinstance(node.value, ast.Name):
            if stored[node.targets[0].id] == 1 and node.value.id in arguments:
                same[node.targets[0].id] = node.value
    for name in names:
        if isinstance(name.ctx, ast.Load) and name.id in same:
            name.id = same[name.id].id  # type: ignore[attr-defined]


def _constants(definition: ast.FunctionDef, space: dict[str, Any]) -> None:
    """Numbers that modules have given names to are put in themselves."""

    class Constants(ast.NodeTransformer):
        def visit_Name(self, node: ast.Name) -> Any:
            known = space.get(node.id)
            if node.id.isupper() and isinstance(known, (int, float)) and math.isfinite(known):
                return ast.copy_location(ast.Constant(known), node)
            return node

    Constants().visit(definition)


__all__ = ["CannotInline", "with_steps"]
