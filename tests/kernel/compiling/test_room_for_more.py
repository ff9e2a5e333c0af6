"""What was seen in random games is a guess: where a state holds more, compiled code stops, says so, and has more
room from then on."""

from __future__ import annotations

import warnings
from pathlib import Path

import pytest

import plyforge as pf
from conftest import compiles, thinned
from plyforge.search import FellBack

RULES = '''
from typing import NamedTuple
import plyforge as pf

class Row(NamedTuple):
    {field}
    ply: int

class Rows(pf.Game):
    """Add to a row in turn; a third action at the start is only taken by whoever looks for it."""

    def start(self):
        return Row({start}, 0)

    def player(self, s):
        return s.ply % 2

    def actions(self, s):
        yield 1
        yield 2

    def result(self, s, n):
        return Row({more}, s.ply + 1)

    def terminal(self, s):
        return s.ply == {plies}

    def utility(self, s):
        return {worth}
'''
KINDS = {
    "text": {
        "field": "row: str",
        "start": "'a'",
        "more": "s.row + ('b' if n == 1 else 'ab')",
        "worth": "s.row.count('ba') / 100",
    },
    "tuple": {
        "field": "row: tuple",
        "start": "()",
        "more": "s.row + (n,) if n == 1 else s.row + (n, s.ply)",
        "worth": "sum(s.row) / 1000",
    },
    "cells": {
        "field": "row: tuple",
        "start": "(None, None)",
        "more": "(n, s.row[0]) if s.ply < 90 else (s.ply, None)",
        "worth": "0.5 if s.row[1] is None else s.row[0] / 1000",
    },
}
LONGER = {"text": ("ab" * 60, 2), "tuple": ((1, 2) * 60, 2), "cells": ((3, 1), 89)}


def load(folder: Path, kind: str) -> pf.Game:
    path = folder / "rows.py"
    path.write_text(RULES.format(**KINDS[kind], plies=95 if kind == "cells" else 4))
    return pf.load(str(path))


@compiles
@pytest.mark.parametrize("kind", thinned(KINDS, ("text",)))
def test_more_than_was_seen_is_searched_all_the_same(kind: str, tmp_path: Path) -> None:
    game = load(tmp_path, kind)
    row, ply = LONGER[kind]
    state = type(game.start())(row, ply)
    expected = pf.search(game, state, depth=3, using="minimax", native=False)
    assert pf.search(game, depth=3, using="minimax", native=True).native
    for _ in range(4):  # each time more room, until there is enough
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FellBack)
            found = pf.search(game, state, depth=3, using="minimax")
        assert (found.value, found.values, found.nodes) == (expected.value, expected.values, expected.nodes)
    assert found.native
