"""How many moves of a learned network keep the value of the game, where moves differ: Connect Four, labelled exactly.

    python benchmarks/value_keeping.py FILE --network connect4.learn --network none --nodes 0 --nodes 1000

FILE has a position a line, as columns from 1 to 7 (and whatever stands behind, such as the score). Positions count
where moves differ in value, win, draw or loss, and nothing wins at once. Labels are proofs of the engine, kept in the
folder of --labels. With 0 nodes the move is the one after which the estimate is best: one ply deep. 95 %
intervals are Wilson's. "none" is the search without learning.
"""

from __future__ import annotations

import argparse
import json
import math
from pathlib import Path
from typing import Any

import plyforge as pf
from plyforge.evaluate import Evaluation, OwnEvaluation
from plyforge.evaluate.learned import learned_from
from plyforge.search import Limits
from plyforge.search.engine.engine import Engine

MOST_NODES = 20_000_000
"""A proof may take; positions that take more are left out, and counted."""


def labels(game: Any, lines: list[str], folder: Path) -> dict[str, dict[str, float] | None]:
    """For each position the value of each move to whoever moves; None where one was not proven."""
    path = folder / "connect4-values.json"
    known: dict[str, Any] = json.loads(path.read_text()) if path.exists() else {}
    searcher = Engine(evaluation=OwnEvaluation()).start(game)
    folder.mkdir(parents=True, exist_ok=True)
    for number, line in enumerate(lines):
        if line not in known:
            known[line] = values_of_moves(game, searcher, pf.state_after(game, *line))
            if number % 20 == 0:
                path.write_text(json.dumps(known))
    path.write_text(json.dumps(known))
    return known


def values_of_moves(game: Any, searcher: Any, s: Any) -> dict[str, float] | None:
    """Proven, each."""
    sign, found = (1.0 if game.player(s) == 0 else -1.0), {}
    for action in pf.legal_moves(game, s):
        child = game.result(s, action)
        if not game.terminal(child):
            told = searcher.think(child, Limits(nodes=MOST_NODES))
            if not told.proven:
                return None
        found[str(action)] = sign * (game.utility(child) if game.terminal(child) else told.value)
    return found


def chosen(game: Any, s: Any, evaluation: Evaluation, nodes: int, seed: int) -> Any:
    """The move that is taken."""
    if nodes:
        return pf.search(game, s, using="engine", evaluate=evaluation, nodes=nodes, seed=seed).action
    sign = 1.0 if game.player(s) == 0 else -1.0

    def worth(action: Any) -> float:
        child = game.result(s, action)
        return sign * float(game.utility(child) if game.terminal(child) else evaluation.estimate(game, child))

    return max(pf.legal_moves(game, s), key=worth)


def interval(right: int, asked: int) -> tuple[float, float]:
    """Wilson's, 95 %."""
    z, share = 1.96, right / asked
    middle = (share + z * z / (2 * asked)) / (1 + z * z / asked)
    half = z / (1 + z * z / asked) * math.sqrt(share * (1 - share) / asked + z * z / (4 * asked * asked))
    return middle - half, middle + half


def main() -> None:
    """Label, ask, and print a line for each network and number of nodes."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("file", type=Path)
    asked.add_argument("--network", action="append", default=[], help="a run's folder, a file, or none")
    asked.add_argument("--nodes", action="append", type=int, default=[], help="0: one ply deep")
    asked.add_argument("--most", type=int, default=1000, help="positions of the file")
    asked.add_argument("--labels", type=Path, default=Path("labels"))
    given = asked.parse_args()
    game = pf.load("connect4")
    lines = [line.split()[0] for line in given.file.read_text().splitlines() if line.strip()][: given.most]
    known = labels(game, lines, given.labels)
    choices = {line: found for line in lines if (found := known[line]) and min(found.values()) < max(found.values())}
    states = {line: pf.state_after(game, *line) for line in choices}
    quiet = {line: s for line, s in states.items() if not wins_at_once(game, s)}
    print(f"{len(lines)} positions, {sum(known[line] is None for line in lines)} not proven;"
          f" {len(states)} where moves differ, {len(quiet)} of them where nothing wins at once")  # fmt: skip
    for name in given.network or ["none"]:
        evaluation = OwnEvaluation() if name == "none" else learned_from(name, game)
        for nodes in given.nodes or [0]:
            right = [
                choices[line][str(chosen(game, s, evaluation, nodes, seed))] == max(choices[line].values())
                for seed, (line, s) in enumerate(quiet.items())
            ]
            low, high = interval(sum(right), len(right))
            how = f"{nodes} nodes" if nodes else "one ply deep"
            print(f"{name}, {how}: {100 * sum(right) / len(right):.1f} % ({100 * low:.1f} to {100 * high:.1f} %)")


def wins_at_once(game: Any, s: Any) -> bool:
    """True if a move ends the game with a win of whoever makes it."""
    sign = 1.0 if game.player(s) == 0 else -1.0
    after = (game.result(s, action) for action in pf.legal_moves(game, s))
    return any(game.terminal(child) and sign * game.utility(child) == 1.0 for child in after)


if __name__ == "__main__":
    main()
