"""A game looked at afterwards: what it was worth after each turn, and what each turn cost whoever took it.

The value of a state is what a search finds there, exact where it comes to the end of the game in time. What a turn cost
is the value before it less the value after it, both for whoever took it, and never less than nothing: two searches of
two states need not agree to the last digit.

A cost is small or large beside the game's own scale: `unit` is what a lesson would call a slight mistake.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from plyforge.contract import CHANCE, SIMULTANEOUS, Game, defines, format_action, parse_action, payoffs
from plyforge.errors import BadText, PlyforgeError
from plyforge.play.session import GameSession
from plyforge.search import BEST, Control, Limits, Result, make_search
from plyforge.search.engine.engine import Engine as EngineSearch
from plyforge.search.mcts import MonteCarlo
from plyforge.solve.graph.backward_induction import InducedValues, backward_induction

SECONDS = 0.25
"""For each state of a game that is looked at."""
SOLVE_STATES, SOLVE_SECONDS = 30_000, 4.0
"""A game of no more states is solved, if that takes no more of the processor: then everything is exact."""
STEPS = 40
"""So many units make the whole scale of a game, from the lowest utility to the highest."""
UNITS = {"Chess": 0.01, "Checkers": 0.02}
"""Games whose estimates use a small part of that scale."""
GRADES = ((4.0, "blunder"), (2.0, "mistake"), (1.0, "slip"))
"""From so many units on a cost is called that."""


@dataclass(frozen=True)
class Judged:
    """A state, judged."""

    values: tuple[float, ...]
    """What it is worth to each player."""
    exact: bool
    best: tuple[Any, ...] = ()
    """The actions to take there, all that are known to be best; none where chance moves, or at the end."""

    def to_json(self, game: Game, state: Any) -> dict[str, Any]:
        """Plain values, of a judgement of that state."""
        best = [format_action(game, state, action) for action in self.best]
        return {"values": list(self.values), "exact": self.exact, "best": best}

    @classmethod
    def from_json(cls, data: Any, game: Game, state: Any) -> Judged:
        """Read it back. Raises BadText."""
        said: dict[str, Any] = data if isinstance(data, dict) else {}
        values: Any = said.get("values")
        best: Any = said.get("best")
        sound = isinstance(values, list) and len(values) == game.players and all(map(_is_worth, values))
        if not sound or not isinstance(best, list) or not all(isinstance(text, str) for text in best):
            raise BadText(f"this is no judgement of a state: {str(data)[:80]!r}")
        actions = tuple(parse_action(game, state, text) for text in best)
        return cls(tuple(map(float, values)), said.get("exact") is True, actions)


def _is_worth(value: Any) -> bool:
    return type(value) in (int, float) and abs(value) <= sys.float_info.max


def unit_of(game: Game) -> float:
    """What a slight mistake costs; on a path, one step more."""
    if defines(game.costs, "cost"):
        return 1.0
    return UNITS.get(type(game).__name__, (game.max_utility - game.min_utility) / STEPS)


def can_judge(game: Game) -> bool:
    """Where all choose at once there is no best choice to compare with, only mixes; and no search plays hidden
    games."""
    return not defines(game, "legal_actions") and not game.hidden_information


def judge(
    game: Game,
    state: Any,
    limits: Limits,
    native: bool | None,
    control: Control,
    history: Any = (),
    using: str = BEST,
) -> Judged:
    """What a state is worth, as far as a search sees within those limits."""
    if game.terminal(state):
        return Judged(payoffs(game, game.utility(state)), True)
    search = make_search(using, game)
    looks_back = isinstance(search, (EngineSearch, MonteCarlo))
    more: dict[str, Any] = {"history": tuple(history)} if looks_back and history else {}
    found: Result = search.search(game, state, limits, native=native, control=control, **more)
    values = found.value if isinstance(found.value, tuple) else _everybody(game, found)
    return Judged(tuple(map(float, values)), bool(found.exact), () if found.action is None else tuple(found.best))


class _TooSlow(Exception):
    """Solving takes longer than somebody wants to wait."""


def solved(game: Game, state: Any, wanted: Callable[[], bool]) -> InducedValues | None:
    """The whole game from `state` on, where that can be had quickly."""
    end = time.process_time() + SOLVE_SECONDS

    def patience(progress: Any) -> None:
        if time.process_time() > end or not wanted():
            raise _TooSlow

    if defines(game.costs, "cost"):
        return None
    try:
        return backward_induction(game, state, limit=SOLVE_STATES, on_progress=patience)
    except (PlyforgeError, _TooSlow, RecursionError):
        return None


def _as_solved(solution: InducedValues, state: Any) -> Judged:
    value = solution.values[state]
    values = value if isinstance(value, tuple) else payoffs(solution.game, value)
    return Judged(tuple(map(float, values)), True, solution.best_of(state))


def _everybody(game: Game, found: Result) -> tuple[float, ...]:
    value = float(found.value)
    if game.players == 2 and game.utility_sum is not None and found.player == 1:
        return (game.utility_sum - value, value)
    if found.player is not None and game.players > 2:
        if game.utility_sum is None:
            others = (game.min_utility + game.max_utility) / 2
        else:
            others = (game.utility_sum - value) / (game.players - 1)
        return tuple(value if player == found.player else others for player in range(game.players))
    return payoffs(game, value)


def grade(game: Game, cost: float, exact: bool) -> str:
    """What to call a turn that cost so much; "" for a good one."""
    units = cost / unit_of(game)
    for bound, name in GRADES:
        if units >= bound:
            return name
    return "slip" if exact and cost > 1e-9 else ""


def look_back(
    session: GameSession,
    native: bool | None,
    control: Control,
    wanted: Callable[[], bool],
    told: Callable[[list[dict[str, Any]]], object],
    seconds: float = SECONDS,
) -> list[Judged]:
    """Judge every state of a session, from the last to the first: the end is known, and exact values come first.
    `told` hears how far it is."""
    game = session.game
    states = [*session.states, session.state]
    judged: list[Judged | None] = [None] * len(states)
    solution = solved(game, states[0], wanted)
    if solution is not None:
        judged = [_as_solved(solution, state) for state in states]
        told(rows(session, judged))
        return [each for each in judged if each is not None]
    for ply in range(len(states) - 1, -1, -1):
        if not wanted():
            break
        judged[ply] = judge(
            game, states[ply], Limits(seconds=seconds), native, control, states[:ply] if game.history.repetition else ()
        )
        told(rows(session, judged))
    return [each for each in judged if each is not None]


def rows(session: GameSession, judged: list[Judged | None]) -> list[dict[str, Any]]:
    """For each state: its values, and for the turn that led there what it cost, whom, and how that is called; None
    where it is not known yet."""
    game, found = session.game, []
    for ply, here in enumerate(judged):
        row: dict[str, Any] = {
            "values": None if here is None else list(here.values),
            "exact": bool(here and here.exact),
        }
        before = judged[ply - 1] if ply else None
        if ply and here is not None and before is not None:
            turn = session.history[ply - 1]
            if turn.player not in (CHANCE, SIMULTANEOUS):
                cost = max(0.0, before.values[turn.player] - here.values[turn.player])
                if defines(game.costs, "cost"):
                    cost = max(0.0, cost + game.costs.cost(game, turn.state, turn.action))
                exact = here.exact and before.exact
                same = turn.action in before.best
                row |= {
                    "player": turn.player,
                    "cost": 0.0 if same else cost,
                    "grade": "" if same else grade(game, cost, exact),
                }
        found.append(row)
    return found


__all__ = ["Judged", "can_judge", "grade", "judge", "look_back", "rows", "unit_of"]
