"""Where a game is so small that it is solved in no time: how many of a network's moves keep the value, one ply deep.

A match between two networks that play perfectly says nothing; this does. Positions are drawn from all that can arise in
which moves differ in value.
"""

from __future__ import annotations

import threading
from collections import deque
from dataclasses import dataclass
from typing import Any

from plyforge.contract import MAX, Game, legal_moves
from plyforge.errors import PlyforgeError
from plyforge.evaluate.base import Evaluation
from plyforge.kernel import below, new_stream
from plyforge.kernel.entry import coerce
from plyforge.search import Control
from plyforge.solve.graph.retrograde import StrongSolution, strongly

MOST_STATES = 20_000
"""Of a game that is solved."""
SECONDS = 5.0
"""That may take."""
ASKED = 300
"""Positions, at the most."""


@dataclass(frozen=True)
class Choice:
    """A position: the states behind its moves, and which of these keep the value."""

    sign: float
    after: tuple[Any, ...]
    keeps: tuple[bool, ...]


def choices_of(game: Game) -> list[Choice] | None:
    """Positions in which moves differ in value; None where the game is not solved in that time."""
    control = Control()
    clock = threading.Timer(SECONDS, control.stop)
    clock.daemon = True
    clock.start()
    try:
        solution = strongly(game, limit=MOST_STATES, native=False, control=control)
        found = _choices(game, solution, control)
    except PlyforgeError:  # too large, with dice, too slow
        return None
    finally:
        clock.cancel()
    if control.stopped:
        return None
    few: list[Choice] = []
    stream = new_stream(1)
    for number, choice in enumerate(found):  # a fair part of them, the same ones always
        if len(few) < ASKED:
            few.append(choice)
        elif (place := below(stream, number + 1)) < ASKED:
            few[place] = choice
    return few or None


def _choices(game: Game, solution: StrongSolution, control: Control) -> list[Choice]:
    """All of them."""
    start = coerce(game.start())
    seen, left, found = {start}, deque([start]), []
    while left and not control.stopped:
        s = left.popleft()
        if game.terminal(s):
            continue
        after = tuple(coerce(game.result(s, action)) for action in legal_moves(game, s))
        left += [child for child in dict.fromkeys(after) if child not in seen]
        seen |= set(after)
        values, value = [solution.value_of(child) for child in after], solution.value_of(s)
        if min(values) < max(values):
            sign = 1.0 if game.player(s) == MAX else -1.0
            found.append(Choice(sign, after, tuple(each == value for each in values)))
    return found


def kept_by(game: Game, evaluation: Evaluation, choices: list[Choice]) -> dict[str, Any]:
    """The share of positions in which the move after which the estimate is best keeps the value."""
    right = 0
    for choice in choices:
        worth = [
            choice.sign * float(game.utility(s) if game.terminal(s) else evaluation.estimate(game, s))
            for s in choice.after
        ]
        right += choice.keeps[worth.index(max(worth))]
    return {"positions": len(choices), "share": round(right / len(choices), 4)}


__all__ = ["Choice", "choices_of", "kept_by"]
