"""A dataclass with slots, keyword-only fields and a property, that holds another one and None."""

import dataclasses

import plyforge as pf


@dataclasses.dataclass(frozen=True, slots=True)
class Move:
    pile: int
    count: int


@dataclasses.dataclass(frozen=True, slots=True)
class Table:
    piles: tuple
    last: Move | None = None
    mover: int = pf.MAX
    bonus: float = 0.0
    small: bool = dataclasses.field(default=False, kw_only=True)

    @property
    def empty(self):
        return sum(self.piles) == 0

    def after(self, move):
        piles = list(self.piles)
        piles[move.pile] -= move.count
        small = move.count == 1 and self.last != move
        return dataclasses.replace(self, piles=tuple(piles), last=move, mover=1 - self.mover, small=small)


class Piles(pf.Game):
    """Nim with three piles; the last stone wins, more if it was one alone, and never a move twice in turn."""

    def start(self):
        return Table((1, 2, 3))

    def player(self, s):
        return s.mover

    def actions(self, s):
        for pile, size in enumerate(s.piles):
            for count in range(1, size + 1):
                if s.last is None or size == count or s.last != Move(pile, count):
                    yield pile, count

    def result(self, s, action):
        pile, count = action
        made = s.after(Move(pile, count))
        if made.last == Move(2, 3):
            return Table(made.piles, made.last, made.mover, 0.25, small=made.small)
        return made

    def terminal(self, s):
        return s.empty

    def utility(self, s):
        worth = 1.0 if s.small else 0.5 + s.bonus
        return worth if s.mover == pf.MIN else -worth
