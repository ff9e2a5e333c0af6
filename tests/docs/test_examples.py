"""The example files do what they say."""

from __future__ import annotations

import subprocess
import sys

import paths
import plyforge as pf
from plyforge.check import check

EXAMPLES = paths.EXAMPLES


def test_the_example_game_is_lawful_and_won_by_the_first_player():
    game = pf.load(str(EXAMPLES / "sticks.py"))
    assert check(game, native=False).ok
    found = pf.search(game, using="minimax", state=pf.parse_state(game, "(9, 0)"), native=False)
    assert (found.value, found.best) == (1.0, (1,))


def test_the_watching_example_tells_of_the_one_cut():
    program = [sys.executable, str(EXAMPLES / "watch_a_search.py")]
    text = subprocess.run(program, capture_output=True, text=True, check=True).stdout
    assert text.count("cut after 1 actions: 2 is outside (3, inf)") == 1
    assert text.splitlines()[-1] == "value 3, 11 nodes"
