"""Trees for learners: drawn by a seed, typed as nested lists, changed node by node.

A regular tree has inner nodes with letters for names, so that a question can speak of them: A is the root, and so on
level by level. Equal seeds give equal trees, on every machine. Unless ties are wanted all leaves differ, so that no
question turns on what happens between equal values.
"""

from __future__ import annotations

import ast
import contextlib
import json
import random
import warnings
from typing import Any

from plyforge.errors import BadLimits, BadText
from plyforge.games.catalog import LONGEST
from plyforge.games.trees.tree import Tree
from plyforge.plain_text import require_length
from plyforge.reading import parse_json

SHAPES = ("minimax", "expectimax", "expectiminimax", "three_players")
"""Who moves level by level: MAX and MIN; MAX and chance; MAX, chance, MIN, chance; three players in turn."""
LEVELS: dict[str, tuple[str, ...]] = {
    "minimax": ("max", "min"),
    "expectimax": ("max", "chance"),
    "expectiminimax": ("max", "chance", "min", "chance"),
    "three_players": ("0", "1", "2"),
}
WEIGHTS: dict[int, tuple[tuple[str, ...], ...]] = {
    1: (("1",),),
    2: (("1/2", "1/2"), ("1/4", "3/4"), ("3/4", "1/4")),
    3: (("1/2", "1/4", "1/4"), ("1/4", "1/2", "1/4"), ("1/4", "1/4", "1/2")),
    4: (("1/4", "1/4", "1/4", "1/4"),),
}
"""Chances that can be reckoned with in the head: leaves below them are multiples of four."""
MOST_LEAVES = 20_000


def regular_tree(
    depth: int = 3, branching: int = 2, seed: int = 1, shape: str = "minimax", largest: int = 9, ties: bool = False
) -> Any:
    """A tree as nested literals, in which every inner node has `branching` children and every leaf is `depth` plies
    deep."""
    if shape not in SHAPES:
        raise BadLimits(f"shape is {shape!r}; it must be one of {', '.join(SHAPES)}")
    if not 1 <= depth <= 14 or not 1 <= branching <= 12 or branching**depth > MOST_LEAVES:
        raise BadLimits(f"a tree has 1 to 14 levels, 1 to 12 children and at most {MOST_LEAVES:,} leaves")
    if not 1 <= largest <= 1000:
        raise BadLimits(f"largest is {largest}; it must be from 1 to 1000")
    if shape != "minimax" and branching not in WEIGHTS:
        branching = 4
    draw = random.Random(f"tree {seed}")
    leaves = _leaves(draw, branching**depth, shape, largest, ties)
    names = _names(sum(branching**level for level in range(depth)))
    level: list[Any] = leaves
    for ply in reversed(range(depth)):
        kind = LEVELS[shape][ply % len(LEVELS[shape])]
        above = []
        for number in range(branching**ply):
            children = level[number * branching : (number + 1) * branching]
            above.append(_node(kind, children, names[_first(branching, ply) + number], draw))
        level = above
    return level[0]


def _first(branching: int, ply: int) -> int:
    """How many inner nodes there are above a level."""
    return sum(branching**level for level in range(ply))


