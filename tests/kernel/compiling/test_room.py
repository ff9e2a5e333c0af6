"""Numbers that outgrow what compiled code gave them: compiled anew with more room, with the same answers, and
remembered."""

from __future__ import annotations

import json
import random

import pytest

import plyforge as pf
from conftest import compiles, thinned
from plyforge.kernel.compiling.room import CELL, CONSTANT, FIELD, PRODUCT, SUM, Room
from plyforge.search import FellBack
from plyforge.search.mcts import Uct

HEAD = "from typing import NamedTuple\nimport plyforge as pf\nclass S(NamedTuple):\n    number: int\n    ply: int\n"


def game_of(folder, name, start, result, utility):
    """A game of numbers: three actions, six plies."""
    path = folder / f"{name.lower()}.py"
    path.write_text(
        HEAD + f"class {name}(pf.Game):\n"
        f"    def start(self): return S({start}, 0)\n"
        "    def player(self, s): return s.ply % 2\n"
        "    def actions(self, s): return (1, 2, 3)\n"
        f"    def result(self, s, a): return S({result}, s.ply + 1)\n"
        "    def terminal(self, s): return s.ply == 6\n"
        f"    def utility(self, s): return {utility}\n"
    )
    return pf.load(str(path))


GROWING = {
    "Product": ("3", "(s.number * (2**62 - 57) + a) % (2**61 - 1)", "s.number % 7 - 3"),
    "Power": ("3", "(s.number + a) ** 11 % 1000003", "s.number % 7 - 3"),
    "Sums": ("2**62 - 3", "(s.number + s.number + a) // 2 % 2**62", "s.number % 7 - 3"),
    "Constant": ("3", "(s.number + a) % (2**70 + 1)", "s.number % 7 - 3"),
}


def test_each_complaint_gets_what_it_needs_and_no_more() -> None:
    assert Room().after(f"a cell of 2 bits {CELL}") == Room(cells=16)
    assert Room(cells=16).after(CELL) == Room(cells=64)
    assert Room().after(PRODUCT) == Room().after(CONSTANT) == Room(growth=1)
    assert Room(growth=1).after(SUM) == Room().after(SUM) == Room(growth=2)
    assert Room().after(FIELD) == Room(fields=True)
    for full in (CELL, PRODUCT, SUM, FIELD, CONSTANT, "index out of range"):
        assert Room(64, 2, True).after(full) is None


@compiles
@pytest.mark.parametrize("name", thinned(GROWING, ("Sums",)))
def test_numbers_that_outgrow_64_bits_are_compiled_anew(name, tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("PLYFORGE_CACHE_DIR", str(tmp_path / "cache"))
    game = game_of(tmp_path, name, *GROWING[name])
    slow = pf.search(game, using="minimax", native=False)
    fast = pf.search(game, using="minimax", native=True)
    assert fast.native and (fast.value, fast.values, fast.nodes) == (slow.value, slow.values, slow.nodes)
    tree = pf.search(game, using="uct", simulations=200)
    assert tree.native and tree.values == pf.search(game, using="uct", simulations=200, native=False).values
    (kept,) = (tmp_path / "cache" / "plyforge-kernels").glob("room-*.json")
    assert json.loads(kept.read_text())["growth"] == (2 if name == "Sums" else 1)


@compiles
def test_a_tree_whose_compiled_code_stops_goes_on_interpreted(tmp_path) -> None:
    """Beyond 256 bits nothing helps. The tree of a player is searched again and again: it must not stop with it."""
    game = game_of(tmp_path, "Beyond", "3", "s.number ** (60 * a) % 1000003 + s.ply", "s.number % 7 - 3")
    searcher = Uct(simulations=100).start(game)
    with pytest.warns(FellBack, match="left 256 bits"):
        first = searcher.think()
    assert not first.native and first.simulations == 100
    after = searcher.think(game.result(game.start(), 1))
    assert not after.native and after.value == pf.search(game, after.state, native=False).value


@compiles
def test_long_division_is_pythons() -> None:
    from numba import njit

    from plyforge.kernel.exact.numbers import arithmetic
    from plyforge.kernel.exact.numbers.wide_kind import wide

    @njit
    def divide(a, b):
        return arithmetic.floordiv(a, b), arithmetic.mod(a, b)

    divide.compile((wide, wide))
    entry = divide.overloads[wide, wide].entry_point
    draw = random.Random(20)
    for _ in range(20_000):
        a, b = (draw.getrandbits(draw.randrange(1, 255)) * draw.choice((1, -1)) for _ in range(2))
        if b:
            assert entry(a, b) == divmod(a, b)
    with pytest.raises(ZeroDivisionError):
        entry(1 << 100, 0)
