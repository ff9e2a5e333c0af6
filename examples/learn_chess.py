"""How the weights of chess were learned: games against itself, and then the weights that explain their results best.

    python examples/learn_chess.py play --games 1000 --seed 1 positions-1.npz     # as often as you like, each with a seed of its own
    python examples/learn_chess.py fit positions-*.npz --write .                   # writes chess.json and chess_squares.json

Each game begins with some random moves, and is played by the engine with few nodes a move. From every quiet position
(nobody in check, the best move no capture) we keep the pieces, what the search said, and how the game ended. An
estimate e of a position should then say how the game ends: a win with probability 1 / (1 + exp(-K e)). The weights of
all features, early and late, and of all squares are those with the greatest likelihood (logistic regression, by
Newton's method), held near values set by hand as far as the positions don't know better. The files belong into
`src/plyforge/evaluate/weights`; whether they are better, only a match tells: see docs/guides/measure-strength.md.

This is Samuel's idea (1959) with the whole game as the teacher; Tesauro (1987) and many since did the same for other
games.
"""  # noqa: E501

from __future__ import annotations

import argparse
import random
import time
from pathlib import Path
from typing import Any

import numpy as np

from plyforge.contract import legal_moves
from plyforge.evaluate.chess.features import NAMES, features_of, phase_of
from plyforge.evaluate.chess.squares import write_squares
from plyforge.evaluate.weighted import write_weights
from plyforge.games.chess.board import CASTLING, KIND, SQUARE, TARGET, TO_KNIGHT, Position
from plyforge.games.chess.rules import Chess
from plyforge.kernel import kernel
from plyforge.kernel.entry import native_function
from plyforge.search.core.limits import Limits
from plyforge.search.engine.engine import Engine

GAME = Chess()
PAWN = 0.01
"""What a pawn is in estimates."""
STEEPNESS = 0.5
"""K for estimates in pawns: a pawn ahead wins 62 of 100."""
OPENING_PLIES = (6, 7, 8, 9, 10)
EVEN, DECIDED, LONGEST = 2.5, 7.0, 260
"""Pawns: openings that are not more uneven are played; games where one side is so far ahead for five plies are over.
And the most plies of a game."""
FROM_SEARCH = 0.3
"""How much of what is to be explained is the search's opinion; the rest is the result."""
FIELDS = 9
"""How many fields of a position are sets of squares."""
NO_TABLES = np.zeros((2, 6, 64))


# ------------------------------------------------------------------ games
def is_quiet(s: Position, action: int) -> bool:
    """True if neither the position nor the move in it is a matter of tactics."""
    taken = int(s.white | s.black) >> (action >> TARGET & SQUARE) & 1
    kind = action >> KIND
    return not GAME.in_check(s) and kind < TO_KNIGHT and (not taken or kind == CASTLING)


def opening(chooser: random.Random) -> Position | None:
    """The position after some random moves; None if the game is over by then."""
    s = GAME.start()
    for _ in range(chooser.choice(OPENING_PLIES)):
        legal = legal_moves(GAME, s)
        if not legal:
            return None
        s = GAME.result(s, chooser.choice(legal))
    return None if GAME.terminal(s) else s


def play_game(engine: Engine, table: Any, s: Position, nodes: int) -> tuple[list[tuple[Position, float]], float]:
    """The quiet positions of a game with what the search said of each, and White's result."""
    past: list[Position] = []
    kept: list[tuple[Position, float]] = []
    ahead = 0
    while len(past) < LONGEST:
        if GAME.terminal(s):
            return kept, GAME.utility(s)
        if GAME.history.draw_reason(GAME, [*past, s]):
            return kept, 0.0
        found = engine.start(GAME, True, table=table).think(s, Limits(nodes=nodes), history=past)
        pawns = found.value / PAWN
        if not past and abs(pawns) > EVEN:
            return [], 0.0
        if is_quiet(s, found.action) and abs(pawns) < 2 * DECIDED:
            kept.append((s, pawns))
        ahead = ahead + 1 if abs(pawns) >= DECIDED else 0
        if ahead == 5:
            return kept, 1.0 if pawns > 0 else -1.0
        past.append(s)
        s = GAME.result(s, found.action)
    return kept, 0.0


def play(games: int, nodes: int, seed: int, file: Path) -> None:
    """Play games, and write their positions."""
    chooser, engine = random.Random(seed), Engine(table_mib=8)
    table = engine.new_table()
    boards: list[list[int]] = []
    results: list[float] = []
    opinions: list[float] = []
    played, began = 0, time.perf_counter()
    while played < games:
        s = opening(chooser)
        kept, result = ([], 0.0) if s is None else play_game(engine, table, s, nodes)
        if not kept:
            continue
        played += 1
        for state, pawns in kept:
            boards.append([int(bits) for bits in state[:FIELDS]] + [state.player])
            results.append(result)
            opinions.append(pawns)
        print(f"\r{played} games, {len(boards):,} positions, {time.perf_counter() - began:.0f} s", end="", flush=True)
    np.savez_compressed(
        file, boards=np.array(boards, np.uint64), results=np.array(results), opinions=np.array(opinions)
    )
    print(f"\nwritten to {file}")


