"""A short contest between candidates, for rules without an estimate: who plays them best?

What is strong differs from game to game, and rules that were written five minutes ago say little about it. So the candidates play a few very fast games against each other, once, and who has won is kept beside the
compiled code, in a file of its own that is named by a digest of the rules and of the candidates. Nobody waits for it: it is held where rules are compiled in the background, and before a match.

    the first candidate is the champion; each of the others challenges it in turn, in pairs of games from the same random opening, once with each side
    who has won at least CLEARLY of the points, in ENOUGH games or as many of them as there was time for, but no fewer than LEAST, is the new champion; a challenger that can't any more is sent home

A few games can't tell what is nearly equal, and need not: there the first candidate stays, which is good everywhere.

Invariants: whatever the file holds, `verdict` gives one of the candidates or None, and raises nothing. The same seed draws the same openings; as games are played by the clock, they
may differ all the same.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import json
import time
from pathlib import Path
from typing import Any

from plyforge.atomic import write_atomically
from plyforge.game import CHANCE, Game, payoffs
from plyforge.kernel import below, new_stream, uniform
from plyforge.search.base import Search
from plyforge.search.control import Control
from plyforge.search.limits import Limits
from plyforge.search.mcts import GuardedUct
from plyforge.search.needs import TWO_PLAYERS_NO_CHANCE

FORMAT = 1
CANDIDATES: dict[str, Search] = {
    "guarded_uct": GuardedUct(),
    "guarded_uct:habits=3": GuardedUct(habits=3),
    "guarded_uct:decisive=yes": GuardedUct(decisive=True),
}
"""By their descriptions; the first is good everywhere."""
SECONDS = 3.0
"""For the whole contest, compiling not counted."""
A_MOVE = 0.01
"""Seconds for a move."""
ENOUGH, LEAST, CLEARLY = 8, 6, 0.75
"""Games of a challenger at most and at least, and the points in them that it needs, as a part of all. Of equals one in nine gets as much in LEAST games: no harm is done."""
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
        return CANDIDATES.get(kept["winner"]) if kept["format"] == FORMAT else None
    except (OSError, ValueError, LookupError, TypeError):
        return None


def contestable(game: Game) -> bool:
    """True if a contest can be held on these rules."""
    return len(CANDIDATES) > 1 and game.players == 2 and TWO_PLAYERS_NO_CHANCE.missing(game) is None


def undecided(game: Game) -> bool:
    """True if a contest can be held on these rules, and has not been."""
    return contestable(game) and file_of(game) is not None and verdict(game) is None


def file_of(game: Game) -> Path | None:
    """Where the winner is kept; None where nothing is."""
    try:
        from plyforge.kernel.cache import directory, usable
    except ImportError:
        return None
    if not usable(directory()):
        return None
    digest = hashlib.sha256("\0".join((_fingerprint(game), *CANDIDATES)).encode()).hexdigest()[:32]
    return directory() / f"best-{digest}.json"


def hold(
    game: Game,
    *,
    seconds: float = SECONDS,
    seed: int = 1,
    native: bool | None = None,
    control: Control | None = None,
) -> str:
    """Let the candidates play, and keep who has won; gives the winner's description. A contest that is stopped is not kept; where rules run interpreted there is none."""
    control = control or Control()
    names = list(CANDIDATES)
    champion, scores = names[0], {}
    first = CANDIDATES[champion].search(game, None, Limits(nodes=10), native=native, control=control)
    if not first.native:
        return champion
    for place, challenger in enumerate(names[1:]):
        share = seconds / (len(names) - 1)
        points, games = challenge(game, champion, challenger, share, seed + place, native, control)
        scores[f"{challenger} - {champion}"] = [points, games]
        if games and points >= CLEARLY * games and games >= LEAST:
            champion = challenger
    if not control.stopped:
        keep(game, champion, scores)
    return champion


def keep(game: Game, winner: str, scores: dict[str, Any]) -> None:
    """Write down who has won."""
    path = file_of(game)
    if path is not None:
        text = json.dumps({"format": FORMAT, "winner": winner, "scores": scores})
        with contextlib.suppress(OSError):
            write_atomically(path, text.encode())


def challenge(
    game: Game,
    champion: str,
    challenger: str,
    seconds: float,
    seed: int,
    native: bool | None,
    control: Control,
) -> tuple[float, int]:
    """What a challenger gets against the champion, as points of so many games."""
    stream = new_stream(seed)
    for name in (champion, challenger):  # compiling is not on the clock
        _move(game, CANDIDATES[name].tree(game, native), game.start(), A_MOVE, control)  # type: ignore[attr-defined]
    end = time.perf_counter() + seconds
    points, games = 0.0, 0
    while games < ENOUGH and not control.stopped and time.perf_counter() < end:
        opening = random_opening(game, stream)
        for seat in (0, 1):
            seats = [champion, champion]
            seats[seat] = challenger
            got = play(game, opening, seats, native, control, end)
            if got is None:
                return points, games
            points, games = points + got[seat], games + 1
        if points + (ENOUGH - games) < CLEARLY * ENOUGH:
            break
    return points, games


def play(
    game: Game, state: Any, seats: list[str], native: bool | None, control: Control, end: float
) -> list[float] | None:
    """One game: a point for who wins it, half a point each for a draw. None if the time was over first."""
    trees = [CANDIDATES[name].tree(game, native) for name in seats]  # type: ignore[attr-defined]
    past: list[Any] = []
    while not game.terminal(state) and len(past) < LONGEST and not game.drawn([*past, state]):
        if control.stopped or time.perf_counter() > end:
            return None
        action = _move(game, trees[game.player(state)], state, A_MOVE, control, past)
        past.append(state)
        state = game.result(state, action)
    if not game.terminal(state):
        return [0.5, 0.5]
    first, second = payoffs(game, game.utility(state))
    return [0.5, 0.5] if first == second else [float(first > second), float(second > first)]


def _move(game: Game, tree: Any, state: Any, seconds: float, control: Control, past: Any = ()) -> Any:
    return tree.search(state, Limits(seconds=seconds), history=past, control=control).action


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
        legal = game.legal(state)
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


__all__ = ["CANDIDATES", "contestable", "file_of", "hold", "undecided", "verdict"]
