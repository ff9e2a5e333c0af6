"""Whole games judged by workers (`work/`): an order is one state of one game.

    reviewed = review([pf.play.restore("game.pgn")], nodes=20_000, workers=2)
    for turn in reviewed[0].turns:
        print(turn.text, turn.values, turn.cost, turn.grade)

Claim: at fixed nodes or depth every state is judged by a search that knows nothing of the others, so the judgements
are the same for any number of workers, whoever they are. With a `record` each is on disk before it counts, and a review
that was stopped goes on where it was.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from plyforge.contract import format_action
from plyforge.errors import BadLimits, Unsuitable
from plyforge.games import load
from plyforge.games.as_text import game_text, rules_files
from plyforge.kernel import package_digest
from plyforge.play.review.judging import SECONDS, Judged, can_judge, judge, rows, unit_of
from plyforge.play.session import GameSession, player_name
from plyforge.search import BEST, Control, Limits
from plyforge.work import Coordinator, Doer, Order, Terms, hire
from plyforge.work.progress import Progress
from plyforge.work.record import Record

FORMAT = "plyforge review"
KIND = "plyforge.play.review.whole_games:judgements_of"
REMEMBERED = 2
"""Games that a worker has before it."""


@dataclass(frozen=True)
class Turn:
    """A turn of a game, and what it cost whoever took it."""

    ply: int
    """How many turns were before it."""
    player: str
    """Who took it, or what: dice."""
    text: str
    values: tuple[float, ...]
    """Of the state after it, to each player."""
    exact: bool
    cost: float | None
    """None for chance, and where all choose at once."""
    grade: str
    """`slip`, `mistake`, `blunder`, or nothing."""
    best: tuple[str, ...]
    """What would have been best instead, where it was not."""

    def to_json(self) -> dict[str, Any]:
        """Plain values."""
        return {
            "ply": self.ply, "player": self.player, "action": self.text, "values": list(self.values),
            "exact": self.exact, "cost": self.cost, "grade": self.grade, "best": list(self.best),
        }  # fmt: skip


@dataclass(frozen=True)
class ReviewedGame:
    """A game, and what its states were worth."""

    session: GameSession
    judged: tuple[Judged, ...]
    """One for each state."""

    @functools.cached_property
    def turns(self) -> list[Turn]:
        """All of it, in order."""
        session, found = self.session, []
        game = session.game
        for ply, row in enumerate(rows(session, list(self.judged))[1:]):
            turn, before = session.history[ply], self.judged[ply]
            missed = bool(row.get("grade"))
            best = [format_action(game, turn.state, action) for action in before.best] if missed else []
            found.append(
                Turn(
                    ply,
                    player_name(game, turn.player),
                    format_action(game, turn.state, turn.action),
                    tuple(row["values"]),
                    row["exact"],
                    row.get("cost"),
                    row.get("grade", ""),
                    tuple(best),
                )
            )
        return found

    def summary(self) -> list[dict[str, Any]]:
        """For each player: turns, what they cost on average, and how many were slips, mistakes, blunders."""
        found = []
        for player in range(self.session.game.players):
            name = player_name(self.session.game, player)
            own = [turn for turn in self.turns if turn.cost is not None and turn.player == name]
            counts = {kind: sum(turn.grade == kind for turn in own) for kind in ("slip", "mistake", "blunder")}
            cost = sum(turn.cost or 0.0 for turn in own) / len(own) if own else 0.0
            found.append({"player": name, "turns": len(own), "cost": cost} | counts)
        return found

    def to_json(self) -> dict[str, Any]:
        """Plain values."""
        return {
            "game": game_text(self.session.game),
            "seats": list(self.session.seats),
            "unit": unit_of(self.session.game),
            "start": list(self.judged[0].values),
            "players": self.summary(),
            "turns": [turn.to_json() for turn in self.turns],
        }


class Review:
    """Judges all states of some games; `run` does it, `games` are those that are finished."""

    def __init__(
        self,
        sessions: Sequence[GameSession],
        *,
        using: str = BEST,
        seconds: float | None = None,
        nodes: int | None = None,
        depth: int | None = None,
        native: bool | None = None,
        workers: int | None = None,
        where: str | Sequence[str] = (),
        record: str | Path | None = None,
    ) -> None:
        """Each state is searched within those limits, by default SECONDS. `record` is the file of the judgements, which
        is gone on with if it is there."""
        if not sessions:
            raise BadLimits("there is no game to review")
        for session in sessions:
            if not can_judge(session.game):
                name = type(session.game).__name__
                raise Unsuitable(f"{name} can't be reviewed: something is hidden there, or all choose at once")
        if seconds is None and nodes is None and depth is None:
            seconds = SECONDS
        Limits(depth=depth, nodes=nodes, seconds=seconds)
        self.sessions, self.workers, self.where, self.record = list(sessions), workers, where, record
        self.terms = {
            "games": [{"game": game_text(session.game), "of": session.to_json()} for session in sessions],
            "using": using, "seconds": seconds, "nodes": nodes, "depth": depth, "native": native,
        }  # fmt: skip
        sizes = [len(session.history) + 1 for session in sessions]
        self._places = [(number, ply) for number, size in enumerate(sizes) for ply in range(size)]
        self._judged: dict[int, Any] = {}
        self.notes: list[str] = []
        """What the workers have to say, each once."""

    @property
    def wanted(self) -> int:
        """How many states there are."""
        return len(self._places)

    def run(self, on_progress: Callable[[Progress], object] | None = None) -> list[ReviewedGame]:
        """Judge what is not on record yet. Ctrl-C is raised as KeyboardInterrupt; `games` has what was finished."""
        progress = Progress(self.wanted, on_progress)
        with contextlib.ExitStack() as stack:
            kept = None
            if self.record is not None:
                kept = stack.enter_context(Record(self.record, self._identity(), name=FORMAT))
                self._judged.update(kept.results)
                progress.done = len(kept.results)
            left = {number: place for number, place in enumerate(self._places) if number not in self._judged}
            if left:
                files = [file for session in self.sessions for file in rules_files(session.game)]
                crew = stack.enter_context(hire(Terms.of(KIND, self.terms, files), self.where or "local", self.workers))
                crew.notes = self.notes
                for number, said in Coordinator(crew, one="state").results(left, kept):
                    self._judged[number] = said
                    progress.one_more()
        return self.games

    def _identity(self) -> dict[str, Any]:
        text = json.dumps(self.terms, sort_keys=True)
        return {"review": hashlib.sha256((package_digest() + text).encode()).hexdigest()[:16]}

    @property
    def games(self) -> list[ReviewedGame]:
        """Those of which every state is judged."""
        found: dict[int, list[Judged]] = {}
        for number, (place, ply) in enumerate(self._places):
            if number in self._judged:
                session = self.sessions[place]
                state = [*session.states, session.state][ply]
                found.setdefault(place, []).append(Judged.from_json(self._judged[number], session.game, state))
        return [
            ReviewedGame(self.sessions[place], tuple(judged))
            for place, judged in found.items()
            if len(judged) == len(self.sessions[place].history) + 1
        ]


def review(sessions: Sequence[GameSession], **settings: Any) -> list[ReviewedGame]:
    """Judge every state of some games: see `Review` for the settings."""
    return Review(sessions, **settings).run()


def judgements_of(data: dict[str, Any]) -> Doer:
    """At a worker: judges states."""
    limits = Limits(depth=data["depth"], nodes=data["nodes"], seconds=data["seconds"])

    @functools.lru_cache(REMEMBERED)
    def session_of(number: int) -> GameSession:
        said = data["games"][number]
        return GameSession.from_json(said["of"], load(said["game"]))

    def do(order: Order) -> dict[str, Any]:
        number, ply = order.given
        session = session_of(number)
        game, states = session.game, [*session.states, session.state]
        history = states[:ply] if game.history.repetition else ()
        found = judge(game, states[ply], limits, data["native"], Control(), history, data["using"])
        return found.to_json(game, states[ply])

    return do


__all__ = ["Review", "ReviewedGame", "Turn", "judgements_of", "review"]
