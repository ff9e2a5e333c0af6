"""Solved games on small boards, by the size of the board."""

from __future__ import annotations

KALAH = {
    (1, 1): 0, (1, 2): -2, (1, 3): 6, (1, 4): -2, (1, 5): 2, (1, 6): 0, (2, 1): 2, (2, 2): -2,
    (2, 3): -2, (2, 4): -10, (2, 5): 6, (2, 6): 8, (3, 1): 0, (3, 2): 4, (3, 3): 2, (4, 1): 2,
    (4, 2): 6,
}  # fmt: skip
"""By houses and seeds: the first player's margin; a last seed in an empty house captures."""

DOTS_AND_BOXES = {
    (1, 1): -1, (1, 2): 0, (1, 3): -1, (1, 4): 0, (1, 5): -1, (2, 2): 2, (2, 3): -2, (2, 4): 2,
    (3, 3): -3,
}  # fmt: skip
"""By rows and columns of boxes: the first player's boxes minus the second's."""

HEXAPAWN = {
    (3, 1): "F", (3, 2): "S", (3, 3): "S", (3, 4): "F", (3, 5): "F", (4, 1): "S", (4, 2): "S", (4, 3): "S",
    (4, 4): "F", (4, 5): "S", (5, 1): "F", (5, 2): "S", (5, 3): "F", (5, 4): "S", (5, 5): "F",
}  # fmt: skip
"""By rows and columns: who wins, the First player or the Second; who can't move has lost."""

IN_A_ROW = {
    (3, 3, 3): "draw", (3, 4, 3): "first", (4, 4, 3): "first", (3, 5, 4): "draw", (4, 4, 4): "draw",
}  # fmt: skip
"""By columns, rows and how many make a line."""

DOMINEERING = {
    (1, 1): "P", (2, 2): "N", (2, 3): "N", (2, 4): "H", (2, 5): "V", (3, 2): "N", (3, 3): "N", (3, 4): "H",
    (3, 5): "H", (4, 2): "V", (4, 3): "V", (4, 4): "N", (4, 5): "V", (5, 2): "H", (5, 3): "V", (5, 4): "H",
    (5, 5): "P",
}  # fmt: skip
"""By rows and columns: Vertical or Horizontal wins whoever begins, or the Next player does, or the Previous one."""

HEX_WINNING_FIRST_MOVES = {2: ".WW.", 3: "..WWWWW..", 4: "...W..W..W..W..."}
"""By size: the cells row by row, with W on those that win."""
