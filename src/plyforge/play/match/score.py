"""How a match stands: results of A, forfeits apart from them, times.

Results are what was decided on the board: by the rules, by a draw of play, by resigning. Forfeits (`FORFEITS`) are
counted apart, since they say something about a program, and nothing about its play. Where there are any, a second score
counts them as lost.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from plyforge.play.match.played import OUT_OF_PLIES, PlayedGame
from plyforge.play.match.rating import Estimate, estimate
from plyforge.play.players.player import FORFEITS


@dataclass(frozen=True)
class Results:
    """Wins, draws and losses of A."""

    wins: int = 0
    draws: int = 0
    losses: int = 0

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses

    def text(self) -> str:
        """`12 wins, 3 draws, 5 losses`."""
        return f"{_count(self.wins, 'win')}, {_count(self.draws, 'draw')}, {_count(self.losses, 'loss', 'losses')}"

    def to_json(self) -> dict[str, int]:
        return {"wins": self.wins, "draws": self.draws, "losses": self.losses}


@dataclass(frozen=True)
class Times:
    """What one player's moves took."""

    moves: int = 0
    seconds: float = 0.0
    """In all."""
    late: float | None = None
    """By how much its latest move missed its limit; negative if none did, None without limits."""

    @property
    def mean(self) -> float:
        """Seconds for a move."""
        return self.seconds / self.moves if self.moves else 0.0

    def to_json(self) -> dict[str, Any]:
        overshoot = None if self.late is None else max(0.0, self.late)
        return {"moves": self.moves, "mean_seconds": self.mean, "longest_overshoot": overshoot}


@dataclass(frozen=True)
class TimeUse:
    """How one player has used the time that its moves had: of those that say so, which searches of ours do."""

    moves: int = 0
    soft: float = 0.0
    """Mean of the soft limits, in seconds."""
    share: float = 0.0
    """Of the soft limits, what was used of them in all."""
    beyond: int = 0
    """Moves that took longer than their soft limit: in the middle of something, or in doubt."""
    cut_off: int = 0
    """Moves that took as long as they could."""

    @classmethod
    def of(cls, moves: list[tuple[float, float, float]]) -> TimeUse:
        """Of seconds, soft and hard limit of each."""
        if not moves:
            return cls()
        soft = sum(soft for _, soft, _ in moves)
        return cls(
            len(moves),
            soft / len(moves),
            sum(seconds for seconds, _, _ in moves) / soft if soft else 0.0,
            sum(seconds > soft for seconds, soft, _ in moves),
            sum(seconds >= hard for seconds, _, hard in moves),
        )

    def text(self) -> str:
        """In words."""
        if not self.moves:
            return "it keeps its time itself, or has no limit"
        return (
            f"soft limits of {self.soft:.3f} s on average, {100 * self.share:.0f} % of them used; {self.beyond:,} of"
            f" {self.moves:,} moves took longer, {self.cut_off:,} as long as they could"
        )


class Standing:
    """The sum of some games of a match."""

    def __init__(self, games: Iterable[PlayedGame], wanted: int) -> None:
        """`wanted` is how many games the match has."""
        self.games = sorted(games, key=lambda game: game.number)
        self.wanted = wanted
        self.results = _results(self.games)
        self.as_first = _results([game for game in self.games if game.first == "A"])
        """Of A, as the first player of the rules."""
        self.as_second = _results([game for game in self.games if game.first == "B"])
        self.forfeits = {name: Counter(game.reason for game in self.games if game.forfeited == name) for name in "AB"}
        """For each player: how often it lost by what."""
        self.drawn_by_limit = sum(game.reason == OUT_OF_PLIES for game in self.games)
        """Draws because of the limit of plies; counted among the draws, too."""
        self.estimate: Estimate | None = estimate(_pairs(self.games, forfeits=False))
        """Score and Elo difference of A by results alone; None before the first."""
        self.with_forfeits: Estimate | None = estimate(_pairs(self.games, forfeits=True))
        """The same, forfeits counted as lost."""

    @property
    def forfeited(self) -> int:
        """How many games were forfeited."""
        return sum(sum(counts.values()) for counts in self.forfeits.values())

    @property
    def finished(self) -> bool:
        """True if all games were played."""
        return len(self.games) >= self.wanted

    def pairs_of_points(self) -> list[list[float]]:
        """A's points, pair by pair; forfeits are lost."""
        return _pairs(self.games, forfeits=True)

    def pairs_in_order(self) -> list[float]:
        """A's points in the pairs of games, up to the first pair that is not complete; forfeits are lost."""
        found: dict[int, list[float]] = {}
        for game in self.games:
            points = game.points()
            found.setdefault(game.number // 2, []).append(
                (1.0 if game.forfeited == "B" else 0.0) if points is None else points
            )
        complete = itertools.takewhile(lambda pair: len(found.get(pair, ())) == 2, itertools.count())
        return [sum(found[pair]) for pair in complete]

    def times(self, name: str) -> Times:
        """What the moves of "A" or "B" took."""
        index = "AB".index(name)
        lates = [late for game in self.games if (late := game.late[index]) is not None]
        return Times(
            sum(game.moves[index] for game in self.games),
            sum(game.used[index] for game in self.games),
            max(lates, default=None),
        )

    def time_use(self, name: str) -> TimeUse:
        """How "A" or "B" has used its time."""
        return TimeUse.of(
            [
                (seconds, thought["soft"], thought["hard"])
                for game in self.games
                for seconds, thought in zip(game.seconds, game.thoughts, strict=False)
                if seconds is not None and thought and thought.get("by") == "AB".index(name) and "hard" in thought
            ]
        )

    def short(self) -> str:
        """In one line, for a match that goes on."""
        if self.estimate is None:
            return "no result yet" if not self.forfeited else f"{_count(self.forfeited, 'forfeit')}, no result"
        results = self.results
        text = (
            f"A +{results.wins} ={results.draws} -{results.losses}, {100 * self.estimate.score:.1f} %, Elo"
            f" {self.estimate.elo_text()}"
        )
        return text + (f", {_count(self.forfeited, 'forfeit')}" if self.forfeited else "")

    def to_json(self) -> dict[str, Any]:
        """Plain values."""
        return {
            "games": len(self.games), "wanted": self.wanted, "finished": self.finished,
            **self.results.to_json(),
            "estimate": None if self.estimate is None else self.estimate.to_json(),
            "as_first": self.as_first.to_json(), "as_second": self.as_second.to_json(),
            "drawn_by_limit": self.drawn_by_limit,
            "forfeits": {name: {kind: self.forfeits[name][kind] for kind in FORFEITS} for name in "AB"},
            "with_forfeits": None if self.with_forfeits is None else self.with_forfeits.to_json(),
            "times": {name: self.times(name).to_json() for name in "AB"},
        }  # fmt: skip


def _results(games: list[PlayedGame]) -> Results:
    winners = Counter(game.winner for game in games)
    return Results(winners["A"], winners["draw"], winners["B"])


def _pairs(games: list[PlayedGame], forfeits: bool) -> list[list[float]]:
    """A's points, pair by pair."""
    pairs: dict[int, list[float]] = {}
    for game in games:
        points = game.points()
        if points is None and forfeits:
            points = 1.0 if game.forfeited == "B" else 0.0
        if points is not None:
            pairs.setdefault(game.number // 2, []).append(points)
    return list(pairs.values())


def _count(number: int, one: str, several: str = "") -> str:
    return f"{number} {one if number == 1 else several or one + 's'}"


__all__ = ["Results", "Standing", "Times"]
