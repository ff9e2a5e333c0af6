"""Monte Carlo Go on 9x9: Plyforge's playouts beside GNU Go's and OpenSpiel's.

All three grow a tree and judge each new leaf by one playout; a rate is simulations per second of processor time on one
thread, best of several, measured in turns in one run. Read the ratios, not the rates.

- GNU Go plays `--mc-games-per-level` (8000) times its level for a move. Processor time of a move at level 1 and at
  level 3, start-up and all, differs by that of 16,000 playouts. Four stones are on the board, so that no move comes
  from its library. Its playouts know patterns.
- OpenSpiel's `MCTSBot` with `RandomRolloutEvaluator(1)` plays uniformly at random from the start of `go(board_size=9)`:
  `pip install -e .[bench]`.
- Plyforge's UCT with simple playouts (uniform but for eyes) is what those two are compared with; with skill (MoGo's
  patterns and answers to atari) and all-moves-as-first is how it plays.
"""

from __future__ import annotations

import argparse
import resource
import shutil
import subprocess
import time
from collections.abc import Callable
from typing import NamedTuple

from rich.console import Console
from rich.table import Table

from plyforge.contract import state_after
from plyforge.games.go import Go
from plyforge.search.mcts import Uct

OPENING = (("b", "E5"), ("w", "D3"), ("b", "F7"), ("w", "C6"))
GAMES_PER_LEVEL = 8000
LEVELS = (1, 3)
GNU_GO_WANTED, OPEN_SPIEL_WANTED = 4.0, 10.0
"""How many times faster simple playouts mean to be."""


class Rival(NamedTuple):
    """Somebody whose simulations are counted."""

    name: str
    rate: Callable[[], float | None]
    wanted: float | None = None


def our_rate(simulations: int, **options: object) -> float:
    """Simulations per second of a search with an empty tree, after the opening."""
    game = Go(9)
    state = state_after(game, *(vertex for _, vertex in OPENING))
    search = Uct(simulations=simulations, solve=False, **options)  # type: ignore[arg-type]
    began = time.process_time()
    search.search(game, state, native=True)
    return simulations / (time.process_time() - began)


def gnu_go_seconds(program: str, level: int) -> float:
    """Processor time of a process that makes one move."""
    stones = "".join(f"play {colour} {vertex}\n" for colour, vertex in OPENING)
    commands = f"boardsize 9\nclear_board\n{stones}genmove b\nquit\n"
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        [program, "--mode", "gtp", "--monte-carlo", "--level", str(level)],
        input=commands,
        text=True,
        capture_output=True,
        check=True,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def gnu_go_rate() -> float | None:
    program = shutil.which("gnugo") or shutil.which("/usr/games/gnugo")
    if program is None:
        return None
    low, high = (gnu_go_seconds(program, level) for level in LEVELS)
    return GAMES_PER_LEVEL * (LEVELS[1] - LEVELS[0]) / (high - low)


def open_spiel_rate() -> float | None:
    try:
        import pyspiel
    except ImportError:
        return None
    simulations = 3000
    game = pyspiel.load_game("go(board_size=9)")
    bot = pyspiel.MCTSBot(game, pyspiel.RandomRolloutEvaluator(1, 1), 2.0, simulations, 4000, False, 1, False)
    began = time.process_time()
    bot.mcts_search(game.new_initial_state())
    return simulations / (time.process_time() - began)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n\n")[0])
    parser.add_argument("--repeat", type=int, default=5)
    repeat = parser.parse_args().repeat
    rivals = (
        Rival("plyforge, simple playouts", lambda: our_rate(30_000)),
        Rival("GNU Go, Monte Carlo", gnu_go_rate, GNU_GO_WANTED),
        Rival("OpenSpiel, MCTSBot", open_spiel_rate, OPEN_SPIEL_WANTED),
        Rival("plyforge, skilled, RAVE", lambda: our_rate(30_000, weighted=True, rave=1000.0)),
    )
    our_rate(100)  # compile
    our_rate(100, weighted=True, rave=1000.0)
    found: dict[str, list[float]] = {rival.name: [] for rival in rivals}
    for _ in range(repeat):
        for rival in rivals:
            rate = rival.rate()
            if rate is not None:
                found[rival.name].append(rate)
    simple = max(found[rivals[0].name])
    table = Table(title="Go 9x9, one thread, simulations a second", title_justify="left")
    for heading in ("", "rate", "simple playouts are faster by", "wanted"):
        table.add_column(heading, justify="right" if heading else "left")
    for rival in rivals:
        best = max(found[rival.name], default=None)
        rate = "not installed" if best is None else f"{best:,.0f}"
        ratio = "" if best is None or rival.wanted is None else f"{simple / best:.1f} x"
        table.add_row(rival.name, rate, ratio, "" if rival.wanted is None else f"{rival.wanted:g} x")
    Console().print(table)


if __name__ == "__main__":
    main()
