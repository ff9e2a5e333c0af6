"""Where the games of a match begin: positions of their own for every pair, so that no game is played twice and neither
luck nor colour decides.

    random_openings(game, plies=6, seed=1)    distinct, neither over nor decided by the next action
    read_openings(path, game)                 one a line: actions from the start, or the text of a state

Invariant: the openings of a shorter match are the first ones of a longer match with the same seed and plies. So a match
can be made longer.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from plyforge.contract import (
    CHANCE,
    Game,
    defines,
    format_action,
    knows_bounds,
    legal_moves,
    parse_action,
    parse_state,
    payoffs,
)
from plyforge.errors import BadText, PlyforgeError
from plyforge.kernel import below, mix, new_stream, uniform, word
from plyforge.kernel.entry import coerce
from plyforge.reading import read_text

TRIES = 3000
"""Random openings in a row that were there already, before there are taken to be no more."""
ENOUGH = 4
"""Where nobody says how long openings are: as short as possible, with this many times more of them than are needed."""
DEEPEST = 60
"""Plies that the search for that length looks ahead at most."""
WIDEST = 20_000
"""States that it looks at, at most, on one level."""
LARGEST_FILE = 4 << 20
"""Bytes of a file of openings: some fifty thousand positions of chess."""
LONGEST_LINE = 4096
"""Letters of one of them."""


@dataclass(frozen=True)
class Opening:
    """Where a game begins."""

    actions: tuple[str, ...] = ()
    """Played from `start`, as text."""
    start: str | None = None
    """The text of a state; None for the start of the rules."""


# ------------------------------------------------------------------ random ones
def random_openings(game: Game, plies: int, seed: int) -> Iterator[Opening]:
    """Openings of random actions, no two of which lead to the same state or to mirror images. Ends when there seem to
    be no more.

    Left out are those that are over, that the player to move wins with one action, and that the rules' `bounds` call
    decided. With no plies: the start, for ever.
    """
    if plies == 0:
        while True:
            yield Opening()
    stream = new_stream(int(mix(seed, plies)))
    seen: set[int] = set()
    tries = 0
    while tries < TRIES:
        tries += 1
        found = _random_walk(game, plies, stream)
        if found is None or key_of(game, found[0]) in seen:
            continue
        seen.update(images(game, found[0]))
        if decided(game, found[0]):
            continue
        tries = 0
        yield Opening(tuple(found[1]))


def opening_at(game: Game, plies: int, seed: int) -> Opening:
    """One random opening of so many plies, the same for the same seed; neither over nor decided by the next action."""
    stream = new_stream(int(mix(seed, plies)))
    for _ in range(TRIES):
        found = _random_walk(game, plies, stream)
        if found is not None and (plies == 0 or not decided(game, found[0])):
            return Opening(tuple(found[1]))
    raise PlyforgeError(
        f"{type(game).__name__} is over or decided after {plies} random plies: give another number of --opening-plies"
    )


def _random_walk(game: Game, plies: int, stream: Any) -> tuple[Any, list[str]] | None:
    """A state after so many random plies, and the actions to it; None if the game is over by then."""
    state, texts = game.start(), []
    for _ in range(plies):
        if game.terminal(state):
            return None
        action = _random_action(game, state, stream)
        texts.append(format_action(game, state, action))
        state = game.result(state, action)
    return None if game.terminal(state) else (state, texts)


def _random_action(game: Game, state: Any, stream: Any) -> Any:
    if game.player(state) != CHANCE:
        legal = legal_moves(game, state)
        return legal[below(stream, len(legal))]
    number, passed = uniform(stream), 0.0
    outcomes = list(game.chance(state))
    for outcome, probability in outcomes:
        passed += probability
        if number < passed:
            return outcome
    return outcomes[-1][0]


def images(game: Game, state: Any) -> set[int]:
    """The keys of a state and of its mirror images, where the rules name them: players without luck would play the
    same game in all of them."""
    others = game.heuristics.symmetries(game, state) if defines(game.heuristics, "symmetries") else ()
    return {key_of(game, state), *(key_of(game, other) for other in others)}


def key_of(game: Game, state: Any) -> int:
    """By which a state is known again, whatever kind of object it is."""
    return int(word(game.key(coerce(state))))


def decided(game: Game, state: Any) -> bool:
    """True if it is cheap to see who wins: by the rules' bounds, or by an action that ends the game."""
    if game.utility_sum is not None and knows_bounds(game):
        low, high = game.heuristics.bounds(game, state)
        if low > game.utility_sum / 2 or high < game.utility_sum / 2:
            return True
    player = game.player(state)
    if player == CHANCE:
        return False
    for action in game.actions(state):
        after = game.result(state, action)
        if game.terminal(after):
            each = payoffs(game, game.utility(after))
            if each[player] > each[1 - player]:
                return True
    return False


