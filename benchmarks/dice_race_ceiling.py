"""How often can anybody win the dice race of `tests/laws/natural_games/` against two random players? The best answer to
them, by value iteration.

    python benchmarks/dice_race_ceiling.py          about four minutes

What is best against players who are known is a Markov decision process. A state is where everybody's two runners are
(210 pairs each) and who rolls: 27 million. The track is round and seats are alike, so states are told from whoever
rolls on. They are gone through from the end of the race backwards; only runners that are sent back make further rounds
necessary, some fourteen.

The table knows the rules by heart, for speed; so it is checked against the rules themselves: on states of random games
each value has to be what the rules say that its successors make it.
"""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numba
import numpy as np

import plyforge as pf
from plyforge.contract import CHANCE

RULES = Path(__file__).resolve().parent.parent / "tests" / "laws" / "natural_games" / "dice_race.py"
TRACK, HOME, THIRD = 18, 19, 6
PAIRS = np.array([(a, b) for a in range(HOME + 1) for b in range(a, HOME + 1)], np.int64)
NUMBER = np.zeros((HOME + 1, HOME + 1), np.int64)
NUMBER[PAIRS[:, 0], PAIRS[:, 1]] = NUMBER[PAIRS[:, 1], PAIRS[:, 0]] = np.arange(len(PAIRS))
DONE = len(PAIRS) - 1  # both at home; further runners have larger numbers
ENOUGH = 1e-4  # no value moves by more in the last round
CHECKED = 300  # games


@numba.njit
def cell(seat, steps):
    """On the track, seen by whoever rolls: the others sit 1 and 2 thirds further on."""
    return -1 if steps == 0 or steps >= HOME else (steps - 1 + seat * THIRD) % TRACK


@numba.njit
def sent_back(pair, seat, landed):
    """A pair after somebody has landed on a cell."""
    a, b = PAIRS[pair, 0], PAIRS[pair, 1]
    return NUMBER[0 if cell(seat, a) == landed else a, 0 if cell(seat, b) == landed else b]


@numba.njit
def move(values, mine, following, last, us, runner, die):
    """How often we win after a move; -1 for a runner that is at home. `us`: 0 if we move, 1 if we are next, 2 if
    last."""
    steps, other = PAIRS[mine, runner], PAIRS[mine, 1 - runner]
    if steps >= HOME:
        return -1.0
    landed = min(steps + die, HOME)
    mine, where = NUMBER[landed, other], cell(0, landed)
    if mine == DONE:
        return 1.0 if us == 0 else 0.0
    if where >= 0:
        following, last = sent_back(following, 1, where), sent_back(last, 2, where)
    return values[following, last, mine, (us + 2) % 3]


@numba.njit
def improve(values):
    """One round over all states; gives how far a value moved. We play best, the others at random."""
    furthest = 0.0
    for ours in range(DONE - 1, -1, -1):
        for following in range(DONE - 1, -1, -1):
            for last in range(DONE - 1, -1, -1):
                for mine, second, third, us in (
                    (ours, following, last, 0),
                    (following, last, ours, 2),
                    (last, ours, following, 1),
                ):
                    total = 0.0
                    for die in range(1, 7):
                        one = move(values, mine, second, third, us, 0, die)
                        two = move(values, mine, second, third, us, 1, die)
                        total += max(one, two) if us == 0 or min(one, two) < 0.0 else 0.5 * (one + two)
                    furthest = max(furthest, abs(total / 6 - values[mine, second, third, us]))
                    values[mine, second, third, us] = total / 6
    return furthest


def looked_up(values: Any, s: Any) -> float:
    """How often player 0 wins from a state of the rules, before a roll."""
    if any(min(pair) == HOME for pair in s.runners):
        return float(min(s.runners[0]) == HOME)
    pairs = [int(NUMBER[s.runners[(s.player + seat) % 3]]) for seat in range(3)]
    return float(values[(*pairs, -s.player % 3)])


def check(values: Any) -> float:
    """The largest difference between a value and what the rules make of it, on states of random games."""
    game, luck, furthest = pf.load(str(RULES)), random.Random(1), 0.0
    for _ in range(CHECKED):
        s = game.start()
        while not game.terminal(s):
            if game.player(s) == CHANCE:
                total = 0.0
                for die, probability in game.chance(s):
                    rolled = game.result(s, die)
                    after = [looked_up(values, game.result(rolled, a)) for a in pf.legal_moves(game, rolled)]
                    total += probability * (max(after) if rolled.player == 0 else sum(after) / len(after))
                furthest = max(furthest, abs(total - looked_up(values, s)))
                s = game.result(s, luck.randint(1, 6))
            else:
                s = game.result(s, luck.choice(pf.legal_moves(game, s)))
    return furthest


def main() -> None:
    values = np.zeros((DONE, DONE, DONE, 3), np.float32)
    while (moved := improve(values)) > ENOUGH:
        print(f"values move by up to {moved:.5f}", flush=True)
    first, second, third = (float(value) for value in values[0, 0, 0])
    wins = (first + second + third) / 3
    print(f"wins at best: first {first:.1%}, second {second:.1%}, third {third:.1%}, on average {wins:.1%}")
    print(f"as the score against one of them, 2 w / (1 + w): {2 * wins / (1 + wins):.1%}")
    print(f"the rules agree but for {check(values):.5f}")


if __name__ == "__main__":
    main()
