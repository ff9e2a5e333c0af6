"""Learn Othello's evaluation from games of the program against itself. Run it: python examples/learn_othello.py --games
2000 --out learned

Makes the two files that come with the game: `othello_patterns.npz`, what the contents of patterns are worth, and
`othello.json`, the weights of the named features.

In each round it
1. plays games: some random plies, then a search of a few plies for each move, with the evaluation of the round before
   (in the first, the weights that small boards have). Now and then a random move, so that play goes where it would not.
   From a dozen empty squares on all values are exact;
2. notes for each position what the mover will win or lose by: partly what the game ended with, partly what the search
   said, which is nearer, and less a matter of luck. Positions before a random move know only what the search said;
3. fits tables and weights together so that the squares of the errors are least, by conjugate gradients. Large numbers
   cost a little (a ridge): what was seen seldom stays near zero.

The same seed gives the same games, whatever the number of threads.
"""

import argparse
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

import plyforge as pf
from plyforge.evaluate.othello.features import NAMES, counted
from plyforge.evaluate.othello.patterns import (
    ENTRIES,
    MASKS,
    STAGES,
    STEPS,
    TURNS,
    folded,
    folded_entries,
    pattern_sum,
    place_of,
    quarter_turn,
    stage_of,
    write_tables,
)
from plyforge.evaluate.weighted import WEIGHTS, own_weights, write_weights
from plyforge.games.othello.board import Board
from plyforge.games.othello.heuristics import LAST_SQUARES
from plyforge.games.othello.last_squares import final, last_squares
from plyforge.games.othello.lines import ONE, ZERO, can_play
from plyforge.kernel import below, inline, kernel, lowest, new_stream, popcount, uniform

SQUARES = 64
PASS = 64
NUMBERS = len(NAMES) - 1
"""All features but the patterns."""
RANDOM_PLIES, RANDOM_MORE = 8, 9
"""Games begin with at least so many random plies, and up to so many more, less one."""
EXACT = 12
"""With so many empty squares or fewer, values are exact."""
BLUNDER, LATE_BLUNDER = 0.02, 0.3
"""How often a move is random: before and after values are exact."""
MOST_ROWS = 80
"""More positions than a game can have."""
OVER = 1000.0
"""More than any value."""
CHUNK = 50
"""Games that one thread plays at a time."""


# ---------------------------------------------------------- play; all values are the mover's, who is MAX on every board
@inline
def judge(game, weights, tables, mine, theirs):
    numbers = counted(game, mine, theirs, 0)
    stage = popcount(mine | theirs) / SQUARES
    total = pattern_sum(tables, mine, theirs)
    for index in range(NUMBERS):
        total += (weights[0, index] + stage * (weights[1, index] - weights[0, index])) * numbers[index]
    return min(max(total, -63.9), 63.9)


@inline
def list_moves(game, moves, ply, mine, theirs, ordered):
    """Write the moves into a row, the most promising first, and give their number."""
    squares = can_play(game, mine, theirs)
    number = 0
    while squares:
        square = lowest(squares)
        squares &= squares - ONE
        mark = square
        if ordered:
            mark += 128 * int(game.heuristics.ordering(game, Board(mine, theirs, 0), square))
        place = number
        while place > 0 and moves[ply, place - 1] < mark:
            moves[ply, place] = moves[ply, place - 1]
            place -= 1
        moves[ply, place] = mark
        number += 1
    if number == 0:
        moves[ply, 0] = PASS
        number = 1
    return number


@kernel
def look_ahead(game, weights, tables, tally, moves, mine, theirs, depth, ply, alpha, beta):
    """The value so many plies ahead, by alpha-beta."""
    tally.nodes += 1
    if can_play(game, mine, theirs) == ZERO and can_play(game, theirs, mine) == ZERO:
        return float(final(game, mine, theirs))
    if depth <= 0:
        return judge(game, weights, tables, mine, theirs)
    if SQUARES - popcount(mine | theirs) <= LAST_SQUARES:
        least, most = int(np.floor(max(alpha, -65.0))), int(np.ceil(min(beta, 65.0)))
        return float(last_squares(game, tally, mine, theirs, least, most))
    number = list_moves(game, moves, ply, mine, theirs, depth > 1)
    best = -OVER
    for index in range(number):
        after = game.result(Board(mine, theirs, 0), moves[ply, index] & 127)
        value = -look_ahead(
            game, weights, tables, tally, moves, after.mine, after.theirs, depth - 1, ply + 1, -beta, -max(alpha, best)
        )
        if value > best:
            best = value
            if best >= beta:
                break
    return best


