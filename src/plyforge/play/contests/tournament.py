"""Tournaments: several players, many games, one table with ratings.

    tournament = Tournament("connect4", ["engine:depth=6", "uct:simulations=500", "random"], games=20)
    standing = tournament.run()
    print(standing.table())

Each pairing is a match (`match.py`): worker processes, the referee, clocks, pairs of games that share an opening. In a
round robin everybody meets everybody; in a gauntlet the first player meets all others.

Invariants:
- All pairings have the same openings, dice and seeds, from the tournament's seed alone.
- With a `record` every finished game is on disk before it counts, as a line with its two players. A tournament that was
  killed goes on where it was; more players and more games may be asked for.
- Ratings are those of `bradley_terry.py`, forfeits counted as lost.
"""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from plyforge.contract import Game
from plyforge.errors import BadLimits, BadText
from plyforge.games import load
from plyforge.play.contests.pairing import PairingGame, PairingRecord
from plyforge.play.match.bradley_terry import Rating, ratings
from plyforge.play.match.match import Match, from_the_start_only
from plyforge.play.match.openings import suitable_plies
from plyforge.play.match.played import GIVEN_UP, PlayedGame
from plyforge.play.match.record import MatchRecord, read_header
from plyforge.play.match.score import Standing
from plyforge.play.players.given import given_players
from plyforge.play.session import GameSession

FORMAT = "plyforge tournament"


class TournamentStanding:
    """How the players stand after some games."""

    def __init__(self, players: Sequence[str], standings: dict[tuple[int, int], Standing]) -> None:
        """`standings` are those of the pairings, by the players' numbers."""
        self.players = tuple(players)
        self.standings = standings
        self.results = {pairing: standing.pairs_of_points() for pairing, standing in standings.items()}
        self.ratings: list[Rating] = ratings(len(players), self.results)

    @property
    def games(self) -> list[PlayedGame]:
        """Those that are finished."""
        return [game for standing in self.standings.values() for game in standing.games]

    def short(self) -> str:
        """In one line, for a tournament that goes on: who leads."""
        leaders = [f"{self.players[player]} {self.ratings[player].elo:+.0f}" for player in self.order[:3]]
        return ", ".join(leaders)

    @property
    def wanted(self) -> int:
        return sum(standing.wanted for standing in self.standings.values())

    @property
    def order(self) -> list[int]:
        """The players' numbers, the best first."""
        return sorted(range(len(self.players)), key=lambda player: -self.ratings[player].elo)

    @property
    def forfeits(self) -> list[int]:
        """How many games each player forfeited."""
        found = [0] * len(self.players)
        for (a, b), standing in self.standings.items():
            found[a] += sum(standing.forfeits["A"].values())
            found[b] += sum(standing.forfeits["B"].values())
        return found

    def between(self, one: int, other: int) -> tuple[float, int]:
        """The points of one player against another, and their games."""
        pairs = self.results.get((one, other))
        if pairs is not None:
            return sum(map(sum, pairs)), sum(map(len, pairs))
        points, games = (0.0, 0) if (other, one) not in self.results else self.between(other, one)
        return games - points, games

    def table(self) -> list[list[str]]:
        """The crosstable as rows of text, the first one its head."""
        order = self.order
        head = ["", "player", "Elo", "+-", "points", "games", *(str(place) for place in range(1, len(order) + 1))]
        rows = [head]
        for place, player in enumerate(order, 1):
            rating = self.ratings[player]
            cells = []
            for other in order:
                points, games = self.between(player, other)
                cells.append("-" if other == player else f"{points:g}/{games}" if games else "")
            elo = f"{rating.elo:+.0f}" if rating.games else "?"
            error = "" if not rating.games else f"{rating.error:.0f}{'' if rating.bounded else ' (open)'}"
            rows.append([str(place), self.players[player], elo, error, f"{rating.points:g}", str(rating.games), *cells])
        return rows

    def to_json(self) -> dict[str, Any]:
        """Plain values, the best player first."""
        forfeits = self.forfeits
        lines = [
            {
                "player": self.players[player],
                "elo": self.ratings[player].elo if self.ratings[player].games else None,
                "error": self.ratings[player].error if self.ratings[player].games else None,
                "bounded": self.ratings[player].bounded,
                "points": self.ratings[player].points,
                "games": self.ratings[player].games,
                "forfeits": forfeits[player],
                "against": [
                    {"player": self.players[other], "points": points, "games": games}
                    for other in self.order
                    for points, games in [self.between(player, other)]
                    if games
                ],
            }
            for player in self.order
        ]
        played = len(self.games)
        return {"games": played, "wanted": self.wanted, "finished": played >= self.wanted, "players": lines}


