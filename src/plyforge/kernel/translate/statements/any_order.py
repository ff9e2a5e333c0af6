"""Loops whose answer does not depend on the order in which they go through things: only those may go through a set.

    for r, c in stones:                       true or false, whichever stone comes first
        for dr, dc in DIRECTIONS:
            if (r + dr, c + dc) in stones:
                return True
    return False

Claim: a loop that is named here leaves behind, and gives, the same in any order, as long as nothing in it raises: all
that it returns is one constant; what it sets for later is one constant each; what it counts is only added to; whatever
else it binds, each round binds anew before it reads it, and nobody reads it afterwards.
"""

from __future__ import annotations

import ast
import copy
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from plyforge.kernel.translate.base import PREFIX

ANY_ORDER = "plyforge_any_order"
LOOPED, IN_ORDER, AGREED = (f"{PREFIX}{name}" for name in ("looped", "in_order", "agreed"))
"""An attribute of loops that were written for a purpose which makes the order irrelevant."""
SIMPLE = (
    ast.If,
    ast.For,
    ast.While,
    ast.Return,
    ast.Assign,
    ast.AugAssign,
    ast.Expr,
    ast.Pass,
    ast.Continue,
    ast.Break,
)


def any_order_loops(function: Any, changes: Callable[[ast.Call], bool]) -> set[int]:
    """The loops of a function that may go through a set, by their `id`. `changes` says whether a call changes what it
    is given."""
    loops = [node for node in ast.walk(function) if isinstance(node, ast.For)]
    return {id(loop) for loop in loops if getattr(loop, ANY_ORDER, False) or _is_free(loop, function, changes)}


def note_answers(
    function: Any,
    changes: Callable[[ast.Call], bool],
    new_name: Callable[[], str],
    may_be_a_set: Callable[[ast.expr], bool],
) -> None:
    """Make loops free that would be, but for what they return: over a set they go on after the first answer, and stop
    compiled code where another one differs.

        for cell in stones:                        for cell in (source := stones):
            if five(stones, cell):                     if five(stones, cell):
                return owner(cell)                         if it has an order: return owner(cell)
                                                           if not found: found, value = True, owner(cell)
                                                           else: raise where value differs from owner(cell)
                                                   if found: return value
    """

    def noted(block: list[ast.stmt]) -> list[ast.stmt]:
        made: list[ast.stmt] = []
        for each in block:
            answers = any(isinstance(node, ast.Return) and node.value is not None for node in ast.walk(each))
            some = isinstance(each, ast.For) and answers and may_be_a_set(each.iter)
            if isinstance(each, ast.For) and some and not _is_free(each, function, changes):
                if _is_free(each, function, changes, any_answer=True):
                    made += _noted(each, [new_name() for _ in range(3)])
                    continue
            if isinstance(each, (ast.For, ast.While, ast.If)):
                each.body, each.orelse = noted(each.body), noted(each.orelse)
            made.append(each)
        return made

    function.body = noted(function.body)


def _noted(loop: ast.For, names: list[str]) -> list[ast.stmt]:
    source, found, value = names
    before = ast.parse(f"{source} = None\n{found} = False").body
    before[0].value = ast.Call(ast.Name(LOOPED, ast.Load()), [loop.iter], [])  # type: ignore[attr-defined]
    loop.iter = ast.Name(source, ast.Load())
    loop.body = _Noter(names).visit(ast.Module(loop.body, [])).body
    setattr(loop, ANY_ORDER, True)
    after = ast.parse(f"if {found}:\n    return {value}").body
    for each in (*before, *after):
        for inner in ast.walk(each):
            ast.copy_location(inner, loop)
    return [*before, ast.copy_location(loop, loop), *after]


class _Noter(ast.NodeTransformer):
    def __init__(self, names: list[str]) -> None:
        self.names = names

    def visit_Return(self, node: ast.Return) -> Any:
        source, found, value = self.names
        text = (
            f"if {IN_ORDER}({source}):\n    return None\n"
            f"if not {found}:\n    {value} = None\n    {found} = True\n"
            f"else:\n    {value} = {AGREED}({source}, {value}, None)"
        )
        first, rest = ast.parse(text).body
        answer: Any = node.value or ast.Constant(None)
        first.body[0].value = answer  # type: ignore[attr-defined]
        rest.body[0].value = copy.deepcopy(answer)  # type: ignore[attr-defined]
        rest.orelse[0].value.args[2] = copy.deepcopy(answer)  # type: ignore[attr-defined]
        for each in (first, rest):
            for inner in ast.walk(each):
                ast.copy_location(inner, node)
        return [first, rest]


