"""From rules as people write them to rules as the compiler takes them: one function's syntax tree, rewritten.

Operators, indices, comparisons and builtins become calls of exact primitives; a list that is made of a board, changed
and made a tuple again becomes a value that is replaced (`new[i] = x` is `new = put(new, i, x)`); comprehensions and
generator expressions become functions of their own (`comprehensions.py`); constants of the file become tables.
Statements, loops and calls stay what they are.

Invariant: the translated function gives what the function gives, or raises, or is refused while compiling. Evaluation
order is Python's. A list that is a value must have one name only: where a second name could see a change, the change is
refused (`owned.py`).

Its parts, each building on those before: `base`, `constants`, `folding`, `expressions`, `comprehensions`, `calls`,
`assignments`, `statements`.
"""

from __future__ import annotations

import ast
from typing import Any

from plyforge.kernel.exact.records import is_record
from plyforge.kernel.translate.base import Refusal, located
from plyforge.kernel.translate.expressions.expressions import OWN
from plyforge.kernel.translate.functions import closures, recursion
from plyforge.kernel.translate.statements import growing
from plyforge.kernel.translate.statements.any_order import any_order_loops, note_answers
from plyforge.kernel.translate.statements.matching import without_match
from plyforge.kernel.translate.statements.owned import copies, only_sets, shared_lists
from plyforge.kernel.translate.statements.statements import Statements


class Translator(Statements):
    """Rewrites one function."""

    def function(self, node: Any) -> ast.FunctionDef:
        """The whole of it; a lambda becomes a function that returns."""
        if isinstance(node, ast.Lambda):
            body: list[ast.stmt] = [located(ast.Return(node.body), node)]
            node = located(ast.FunctionDef("anonymous", node.args, body, []), node)
        node.decorator_list, node.returns = [], None
        for arg in [*node.args.args, *node.args.kwonlyargs, *node.args.posonlyargs]:
            arg.annotation = None
        if node.args.kwonlyargs and node.args.vararg:
            self.refuse("it takes any number of arguments, and others by name: name each of them", node)
        if node.args.kwonlyargs and not any(node.args.kw_defaults) and not node.args.defaults:
            node.args.args += node.args.kwonlyargs  # they are called by name
            node.args.kwonlyargs, node.args.kw_defaults = [], []
        elif node.args.kwonlyargs and all(node.args.kw_defaults):
            node.args.args += node.args.kwonlyargs
            node.args.defaults += node.args.kw_defaults
            node.args.kwonlyargs, node.args.kw_defaults = [], []
        node = without_match(node, self.temporary, self.refuse)
        node = growing.grow(self, closures.lift(self, recursion.guard(self, node)))
        if self.context.cells and not any(isinstance(inner, (ast.Yield, ast.YieldFrom)) for inner in ast.walk(node)):
            note_answers(node, self.changes_what_it_is_given, self.temporary, self.may_be_a_set)
        self.shared = shared_lists(node, lambda called: is_record(self.constant_of(called)))
        self.sets = only_sets(node)
        self.copies = copies(node)
        self.unordered = any_order_loops(node, self.changes_what_it_is_given)
        self.read = {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}
        node.body = self.statements(node.body) or [located(ast.Pass(), node)]
        if self.obstacles:
            raise Refusal(*self.obstacles)
        return node

    def may_be_a_set(self, node: ast.expr) -> bool:
        """False for what surely has an order."""
        if isinstance(node, ast.Subscript):
            return self.may_be_a_set(node.value)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            return node.func.id not in ("range", "enumerate", "zip", "sorted", "reversed", "list", "tuple")
        if isinstance(node, (ast.Tuple, ast.List, ast.ListComp)):
            return False
        return not isinstance(self.constant_of(node), (tuple, list, str))

    def changes_what_it_is_given(self, call: ast.Call) -> bool:
        """True for a call of a function of the rules that changes a list which it is given."""
        return bool(growing.changed_arguments(self, call))


__all__ = ["OWN", "Refusal", "Translator", "located"]
