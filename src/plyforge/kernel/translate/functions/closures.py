"""Functions inside functions, lifted out of them: what they read of the function around them they are given where they
are called.

    def actions(self, s):                        def taken(mask, s):
        def taken(mask):                             return s.cells & mask == mask
            return s.cells & mask == mask
        for i in range(8):                       def actions(self, s):
            if taken(1 << i):                        for i in range(8):
                yield i                                  if taken(1 << i, s=s):
                                                             yield i

A closure sees the values that names have when it runs, and so does a function that is given them when it is called.
Only a generator runs later than it is called: one whose names change is refused. So is a function that is handed on as
a value, except to what goes through items (`sorted`, `map` and their kin).
"""

from __future__ import annotations

import ast
import copy
from typing import Any

from plyforge.kernel.translate.base import Base, located
from plyforge.kernel.translate.functions.scopes import COMPREHENSIONS, FUNCTIONS, bound_names, free_names, parameters

ELSEWHERE = "it hands a function on as a value: call it where it stands, or define it in the file, outside of the class"


class Inner:
    """A function inside a function."""

    def __init__(self, tree: ast.FunctionDef, alias: str) -> None:
        self.tree, self.alias = tree, alias
        self.free: set[str] = set()
        self.defaults: dict[str, ast.expr] = {}


def lift(translator: Base, function: ast.FunctionDef) -> ast.FunctionDef:
    """The function without functions inside; they become helpers of the translator."""
    inner = _found(translator, function)
    if not inner:
        return function
    own = set(bound_names(function))
    names = {name: free_names(each.tree) for name, each in inner.items()}
    for name, each in inner.items():
        each.free = (names[name] & own) - set(inner)
        # temporaries that hold defaults are there for whoever calls it
        each.free |= {default.id for default in each.defaults.values() if isinstance(default, ast.Name)}
    for _ in inner:  # what they call belongs to it
        for name, each in inner.items():
            for called in names[name] & set(inner):
                each.free |= inner[called].free - set(bound_names(each.tree))
    for each in inner.values():
        _refuse_late_names(translator, function, each)
        translator.declare_helper(each.alias)
    _refuse_circles(translator, inner, names)
    calls = _Calls(translator, inner)
    made: ast.FunctionDef = calls.visit_body(function)
    for each in inner.values():
        tree = calls.visit_body(each.tree)
        tree.name = each.alias
        tree.args = ast.arguments(
            posonlyargs=[],
            args=[*(ast.arg(arg.arg) for arg in parameters(tree)), *(ast.arg(name) for name in sorted(each.free))],
            kwonlyargs=[],
            kw_defaults=[],
            defaults=[],
        )
        located(tree, function)
        translator.define_helper(tree, set(bound_names(tree)))
    return made


def _found(translator: Base, function: ast.FunctionDef) -> dict[str, Inner]:
    """The functions that stand inside this one, by name; a lambda that gets a name is one of them."""
    found: dict[str, Inner] = {}
    waiting: list[Any] = list(function.body)
    trees: list[ast.FunctionDef] = []
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.FunctionDef):
            trees.append(node)
        elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Lambda):
            if len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
                answer = located(ast.Return(node.value.body), node.value)
                named = ast.FunctionDef(node.targets[0].id, node.value.args, [answer], [])
                trees.append(located(named, node))
        elif not isinstance(node, (*FUNCTIONS, *COMPREHENSIONS)):
            waiting += ast.iter_child_nodes(node)
    bound = bound_names(function)
    for tree in trees:
        if bound.count(tree.name) > 1:
            translator.refuse(f"the name '{tree.name}' is a function and something else: give it another", tree)
        if tree.decorator_list:
            translator.refuse("a function inside a function has a decorator: leave it out", tree)
        if tree.args.vararg or tree.args.kwarg:
            translator.refuse("a function inside a function takes any number of arguments: name each of them", tree)
        found[tree.name] = Inner(tree, f"{translator.temporary()}_{tree.name}")
        translator.own.discard(tree.name)
        for arg, default in _defaults(tree.args):
            plain = isinstance(default, ast.Constant)
            found[tree.name].defaults[arg] = default if plain else ast.Name(translator.temporary(), ast.Load())
    return found


def _defaults(args: ast.arguments) -> list[tuple[str, ast.expr]]:
    plain = [*args.posonlyargs, *args.args]
    pairs = list(zip(plain[len(plain) - len(args.defaults) :], args.defaults, strict=True))
    pairs += [(a, d) for a, d in zip(args.kwonlyargs, args.kw_defaults, strict=True) if d is not None]
    return [(arg.arg, default) for arg, default in pairs]


def _refuse_circles(translator: Base, inner: dict[str, Inner], names: dict[str, set[str]]) -> None:
    for name in inner:
        reached = (names[name] & set(inner)) - {name}
        for _ in inner:
            reached |= {each for called in reached for each in names[called] & set(inner)}
        if name in reached:
            translator.refuse("two functions call each other: write them as one that calls itself", inner[name].tree)


