"""Gomoku on 9x9 with captures, as in Pente: a pair of stones between two of the other's is taken off the board."""

from typing import NamedTuple

from plyforge import MAX, MIN, Game

SIZE = 9
PAIRS_TO_WIN = 5
LINES = [(0, 1), (1, 0), (1, 1), (1, -1)]
ALL_DIRECTIONS = [(dr, dc) for dr in (-1, 0, 1) for dc in (-1, 0, 1) if (dr, dc) != (0, 0)]


class State(NamedTuple):
    board: tuple[tuple[int, ...], ...]  # rows of cells: 0 empty, 1 a stone of MAX, 2 a stone of MIN
    pairs: tuple[int, int]  # how many pairs each of the two has captured
    player: int


def inside(row, column):
    return 0 <= row < SIZE and 0 <= column < SIZE


def five_from(board, row, column, dr, dc):
    """Are there five of a kind in a row, the first of them here?"""
    stone = board[row][column]
    for i in range(1, 5):
        r, c = row + i * dr, column + i * dc
        if not inside(r, c) or board[r][c] != stone:
            return False
    return True


def has_five(board, stone):
    for row in range(SIZE):
        for column in range(SIZE):
            if board[row][column] == stone:
                if any(five_from(board, row, column, dr, dc) for dr, dc in LINES):
                    return True
    return False


def won(s, player):
    return s.pairs[player] >= PAIRS_TO_WIN or has_five(s.board, player + 1)


class GomokuCaptures(Game):
    """Five in a row or five captured pairs win; a full board is a draw."""

    def start(self):
        return State(((0,) * SIZE,) * SIZE, (0, 0), MAX)

    def player(self, s):
        return s.player

    def actions(self, s):
        return [(row, column) for row in range(SIZE) for column in range(SIZE) if s.board[row][column] == 0]

    def result(self, s, action):
        row, column = action
        mine, theirs = s.player + 1, 2 - s.player
        board = [list(line) for line in s.board]
        board[row][column] = mine
        captured = 0
        for dr, dc in ALL_DIRECTIONS:
            if not inside(row + 3 * dr, column + 3 * dc):
                continue
            cells = [(row + i * dr, column + i * dc) for i in (1, 2, 3)]
            if [board[r][c] for r, c in cells] == [theirs, theirs, mine]:
                for r, c in cells[:2]:
                    board[r][c] = 0
                captured += 1
        pairs = list(s.pairs)
        pairs[s.player] += captured
        return State(tuple(tuple(line) for line in board), tuple(pairs), 1 - s.player)

    def terminal(self, s):
        if won(s, MAX) or won(s, MIN):
            return True
        return all(cell != 0 for row in s.board for cell in row)

    def utility(self, s):
        if won(s, MAX):
            return 1.0
        if won(s, MIN):
            return -1.0
        return 0.0

    def show(self, s):
        picture = "\n".join(" ".join(".XO"[cell] for cell in row) for row in s.board)
        return f"{picture}\ncaptured pairs: X {s.pairs[0]}, O {s.pairs[1]}"
