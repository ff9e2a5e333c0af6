"""What type checkers are told: rules that give lists keep the types of the contract."""

from __future__ import annotations

import collections.abc
import importlib.util
import subprocess
import sys
import typing
from pathlib import Path

import pytest

import plyforge as pf
from plyforge.contract import BoardView, Encoding, Game, Heuristics

LISTS = """
from typing import NamedTuple

import plyforge as pf


class Heap(NamedTuple):
    sticks: int


class Sticks(pf.Game):
    def start(self) -> Heap:
        return Heap(3)

    def actions(self, s: Heap) -> list[int]:
        return [1, 2]

    def chance(self, s: Heap) -> list[tuple[int, float]]:
        return [(1, 1.0)]

    def candidates(self, s: Heap) -> tuple[int, ...]:
        return (1,)


class Random(pf.Policy):
    def replies(self, game: pf.Game, s: Heap) -> list[tuple[int, float]]:
        return [(1, 1.0)]


value = pf.search(Sticks(), using="uct", rollout_depth=3).value
"""


LISTED = {
    Game: ("actions", "legal_actions", "chance"),
    Encoding: ("inputs",),
    BoardView: ("ways", "choice_ways"),
    Heuristics: ("tactical_actions", "sufficient_actions", "symmetries"),
}


@pytest.mark.parametrize(("owner", "name"), [(owner, name) for owner, names in LISTED.items() for name in names])
def test_what_rules_list_may_be_any_iterable(owner, name):
    given = typing.get_type_hints(getattr(owner, name))["return"]
    assert typing.get_origin(given) is collections.abc.Iterable


def test_the_package_says_that_it_has_types():
    assert (Path(pf.__file__).parent / "py.typed").is_file()


@pytest.mark.full
@pytest.mark.skipif(importlib.util.find_spec("mypy") is None, reason="mypy is not installed")
def test_rules_that_give_lists_pass_a_type_checker(tmp_path):
    file = tmp_path / "rules.py"
    file.write_text(LISTS)
    found = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--config-file=", "--follow-imports=silent", str(file)],
        cwd=tmp_path,
        env={"MYPYPATH": str(Path(pf.__file__).parents[1]), "PATH": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    assert found.returncode == 0, found.stdout + found.stderr
