"""Finding games: names, arguments, files, and files that change."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import plyforge as pf

RULES = """
import plyforge as pf
from helper import prize
class Prize(pf.Game):
    min_utility, max_utility = 0.0, 99.0
    def start(self): return 0
    def player(self, s): return 0
    def actions(self, s): yield 1
    def result(self, s, a): return s + 1
    def terminal(self, s): return s == 1
    def utility(self, s): return prize()
"""


def folder(path: Path, prize: float) -> Path:
    path.mkdir(exist_ok=True)
    (path / "rules.py").write_text(RULES)
    helper = path / "helper.py"
    helper.write_text(f"def prize():\n    return {prize}\n")
    os.utime(helper, ns=(int(prize * 1e15), int(prize * 1e15)))
    return path / "rules.py"


def value(path: Path) -> float:
    return pf.search(pf.load(path), using="minimax", native=False).value


def test_rules_of_two_folders_have_their_own_helpers(tmp_path):
    one, other = folder(tmp_path / "a", 3.0), folder(tmp_path / "b", 4.0)
    assert (value(one), value(other), value(one)) == (3.0, 4.0, 3.0)


def test_a_helper_that_was_edited_is_read_again(tmp_path):
    path = folder(tmp_path / "a", 3.0)
    assert value(path) == 3.0
    folder(tmp_path / "a", 5.0)
    assert value(path) == 5.0


def test_an_unchanged_file_is_the_same_game_each_time(tmp_path):
    path = folder(tmp_path / "a", 3.0)
    assert type(pf.load(path)) is type(pf.load(str(path)))


@pytest.mark.parametrize("spec", ["nim((1, 2, 3))", "nim(heaps=(1, 2, 3))", "nim(heaps=[1, 2, 3])"])
def test_arguments_are_given_by_place_or_by_name(spec):
    assert pf.load(spec) == pf.load("nim(heaps=(1, 2, 3))")


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("nosuch", "no game called 'nosuch'. There are"),
        ("a/folder", "no file a/folder"),
        ("connect4(1, 2, 3, True, 5)", "too many"),
        ("connect4(width=6", "the bracket after connect4 is not closed; write it like"),
        ("nim (heaps=(1, 2, 3)", "the bracket after nim is not closed"),
        ("rules.py(size=3", "the bracket after rules.py is not closed"),
        ("connect4(width=6) height=5", "can't be read: write it like"),
        ("no(such/rules.py", "no file no.such/rules.py"),
    ],
)
def test_what_cannot_be_found_is_named(spec, words):
    with pytest.raises(pf.GameNotFound, match=words):
        pf.load(spec)
