"""A race with dice for three, on a round track of 18 cells: bring both of your runners once around and home.

Each player begins a third of the track behind the one before. Roll a die, then choose the runner that goes so far. A
runner that lands on somebody else's sends it back to its base; your own share a cell in peace. Home needs no exact
roll.
"""

from typing import NamedTuple

from plyforge import CHANCE, Game

PLAYERS = 3
TRACK = 18
BASE = 0  # a runner has gone 0 steps: it isn't on the track yet
HOME = TRACK + 1


class State(NamedTuple):
    runners: tuple  # for each player the steps that both runners have gone
    die: int  # 0: to be rolled
    player: int


def cell(player, steps):
    """Where on the track a runner is, or None when it is in its base or at home."""
    if steps == BASE or steps >= HOME:
        return None
    return (steps - 1 + player * TRACK // PLAYERS) % TRACK


class DiceRace(Game):
    players = PLAYERS
    min_utility = 0.0
    max_utility = 1.0
    utility_sum = 1.0

    def start(self):
        return State(((BASE, BASE),) * PLAYERS, 0, 0)

    def player(self, s):
        return CHANCE if s.die == 0 else s.player

    def chance(self, s):
        return [(face, 1 / 6) for face in range(1, 7)]

    def actions(self, s):
        """Which runner goes: 0 or 1."""
        return [i for i, steps in enumerate(s.runners[s.player]) if steps < HOME]

    def result(self, s, action):
        if s.die == 0:
            return State(s.runners, action, s.player)
        runners = [list(pair) for pair in s.runners]
        runners[s.player][action] = min(runners[s.player][action] + s.die, HOME)
        landed = cell(s.player, runners[s.player][action])
        for other in range(PLAYERS):
            if other == s.player:
                continue
            for i, steps in enumerate(runners[other]):
                if landed is not None and cell(other, steps) == landed:
                    runners[other][i] = BASE
        return State(tuple(tuple(pair) for pair in runners), 0, (s.player + 1) % PLAYERS)

    def terminal(self, s):
        return any(all(steps == HOME for steps in pair) for pair in s.runners)

    def utility(self, s):
        return tuple(1.0 if min(pair) == HOME else 0.0 for pair in s.runners)

    def show(self, s):
        lines = []
        for name, pair in zip("ABC", s.runners, strict=True):
            lines.append(f"{name}: {pair[0]:2} {pair[1]:2}" + (" *" if name == "ABC"[s.player] else ""))
        return "\n".join(lines) + (f"\nrolled {s.die}" if s.die else "")