def _is_free(loop: ast.For, function: Any, changes: Callable[[ast.Call], bool], any_answer: bool = False) -> bool:
    inside = [node for statement in loop.body for node in ast.walk(statement)]
    statements = [node for node in inside if isinstance(node, ast.stmt)]
    if loop.orelse or not all(isinstance(node, SIMPLE) for node in statements):
        return False
    if any(isinstance(node, (ast.Yield, ast.YieldFrom, ast.NamedExpr, ast.Lambda)) for node in inside):
        return False
    if any(isinstance(node, ast.Call) and changes(node) for node in inside):
        return False
    returned = {ast.dump(node.value) if node.value else "" for node in statements if isinstance(node, ast.Return)}
    constant = all(
        node.value is None or _is_constant(node.value) for node in statements if isinstance(node, ast.Return)
    )
    if not any_answer and (len(returned) > 1 or not constant):
        return False
    kinds = _Names(loop, function).kinds()
    if kinds is None:
        return False
    breaks = [each for block in _blocks(loop.body) for each in _ends(block)]
    lasting = [kind for kind in kinds.values() if kind in ("counted", "put")]
    if (returned or breaks) and lasting:  # what was counted before the end depends on what came first
        return False
    flags = [name for name, kind in kinds.items() if kind == "set"]
    return not breaks or not flags or _set_at_the_end(loop.body, flags, breaks)


def _is_constant(node: ast.expr) -> bool:
    negative = isinstance(node, ast.UnaryOp) and isinstance(node.operand, ast.Constant)
    member = isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id[:1].isupper()
    return negative or member or isinstance(node, ast.Constant)


def _blocks(body: list[ast.stmt]) -> Iterator[list[ast.stmt]]:
    """The blocks of a loop's body whose `break` would end it."""
    yield body
    for statement in body:
        if isinstance(statement, ast.If):
            yield from _blocks(statement.body)
            yield from _blocks(statement.orelse)


def _ends(block: list[ast.stmt]) -> list[tuple[list[ast.stmt], int]]:
    """Where a block breaks off."""
    return [(block, place) for place, each in enumerate(block) if isinstance(each, ast.Break)]


def _set_at_the_end(body: list[ast.stmt], flags: list[str], breaks: list[tuple[list[ast.stmt], int]]) -> bool:
    """True for one flag that is set right before each `break`, and nowhere else."""
    stores = [n for s in body for n in occurrences(s) if n.id == flags[0] and isinstance(n.ctx, ast.Store)]
    before = [block[place - 1] for block, place in breaks if place]
    marked = [each for each in before if isinstance(each, ast.Assign) and _binds(each, flags[0])]
    return len(flags) == 1 and len(marked) == len(breaks) == len(stores)


def occurrences(node: ast.AST) -> Iterator[ast.Name]:
    """The names in a piece of source, without those that belong to a comprehension in it."""
    if isinstance(node, ast.Name):
        yield node
        return
    inner: set[str] = set()
    if isinstance(node, (ast.GeneratorExp, ast.ListComp, ast.SetComp, ast.DictComp)):
        inner = {n.id for each in node.generators for n in ast.walk(each.target) if isinstance(n, ast.Name)}
    for each in ast.iter_child_nodes(node):
        yield from (name for name in occurrences(each) if name.id not in inner)


