"""Two small games for tests of play, one with a die and one for three; and a game with some moves made."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from plyforge.contract import CHANCE, MAX, MIN, Game, Notation
from plyforge.games import load
from plyforge.play import (
    GameSession,
)


class Race(NamedTuple):
    first: int
    second: int
    player: int
    rolling: bool


@dataclass(frozen=True)
class DiceRace(Game):
    """Throw a die in turn, with the left hand or the right; whoever reaches the goal first wins."""

    goal: int = 7

    def start(self) -> Race:
        return Race(0, 0, MAX, False)

    def player(self, s: Race) -> int:
        return CHANCE if s.rolling else s.player

    def actions(self, s: Race) -> Iterator[int]:
        yield 1
        yield 2

    def chance(self, s: Race) -> Iterator[tuple[int, float]]:
        for face in range(1, 7):
            yield face, 1 / 6

    def result(self, s: Race, action: int) -> Race:
        if not s.rolling:
            return Race(s.first, s.second, s.player, True)
        if s.player == MAX:
            return Race(s.first + action, s.second, MIN, False)
        return Race(s.first, s.second + action, MAX, False)

    def terminal(self, s: Race) -> bool:
        return max(s.first, s.second) >= self.goal

    def utility(self, s: Race) -> float:
        return 1.0 if s.first >= self.goal else -1.0


class Sticks(NamedTuple):
    sticks: int
    player: int


@dataclass(frozen=True)
class ThreeSticks(Game):
    """Three players take one or two sticks; who takes the last one gets 2, the others lose 1."""

    notation = Notation(player_names=("Ann", "Bob", "Cleo"))

    sticks: int = 5
    players = 3
    min_utility = -1.0
    max_utility = 2.0

    def start(self) -> Sticks:
        return Sticks(self.sticks, 0)

    def player(self, s: Sticks) -> int:
        return s.player

    def actions(self, s: Sticks) -> Iterator[int]:
        yield 1
        if s.sticks > 1:
            yield 2

    def result(self, s: Sticks, action: int) -> Sticks:
        return Sticks(s.sticks - action, (s.player + 1) % 3)

    def terminal(self, s: Sticks) -> bool:
        return s.sticks == 0

    def utility(self, s: Sticks) -> tuple[float, ...]:
        return tuple(2.0 if player == (s.player - 1) % 3 else -1.0 for player in range(3))

    def evaluate(self, s: Sticks) -> tuple[float, ...]:
        return (0.0, 0.0, 0.0)


TIC_TAC_TOE = load("tic_tac_toe")
X_WINS = ["1", "4", "2", "5", "3"]


def played(game: Game, *texts: str, seed: int = 1) -> GameSession:
    session = GameSession(game, seed=seed)
    for text in texts:
        session.play_text(text)
    return session
