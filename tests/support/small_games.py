"""Each game of the catalogue in a small form: how deep to search it, and moves to a state on the way."""

from __future__ import annotations

# Kernels are compiled for each game with its parameters: those of the README and of the signature are there anyway.
SMALL = {
    "backgammon": ("backgammon", 2, ["X31"]),
    "backgammon_match": ("backgammon_match(points=3)", 2, ["X31", "8/5 6/5", "double"]),
    "checkers": ("checkers", 4, ["11-15", "22-18"]),
    "chess": ("chess", 2, ["e4", "e5"]),
    "chinese_checkers": ("chinese_checkers", 3, ["a1-c3", "g7-e5"]),
    "connect4": ("connect4", 5, ["1", "2", "2"]),
    "domineering": ("domineering(rows=3, columns=4)", 5, ["a1-a2"]),
    "dots_and_boxes": ("dots_and_boxes(rows=1, columns=2)", 5, []),
    "go": ("go(size=3, komi=0, margin=True)", 2, ["B2", "A1"]),
    "goofspiel": ("goofspiel(cards=2)", None, []),
    "hex": ("hex(size=3, swap=True)", 4, ["b2", "swap"]),
    "hexapawn": ("hexapawn(width=3, height=4)", 6, []),
    "kalah": ("kalah(houses=3, seeds=2)", 5, []),
    "kuhn_poker": ("kuhn_poker", None, []),
    "matrix": ("matrix", None, []),
    "mnk": ("mnk(columns=4, rows=3, connect=3)", 4, []),
    "nim": ("nim(heaps=(2, 3, 2))", 6, []),
    "othello": ("othello(size=6)", 3, ["c2", "b2", "a2"]),
    "pacman": ("pacman(maze='ring')", 6, ["wait", "north", "north"]),
    "pacman_rivals": ("pacman_rivals(maze='ring')", 4, ["wait", "north", "north"]),
    "pig": ("pig(goal=10)", 5, []),
    "pursuit": ("pursuit(steps=2)", None, []),
    "random_tree": ("random_tree(depth=5, branching=3, seed=3)", None, []),
    "repeated_prisoners_dilemma": ("repeated_prisoners_dilemma(rounds=2)", None, []),
    "slider": ("slider", 5, []),
    "slippery": ("slippery(battery=5)", 6, []),
    "three_mens_morris": ("three_mens_morris", 4, []),
    "three_nim": ("three_nim(sticks=9)", None, []),
    "tic_tac_toe": ("tic_tac_toe", 5, ["5", "1"]),
    "tree": ("tree([[3, 12, 8], [2, 4, 6], [14, 5, 2]])", None, []),
}