# ------------------------------------------------------------------ features
@kernel
def extract(boards, found, stages, table):
    """The features and stages of all positions."""
    for i in range(boards.shape[0]):
        b = boards[i]
        s = Position(b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8], np.int64(b[9]), 0, 0)
        for place, number in enumerate(features_of(s, table)):
            found[i, place] = number
        stages[i] = phase_of(s)
    return 0


HALF = np.array([(square >> 3) * 4 + min(square & 7, 7 - (square & 7)) for square in range(64)])
"""The place of a square in a table of which only the left half is kept."""


def pieces_on_squares(boards: np.ndarray) -> np.ndarray:
    """For each kind of piece and each square of the left half: White's pieces minus Black's, on a board turned
    upside down."""
    white, black, pawns, knights, diagonals, straights, kings = boards[:, :7].T
    kinds = (pawns, knights, diagonals & ~straights, straights & ~diagonals, diagonals & straights, kings)
    found = np.zeros((len(boards), 6 * 32), np.float32)
    for number, kind in enumerate(kinds):
        for square in range(64):
            shift = np.uint64(square)
            found[:, 32 * number + HALF[square]] += (kind & white) >> shift & np.uint64(1)
            found[:, 32 * number + HALF[square ^ 56]] -= ((kind & black) >> shift & np.uint64(1)).astype(np.float32)
    return found


def rows_of(boards: np.ndarray) -> np.ndarray:
    """All that is weighed, early and late, for each position."""
    found, stages = np.zeros((len(boards), len(NAMES))), np.zeros(len(boards))
    function = native_function(extract, boards, found, stages, NO_TABLES)
    function(boards, found, stages, NO_TABLES)
    late = stages[:, None].astype(np.float32)
    both = np.concatenate([found.astype(np.float32), pieces_on_squares(boards)], axis=1)
    return np.concatenate([both * (1 - late), both * late], axis=1)


# ------------------------------------------------------------------ weights
BY_HAND: dict[str, tuple[float, float]] = {
    "pawns": (1, 1),
    "knights": (3.2, 3.2),
    "bishops": (3.3, 3.3),
    "rooks": (5, 5),
    "queens": (9.7, 9.7),
    "bishop pair": (0.3, 0.3),
    "move": (0.1, 0.1),
    "king shelter": (0.08, 0),
    "king storm": (-0.05, 0),
    "king files": (-0.1, 0),
    "king attack": (0.02, 0.01),
    "king ring": (0.06, 0),
    "king checks": (0.15, 0.05),
    "knight mobility": (0.04, 0.04),
    "bishop mobility": (0.04, 0.05),
    "rook mobility": (0.03, 0.05),
    "queen mobility": (0.015, 0.03),
    "cramped": (-0.05, -0.05),
    "open files": (0.25, 0.1),
    "half-open files": (0.1, 0.1),
    "seventh rank": (0.1, 0.2),
    "outposts": (0.2, 0.1),
    "bad bishop": (-0.03, -0.05),
    "doubled": (-0.1, -0.2),
    "isolated": (-0.12, -0.15),
    "backward": (-0.1, -0.1),
    "connected": (0.05, 0.05),
    "passed": (0, 0.1),
    "passed advance": (0.015, 0.04),
    "passed protected": (0.1, 0.1),
    "passed blocked": (-0.03, -0.08),
    "passed race": (0, 0.03),
    "passed free": (0.01, 0.02),
    "rook behind": (0.05, 0.1),
    "pawn threats": (0.4, 0.3),
    "minor threats": (0.3, 0.3),
    "rook threats": (0.3, 0.2),
    "hanging": (0.15, 0.15),
}
"""Where the fit begins, early and late, in pawns."""


