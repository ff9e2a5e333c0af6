"""The interpreted engine beside interpreted alpha-beta: nodes a second, at the same depth, in one run.

Where rules can't be compiled this is the speed that they have. The board of cells is a game as people write it: a
tuple, a list made of it, changed and made a tuple again. Both go by the rules' own `evaluate`, whatever weights come
with a game. Times are of the processor, the best of several, in turns.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass
from typing import Any, NamedTuple

from rich.console import Console
from rich.table import Table

import plyforge as pf
from plyforge.evaluate import OwnEvaluation

EMPTY, WHITE, BLACK = 0, 1, 2


class Position(NamedTuple):
    cells: tuple[int, ...]
    player: int


@dataclass(frozen=True)
class Breakthrough(pf.Game):
    """Pawns go one row ahead, straight if it is free, aslant also to take; whoever reaches the last row wins."""

    size: int = 5

    def start(self):
        n = self.size
        return Position((WHITE,) * 2 * n + (EMPTY,) * (n * (n - 4)) + (BLACK,) * 2 * n, pf.MAX)

    def player(self, s):
        return s.player

    def actions(self, s):
        n, own, ahead = self.size, s.player + 1, 1 if s.player == pf.MAX else -1
        for here, piece in enumerate(s.cells):
            if piece == own:
                row, column = divmod(here, n)
                for aside in (-1, 0, 1):
                    if 0 <= row + ahead < n and 0 <= column + aside < n:
                        there = (row + ahead) * n + column + aside
                        if s.cells[there] == EMPTY or (aside != 0 and s.cells[there] != own):
                            yield (here, there)

    def result(self, s, action):
        here, there = action
        cells = list(s.cells)
        cells[there], cells[here] = cells[here], EMPTY
        return Position(tuple(cells), 1 - s.player)

    def terminal(self, s):
        n = self.size
        return BLACK in s.cells[:n] or WHITE in s.cells[-n:] or WHITE not in s.cells or BLACK not in s.cells

    def utility(self, s):
        return 1.0 if WHITE in s.cells[-self.size :] or BLACK not in s.cells else -1.0


GAMES = (("tic_tac_toe", 7), ("connect4", 7), (Breakthrough(), 5))


def rate(game: Any, using: str, depth: int) -> tuple[float, int]:
    """Nodes a second, and nodes."""
    began = time.process_time()
    found = pf.search(game, using=using, depth=depth, native=False, evaluate=OwnEvaluation())
    return found.nodes / (time.process_time() - began), found.nodes


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n\n")[0])
    parser.add_argument("--repeat", type=int, default=5)
    given = parser.parse_args()
    table = Table(title="Interpreted: thousands of nodes a second")
    for name in ("game", "depth", "alpha_beta", "engine", "ratio", "nodes", "engine's"):
        table.add_column(name, justify="right")
    for named, depth in GAMES:
        game = pf.load(named)
        turns = [(rate(game, "alpha_beta", depth), rate(game, "engine", depth)) for _ in range(given.repeat)]
        plain, engine = max(turn[0] for turn in turns), max(turn[1] for turn in turns)
        table.add_row(
            type(game).__name__,
            str(depth),
            f"{plain[0] / 1e3:.0f}",
            f"{engine[0] / 1e3:.0f}",
            f"{engine[0] / plain[0]:.2f}",
            f"{plain[1]:,}",
            f"{engine[1]:,}",
        )
    Console().print(table)


if __name__ == "__main__":
    main()
