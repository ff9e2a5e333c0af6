"""Matches: many games between two players, the one referee for all figures of strength.

    match = Match("othello", "engine:seconds=0.2", "uct:seconds=0.2", games=100, record="engine-uct.jsonl")
    standing = match.run()
    print(standing.results.text(), standing.estimate.elo_text())

Games come in pairs: an opening is played twice, once with A as the first player and once with B. Each worker process
plays one game after another, both players in it; this process hands out the games, watches the workers, and writes down
what they finish.

Invariants:
- Game number i has its opening, its dice and its players' seeds from the match's seed and i alone. So it does not
  matter which worker plays it, in which order, or after how many interruptions: where players are not timed, the same
  match has the same games.
- A finished game is on disk before it counts (`record.py`).
- A worker that crashes, or is silent beyond its player's patience, loses the game for the player that was to move; it
  is killed, with the programs it had started, and replaced. Compiling is done before, without a clock.
- A worker that is ended from outside (`FROM_OUTSIDE`) is nobody's crash: its game is played again, from its beginning.
  Only after MOST_REPLAYS of them is it taken for its player's: it may be ended for the memory that the player takes.

Default number of workers: one for each core that this process may use, divided by the threads of the player with the
most threads, so that no player waits for a core that another one uses.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import math
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from collections import Counter, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from plyforge.contract import Game, defines
from plyforge.errors import BadLimits, PlyforgeError, Unsuitable
from plyforge.games import load
from plyforge.kernel import mix
from plyforge.play.formats.record import game_text
from plyforge.play.match.adjudication import Adjudication
from plyforge.play.match.at_home import AtHome
from plyforge.play.match.openings import Opening, openings_digest, random_openings, read_openings, suitable_plies
from plyforge.play.match.played import PlayedGame
from plyforge.play.match.record import MatchRecord, read_header, sources_of
from plyforge.play.match.referee import PLIES_LIMIT, TOLERANCE, TimeRules
from plyforge.play.match.score import Standing
from plyforge.play.match.sprt import Sprt, Verdict
from plyforge.play.players.given import contestant, given_players
from plyforge.play.players.programs.gtp import GtpPlayer
from plyforge.play.players.spec import explicit
from plyforge.play.protocols.process import LAST_WORDS_SECONDS, kill_session
from plyforge.play.session import LARGEST_SEED
from plyforge.search import Clock
from plyforge.work import cores, undisturbed

PREPARING = 1800.0
"""Seconds in which rules must have been compiled and programs started."""
SLACK = 30.0
"""Seconds beyond a player's patience before its worker is killed: usually the worker stops the player itself."""
CLOSING = 0.5
"""Seconds in which a worker should be gone when nobody needs it any more."""
ERRORS_KEPT = 30
"""Last lines that a worker wrote on standard error, kept for messages."""
MOST_FAILURES = 5
"""Workers in a row that may end before any player was asked."""
MOST_REPLAYS = 3
"""So often a game is played again whose worker was ended from outside."""
FROM_OUTSIDE = {
    -getattr(signal, name) for name in ("SIGKILL", "SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT") if hasattr(signal, name)
}
"""Exit codes of processes that somebody else has ended: a crash has other signals."""
TICK = 0.25
"""Seconds between two looks at Ctrl-C."""


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
    ) -> None:
        """Players are texts, as `contestant` reads them, or objects: a Player, a Search, anything with `choose(game,
        state)`, or a function of a state. Objects that text can't describe play in this process, one game after
        another, and keep the limits that they have. `seconds` for a move or a `clock` hold for those without limits of
        their own.

        `opening_plies` random plies begin each pair (None: as many as give enough openings; 0: none), or the lines of
        the file `openings`. `record` is the file of the games, which is gone on with if it is there; None keeps
        nothing. With `sprt` the match ends as soon as that test is decided, after `games` at the latest. With
        `adjudication` the referee ends games by what the players expect.
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
        """Where somebody else keeps the games: something with `games` and `add`."""
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
        self.workers = (
            1 if self.at_home else workers or max(1, cores() // max(player.threads for player in contestants))
        )
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
            left = deque(number for number in range(self.wanted) if number not in self._done)
            if on_progress is not None:
                on_progress(self.standing)
            if left and not self.decided:
                crew: Crew | AtHome = Crew(self, left) if self.at_home is None else AtHome(self, left, self.at_home)
                stack.callback(crew.close)
                for game in crew.games():
                    with undisturbed():
                        if kept is not None:
                            kept.add(game)
                        else:
                            self._done[game.number] = game
                    if on_progress is not None:
                        on_progress(self.standing)
                    if self.decided:
                        break
        return self.standing

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
        """Where games are kept: something with `games`, by their numbers, and `add`. None keeps nothing."""
        if self.kept is not None or self.record is None:
            return self.kept
        kept = stack.enter_context(MatchRecord(self.record, self.identity()))
        self.notes += kept.notes
        return kept


# ------------------------------------------------------------------ the workers
@dataclass
class Hand:
    """A worker process, as it is seen from here."""

    process: subprocess.Popen[bytes]
    ready: bool = False
    """It has compiled and started what it needs."""
    order: dict[str, Any] | None = None
    """The game that it plays."""
    begun: bool = False
    """A player has been asked something in it."""
    mover: str = "A"
    """Who is to move there."""
    moves: dict[str, int] = field(default_factory=dict)
    """How many moves A and B have made there."""
    used: dict[str, float] = field(default_factory=dict)
    """Seconds that A and B have thought there."""
    actions: list[tuple[str, float | None]] = field(default_factory=list)
    """What was played there."""
    deadline: float = math.inf
    """When it has to be heard of again."""
    programs: list[int] = field(default_factory=list)
    """Process numbers of the outside programs that it runs."""
    errors: deque[str] = field(default_factory=lambda: deque(maxlen=ERRORS_KEPT))
    """What it last wrote on standard error."""
    listening: list[threading.Thread] = field(default_factory=list)
    """Who reads what it writes."""


class Crew:
    """The workers of a match: hands out games, and takes them in."""

    def __init__(self, match: Match, left: deque[int]) -> None:
        self.match, self.left = match, left
        self.hands: list[Hand] = []
        self.words: queue.Queue[tuple[Hand, bytes | None]] = queue.Queue()
        self.terms = json.dumps({"terms": match.identity()}).encode() + b"\n"
        self.failures = 0
        """Workers in a row that ended before any player was asked."""
        self.replays: Counter[int] = Counter()
        """How often the workers of games were ended from outside."""

    def games(self) -> Any:
        """Yields games as they are finished."""
        self._hire()  # one first: what it compiles, the others find on disk
        while self.left or any(hand.order is not None for hand in self.hands):
            for hand in [hand for hand in self.hands if time.monotonic() > hand.deadline]:
                self._kill(hand)
                yield from self._lost(hand, "stall", "its process was silent, and was killed")
            try:
                hand, line = self.words.get(timeout=TICK)
            except queue.Empty:
                continue
            if not any(hand is other for other in self.hands):  # it was killed: its last words don't count
                continue
            if line is None:
                with contextlib.suppress(subprocess.TimeoutExpired):
                    hand.process.wait(LAST_WORDS_SECONDS)
                for thread in hand.listening:  # its last words
                    thread.join(LAST_WORDS_SECONDS)
                yield from self._lost(hand, "crash", _how_it_ended(hand))
                continue
            yield from self._heard(hand, json.loads(line))

    def _heard(self, hand: Hand, said: dict[str, Any]) -> Any:
        hand.programs = said.get("programs", hand.programs)
        if "refused" in said:
            raise PlyforgeError(str(said["refused"]))
        if "ready" in said:
            hand.ready = True
            self.failures = 0
            for note in said["notes"]:
                if note not in self.match.notes:
                    self.match.notes.append(note)
            while len(self.hands) < min(
                self.match.workers, len(self.left) + sum(other.order is not None for other in self.hands)
            ):
                self._hire()
            self._assign(hand)
        elif "turn" in said:
            hand.mover, hand.begun = said["turn"], True
            hand.deadline = time.monotonic() + said["patience"] + SLACK
        elif "action" in said:
            hand.actions.append((said["action"], said["seconds"]))
            if said["seconds"] is not None:
                hand.moves[hand.mover] += 1
                hand.used[hand.mover] += said["seconds"]
        elif "game" in said:
            hand.order, hand.deadline = None, math.inf
            self.failures = 0
            yield PlayedGame.from_json(said["game"])
            if not said["leaving"]:
                self._assign(hand)

    def _assign(self, hand: Hand) -> None:
        if not self.left:
            return
        hand.order = self.match.order(self.left.popleft())
        hand.begun, hand.actions = False, []
        hand.moves, hand.used = {"A": 0, "B": 0}, {"A": 0.0, "B": 0.0}
        hand.deadline = time.monotonic() + SLACK + PREPARING
        assert hand.process.stdin is not None
        with contextlib.suppress(OSError):  # it has died: its end is on the way
            hand.process.stdin.write(json.dumps({"play": hand.order}).encode() + b"\n")
            hand.process.stdin.flush()

    def _lost(self, hand: Hand, kind: str, message: str) -> Any:
        """A worker has gone: its game is lost for who was to move, and another worker takes its place."""
        ended_outside = kind == "crash" and hand.process.returncode in FROM_OUTSIDE
        self._kill(hand)
        self.hands = [other for other in self.hands if other is not hand]
        number = None if hand.order is None else hand.order["number"]
        if not hand.ready:
            self.failures += 1
            if not ended_outside or self.failures >= MOST_FAILURES:
                raise PlyforgeError(f"the players could not be made ready: {message}")
        elif number is not None and hand.begun and ended_outside and self.replays[number] < MOST_REPLAYS:
            self.replays[number] += 1
            self.left.appendleft(number)
            self.match.notes.append(f"game {number} is played again: {message}")
        elif number is not None and hand.begun:
            yield _forfeited(hand, kind, message)
        elif number is not None:  # no player has been asked yet: nobody's fault
            self.left.appendleft(number)
            self.failures += 1
            if self.failures >= MOST_FAILURES:
                raise PlyforgeError(f"workers end before their games begin: {message}")
        if self.left:
            self._hire()

    # ------------------------------------------------------------ processes
    def _hire(self) -> None:
        here = str(Path(__file__).resolve().parents[3])
        path = os.pathsep.join([here, *filter(None, [os.environ.get("PYTHONPATH")])])
        process = subprocess.Popen(
            [sys.executable, "-P", "-m", "plyforge.play.match.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=os.environ | {"PYTHONPATH": path},
            start_new_session=True,
        )
        hand = Hand(process, deadline=time.monotonic() + PREPARING)
        for read in (self._read_words, self._read_errors):
            thread = threading.Thread(target=read, args=(hand,), daemon=True)
            hand.listening.append(thread)
            thread.start()
        assert process.stdin is not None
        with contextlib.suppress(OSError):
            process.stdin.write(self.terms)
            process.stdin.flush()
        self.hands.append(hand)

    def _read_words(self, hand: Hand) -> None:
        assert hand.process.stdout is not None
        for line in hand.process.stdout:
            self.words.put((hand, line))
        self.words.put((hand, None))

    def _read_errors(self, hand: Hand) -> None:
        assert hand.process.stderr is not None
        for line in hand.process.stderr:
            hand.errors.append(line.decode("utf-8", "replace").rstrip())

    def _kill(self, hand: Hand) -> None:
        for program in hand.programs:
            kill_session(program)
        kill_session(hand.process.pid)
        with contextlib.suppress(OSError):
            hand.process.kill()
        with contextlib.suppress(subprocess.TimeoutExpired):
            hand.process.wait(SLACK)

    def close(self) -> None:
        """End all workers: those that play nothing by themselves, then whoever is left."""
        for hand in self.hands:
            if hand.order is None and hand.process.stdin is not None:
                with contextlib.suppress(OSError):
                    hand.process.stdin.close()
        end = time.monotonic() + CLOSING
        for hand in self.hands:
            if hand.order is None:
                with contextlib.suppress(subprocess.TimeoutExpired):
                    hand.process.wait(max(0.0, end - time.monotonic()))
            self._kill(hand)
        self.hands = []


def from_the_start_only(game: Game) -> bool:
    """True for games without openings: something is hidden, or players choose at the same time."""
    return bool(game.hidden_information or defines(game, "legal_actions"))


def _how_it_ended(hand: Hand) -> str:
    code = hand.process.returncode
    words = next((line for line in reversed(hand.errors) if line.strip()), "")
    how = f"was ended by signal {-code}" if code is not None and code < 0 else f"ended with exit code {code}"
    return f"its process {how}" + (f" (its last words: {words[:200]!r})" if words else "")


def _forfeited(hand: Hand, kind: str, message: str) -> PlayedGame:
    """The game of a worker that has gone, as far as it was heard of."""
    order = hand.order
    assert order is not None
    return PlayedGame(
        number=order["number"],
        first=order["first"],
        seed=order["seed"],
        start=order["start"],
        opening=len(order["actions"]),
        actions=tuple(text for text, _ in hand.actions),
        seconds=tuple(seconds for _, seconds in hand.actions),
        winner=None,
        reason=kind,
        forfeited=hand.mover,
        message=message,
        used=(hand.used["A"], hand.used["B"]),
        moves=(hand.moves["A"], hand.moves["B"]),
    )


__all__ = ["Match", "cores", "from_the_start_only"]
