"""A pawn walks five squares; a step of one keeps the turn. States are compared without the turn.

Breaks: player is stable
"""

from dataclasses import dataclass, field

from plyforge import MAX, BadText, Game
from plyforge.contract import Notation


@dataclass(frozen=True)
class Track:
    place: int
    turn: int = field(compare=False)


class WalkNotation(Notation):
    def format_state(self, game, s):
        return f"{s.place} {s.turn}"

    def parse_state(self, game, text):
        try:
            place, turn = map(int, text.split())
        except ValueError:
            raise BadText(text) from None
        return Track(place, turn)


@dataclass(frozen=True)
class Walk(Game):
    notation = WalkNotation()

    def start(self):
        return Track(0, MAX)

    def player(self, s):
        return s.turn

    def actions(self, s):
        yield from (1, 2)

    def result(self, s, step):
        return Track(s.place + step, s.turn if step == 1 else 1 - s.turn)

    def terminal(self, s):
        return s.place >= 5

    def utility(self, s):
        return 0.0


