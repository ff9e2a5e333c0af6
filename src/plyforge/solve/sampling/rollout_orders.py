"""Rollouts by many workers: an order is a block of the games from one position.

Claim: game number n of a position is the same game whoever plays it, so the values are those of one process alone, to
the last bit, for any number of workers and any blocks.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np

from plyforge.contract import Game, parse_action
from plyforge.contract.naming import as_state, text_of
from plyforge.evaluate import as_evaluation
from plyforge.games import load
from plyforge.games.as_text import game_text, rules_files
from plyforge.search.running.runner import coerce
from plyforge.search.running.speed import exact_or_interpreted
from plyforge.solve.sampling.rollouts import BlockPlayer, HowToPlay
from plyforge.work import Coordinator, Doer, Order, Terms, hire
from plyforge.work.progress import Progress

KIND = "plyforge.solve.sampling.rollout_orders:blocks_of"
BLOCKS = 24
"""Orders for each position at most: enough for the last ones to be short."""
SMALLEST = 8
"""Games of a block."""


def rolled_out_by_workers(
    game: Game,
    root: Any,
    actions: Sequence[str | None],
    how: HowToPlay,
    places: Sequence[int],
    values: np.ndarray,
    lucks: np.ndarray,
    workers: int | None,
    where: str | Sequence[str],
    on_progress: Callable[[Any], None] | None,
) -> None:
    """Play the games of those places: their values, and how much of them was luck, are written into the rows of those
    numbers."""
    games = values.shape[1]
    size = max(SMALLEST, -(-games // BLOCKS))
    state = text_of(game, root)
    data = {"game": game_text(game), "state": state, "actions": list(actions), "how": asdict(how)}
    given = {
        number: [place, first, min(size, games - first)]
        for number, (place, first) in enumerate((place, first) for first in range(0, games, size) for place in places)
    }
    if not given:
        return
    progress = Progress(len(given), on_progress)
    with hire(Terms.of(KIND, data, rules_files(game)), where or "local", workers) as crew:
        for number, (got, luck) in Coordinator(crew).results(given):
            place, first, count = given[number]
            values[place, first : first + count] = got
            lucks[place, first : first + count] = luck
            progress.one_more()


def blocks_of(data: dict[str, Any]) -> Doer:
    """At a worker: plays blocks."""
    game = load(data["game"])
    root = coerce(as_state(game, data["state"]))
    texts = data["actions"]
    positions = [root if text is None else coerce(game.result(root, parse_action(game, root, text))) for text in texts]
    evaluation, how = as_evaluation(None), data["how"]
    players: dict[bool | None, BlockPlayer] = {}

    @exact_or_interpreted
    def play(position: Any, first: int, count: int, native: bool | None) -> list[list[float]]:
        values, lucks = np.zeros(count), np.zeros(count)
        if native not in players:
            players[native] = BlockPlayer(game, evaluation, root, HowToPlay(**how | {"native": native}))
        try:
            players[native].play(position, first, values, lucks)
        except BaseException:
            players.pop(native)  # rules that have stopped are compiled anew, or run interpreted
            raise
        return [values.tolist(), lucks.tolist()]

    play(root, 0, 1, how["native"])  # compiles

    def do(order: Order) -> list[list[float]]:
        place, first, count = order.given
        return play(positions[place], first, count, how["native"])

    return do


__all__ = ["blocks_of", "rolled_out_by_workers"]
