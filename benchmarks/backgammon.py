"""Backgammon: simulations and playouts beside OpenSpiel's, the time of a play, estimates a second beside GNU
Backgammon's, and points a game against it.

    python benchmarks/backgammon.py                       speed
    python benchmarks/backgammon.py --games 500           points a game against GNU Backgammon at 0 plies, with their error
    python benchmarks/backgammon.py --games 100 --depth 3
    python benchmarks/backgammon.py --games 100 --depth 3 --network own --bear-off      judged by a network, the end of a race looked up

Rates are per second of processor time, best of several, in turns in one run: read the ratios. OpenSpiel needs `pip
install -e .[bench]`, GNU Backgammon the program `gnubg` (Debian has it); rows without them are left out.

In games sides and dice are shared: each pair of games has the same seed and the sides exchanged. Plays are chosen by
Star2 `--depth` plies deep, where a roll is a ply: 1 judges the position after each play, 3 looks at every reply to
every roll.
"""  # noqa: E501

from __future__ import annotations

import argparse
import math
import os
import random
import re
import shutil
import subprocess
import time
from collections.abc import Callable
from typing import Any

from rich.console import Console
from rich.table import Table

import plyforge as pf
from plyforge.contract import CHANCE, MAX
from plyforge.games.backgammon import Backgammon, Position
from plyforge.kernel import kernel
from plyforge.kernel.entry import native_function
from plyforge.play import SearchPlayer, parse_player
from plyforge.play.protocols.gnubg import GnubgProgram
from plyforge.search.mcts import Flat, Uct

WANTED_RATIO = 30.0
WANTED_MILLISECONDS = 50.0
SIMULATIONS = 20_000
THEIR_SIMULATIONS = 400
DEBIAN_GAMES = "/usr/games"
"""Where Debian puts games, which is not on every path."""
POSITIONS = ("4HPwATDgc/ABMA X 31", "sGfwATDgc/ABMA O 42", "4HPwATDgc/ABMA X 64", "sGfwATDgc/ABMA O 22")
"""Where the time of a play is measured; the last one is a double."""


# ------------------------------------------------------------------ speed
def rate(work: Callable[[], Any], number: int, repeat: int) -> float:
    """The best of several runs, by processor time."""
    best = math.inf
    for _ in range(repeat):
        began = time.process_time()
        work()
        best = min(best, time.process_time() - began)
    return number / best


def their_rate(repeat: int) -> float | None:
    """OpenSpiel's simulations a second: each is a random playout and little more."""
    try:
        import pyspiel
    except ImportError:
        return None
    game = pyspiel.load_game("backgammon")
    evaluator = pyspiel.RandomRolloutEvaluator(1, 1)
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])

    def search() -> None:
        bot = pyspiel.MCTSBot(game, evaluator, 2.0, THEIR_SIMULATIONS, 4000, False, 1, False)
        bot.mcts_search(state)

    return rate(search, THEIR_SIMULATIONS, repeat)


@kernel
def add_up_estimates(game: Any, s: Any, times: int) -> float:
    """Estimate the positions after all plays, again and again."""
    total = 0.0
    for _ in range(times):
        for action in game.actions(s):
            total += game.evaluate(game.result(s, action))
    return total


def estimates_a_second(game: Backgammon, repeat: int) -> float:
    """Plays made and judged, a second."""
    state = pf.parse_state(game, POSITIONS[1])
    function, times = native_function(add_up_estimates, game, state, 1), 20_000
    return rate(lambda: function(game, state, times), times * game.count(state), repeat)


def gnubg_estimates() -> float | None:
    """What GNU Backgammon says of itself (`calibrate`, by the clock on the wall), brought to processor time by what
    it used of a core."""
    command = gnubg_command()
    if command is None:
        return None
    used, began = children_seconds(), time.perf_counter()
    done = subprocess.run(
        [command, "-t", "-q"], input="calibrate 3\n", capture_output=True, text=True, timeout=300, check=False
    )
    found = re.findall(r"([\d.]+)\s+static evaluations/second", done.stdout.replace("\r", "\n"))
    share = (children_seconds() - used) / (time.perf_counter() - began)
    return float(found[-1]) / min(1.0, share) if found else None


def children_seconds() -> float:
    """Processor time of the programs that were started and have ended."""
    return os.times().children_user + os.times().children_system


def gnubg_command() -> str | None:
    """Where GNU Backgammon is; None if it is not installed."""
    return shutil.which("gnubg") or shutil.which("gnubg", path=DEBIAN_GAMES)


def milliseconds(game: Backgammon, using: str, depth: int, state: str, repeat: int) -> float:
    """Of processor time for one play."""
    options = {"native": True, "depth": depth}
    return 1000.0 / rate(lambda: pf.search(game, state, using, **options), 1, repeat)


