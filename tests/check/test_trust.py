"""Compiled code of somebody's own rules is tried before it is used; where it stops or differs, the answer is the
interpreted one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import plyforge as pf
from conftest import compiles
from plyforge.check.trial import trial
from plyforge.check.trial.trial import Verdict
from plyforge.search import FellBack
from plyforge.search.protection import trust

GROWING = '''
from typing import NamedTuple
import plyforge as pf

class S(NamedTuple):
    n: int
    ply: int

class Growing(pf.Game):
    """Double or add one; after {plies} plies the last digit decides. Late in the game numbers leave 64 bits."""
    def start(self): return S({start}, 0)
    def player(self, s): return s.ply % 2
    def actions(self, s): return [0, 1]
    def result(self, s, a):
        return S((s.n * {factor} if a == 0 else s.n + 1) % {modulus}, s.ply + 1)
    def terminal(self, s): return s.ply == {plies}
    def utility(self, s): return 1.0 if s.n % 10 > 4 else -1.0
'''


def growing(folder: Path, start: int, factor: int, plies: int, modulus: str = "10 ** 18") -> pf.Game:
    path = folder / "growing.py"
    path.write_text(GROWING.format(start=start, factor=factor, plies=plies, modulus=modulus))
    return pf.load(str(path))


@pytest.fixture
def trials(monkeypatch, tmp_path):
    monkeypatch.setenv("PLYFORGE_TRIALS", "1")
    monkeypatch.setenv("PLYFORGE_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(trust, "_known", {})


@compiles
def test_a_product_beyond_256_bits_is_the_interpreted_answer_with_a_warning(tmp_path):
    game = growing(tmp_path, 3, 10**72, 6, "(10 ** 18 + 9)")
    expected = pf.search(game, native=False)
    with pytest.warns(FellBack, match=r"left 256 bits \(growing.py, line 15\)"):
        found = pf.search(game)
    assert not found.native
    assert (found.value, found.action, found.nodes, found.values) == (
        expected.value,
        expected.action,
        expected.nodes,
        expected.values,
    )
    with pytest.raises(pf.CannotCompile, match="left 256 bits"):
        pf.search(growing(tmp_path, 4, 10**72, 6, "(10 ** 18 + 9)"), native=True)


@compiles
def test_perft_goes_on_interpreted_too(tmp_path):
    game = growing(tmp_path, 5, 10**72, 6, "(10 ** 18 + 9)")
    with pytest.warns(FellBack, match="left 256 bits"):
        assert pf.perft(game, 6).nodes == 64


@compiles
def test_a_cell_that_was_too_small_is_compiled_anew_with_more_room(tmp_path):
    path = tmp_path / "late.py"
    path.write_text(
        "from typing import NamedTuple\nimport plyforge as pf\n"
        "class S(NamedTuple):\n    cells: tuple\n    ply: int\n"
        "class Late(pf.Game):\n"
        "    def start(self): return S((0,) * 8, 0)\n"
        "    def player(self, s): return s.ply % 2\n"
        "    def actions(self, s): return range(8)\n"
        "    def result(self, s, a):\n"
        "        new = list(s.cells)\n"
        "        new[a] = 700 if s.cells == (0, 1, 0, 1, 0, 1, 0, 1) else 1 - new[a]\n"
        "        return S(tuple(new), s.ply + 1)\n"
        "    def terminal(self, s): return s.ply == 9 or 700 in s.cells\n"
        "    def utility(self, s): return 1.0 if 700 in s.cells else 0.0\n"
    )
    game = pf.load(str(path))
    near = game.start()._replace(cells=(0, 1, 0, 1, 0, 1, 0, 0))
    expected = pf.search(game, near, depth=3, native=False)
    found = pf.search(game, near, depth=3)
    assert found.native and found.value == expected.value == 1.0 and found.nodes == expected.nodes


@compiles
def test_a_verdict_against_compiled_code_is_kept_and_read_again(tmp_path, trials, monkeypatch):
    asked = []

    def differs(game, *args, **more):
        asked.append(game)
        return Verdict(False, True, "player gives something else compiled than interpreted", "differs")

    monkeypatch.setattr(trial, "compare_in_child", differs)
    game = growing(tmp_path, 7, 3, 4)
    with pytest.warns(FellBack, match="player gives something else"):
        assert not pf.search(game).native
    (kept,) = (tmp_path / "cache" / "plyforge-kernels").glob("verdict-*.json")
    assert "something else" in json.loads(kept.read_text())["doubt"]
    trust._known.clear()
    with pytest.raises(pf.CannotCompile, match="player gives something else"):
        trust.require_equal(game)
    assert len(asked) == 1
    kept.write_text("{ not json")
    trust._known.clear()
    with pytest.raises(pf.CannotCompile):
        trust.require_equal(game)
    assert len(asked) == 2


@compiles
def test_rules_that_are_equal_at_both_speeds_are_trusted_after_a_real_trial(tmp_path, trials):
    found = pf.search(growing(tmp_path, 9, 3, 4))
    assert found.native
    (kept,) = (tmp_path / "cache" / "plyforge-kernels").glob("verdict-*.json")
    assert json.loads(kept.read_text()) == {"doubt": ""}
