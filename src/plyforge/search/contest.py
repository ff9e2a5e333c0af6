"""A short contest between candidates, for rules without an estimate: who plays them best?

What is strong differs from game to game, and rules that were written five minutes ago say little about it. So a network
learns them for a few seconds (`evaluate.ntuples`), the candidates play a few very fast games against each other, once,
and who has won is kept beside the compiled code, in a file of its own that is named by a digest of the rules and of the
candidates. Nobody waits for it: it is held where rules are compiled in the background, and before a match.

    the first candidate is the champion: the engine with what was learned. Simulations challenge it, in pairs of games
    from the same random opening, once with each side. Who has more points in the end has won, the champion if both have
    the same, or if there was no time for LEAST games. A lead of CLEAR points ends it early

Two dozen games can't tell what is nearly equal, and need not: there either will do.

Invariants: whatever the file holds, `verdict` gives one of the candidates or None, and raises nothing. The same seed
draws the same openings; as games are played by the clock, they may differ all the same.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import json
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from plyforge.atomic import write_atomically
from plyforge.contract import CHANCE, Game, legal_moves, payoffs
from plyforge.errors import PlyforgeError
from plyforge.evaluate.ntuples import NTUPLES, kept_network, learned_network
from plyforge.kernel import below, new_stream, uniform
from plyforge.search.core.base import Search
from plyforge.search.core.limits import Limits
from plyforge.search.core.requirements import TWO_PLAYERS_NO_CHANCE
from plyforge.search.engine.engine import Engine
from plyforge.search.mcts import GuardedUct
from plyforge.search.running.control import Control

FORMAT = 1
LEARNED = f"engine:network={NTUPLES}"
SIMULATIONS = "guarded_uct"
"""Simulations need no estimate."""
SECONDS = 40.0
"""For the games of the contest at the most, learning and compiling not counted."""
A_MOVE = 0.1
"""Seconds for a move. Simulations gain more from time than the engine does: with much less than players have later,
it wins where it should not."""
ENOUGH, LEAST, CLEAR = 24, 6, 5
"""Games at most and at least, and the lead, in points, that ends a contest early."""
OPENING = 2
"""Random plies before the players take over."""
LONGEST = 300
"""Plies after which a game is called a draw."""


def verdict(game: Game) -> Search | None:
    """Who has won the contest on these rules; None if there was none, or what is kept of it can't be read."""
    path = file_of(game) if contestable(game) else None
    if path is None:
        return None
    try:
        kept: Any = json.loads(path.read_text())
        return candidates(game).get(kept["winner"]) if kept["format"] == FORMAT else None
    except (OSError, ValueError, LookupError, TypeError):
        return None


def candidates(game: Game) -> dict[str, Search]:
    """By their descriptions: who may be chosen. The engine is among them where a network has learned these rules."""
    network = kept_network(game)
    learned: dict[str, Search] = {} if network is None else {LEARNED: Engine(evaluation=network, seed=1)}
    return {**learned, SIMULATIONS: GuardedUct()}


def contestable(game: Game) -> bool:
    """True if a contest can be held on these rules."""
    return game.players == 2 and TWO_PLAYERS_NO_CHANCE.missing(game) is None


def undecided(game: Game) -> bool:
    """True if a contest can be held on these rules, and has not been."""
    return contestable(game) and file_of(game) is not None and verdict(game) is None


def file_of(game: Game) -> Path | None:
    """Where the winner is kept; None where nothing is."""
    try:
        from plyforge.kernel.compiling.cache import directory, usable
    except ImportError:
        return None
    if not usable(directory()):
        return None
    digest = hashlib.sha256("\0".join((_fingerprint(game), LEARNED, SIMULATIONS)).encode()).hexdigest()[:32]
    return directory() / f"best-{digest}.json"


def hold(
    game: Game,
    *,
    seconds: float = SECONDS,
    seed: int = 1,
    native: bool | None = None,
    control: Control | None = None,
) -> str:
    """Let a network learn and the candidates play, and keep who has won; gives the winner's description. A contest
    that is stopped is not kept; where rules run interpreted there is none."""
    control = control or Control()
    first = GuardedUct().search(game, None, Limits(nodes=10), native=native, control=control)
    if not first.native:
        return SIMULATIONS
    with contextlib.suppress(PlyforgeError):  # then there is one candidate less
        learned_network(game, stopped=lambda: control.stopped)
    players = candidates(game)
    winner, scores = SIMULATIONS, {}
    if LEARNED in players and all(can_play(game, each, native, control) for each in players.values()):
        champion, challenger = players[LEARNED], players[SIMULATIONS]
        points, games = challenge(game, champion, challenger, seconds, seed, native, control)
        scores[f"{SIMULATIONS} - {LEARNED}"] = [points, games]
        if games < LEAST or 2 * points <= games:
            winner = LEARNED
    if not control.stopped:
        keep(game, winner, scores)
    return winner


