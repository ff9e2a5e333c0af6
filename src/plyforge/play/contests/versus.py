"""Assumption against reality: what each way to think of an opponent is worth against each kind of opponent.

    versus = Versus("pacman(maze='trap')", assume=["minimax", "expectimax"], against=["adversarial", "random"],
    games=100)
    versus.run()
    for cell in versus.cells:
        print(cell.assume, cell.against, cell.standing.results.text(), cell.mean)

A search that plans for the worst is safe against everybody and leaves something on the table against those who err; one
that plans for the average takes what they leave, and is lost if they don't. The lectures show it with Pacman; here it
is a table for any game of two sides, with dice or without. The hero, who assumes, has the same seat in all games; the
opponent has the other one.

Invariants:
- Game number i begins, in every cell, with the same random opening and has the same dice: cells differ by who plays,
  and by nothing else.
- Openings are drawn independently, so the games of a cell are independent samples, and the error of the mean is that of
  a sample; equal games may come up twice, and `distinct` says how many do not.
- The games are those of a match (`match.py`): played in worker processes, by the referee.
- With a `record` every finished game is on disk before it counts (`match/record.py`), as a line with the two players. A
  table that was stopped goes on where it was; more games and more cells may be asked for.
"""

from __future__ import annotations

import contextlib
import math
import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from plyforge.contract import Game
from plyforge.errors import BadLimits, BadText, Unsuitable
from plyforge.games import load
from plyforge.kernel import mix
from plyforge.play.contests.pairing import PairingGame, PairingRecord
from plyforge.play.formats.record import game_text
from plyforge.play.match.match import Match
from plyforge.play.match.openings import opening_at
from plyforge.play.match.rating import Estimate, estimate, student
from plyforge.play.match.record import MatchRecord, sources_of
from plyforge.play.match.referee import PLIES_LIMIT
from plyforge.play.match.score import Standing
from plyforge.play.players.engines import with_program
from plyforge.play.players.spec import PROGRAMS, player_kinds
from plyforge.search import suitable
from plyforge.search.core.requirements import ANY_GAME

FORMAT = "plyforge versus"
ROUNDS = 4
"""How far the hero looks where nobody says: as Pacman does in the lectures."""
AGAINST_ROUNDS = 2
"""How far an adversary looks where nobody says: as the ghosts do there."""
SHARE = 0.5
"""How often a mixed opponent plays as an adversary, where nobody says."""
ASSUMPTIONS = ("minimax", "expectimax", "reflex")
REALITIES = ("adversarial", "random", "mixed")


@dataclass
class Cell:
    """One assumption against one reality."""

    assume: str
    """As it was named."""
    against: str
    """As it was named."""
    players: tuple[str, str]
    """The hero and the opponent, as `contestant` reads them."""
    seat: int
    """The hero's."""
    game: Game
    standing: Standing = field(default_factory=lambda: Standing([], 0))
    """How the games stand that were played; A is the hero."""

    @property
    def utilities(self) -> list[float]:
        """What the hero got, game by game. Play that was drawn without an end by the rules counts as the middle;
        forfeits do not count."""
        middle = (self.game.utility_sum or 0.0) / 2
        return [
            middle if game.utilities is None else game.utilities[self.seat]
            for game in self.standing.games
            if game.forfeited is None
        ]

    @property
    def mean(self) -> float | None:
        """What the hero got on average; None before the first game."""
        return statistics.fmean(self.utilities) if self.utilities else None

    @property
    def error(self) -> float | None:
        """Half of the mean's 95 % interval; None with fewer than two games."""
        count = len(self.utilities)
        return None if count < 2 else student(count - 1) * statistics.stdev(self.utilities) / math.sqrt(count)

    @property
    def won(self) -> Estimate | None:
        """The share of games won, draws counted half, with its 95 % interval."""
        points = [points for game in self.standing.games if (points := game.points()) is not None]
        return estimate([[point] for point in points])

    @property
    def distinct(self) -> int:
        """How many different games there were."""
        return len({game.actions for game in self.standing.games})

    def to_json(self) -> dict[str, Any]:
        """Plain values."""
        won = self.won
        return {
            "assume": self.assume, "against": self.against, "players": list(self.players),
            "games": len(self.standing.games), **self.standing.results.to_json(), "forfeits": self.standing.forfeited,
            "won": None if won is None else {"score": won.score, "low": won.low, "high": won.high},
            "mean": self.mean, "error": self.error, "distinct": self.distinct,
        }  # fmt: skip


