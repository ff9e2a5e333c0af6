"""Samuel's checkers, 1959: weights of his features from zero, men and kings too, by games against itself.

    python examples/learn_checkers.py --rounds 10 --games 100 --judge 100

His rule: what a position looks like (the weighted sum) should be what a search of some plies says of it. In each round
the weights of the round before play, DEPTH plies deep, and new weights are fitted so that the squares of the difference
are least; half of the step is taken. With weights of zero a search sees nothing but the end of the game, so a part of
what is wanted is what the game brought, behind the last random move; Samuel's program had the piece advantage for that.

With --rote positions are also learned by heart, as he did first: what a search said of one is its value wherever a
later search meets it at its horizon, so that one sees deeper there. Match: the same weights with rote against without.

Arthur L. Samuel, "Some studies in machine learning using the game of checkers" (1959).
"""

import argparse
import json
import random
from pathlib import Path

import numpy as np

import plyforge as pf
from plyforge.evaluate import Linear
from plyforge.evaluate.composed.rote import ROOM, Rote
from plyforge.play.match.rating import estimate
from plyforge.search import Limits
from plyforge.search.engine.engine import Engine

GAME = pf.load("checkers")
NAMES = GAME.encoding.feature_names
DEPTH, OUTCOME, OPENING, EXPLORE, LONGEST = 3, 0.3, 8, 0.05, 160
RIDGE = 1.0
MATERIAL = Linear.of(GAME, {"men": 0.05, "kings": 0.065})


def player(evaluation):
    return Engine(evaluation=evaluation, table_mib=4.0).start(GAME)


def self_play(evaluation, dice, rote=None):
    """One game: features, and what is wanted. Searched positions are added to `rote`."""
    searcher, s, seen, credit = player(evaluation), GAME.start(), [], 0
    for ply in range(LONGEST):
        if GAME.terminal(s):
            break
        legal = pf.legal_moves(GAME, s)
        action = dice.choice(legal)
        if ply >= OPENING and len(legal) > 1:
            found = searcher.think(s, Limits(depth=DEPTH))
            if not list(GAME.heuristics.tactical_actions(GAME, s)):  # in the middle of captures looks say nothing
                seen.append((GAME.encoding.features(GAME, s), found.value))
                if rote is not None and 2 * len(rote) < ROOM:
                    rote[s] = float(found.value)
            action = action if dice.random() < EXPLORE else found.action
            credit = len(seen) if action != found.action else credit
        s = GAME.result(s, action)
    searcher.close()
    brought = float(GAME.utility(s)) if GAME.terminal(s) else 0.0
    mixed = [OUTCOME if number >= credit else 0.0 for number in range(len(seen))]
    return [(f, (1 - w) * value + w * brought) for (f, value), w in zip(seen, mixed, strict=True)]


def fitted(lessons, before):
    """Half of the way to the weights that fit best."""
    features = np.array([features for features, _ in lessons], float)
    wanted = np.array([value for _, value in lessons])
    best = np.linalg.solve(features.T @ features + RIDGE * np.eye(len(NAMES)), features.T @ wanted)
    return 0.5 * before + 0.5 * best


def judged(evaluation, games, depth, other=MATERIAL):
    """A match, in pairs of games from random openings."""
    searchers, pairs = [player(evaluation), player(other)], []
    for number in range(games // 2):
        both = []
        for seat in (0, 1):
            dice, s, past = random.Random(number), GAME.start(), []
            for searcher in searchers:
                searcher.forget()
            while not GAME.terminal(s) and not GAME.history.draw_reason(GAME, [*past, s]) and len(past) < 300:
                mover = searchers[0 if GAME.player(s) == seat else 1]
                action = dice.choice(pf.legal_moves(GAME, s))
                if len(past) >= OPENING:
                    action = mover.think(s, Limits(depth=depth), history=past).action
                past.append(s)
                s = GAME.result(s, action)
            won = float(GAME.utility(s)) * (1 if seat == 0 else -1) if GAME.terminal(s) else 0.0
            both.append(0.5 + 0.5 * won)
        pairs.append(both)
    return estimate(pairs)


def main():
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--rounds", type=int, default=10)
    asked.add_argument("--games", type=int, default=100, help="of a round")
    asked.add_argument("--judge", type=int, default=0, help="games against material alone, at the end")
    asked.add_argument("--depth", type=int, default=8, help="of that match")
    asked.add_argument("--rote", action="store_true", help="learn positions by heart, too")
    asked.add_argument("--out", type=Path, help="a file for the weights")
    given = asked.parse_args()
    weights, dice, rote = np.zeros(len(NAMES)), random.Random(1), {} if given.rote else None
    for number in range(given.rounds):
        evaluation = Linear.of(GAME, dict(zip(NAMES, map(float, weights), strict=True)))
        lessons = []
        for _ in range(given.games):
            judge = evaluation if rote is None else Rote.of(evaluation, rote)
            lessons += self_play(judge, dice, rote)
        weights = fitted(lessons, weights)
        said = ", ".join(f"{name} {weight:.4f}" for name, weight in zip(NAMES, weights, strict=True))
        print(f"round {number + 1}, {len(lessons)} positions: {said}", flush=True)
    learned = dict(zip(NAMES, (round(float(weight), 5) for weight in weights), strict=True))
    if given.out:
        given.out.write_text(json.dumps({"game": "checkers", "about": "learned by examples/learn_checkers.py",
                                         "weights": learned}, indent=1))  # fmt: skip
    if given.judge:
        print("against material alone:", judged(Linear.of(GAME, learned), given.judge, given.depth))
        if rote is not None:
            plain = Linear.of(GAME, learned)
            by_heart = judged(Rote.of(plain, rote), given.judge, given.depth, plain)
            print(f"with {len(rote):,} positions by heart, against the same without:", by_heart)


if __name__ == "__main__":
    main()
