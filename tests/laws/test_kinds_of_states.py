"""States of every kind that compiles, at both speeds: the same from Python to compiled code and back, the same key,
and equal where Python says equal."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

import paths
import plyforge as pf
from conftest import compiles, thinned
from plyforge.errors import Inexact
from plyforge.kernel import hash_state, inline, kernel
from plyforge.kernel.entry import coerce, native_function

FOLDER = paths.RULES_CORPUS
NAMES = [
    "none_field",
    "none_cells",
    "none_pair",
    "letters",
    "nested_tuples",
    "text_search",
    "growing_tuple",
    "growing_pairs",
    "frozen_dataclass",
    "dataclass_board",
]
pytestmark = [compiles]


@inline
def after(game, state, number):
    for action in game.actions(state):
        if number == 0:
            return game.result(state, action)
        number -= 1
    return state


@kernel
def same(game, state):
    return state


@kernel
def looked_at(game, state, other, number):
    """All that is compared, in one kernel: compiling it is what takes time."""
    return state, hash_state(state), state == other, after(game, state, number)


def played(name: str, games: int = 8) -> tuple[pf.Game, list[tuple[Any, Any]]]:
    """States of random games, each with the action that was played there; None at the end."""
    return random_games(pf.load(f"{FOLDER / name}.py"), games)


def random_games(game: pf.Game, games: int) -> tuple[pf.Game, list[tuple[Any, Any]]]:
    found: list[tuple[Any, Any]] = []
    for seed in range(games):
        draw, s = random.Random(seed), coerce(game.start())
        while not game.terminal(s):
            action = draw.choice(pf.legal_moves(game, s))
            found.append((s, action))
            s = coerce(game.result(s, action))
        found.append((s, None))
    return game, found


def shown(state: Any) -> str:
    """Everything that Python sees of it: True is not 1 here."""
    return f"{type(state).__name__} {state!r}"


def compare(game: pf.Game, states: list[tuple[Any, Any]], pairs: Iterable[tuple[Any, Any]]) -> None:
    """Compiled, each state comes back as it was, has its key and the results of its actions; and pairs are equal or
    not."""
    native = native_function(looked_at, game, states[0][0], states[0][0], 0)
    for s, action in states:
        number = -1 if action is None else list(game.actions(s)).index(action)
        back, key, _, result = native(game, s, s, number)
        assert shown(back) == shown(s)
        assert int(key) % 2**64 == int(hash_state(s)), s
        if action is not None:
            assert shown(coerce(result)) == shown(coerce(game.result(s, action)))
    for one, other in pairs:
        assert bool(native(game, one, other, -1)[2]) == (one == other), (one, other)


@pytest.mark.parametrize(
    "name", thinned(NAMES, ["none_pair", "letters", "nested_tuples", "growing_pairs", "dataclass_board"])
)
def test_states_are_the_same_at_both_speeds(name: str) -> None:
    game, states = played(name)
    few = [s for s, _ in played(name, 3)[1]]
    compare(game, states, itertools.product(few, few))


# ------------------------------------------------------- kinds of cells that are kept, and hashed, in ways of their own
RULES = """
import dataclasses, enum
from typing import NamedTuple
import plyforge as pf

class Color(enum.Enum):
    RED = 1
    BLUE = 1000

@dataclasses.dataclass(order=True)
class Stone:
    color: str
    size: int = 1

class Row(NamedTuple):
    cells: tuple
    ply: int

class Rows(pf.Game):
    def start(self):
        return Row({first}, 0)

    def player(self, s):
        return s.ply % 2

    def actions(self, s):
        yield from (0, 1, 2)

    def result(self, s, n):
        i = (s.ply * 3 + n) % 6
        old = s.cells[i]
        new = {new}
        return Row(({cells}), s.ply + 1)

    def terminal(self, s):
        return s.ply == 7

    def utility(self, s):
        return 1.0 if s.ply % 2 else -1.0
"""
REPLACED = (
    "new if i == 0 else s.cells[0], new if i == 1 else s.cells[1], new if i == 2 else s.cells[2], new if i == 3 else"
    " s.cells[3], s.cells[4], s.cells[5]"
)
CELLS = {
    "letters beyond ASCII": ("('a',) * 6", "'\u00e9' if n else 'b'"),
    "letters, or None": ("(None,) * 6", "'x' if n else '\u00e9'"),
    "below 0, or None": ("(None,) * 6", "n - 1"),
    "large, or None": ("(None,) * 6", "n * 100 - 50"),
    "true, or None": ("(None,) * 6", "n == 1"),
    "members with large values": ("(Color.RED,) * 6", "Color.BLUE if n else Color.RED"),
    "texts of all lengths": ("('',) * 6", "old + 'x'"),
    "numbers beyond 64 bits": ("(1,) * 6", "old << 20"),
    "floats": ("(1.5,) * 6", "old * -0.5 if n else old * 0.0"),
    "dataclasses": ("(Stone('a'),) * 6", "Stone('b', n) if old < Stone('b', 1) else Stone('c')"),
}


@pytest.mark.parametrize(
    "kind",
    thinned(
        CELLS, ["letters, or None", "below 0, or None", "members with large values", "numbers beyond 64 bits", "floats"]
    ),
)
def test_cells_of_every_kind(kind: str, tmp_path: Path) -> None:
    first, new = CELLS[kind]
    path = tmp_path / "rows.py"
    path.write_text(RULES.format(first=first, new=new, cells=REPLACED))
    game, states = random_games(pf.load(str(path)), 4)
    alone = [s for s, _ in states]
    compare(game, states, zip(alone, reversed(alone), strict=True))


STRANGE = {"('a',) * 6": (0,) * 6, "(1,) * 6": (1, 1, 0.5, 1, 1, 1), "(None,) * 6": (True, None, 2, None, None, 0.25)}


@pytest.mark.parametrize("first", STRANGE)
def test_a_state_of_another_kind_is_not_cut_to_fit(first: str, tmp_path: Path) -> None:
    """Given by hand: 0.5 in a cell of whole numbers would be 0."""
    path = tmp_path / "rows.py"
    path.write_text(RULES.format(first=first, new="'b'" if "a" in first else "n", cells=REPLACED))
    game = pf.load(str(path))
    native = native_function(same, game, game.start())
    assert native(game, game.start()) == game.start()
    strange = type(game.start())(STRANGE[first], 0)
    with pytest.raises(Inexact, match="where all states before held something else"):
        native(game, strange)
    assert native(game, game.start()) == game.start()