class _Names:
    """What a loop does to the names that it binds."""

    def __init__(self, loop: ast.For, function: Any) -> None:
        self.loop, self.function = loop, function
        self.body = ast.Module(loop.body, [])
        self.bound = {n.id for n in occurrences(self.body) if isinstance(n.ctx, ast.Store)}
        self.own = {n.id for n in ast.walk(loop.target) if isinstance(n, ast.Name)}

    def kinds(self) -> dict[str, str] | None:
        """For each name what it is: "own", "counted", "set", "put"; None where one is something else."""
        found: dict[str, str] = {}
        if not all(self.is_let_be(node) for node in ast.walk(self.body)):
            return None
        for name in self.own | self.bound:
            kind = self.kind(name)
            if kind is None:
                return None
            found[name] = kind
        for call in self.puts():
            found[call] = "put"
            if self.reads(call) > self.puts()[call] or _mentions(self.loop.iter, call):
                return None
        return found

    def is_let_be(self, node: ast.AST) -> bool:
        """False for what changes something that has no name of this function's own, or that a name stands for."""
        if isinstance(node, (ast.Subscript, ast.Attribute)) and isinstance(node.ctx, ast.Store):
            return False
        if isinstance(node, ast.Expr) and not isinstance(node.value, ast.Constant):
            return _put_into(node) is not None
        return True

    def puts(self) -> Counter[str]:
        made = (_put_into(node) for node in ast.walk(self.body) if isinstance(node, ast.Expr))
        return Counter(name for name in made if name is not None)

    def reads(self, name: str) -> int:
        return sum(n.id == name and isinstance(n.ctx, ast.Load) for n in occurrences(self.body))

    def kind(self, name: str) -> str | None:
        if name in self.own and name not in self.bound:
            return "own" if self.is_private_outside(name) else None
        if name not in self.own and _set_before_read(self.loop.body, name) and self.is_private_outside(name):
            return "own"
        if self.reads(name):
            return None
        stores = [n for n in ast.walk(self.body) if isinstance(n, (ast.Assign, ast.AugAssign)) and _binds(n, name)]
        if sum(n.id == name for n in occurrences(self.body)) != len(stores):
            return None
        if all(
            isinstance(n, ast.AugAssign) and isinstance(n.op, (ast.Add, ast.Sub)) and _is_whole(n.value) for n in stores
        ):
            return "counted"
        values = {ast.dump(n.value) for n in stores}
        return "set" if len(values) == 1 and all(_is_plain_set(n) for n in stores) else None

    def is_private_outside(self, name: str) -> bool:
        """True if nothing outside of the loop reads what it leaves behind."""
        inner = {id(n) for n in ast.walk(self.loop)}
        for node in ast.walk(self.function):
            if (
                isinstance(node, ast.Name)
                and node.id == name
                and isinstance(node.ctx, ast.Load)
                and id(node) not in inner
            ):
                if not self.is_bound_around(node, name):
                    return False
        return True

    def is_bound_around(self, node: ast.Name, name: str) -> bool:
        """True if this reading is inside a loop or comprehension, not around ours, that binds the name first."""
        for around in ast.walk(self.function):
            holds = any(each is node for each in ast.walk(around))
            if not holds or any(each is self.loop for each in ast.walk(around)):
                continue
            if isinstance(around, ast.For) and not any(each is node for each in ast.walk(around.iter)):
                targets = {n.id for n in ast.walk(around.target) if isinstance(n, ast.Name)}
                if name in targets or _set_before_read(around.body, name):
                    return True
            if isinstance(around, (ast.GeneratorExp, ast.ListComp, ast.SetComp, ast.DictComp)):
                if any(n.id == name for g in around.generators for n in ast.walk(g.target) if isinstance(n, ast.Name)):
                    return True
        return False


def _put_into(node: ast.Expr) -> str | None:
    """The name of the set that a statement puts something into; None for any other statement."""
    call = node.value
    if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == "add":
        if isinstance(call.func.value, ast.Name) and len(call.args) == 1:
            return call.func.value.id
    return None


def _is_whole(node: ast.expr) -> bool:
    """True for a whole number that is written out: floats add up differently in another order."""
    return isinstance(node, ast.Constant) and isinstance(node.value, int)


def _is_plain_set(node: Any) -> bool:
    return isinstance(node, ast.Assign) and len(node.targets) == 1 and _is_constant(node.value)


def _binds(node: Any, name: str) -> bool:
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    return any(isinstance(each, ast.Name) and each.id == name for each in targets)


def _mentions(node: ast.AST, name: str) -> bool:
    return any(n.id == name for n in occurrences(node))


def _set_before_read(body: list[ast.stmt], name: str) -> bool:
    """True if these statements bind a name before they read it, on every way through."""
    for place, statement in enumerate(body):
        if not _mentions(statement, name):
            continue
        if isinstance(statement, ast.Assign):
            targets = [n for each in statement.targets for n in ast.walk(each) if isinstance(n, ast.Name)]
            return not _mentions(statement.value, name) and any(n.id == name for n in targets)
        if any(_mentions(later, name) for later in body[place + 1 :]):
            return False
        if isinstance(statement, ast.For):
            if _mentions(statement.iter, name) or any(_mentions(each, name) for each in statement.orelse):
                return False
            return _mentions(statement.target, name) or _set_before_read(statement.body, name)
        if isinstance(statement, ast.While):
            return not _mentions(statement.test, name) and _set_before_read(statement.body, name)
        if isinstance(statement, ast.If):
            if _mentions(statement.test, name):
                return False
            parts = [part for part in (statement.body, statement.orelse) if any(_mentions(s, name) for s in part)]
            return all(_set_before_read(part, name) for part in parts)
        return False
    return False
