"""Who plays better: matches between two estimates in the same search, in pairs of games from random openings.

A candidate takes the place of the best network only when a sequential test says so. All players have so many nodes a
move and one thread, so a match is the same whenever it is played: what equal time means was measured once, as a ratio
of nodes (`nodes_for_equal_time`), and is kept with the run.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from plyforge.contract import CHANCE, Game, format_action, legal_moves, payoffs
from plyforge.evaluate.base import Evaluation, OwnEvaluation
from plyforge.evaluate.opinion import shipped_opinion
from plyforge.kernel import below, mix, new_stream, uniform
from plyforge.play.match.rating import Estimate, estimate
from plyforge.play.match.sprt import Sprt
from plyforge.search import Control, Limits
from plyforge.search.chance_engine.engine import DiceEngine
from plyforge.search.core.base import Search
from plyforge.search.engine.engine import Engine

TEST = Sprt(0.0, 40.0)
PAIRS = 60
"""Of the gate at the most."""
LONGEST = 400
"""Plies after which a game is drawn."""
TABLE = 4.0
"""MiB: players have few nodes."""
OPENING = 4
"""Random plies before the players take over."""
TRIAL_STATES, TRIAL_NODES = 6, 3000
"""Of measuring what a node costs."""


@dataclass(frozen=True)
class Side:
    """A player of a match: a search, and its nodes a move."""

    search: Search
    nodes: int


def engine_for(game: Game, evaluation: Evaluation) -> Search:
    """The engine with an estimate; with dice, the dice engine."""
    kind = DiceEngine if game.has_chance else Engine
    return kind(evaluation=evaluation, table_mib=TABLE)


def plain_search(game: Game) -> Search:
    """What plays where nothing was learned."""
    return engine_for(game, shipped_opinion(game) or OwnEvaluation())


def match(
    game: Game,
    a: Side,
    b: Side,
    *,
    seed: int,
    pairs: int = PAIRS,
    test: Sprt | None = TEST,
    native: bool | None = None,
    control: Control | None = None,
    on_pair: Callable[[list[list[float]]], object] = lambda scores: None,
    replays: list[dict[str, Any]] | None = None,
) -> tuple[list[list[float]], str | None]:
    """A's points in both games of each pair, and what the test accepted. A match that is stopped is cut short. The
    games of the first pair are added to `replays`, from the start."""
    searchers = [each.search.start(game, native) for each in (a, b)]
    control = control or Control()
    scores: list[list[float]] = []
    accepted = None
    try:
        for number in range(pairs):
            stream = new_stream(int(mix(seed, number)))
            before: list[str] = []
            opening = random_opening(game, stream, before)
            both = []
            for seat in (0, 1):
                for searcher in searchers:
                    searcher.forget()
                dice = new_stream(int(mix(mix(seed, number), 7 + seat)))
                moves = list(before)
                got = play(game, opening, searchers, (a.nodes, b.nodes), seat, dice, control, moves)
                if got is None:
                    return scores, None
                both.append(got)
                if replays is not None and number == 0:
                    replays.append({"seat": seat, "points": got, "moves": moves})
            scores.append(both)
            on_pair(scores)
            accepted = None if test is None else test.after([sum(pair) for pair in scores]).accepted
            if accepted:
                break
    finally:
        for searcher in searchers:
            searcher.close()
    return scores, accepted


def play(
    game: Game,
    state: Any,
    searchers: list[Any],
    nodes: tuple[int, int],
    seat: int,
    dice: Any,
    control: Control,
    moves: list[str],
) -> float | None:
    """One game, in which the first searcher has this seat: its point. None if it was stopped. What is played is added
    to `moves`."""
    past: list[Any] = []
    while not game.terminal(state) and len(past) < LONGEST:
        if control.stopped:
            return None
        if game.player(state) == CHANCE:
            past.append(state)
            state = after(game, state, drawn(game, state, dice), moves)
            continue
        if game.history.draw_reason(game, [*past, state]):
            break
        who = 0 if game.player(state) == seat else 1
        found = searchers[who].think(state, Limits(nodes=nodes[who]), history=past, control=control)
        if control.stopped:
            return None
        past.append(state)
        state = after(game, state, found.action, moves)
    if not game.terminal(state):
        return 0.5
    got = payoffs(game, game.utility(state))
    return 0.5 if got[0] == got[1] else float(got[seat] > got[1 - seat])


def after(game: Game, state: Any, action: Any, moves: list[str]) -> Any:
    """The state behind an action, whose text is added to `moves`."""
    moves.append(format_action(game, state, action))
    return game.result(state, action)


def random_opening(game: Game, stream: Any, moves: list[str] | None = None) -> Any:
    """A state after a few random plies, from which the game still goes on. What is played is added to `moves`."""
    state, played = game.start(), [] if moves is None else moves
    for _ in range(OPENING):
        if game.player(state) == CHANCE:
            following = after(game, state, drawn(game, state, stream), played)
        else:
            legal = legal_moves(game, state)
            following = after(game, state, legal[below(stream, len(legal))], played)
        if game.terminal(following):
            played.pop()
            break
        state = following
    return state


def drawn(game: Game, state: Any, stream: Any) -> Any:
    """An outcome of chance."""
    outcomes, left = list(game.chance(state)), uniform(stream)
    for outcome, probability in outcomes:
        left -= probability
        if left < 0.0:
            return outcome
    return outcomes[-1][0]


def nodes_for_equal_time(game: Game, learned: Search, plain: Search, native: bool | None) -> float:
    """How many nodes the plain search looks at in the time of one of the learned search."""
    costs = []
    states = [random_opening(game, new_stream(seed)) for seed in range(1, TRIAL_STATES + 1)]
    for search in (learned, plain):
        searcher = search.start(game, native)
        searcher.think(states[0], Limits(nodes=10))  # compiles
        nodes, began = 1, time.process_time()
        for state in states:
            while game.player(state) == CHANCE:
                state = game.result(state, next(iter(game.chance(state)))[0])
            if not game.terminal(state):
                nodes += searcher.think(state, Limits(nodes=TRIAL_NODES)).nodes
        costs.append((time.process_time() - began) / nodes)
        searcher.close()
    return max(0.1, min(100.0, costs[0] / max(costs[1], 1e-9)))


def strength(scores: list[list[float]]) -> Estimate | None:
    """What the games say, with its interval."""
    return estimate(scores)


__all__ = ["PAIRS", "TEST", "Side", "engine_for", "match", "nodes_for_equal_time", "plain_search", "strength"]
