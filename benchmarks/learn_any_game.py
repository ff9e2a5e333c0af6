"""What does a little learning bring, for any game? Each game is learned for some minutes with no other word, then plays
against the same search without an estimate, at equal time.

    python benchmarks/learn_any_game.py --minutes 15                          the catalogue's games and the natural ones
    python benchmarks/learn_any_game.py hex path/to/rules.py --minutes 2
    python benchmarks/learn_any_game.py --record any.jsonl                    what is there is not measured again

Equal time is a ratio of nodes, measured once a run; games are in pairs, from random openings of four plies, with 95 %
intervals. Of a game that is solved in seconds the share of moves that keep the value is told instead, one ply deep.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import plyforge as pf
from plyforge.errors import PlyforgeError
from plyforge.evaluate import Evaluation
from plyforge.evaluate.learned import learned_from
from plyforge.learn import Run
from plyforge.learn.gate import Side, engine_for, match, nodes_for_equal_time, plain_search, strength
from plyforge.learn.truth import choices_of, kept_by

NATURAL = Path(__file__).resolve().parent.parent / "tests" / "laws" / "natural_games"
CATALOG = ("connect4", "othello", "checkers", "hex", "kalah", "dots_and_boxes", "mnk", "domineering", "hexapawn",
           "three_mens_morris", "tic_tac_toe", "nim", "pig", "backgammon", "pacman", "go(size=7)", "chess")  # fmt: skip


@dataclass(frozen=True)
class NoEstimate(Evaluation):
    """The middle of what can happen, for every state."""

    def estimate(self, game: Any, s: Any) -> Any:
        return 0.5 * (game.max_utility + game.min_utility)


def measured(spec: str, minutes: float, games: int, nodes: int, folder: Path, shipped: bool) -> dict[str, Any]:
    """Learn, and play; against the evaluation that comes with the game, if that is asked for."""
    game = pf.load(spec)
    run = Run(spec, folder, gates=False)
    began = time.process_time()
    if minutes:
        run.go_on(hours=minutes / 60.0)
    said = {"game": spec, "minutes": minutes, "learned": run.progress.games, "native": run.learner.native,
            "method": run.method, "processor_minutes": round((time.process_time() - began) / 60.0, 2)}  # fmt: skip
    network = run.network() if minutes else learned_from(folder, game)
    solved = None if shipped else choices_of(game)
    if solved is not None:
        return said | {"keeps": kept_by(game, network, solved)}
    own, plain = run.learner.search(network), plain_search(game) if shipped else engine_for(game, NoEstimate())
    ratio = nodes_for_equal_time(game, own, plain, None)
    sides = Side(own, nodes), Side(plain, max(10, round(nodes * ratio)))
    scores, _ = match(game, *sides, seed=1, pairs=games // 2, test=None)
    found = strength(scores)
    return said | {"ratio": round(ratio, 2), "match": None if found is None else found.to_json()}


def line_of(said: dict[str, Any]) -> str:
    """For people."""
    if "refused" in said:
        return f"{said['game']}: {said['refused']}"
    before = f"{said['game']}: {said['learned']:,} games in {said['processor_minutes']} minutes of the processor"
    if "keeps" in said:
        return f"{before}, {100 * said['keeps']['share']:.1f} % of {said['keeps']['positions']} moves keep the value"
    score = said["match"]
    return (
        f"{before}, {100 * score['score']:.1f} % ({100 * score['low']:.1f} to {100 * score['high']:.1f}) of"
        f" {score['games']} games against {said['ratio']} times the nodes"
    )


def main() -> None:
    """Measure what is asked for, and print a line for each."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("games", nargs="*", help="names or files; none: all")
    asked.add_argument(
        "--minutes", type=float, default=15.0, help="of learning; 0: the best network of a run that is there plays"
    )
    asked.add_argument("--match", type=int, default=200, help="games of the match")
    asked.add_argument("--nodes", type=int, default=1000, help="of the learned side, a move")
    asked.add_argument("--shipped", action="store_true", help="against the evaluation that comes with the game")
    asked.add_argument("--folder", type=Path, help="where the runs are kept; none: nowhere")
    asked.add_argument("--record", type=Path, help="a line of JSON for each game")
    given = asked.parse_args()
    folder = given.folder or Path(tempfile.mkdtemp())
    done = {}
    if given.record and given.record.exists():
        done = {said["game"]: said for said in map(json.loads, given.record.read_text().splitlines())}
    for spec in given.games or [*CATALOG, *map(str, sorted(NATURAL.glob("[!_]*.py")))]:
        if spec not in done:
            try:
                run = folder / f"{Path(spec).stem}.learn"
                said = measured(spec, given.minutes, given.match, given.nodes, run, given.shipped)
            except PlyforgeError as error:
                said = {"game": spec, "refused": str(error)}
            if given.record:
                with given.record.open("a") as file:
                    file.write(json.dumps(said) + "\n")
            done[spec] = said
        print(line_of(done[spec]), flush=True)


if __name__ == "__main__":
    main()