@kernel
def choose(game, weights, tables, tally, moves, mine, theirs, depth):
    """The best move and its value."""
    number = list_moves(game, moves, 0, mine, theirs, True)
    best, chosen = -OVER, PASS
    for index in range(number):
        square = moves[0, index] & 127
        after = game.result(Board(mine, theirs, 0), square)
        value = -look_ahead(game, weights, tables, tally, moves, after.mine, after.theirs, depth - 1, 1, -OVER, -best)
        if value > best:
            best, chosen = value, square
    return chosen, best


@kernel
def play(game, weights, tables, tally, stream, moves, depth, boards, values, known):
    """Play a game. For each position: the discs, what the game ended with and what the search said, and whether the
    first of these is to be believed."""
    s = game.start()
    for _ in range(RANDOM_PLIES + below(stream, RANDOM_MORE)):
        if not game.terminal(s):
            s = game.result(s, game.sample(s, stream))
    rows = 0
    outcome = OVER
    while not game.terminal(s):
        if can_play(game, s.mine, s.theirs) == ZERO:
            s = game.result(s, PASS)
            continue
        empty = SQUARES - popcount(s.mine | s.theirs)
        exact = empty <= EXACT
        sign = 1.0 if s.player == 0 else -1.0
        square, value = choose(game, weights, tables, tally, moves, s.mine, s.theirs, SQUARES if exact else depth)
        if exact and outcome == OVER:
            outcome = sign * value
            for row in range(rows):
                values[row, 0] *= outcome
        boards[rows, 0] = s.mine
        boards[rows, 1] = s.theirs
        values[rows, 0] = value if exact else sign
        values[rows, 1] = value
        known[rows] = True
        rows += 1
        if uniform(stream) < (LATE_BLUNDER if exact else BLUNDER):
            square = game.sample(s, stream)
            if not exact:
                for row in range(rows):
                    known[row] = False
        s = game.result(s, square)
    if outcome == OVER:
        for row in range(rows):
            values[row, 0] *= game.utility(s)
    return rows


def play_chunk(game, weights, tables, depth, seed):
    """Games from one seed."""
    stream = new_stream(seed)
    tally = np.zeros(1, np.dtype([("nodes", "i8")])).view(np.recarray)[0]
    moves = np.zeros((MOST_ROWS + SQUARES, SQUARES), np.int64)
    boards, values, known = (
        np.zeros((MOST_ROWS, 2), np.uint64),
        np.zeros((MOST_ROWS, 2)),
        np.zeros(MOST_ROWS, np.bool_),
    )
    parts = []
    for _ in range(CHUNK):
        rows = play.native(game, weights, tables, tally, stream, moves, depth, boards, values, known)
        parts.append((boards[:rows].copy(), values[:rows].astype(np.float32), known[:rows].copy()))
    return tuple(np.concatenate(part) for part in zip(*parts, strict=True))


# ------------------------------------------------------------------ learn
@kernel
def count_all(game, boards, numbers):
    """The named features of many positions, early and late."""
    for row in range(len(boards)):
        mine, theirs = boards[row, 0], boards[row, 1]
        found = counted(game, mine, theirs, 0)
        stage = popcount(mine | theirs) / SQUARES
        for index in range(NUMBERS):
            numbers[row, index] = (1.0 - stage) * found[index]
            numbers[row, NUMBERS + index] = stage * found[index]


@kernel
def estimate_all(boards, tables, numbers, weights, estimates):
    """What tables and weights say of many positions."""
    for row in range(len(boards)):
        mine, theirs = boards[row, 0], boards[row, 1]
        stage, share = stage_of(mine, theirs)
        before, after = 0.0, 0.0
        for _ in range(TURNS):
            for reading in range(len(MASKS)):
                place = place_of(reading, mine, theirs)
                before += tables[stage, place]
                after += tables[stage + 1, place]
            mine, theirs = quarter_turn(mine), quarter_turn(theirs)
        total = before + share * (after - before)
        for index in range(2 * NUMBERS):
            total += numbers[row, index] * weights[index]
        estimates[row] = total