def _leaves(draw: random.Random, number: int, shape: str, largest: int, ties: bool) -> list[Any]:
    if shape == "three_players":
        return [{"payoffs": [int(draw.random() * (largest + 1)) for _ in range(3)]} for _ in range(number)]
    step = 4 if shape != "minimax" else 1
    if ties:
        return [step * int(draw.random() * (largest + 1)) for _ in range(number)]
    pool = list(range(-(number // 3), max(largest, number) + 1))
    chosen = sorted(pool, key=lambda value: draw.random())[:number]
    return [step * value for value in chosen]


def _node(kind: str, children: list[Any], name: str, draw: random.Random) -> dict[str, Any]:
    if kind.isdigit():
        return {"name": name, "player": int(kind), "children": children}
    node: dict[str, Any] = {"name": name, kind: children}
    if kind == "chance":
        choices = WEIGHTS[len(children)]
        node["weights"] = list(choices[int(draw.random() * len(choices))])
    return node


def _names(number: int) -> list[str]:
    """A, B ... Z, AA, AB ... as the columns of a table are called."""
    found = []
    for place in range(number):
        name, left = "", place + 1
        while left:
            left, letter = divmod(left - 1, 26)
            name = chr(ord("A") + letter) + name
        found.append(name)
    return found


# -------------------------------------------------------------------- typed by hand
def read_tree(text: str) -> Any:
    """A tree that somebody typed, as nested literals of Python or JSON. Nothing is evaluated."""
    text = text.strip()
    if not text:
        raise BadText("there is nothing here: write nested lists of numbers, as in [[3, 12, 8], [2, 4, 6]]")
    require_length(text, LONGEST, "tree", BadText)
    with contextlib.suppress(BadText):
        return parse_json(text, "it")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about text that is then refused
            return ast.literal_eval(text)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        raise BadText(
            "this is not a tree: write nested lists of numbers, as in [[3, 12, 8], [2, 4, 6]], and check that every"
            " bracket is closed"
        ) from None


def tree_from_text(text: str) -> Tree:
    """The game of a typed tree."""
    return Tree.of(read_tree(text))


# -------------------------------------------------------------------- changed node by node
KINDS = ("max", "min", "chance")


def edited(text: str, path: list[int], change: str, value: Any = None) -> str:
    """The text of a tree after one change at the node that the numbers of actions lead to: "add" a child, "remove"
    the node, "value" of a leaf, "kind" of an inner node."""
    tree = json.loads(Tree.of(read_tree(text)).text)
    root = {"children": [tree]}
    holder, place = _find(root, [0, *path])
    node = holder[place]
    if change == "add":
        leaf = _typed_value(0 if value is None else value)
        inside = _children(node)
        if inside is None:
            holder[place] = [_plain_leaf(node), leaf]
        elif isinstance(inside, dict):
            name = next(str(n) for n in range(len(inside) + 1, 10_000) if str(n) not in inside)
            inside[name] = leaf
        else:
            inside.append(leaf)
        _even_out(node)
    elif change == "remove":
        if not path:
            raise BadLimits("the root can't be removed")
        if len(holder) == 1:
            raise BadLimits("an inner node needs a child: change the parent instead")
        del holder[place]
        _even_out(_at(root, [0, *path[:-1]]))
    elif change == "value":
        if _children(node) is not None:
            raise BadLimits("only a leaf has a value of its own")
        holder[place] = _typed_value(value)
    elif change == "kind":
        if value not in KINDS:
            raise BadLimits(f"a node is one of {', '.join(KINDS)}, not {value!r}")
        inside = _children(node)
        if inside is None:
            raise BadLimits("a leaf has nobody to move: add a child first")
        kept = {"name": node["name"]} if isinstance(node, dict) and "name" in node else {}
        holder[place] = {**kept, value: inside}
    else:
        raise BadLimits(f"there is no change {change!r}")
    return Tree.of(_thawed(root["children"][0])).text


def _find(root: Any, path: list[int]) -> tuple[Any, Any]:
    """The container of a node, and its key there."""
    holder, place, node = None, None, root
    for number in path:
        inside = _children(node)
        keys = list(inside) if isinstance(inside, dict) else list(range(len(inside or [])))
        if not isinstance(number, int) or not 0 <= number < len(keys):
            raise BadLimits("there is no such node")
        holder, place = inside, keys[number]
        node = holder[place]
    return holder, place


def _at(root: Any, path: list[int]) -> Any:
    holder, place = _find(root, path)
    return holder[place]


def _children(node: Any) -> Any:
    """A node's children as they are written; None at a leaf."""
    if isinstance(node, list):
        return node
    if isinstance(node, dict):
        return next((node[kind] for kind in (*KINDS, "children") if kind in node), None)
    return None


def _even_out(node: Any) -> None:
    """After a change of its children a chance node has equal chances again."""
    if isinstance(node, dict):
        node.pop("weights", None)


def _plain_leaf(node: Any) -> Any:
    return node["value"] if isinstance(node, dict) and "value" in node else node


def _typed_value(value: Any) -> Any:
    if isinstance(value, str):
        value = read_tree(value)
    if isinstance(value, (list, tuple)):
        return {"payoffs": list(value)}
    return value


def _thawed(tree: Any) -> Any:
    """As `Tree` takes it; it reads the JSON of its own text."""
    return tree
