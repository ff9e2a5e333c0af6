"""Tablut on 9x9, the tafl game that Linnaeus saw in Lapland.

The rules here: the attackers (MAX) begin. All pieces move like rooks. Only the king may stop on the throne, the cell in
the centre, but anybody may pass over it when it is empty. A piece other than the king is taken when the other side
moves so that it stands between two of that side's pieces in a row or a column, or between one of them and the empty
throne. The king takes part in captures. The king is taken when attackers stand on all four sides of him; the
throne counts as an attacker when he stands next to it. He is safe at an edge, as reaching it wins at once.
Moving between two enemies is no capture. Who can't move has lost. After 100 plies the game is a draw.
"""

from typing import NamedTuple

import plyforge as pf
from plyforge.contract import Notation

SIZE = 9
EMPTY, ATTACKER, DEFENDER, KING = 0, 1, 2, 3
THRONE = (4, 4)
LIMIT = 100
DIRECTIONS = [(1, 0), (-1, 0), (0, 1), (0, -1)]
PICTURE = """
...aaa...
....a....
....d....
a...d...a
aaddkddaa
a...d...a
....d....
....a....
...aaa...
"""


class State(NamedTuple):
    board: tuple[tuple[int, ...], ...]
    player: int
    plies: int


def inside(r, c):
    return 0 <= r < SIZE and 0 <= c < SIZE


def owner(piece):
    return pf.MAX if piece == ATTACKER else pf.MIN


def find_king(board):
    for r in range(SIZE):
        for c in range(SIZE):
            if board[r][c] == KING:
                return r, c
    return None


def hostile(board, r, c, player):
    """Does this cell help `player` to take something next to it?"""
    if not inside(r, c):
        return False
    if board[r][c] == EMPTY:
        return (r, c) == THRONE
    return owner(board[r][c]) == player


class Tablut(pf.Game):
    notation = Notation(player_names=("Attackers", "Defenders"))

    def start(self):
        rows = PICTURE.split()
        return State(tuple(tuple(".adk".index(letter) for letter in row) for row in rows), pf.MAX, 0)

    def player(self, s):
        return s.player

    def actions(self, s):
        moves = []
        for r in range(SIZE):
            for c in range(SIZE):
                piece = s.board[r][c]
                if piece == EMPTY or owner(piece) != s.player:
                    continue
                for dr, dc in DIRECTIONS:
                    i, j = r + dr, c + dc
                    while inside(i, j) and s.board[i][j] == EMPTY:
                        if piece == KING or (i, j) != THRONE:
                            moves.append(((r, c), (i, j)))
                        i, j = i + dr, j + dc
        return moves

    def result(self, s, move):
        (r, c), (i, j) = move
        board = [list(row) for row in s.board]
        board[i][j] = board[r][c]
        board[r][c] = EMPTY
        for dr, dc in DIRECTIONS:
            a, b = i + dr, j + dc
            if not inside(a, b) or board[a][b] == EMPTY or owner(board[a][b]) == s.player:
                continue
            if board[a][b] == KING:
                taken = all(hostile(board, a + x, b + y, pf.MAX) for x, y in DIRECTIONS)
            else:
                taken = hostile(board, a + dr, b + dc, s.player)
            if taken:
                board[a][b] = EMPTY
        return State(tuple(tuple(row) for row in board), 1 - s.player, s.plies + 1)

    def terminal(self, s):
        king = find_king(s.board)
        if king is None or 0 in king or SIZE - 1 in king:
            return True
        return s.plies >= LIMIT or not self.actions(s)

    def utility(self, s):
        king = find_king(s.board)
        if king is None:
            return 1.0
        if 0 in king or SIZE - 1 in king:
            return -1.0
        if not self.actions(s):
            return -1.0 if s.player == pf.MAX else 1.0
        return 0.0

    def show(self, s):
        return "\n".join("".join(".adk"[piece] for piece in row) for row in s.board)
