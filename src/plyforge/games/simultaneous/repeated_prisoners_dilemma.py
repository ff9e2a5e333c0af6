"""The prisoner's dilemma, again and again: the same two, so many rounds.

In every round both choose at the same time to cooperate or to defect, and get 3 each for cooperating, 1 each for
defecting, and 4 and 0 where one defects and the other cooperates (the lectures' table: four minus the sentence). Points
are paid round by round (`rewards`), and in the end they count together.

Played once, defecting is better whatever the other does. With a last round that both know that stays so in every round,
by backward induction from the last one: the only equilibrium of the repeated game is to defect always, although both
would have three times as much if they cooperated. What people and simple strategies do instead is in
`plyforge.play.contests.dilemma`.

Axelrod, "The evolution of cooperation", 1984.

Text of a state: the rounds left, and what was chosen in the last round: `10 --`, `9 CD`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from plyforge.board import Board, Place, Words
from plyforge.contract import SIMULTANEOUS, BoardView, Game, Heuristics, Notation
from plyforge.errors import BadRules, BadText
from plyforge.kernel import inline

COOPERATE, DEFECT = 0, 1
NAMES = ("cooperate", "defect")
REWARD, SUCKER, TEMPTATION, PUNISHMENT = 3.0, 0.0, 4.0, 1.0
"""For both cooperating, for cooperating alone, for defecting alone, for both defecting."""
MAX_ROUNDS = 1000


class Played(NamedTuple):
    """How far the game has come."""

    left: int
    """How many rounds are still to be played."""
    first: int
    """What the first player chose in the last round; -1 before there was one."""
    second: int
    """What the second player chose."""


@inline
def payoff(own: int, other: int) -> float:
    """What one round brings whoever chose `own`."""
    if own == COOPERATE:
        return REWARD if other == COOPERATE else SUCKER
    return TEMPTATION if other == COOPERATE else PUNISHMENT


class RepeatedPrisonersDilemmaHeuristics(Heuristics):
    """What searches may know."""

    def plies_left(self, game: RepeatedPrisonersDilemma, s: Played) -> int:
        return s.left


class RepeatedPrisonersDilemmaNotation(Notation):
    """States and actions as text."""

    player_names = ("first", "second")

    def format_state(self, game: RepeatedPrisonersDilemma, s: Played) -> str:
        return f"{s.left} {_letter(s.first)}{_letter(s.second)}"

    def parse_state(self, game: RepeatedPrisonersDilemma, text: str) -> Played:
        found = re.fullmatch(r"(\d{1,4}) (--|[CD][CD])", text.strip(), re.ASCII)
        if found is None:
            raise BadText(
                f"{text!r} is not a state of this game: the rounds left and the choices of the last round, as in '9"
                " CD', or '10 --'"
            )
        left = int(found[1])
        if left > game.rounds or (left == game.rounds) != (found[2] == "--"):
            raise BadText(f"{text!r} can't arise: there are {game.rounds} rounds, and -- stands before the first")
        first, second = ("CD".find(letter) for letter in found[2])
        return Played(left, first, second)

    def format_choice(self, game: RepeatedPrisonersDilemma, s: Played, player: int, choice: int) -> str:
        return NAMES[choice]


class RepeatedPrisonersDilemmaView(BoardView):
    """The picture to point at."""

    def board(self, game: RepeatedPrisonersDilemma, s: Played) -> Board:
        """Two cards for each; those of the last round are dark."""
        places, words = (
            [],
            [Words(1.7, 1.55, f"round {game.rounds - s.left + 1} of {game.rounds}" if s.left else "the end", 0.3)],
        )
        for player, last in enumerate((s.first, s.second)):
            y = 3.1 * (1 - player)
            words.append(Words(-1.0, y, game.notation.player_names[player], 0.3))
            for choice, name in enumerate(NAMES):
                tone = 1 if choice == last else 2 + player
                places.append(
                    Place(
                        f"{game.notation.player_names[player]}: {name}",
                        0.7 + 2 * choice,
                        y,
                        "card",
                        1.8,
                        1.2,
                        tone,
                        name,
                    )
                )
        return Board(places, words=words)

    def choice_ways(
        self, game: RepeatedPrisonersDilemma, s: Played, player: int, choice: int
    ) -> Iterator[tuple[str, ...]]:
        yield (f"{game.notation.player_names[player]}: {NAMES[choice]}",)


@dataclass(frozen=True)
class RepeatedPrisonersDilemma(Game):
    """Cooperate or defect, round after round: `repeated_prisoners_dilemma(rounds=10)`."""

    notation = RepeatedPrisonersDilemmaNotation()
    view = RepeatedPrisonersDilemmaView()

    heuristics = RepeatedPrisonersDilemmaHeuristics()

    rounds: int = 10
    """How many rounds there are; both know it."""

    utility_sum = None
    min_utility = 0.0
    max_actions = 4

    @property
    def max_utility(self) -> float:  # type: ignore[override]
        return TEMPTATION * self.rounds

    def __post_init__(self) -> None:
        if not 1 <= self.rounds <= MAX_ROUNDS:
            raise BadRules(f"rounds is {self.rounds}; it must be from 1 to {MAX_ROUNDS}")

    def start(self) -> Played:
        return Played(self.rounds, -1, -1)

    def player(self, s: Played) -> int:
        return SIMULTANEOUS

    def legal_actions(self, s: Played, player: int) -> Iterator[int]:
        yield COOPERATE
        yield DEFECT

    def result(self, s: Played, action: tuple[int, int]) -> Played:
        return Played(s.left - 1, action[0], action[1])

    def rewards(self, s: Played, action: tuple[int, int]) -> tuple[float, float]:
        return payoff(action[0], action[1]), payoff(action[1], action[0])

    def terminal(self, s: Played) -> bool:
        return s.left == 0

    def utility(self, s: Played) -> tuple[float, float]:
        """Everything was paid on the way."""
        return (0.0, 0.0)

    def evaluate(self, s: Played) -> tuple[float, float]:
        """What the rounds to come bring if nobody trusts anybody."""
        return (PUNISHMENT * s.left, PUNISHMENT * s.left)

    # ------------------------------------------------------------ text

    def show(self, s: Played) -> str:
        last = f", last: {NAMES[s.first]}, {NAMES[s.second]}" if s.first >= 0 else ""
        return (
            f"round {self.rounds - s.left + 1} of {self.rounds}{last}"
            if s.left
            else f"all {self.rounds} rounds are played{last}"
        )


def _letter(choice: int) -> str:
    return "CD"[choice] if choice >= 0 else "-"
