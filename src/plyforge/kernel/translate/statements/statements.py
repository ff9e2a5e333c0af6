"""Statements: branches, loops, what a function gives."""

from __future__ import annotations

import ast
from typing import Any

from plyforge.kernel.exact.boards import boards
from plyforge.kernel.exact.cells import cell_maps, cell_sets
from plyforge.kernel.exact.construct import converter
from plyforge.kernel.exact.numbers import wide
from plyforge.kernel.exact.sequences import conversion, growing, ordering
from plyforge.kernel.translate.base import Refusal, located
from plyforge.kernel.translate.statements.assignments import Assignments
from plyforge.kernel.translate.statements.owned import is_new

ANSWERS = (
    "player",
    "actions",
    "chance",
    "utility",
    "evaluate",
    "rewards",
    "cost",
    "estimate",
    "legal_actions",
)
"""Functions that searches ask, and that give numbers."""
TAKEN_APART = ("utility", "evaluate", "rewards", "bounds", "features")
"""Hooks that may give a tuple of numbers, which kernels take apart."""


CHANGES: dict[tuple[str, int], Any] = {
    ("add", 1): cell_sets.with_key,
    ("discard", 1): cell_sets.without_key,
    ("remove", 1): cell_sets.without_known_key,
    ("pop", 1): cell_maps.without_popped,
    ("pop", 2): cell_sets.without_key,
    ("update", 1): cell_sets.with_all,
    ("clear", 0): cell_sets.nothing,
}
"""Methods that change a set or a dict, with the primitives that give it changed."""


class Statements(Assignments):
    """Part of the translator."""

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
        """Each statement translated; one may become several. Those that can't be are remembered, and
        `Translator.function` refuses."""
        found: list[ast.stmt] = []
        for statement in body:
            try:
                made = self.visit(statement)
            except Refusal as refusal:
                self.obstacles += refusal.obstacles
                continue
            found.extend(made if isinstance(made, list) else [made] if made is not None else [])
        return found

    def visit_For(self, node: ast.For) -> Any:
        if isinstance(node.iter, (ast.List, ast.Set)) and node.iter.elts:
            if isinstance(node.iter, ast.Set):
                self.refuse("it goes through a set, whose order compiled code does not know: make it a tuple", node)
            if not any(isinstance(each, ast.Starred) for each in node.iter.elts):
                node.iter = located(ast.Tuple(node.iter.elts, ast.Load()), node.iter)
        source = self.iterable(node.iter, id(node) in self.unordered)
        if isinstance(node.target, ast.Tuple):
            name = self.temporary()
            target, node.target = node.target, located(ast.Name(name, ast.Store()), node)
            first = self.assigned(target, located(ast.Name(name, ast.Load()), node), node)
        else:
            first = []
        node.iter = source
        node.body, node.orelse = [*first, *self.statements(node.body)], self.statements(node.orelse)
        return node

    def visit_Expr(self, node: ast.Expr) -> Any:
        if isinstance(node.value, ast.Constant):
            return None
        if isinstance(node.value, ast.YieldFrom):
            name = self.temporary()
            given = ast.Expr(ast.Yield(ast.Name(name, ast.Load())))
            return self.visit(located(ast.For(ast.Name(name, ast.Store()), node.value.value, [given], []), node))
        changed = self.cells_changed(node.value) or self.list_changed(node.value)
        return super().generic_visit(node) if changed is None else changed

    def cells_changed(self, node: ast.expr) -> Any:
        """`x.add(cell)` and its kin of a copy of a set or dict that has a name; None for anything else."""
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute) or node.keywords:
            return None
        base = node.func.value
        change = CHANGES.get((node.func.attr, len(node.args)))
        if change is None or not isinstance(base, ast.Name) or base.id not in self.copies - self.shared:
            return None
        if node.func.attr == "update" and isinstance(node.args[0], ast.Dict) and None not in node.args[0].keys:
            made = self.with_entries(located(ast.Name(base.id, ast.Load()), node), node.args[0], node.args[0].keys)
            return located(ast.Assign([ast.Name(base.id, ast.Store())], made), node)
        args = [located(ast.Name(base.id, ast.Load()), node), *(self.kept(arg) for arg in node.args[:1])]
        return located(ast.Assign([ast.Name(base.id, ast.Store())], self.call(change, args, node)), node)

    def list_changed(self, node: ast.expr) -> Any:
        """`x.sort(...)` and `x.reverse()` of a list that has a name; None for anything else."""
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            return None
        base, keywords = node.func.value, {str(k.arg): k.value for k in node.keywords}
        if not isinstance(base, ast.Name) or base.id not in self.own or node.args:
            return None
        shared = base.id in self.shared
        here = located(ast.Name(base.id, ast.Load()), node)
        if node.func.attr == "reverse" and not keywords:
            made = self.call(growing.flipped_shared if shared else growing.flipped, [here], node)
        elif node.func.attr == "sort" and set(keywords) <= {"key", "reverse"}:
            key, reverse = keywords.get("key"), keywords.get("reverse")
            turn = self.test(reverse) if reverse is not None else located(ast.Constant(False), node)
            if key is None or (isinstance(key, ast.Constant) and key.value is None):
                new = self.call(ordering.in_reverse, [here, turn], node)
            else:
                new = self.keyed(here, key, turn, node)
            again = located(ast.Name(base.id, ast.Load()), node)
            made = self.call(growing.refilled_shared if shared else growing.refilled, [again, new], node)
        else:
            return None
        return located(ast.Assign([ast.Name(base.id, ast.Store())], made), node)

    def visit_Return(self, node: ast.Return) -> Any:
        if node.value is None:
            return node
        name = node.value.id if isinstance(node.value, ast.Name) else None
        if name in self.shared or (name is None and not is_new(node.value)):
            node.value = self.call(boards.no_shared_list, [self.visit(node.value)], node)
        else:
            node.value = self.visit(node.value)
        if self.whole and self.this and self.where.__name__ in TAKEN_APART:
            node.value = self.call(conversion.plain_tuple, [node.value], node)
        if self.gives_states("result", "null_move", "with_turn"):
            node.value = self.call(self.to_state(), [node.value], node)
        elif self.context.wide and self.answers_a_search():
            node.value = self.call(wide.in_words, [node.value], node)
        return node

    def answers_a_search(self) -> bool:
        """True in the functions that every search asks."""
        return bool(self.whole and self.this and self.where.__name__ in ANSWERS)

    def visit_Yield(self, node: ast.Yield) -> Any:
        if node.value is not None:
            node.value = self.visit(node.value)
            if self.gives_states("symmetries"):
                node.value = self.call(self.to_state(), [node.value], node)
            elif self.context.wide and self.answers_a_search():
                node.value = self.call(wide.in_words, [node.value], node)
        return node

    def gives_states(self, *names: str) -> bool:
        """True in these methods of the game, whose answers are states."""
        return bool(self.whole and self.this and self.context.state is not None and self.where.__name__ in names)

    def to_state(self) -> Any:
        """A primitive that brings what a method gives to the type that states have."""
        key = "to state"
        if key not in self.context.made:
            self.context.made[key] = converter(self.context.state)
        return self.context.made[key]

    def visit_Raise(self, node: ast.Raise) -> Any:
        return located(ast.parse("raise ValueError('the rules raise an exception here')").body[0], node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> Any:
        return self.refuse("it defines a function inside a function: define it in the file, outside of the class", node)

    def visit_Lambda(self, node: ast.Lambda) -> Any:
        return self.refuse("it uses a lambda: write a function of the file, or the loop", node)
