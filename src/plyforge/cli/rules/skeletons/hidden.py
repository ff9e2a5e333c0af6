"""MyGame: both roll a die that only they see. MAX holds or raises; after a raise MIN folds or calls. The higher die
wins one point, after a call two; a fold gives MAX one.

This file runs as it is. Change it, a function at a time, into your own game, and ask after each change:

    plyforge check my_game.py       are these rules a lawful game? if not, what is wrong?
    plyforge solve my_game.py       how often to do what, and what that guarantees
    plyforge play my_game.py        play, in the terminal: nobody sees what is hidden
"""

from dataclasses import dataclass
from typing import NamedTuple

from plyforge import CHANCE, MAX, MIN, Game, Notation, below

HOLD, RAISE = 0, 1  # what MAX can do
FOLD, CALL = 2, 3  # what MIN can do after a raise
NOTHING = -1
UNROLLED, HIDDEN = 0, -1  # instead of a die: it is not rolled yet; who looks may not see it


class State(NamedTuple):
    """All that the rest of the game depends on, and nothing else. Numbers and tuples of numbers compile to machine
    code."""

    first: int  # the die of MAX
    second: int  # the die of MIN
    done: int  # what was done last: HOLD, RAISE, FOLD, CALL, or NOTHING


class MyGameNotation(Notation):
    """What people call the players, and how they write actions."""

    def format_action(self, game, s, action):
        """An action, or an outcome of chance, as it is typed and shown. It must not tell what is hidden."""
        if s.second == UNROLLED:
            return str(action)
        return ("hold", "raise", "fold", "call")[action]


@dataclass(frozen=True)
class MyGame(Game):
    """Raise, and be believed."""

    notation = MyGameNotation()

    # Parameters, with their defaults. Others are given like this: plyforge solve "my_game.py(faces=6)"
    faces: int = 3  # of both dice

    min_utility = -2.0
    max_utility = 2.0

    # ------------------------------------------------------------ the six functions, and a seventh for the dice
    def start(self):
        """The state in which the game begins."""
        return State(UNROLLED, UNROLLED, NOTHING)

    def player(self, s):
        """Who moves: CHANCE where a die is rolled."""
        if s.second == UNROLLED:
            return CHANCE
        return MIN if s.done == RAISE else MAX

    def chance(self, s):
        """Where CHANCE moves: each outcome with its probability. They add up to 1."""
        for face in range(1, self.faces + 1):
            yield face, 1.0 / self.faces

    def actions(self, s):
        """All that the player can do, each once, always in the same order. Who moves must know it: it may hang on
        nothing that is hidden from that player."""
        if s.done == RAISE:
            yield FOLD
            yield CALL
        elif s.done == NOTHING:
            yield HOLD
            yield RAISE

    def result(self, s, action):
        """The state after an action, or after an outcome of chance: a new one, as `s` itself must stay what it is."""
        if s.first == UNROLLED:
            return State(action, UNROLLED, NOTHING)
        if s.second == UNROLLED:
            return State(s.first, action, NOTHING)
        return State(s.first, s.second, action)

    def terminal(self, s):
        """Is the game over? The functions above are not asked where it is."""
        return s.done == HOLD or s.done == FOLD or s.done == CALL

    def utility(self, s):
        """What the end is worth to MAX: points between `min_utility` and `max_utility`."""
        if s.done == FOLD:
            return 1.0
        stake = 2.0 if s.done == CALL else 1.0
        if s.first == s.second:
            return 0.0
        return stake if s.first > s.second else -stake

    # ------------------------------------------------------------ who sees what
    def observe(self, s, player):
        """What a player sees: a state with the hidden parts marked. `player` may be PUBLIC, who sees what all see.

        What players saw before they remember by themselves. What they did and saw need not be in the state, as long as
        the same states are behind what they see now.
        """
        if s.done == CALL or s.done == HOLD:
            return s  # both dice are shown
        first = s.first if player == MAX or s.first == UNROLLED else HIDDEN
        second = s.second if player == MIN or s.second == UNROLLED else HIDDEN
        return State(first, second, s.done)

    def determinize(self, observation, player, stream):
        """A state that looks so to that player, drawn as chance draws it. All that is random comes from `stream`:
        below(stream, n) is one of 0 .. n-1."""
        first, second = observation.first, observation.second
        if first == HIDDEN:
            first = 1 + below(stream, self.faces)
        if second == HIDDEN:
            second = 1 + below(stream, self.faces)
        return State(first, second, observation.done)

    # ------------------------------------------------------------ for people; all of this may be left out

    def show(self, s):
        """A picture for the terminal: it is asked for what a player sees, too."""
        names = {UNROLLED: "-", HIDDEN: "?"}
        first, second = names.get(s.first, s.first), names.get(s.second, s.second)
        done = {NOTHING: "nothing yet", HOLD: "held", RAISE: "raised", FOLD: "raised, folded", CALL: "raised, called"}
        return f"MAX {first} : {second} MIN   {done[s.done]}"

    # What more rules can tell (a board, text for states ...): the guide "Write your own game".
