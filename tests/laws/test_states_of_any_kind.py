"""States may be any Python objects: whatever they are, searches with tables find what minimax finds, and no table
takes one state for another."""

from __future__ import annotations

import dataclasses
import enum
import itertools
from collections import deque
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import plyforge as pf
from plyforge.contract import CHANCE, Game
from plyforge.errors import BadRules
from plyforge.kernel import hash_state
from plyforge.play import Engine
from plyforge.play.match.openings import suitable_plies


class Plain:
    """As a student writes it: no == and no hash of its own, so Python tells these by where they lie in memory."""

    def __init__(self, knot: int, player: int, left: int) -> None:
        self.knot, self.player, self.left = knot, player, left


class Slotted:
    __slots__ = ("knot", "left", "player")

    def __init__(self, knot: int, player: int, left: int) -> None:
        self.knot, self.player, self.left = knot, player, left


@dataclasses.dataclass(frozen=True)
class Frozen:
    """Its hash is made of theirs, and those of -1 and -2 are the same."""

    knot: int
    player: int
    left: int


@dataclasses.dataclass
class Loose:
    knot: int
    player: int
    left: int


class Side(enum.Enum):
    FIRST = 0
    SECOND = 1


def of_object(s: Any) -> tuple[int, int, int]:
    return s.knot, s.player, s.left


MADE = {
    "plain": (Plain, of_object),
    "slotted": (Slotted, of_object),
    "frozen": (Frozen, of_object),
    "loose": (Loose, of_object),
    "list": (lambda *s: list(s), tuple),
    "nested": (lambda k, p, n: {"rest": [Plain(k, p, n)]}, lambda s: of_object(s["rest"][0])),
    "dict": (
        lambda k, p, n: {"k": k, "p": p, "n": n} if n % 2 else {"n": n, "p": p, "k": k},
        lambda s: (s["k"], s["p"], s["n"]),
    ),
    "array": (lambda *s: np.array(s), lambda s: tuple(s.tolist())),
    "text": (lambda *s: (",".join(map(str, s)),), lambda s: tuple(map(int, s[0].split(",")))),
    "sets": (
        lambda k, p, n: frozenset((("k", k), ("p", p), ("n", n))),
        lambda s: tuple(dict(s)[name] for name in "kpn"),
    ),
    "enum": (lambda k, p, n: [Fraction(k), Side(p), n], lambda s: (int(s[0]), s[1].value, s[2])),
    "deque": (lambda *s: deque(s), tuple),
}


class Rope(Game):
    """Pull a rope to and fro; what counts is where the knot is at the end. Many ways lead to the same state, and
    many states differ by one between -1 and -2."""

    min_utility, max_utility = -12.0, 12.0
    worth_compiling = False

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self.make, self.read = MADE[kind]

    def start(self) -> Any:
        return self.make(0, 0, 7)

    def player(self, s: Any) -> int:
        return self.read(s)[1]

    def actions(self, s: Any) -> Any:
        yield from (1, 2, 3)

    def result(self, s: Any, a: int) -> Any:
        knot, player, left = self.read(s)
        way = 1 if player == 0 else -1
        return self.make((knot * a + way * (a + 1)) % 11 - 6, 1 - player, left - 1)

    def terminal(self, s: Any) -> bool:
        return self.read(s)[2] == 0

    def utility(self, s: Any) -> float:
        return float(self.read(s)[0])


class Windy(Rope):
    """The same, and the wind pulls, too."""

    has_chance = True

    def player(self, s: Any) -> int:
        _, player, left = self.read(s)
        return CHANCE if left % 3 == 0 else player

    def chance(self, s: Any) -> Any:
        yield 1, 0.75
        yield 3, 0.25


def positions(game: Rope, plies: int) -> list[Any]:
    found = []
    for actions in itertools.product((1, 2, 3), repeat=plies):
        s = game.start()
        for action in actions:
            s = game.result(s, action)
        found.append(s)
    return found


@pytest.mark.parametrize("kind", MADE)
def test_searches_with_tables_find_what_minimax_finds(kind: str) -> None:
    game = Rope(kind)
    for s in positions(game, 2):
        truth = pf.search(game, s, "minimax", native=False)
        engine = pf.search(game, s, "engine", native=False)
        assert engine.exact and engine.value == truth.value and engine.action in truth.best
        assert pf.solve.Solver(game, native=False, table_mib=1).solve(s).value == truth.value


@pytest.mark.parametrize("kind", MADE)
def test_with_luck_too(kind: str) -> None:
    game = Windy(kind)
    for s in positions(game, 2):
        if game.player(s) != CHANCE:
            truth = pf.search(game, s, "expectiminimax", native=False)
            found = pf.search(game, s, "dice_engine", native=False)
            assert found.exact and found.value == pytest.approx(truth.value, abs=1e-12)


@pytest.mark.parametrize("kind", MADE)
def test_check_and_openings_take_them(kind: str) -> None:
    game = Rope(kind)
    assert pf.check(game, seconds=0.5, states=300, native=False).ok
    assert suitable_plies(game, 2) >= 1


@pytest.mark.parametrize("kind", MADE)
def test_equal_states_have_equal_keys_and_others_other_ones(kind: str) -> None:
    make, _ = MADE[kind]
    numbers = list(itertools.product(range(-3, 3), (0, 1), range(1, 4)))
    keys = [int(hash_state(make(*each))) for each in numbers]
    assert len(set(keys)) == len(numbers)
    assert keys == [int(hash_state(make(*each))) for each in numbers]


def test_what_is_in_a_state_is_told_apart() -> None:
    others = [
        None,
        "",
        "a",
        b"a",
        [],
        [[]],
        [None],
        {},
        {1: 2},
        {2: 1},
        {1, 2},
        {1, 3},
        [1, 2],
        [2, 1],
        Side.FIRST,
        Side.SECOND,
        Fraction(-1),
        Fraction(-2),
        Fraction(1, 2),
        Decimal("-1.5"),
        Decimal("-2.5"),
        1j,
        -1j,
        np.zeros((2, 3)),
        np.zeros((3, 2)),
    ]
    keys = [int(hash_state(value)) for value in others]
    assert len(set(keys)) == len(others) - 1, "only a text and the same bytes may be alike"


def test_keys_are_the_same_in_every_process() -> None:
    assert int(hash_state(["abc", None, {"x": -1}])) == 914_694_966_525_764_347


def test_objects_that_nobody_can_tell_apart_are_refused_in_words() -> None:
    class Opaque:
        pass

    with pytest.raises(BadRules, match=r"Opaque can't be told apart.*key\(s\)"):
        hash_state(Opaque())
    itself: list[Any] = []
    itself.append(itself)
    with pytest.raises(BadRules, match="holds itself"):
        hash_state(itself)


def test_what_numbers_all_states_says_what_it_needs() -> None:
    for kind, words in (("plain", "no equality of its own"), ("list", "unhashable")):
        with pytest.raises(BadRules, match=words):
            pf.solve.strongly(Rope(kind))


def test_a_game_against_such_rules_is_played() -> None:
    engine = Engine(Rope("list"), native=False)
    engine.start(depth=3)
    assert engine.wait().action in (1, 2, 3)
    assert pf.search(Rope("dict"), using="uct", simulations=50, native=False).simulations == 50
