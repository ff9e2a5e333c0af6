"""MyGame: a row of cells. Three players mark one in turn; whoever has two side by side first has won.

This file runs as it is. Change it, a function at a time, into your own game, and ask after each change:

    plyforge check my_game.py       are these rules a lawful game? if not, what is wrong?
    plyforge play my_game.py        play against the engine, in the terminal
    plyforge studio my_game.py      play and analyse in a browser
"""

from dataclasses import dataclass
from typing import NamedTuple

from plyforge import BoardView, Game, Notation
from plyforge.board import Board, Piece, Place


class State(NamedTuple):
    """All that the rest of the game depends on, and nothing else. Numbers and tuples of numbers compile to machine
    code."""

    cells: int  # the whole row in one number, two bits for each cell: 0 empty, 1 to 3 somebody's
    player: int  # who moves: 0, 1 or 2


class MyGameNotation(Notation):
    """What people call the players, and how they write actions."""

    player_names = ("A", "B", "C")

    def format_action(self, game, s, cell):
        """An action as it is typed and shown: people count from 1."""
        return str(cell + 1)


class MyGameView(BoardView):
    """A picture to point at."""

    def board(self, game, s):
        """A picture for the studio: which places there are, and what stands on them."""
        marks = [game.mark(s, cell) for cell in range(game.length)]
        places = [Place(str(cell + 1), x=cell, y=0) for cell in range(game.length)]
        pieces = [Piece(str(cell + 1), "disc", owner=mark - 1) for cell, mark in enumerate(marks) if mark]
        return Board(places, pieces)

    def ways(self, game, s, cell):
        """Where to point for an action: names of places, in order. Two of them would be from, to."""
        yield (str(cell + 1),)


@dataclass(frozen=True)
class MyGame(Game):
    """Two side by side, for three."""

    notation = MyGameNotation()
    view = MyGameView()

    # Parameters, with their defaults. Others are given like this: plyforge play "my_game.py(length=9)"
    length: int = 7  # how many cells there are, at most 31
    line: int = 2  # so many side by side win

    # What the game is.
    players = 3
    min_utility = 0.0  # no player ever gets less than this
    max_utility = 1.0  # nor more than this
    utility_sum = 1.0  # what all of them get together at every end; None if that differs from end to end

    # ------------------------------------------------------------ the six functions
    def start(self):
        """The state in which the game begins."""
        return State(0, 0)

    def player(self, s):
        """Who moves: 0, 1 or 2. The same player may move twice: whatever you say here is so."""
        return s.player

    def actions(self, s):
        """All that the player can do, each once, always in the same order. Here an action is the number of a cell."""
        for cell in range(self.length):
            if self.mark(s, cell) == 0:
                yield cell

    def result(self, s, cell):
        """The state after an action: a new one, as `s` itself must stay what it is."""
        mark = s.player + 1
        return State(s.cells + (mark << 2 * cell), (s.player + 1) % 3)

    def terminal(self, s):
        """Is the game over? The functions above are not asked where it is."""
        return self.has_line(s, 1) or self.has_line(s, 2) or self.has_line(s, 3) or self.full(s)

    def utility(self, s):
        """What the end is worth to each player, in their order."""
        if self.has_line(s, 1):
            return (1.0, 0.0, 0.0)
        if self.has_line(s, 2):
            return (0.0, 1.0, 0.0)
        if self.has_line(s, 3):
            return (0.0, 0.0, 1.0)
        return (1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0)

    # ------------------------------------------------------------ helpers of this game: as many as you like
    def mark(self, s, cell):
        """What is on a cell: 0 nothing, 1, 2 or 3 a mark of player 0, 1 or 2."""
        return s.cells >> 2 * cell & 3

    def has_line(self, s, mark):
        """Are there enough of these marks side by side?"""
        run = 0
        for cell in range(self.length):
            run = run + 1 if self.mark(s, cell) == mark else 0
            if run == self.line:
                return True
        return False

    def full(self, s):
        """Is no cell empty?"""
        for cell in range(self.length):
            if self.mark(s, cell) == 0:
                return False
        return True

    # ------------------------------------------------------------ for people; all of this may be left out

    def show(self, s):
        """A picture for the terminal."""
        return " ".join(".ABC"[self.mark(s, cell)] for cell in range(self.length))

    # What more rules can tell (an estimate, symmetries, text for states ...): the guide "Write your own game".
