"""How strong is the default player on rules that nobody tuned? Ten games written as newcomers write them, without an
estimate.

    python benchmarks/natural_strength.py                                   the whole measurement: 0.5 s a move, 100 games, 200 positions
    python benchmarks/natural_strength.py quarto y --games 10 --seconds 0.1 --positions 20
    python benchmarks/natural_strength.py --json > strength.json
    python benchmarks/natural_strength.py --record strength.jsonl           each game is kept as it ends; again: goes on

For each game: `best` against random, from the start, and against plain `uct` at equal time, seats and openings in turn,
with 95 % intervals (Wilson); and positions of random games in which brute force finds a win in one action, or an action
that lets the other side win with its next one while another does not: how often does `best` take the win, or avoid the
loss?

With three players one is `best` and two are the other. Of w wins, 2 w / (1 + w) is what it would get against one of
them: a third of the wins is one half. Against two random players nobody wins more than 52.9 % of the dice races, a
score of 69.2 % (`dice_race_ceiling.py`).

Both players think in this process, one after the other, and nobody loses on time. Compile first (the default does):
interpreted, half a second is a hundred simulations.
"""  # noqa: E501

from __future__ import annotations

import argparse
import json
import math
import random
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import plyforge as pf
from plyforge.contract import CHANCE, Game, payoffs
from plyforge.play import parse_player
from plyforge.search import choose, hearing_of_fall_backs
from plyforge.search.contest import hold, undecided

FOLDER = Path(__file__).resolve().parent.parent / "tests" / "laws" / "natural_games"
LONGEST = 400
"""Plies after which a game is called a draw."""
PATIENCE = 120.0
"""Seconds in which positions are looked for: in some games there are none."""
OPENING = 2
"""Random plies before the players take over, the same for each group of games in which seats change."""


def step(game: Game, s: Any, luck: random.Random) -> Any:
    """A random action, or what chance does."""
    if game.player(s) == CHANCE:
        outcomes, weights = zip(*game.chance(s), strict=True)
        return luck.choices(outcomes, weights)[0]
    return luck.choice(pf.legal_moves(game, s))


def opening(game: Game, luck: random.Random, wanted: int = OPENING) -> Any:
    """A state where a player moves, after a few random plies."""
    s, plies = game.start(), 0
    while plies < wanted or game.player(s) == CHANCE:
        after = game.result(s, step(game, s, luck))
        if game.terminal(after):
            return opening(game, luck, wanted)
        plies += game.player(s) != CHANCE
        s = after
    return s


def play(game: Game, start: Any, players: list[Any], luck: random.Random) -> tuple[float, ...]:
    """What each player gets in one game: 1, 0, or an equal part of a draw."""
    s, past = start, []
    while not game.terminal(s) and len(past) < LONGEST and not game.history.draw_reason(game, [*past, s]):
        mover = game.player(s)
        action = step(game, s, luck) if mover == CHANCE else players[mover].choose(game, s, history=past).action
        past.append(s)
        s = game.result(s, action)
    if not game.terminal(s):
        return (1.0 / game.players,) * game.players
    ends = payoffs(game, game.utility(s))
    winners = [player for player, worth in enumerate(ends) if worth == max(ends)]
    return tuple(1.0 / len(winners) if p in winners else 0.0 for p in range(game.players))


