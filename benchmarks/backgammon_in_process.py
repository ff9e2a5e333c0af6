"""Backgammon against GNU Backgammon's networks and against pubeval, in this process, for thousands of games.

    pip install gnubg-nn
    python benchmarks/backgammon_in_process.py --games 1000                              our network, one ply deep, both
    python benchmarks/backgammon_in_process.py --games 1000 --network backgammon.learn   a learned one
    python benchmarks/backgammon_in_process.py --games 200 --depth 3 --plies 1

Money games without the cube, in pairs with the same dice and the sides exchanged; points a game with 95 % intervals of
the pairs' means. Our plays are the best after the estimate (`--depth 1`, which gnubg calls 0 plies), or Star2's.
Nothing depends on the clock. gnubg-nn is licensed under the GPL, and is no part of Plyforge.
"""

from __future__ import annotations

import argparse
import math
import random
from collections.abc import Callable
from typing import Any

import numpy as np

import plyforge as pf
from plyforge.contract import CHANCE, MAX
from plyforge.evaluate import OwnEvaluation
from plyforge.evaluate.opinion import learned_opinion, shipped_opinion
from plyforge.games.backgammon.text import position_id
from plyforge.kernel import bind, kernel
from plyforge.kernel.entry import coerce

Chooser = Callable[[Any, Any], Any]


@kernel
def best_after(game, evaluation, s, sign):
    """The number of the play after which the estimate is best."""
    best, found, number = -np.inf, 0, 0
    for action in game.actions(s):
        after = game.result(s, action)
        value = game.utility(after) if game.terminal(after) else evaluation.estimate(game, after)
        if sign * value > best:
            best, found = sign * value, number
        number += 1  # noqa: SIM113
    return found


def ours(game: Any, evaluation: Any, depth: int) -> Chooser:
    """Our plays."""
    bound: list[Any] = []

    def one_ply(game: Any, s: Any) -> Any:
        sign, s = (1.0 if s.player == MAX else -1.0), coerce(s)
        if not bound:
            bound.append(bind(best_after, game, evaluation, s, sign))
        return pf.legal_moves(game, s)[bound[0](game, evaluation, s, sign)]

    def deeper(game: Any, s: Any) -> Any:
        return pf.search(game, s, "star2", depth=depth, evaluate=evaluation, native=True).action

    return one_ply if depth == 1 else deeper


def gnubg(plies: int) -> Chooser:
    """Those of GNU Backgammon's networks."""
    import gnubg_nn

    def choose(game: Any, s: Any) -> Any:
        board = gnubg_nn.board_from_position_id(position_id(s))
        return as_action(game, s, gnubg_nn.best_move(board, s.dice // 10, s.dice % 10, plies))

    return choose


def pubeval(game: Any, s: Any) -> Any:
    """Tesauro's public evaluation, as gnubg-nn has it."""
    import gnubg_nn

    board = gnubg_nn.board_from_position_id(position_id(s))
    flat = gnubg_nn.pub_best_move(board, s.dice // 10, s.dice % 10)
    return as_action(game, s, [(a + 1, b + 1) for a, b in zip(flat[::2], flat[1::2], strict=True)])


def as_action(game: Any, s: Any, steps: Any) -> Any:
    """Of steps from point to point; 25 is the bar, 0 is off."""
    text = " ".join(f"{'bar' if a == 25 else a}/{'off' if b <= 0 else b}" for a, b in steps)
    return pf.parse_action(game, s, text or "pass")


def play(game: Any, players: tuple[Chooser, Chooser], seed: int) -> float:
    """X's points."""
    dice, s = random.Random(seed), game.start()
    while not game.terminal(s):
        if game.player(s) == CHANCE:
            outcomes = list(game.chance(s))
            action = dice.choices([o for o, _ in outcomes], [p for _, p in outcomes])[0]
        elif len(legal := pf.legal_moves(game, s)) == 1:
            action = legal[0]
        else:
            action = players[s.player](game, s)
        s = game.result(s, action)
    return float(game.utility(s))


def contest(game: Any, own: Chooser, other: Chooser, games: int, seed: int) -> str:
    """Points a game, in words."""
    pairs = []
    for number in range(games // 2):
        first, second = play(game, (own, other), seed + number), -play(game, (other, own), seed + number)
        pairs.append(0.5 * (first + second))
    half = 1.96 * float(np.std(pairs, ddof=1)) / math.sqrt(len(pairs)) if len(pairs) > 1 else math.nan
    return f"{np.mean(pairs):+.3f} +- {half:.3f} points a game, {2 * len(pairs)} games"


def main() -> None:
    """Play, and print a line for each opponent."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--games", type=int, default=1000)
    asked.add_argument("--network", default="own", help="own, none (the weighted sum), a run's folder or a file")
    asked.add_argument("--depth", type=int, default=1, help="plies of ours: 1, 3 or 5")
    asked.add_argument("--plies", type=int, default=0, help="of gnubg")
    asked.add_argument("--against", choices=("gnubg", "pubeval"), action="append")
    asked.add_argument("--seed", type=int, default=1)
    given = asked.parse_args()
    game = pf.load("backgammon")
    named = {"own": shipped_opinion(game), "none": OwnEvaluation()}
    evaluation = named[given.network] if given.network in named else learned_opinion(given.network, game)
    own = ours(game, evaluation, given.depth)
    others = {"gnubg": gnubg(given.plies), "pubeval": pubeval}
    for name in given.against or others:
        print(f"{given.network}, {given.depth} plies, against {name}:", end=" ", flush=True)
        print(contest(game, own, others[name], given.games, given.seed), flush=True)


if __name__ == "__main__":
    main()
