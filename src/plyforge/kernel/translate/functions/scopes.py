"""Which names belong to whom: functions, lambdas and comprehensions have names of their own, and read those of the
functions around them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def parameters(function: Any) -> list[ast.arg]:
    """All parameters of a function, those with stars last."""
    args = function.args
    stars = [arg for arg in (args.vararg, args.kwarg) if arg is not None]
    return [*args.posonlyargs, *args.args, *args.kwonlyargs, *stars]


def own_nodes(scope: Any) -> Iterator[ast.AST]:
    """The nodes that belong to a function itself: not those of functions and comprehensions inside of it, but what
    these are given from outside."""
    body = [scope.body] if isinstance(scope, ast.Lambda) else scope.body
    waiting: list[Any] = list(body)
    while waiting:
        node = waiting.pop()
        yield node
        if isinstance(node, FUNCTIONS):
            waiting += [each for each in [*node.args.defaults, *node.args.kw_defaults] if each is not None]
            waiting += getattr(node, "decorator_list", [])
        elif isinstance(node, COMPREHENSIONS):
            waiting.append(node.generators[0].iter)
            waiting += [inner for inner in ast.walk(node) if isinstance(inner, ast.NamedExpr)]
        else:
            waiting += ast.iter_child_nodes(node)


def bound_names(scope: Any) -> list[str]:
    """The names that a function binds, once for each place where it does: parameters, assignments, loops, functions
    inside."""
    if isinstance(scope, COMPREHENSIONS):
        targets = [each.target for each in scope.generators]
        return [n.id for target in targets for n in ast.walk(target) if isinstance(n, ast.Name)]
    found = [arg.arg for arg in parameters(scope)]
    for node in own_nodes(scope):
        if isinstance(node, ast.Name) and isinstance(node.ctx, (ast.Store, ast.Del)):
            found.append(node.id)
        elif isinstance(node, ast.FunctionDef):
            found.append(node.name)
    return found


def free_names(node: Any) -> set[str]:
    """The names that a piece of source reads or binds, and that are not those of a scope inside of it."""
    if isinstance(node, ast.Name):
        return {node.id}
    if isinstance(node, FUNCTIONS):
        body = [node.body] if isinstance(node, ast.Lambda) else node.body
        inside = _all_free(body) - set(bound_names(node))
        given = [each for each in [*node.args.defaults, *node.args.kw_defaults] if each is not None]
        return inside | _all_free(given)
    if isinstance(node, COMPREHENSIONS):
        first = free_names(node.generators[0].iter)
        return first | (_all_free(ast.iter_child_nodes(node)) - set(bound_names(node)))
    return _all_free(ast.iter_child_nodes(node))


def _all_free(nodes: Any) -> set[str]:
    return {name for node in nodes for name in free_names(node)}