def one_game(game: Game, other: str, number: int, seconds: float, native: bool | None) -> float:
    """What `best` gets in the game of this number against another player."""
    luck = random.Random(number // game.players)
    start = opening(game, luck, 0 if other == "random" else OPENING)  # who plays at random needs no other
    own = number % game.players
    texts = ["best" if seat == own else other for seat in range(game.players)]
    players = [
        parse_player(text, game, seconds=seconds, native=native, seed=number * 8 + seat)
        for seat, text in enumerate(texts)
    ]
    return play(game, start, players, random.Random(number))[own]


def contest(game: Game, other: str, given: argparse.Namespace, native: bool | None, record: Record) -> dict[str, Any]:
    """`best` against another player."""
    games, points = given.games, 0.0
    for number in range(games):
        again = partial(one_game, game, other, number, given.seconds, native)
        points += record.of(again, type(game).__name__, other, given.seconds, number)
    share = points / games
    low, high = interval(share, games)
    pair = [p if game.players == 2 else 2 * p / (1 + p) for p in (share, low, high)]
    return {"games": games, "points": points, "score": pair[0], "low": pair[1], "high": pair[2]}


def interval(share: float, number: int, z: float = 1.96) -> tuple[float, float]:
    """Wilson's, of 95 %."""
    middle = (share + z * z / (2 * number)) / (1 + z * z / number)
    half = z * math.sqrt(share * (1 - share) / number + z * z / (4 * number**2)) / (1 + z * z / number)
    return middle - half, middle + half


class Record:
    """What was measured already, a line of JSON each: a long measurement may be stopped, and goes on."""

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self.known: dict[str, Any] = {}
        if path and path.exists():
            for line in path.read_text().splitlines():
                if line.endswith("}"):  # the last one may have been cut off
                    self.known |= json.loads(line)

    def of(self, measure: Callable[[], Any], *about: Any) -> Any:
        """What is known about this; measured and kept where nothing is."""
        name = " ".join(map(str, about))
        if name not in self.known:
            self.known[name] = measure()
            if self.path:
                with self.path.open("a") as file:
                    file.write(json.dumps({name: self.known[name]}) + "\n")
        return self.known[name]


# ------------------------------------------------------------ wins in one, losses in two
def wins(game: Game, s: Any, player: int) -> list[Any]:
    """The actions that win at once."""
    best = (
        payoffs(game, game.max_utility if player == 0 else game.min_utility)[player]
        if game.players == 2
        else game.max_utility
    )
    found = []
    for action in pf.legal_moves(game, s):
        after = game.result(s, action)
        if game.terminal(after) and payoffs(game, game.utility(after))[player] >= best:
            found.append(action)
    return found


def safe(game: Game, s: Any) -> list[Any]:
    """The actions after which the other side can't win at once. For two sides without chance."""
    mover, found = game.player(s), []
    for action in pf.legal_moves(game, s):
        after = game.result(s, action)
        if game.terminal(after):
            if payoffs(game, game.utility(after))[1 - mover] < game.max_utility:
                found.append(action)
        elif game.player(after) == mover or not wins(game, after, 1 - mover):
            found.append(action)
    return found


def positions(game: Game, wanted: int, patience: float) -> Iterator[tuple[str, Any, list[Any]]]:
    """States of random games, no two the same, where an action matters at once: ("win" or "loss", the state, the
    right actions)."""
    end, luck, seen = time.perf_counter() + patience, random.Random(20), set()
    left = {"win": wanted, "loss": wanted if game.players == 2 and not game.has_chance else 0}
    while any(left.values()) and time.perf_counter() < end:
        s = game.start()
        while not game.terminal(s):
            if game.player(s) != CHANCE and s not in seen and len(pf.legal_moves(game, s)) > 1:
                seen.add(s)
                right, kind = wins(game, s, game.player(s)), "win"
                if not right and left["loss"]:
                    right, kind = safe(game, s), "loss"
                if left[kind] and 0 < len(right) < len(pf.legal_moves(game, s)):
                    left[kind] -= 1
                    yield kind, s, right
            s = game.result(s, step(game, s, luck))


def tactics(game: Game, given: argparse.Namespace, native: bool | None, record: Record) -> dict[str, Any]:
    """How often `best` does what brute force says, of how many."""
    told = {"win": [0, 0], "loss": [0, 0]}
    for number, (kind, s, right) in enumerate(list(positions(game, given.positions, PATIENCE))):

        def is_right(number: int = number, s: Any = s, right: list[Any] = right) -> bool:
            player: Any = parse_player("best", game, seconds=given.seconds, native=native, seed=number)
            return player.choose(game, s).action in right

        told[kind][0] += record.of(is_right, type(game).__name__, kind, given.seconds, pf.format_state(game, s))
        told[kind][1] += 1
    return told


def measure(name: str, given: argparse.Namespace, record: Record) -> dict[str, Any]:
    game = pf.load(f"{FOLDER / name}.py")
    native = False if given.interpreted else None
    reasons: list[str] = []
    with hearing_of_fall_backs(reasons.append):
        if native is None and undecided(game):
            hold(game)  # as before a match: a network learns the rules, and plays against simulations
        found = pf.search(game, seconds=0.01, native=native)
        row: dict[str, Any] = {"game": name, "best": choose(game).text, "native": found.native}
        row["random"] = contest(game, "random", given, native, record)
        row["uct"] = contest(game, "uct", given, native, record)
        row |= tactics(game, given, native, record)
    return row


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    known = sorted(path.stem for path in FOLDER.glob("*.py"))
    parser.add_argument("names", nargs="*", choices=[*known, []], default=[], metavar="GAME")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=0.5)
    parser.add_argument("--positions", type=int, default=200, help="of each kind, for each game")
    parser.add_argument("--interpreted", action="store_true")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--record", type=Path, help="a file that keeps each game as it ends")
    given = parser.parse_args()
    rows, record = [], Record(given.record)
    for name in given.names or known:
        row = measure(name, given, record)
        rows.append(row)
        marks = [f"{row[k]['score']:6.1%} [{row[k]['low']:4.0%}, {row[k]['high']:4.0%}]" for k in ("random", "uct")]
        marks += [f"{row[kind][0]:4}/{row[kind][1]:<4}" for kind in ("win", "loss")]
        speed = "compiled" if row["native"] else "interpreted"
        print(f"{name:<16} random {marks[0]}  uct {marks[1]}  wins {marks[2]} losses {marks[3]} {speed}, {row['best']}",
              file=sys.stderr if given.json else sys.stdout, flush=True)  # fmt: skip
    mean = sum(row["uct"]["score"] for row in rows) / len(rows)
    if given.json:
        print(json.dumps({"seconds": given.seconds, "mean_against_uct": mean, "games": rows}, indent=1))
    else:
        print(f"mean against uct {mean:.1%}")


if __name__ == "__main__":
    main()
