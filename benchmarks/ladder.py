"""How strong are the rungs of our ladder? A tournament of each with its neighbours, Bradley-Terry ratings, intervals.

    python benchmarks/ladder.py othello --games 100        hours on a quiet machine; goes on from its record

Every rung meets the two above it: rungs further apart win nearly all games, which says little; where neighbours do,
too, others without names stand between them. The ratings are relative to the mean of the ladder. Limits are nodes or
simulations, so a busy machine makes it slower and changes no game. What it prints is written into
`play/players/ladder.py`, from where every face has it.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from plyforge.play.contests.tournament import Tournament
from plyforge.play.players.ladder import GAMES, measured

NEAR = 2
"""Rungs apart that still meet."""


def measure(game: str, games: int, record: Path | None, workers: int | None) -> dict[str, object]:
    """The ladder with its ratings, as plain values."""
    rungs = measured(game)
    near = [(one, other) for one in range(len(rungs)) for other in range(one + 1, min(len(rungs), one + NEAR + 1))]
    tournament = Tournament(
        game, [f"{rung.player},seed=1" for rung in rungs], games=games, pairings=near, record=record, workers=workers
    )
    standing = tournament.run(
        lambda state: print(f"\r{len(state.games)} of {state.wanted} games", end="", file=sys.stderr, flush=True)
    )
    print(file=sys.stderr)
    found = [
        {"name": rung.name, "player": rung.player, "elo": round(rating.elo), "error": round(rating.error)}
        | {"games": rating.games, "bounded": rating.bounded}
        for rung, rating in zip(rungs, standing.ratings, strict=True)
    ]
    return {
        "game": game,
        "games": len(standing.games),
        "finished": len(standing.games) == standing.wanted,
        "rungs": found,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("game", choices=GAMES)
    parser.add_argument("--games", type=int, default=100, help="of each pairing, an even number")
    parser.add_argument("--record", type=Path, help="where games are kept; ladder-GAME.jsonl if nobody says")
    parser.add_argument("--workers", type=int)
    given = parser.parse_args()
    record = given.record or Path(f"ladder-{given.game}.jsonl")
    print(json.dumps(measure(given.game, given.games, record, given.workers), indent=1))


if __name__ == "__main__":
    main()