def squares_by_hand() -> np.ndarray:
    """The same for squares, by stage, piece, rank and column from the edge: towards the middle, and kings into the
    corner until the end."""
    table = np.zeros((2, 6, 8, 4))
    for rank in range(8):
        for column in range(4):
            centre = min(rank, 7 - rank, column)
            middle = 0.15 if column == 3 else 0.07 if column == 2 else 0.0
            table[0, 0, rank, column] = 0.03 * (rank - 1) + (middle if rank in (3, 4) else 0.0)
            table[1, 0, rank, column] = 0.05 * (rank - 1)
            table[:, 1, rank, column] = 0.12 * centre - 0.2
            table[:, 2, rank, column] = 0.05 * centre - 0.05
            table[0, 3, rank, column] = 0.03 * column + (0.1 if rank == 6 else 0.0) - 0.05
            table[1, 3, rank, column] = 0.05 if rank >= 5 else 0.0
            table[:, 4, rank, column] = (0.02 * centre, 0.06 * centre - 0.1)
            table[0, 5, rank, column] = -0.25 * rank - 0.1 * max(0, column) + (0.1 if (rank, column) == (0, 1) else 0.0)
            table[1, 5, rank, column] = 0.13 * centre - 0.2
    return table


def fitted(rows: np.ndarray, wanted: np.ndarray, start: np.ndarray, reach: np.ndarray, hold: float) -> np.ndarray:
    """The weights with the greatest likelihood, held near `start`: a weight that is `reach` away costs as much as
    half of `hold` positions."""
    weights = start.copy()
    for step in range(8):
        gradient, curvature = hold * (weights - start) / reach**2, np.diag(hold / reach**2)
        loss = 0.0
        for begin in range(0, len(rows), 20_000):
            part, target = rows[begin : begin + 20_000].astype(np.float64), wanted[begin : begin + 20_000]
            chance = 1.0 / (1.0 + np.exp(-np.clip(STEEPNESS * part @ weights, -30, 30)))
            loss -= float(np.sum(target * np.log(chance) + (1 - target) * np.log(1 - chance)))
            gradient = gradient + STEEPNESS * part.T @ (chance - target)
            curvature = curvature + STEEPNESS**2 * (part.T * (chance * (1 - chance))) @ part
        weights = weights - np.linalg.solve(curvature, gradient)
        print(f"step {step + 1}: {loss / len(rows):.5f} a position")
    return weights


def fit(files: list[Path], hold: float, folder: Path) -> None:
    """Read positions, fit, and write both files."""
    loaded = [np.load(file, allow_pickle=False) for file in files]
    boards, results, opinions = (
        np.concatenate([data[name] for data in loaded]) for name in ("boards", "results", "opinions")
    )
    print(f"{len(boards):,} positions")
    wanted = (1 - FROM_SEARCH) * (results + 1) / 2 + FROM_SEARCH / (1 + np.exp(-STEEPNESS * opinions))
    tables = squares_by_hand()
    start = np.concatenate(
        [
            np.concatenate([[BY_HAND.get(name, (0, 0))[stage] for name in NAMES], tables[stage].ravel()])
            for stage in (0, 1)
        ]
    )
    rows = rows_of(boards)
    reach = np.full(len(start), 0.12)
    for stage in (0, 1):
        for place, name in enumerate(NAMES):
            at = stage * (len(start) // 2) + place
            most = max(2.0, float(np.abs(rows[:, at]).max()))
            reach[at] = 0.5 if abs(start[at]) >= 1 else 0.2 if name == "move" else min(0.25, 1.2 / most)
    weights = fitted(rows, wanted, start, reach, hold).reshape(2, -1)
    numbers, squares = weights[:, : len(NAMES)], weights[:, len(NAMES) :].reshape(2, 6, 32)
    numbers[:, NAMES.index("squares")] = 1.0 / PAWN
    about = (
        f"Fitted to {len(boards):,} quiet positions of games against itself by examples/learn_chess.py. A pawn is about"
        f" {PAWN}."
    )
    write_weights(
        folder / "chess.json",
        GAME,
        numbers * PAWN,
        about + " Each weight is for the beginning and for the end of the game.",
    )
    write_squares(folder / "chess_squares.json", squares[:, :, HALF] * PAWN, about)
    print(f"written to {folder}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    verbs = parser.add_subparsers(dest="verb", required=True)
    playing = verbs.add_parser("play", help="play games and keep their quiet positions")
    playing.add_argument("file", type=Path)
    playing.add_argument("--games", type=int, default=1000)
    playing.add_argument("--nodes", type=int, default=2500, help="for a move")
    playing.add_argument("--seed", type=int, default=1)
    fitting = verbs.add_parser("fit", help="fit weights to positions")
    fitting.add_argument("files", type=Path, nargs="+")
    fitting.add_argument("--hold", type=float, default=3.0, help="how firmly weights are held near those by hand")
    fitting.add_argument("--write", type=Path, default=Path(), metavar="FOLDER")
    given = parser.parse_args()
    if given.verb == "play":
        play(given.games, given.nodes, given.seed, given.file)
    else:
        given.write.mkdir(parents=True, exist_ok=True)
        fit(given.files, given.hold, given.write)


if __name__ == "__main__":
    main()
