"""All that keeps rules from being compiled is told at once, each with its line and what to write instead."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import plyforge as pf
from conftest import compiles
from plyforge.search import FellBack

RULES = """from typing import NamedTuple
import plyforge as pf


class Heap(NamedTuple):
    sticks: int
    {field}


def helper(n):
    try:
        return n + 1
    except OverflowError:
        return n


class Sticks(pf.Game):
    def start(self):
        return Heap(7, {value})

    def player(self, s):
        words = {{"who": s.rest % 2}}
        with open("nowhere") if s.sticks < 0 else memoryview(b"") as nothing:
            pass
        return words["who"]

    def actions(self, s):
        for n in (1, 2):
            if n <= s.sticks:
                text = f"{{n}}"
                yield n

    def result(self, s, n):
        return Heap(helper(s.sticks - n) - 1, s.rest + 1)

    def terminal(self, s):
        return s.sticks == 0

    def utility(self, s):
        won = "".join(["1"]) == "1"
        return 1.0 if won and s.rest % 2 else -1.0
"""
OBSTACLES = {
    "words = ": "Sticks.player: it builds a dict",
    "with open": "Sticks.player: it uses `with`",
    "text = ": "Sticks.actions: it works with text",
    "try:": "Sticks.result: it uses try/except",
}
"""Lines of the file, and what is said of them."""


def told(rules: str, message: str) -> list[str]:
    """The obstacles that a message does not tell."""
    missing = []
    for text, words in OBSTACLES.items():
        line = next(i for i, each in enumerate(rules.splitlines(), 1) if text in each)
        function, _, why = words.partition(": ")
        wanted = f"{function} (sticks.py, line {line})"
        if not any(wanted in each and why in each for each in message.splitlines()):
            missing.append(wanted)
    return missing


def load(folder: Path, field: str = "rest: int = 0", value: str = "0", rules: str = RULES) -> pf.Game:
    path = folder / "sticks.py"
    path.write_text(rules.format(field=field, value=value))
    return pf.load(str(path))


@compiles
def test_all_obstacles_are_told_at_once(tmp_path: Path) -> None:
    game = load(tmp_path)
    with pytest.raises(pf.CannotCompile) as refusal:
        pf.search(game, native=True, depth=2)
    message = str(refusal.value)
    lines = message.splitlines()
    assert not told(RULES, message), message
    assert len(lines) == len(set(lines)) == 5, message
    assert re.match(r"Sticks.player .* can't be compiled: it builds a dict", lines[0]), message
    with pytest.warns(FellBack, match="(?s)Sticks.player.*also Sticks.utility.*also Sticks.result"):
        assert not pf.search(game, depth=2).native


@compiles
def test_checking_a_file_tells_all_of_them(tmp_path: Path) -> None:
    report = str(pf.check(load(tmp_path), states=20))
    assert not told(RULES, report), report


@compiles
def test_states_without_a_compiled_form_hide_nothing(tmp_path: Path) -> None:
    rules = RULES.replace("s.rest + 1)", "s.rest, s.other)").replace("s.rest % 2", "len(s.rest)")
    game = load(tmp_path, "rest: list; other: dict = None", "[], {}", rules)
    with pytest.raises(pf.CannotCompile) as refusal:
        pf.search(game, native=True, depth=2)
    message = str(refusal.value)
    assert "the field 'rest' of Heap is a list" in message and "the field 'other' of Heap is a dict" in message
    assert not told(rules, message), message


@compiles
def test_of_many_obstacles_some_are_told_and_the_others_counted(tmp_path: Path) -> None:
    many = "\n".join(f"        a{i} = {{{{1: s.rest + {i}}}}}" for i in range(12))
    rules = RULES.replace("        words =", f"{many}\n        words =")
    with pytest.raises(pf.CannotCompile) as refusal:
        pf.search(load(tmp_path, rules=rules), native=True, depth=2)
    lines = str(refusal.value).splitlines()
    assert len(lines) == 9 and lines[-1] == "  and 9 more", lines