def suitable_plies(game: Game, pairs: int) -> int:
    """How long random openings should be for so many pairs, where nobody says: the shortest length with enough of
    them."""
    level = [game.start()]
    best, most = 0, 0
    for plies in range(1, DEEPEST + 1):
        after: dict[int, Any] = {}
        for state in level:
            for action in legal_moves(game, state):
                following = game.result(state, action)
                after[key_of(game, following)] = following
            if len(after) > WIDEST:
                break
        level = [state for state in after.values() if not game.terminal(state)]
        open_ones = 0
        seen: set[int] = set()
        for state in level:
            if key_of(game, state) in seen:
                continue
            seen.update(images(game, state))
            open_ones += not decided(game, state)
            if open_ones >= ENOUGH * pairs:
                return plies
        if open_ones > most:
            best, most = plies, open_ones
        if not level:
            break
    if most < pairs:
        raise PlyforgeError(
            f"{type(game).__name__} has too few openings for {pairs} pairs of games: at most {most}, after {best}"
            " plies. Play fewer games, or all of them from the start with --opening-plies 0, which makes sense if the"
            " players vary their play"
        )
    return best


# ------------------------------------------------------------------ from a file
def read_openings(path: str | Path, game: Game) -> list[Opening]:
    """The openings of a file, each checked by the rules; a position that comes again is left out. Raises BadText,
    naming the line.

    A line holds actions from the start (`d3 c3 c4`, also without spaces) or the text of a state; `moves:` or `state:`
    before it says which. Empty lines and those that begin with # are not read.
    """
    text = read_text(path, LARGEST_FILE, "openings")
    openings, seen = [], set()
    for number, line in enumerate(text.splitlines(), 1):
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        if len(line) > LONGEST_LINE:
            raise BadText(f"{path}, line {number}: an opening has at most {LONGEST_LINE:,} letters")
        try:
            opening, state = _read_line(line, game)
        except PlyforgeError as error:
            raise BadText(f"{path}, line {number}: {error}") from None
        if game.terminal(state):
            raise BadText(f"{path}, line {number}: the game is over there")
        if key_of(game, state) not in seen:
            seen.add(key_of(game, state))
            openings.append(opening)
    if not openings:
        raise BadText(f"{path} has no opening in it")
    return openings


def _read_line(line: str, game: Game) -> tuple[Opening, Any]:
    kind, colon, rest = line.partition(":")
    kind = kind.strip().lower() if colon else ""
    if kind == "state":
        return _as_state(rest.strip(), game)
    if kind == "moves":
        return _as_moves(rest, game)
    try:
        return _as_moves(line, game)
    except PlyforgeError as not_moves:
        try:
            return _as_state(line, game)
        except PlyforgeError as not_state:
            raise BadText(f"neither moves ({not_moves}) nor a state ({not_state})") from None


def _as_state(text: str, game: Game) -> tuple[Opening, Any]:
    return Opening(start=text), parse_state(game, text)


def _as_moves(text: str, game: Game) -> tuple[Opening, Any]:
    state, texts = game.start(), []
    for rest in text.replace(",", " ").split():
        while rest:
            found = _action_at(game, state, rest)
            action = parse_action(game, state, rest) if found is None else found[1]
            rest = "" if found is None else rest[len(found[0]) :]
            texts.append(format_action(game, state, action))
            state = game.result(state, action)
    return Opening(tuple(texts)), state


def _action_at(game: Game, state: Any, rest: str) -> tuple[str, Any] | None:
    """The legal action with the longest text with which `rest` begins."""
    names = [(format_action(game, state, action), action) for action in legal_moves(game, state)]
    fitting = [(name, action) for name, action in names if name and rest.lower().startswith(name.lower())]
    return max(fitting, key=lambda pair: len(pair[0]), default=None)


def openings_digest(openings: list[Opening]) -> str:
    """A short text that is equal for equal lists."""
    content = "\n".join(f"{opening.start}|{' '.join(opening.actions)}" for opening in openings)
    return hashlib.sha256(content.encode()).hexdigest()[:16]


__all__ = ["Opening", "decided", "opening_at", "openings_digest", "random_openings", "read_openings", "suitable_plies"]