def speed(repeat: int) -> None:
    """Both tables."""
    game = Backgammon()
    state = pf.parse_state(game, POSITIONS[0])

    def simulate() -> None:
        Uct(simulations=SIMULATIONS, solve=False).search(game, state, native=True)

    def play_out() -> None:
        Flat(simulations=SIMULATIONS).search(game, state, native=True)

    for compile_it in (simulate, play_out):
        compile_it()
    for using in ("star2", "expectiminimax"):
        pf.search(game, state, using, depth=1, native=True)
    ours = rate(simulate, SIMULATIONS, repeat), rate(play_out, SIMULATIONS, repeat)
    theirs = their_rate(repeat)
    table = Table(title="Backgammon, one core, a second of processor time", title_justify="left")
    for heading in ("", "plyforge", "other", "faster by", "wanted"):
        table.add_column(heading, justify="left" if not heading else "right")
    for name, own in zip(("UCT simulations", "random playouts"), ours, strict=True):
        table.add_row(f"{name} (OpenSpiel: MCTS)", *compared(own, theirs), f"{WANTED_RATIO:g} x")
    table.add_row("estimates (GNU Backgammon)", *compared(estimates_a_second(game, repeat), gnubg_estimates()), "1 x")
    Console().print(table)

    table = Table(title="A play, milliseconds of processor time", title_justify="left")
    for heading in ("position", "depth 1", "depth 3", "expectiminimax to 3", "depth 5", "wanted for 3"):
        table.add_column(heading, justify="left" if heading == "position" else "right")
    for text in POSITIONS:
        cells = [milliseconds(game, "star2", depth, text, repeat) for depth in (1, 3)]
        cells.append(milliseconds(game, "expectiminimax", 3, text, repeat))
        cells.append(milliseconds(game, "star2", 5, text, 1))
        table.add_row(text, *(f"{cell:.1f}" for cell in cells), f"{WANTED_MILLISECONDS:g}")
    Console().print(table)


def compared(ours: float, theirs: float | None) -> tuple[str, str, str]:
    if theirs is None:
        return f"{ours:,.0f}", "not installed", ""
    return f"{ours:,.0f}", f"{theirs:,.0f}", f"{ours / theirs:.1f} x"


# ------------------------------------------------------------------ games
def play_game(
    game: Backgammon, program: GnubgProgram, ours: int, depth: int, judge: Any, dice: random.Random
) -> tuple[float, int]:
    """Our points, and how many plays were ours."""
    s: Position = game.start()
    plays = 0
    while not game.terminal(s):
        if game.player(s) == CHANCE:
            outcomes = list(game.chance(s))
            s = game.result(s, dice.choices([o for o, _ in outcomes], [p for _, p in outcomes])[0])
        elif s.player == ours:
            plays += 1
            s = game.result(s, pf.search(game, s, "star2", depth=depth, evaluate=judge, native=True).action)
        else:
            s = game.result(s, program.choose(game, s))
    points = game.utility(s)
    return (points if ours == MAX else -points), plays


def contest(games: int, depth: int, plies: int, seed: int, judge: Any) -> None:
    """Points a game against GNU Backgammon; `judge` is our evaluation, None for the game's own."""
    command = gnubg_command()
    if command is None:
        print("gnubg is not installed: no games")
        return
    os.environ["PATH"] += os.pathsep + DEBIAN_GAMES
    game, program = Backgammon(), GnubgProgram(command, plies)
    points: list[float] = []
    used, plays = time.process_time(), 0
    for number in range(games):
        got, mine = play_game(game, program, number % 2, depth, judge, random.Random(seed + number // 2))
        points.append(got)
        plays += mine
        if (number + 1) % 10 == 0 or number + 1 == games:
            mean = sum(points) / len(points)
            spread = math.sqrt(sum((p - mean) ** 2 for p in points) / max(1, len(points) - 1))
            print(
                f"{number + 1} games, depth {depth} against gnubg {plies}-ply: {mean:+.3f} +-"
                f" {spread / math.sqrt(len(points)):.3f} points a game, {sum(p > 0 for p in points)} won",
                flush=True,
            )
    program.close()
    print(f"{1000 * (time.process_time() - used) / max(1, plays):.1f} ms of processor time a play of ours")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--games", type=int, default=0, help="against GNU Backgammon, instead of speed")
    parser.add_argument("--depth", type=int, default=1)
    parser.add_argument("--plies", type=int, default=0, help="of GNU Backgammon, as it counts")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--network", default="", metavar="FILE", help="judge by a network: a file, or own")
    parser.add_argument("--bear-off", action="store_true", help="look up the end of a race")
    given = parser.parse_args()
    if given.games:
        said = f"star2:depth={given.depth}"
        said += f",network={given.network}" if given.network else ""
        said += ",bear_off=yes" if given.bear_off else ""
        player = parse_player(said, Backgammon())
        assert isinstance(player, SearchPlayer)
        contest(given.games, given.depth, given.plies, given.seed, player.evaluate)
    else:
        speed(given.repeat)


if __name__ == "__main__":
    main()
