"""One rules file at both speeds: is what the compiled search finds what the interpreted one finds?

Interpreted Python is the truth. From the start of the game and from states of random playouts, most of them a few plies
before an end, where utilities are met, a textbook search and perft are run interpreted and by default (`native=None`),
and everything that a result says is compared.

    echo '{"file": "tests/laws/rules_corpus/row70.py"}' | PYTHONPATH=tests:tests/support python tests/support/rule_speeds.py

answers in JSON: `differences`, in words (none: all is well), `compiled` (did everything run compiled?), `reasons` (what
was said where it did not), `worth` (the values that were met: of one value alone, nothing could differ), `seconds`.
"""  # noqa: E501

from __future__ import annotations

import random
import time
from typing import Any

import plyforge as pf
from child import serve
from plyforge.search import hearing_of_fall_backs

PLAYOUTS = 30
DEPTH_ONE = 10
"""Of so many playouts, every state is searched one ply deep."""
LONGEST = 400
"""Plies; a playout that is longer is not of a little game."""
STATES = 8
WIDE = 25
"""With more actions than that at the start, searches are a ply shallower."""
COMPARED = ("action", "value", "values", "best", "line", "nodes", "reason")


def playouts(game: pf.Game, count: int = PLAYOUTS) -> list[list[Any]]:
    """The states of random games, interpreted."""
    games = []
    for seed in range(count):
        draw = random.Random(seed)
        states = [game.start()]
        while not game.terminal(states[-1]):
            states.append(game.result(states[-1], draw.choice(pf.legal_moves(game, states[-1]))))
            assert len(states) <= LONGEST, f"the game is not over after {LONGEST} plies"
        games.append(states)
    return games


def positions(game: pf.Game) -> list[Any]:
    """The start, then states three, two and five plies before ends, then the middle of games: each once, no end."""
    games = playouts(game)
    wanted = [games[0][0]]
    for before in (3, 2, 5):
        wanted += [states[-1 - before] for states in games if len(states) > before]
    wanted += [states[len(states) // 2] for states in games if len(states) > 1]
    chosen: list[Any] = []
    for n, state in enumerate(wanted):
        most = 1 + (STATES - 1) * n // len(wanted)
        if len(chosen) <= most and state not in chosen and not game.terminal(state):
            chosen.append(state)
    return chosen[:STATES]


def textbook(game: pf.Game) -> str | None:
    """Minimax where it is sound, else what suits the game."""
    return "minimax" if game.players == 2 and game.utility_sum is not None and not game.has_chance else None


class Comparison:
    """What was compared so far, of one game."""

    def __init__(self, game: pf.Game) -> None:
        self.game = game
        self.using = textbook(game)
        self.differences: list[str] = []
        self.reasons: list[str] = []
        self.native: list[bool] = []
        self.worth: set[str] = set()

    def search(self, state: Any, depth: int) -> None:
        slow = pf.search(self.game, state, using=self.using, depth=depth, native=False)
        with hearing_of_fall_backs(self.reasons.append):
            fast = pf.search(self.game, state, using=self.using, depth=depth)
        if not fast.native and all(self.native):
            self.insist(state, depth)
        self.native.append(fast.native)
        self.worth |= {repr(value) for value in (slow.value, *slow.values.values())}
        for name in COMPARED:
            truth, found = getattr(slow, name), getattr(fast, name)
            if truth != found:
                self.differences.append(
                    f"{fast.using} to depth {depth} from {state!r}: {name} is {found!r}, interpreted {truth!r}"
                )

    def insist(self, state: Any, depth: int) -> None:
        """Where the default runs interpreted, whoever asks for compiled code is told why there is none."""
        try:
            pf.search(self.game, state, using=self.using, depth=depth, native=True)
        except pf.PlyforgeError:
            return
        self.differences.append(f"from {state!r} it ran interpreted by default, but compiled with native=True")

    def perft(self, state: Any, depth: int) -> None:
        slow = pf.perft(self.game, depth, state, native=False).nodes
        with hearing_of_fall_backs(self.reasons.append):
            fast = pf.perft(self.game, depth, state)
        self.native.append(fast.native)
        if fast.nodes != slow:
            self.differences.append(f"perft {depth} from {state!r} is {fast.nodes}, interpreted {slow}")


def compare(file: str) -> dict[str, Any]:
    """Both speeds on one file."""
    began = time.perf_counter()
    game = pf.load(file)
    depth = 3 if len(pf.legal_moves(game, game.start())) <= WIDE else 2
    so_far = Comparison(game)
    for state in positions(game):
        so_far.search(state, depth)
        so_far.perft(state, depth)
    if any(so_far.native):  # one ply from many states: there values differ most
        for states in playouts(game, DEPTH_ONE):
            for state in states[:-1]:
                so_far.search(state, 1)
    return {
        "differences": so_far.differences,
        "compiled": all(so_far.native),
        "at times": any(so_far.native),
        "reasons": list(dict.fromkeys(so_far.reasons)),
        "worth": sorted(so_far.worth),
        "seconds": time.perf_counter() - began,
    }


def answer(question: dict[str, Any]) -> dict[str, Any]:
    """An exception is a difference, too: interpreted these rules raise nothing."""
    try:
        return compare(question["file"])
    except Exception as error:
        return {
            "differences": [f"{type(error).__name__}: {error}"],
            "compiled": False,
            "at times": False,
            "reasons": [],
            "worth": [],
            "seconds": 0.0,
        }


if __name__ == "__main__":
    serve(answer)
