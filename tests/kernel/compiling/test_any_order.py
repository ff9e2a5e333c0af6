"""Which loops may go through a set: those whose answer no order can change, and no others.

Each source is also run over the same numbers in several orders: where they give different answers, the loop must not be
named as free.
"""

from __future__ import annotations

import ast
import itertools
import textwrap
from typing import Any

import pytest

from plyforge.kernel.translate.statements.any_order import any_order_loops

FREE = {
    "one constant": """
        for x in items:
            if x > 2:
                return True
        return False""",
    "nested loops and local counts": """
        for x in items:
            for d in (1, -1):
                n = 0
                while n * d + x < 5 and n < 4:
                    n += 1
                if n == 3:
                    return 1
        return 0""",
    "a flag": """
        found = False
        for x in items:
            if x == 2:
                found = True
        return found""",
    "a flag and a break": """
        found = False
        for x in items:
            if x == 2:
                found = True
                break
        return found""",
    "counting": """
        n = 0
        for x in items:
            if x % 2:
                n += 1
        return n""",
    "a set": """
        seen = set()
        for x in items:
            seen.add(x * x)
        return len(seen)""",
    "a name of a comprehension": """
        for x in items:
            if all(x > k for k in (0, 1)):
                return 7
        return 8""",
}
BOUND = {
    "the first that fits": """
        for x in items:
            if x > 1:
                return x
        return 0""",
    "the last one": """
        last = 0
        for x in items:
            last = x
        return last""",
    "a variable that is left": """
        for x in items:
            pass
        return x""",
    "a list": """
        found = []
        for x in items:
            found.append(x)
        return found""",
    "counting until it ends": """
        n = 0
        for x in items:
            n += 1
            if x == 2:
                break
        return n""",
    "a count that is read": """
        n, m = 0, 0
        for x in items:
            n += 1
            if n == 2 and x == 3:
                return 5
        return 6""",
    "what a round leaves to the next": """
        before = 0
        for x in items:
            if before > x:
                return 1
            before = x
        return 2""",
    "set on one way only": """
        for x in items:
            if x == 1:
                y = 5
            elif x == 3:
                return y
        return 0""",
    "two constants": """
        for x in items:
            if x == 1:
                return 10
            if x == 3:
                return 30
        return 0""",
    "a product": """
        n = 1
        for x in items:
            n = n * 2 + x
        return n""",
    "a set that is read": """
        seen = set()
        for x in items:
            if 1 in seen and x == 2:
                return 1
            seen.add(x)
        return 0""",
    "a list that is changed": """
        board = [0, 0]
        for x in items:
            board[0] = x
        return board""",
    "a flag that a break leaves alone": """
        found = False
        for x in items:
            if x == 1:
                found = True
            if x == 3:
                break
        return found""",
    "floats": """
        total = 0.0
        for x in items:
            total += 0.1 * x * x
        return total""",
}
ITEMS = (1, 2, 3)


def is_free(source: str) -> bool:
    tree: Any = ast.parse("def f(items):" + source)
    loops = [node for node in ast.walk(tree) if isinstance(node, ast.For)]
    return id(loops[0]) in any_order_loops(tree.body[0], lambda call: False)


def answers(source: str) -> set[str]:
    """What the function gives for the numbers in each of their orders."""
    space: dict[str, Any] = {}
    exec(textwrap.dedent("def f(items):" + source), space)
    found = set()
    for items in itertools.permutations(ITEMS):
        try:
            found.add(repr(space["f"](items)))
        except UnboundLocalError as error:
            found.add(type(error).__name__)
    return found


@pytest.mark.parametrize("name", FREE)
def test_loops_whose_answer_is_the_same_in_any_order_are_free(name: str) -> None:
    assert len(answers(FREE[name])) == 1
    assert is_free(FREE[name])


@pytest.mark.parametrize("name", BOUND)
def test_loops_whose_answer_may_depend_on_the_order_are_not(name: str) -> None:
    assert len(answers(BOUND[name])) > 1 or name == "floats"
    assert not is_free(BOUND[name])
