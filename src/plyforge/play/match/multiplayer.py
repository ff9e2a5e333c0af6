"""Many games round a table: any number of players, and every player in every seat.

    table = TableMatch("chinese_checkers", ["max_n:nodes=20000", "paranoid:nodes=20000", "best_reply:nodes=20000"],
    rounds=20)
    for line in table.run().lines:
        print(line.player, line.payoff.score_text(), line.wins)

With three or more players it matters where one sits, and between whom. So a round is one opening, played with all
seatings: all orders of the players, or, where those are too many, all rotations of their order. Two descriptions that
are the same are the same player. Games run one after the other in this process, or by workers (`work/`), so players
need limits of their own that are not time: depth, nodes or simulations; agents of somebody's own (`python:`, `talk:`)
play, too. The referee is that of matches, `referee.py`. Matches of two, with clocks and programs over GTP and UCI, are
`match.py`.

Claim: the interval of a payoff is one of 95 %, taken over rounds: games of a round share an opening, and are not
independent. Every opening, seating and seed follows from the match's seed: the same match has the same games. With a
`record` every finished game is on disk before it counts (`record.py`), and a match that was stopped goes on where
it was.
"""

from __future__ import annotations

import contextlib
import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from plyforge.contract import Game
from plyforge.errors import BadLimits, BadText, PlyforgeError, Unsuitable
from plyforge.games import load
from plyforge.games.as_text import game_text, rules_files
from plyforge.kernel import mix
from plyforge.play.match.match import from_the_start_only
from plyforge.play.match.openings import random_openings
from plyforge.play.match.rating import Estimate, estimate
from plyforge.play.match.record import MatchRecord, sources_of
from plyforge.play.match.referee import Referee, TimeRules
from plyforge.play.players.given import Given, contestant, given_players
from plyforge.play.players.player import Player
from plyforge.play.players.programs.program_player import ProgramPlayer
from plyforge.play.players.spec import explicit
from plyforge.play.session import LARGEST_SEED
from plyforge.play.words import counted
from plyforge.work import Coordinator, Doer, Order, Terms, hire, undisturbed

FORMAT = "plyforge table"
ALL_ORDERS = 4
"""Up to so many players all orders are seatings, 24 for four; beyond that, rotations."""
Number = tuple[int, tuple[int, ...]]
"""A round and a seating."""
PLIES_LIMIT = 10_000
"""A game this long ends with nobody having won."""


@dataclass(frozen=True)
class TableGame:
    """A game that has ended."""

    round: int
    seats: tuple[int, ...]
    """The number of the player in each seat."""
    actions: tuple[str, ...]
    payoffs: tuple[float, ...]
    """By seat."""
    winners: tuple[int, ...]
    """Seats; empty if nobody won."""
    forfeited: int | None = None
    """The seat of who lost otherwise than by play: it gets the worst payoff, and the others share the rest."""
    message: str = ""
    """What happened then."""

    @property
    def number(self) -> tuple[int, tuple[int, ...]]:
        """No two games of a match have the same."""
        return self.round, self.seats

    def to_json(self) -> dict[str, Any]:
        """Plain values."""
        found = {
            name: list(value) if isinstance(value := getattr(self, name), tuple) else value for name in _GAME_FIELDS
        }
        return found if self.forfeited is None else found | {"forfeited": self.forfeited, "message": self.message}

    @classmethod
    def from_json(cls, data: Any) -> TableGame:
        """Read it back, each field checked. Raises BadText."""
        if not isinstance(data, dict) or set(data) - {"forfeited", "message"} != set(_GAME_FIELDS):
            raise BadText("it does not have the fields of a game")
        forfeited, message = data.get("forfeited"), data.get("message", "")
        if not (forfeited is None or type(forfeited) is int) or not isinstance(message, str):
            raise BadText(f"forfeited can't be {str(forfeited)[:60]!r}")
        if type(data["round"]) is not int or data["round"] < 0:
            raise BadText(f"round can't be {str(data['round'])[:60]!r}")
        for name, kinds in _GAME_FIELDS.items():
            value = data[name]
            if kinds and not (isinstance(value, list) and all(type(item) in kinds for item in value)):
                raise BadText(f"{name} can't be {str(value)[:60]!r}")
        if len(data["payoffs"]) != len(data["seats"]):
            raise BadText("it does not have a payoff for each seat")
        seats, actions, payoffs, winners = (tuple(data[name]) for name in ("seats", "actions", "payoffs", "winners"))
        return cls(data["round"], seats, actions, payoffs, winners, forfeited, message)


_GAME_FIELDS: dict[str, tuple[type, ...]] = {
    "round": (), "seats": (int,), "actions": (str,), "payoffs": (int, float), "winners": (int,),
}  # fmt: skip
"""What the lists of a game have in them."""


@dataclass(frozen=True)
class TableLine:
    """How one player stands."""

    player: str
    wins: float
    """A shared win counts as a part of one."""
    games: int
    payoff: Estimate
    """What a game brings, as a part of the way from the worst payoff to the best, with its interval."""
    by_seat: tuple[float, ...]
    """The same for each seat."""


