"""Companions of rules of one's own: heuristics and history with boards of letters, lists, helpers and constants."""

from typing import NamedTuple

import plyforge as pf
from plyforge.contract import Heuristics, HistoryRules


class State(NamedTuple):
    board: tuple
    player: int


LINES = [(i, i + 1) for i in range(8)]


class Hints(Heuristics):
    BONUS = 3

    def ordering(self, game, s, cell):
        near = [s.board[i] for i in (cell - 1, cell + 1) if 0 <= i < len(s.board)]
        return 1.0 + self.BONUS * near.count(game.piece(s)) + self.middle(cell)

    def prior(self, game, s, cell):
        return 0.5 + self.middle(cell)

    def is_tactical(self, game, s, cell):
        return game.terminal(game.result(s, cell))

    def middle(self, cell):
        return 1 if cell in (3, 4, 5) else 0

    def symmetries(self, game, s):
        yield State(tuple(reversed(s.board)), s.player)

    def plies_left(self, game, s):
        return s.board.count(".")

    def bounds(self, game, s):
        if any(
            s.board[a] == game.piece(s) and s.board[b] == "." or s.board[b] == game.piece(s) and s.board[a] == "."
            for a, b in LINES
        ):
            return (1.0, 1.0) if s.player == pf.MAX else (-1.0, -1.0)
        return (-1.0, 1.0)

    def sufficient_actions(self, game, s):
        wins = [c for c in game.actions(s) if game.terminal(game.result(s, c)) and game.utility(game.result(s, c)) != 0]
        return wins or list(game.actions(s))

    def null_move(self, game, s):
        return s._replace(player=1 - s.player)


class NoDraws(HistoryRules):
    def reversible_plies(self, game, s):
        return 0


class Row(pf.Game):
    heuristics = Hints()
    history = NoDraws()

    def piece(self, s):
        return "x" if s.player == pf.MAX else "o"

    def start(self):
        return State((".",) * 9, pf.MAX)

    def player(self, s):
        return s.player

    def actions(self, s):
        return [i for i, c in enumerate(s.board) if c == "."]

    def result(self, s, i):
        new = list(s.board)
        new[i] = self.piece(s)
        return State(tuple(new), 1 - s.player)

    def won(self, s, p):
        return any(s.board[a] == s.board[b] == p for a, b in LINES)

    def terminal(self, s):
        return self.won(s, "x") or self.won(s, "o") or "." not in s.board

    def utility(self, s):
        return 1.0 if self.won(s, "x") else -1.0 if self.won(s, "o") else 0.0
