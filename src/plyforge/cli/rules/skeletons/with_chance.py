"""MyGame: three rolls of a die each. Whoever rolled adds it to their points, or leaves it. More points win, but more
than five are worth nothing.

This file runs as it is. Change it, a function at a time, into your own game, and ask after each change:

    plyforge check my_game.py       are these rules a lawful game? if not, what is wrong?
    plyforge play my_game.py        play against the engine, in the terminal
    plyforge studio my_game.py      play and analyse in a browser
"""

from dataclasses import dataclass
from typing import NamedTuple

from plyforge import CHANCE, MAX, MIN, Game, Notation

ADD, LEAVE = 0, 1  # the two actions: add the roll to your points, or leave it


class State(NamedTuple):
    """All that the rest of the game depends on, and nothing else. Numbers and tuples of numbers compile to machine
    code."""

    first: int  # the points of MAX, who begins
    second: int  # the points of MIN
    left: int  # how many rolls there are still to come
    die: int  # what was rolled; 0: the die is still to be rolled
    player: int  # whose roll it is: MAX (0) or MIN (1)


class MyGameNotation(Notation):
    """What people call the players, and how they write actions."""

    def format_action(self, game, s, action):
        """An action, or an outcome of chance, as it is typed and shown."""
        if s.die == 0:
            return str(action)
        return "add" if action == ADD else "leave"


@dataclass(frozen=True)
class MyGame(Game):
    """Add it or leave it."""

    notation = MyGameNotation()

    # Parameters, with their defaults. Others are given like this: plyforge play "my_game.py(faces=6)"
    faces: int = 3  # of the die
    rolls: int = 3  # for each player
    most: int = 5  # more points than this are worth nothing

    # ------------------------------------------------------------ the six functions, and a seventh for the die
    def start(self):
        """The state in which the game begins."""
        return State(0, 0, 2 * self.rolls, 0, MAX)

    def player(self, s):
        """Who moves: CHANCE where the die is rolled. The same player may move twice: whatever you say here is so."""
        return CHANCE if s.die == 0 else s.player

    def chance(self, s):
        """Where CHANCE moves: each outcome with its probability. They add up to 1."""
        for face in range(1, self.faces + 1):
            yield face, 1.0 / self.faces

    def actions(self, s):
        """All that the player can do, each once, always in the same order."""
        yield ADD
        yield LEAVE

    def result(self, s, action):
        """The state after an action, or after an outcome of chance: a new one, as `s` itself must stay what it is."""
        if s.die == 0:
            return State(s.first, s.second, s.left - 1, action, s.player)
        first, second = s.first, s.second
        if action == ADD and s.player == MAX:
            first += s.die
        if action == ADD and s.player == MIN:
            second += s.die
        return State(first, second, s.left, 0, MIN if s.player == MAX else MAX)

    def terminal(self, s):
        """Is the game over? The functions above are not asked where it is."""
        return s.left == 0 and s.die == 0

    def utility(self, s):
        """What the end is worth to MAX, whoever moved last: 1.0 won, 0.0 a draw, -1.0 lost.

        Points? Say between which numbers they lie: `min_utility = -20.0` and `max_utility = 20.0`, below the
        parameters.
        """
        first, second = self.counted(s.first), self.counted(s.second)
        if first > second:
            return 1.0
        if first < second:
            return -1.0
        return 0.0

    # ------------------------------------------------------------ helpers of this game: as many as you like
    def counted(self, points):
        """What points are worth: too many are worth nothing."""
        return points if points <= self.most else 0

    # ------------------------------------------------------------ for people; all of this may be left out

    def show(self, s):
        """A picture for the terminal."""
        rolled = f"rolled: {s.die}" if s.die else "the die is to be rolled"
        return f"MAX {s.first} : {s.second} MIN, {s.left} rolls to come, {rolled}"

    # What more rules can tell (a board, an estimate, text for states ...): the guide "Write your own game".
