"""MyGame: three players, two rolls of a die each. Whoever rolled adds it to their points, or leaves it. Most points
win, but more than four are worth nothing.

This file runs as it is. Change it, a function at a time, into your own game, and ask after each change:

    plyforge check my_game.py       are these rules a lawful game? if not, what is wrong?
    plyforge play my_game.py        play against the engine, in the terminal
    plyforge studio my_game.py      play and analyse in a browser
"""

from dataclasses import dataclass
from typing import NamedTuple

from plyforge import CHANCE, Game, Notation

ADD, LEAVE = 0, 1  # the two actions: add the roll to your points, or leave it


class State(NamedTuple):
    """All that the rest of the game depends on, and nothing else. Numbers and tuples of numbers compile to machine
    code."""

    points: tuple[int, int, int]  # of players 0, 1 and 2
    left: int  # how many rolls there are still to come
    die: int  # what was rolled; 0: the die is still to be rolled
    player: int  # whose roll it is: 0, 1 or 2


class MyGameNotation(Notation):
    """What people call the players, and how they write actions."""

    player_names = ("A", "B", "C")

    def format_action(self, game, s, action):
        """An action as text; where the die is rolled, its face."""
        if s.die == 0:
            return str(action)
        return "add" if action == ADD else "leave"


@dataclass(frozen=True)
class MyGame(Game):
    """Add it or leave it, for three."""

    notation = MyGameNotation()

    # Parameters, with their defaults. Others are given like this: plyforge play "my_game.py(faces=6)"
    faces: int = 3  # of the die
    rolls: int = 2  # for each player
    most: int = 4  # more points than this are worth nothing

    # What the game is.
    players = 3
    min_utility = 0.0  # no player ever gets less than this
    max_utility = 1.0  # nor more than this
    utility_sum = 1.0  # what all of them get together at every end; None if that differs from end to end

    # ------------------------------------------------------------ the six functions, and a seventh for the die
    def start(self):
        """The state in which the game begins."""
        return State((0, 0, 0), 3 * self.rolls, 0, 0)

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
            return State(s.points, s.left - 1, action, s.player)
        a, b, c = s.points
        if action == ADD:
            a += s.die if s.player == 0 else 0
            b += s.die if s.player == 1 else 0
            c += s.die if s.player == 2 else 0
        return State((a, b, c), s.left, 0, (s.player + 1) % 3)

    def terminal(self, s):
        """Is the game over? The functions above are not asked where it is."""
        return s.left == 0 and s.die == 0

    def utility(self, s):
        """What the end is worth to each player, in their order: whoever has most points share the win."""
        a, b, c = self.counted(s.points[0]), self.counted(s.points[1]), self.counted(s.points[2])
        best = max(a, b, c)
        winners = (1 if a == best else 0) + (1 if b == best else 0) + (1 if c == best else 0)
        share = 1.0 / winners
        return (share if a == best else 0.0, share if b == best else 0.0, share if c == best else 0.0)

    # ------------------------------------------------------------ helpers of this game: as many as you like
    def counted(self, points):
        """What points are worth: nothing if they are too many."""
        return points if points <= self.most else 0

    # ------------------------------------------------------------ for people; all of this may be left out
    def show(self, s):
        """A picture for the terminal."""
        a, b, c = s.points
        rolled = f", rolled {s.die}" if s.die else ""
        return f"A {a}, B {b}, C {c}, {s.left} rolls to come{rolled}"

    # What more rules can tell (an estimate, symmetries, text for states ...): the guide "Write your own game".