class Versus:
    """A table of cells; see the module's text."""

    def __init__(
        self,
        game: Game | str,
        assume: Sequence[str] = ("minimax", "expectimax"),
        against: Sequence[str] = REALITIES,
        *,
        games: int = 100,
        depth: int | None = None,
        against_depth: int | None = None,
        share: float = SHARE,
        seat: int = 0,
        opening_plies: int | None = None,
        seed: int = 0,
        workers: int | None = None,
        where: str | Sequence[str] = (),
        record: str | Path | None = None,
        native: bool | None = None,
    ) -> None:
        """`assume` are names of ASSUMPTIONS or players, `against` names of REALITIES or players, as in a match. Depths
        are in plies; by default ROUNDS and AGAINST_ROUNDS.

        `share` is how often a mixed opponent plays as an adversary, `seat` which player the hero is. Without dice each
        game begins with `opening_plies` random plies, by default one round. `record` is the file of the games, which is
        gone on with if it is there; None keeps nothing.
        """
        self.game = load(game)
        if self.game.hidden_information:
            ANY_GAME.check(self.game, "comparing assumptions")
        if self.game.players != 2 or self.game.utility_sum is None:
            raise Unsuitable(
                "assumptions are compared in games of two sides, where one wins what the other loses;"
                f" {type(self.game).__name__} is not one"
            )
        if seat not in (0, 1):
            raise BadLimits(f"seat is {seat}; the hero is player 0 or player 1")
        if not 0.0 <= share <= 1.0:
            raise BadLimits(f"share is {share:g}; it must be a probability, from 0 to 1")
        for name, value in (("depth", depth), ("against_depth", against_depth)):
            if value is not None and value < 1:
                raise BadLimits(f"{name} is {value}; it must be at least 1 ply")
        self.depth = depth or ROUNDS * self.game.notation.agents(self.game)
        self.against_depth = against_depth or AGAINST_ROUNDS * self.game.notation.agents(self.game)
        self.share, self.seat, self.wanted, self.seed = share, seat, games, seed
        if opening_plies is None:
            opening_plies = 0 if self.game.has_chance else self.game.notation.agents(self.game)
        self.opening_plies = opening_plies
        self.cells = [
            Cell(a, b, (self._player(a, ASSUMPTIONS), self._player(b, REALITIES)), seat, self.game)
            for a in map(str.strip, assume)
            for b in map(str.strip, against)
        ]
        if not self.cells:
            raise BadLimits("there is nothing to compare: name at least one assumption and one opponent")
        settings = {"opening_plies": opening_plies, "seed": seed, "workers": workers, "where": where, "native": native}
        self._contests = [Contest(cell, games, **settings) for cell in self.cells]
        self.workers = self._contests[0].workers
        self.record, self.native = record, native
        self._notes: list[str] = []

    def _player(self, name: str, known: tuple[str, ...]) -> str:
        """The description of the player behind a name."""
        textbook = suitable(self.game)
        names = {
            "minimax": f"{textbook}:depth={self.depth}",
            "expectimax": f"expectimax:depth={self.depth}",
            "reflex": f"{textbook}:depth=1",
            "adversarial": f"{textbook}:depth={self.against_depth}",
            "mixed": f"mixed:share={self.share:g},depth={self.against_depth}",
            "random": "random",
        }
        if name in names and (name in known or name in ("random", "reflex")):
            return names[name]
        name = with_program(name)
        kind = name.partition(":")[0].replace("-", "_").lower()
        if ":" in name and (kind in player_kinds() or kind in PROGRAMS):
            return name
        raise BadText(
            f"{name!r} is not understood here: write {', '.join(known)}, or a player with its limits as in"
            " uct:simulations=1000"
        )

    def run(self, on_progress: Callable[[Cell], object] | None = None) -> list[Cell]:
        """Play the games that are not on record yet, cell after cell. Ctrl-C is raised as KeyboardInterrupt: `cells`
        hold what was finished."""
        with contextlib.ExitStack() as stack:
            if self.record is not None:
                kept = stack.enter_context(MatchRecord(self.record, self.identity(), kind=PairingGame, name=FORMAT))
                self._notes += kept.notes
                for contest in self._contests:
                    contest.kept = PairingRecord(kept, contest.players)
            for cell, contest in zip(self.cells, self._contests, strict=True):

                def note(standing: Standing, cell: Cell = cell) -> None:
                    cell.standing = standing
                    if on_progress is not None:
                        on_progress(cell)

                contest.run(note)
        return self.cells

    def identity(self) -> dict[str, Any]:
        """What makes it this table and no other: the first line of its record. Who plays is in the line of each
        game."""
        return {
            "game": game_text(self.game),
            "seat": self.seat,
            "opening_plies": self.opening_plies,
            "seed": self.seed,
            "native": self.native,
            "sources": sources_of(self.game),
        }

    @property
    def notes(self) -> list[str]:
        """What the record and the workers had to say, each once."""
        said = [note for contest in self._contests for note in contest.notes]
        return list(dict.fromkeys([*self._notes, *said]))


class Contest(Match):
    """The games of one cell: a match in which nobody changes seats."""

    def __init__(self, cell: Cell, games: int, **settings: Any) -> None:
        self.seat = cell.seat
        super().__init__(
            cell.game,
            *cell.players,
            games=games,
            plies_limit=max(PLIES_LIMIT, cell.game.heuristics.plies_left(cell.game, cell.game.start())),
            **settings,
        )

    def _check_number(self, games: int) -> None:
        if games < 1:
            raise BadLimits(f"there are {games} games; there must be at least 1")

    def _choose_openings(self, plies: int | None, file: str | Path | None) -> None:
        assert plies is not None
        self._openings_text = {"plies": plies}
        self.openings = [opening_at(self.game, plies, int(mix(self.seed, number))) for number in range(self.wanted)]

    def order(self, number: int) -> dict[str, Any]:
        return {
            "number": number,
            "first": "AB"[self.seat],
            "seed": int(mix(mix(self.seed, 0x766572737573), number)) >> 1,
            "start": None,
            "actions": list(self.openings[number].actions),
        }


__all__ = ["AGAINST_ROUNDS", "ASSUMPTIONS", "REALITIES", "ROUNDS", "SHARE", "Cell", "Contest", "Versus"]
