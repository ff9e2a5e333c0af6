"""The same seeds give the same games: games that were recorded before players and the referee's opponents became one.

PYTHONPATH=tests:tests/support python tests/play/test_same_games.py      writes the table anew
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import plyforge as pf
from plyforge.play import Match, SearchPlayer, TableMatch

KEPT = Path(__file__).with_name("same_games.json")
TABLES: dict[str, tuple[str, list[str]]] = {
    "simulations": ("tic_tac_toe", ["uct:simulations=40", "random:seed=3"]),
    "mixed": ("connect4", ["mixed:share=0.5,nodes=40,seed=5", "engine:nodes=60,seed=1"]),
    "three": ("three_nim", ["max_n:depth=2", "random:seed=8", "uct:simulations=20"]),
    "dice": ("pig(goal=20)", ["expectiminimax:depth=2", "random:seed=9"]),
    "model": ("tic_tac_toe", ["model:epsilon:0.3", "alpha_beta:depth=2"]),
    "hidden": ("kuhn_poker", ["is_mcts:simulations=30", "random"]),
    "at once": ("goofspiel(cards=3)", ["regret_matching:simulations=20", "random:seed=2"]),
    "resigning": ("tic_tac_toe", ["uct:simulations=300,resign=0.45", "alpha_beta:depth=9"]),
}
"""Played round a table, in this process, at a speed that compiles nothing."""


def of_table(name: str) -> Any:
    game, players = TABLES[name]
    more = {"rounds": 1, "opening_plies": 0} if len(players) > 2 else {"rounds": 2}
    standing = TableMatch(game, players, seed=4, native=False, **more).run()
    return [[list(played.seats), list(played.actions), list(played.payoffs)] for played in standing.games]


class Whole:
    """An object with choose(game, state) and no more."""

    def choose(self, game: pf.Game, state: Any) -> Any:
        return list(pf.legal_moves(game, state))[-1]


def of_objects() -> Any:
    """A match in this process: objects of all kinds against one that is text."""
    found = []
    searching = SearchPlayer("alpha_beta", depth=2, native=False, evaluate=lambda s: 0.0)
    for player in (Whole(), lambda state: pf.legal_moves(pf.load("tic_tac_toe"), state)[0], searching):
        standing = Match("tic_tac_toe", player, "random:seed=7", games=2, seed=3, native=False).run()
        found += [[game.first, list(game.actions), game.winner] for game in standing.games]
    return found


def in_a_process() -> Any:
    """A match whose games a worker plays."""
    standing = Match("tic_tac_toe", "uct:simulations=30", "random", games=4, seed=5, native=False, workers=1).run()
    return [[game.number, list(game.actions), game.winner] for game in sorted(standing.games, key=lambda g: g.number)]


KEPT_GAMES = json.loads(KEPT.read_text()) if KEPT.is_file() else {}


@pytest.mark.parametrize("name", TABLES)
def test_games_round_a_table_are_what_they_were(name: str) -> None:
    assert of_table(name) == KEPT_GAMES[name]


def test_objects_play_what_they_played() -> None:
    assert of_objects() == KEPT_GAMES["objects"]


def test_workers_play_what_they_played() -> None:
    assert in_a_process() == KEPT_GAMES["worker"]


if __name__ == "__main__":
    found = {name: of_table(name) for name in TABLES} | {"objects": of_objects(), "worker": in_a_process()}
    KEPT.write_text("{\n" + ",\n".join(f'"{name}": {json.dumps(games)}' for name, games in found.items()) + "\n}\n")
