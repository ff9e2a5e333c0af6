"""Matches: many games between two players, the one referee for all figures of strength.

    match = Match("othello", "engine:seconds=0.2", "uct:seconds=0.2", games=100, record="engine-uct.jsonl")
    standing = match.run()
    print(standing.results.text(), standing.estimate.elo_text())

Games come in pairs: an opening is played twice, once with A as the first player and once with B. Games are orders for
workers (`work/`), processes here or on other machines, each of which plays one game after another, both players in it.

Invariants:
- Game number i has its opening, its dice and its players' seeds from the match's seed and i alone. So it does not
  matter which worker plays it, in which order, or after how many interruptions: where players are not timed, the same
  match has the same games.
- A finished game is on disk before it counts (`record.py`).
- A worker that crashes or hangs loses the game for the player that was to move (`worker.py`); it is ended, with the
  programs it had started, and replaced. Compiling is done before, without a clock.

Default number of workers: one for each core that this process may use, divided by the threads of the player with the
most threads, so that no player waits for a core that another one uses.
"""

from __future__ import annotations

import contextlib
import itertools
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from plyforge.contract import Game, defines
from plyforge.errors import BadLimits, PlyforgeError, Unsuitable
from plyforge.games import load
from plyforge.games.as_text import game_text, rules_files
from plyforge.kernel import mix
from plyforge.play.match.adjudication import Adjudication
from plyforge.play.match.at_home import AtHome
from plyforge.play.match.openings import Opening, openings_digest, random_openings, read_openings, suitable_plies
from plyforge.play.match.played import PlayedGame
from plyforge.play.match.record import MatchRecord, read_header, sources_of
from plyforge.play.match.referee import PLIES_LIMIT, TOLERANCE, TimeRules
from plyforge.play.match.score import Standing
from plyforge.play.match.sprt import Sprt, Verdict
from plyforge.play.match.worker import SLACK, Salvage
from plyforge.play.players.given import contestant, given_players
from plyforge.play.players.programs.gtp import GtpPlayer
from plyforge.play.players.spec import explicit
from plyforge.play.session import LARGEST_SEED
from plyforge.search import Clock
from plyforge.work import Coordinator, Terms, cores, hire, undisturbed
from plyforge.work.crew import PREPARING