@dataclass
class TableStanding:
    """How the players stand after some games."""

    game: Game
    players: tuple[str, ...]
    games: list[TableGame] = field(default_factory=list)

    @property
    def lines(self) -> list[TableLine]:
        """One for each different player, the best first."""
        found = [self._line(number) for number in range(len(self.players))]
        return sorted(found, key=lambda line: -line.payoff.score)

    def _line(self, number: int) -> TableLine:
        span = self.game.max_utility - self.game.min_utility
        rounds: dict[int, list[float]] = {}
        seats: list[list[float]] = [[] for _ in range(self.game.players)]
        wins = 0.0
        for game in self.games:
            for seat, player in enumerate(game.seats):
                if player == number:
                    part = (game.payoffs[seat] - self.game.min_utility) / span if span else 0.0
                    rounds.setdefault(game.round, []).append(part)
                    seats[seat].append(part)
                    wins += (seat in game.winners) / max(1, len(game.winners))
        payoff = estimate(list(rounds.values()))
        assert payoff is not None, "a standing is asked for after a game"
        means = tuple(sum(parts) / len(parts) if parts else math.nan for parts in seats)
        return TableLine(self.players[number], wins, payoff.games, payoff, means)


class TableMatch:
    """Games round a table; see the module's text."""

    def __init__(
        self,
        game: Game | str,
        players: Sequence[Any],
        *,
        rounds: int = 10,
        opening_plies: int | None = None,
        seed: int = 0,
        record: str | Path | None = None,
        native: bool | None = None,
        workers: int | None = None,
        where: str | Sequence[str] = (),
    ) -> None:
        """As many players as the game has seats: descriptions that `contestant` reads, or objects, as in `Match`.
        `opening_plies` random plies begin each round; None: one for each seat.

        `record` is the file of the games, which is gone on with if it is there; None keeps nothing. So many `workers`,
        or those at the places `where` (as `--on` has them), play the same games.
        """
        self.game = load(game)
        if from_the_start_only(self.game):
            if opening_plies:
                raise BadLimits(f"all games of {type(self.game).__name__} begin at its start: leave out the openings")
            opening_plies = 0
        if len(players) != self.game.players:
            raise BadLimits(
                f"{type(self.game).__name__} has {self.game.players} seats, and {len(players)} players were named: name"
                " one for each seat, the same one twice if you like"
            )
        if rounds < 1 or not 0 <= seed <= LARGEST_SEED:
            raise BadLimits(f"there must be at least 1 round, and a seed from 0 to 2**64 - 1, not {rounds} and {seed}")
        named = [explicit(text.strip(), self.game, 1) if isinstance(text, str) else text for text in players]
        seated = given_players(named, self.game)
        texts = [given.text for given in seated]
        self._objects = {given.text: given.player for given in seated}
        self.players = tuple(dict.fromkeys(texts))
        """The different ones."""
        self.order = tuple(self.players.index(text) for text in texts)
        self.rounds, self.seed, self.native, self.record = rounds, seed, native, record
        self.workers, self.where = workers, where
        self.by_workers = workers not in (None, 1) or bool(where)
        if self.by_workers and any(given.player is not None for given in seated):
            raise Unsuitable("workers can't be given objects as players: describe them as text, or play with 1 worker")
        self.notes: list[str] = []
        """What there is to say of the record."""
        # everybody is there once for each seat, so that twins don't share what they learn
        self._seated = [[self._contestant(text) for text in self.players] for _ in range(self.game.players)]
        plies = self.game.players if opening_plies is None else opening_plies
        self.opening_plies = plies
        self.openings = list(itertools.islice(random_openings(self.game, plies, seed), rounds))
        if len(self.openings) < rounds:
            raise BadLimits(
                f"{rounds} rounds want an opening each, and {type(self.game).__name__} has {len(self.openings)} of"
                f" {counted(plies, 'ply', 'plies')}: play at most so many rounds, or give another number of plies"
            )

    def _contestant(self, text: str) -> Player:
        player = contestant(Given(text, self._objects[text]), self.game, native=self.native)
        if not isinstance(player, ProgramPlayer) and (not player.limited or player.seconds is not None):
            raise BadText(
                f"{text}: give it a limit that is not time: depth, nodes or simulations, as in"
                f" {text.partition(':')[0]}:nodes=10000"
            )
        return player

    def seatings(self) -> list[tuple[int, ...]]:
        """Who sits where, by the players' numbers: each different seating once."""
        if len(self.order) <= ALL_ORDERS:
            return sorted(set(itertools.permutations(self.order)))
        return sorted({self.order[turn:] + self.order[:turn] for turn in range(len(self.order))})

    @property
    def wanted(self) -> int:
        """How many games there will be."""
        return self.rounds * len(self.seatings())

    def run(self, on_progress: Callable[[TableStanding], object] | None = None) -> TableStanding:
        """Play the games that are not on record yet; how the players stand then. Ctrl-C is raised as
        KeyboardInterrupt: `standing` has what was finished."""
        self.standing = TableStanding(self.game, self.players)
        with contextlib.ExitStack() as stack:
            kept = None
            if self.record is not None:
                kept = stack.enter_context(MatchRecord(self.record, self.identity(), kind=TableGame, name=FORMAT))
                self.notes += kept.notes
            left = []
            for number in range(self.rounds):
                for seats in self.seatings():
                    if kept is not None and (number, seats) in kept.games:
                        self.standing.games.append(kept.games[number, seats])
                    else:
                        left.append((number, seats))
            for player in itertools.chain(*self._seated):
                stack.callback(player.close)
            games = self._played_by_workers if self.by_workers else self._played_here
            for game in games(left, kept) if left else ():
                self.standing.games.append(game)
                if on_progress is not None:
                    on_progress(self.standing)
        return self.standing

    def prepare(self) -> None:
        """Compile what the players need."""
        for player in itertools.chain(*self._seated):
            player.prepare(self.game)

    def _played_here(self, left: list[Number], kept: MatchRecord | None) -> Iterator[TableGame]:
        """One game after the other, each on record before it is yielded."""
        self.prepare()
        for number, seats in left:
            game = self.play(number, seats)
            if kept is not None:
                with undisturbed():
                    kept.add(game)
            yield game

    def _played_by_workers(self, left: list[Number], kept: MatchRecord | None) -> Iterator[TableGame]:
        """The same games as they come."""
        data = {
            "game": game_text(self.game),
            "players": [self.players[number] for number in self.order],
            "rounds": self.rounds,
            "opening_plies": self.opening_plies,
            "seed": self.seed,
            "native": self.native,
        }
        terms = Terms.of("plyforge.play.match.multiplayer:games_of", data, rules_files(self.game))
        orders = {place: [number, list(seats)] for place, (number, seats) in enumerate(left)}
        with hire(terms, self.where or "local", self.workers) as crew:
            for _, said in Coordinator(crew).results(orders, None if kept is None else GameKeeper(kept)):
                yield TableGame.from_json(said)

    def identity(self) -> dict[str, Any]:
        """What makes it this match and no other: the first line of its record."""
        return {
            "game": game_text(self.game),
            "players": [self.players[number] for number in self.order],
            "opening_plies": self.opening_plies,
            "seed": self.seed,
            "native": self.native,
            "sources": sources_of(self.game),
        }

    def play(self, number: int, seats: tuple[int, ...]) -> TableGame:
        """One game, from the opening of its round."""
        opening, seed = self.openings[number], int(mix(mix(self.seed, 0x7461626C65), number)) >> 1
        at_table = [self._seated[seat][player] for seat, player in enumerate(seats)]
        names = [str(seat) for seat in range(len(seats))]
        referee = Referee(self.game, at_table, TimeRules(plies_limit=PLIES_LIMIT), names=names)
        end = referee.run(names, opening, seed, [seed + seat for seat in range(len(seats))])
        spoilt = [player.description for player in at_table if player.spoilt]
        if spoilt:
            raise PlyforgeError(f"{spoilt[0]} can't be stopped, and the games can't go on beside it")
        whole = self.game.utility_sum or 0.0
        gains = (whole / len(seats),) * len(seats) if end.utilities is None else end.utilities
        if end.forfeited is not None:
            least = self.game.min_utility
            others = (whole - least) / (len(seats) - 1) if len(seats) > 1 else least
            gains = tuple(least if seat == end.forfeited else others for seat in range(len(seats)))
        return TableGame(
            number,
            seats,
            tuple(referee.actions),
            tuple(map(float, gains)),
            end.winners,
            end.forfeited,
            end.message,
        )


