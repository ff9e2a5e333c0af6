"""The contract stays small: what a newcomer reads fits on a few screens."""

from __future__ import annotations

import inspect
from pathlib import Path

from plyforge.contract import Game

LINES, MEMBERS = 200, 30


def test_game_is_read_in_a_minute() -> None:
    lines = Path(inspect.getfile(Game)).read_text(encoding="utf-8").splitlines()
    assert len(lines) <= LINES
    members = [name for name in vars(Game) if not name.startswith("_")]
    assert len(members) <= MEMBERS, members


def test_a_whole_game_is_in_its_docstring() -> None:
    text = inspect.getdoc(Game) or ""
    for function in ("start", "player", "actions", "result", "terminal", "utility"):
        assert f"def {function}(self" in text
