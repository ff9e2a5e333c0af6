"""Chess: Shannon's, Turing's and Deep Blue's game. The rules are in `rules.py`.

board.py     where the squares lie in a set of bits, what a position and an action are
attacks.py   which squares pieces attack
heuristics.py  what searches may know, and what depends on the past
tablebase.py   a number for every ending, for databases
legal.py     what is legal, counted without naming a move
see.py       what a capture wins
fen.py       positions as text
notation.py  moves as text, and how a game is written
view.py      the board as a picture
epd.py       positions with remarks, as test suites have them
pgn.py       files of games
"""

from plyforge.games.chess.board import Position
from plyforge.games.chess.rules import Chess

__all__ = ["Chess", "Position"]
