"""`machine_words = True`: rules of somebody's own compiled as they are written, as Plyforge's own games are; both
speeds are compared all the same."""

from __future__ import annotations

from pathlib import Path

import pytest

import plyforge as pf
from conftest import compiles
from plyforge.check import check
from plyforge.kernel.compiling import compiler, rules_context
from plyforge.search import FellBack
from plyforge.search.protection import trust

pytestmark = compiles

BITS = '''
from typing import NamedTuple
import plyforge as pf

class S(NamedTuple):
    row: int
    ply: int

def marked(row, cell):
    return row >> cell & 1

class Bits(pf.Game):
    """Mark a cell that is not marked; whoever marks the last one wins."""
    {says}
    def start(self): return S(0, 0)
    def player(self, s): return s.ply % 2
    def actions(self, s):
        for cell in range({cells}):
            if not marked(s.row, cell):
                yield cell
    def result(self, s, cell): return S(s.row | 1 << cell + {shifted}, s.ply + 1)
    def terminal(self, s): return s.ply == {cells}
    def utility(self, s): return 1.0 if 1 << s.ply + {late} > 1 << 40 else -1.0

class More(Bits):
    """Inherits what it means."""

class Exact(Bits):
    """Means Python's numbers again."""
    machine_words = False
'''
SAYS = "machine_words = True"


def bits(
    folder: Path, says: str = SAYS, cells: int = 5, shifted: int = 0, late: int = 50, name: str = "Bits"
) -> pf.Game:
    path = folder / "bits.py"
    path.write_text(BITS.format(says=says, cells=cells, shifted=shifted, late=late))
    return pf.load(f"{path}:{name}")


@pytest.fixture
def translations(monkeypatch) -> list[str]:
    """The names of all functions that are translated meanwhile."""
    seen: list[str] = []
    before = rules_context.translated

    def watched(function, *more):
        seen.append(function.__name__)
        return before(function, *more)

    for module in (compiler, rules_context):
        monkeypatch.setattr(module, "translated", watched)
    return seen


def foreign(names: list[str]) -> set[str]:
    return set(names) & {"start", "player", "actions", "result", "terminal", "utility", "marked"}


@pytest.mark.parametrize("name", ["Bits", "More"])
def test_rules_that_say_so_are_not_translated_nor_are_their_helpers(name, tmp_path, translations):
    game = bits(tmp_path, name=name)
    assert game.machine_words
    assert rules_context.rules_context(game) is None
    found = pf.search(game, using="minimax", native=True)
    assert not foreign(translations)
    expected = pf.search(game, using="minimax", native=False)
    assert (found.value, found.nodes, found.values) == (expected.value, expected.nodes, expected.values)


@pytest.mark.parametrize(("says", "name"), [("", "Bits"), (SAYS, "Exact")])
def test_rules_that_do_not_are(says, name, tmp_path, translations):
    game = bits(tmp_path, says, name=name)
    assert not game.machine_words
    assert rules_context.rules_context(game) is not None
    pf.search(game, using="minimax", native=True)
    assert {"actions", "result", "terminal"} <= foreign(translations)


@pytest.mark.parametrize("using", ["alpha_beta", pytest.param("engine", marks=pytest.mark.full)])
def test_searches_find_them_the_same_at_both_speeds(using, tmp_path):
    game = bits(tmp_path, cells=4)
    found, expected = (pf.search(game, using=using, native=native) for native in (True, False))
    assert (found.value, found.action, found.nodes) == (expected.value, expected.action, expected.nodes)
    assert pf.perft(game, 4, native=True).nodes == 24


@pytest.mark.parametrize(("shifted", "late"), [(68, 50), pytest.param(0, 67, marks=pytest.mark.full)])
def test_a_shift_beyond_64_bits_is_unchecked_but_caught_by_check(shifted, late, tmp_path):
    report = check(bits(tmp_path, cells=3, shifted=shifted, late=late))
    assert [violation.law for violation in report.violations] == ["compiled equals interpreted"]


@pytest.mark.full
def test_lawful_ones_pass(tmp_path):
    assert check(bits(tmp_path, cells=3)).ok


@pytest.mark.full
def test_and_a_search_does_not_trust_it(tmp_path, monkeypatch):
    monkeypatch.setenv("PLYFORGE_TRIALS", "1")
    monkeypatch.setenv("PLYFORGE_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(trust, "_known", {})
    game = bits(tmp_path, cells=3, shifted=68)
    expected = pf.search(game, using="minimax", native=False)
    with pytest.warns(FellBack, match="tried beside the interpreted rules"):
        found = pf.search(game, using="minimax")
    assert not found.native
    assert found.value == expected.value