@dataclass(frozen=True)
class GameKeeper:
    """A record of games, for results as workers give them."""

    record: MatchRecord

    def add_all(self, results: list[tuple[int, Any]]) -> None:
        """Keep them all, or none."""
        games = [TableGame.from_json(said) for _, said in results]
        self.record.add_all((game.number, game) for game in games)


def games_of(data: dict[str, Any]) -> Doer:
    """At a worker: plays games of a table."""
    table = TableMatch(data.pop("game"), data.pop("players"), **data)
    table.prepare()

    def do(order: Order) -> dict[str, Any]:
        number, seats = order.given
        return table.play(number, tuple(seats)).to_json()

    return do


def to_json(table: TableMatch, standing: TableStanding) -> dict[str, Any]:
    """A standing as plain values."""
    return {
        "players": list(table.players),
        "rounds": table.rounds,
        "seed": table.seed,
        "games": len(standing.games),
        "wanted": table.wanted,
        "lines": [
            {
                "player": line.player,
                "wins": line.wins,
                "games": line.games,
                "payoff": line.payoff.score,
                "low": line.payoff.low,
                "high": line.payoff.high,
                "by_seat": [None if math.isnan(part) else part for part in line.by_seat],
            }
            for line in (standing.lines if standing.games else [])
        ],
    }


__all__ = ["TableGame", "TableLine", "TableMatch", "TableStanding", "to_json"]
