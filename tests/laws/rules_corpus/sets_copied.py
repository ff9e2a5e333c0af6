"""A set in the state, copied with set(...), and changed in the copy with add, discard, remove and |=."""

from dataclasses import dataclass

import plyforge as pf

HOLES = [(r, c) for r in range(4) for c in range(4) if (r, c) != (3, 3)]


@dataclass
class State:
    pegs: set
    turn: int


class Pegs(pf.Game):
    """Jump over a neighbour, which is taken out; whoever can't jump loses."""

    def start(self):
        return State({hole for hole in HOLES if hole != (1, 1)}, 0)

    def player(self, s):
        return s.turn

    def actions(self, s):
        found = []
        for r, c in HOLES:
            if (r, c) in s.pegs:
                for dr, dc in ((0, 1), (1, 0), (0, -1), (-1, 0)):
                    over, to = (r + dr, c + dc), (r + 2 * dr, c + 2 * dc)
                    if over in s.pegs and to in HOLES and to not in s.pegs:
                        found.append(((r, c), to))
        return found

    def result(self, s, move):
        (r, c), (r2, c2) = move
        pegs = set(s.pegs)
        pegs.remove((r, c))
        pegs.discard(((r + r2) // 2, (c + c2) // 2))
        if s.turn:
            pegs.add((r2, c2))
        else:
            pegs |= {(r2, c2)}
        return State(pegs, 1 - s.turn)

    def terminal(self, s):
        return not self.actions(s)

    def utility(self, s):
        return (-1 if s.turn == 0 else 1) * (1 - len(s.pegs) / 20)
