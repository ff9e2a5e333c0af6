"""Lists written straight into a buffer are what the rules' generators yield, in their order."""

from __future__ import annotations

import inspect
import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pytest

import plyforge as pf
from conftest import compiles, thinned
from plyforge.contract import Game
from plyforge.kernel import kernel
from plyforge.kernel.entry import coerce, native_function
from plyforge.kernel.storage.buffer import get, new_actions, put
from plyforge.kernel.storage.fill import PREFIX, TOO_MANY, fill_actions, filling, rewritten

LISTS = ("sufficient_actions", "tactical_actions")
"""Of the heuristics."""


@kernel
def picked(game, s, index):
    """How many actions there are; below 0 if too many. And one of them."""
    buffer = new_actions(game, s)
    number = fill_actions(game, s, buffer)
    for other in range(number, index + 1):
        for action in game.actions(s):
            put(buffer, other, action)
    return number, get(buffer, index)


class Heap(NamedTuple):
    left: int
    player: int = 0


@dataclass(frozen=True)
class Takes(Game):
    """Take one to three, or what a subclass says."""

    max_actions = 8

    def start(self) -> Heap:
        return Heap(7)

    def player(self, s: Heap) -> int:
        return s.player

    def actions(self, s: Heap) -> Iterator[int]:
        for number in range(1, 4):
            if number > s.left:
                return
            yield number

    def result(self, s: Heap, action: int) -> Heap:
        return Heap(s.left - action, 1 - s.player)

    def terminal(self, s: Heap) -> bool:
        return s.left == 0

    def utility(self, s: Heap) -> float:
        return 1.0 if s.player == 1 else -1.0


class HandsOn(Takes):
    """Lists that are handed on, one after the other."""

    def actions(self, s: Heap) -> Iterator[int]:
        for action in self.small(s):
            yield action
        for action in self.great(s):
            yield action
        if s.left > 6:
            yield 7

    def small(self, s: Heap) -> Iterator[int]:
        yield 1
        if s.left > 1:
            yield 2

    def great(self, s: Heap) -> tuple[int, ...]:
        return (4, 5)


class Listens(Takes):
    """A `yield` whose answer is used can't be written as a list."""

    def actions(self, s: Heap) -> Iterator[int]:
        number = 1
        while number < 4:
            if number > s.left:
                return
            _ = yield number
            number += 1


class Sums(Takes):
    """A `yield` in a loop over another list, of something else than its items."""

    def actions(self, s: Heap) -> Iterator[int]:
        for one in self.ones(s):
            yield one + 1
        for one in self.ones(s):
            if one > 1:
                continue
            yield one

    def ones(self, s: Heap) -> Iterator[int]:
        yield 1
        yield 2


class Reads(Takes):
    """The loop's variable is used after it."""

    def actions(self, s: Heap) -> Iterator[int]:
        for action in self.ones(s):
            yield action
        yield action + 1

    def ones(self, s: Heap) -> Iterator[int]:
        yield 1


class Borrows(Takes):
    """Helpers that are no plain method, or have a default."""

    def actions(self, s: Heap) -> Iterator[int]:
        for action in self.fixed(1):
            yield action
        for action in self.more(s):
            yield action

    @staticmethod
    def fixed(first: int) -> tuple[int, ...]:
        return (first, first + 1)

    def more(self, s: Heap, last: int = 4) -> Iterator[int]:
        yield last


class Shared(Takes):
    """Names that are ours."""

    def actions(self, s: Heap) -> Iterator[int]:
        _fill_number = 3
        yield 1
        yield _fill_number


class Imports(Takes):
    """A function of a module that was imported: Python compiles such calls in a way of their own."""

    def actions(self, s: Heap) -> Iterator[int]:
        for number in range(1, 3):
            yield int(np.int64(number))


class Still(Takes):
    """A list that is no method."""

    @staticmethod
    def actions(s: Heap) -> tuple[int, ...]:
        return (1, 2)


class Floods(Takes):
    """More than it says."""

    max_actions = 2