@kernel
def blame_all(boards, errors, power, tables, numbers, weights):
    """Add each position's error to all that its estimate was made of; with `power` 2, the squares of how much each
    counts."""
    for row in range(len(boards)):
        mine, theirs = boards[row, 0], boards[row, 1]
        stage, share = stage_of(mine, theirs)
        before, after = errors[row] * (1.0 - share) ** power, errors[row] * share**power
        for _ in range(TURNS):
            for reading in range(len(MASKS)):
                place = place_of(reading, mine, theirs)
                tables[stage, place] += before
                tables[stage + 1, place] += after
            mine, theirs = quarter_turn(mine), quarter_turn(theirs)
        for index in range(2 * NUMBERS):
            weights[index] += errors[row] * numbers[row, index] ** power


class Fit:
    """Least squares with a ridge. Unknowns are the tables' numbers, mirrored contents sharing one, then the weights,
    early and late."""

    def __init__(self, game, boards, targets):
        self.boards, self.targets = boards, targets
        self.numbers = np.zeros((len(boards), 2 * NUMBERS), np.float32)
        count_all.native(game, boards, self.numbers)

    def unfold(self, unknowns):
        tables = unknowns[: -2 * NUMBERS].reshape(STAGES, folded_entries())
        return tables[:, folded()].astype(np.float32), unknowns[-2 * NUMBERS :]

    def estimate(self, unknowns):
        tables, weights = self.unfold(unknowns)
        estimates = np.zeros(len(self.boards))
        estimate_all.native(self.boards, tables, self.numbers, weights, estimates)
        return estimates

    def blame(self, errors, power):
        tables, weights = np.zeros((STAGES, ENTRIES), np.float32), np.zeros(2 * NUMBERS)
        blame_all.native(self.boards, errors, power, tables, self.numbers, weights)
        shared = [np.bincount(folded(), row, folded_entries()) for row in tables]
        return np.concatenate([*shared, weights])

    def solve(self, known, ridge, steps, progress):
        """Conjugate gradients, each unknown scaled by how much it counts. `known`: the unknowns of the round before,
        or None."""
        errors = self.targets - (np.mean(self.targets) if known is None else self.estimate(known))
        trust = 1.0 / noise(self.boards, errors)
        cost = np.full(STAGES * folded_entries() + 2 * NUMBERS, ridge)
        cost[-2 * NUMBERS :] = 1e-3  # the weights are few, and seen often
        curvature = self.blame(trust, 2) + cost
        unknowns, errors = np.zeros(len(cost)), self.targets.astype(np.float64)
        slope = self.blame(trust * errors, 1)
        scaled = slope / curvature
        direction, size = scaled, slope @ scaled
        for step in range(steps):
            change = self.estimate(direction)
            length = size / (change @ (trust * change) + direction @ (cost * direction))
            unknowns += length * direction
            errors -= length * change
            slope = self.blame(trust * errors, 1) - cost * unknowns
            scaled = slope / curvature
            size, before = slope @ scaled, size
            direction = scaled + size / before * direction
            off = np.sqrt(np.mean(errors**2))
            progress.show(f"step {step + 1} of {steps}: off by {off:.2f} discs", last=step + 1 == steps)
        return unknowns


def noise(boards, errors):
    """The mean square error for each number of discs, smoothed, as one number for each position: the more there is,
    the less a position is to be believed."""
    bytes_of_sets = (boards[:, 0] | boards[:, 1]).view(np.uint8).reshape(len(boards), 8)
    discs = np.unpackbits(bytes_of_sets, axis=1).sum(axis=1, dtype=np.int64)
    squares, rows = np.bincount(discs, errors**2, SQUARES + 1), np.bincount(discs, minlength=SQUARES + 1)
    around = np.ones(5)
    mean = np.convolve(squares, around, "same") / np.maximum(np.convolve(rows, around, "same"), 1)
    return np.maximum(mean, 1.0)[discs]


