"""Analysis, play and pages for a long time in one process: the memory that it takes must not grow.

    PYTHONPATH=tests:tests/support python tests/under_load/soak.py --minutes 10
    PYTHONPATH=tests:tests/support python tests/under_load/soak.py --hours 3

Each round analyses chess with one engine that keeps its table, thinks about Go with a tree that is kept from move to
move, plays a whole game with new engines, and opens and closes pages of the studio. After a warm-up of a fifth of the
time, or until each game was played once, the memory that is resident is noted after every round. Flat means that the
median of the last quarter is not more than MOST megabytes above that of the first: what is kept once, and what the
allocator keeps, is in both.
"""

from __future__ import annotations

import argparse
import itertools
import random
import statistics
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import plyforge as pf
from plyforge.evaluate import opinion
from plyforge.play.engine import Engine
from plyforge.play.session import GameSession
from studio_browser import running
from studio_client import Client
from studio_visits import VISITS, memory

MOST = 40.0
"""Megabytes: a table or a tree that is not given back, or a page, is more than that within minutes."""
LEAST_ROUNDS = 8
GAMES = ("connect4", "othello", "tic_tac_toe", "kalah", "backgammon")
SECONDS = 0.5
"""For a thought."""
TABLE_MIB, TREE_MIB = 4, 16
"""Small, so that they are full within a round: memory that is only touched later would look like a leak."""


@dataclass
class Soaked:
    """What was seen: minutes since the start and megabytes, after each round."""

    points: list[tuple[float, float]] = field(default_factory=list)
    warm: float = 0.0
    """Minutes of the warm-up."""

    @property
    def quarters(self) -> tuple[float, float]:
        """The medians of the first and of the last quarter after the warm-up."""
        after = [size for minutes, size in self.points if minutes >= self.warm]
        some = max(1, len(after) // 4)
        return statistics.median(after[:some]), statistics.median(after[-some:])

    @property
    def growth(self) -> float:
        first, last = self.quarters
        return last - first

    def __str__(self) -> str:
        first, last = self.quarters
        minutes = self.points[-1][0]
        return (
            f"{len(self.points)} rounds in {minutes:.1f} minutes: {first:.0f} MB, then {last:.0f} MB; "
            f"largest {max(size for _, size in self.points):.0f} MB"
        )


def positions(seed: int) -> Iterator[Any]:
    """Positions of chess as analysis meets them: random games, one after the other."""
    game, stream = pf.load("chess"), random.Random(seed)
    while True:
        state = game.start()
        while not game.terminal(state):
            yield state
            for _ in range(stream.randint(1, 6)):
                if not game.terminal(state):
                    state = game.result(state, stream.choice(pf.legal_moves(game, state)))


def moves_of_go(engine: Engine) -> Iterator[None]:
    """Games of the engine against itself; what it learned goes from move to move."""
    while True:
        session = GameSession(engine.game)
        while not session.over and len(session.history) < 60:
            engine.start(session.state, seconds=SECONDS, history=session.states)
            session.play(engine.wait().action)
            yield
        engine.new_game()


def play_a_game(name: str, seed: int) -> None:
    """By engines that nobody keeps."""
    session = GameSession(name, seed=seed)
    engines = [Engine(session.game, None) for _ in range(session.game.players)]
    while not session.over:
        player = session.player
        assert player is not None
        if player < 0:
            session.draw()
            continue
        engines[player].start(session.state, seconds=0.02, history=session.states)
        session.play(engines[player].wait().action)


def soak(minutes: float, tell: Any = None) -> Soaked:
    """Work for so many minutes, LEAST_ROUNDS rounds at least."""
    began = time.monotonic()
    soaked = Soaked()
    chess = Engine("chess", "engine", evaluate=opinion(pf.load("chess")), lines=2, table_mib=TABLE_MIB)
    analysed, go = positions(1), moves_of_go(Engine("go(size=9)", "uct", memory_mib=TREE_MIB))
    with running() as studio:
        for number in itertools.count():
            for _ in range(3):
                chess.start(next(analysed), seconds=SECONDS)
                chess.wait()
                next(go)
            play_a_game(GAMES[number % len(GAMES)], number)
            for visit in VISITS:
                with Client(studio.link, 300.0) as client:
                    visit(client)
            past = (time.monotonic() - began) / 60
            soaked.points.append((past, memory()))
            if tell is not None:
                tell(f"{past:6.1f} min {soaked.points[-1][1]:7.0f} MB")
            if past >= minutes and number >= LEAST_ROUNDS:
                soaked.warm = max(past / 5, soaked.points[len(GAMES)][0])  # all games have been loaded
                return soaked
    raise AssertionError


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--minutes", type=float, default=0.0)
    parser.add_argument("--hours", type=float, default=0.0)
    given = parser.parse_args()
    soaked = soak(given.minutes + 60 * given.hours or 10.0, lambda line: print(line, flush=True))
    print(soaked)
    if soaked.growth > MOST:
        raise SystemExit(f"{soaked.growth:.0f} MB more than after the warm-up: {MOST:.0f} are allowed")


if __name__ == "__main__":
    main()