class Match:
    """Games between A and B; see the module's text."""

    def __init__(
        self,
        game: Game | str,
        a: str | Any,
        b: str | Any,
        *,
        games: int = 100,
        seconds: float | None = None,
        clock: Clock | None = None,
        opening_plies: int | None = None,
        openings: str | Path | None = None,
        seed: int = 0,
        workers: int | None = None,
        plies_limit: int = PLIES_LIMIT,
        tolerance: float = TOLERANCE,
        patience: float | None = None,
        record: str | Path | None = None,
        native: bool | None = None,
        sprt: Sprt | None = None,
        adjudication: Adjudication | None = None,
        where: str | Sequence[str] = (),
    ) -> None:
        """Players are texts, as `contestant` reads them, or objects: a Player, a Search, anything with `choose(game,
        state)`, or a function of a state. Objects that text can't describe play in this process, one game after
        another, and keep the limits that they have. `seconds` for a move or a `clock` hold for those without limits of
        their own.

        `opening_plies` random plies begin each pair (None: as many as give enough openings; 0: none), or the lines of
        the file `openings`. `record` is the file of the games, which is gone on with if it is there; None keeps
        nothing. With `sprt` the match ends as soon as that test is decided, after `games` at the latest. Games are
        played by so many `workers` here, or at the places `where` (as `--on` has them). With `adjudication` the
        referee ends games by what the players expect.
        """
        self.game = load(game)
        if from_the_start_only(self.game):
            if opening_plies or openings is not None:
                raise Unsuitable(
                    f"all games of {type(self.game).__name__} begin at its start: where something is hidden, or all"
                    " choose at once, random openings would be played for the players. Leave out --opening-plies"
                )
            opening_plies = 0
        if self.game.players != 2:
            number = {1: "one player"}.get(self.game.players, f"{self.game.players} players")
            many = "plyforge table plays many games of it, with everybody in every seat"
            few = "plyforge play runs single games of it"
            raise Unsuitable(
                f"a match is between two players; {type(self.game).__name__} has {number}."
                f" {many if self.game.players > 2 else few}"
            )
        self._check_number(games)
        if not 0 <= seed <= LARGEST_SEED:
            raise BadLimits(f"seed is {seed}; it must be a whole number from 0 to 2**64 - 1")
        if workers is not None and workers < 1:
            raise BadLimits(f"there are {workers} workers; there must be at least 1")
        if opening_plies is not None and opening_plies < 0:
            raise BadLimits(f"openings of {opening_plies} plies can't be: write 0 or more")
        if opening_plies is not None and openings is not None:
            raise BadLimits("openings are random plies or those of a file, not both")
        self.wanted, self.seed, self.record, self.sprt = games, seed, record, sprt
        self.kept: Any = None
        """Where somebody else keeps the games: something with `games` and `add_all`."""
        a, b = (
            explicit(player.strip(), self.game, 1, contest=True, native=native) if isinstance(player, str) else player
            for player in (a, b)
        )
        seated = given_players((a, b), self.game)
        self.players = (seated[0].text, seated[1].text)
        if adjudication is not None:
            adjudication.require(self.game)
        self.time_rules = TimeRules(seconds, clock, tolerance, patience, plies_limit, adjudication)
        self.native = native
        contestants = [contestant(given, self.game, seconds=seconds, clock=clock, native=native) for given in seated]
        self._files = [file for player in contestants for file in player.files]
        self.at_home = contestants if any(given.player is not None for given in seated) else None
        """Who plays in this process; None if workers do."""
        if self.at_home and where:
            raise Unsuitable("workers can't be given objects as players: describe them as text, or play here")
        self.where = where or "local"
        at_once = workers or max(1, cores() // max(player.threads for player in contestants))
        self.workers = 1 if self.at_home else workers if where else at_once
        """Games at a time; None where the places say it."""
        self._choose_openings(opening_plies, openings)
        programs = [player.description for player in contestants if isinstance(player, GtpPlayer)]
        if programs and any(opening.start is not None for opening in self.openings):
            raise Unsuitable(
                f"{programs[0]}: a program can't be given a state over GTP: write the openings as moves from the start"
            )
        self.notes: list[str] = []
        """What the workers have to say about compiling, each once."""

    @property
    def pairs(self) -> int:
        return self.wanted // 2

    def _check_number(self, games: int) -> None:
        if games < 2 or games % 2:
            raise BadLimits(
                f"a match has an even number of games, not {games}: every opening is played with both colours"
            )

    def _choose_openings(self, plies: int | None, file: str | Path | None) -> None:
        """Sets `openings`, one for each pair, and how the identity describes them."""
        if file is not None:
            found = read_openings(file, self.game)
            self.openings = found[: self.pairs]
            self._openings_text: dict[str, Any] = {"file": openings_digest(found)}
            where = f"{file} has"
        else:
            if plies is None:
                plies = self._plies_of_record()
            if plies is None:
                plies = suitable_plies(self.game, self.pairs)
            self.openings = list(itertools.islice(random_openings(self.game, plies, self.seed), self.pairs))
            self._openings_text = {"plies": plies}
            where = f"{type(self.game).__name__} has, after {plies} plies,"
        if len(self.openings) < self.pairs:
            raise PlyforgeError(
                f"{where} {len(self.openings)} openings, and {self.wanted} games need {self.pairs}: play at most"
                f" {2 * len(self.openings)} games, or"
                f" {'name another file' if file is not None else 'give another number of --opening-plies'}"
            )

    @property
    def openings_words(self) -> str:
        """Where games begin, in words."""
        if "file" in self._openings_text:
            return "openings of a file"
        plies = self._openings_text["plies"]
        return f"after {plies} random {'ply' if plies == 1 else 'plies'}" if plies else "from the start"

    def _plies_of_record(self) -> int | None:
        """A match that goes on, perhaps with more games, keeps the openings it has."""
        header = None if self.record is None else read_header(Path(self.record).expanduser())
        said = header.get("openings") if header is not None else None
        plies = said.get("plies") if isinstance(said, dict) else None
        return plies if type(plies) is int and 0 <= plies <= 10_000 else None

    def identity(self) -> dict[str, Any]:
        """What makes it this match and no other: the first line of its record."""
        clock, adjudication = self.time_rules.clock, self.time_rules.adjudication
        return {
            "game": game_text(self.game),
            "players": list(self.players),
            "seconds": self.time_rules.seconds,
            "clock": None if clock is None else str(clock),
            "tolerance": self.time_rules.tolerance,
            "patience": self.time_rules.patience,
            "plies_limit": self.time_rules.plies_limit,
            "openings": self._openings_text,
            "seed": self.seed,
            "native": self.native,
            "sources": sources_of(self.game, self._files),
        } | ({} if adjudication is None else {"adjudication": adjudication.text()})

    def order(self, number: int) -> dict[str, Any]:
        """What a worker is told to play."""
        opening: Opening = self.openings[number // 2]
        return {
            "number": number,
            "first": "AB"[number % 2],
            "seed": int(mix(mix(self.seed, 0x6D61746368), number // 2)) >> 1,
            "start": opening.start,
            "actions": list(opening.actions),
        }

    # ------------------------------------------------------------ running
    def run(self, on_progress: Callable[[Standing], object] | None = None) -> Standing:
        """Play the games that are not on record yet; how the match stands then.

        `on_progress` is told after each game. Ctrl-C stops all workers and is raised as KeyboardInterrupt: what was
        finished is kept, and `standing` counts it.
        """
        self._done: dict[int, PlayedGame] = {}
        with contextlib.ExitStack() as stack:
            kept = self._open_record(stack)
            if kept is not None:
                self._done = kept.games
            left = [number for number in range(self.wanted) if number not in self._done]
            if on_progress is not None:
                on_progress(self.standing)
            if left and not self.decided:
                keeper = Keeper(self._done, kept)
                play = self._by_workers if self.at_home is None else self._at_home
                for _ in play(left, keeper, stack):
                    if on_progress is not None:
                        on_progress(self.standing)
                    if self.decided:
                        break
        return self.standing

    def _by_workers(self, left: list[int], keeper: Keeper, stack: contextlib.ExitStack) -> Iterator[object]:
        """Something for each game that workers have finished, and that is kept."""
        terms = Terms.of(
            "plyforge.play.match.worker:games_of", self.identity(), [*rules_files(self.game), *self._files]
        )
        most = None if self.workers is None else min(self.workers, len(left))
        crew = stack.enter_context(hire(terms, self.where, most))
        crew.notes = self.notes
        coordinator = Coordinator(
            crew, patience=PREPARING + SLACK, salvage=Salvage(self.order, self.notes.append), one="game"
        )
        return coordinator.results({number: self.order(number) for number in left}, keeper)

    def _at_home(self, left: list[int], keeper: Keeper, stack: contextlib.ExitStack) -> Iterator[object]:
        """The same for games in this process."""
        assert self.at_home is not None
        games = AtHome(self, deque(left), self.at_home)
        stack.callback(games.close)
        for game in games.games():
            with undisturbed():
                keeper.add_all([(game.number, game.to_json())])
            yield game

    @property
    def verdict(self) -> Verdict | None:
        """How the test stands; None if there is none."""
        return None if self.sprt is None else self.sprt.after(self.standing.pairs_in_order())

    @property
    def decided(self) -> bool:
        """True once the test is decided."""
        verdict = self.verdict
        return verdict is not None and verdict.accepted is not None

    @property
    def standing(self) -> Standing:
        """Of the games that are finished."""
        finished = getattr(self, "_done", {})
        return Standing([game for game in finished.values() if game.number < self.wanted], self.wanted)

    def _open_record(self, stack: contextlib.ExitStack) -> Any:
        """Where games are kept: something with `games`, by their numbers, and `add_all`. None keeps nothing."""
        if self.kept is not None or self.record is None:
            return self.kept
        kept = stack.enter_context(MatchRecord(self.record, self.identity()))
        self.notes += kept.notes
        return kept


@dataclass(frozen=True)
class Keeper:
    """Where finished games go, as workers give them: on record, if there is one, before they count."""

    done: dict[int, PlayedGame]
    record: Any = None
    """Something with `games`, which is `done`, and `add_all`."""

    def add_all(self, results: list[tuple[int, Any]]) -> None:
        """Keep them all, or none."""
        games = {number: PlayedGame.from_json(said) for number, said in results}
        if self.record is not None:
            self.record.add_all(games.items())
        else:
            self.done.update(games)


def from_the_start_only(game: Game) -> bool:
    """True for games without openings: something is hidden, or players choose at the same time."""
    return bool(game.hidden_information or defines(game, "legal_actions"))


__all__ = ["Match", "cores", "from_the_start_only"]
