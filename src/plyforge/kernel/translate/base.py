"""What every part of the translator uses: names for what translated code refers to, places for new nodes, refusals."""

from __future__ import annotations

import ast
import builtins
from typing import Any

from plyforge.kernel.translate.context import Context

PREFIX = "_plyforge_"
REFUSED: dict[type, str] = {
    ast.Try: "it uses try/except, which is not compiled: test first instead, with `if`",
    ast.With: "it uses `with`, which is not compiled: write what it does without it",
    ast.Global: "it changes a global: what changes belongs into the state",
    ast.Nonlocal: "it changes a name of an outer function: what changes belongs into the state",
    ast.Delete: "it uses `del` of something else than an item of a list: leave it out",
    ast.JoinedStr: "it works with text: keep text in format_state, format_action and show",
    ast.YieldFrom: "it uses `yield from`: write the loop, `for x in ...: yield x`",
    ast.Import: "it imports inside a function: import at the top of the file",
    ast.ImportFrom: "it imports inside a function: import at the top of the file",
}


class Refusal(Exception):
    """Parts of a function that have no compiled form: each a sentence and its line, the first one first."""

    def __init__(self, *obstacles: tuple[str, int]) -> None:
        super().__init__(*obstacles)
        self.obstacles = obstacles


def located(new: Any, old: ast.AST) -> Any:
    """A node that errors place where the old one is, itself and what is new in it."""
    for inner in ast.walk(new):
        if not hasattr(inner, "lineno"):
            ast.copy_location(inner, old)
    return new


class Base(ast.NodeTransformer):
    """One function that is rewritten. `outside` are the values of names that are not its own: globals and what it
    closes over."""

    def __init__(self, context: Context, outside: dict[str, Any], own: set[str], this: str, where: Any) -> None:
        self.context, self.outside, self.own, self.this, self.where = context, outside, own, this, where
        self.made: dict[str, Any] = {}
        """Names of our own in the translated function, and what they stand for."""
        self.shared: set[str] = set()
        self.read: set[str] = set()
        """Names that are read somewhere in the function."""
        self.sets: set[str] = set()
        self.copies: set[str] = set()
        """Names that are bound to nothing but copies of sets or dicts, made on the spot."""
        self.unordered: set[int] = set()
        """Loops that may go through a set, by their `id`."""
        self.obstacles: list[tuple[str, int]] = []
        """What stands in the way so far: a statement that has no compiled form does not hide the next one."""
        self.fresh = 0
        self.whole = True
        """False in a comprehension that has become a function of its own."""
        self.remembers = False
        """True for a function that keeps its answers (`functools.cache`)."""

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
        """A name for a variable of the function that is translated."""
        name = self.new_name()
        self.own.add(name)
        return name

    def new_name(self) -> str:
        """A name that nothing has, here or in a function around."""
        while True:
            self.fresh += 1
            name = f"{PREFIX}t{self.fresh}"
            if name not in self.own:
                return name

    def refuse(self, sentence: str, node: Any) -> Any:
        raise Refusal((sentence, node.lineno))

    def generic_visit(self, node: ast.AST) -> Any:
        sentence = REFUSED.get(type(node))
        if sentence is not None:
            self.refuse(sentence, node)
        return super().generic_visit(node)

    def is_builtin(self, name: str) -> bool:
        return name not in self.own and name not in self.outside and hasattr(builtins, name)

    def may_be_a_set(self, node: ast.expr) -> bool:
        """False for what surely has an order."""
        raise NotImplementedError

    def compiled_helper(self, tree: ast.FunctionDef, own: set[str]) -> Any:
        """A function of our own, with names of its own, in the same surroundings."""
        raise NotImplementedError

    def declare_helper(self, name: str) -> None:
        """A name for a function of our own that is defined later."""
        raise NotImplementedError

    def define_helper(self, tree: ast.FunctionDef, own: set[str]) -> None:
        """What a declared name stands for."""
        raise NotImplementedError

    def calls_itself(self, called: ast.expr, name: str) -> bool:
        """True if this expression is the function of that name that is being translated."""
        raise NotImplementedError

    def changed_parameters(self, called: ast.expr) -> tuple[list[str], set[str]]:
        """The parameters of a function of the rules, without `self` where it is bound, and those whose lists it
        changes."""
        raise NotImplementedError