# ------------------------------------------------------------------ rounds
class Progress:
    """One line that is written over, at most twice a second."""

    def __init__(self):
        self.began, self.shown = time.time(), 0.0

    def show(self, text, last=False):
        if last or time.time() - self.shown > 0.5:
            self.shown = time.time()
            print(f"\r  {text}, {self.shown - self.began:.0f} s   ", end="\n" if last else "", flush=True)


def gather(pool, game, weights, tables, depth, seeds, progress):
    """The positions of many games."""
    parts = []
    for part in pool.map(lambda seed: play_chunk(game, weights, tables, depth, seed), seeds):
        parts.append(part)
        done = len(parts) == len(seeds)
        progress.show(f"{len(parts) * CHUNK:,} of {len(seeds) * CHUNK:,} games", last=done)
    return tuple(np.concatenate(part) for part in zip(*parts, strict=True))


def learn(chosen, pool, progress):
    game = pf.load("othello")
    weights, tables = (own_weights("othello", NAMES, "small")[:, :NUMBERS].copy(), np.zeros((STAGES, ENTRIES), np.int8))
    unknowns = None
    for number in range(chosen.rounds):
        print(f"round {number + 1} of {chosen.rounds}")
        chunks = -(-chosen.games // CHUNK)
        seeds = [(chosen.seed << 40) + (number << 32) + chunk for chunk in range(chunks)]
        boards, values, known = gather(pool, game, weights, tables, chosen.depth, seeds, progress)
        if number == 0:  # weights set by hand are on no scale: only ends count
            boards, targets = boards[known], values[known, 0]
        else:
            part = np.where(known, chosen.outcome, 0.0)
            targets = part * values[:, 0] + (1.0 - part) * values[:, 1]

        held_back = len(boards) // 20
        fit = Fit(game, boards[held_back:], targets[held_back:])
        unknowns = fit.solve(unknowns, chosen.ridge, chosen.steps, progress)
        off = Fit(game, boards[:held_back], targets[:held_back]).estimate(unknowns) - targets[:held_back]
        print(f"  {len(boards):,} positions; off by {np.sqrt(np.mean(off**2)):.2f} discs where it has not learned")

        learned, rows = fit.unfold(unknowns)
        tables = np.clip(np.round(learned * STEPS), -128, 127).astype(np.int8)
        weights = rows.reshape(2, NUMBERS)
        about = (
            f"Learned from games of the program against itself: examples/learn_othello.py --games {chosen.games}"
            f" --rounds {number + 1} --depth {chosen.depth} --outcome {chosen.outcome} --ridge {chosen.ridge} --seed"
            f" {chosen.seed}"
        )
        write_tables(chosen.out / "othello_patterns.npz", tables)
        write_weights(chosen.out / "othello.json", game, np.concatenate([weights, np.ones((2, 1))], axis=1), about)


def at_least_one(text):
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number of at least 1")
    return int(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=at_least_one, default=40_000, help="games in each round")
    parser.add_argument("--rounds", type=at_least_one, default=4)
    parser.add_argument("--depth", type=at_least_one, default=4, help="plies that each move looks ahead")
    parser.add_argument("--outcome", type=float, default=0.3, help="how much of a target is the game's end")
    parser.add_argument("--ridge", type=float, default=0.07, help="how much large numbers cost")
    parser.add_argument("--steps", type=at_least_one, default=25, help="steps of conjugate gradients")
    parser.add_argument("--threads", type=at_least_one, default=1)
    parser.add_argument("--seed", type=at_least_one, default=1)
    parser.add_argument("--out", type=Path, default=Path("learned"), help="folder for the two files")
    chosen = parser.parse_args()
    chosen.out.mkdir(parents=True, exist_ok=True)
    pool = ThreadPoolExecutor(chosen.threads)
    try:
        learn(chosen, pool, Progress())
    except KeyboardInterrupt:
        print(f"\nstopped; {chosen.out} has what the rounds before this one have learned")
        sys.exit(130)
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
    print(f"written to {chosen.out}: to use them, put both files into {WEIGHTS}")


if __name__ == "__main__":
    main()
