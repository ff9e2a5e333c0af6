"""Pig: roll a die as often as you dare. The smallest game in which luck has to be weighed.

The player whose turn it is rolls a die again and again, collecting the sum. A 1 loses what the turn has collected, and
the turn. Holding banks the turn's sum and passes the turn. A turn begins with a roll. Who holds at the goal or beyond
has won.

Turns can be lost for ever, so there is no bound on the length of a game: search it to a depth. Where the search stops,
`evaluate` looks at the difference of the scores. Best play for 100 points was computed by Neller and Presser ("Optimal
play of the dice game Pig", The UMAP Journal 25, 2004).

Text of a state: the banked scores of MAX and of MIN, the turn's sum, who moves, and `rolling` while the die is in the
air: `23 17 8 max`, `23 17 8 max rolling`. Actions are `roll` and `hold`, outcomes of the die `1` to `6`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from plyforge.board import Board, Line, Piece, Place, Words
from plyforge.contract import CHANCE, MAX, MIN, BoardView, Game, HistoryRules, Notation
from plyforge.errors import BadRules, BadText

ROLL, HOLD = 0, 1
SIDES = 6
MAX_GOAL = 1_000_000


class Turn(NamedTuple):
    """How the game stands, in the middle of somebody's turn."""

    banked_by_max: int
    """MAX's score, without this turn."""
    banked_by_min: int
    """MIN's score, without this turn."""
    collected: int
    """What this turn has brought so far."""
    player: int
    """Whose turn it is."""
    rolling: bool
    """True while the die is in the air: chance moves."""


class PigHistory(HistoryRules):
    """What depends on the past."""

    draws_possible = False


class PigNotation(Notation):
    """States and actions as text."""

    def format_state(self, game: Pig, s: Turn) -> str:
        who = "max" if s.player == MAX else "min"
        text = f"{s.banked_by_max} {s.banked_by_min} {s.collected} {who}"
        return f"{text} rolling" if s.rolling else text

    def parse_state(self, game: Pig, text: str) -> Turn:
        words = text.lower().split()
        rolling = len(words) == 5 and words[4] == "rolling"
        numbers = words[:3]
        if (
            (len(words) != 4 and not rolling)
            or not all(number.isascii() and number.isdigit() and len(number) < 10 for number in numbers)
            or words[3] not in ("max", "min")
        ):
            raise BadText(
                f"{text!r} is not a state of pig: MAX's score, MIN's score, the turn's sum, max or min, "
                "and 'rolling' while the die is in the air, as in '23 17 8 max'"
            )
        banked_by_max, banked_by_min, collected = map(int, numbers)
        if collected == 1:
            raise BadText(f"{text!r} can't arise: a 1 ends the turn, so no turn collects 1")
        s = Turn(banked_by_max, banked_by_min, collected, MAX if words[3] == "max" else MIN, rolling)
        if game.terminal(s) and (rolling or collected or min(banked_by_max, banked_by_min) >= game.goal):
            raise BadText(f"{text!r} can't arise: the game ended when somebody had banked {game.goal}")
        return s

    def format_action(self, game: Pig, s: Turn, action: int) -> str:
        if s.rolling:
            return str(action)
        return "roll" if action == ROLL else "hold"


class PigView(BoardView):
    """The picture to point at."""

    def board(self, game: Pig, s: Turn) -> Board:
        """A die to roll, a card to hold, and how far each player has come on the way to the goal."""
        hold = f"hold {s.collected}" if s.collected else "hold"
        places = [
            Place("roll", 1.0, 0.0, "card", 1.8, 1.2),
            Place("hold", 3.0, 0.0, "card", 1.8, 1.2, text=hold),
        ]
        pieces = [Piece("roll", "die", s.player, 0 if s.rolling else 6, name="die")]
        words, lines = [Words(1.0, 0.85, "roll", 0.22)], []
        for player, banked in enumerate((s.banked_by_max, s.banked_by_min)):
            y = 1.5 + 0.75 * player
            now = banked + (s.collected if player == s.player else 0)
            words += [
                Words(-0.5, y, ("MAX", "MIN")[player], 0.25),
                Words(4.45, y, f"{banked} of {game.goal}", 0.25),
            ]
            lines.append(Line(0.1, y, 3.7, y))
            if now:
                lines.append(Line(0.1, y, 0.1 + 3.6 * min(1.0, now / game.goal), y, "wall"))
            if banked:
                lines.append(Line(0.1, y, 0.1 + 3.6 * min(1.0, banked / game.goal), y, "wall", player))
        return Board(places, pieces, lines, words)

    def ways(self, game: Pig, s: Turn, action: int) -> Iterator[tuple[str, ...]]:
        if not s.rolling:
            yield ("roll" if action == ROLL else "hold",)


@dataclass(frozen=True)
class Pig(Game):
    """Roll or hold; a 1 loses the turn; the first to bank the goal wins: `pig(goal=100)`."""

    notation = PigNotation()
    view = PigView()

    history = PigHistory()

    goal: int = 100
    """What has to be banked to win."""

    def __post_init__(self) -> None:
        if not 1 <= self.goal <= MAX_GOAL:
            raise BadRules(f"pig needs a goal from 1 to {MAX_GOAL}, not {self.goal}")

    def start(self) -> Turn:
        return Turn(0, 0, 0, MAX, False)

    def player(self, s: Turn) -> int:
        return CHANCE if s.rolling else s.player

    def actions(self, s: Turn) -> Iterator[int]:
        yield ROLL
        if s.collected > 0:
            yield HOLD

    def chance(self, s: Turn) -> Iterator[tuple[int, float]]:
        for face in range(1, SIDES + 1):
            yield face, 1.0 / SIDES

    def result(self, s: Turn, action: int) -> Turn:
        """`action` is ROLL or HOLD; while the die is in the air, the face that it shows."""
        other = MIN if s.player == MAX else MAX
        if s.rolling:
            if action == 1:
                return Turn(s.banked_by_max, s.banked_by_min, 0, other, False)
            return Turn(s.banked_by_max, s.banked_by_min, s.collected + action, s.player, False)
        if action == ROLL:
            return Turn(s.banked_by_max, s.banked_by_min, s.collected, s.player, True)
        if s.player == MAX:
            return Turn(s.banked_by_max + s.collected, s.banked_by_min, 0, other, False)
        return Turn(s.banked_by_max, s.banked_by_min + s.collected, 0, other, False)

    def terminal(self, s: Turn) -> bool:
        return s.banked_by_max >= self.goal or s.banked_by_min >= self.goal

    def utility(self, s: Turn) -> float:
        return 1.0 if s.banked_by_max >= self.goal else -1.0

    def evaluate(self, s: Turn) -> float:
        """By how much of the goal MAX is ahead, counting what the turn has collected for whoever collected it."""
        ahead = s.banked_by_max - s.banked_by_min
        ahead += s.collected if s.player == MAX else -s.collected
        return min(1.0, max(-1.0, ahead / self.goal))

    def count(self, s: Turn) -> int:
        return 2 if s.collected > 0 else 1

    # ------------------------------------------------------------ text

    def show(self, s: Turn) -> str:
        rows = []
        for who, name, banked in ((MAX, "MAX", s.banked_by_max), (MIN, "MIN", s.banked_by_min)):
            row = f"{name} {banked:>{len(str(self.goal))}} of {self.goal}"
            if who == s.player and not self.terminal(s):
                row += f" + {s.collected} this turn" + (", rolling" if s.rolling else "")
            rows.append(row)
        return "\n".join(rows)