SHAPES = [Takes, HandsOn, Sums, Listens, Reads, Borrows, Shared, Imports, Still]


class Filling:
    """A game as compiled code sees it: with a method that fills for every list."""

    def __init__(self, game: Any) -> None:
        self.game = game

    def __getattr__(self, name: str) -> Any:
        if name.startswith(PREFIX):
            listed = name.removeprefix(PREFIX)
            return filling(listed, type(self.game)).__get__(self)
        return getattr(self.game, name)


def filled(owner: Any, name: str, *given: Any) -> list[Any]:
    """What the function that fills puts into a list, interpreted. `owner` is the game, or a companion, which is
    given it."""
    buffer: list[Any] = []
    number = getattr(Filling(owner), PREFIX + name)(*given, buffer, 0, getattr(owner, "max_actions", 999))
    assert number == len(buffer)
    return buffer


@pytest.mark.parametrize("name", pf.names())
def test_every_game_is_listed_without_a_generator_and_lists_the_same(name):
    game = pf.load("tree([[3, 12, 8], [2, 4, 6]])" if name == "tree" else name)
    s = game.start()
    for ply in range(12):
        if game.terminal(s) or game.player(s) < 0:
            break
        assert rewritten(inspect.getattr_static(game, "actions"), type(game)) is not None
        assert filled(game, "actions", s) == list(game.actions(s))
        for listed in LISTS:
            hints = game.heuristics
            assert rewritten(inspect.getattr_static(hints, listed), type(hints)) is not None
            assert filled(hints, listed, Filling(game), s) == list(getattr(hints, listed)(game, s))
        actions = list(game.actions(s))
        s = game.result(s, actions[ply * 7 % len(actions)])


@pytest.mark.parametrize("rules", SHAPES)
@pytest.mark.parametrize("left", [1, 2, 7])
def test_rules_of_every_shape(rules, left):
    assert filled(rules(), "actions", Heap(left)) == list(rules().actions(Heap(left)))


@compiles
@pytest.mark.parametrize("rules", thinned([rules for rules in SHAPES if rules is not Still], SHAPES[:2]))
def test_compiled_lists_are_the_same(rules):
    game, s = rules(), coerce(Heap(7))
    function = native_function(picked, game, s, 0)
    wanted = list(game.actions(s))
    found = [function(game, s, index) for index in range(len(wanted))]
    assert found == [(len(wanted), action) for action in wanted]


class Wordy(Takes):
    """Its actions are told in several lines."""

    def actions(self, s: Heap) -> Iterator[int]:
        """A text of more than one line:
        it would be another one if it stood farther to the left."""
        yield 1


def test_a_text_of_several_lines_does_not_need_the_generator():
    assert rewritten(Wordy.actions, Wordy) is not None
    assert filled(Wordy(), "actions", Heap(7)) == [1]


def test_calls_into_imported_modules_do_not_need_the_generator():
    assert rewritten(Imports.actions, Imports) is not None


@compiles
def test_no_room():
    game, s = Floods(), coerce(Heap(7))
    assert fill_actions(game, s, []) == TOO_MANY
    number, _ = native_function(picked, game, s, 0)(game, s, 0)
    assert number == TOO_MANY


def test_source_that_is_not_what_runs_is_not_used(tmp_path):
    path = tmp_path / "rules.py"
    path.write_text("def actions(self, s):\n    yield 1\n    yield 2\n")
    space: dict[str, Any] = {}
    exec(compile(path.read_text(), str(path), "exec"), space)
    path.write_text("def actions(self, s):\n    yield 1\n    yield 3\n")  # edited since
    assert rewritten(space["actions"], object) is None
    assert filled(type("Rules", (), {"actions": space["actions"]})(), "actions", None) == [1, 2]


def test_functions_that_close_over_something_are_driven():
    step = next(itertools.count(5))

    def actions(self, s):
        yield step

    assert rewritten(actions, object) is None
    assert filled(type("Rules", (), {"actions": actions})(), "actions", None) == [5]