def can_play(game: Game, search: Search, native: bool | None, control: Control) -> bool:
    """True if a candidate plays these rules; compiles it, so that this is not on the clock."""
    try:
        Thinker(game, search, native).move(game.start(), (), control)
    except PlyforgeError:  # more actions than it can order, say
        return False
    return True


def keep(game: Game, winner: str, scores: dict[str, Any]) -> None:
    """Write down who has won."""
    path = file_of(game)
    if path is not None:
        text = json.dumps({"format": FORMAT, "winner": winner, "scores": scores})
        with contextlib.suppress(OSError):
            write_atomically(path, text.encode())


def challenge(
    game: Game,
    champion: Search,
    challenger: Search,
    seconds: float,
    seed: int,
    native: bool | None,
    control: Control,
) -> tuple[float, int]:
    """What a challenger gets against the champion, as points of so many games; pairs are played to their end."""
    stream = new_stream(seed)
    end = time.perf_counter() + seconds
    points, games = 0.0, 0
    while games < ENOUGH and not control.stopped and time.perf_counter() < end:
        opening = random_opening(game, stream)
        for seat in (0, 1):
            seats = [champion, champion]
            seats[seat] = challenger
            got = play(game, opening, [Thinker(game, each, native) for each in seats], control, end)
            if got is None:
                return points, games
            points, games = points + got[seat], games + 1
        if decided(points, games):
            break
    return points, games


def decided(points: float, games: int) -> bool:
    """True if one of two leads so far that the other will hardly catch up, or can't in the games that are left."""
    lead = abs(2 * points - games)
    return games >= LEAST and (lead >= CLEAR or lead > ENOUGH - games)


class Thinker:
    """A candidate in one game, with what it keeps from move to move."""

    def __init__(self, game: Game, search: Search, native: bool | None) -> None:
        self.game, self.search, self.native = game, search, native
        self.searcher = search.start(game, native)

    def move(self, state: Any, past: Sequence[Any], control: Control) -> Any:
        return self.searcher.think(state, Limits(seconds=A_MOVE), history=past, control=control).action


def play(game: Game, state: Any, players: list[Thinker], control: Control, end: float) -> list[float] | None:
    """One game: a point for who wins it, half a point each for a draw. None if the time was over first."""
    past: list[Any] = []
    while not game.terminal(state) and len(past) < LONGEST and not game.history.draw_reason(game, [*past, state]):
        if control.stopped or time.perf_counter() > end:
            return None
        action = players[game.player(state)].move(state, past, control)
        past.append(state)
        state = game.result(state, action)
    if not game.terminal(state):
        return [0.5, 0.5]
    first, second = payoffs(game, game.utility(state))
    return [0.5, 0.5] if first == second else [float(first > second), float(second > first)]


def random_opening(game: Game, stream: Any) -> Any:
    """A state after a few random plies, from which the game still goes on."""
    state = game.start()
    for _ in range(OPENING):
        after = game.result(state, _any_action(game, state, stream))
        if game.terminal(after):
            break
        state = after
    return state


def _any_action(game: Game, state: Any, stream: Any) -> Any:
    if game.player(state) != CHANCE:
        legal = legal_moves(game, state)
        return legal[below(stream, len(legal))]
    outcomes, left = list(game.chance(state)), uniform(stream)
    for outcome, probability in outcomes:
        left -= probability
        if left < 0.0:
            return outcome
    return outcomes[-1][0]


def _fingerprint(game: Game) -> str:
    """Of the rules; walking over all that they reach takes milliseconds, and they don't change while they are asked."""
    try:
        return _known_fingerprint(game)
    except TypeError:  # a game without a hash
        return game.fingerprint()


@functools.lru_cache(maxsize=64)
def _known_fingerprint(game: Game) -> str:
    return game.fingerprint()


__all__ = ["LEARNED", "SIMULATIONS", "candidates", "contestable", "file_of", "hold", "undecided", "verdict"]
