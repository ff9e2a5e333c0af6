"""How the weights of backgammon were learned: games against itself, and then the weights that explain their results
best, again and again.

    python examples/learn_backgammon.py --rounds 8 --games 60000 --write backgammon.json
    python examples/learn_backgammon.py --match 20000 one.json other.json

Both sides take the play after which the estimate is best, one ply deep; the dice see to it that no two games are alike.
What a position is worth is then what its game brought: each position's target is a mixture of the result and of the
estimates on the way to it (the lambda-return of temporal difference learning), and the weights are those that come
nearest to all targets (least squares), one set for contact and one for the race. With the new weights new games are
played. Everything that takes time is compiled: some thousand games a second.

Samuel (1959) for the idea; Tesauro, "Temporal difference learning and TD-Gammon" (1995) for the game; Bradtke and Barto
(1996) for least squares. The file belongs into `src/plyforge/evaluate/weights`.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Any

import numpy as np

from plyforge.contract import MAX
from plyforge.evaluate.backgammon.features import FEATURE_NAMES, features_of, in_contact
from plyforge.evaluate.weighted import added_up, read_weights, weights_by_name, write_weights
from plyforge.games.backgammon import Backgammon, Position
from plyforge.kernel import inline, kernel, new_stream, uniform
from plyforge.kernel.entry import native_function

GAME = Backgammon()
LONGEST = 600
"""Plays of a game that are kept; longer ones are left out."""
BY_HAND = {
    "pips": -1.0,
    "race": 0.5,
    "bar": -0.1,
    "bar closed": -0.05,
    "point 4": 0.1,
    "point 5": 0.15,
    "point 6": 0.1,
    "point 7": 0.1,
    "anchor 20": 0.1,
    "anchor 21": 0.1,
    "shots": -0.3,
    "prime 4": 0.1,
    "prime 5": 0.2,
    "prime 6": 0.3,
    "back men": -0.05,
    "off": 0.1,
}
"""Where learning begins."""


@inline
def worth(game, weights, s):
    """The estimate of a position, to X."""
    if game.terminal(s):
        return float(game.utility(s))
    stage = 0.0 if in_contact(s) else 1.0
    return min(3.0, max(-3.0, added_up(weights, stage, features_of(s, s.player == MAX))))


@kernel
def best_play(game, weights, s):
    """The position after the play that looks best."""
    best, found = -np.inf, s
    for action in game.actions(s):
        after = game.result(s, action)
        value = worth(game, weights, after)
        value = value if s.player == MAX else -value
        if value > best:
            best, found = value, after
    return found


@kernel
def rolled(game, s, stream):
    """The state after a roll."""
    left = uniform(stream)
    chosen = 0
    for outcome, probability in game.chance(s):
        chosen = outcome
        left -= probability
        if left < 0.0:
            break
    return game.result(s, chosen)


@kernel
def learn(game, weights, stream, games, trace, squares, products, boards):
    """Play games and add up what least squares need: for each stage, features times features and features times
    target."""
    size = weights.shape[1]
    row = np.zeros(size)
    positions = 0
    for _ in range(games):
        s, plays = game.start(), 0
        while not game.terminal(s) and plays < LONGEST:
            s = best_play(game, weights, rolled(game, s, stream))
            boards[plays, 0] = s.max_low
            boards[plays, 1] = s.max_high
            boards[plays, 2] = s.min_low
            boards[plays, 3] = s.min_high
            boards[plays, 4] = s.player
            plays += 1
        if not game.terminal(s):
            continue
        target = float(game.utility(s))
        for back in range(plays - 2, -1, -1):
            b = boards[back]
            s = Position(b[0], b[1], b[2], b[3], 0, b[4])
            stage = 0 if in_contact(s) else 1
            for place, number in enumerate(features_of(s, s.player == MAX)):
                row[place] = number
            for i in range(size):
                if row[i] != 0.0:
                    products[stage, i] += row[i] * target
                    for j in range(size):
                        squares[stage, i, j] += row[i] * row[j]
            target = trace * target + (1.0 - trace) * worth(game, weights, s)
            positions += 1
    return positions


@kernel
def compare(game, one, other, stream, games, totals):
    """Points of the first weights against the second, each pair of games with the sides exchanged: their sum and
    that of their squares."""
    for number in range(games):
        first_is_x = number % 2 == 0
        s = game.start()
        while not game.terminal(s):
            s = rolled(game, s, stream)
            if (s.player == MAX) == first_is_x:
                s = best_play(game, one, s)
            else:
                s = best_play(game, other, s)
        points = float(game.utility(s)) if first_is_x else -float(game.utility(s))
        totals[0] += points
        totals[1] += points * points
    return 0


def match(one: np.ndarray, other: np.ndarray, games: int, seed: int) -> tuple[float, float]:
    """Points a game of the first against the second, and the standard error."""
    totals = np.zeros(2)
    args = (GAME, one, other, new_stream(seed), games, totals)
    native_function(compare, *args)(*args)
    mean = totals[0] / games
    return mean, float(np.sqrt((totals[1] / games - mean * mean) / games))


def fitted(squares: np.ndarray, products: np.ndarray, before: np.ndarray, hold: float) -> np.ndarray:
    """The weights nearest to all targets, held near those before as if by `hold` positions."""
    found = before.copy()
    for stage in range(2):
        scale = np.diag(squares[stage]) / max(1.0, np.diag(squares[stage])[-1])  # turn is always 1 or -1
        ridge = np.diag(hold * np.maximum(scale, 1e-3))
        found[stage] += np.linalg.solve(squares[stage] + ridge, products[stage] - squares[stage] @ before[stage])
    return found


def run(rounds: int, games: int, trace: float, seed: int, file: Path, start: Path | None, hold: float) -> None:
    """Round after round, each judged by a match against the weights of the one before."""
    weights = weights_by_name(GAME, BY_HAND) if start is None else read_weights(start, GAME)
    size = len(FEATURE_NAMES)
    stream: Any = new_stream(seed)
    positions = 0
    for number in range(1, rounds + 1):
        began = time.perf_counter()
        squares, products = np.zeros((2, size, size)), np.zeros((2, size))
        args = (GAME, weights, stream, games, trace, squares, products, np.zeros((LONGEST, 5), np.int64))
        positions = native_function(learn, *args)(*args)
        after = fitted(squares, products, weights, hold)
        points, error = match(after, weights, 20_000, seed + 1000 * number)
        print(
            f"round {number}: {positions:,} positions, {points:+.3f} +- {error:.3f} points a game against the round"
            f" before, {time.perf_counter() - began:.0f} s",
            flush=True,
        )
        weights = after
        about = (
            f"Least squares on the results of {games:,} games against itself a round, {number} rounds, by"
            " examples/learn_backgammon.py. Points; each weight is for contact and for the race."
        )
        write_weights(file, GAME, weights, about)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=8)
    parser.add_argument("--games", type=int, default=60_000, help="of a round")
    parser.add_argument("--trace", type=float, default=0.9, help="how much of a target is what follows")
    parser.add_argument("--hold", type=float, default=300.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--start", type=Path, help="weights to begin with")
    parser.add_argument("--write", type=Path, default=Path("backgammon.json"), metavar="FILE")
    parser.add_argument("--match", type=int, metavar="GAMES", help="play the weights of two files against each other")
    parser.add_argument("files", type=Path, nargs="*")
    given = parser.parse_args()
    if given.match:
        one, other = (read_weights(file, GAME) for file in given.files)
        points, error = match(one, other, given.match, given.seed)
        print(f"{points:+.4f} +- {error:.4f} points a game")
        return
    run(given.rounds, given.games, given.trace, given.seed, given.write, given.start, given.hold)


if __name__ == "__main__":
    main()