def _refuse_late_names(translator: Base, function: ast.FunctionDef, inner: Inner) -> None:
    """A generator reads names while it is gone through, when they may have changed."""
    if not any(isinstance(node, (ast.Yield, ast.YieldFrom)) for node in ast.walk(inner.tree)):
        return
    bound = bound_names(function)
    changed = {name for name in inner.free if bound.count(name) > 1}
    for node in ast.walk(function):
        if isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load):
            changed |= free_names(node.value) & inner.free
    if changed:
        translator.refuse(
            f"a generator inside a function reads '{min(changed)}', which changes: define it in the file, and give it"
            " what it reads",
            inner.tree,
        )


class _Calls(ast.NodeTransformer):
    """Calls of inner functions as calls of helpers, which are given what they read."""

    def __init__(self, translator: Base, inner: dict[str, Inner]) -> None:
        self.translator, self.inner = translator, inner
        self.scopes: list[set[str]] = []
        """The names of the scopes around, without the function's own."""

    def visit_body(self, function: Any) -> Any:
        """A function whose own names are those of the outermost scope."""
        nested = function.name in self.inner and self.inner[function.name].tree is function
        self.scopes = [set(bound_names(function))] if nested else []
        function.body = [made for each in function.body for made in _several(self.visit(each))]
        return function

    def visit_FunctionDef(self, node: ast.FunctionDef) -> Any:
        found = self.inner.get(node.name)
        if found is None or found.tree is not node:  # one that stands inside of an inner one
            return self.inside(node)
        return self.defaults_of(found, node)

    def visit_Assign(self, node: ast.Assign) -> Any:
        target = node.targets[0]
        if isinstance(target, ast.Name) and target.id in self.inner and isinstance(node.value, ast.Lambda):
            return self.defaults_of(self.inner[target.id], node)
        return self.generic_visit(node)

    def defaults_of(self, found: Inner, node: ast.stmt) -> list[ast.stmt]:
        """Defaults are computed where a function is defined."""
        held: list[ast.stmt] = []
        for arg, default in _defaults(found.tree.args):
            name = found.defaults[arg]
            if isinstance(name, ast.Name):
                held.append(located(ast.Assign([ast.Name(name.id, ast.Store())], self.visit(default)), node))
        return held or [located(ast.Pass(), node)]

    def inside(self, node: Any) -> Any:
        self.scopes.append(set(bound_names(node)))
        made = self.generic_visit(node)
        self.scopes.pop()
        return made

    visit_Lambda = visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = inside

    def visit_Name(self, node: ast.Name) -> Any:
        if node.id not in self.inner or any(node.id in scope for scope in self.scopes):
            return node
        return self.translator.refuse(ELSEWHERE, node)

    def visit_keyword(self, node: ast.keyword) -> Any:
        if node.arg == "key":
            node.value = self.applied(node.value)
        return self.generic_visit(node)

    def applied(self, node: ast.expr) -> ast.expr:
        """`f` as `lambda x: f(x)`, where it is applied to items."""
        if not isinstance(node, ast.Name) or node.id not in self.inner:
            return node
        name = self.translator.temporary()
        args = ast.arguments(posonlyargs=[], args=[ast.arg(name)], kwonlyargs=[], kw_defaults=[], defaults=[])
        call = ast.Call(node, [ast.Name(name, ast.Load())], [])
        made: ast.expr = located(ast.Lambda(args, call), node)
        return made

    def visit_Call(self, node: ast.Call) -> Any:
        if isinstance(node.func, ast.Name) and node.func.id in ("map", "filter") and node.args:
            node.args[0] = self.applied(node.args[0])
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        if name not in self.inner or any(name in scope for scope in self.scopes):
            return self.generic_visit(node)
        found = self.inner[name]
        hidden = {each for scope in self.scopes for each in scope} & found.free
        if hidden:
            self.translator.refuse(
                f"the name '{min(hidden)}', which {name} reads, means something else here: give one of them another",
                node,
            )
        node.args = [self.visit(arg) for arg in node.args]
        node.keywords = [self.visit(keyword) for keyword in node.keywords]
        node.func = located(ast.Name(found.alias, ast.Load()), node)
        node.keywords += self.left_out(found, node)
        node.keywords += [ast.keyword(each, ast.Name(each, ast.Load())) for each in sorted(found.free)]
        return located(node, node.func)

    def left_out(self, found: Inner, node: ast.Call) -> list[ast.keyword]:
        """The defaults of what a call does not say."""
        args = found.tree.args
        said = {arg.arg for arg in [*args.posonlyargs, *args.args][: len(node.args)]}
        said |= {str(keyword.arg) for keyword in node.keywords}
        given = {name: value for name, value in found.defaults.items() if name not in said}
        return [ast.keyword(name, copy.deepcopy(value)) for name, value in given.items()]


def _several(made: Any) -> list[ast.stmt]:
    return made if isinstance(made, list) else [made]