class Tournament:
    """Matches of several players; see the module's text."""

    def __init__(
        self,
        game: Game | str,
        players: Sequence[Any],
        *,
        games: int = 20,
        gauntlet: bool = False,
        pairings: Sequence[tuple[int, int]] | None = None,
        opening_plies: int | None = None,
        openings: str | Path | None = None,
        record: str | Path | None = None,
        **settings: Any,
    ) -> None:
        """`players` as in a `Match`, at least two different ones; `games` for each pairing, an even number; who
        meets whom may be given by `pairings`, players' numbers. `settings` are those of `Match`: seconds, clock, seed,
        workers, where, plies_limit, tolerance, patience, native,
        adjudication."""
        self.game = load(game)
        if len(players) < 2:
            raise BadLimits(f"a tournament has at least 2 players, not {len(players)}")
        texts = [given.text for given in given_players(players, self.game)]
        twins = [text for text in texts if texts.count(text) > 1]
        if twins:
            raise BadText(f"{twins[0]} was named twice: players are told apart by what describes them; give it a seed")
        if opening_plies is None and openings is None and games > 1 and not from_the_start_only(self.game):
            opening_plies = self._plies_of_record(record)
            opening_plies = suitable_plies(self.game, games // 2) if opening_plies is None else opening_plies
        if pairings is None:
            everybody = itertools.combinations(range(len(players)), 2)
            pairings = [(one, other) for one, other in everybody if one == 0 or not gauntlet]
        self.pairings = list(pairings)
        self.record = record
        self._matches = {
            (one, other): Match(
                self.game,
                players[one],
                players[other],
                games=games,
                opening_plies=opening_plies,
                openings=openings,
                **settings,
            )
            for one, other in self.pairings
        }
        first = next(iter(self._matches.values()))
        self.workers, self.openings_words = first.workers, first.openings_words
        names = dict(enumerate(texts))  # `best` is read as what it stands for
        for (one, other), match in self._matches.items():
            names[one], names[other] = match.players
        self.players = tuple(names[number] for number in range(len(players)))
        self._notes: list[str] = []

    def _plies_of_record(self, record: str | Path | None) -> int | None:
        """A tournament that goes on keeps the openings it has."""
        header = None if record is None else read_header(Path(record).expanduser(), FORMAT)
        said = header.get("openings") if header is not None else None
        plies = said.get("plies") if isinstance(said, dict) else None
        return plies if type(plies) is int and 0 <= plies <= 10_000 else None

    def identity(self) -> dict[str, Any]:
        """What makes it this tournament and no other; who plays is in the line of each game."""
        found = next(iter(self._matches.values())).identity()
        del found["players"]
        return found

    def run(self, on_progress: Callable[[TournamentStanding], object] | None = None) -> TournamentStanding:
        """Play the games that are not on record yet. Ctrl-C is raised as KeyboardInterrupt: `standing` has what was
        finished."""
        with contextlib.ExitStack() as stack:
            if self.record is not None:
                kept = stack.enter_context(MatchRecord(self.record, self.identity(), kind=PairingGame, name=FORMAT))
                self._notes += kept.notes
                for match in self._matches.values():
                    match.kept = PairingRecord(kept, match.players)
                    match._done = match.kept.games
            for match in self._matches.values():
                match.run(None if on_progress is None else lambda _: on_progress(self.standing))
        return self.standing

    @property
    def standing(self) -> TournamentStanding:
        """Of the games that are finished."""
        return TournamentStanding(self.players, {key: match.standing for key, match in self._matches.items()})

    @property
    def wanted(self) -> int:
        """How many games there will be."""
        return sum(match.wanted for match in self._matches.values())

    @property
    def notes(self) -> list[str]:
        """What the record and the workers had to say, each once."""
        return list(dict.fromkeys([*self._notes, *(note for match in self._matches.values() for note in match.notes)]))

    def sessions(self) -> list[GameSession]:
        """All finished games, to be written in a format of the game; who forfeited has resigned."""
        found = []
        for match in self._matches.values():
            for played in match.standing.games:
                session = session_of(self.game, played, match.players)
                found.append(session)
        return found


def session_of(game: Game, played: PlayedGame, players: tuple[str, str]) -> GameSession:
    """A game of a match as a session, every action checked again."""
    session = GameSession(game, played.start, played.seed)
    seats = players if played.first == "A" else players[::-1]
    session.seats = seats
    for text in played.actions:
        session.play_on()
        session.play_text(text)
    if session.over:
        return session
    if played.forfeited is not None or (played.winner in ("A", "B") and played.reason in GIVEN_UP):
        loser = played.forfeited or ("B" if played.winner == "A" else "A")
        session.resign(0 if loser == played.first else 1, late=played.reason == "time")
    elif played.winner == "draw":
        session.agree()
    return session


__all__ = ["Tournament", "TournamentStanding", "session_of"]
