"""How a search stands, as a message for a page: the value, the best lines, what is known of each action at the root,
and the effort.

All searches give the same message, with nothing in it that they don't know: an action that was cut has no value, a
search that samples has visits and standard errors, one among simultaneous choices has mixes. Lines are texts; they are
written once and remembered, since most of what is told is what was told before.
"""

from __future__ import annotations

import math
from typing import Any

from plyforge.contract import CHANCE, SIMULTANEOUS, Game, format_action, legal_moves, payoffs
from plyforge.contract.value_words import short_name
from plyforge.play.players.programs.result import ProgramResult
from plyforge.play.words import on_average
from plyforge.search import MixedResult, MonteCarloResult, PathResult, Progress, Result
from plyforge.search.engine.result import EngineResult
from plyforge.studio.present.value import worth

LONGEST_LINE = 40
"""Plies of a line that are told."""
MOST_REMEMBERED = 4000
"""Lines' beginnings whose texts are kept."""
MOST_TOLD = 400
"""Actions of the root that are told about; of joint actions there may be more."""


class Teller:
    """Tells of searches of one position."""

    def __init__(self, game: Game, state: Any, lines: int = 1) -> None:
        """`lines`: how many of the best lines are wanted."""
        self.game, self.state, self.wanted = game, state, lines
        self.over = bool(game.terminal(state))
        self.mover: int | None = None if self.over else int(game.player(state))
        self.legal = legal_moves(game, state)[:MOST_TOLD]
        self._steps: dict[tuple[Any, ...], tuple[str, Any]] = {}

    # ------------------------------------------------------------ the message
    def tell(self, found: Result | None, progress: Progress | None = None) -> dict[str, Any]:
        """The message about what was `found` (so far), and how the search stands."""
        said: dict[str, Any] = self.effort(found, progress)
        if found is None:
            value, line = (None, ()) if progress is None else (progress.value, progress.line)
            known = None if value is None else worth(self.game, value, self.whose(value))
            texts = self.line_text(line)
            lines = [{"value": known, "moves": texts, "longer": len(line) > LONGEST_LINE}] if texts else []
            return said | {
                "value": known,
                "best": texts[0] if texts else None,
                "lines": lines,
                "moves": [],
            }
        proven = bool(found.exact)
        value = worth(
            self.game,
            found.value,
            found.player,
            proven=proven,
            error=self.error_of(found),
            distance=getattr(found, "distance", None),
            on_average=on_average(found),
            said=getattr(found, "said", ""),
        )
        if self.nothing_finished(found):
            return said | {"value": value, "best": None, "lines": [], "moves": []}
        said |= {
            "value": value,
            "best": None if found.action is None else self.text(found.action),
            "lines": self.lines(found, value),
            "moves": self.moves(found),
        }
        if isinstance(found, MixedResult) and found.policies:
            said["mixes"] = self.mixes(found)
        if isinstance(found, PathResult):
            said["cost"] = found.cost
        return said

    def nothing_finished(self, found: Result) -> bool:
        """True if a limit came before the first depth was finished: then the action is just any, and the value the
        estimate of the position itself."""
        by_depth = not isinstance(found, (MonteCarloResult, MixedResult, PathResult, ProgramResult))
        return by_depth and found.depth == 0 and not found.exact

    def whose(self, value: Any) -> int | None:
        return None if isinstance(value, tuple) else 0

    def effort(self, found: Result | None, progress: Progress | None) -> dict[str, Any]:
        """Depth, nodes, rate, table: of the search that runs, or of its end."""
        stands: Any = found if progress is None else progress
        if stands is None:
            return {"depth": None, "nodes": 0, "seconds": 0.0, "rate": None, "table": None}
        nodes, seconds = int(stands.nodes), float(stands.seconds)
        done, of = nodes, "nodes"
        simulations = getattr(found, "simulations", None)
        if simulations is not None:
            done, of = int(simulations), "simulations"
        said: dict[str, Any] = {
            "depth": stands.depth,
            "nodes": nodes,
            "seconds": seconds,
            "rate": done / seconds if seconds > 0.0 else None,
            "rate_of": of,
            "table": getattr(progress, "table_used", None),
        }
        if simulations is not None:
            said["simulations"] = int(simulations)
        if isinstance(found, PathResult) and found.states:
            said["states"] = found.states
        return said

    def error_of(self, found: Result) -> Any:
        errors = getattr(found, "errors", {})
        return errors.get(found.action) if found.action is not None else None

    # ------------------------------------------------------------ lines
    def lines(self, found: Result, value: dict[str, Any]) -> list[dict[str, Any]]:
        """The best lines, each with its value, best first."""
        first = {
            "value": value,
            "moves": self.line_text(found.line),
            "longer": len(found.line) > LONGEST_LINE,
        }
        said = [first] if found.line else []
        distances = getattr(found, "distances", ())
        proven, errors = getattr(found, "proven", ()), getattr(found, "errors", {})
        for number, (worth_of, line) in enumerate(getattr(found, "lines", ())):
            if number == 0 or not line:
                continue
            distance = distances[number] if number < len(distances) else None
            sure = distance is not None if isinstance(found, EngineResult) else line[0] in proven
            known = worth(self.game, worth_of, found.player, proven=sure, error=errors.get(line[0]), distance=distance)
            said.append({"value": known, "moves": self.line_text(line), "longer": len(line) > LONGEST_LINE})
        return said if len(said) > 1 or isinstance(found, MixedResult) else said + self.first_steps(found)

    def first_steps(self, found: Result) -> list[dict[str, Any]]:
        """Of a search that keeps one line only, the other actions whose values it knows, best first."""
        others = {action: value for action, value in found.values.items() if action != found.action}
        order = sorted(others, key=lambda action: -(self.own_number(others[action], found.player) or 0.0))
        return [
            {
                "value": worth(self.game, others[action], found.player, proven=bool(found.exact)),
                "moves": self.line_text((action,)),
                "longer": True,
            }
            for action in order[: max(0, self.wanted - 1)]
        ]

    def line_text(self, line: tuple[Any, ...]) -> list[str]:
        """A line as text, each action written in the state where it is taken."""
        texts, state = [], self.state
        if len(self._steps) > MOST_REMEMBERED:
            self._steps.clear()
        for length in range(1, min(len(line), LONGEST_LINE) + 1):
            way = line[:length]
            if way not in self._steps:
                text = format_action(self.game, state, line[length - 1])
                self._steps[way] = text, self.game.result(state, line[length - 1])
            text, state = self._steps[way]
            texts.append(text)
        return texts

    def text(self, action: Any) -> str:
        """An action of the root."""
        return self.line_text((action,))[0]

    # ------------------------------------------------------------ the actions at the root
    def moves(self, found: Result) -> list[dict[str, Any]]:
        """What is known of each action (where chance moves: of each outcome), in the order of the rules."""
        if self.mover == CHANCE:
            return self.thrown(found)
        values: dict[Any, Any] = dict(found.values)
        distances: dict[Any, int | None] = {}
        sure = set(found.values) if isinstance(found, EngineResult) or found.exact else set()
        if isinstance(found, MonteCarloResult):
            sure = set(found.proven)
        if isinstance(found, (EngineResult, ProgramResult)):
            for (value, line), distance in zip(found.lines, found.distances, strict=False):
                if line:
                    values[line[0]], distances[line[0]] = value, distance
                    proven = distance is not None and isinstance(found, EngineResult)
                    sure = sure | {line[0]} if proven else sure
        if found.action is not None and found.action not in values and not isinstance(found, MixedResult):
            values[found.action] = found.value
            sure = sure | {found.action} if found.exact else sure
        visits: dict[Any, int] = getattr(found, "visits", {})
        errors = getattr(found, "errors", {})
        merits = self.merits(found, values, visits)
        most = sum(visits.values())
        said = []
        for action in self.legal:
            entry: dict[str, Any] = {"move": self.text(action), "merit": merits.get(action, 0.0)}
            if action in values:
                entry["value"] = worth(
                    self.game,
                    values[action],
                    found.player,
                    proven=action in sure,
                    error=errors.get(action),
                    distance=distances.get(action),
                )
            if visits:
                entry["visits"] = int(visits.get(action, 0))
                entry["share"] = visits.get(action, 0) / most if most else 0.0
            elif action not in values and found.action is not None and not isinstance(found, ProgramResult):
                entry["worse"] = True  # cut, or not among the lines that were asked for: no better than the best
            said.append(entry)
        return said

    def merits(self, found: Result, values: dict[Any, Any], visits: dict[Any, int]) -> dict[Any, float]:
        """How good each action is beside the best one, from 0 to 1: what arrows and dots are drawn by."""
        if isinstance(found, MixedResult):
            most = max(visits.values(), default=1)
            return {action: number / most for action, number in visits.items()}
        own: dict[Any, float] = {}
        for action, value in values.items():
            number = self.own_number(value, found.player)
            if number is not None and math.isfinite(number):
                own[action] = number
        if not own:
            return {}
        best, worst = max(own.values()), min(own.values())
        lowest, highest = float(self.game.min_utility), float(self.game.max_utility)
        span = best - worst
        if math.isfinite(highest - lowest):  # where all are nearly as good, they are to look so
            span = max(span, self.game.heuristics.margin_unit or 0.02 * (highest - lowest))
        merits = {action: 1.0 - (best - number) / span if span > 0.0 else 1.0 for action, number in own.items()}
        if visits:
            most = max(visits.values())
            merits = {action: merits[action] * math.sqrt(visits.get(action, 0) / most) for action in merits}
        return {action: max(0.0, min(1.0, merit)) for action, merit in merits.items()}

    def own_number(self, value: Any, player: int | None) -> float | None:
        """A value as whoever moves sees it."""
        mover = 0 if self.mover in (None, CHANCE, SIMULTANEOUS) else int(self.mover or 0)
        if isinstance(value, tuple):
            return float(value[mover])
        if player == mover:
            return float(value)
        everybody = payoffs(self.game, value)
        return float(everybody[mover]) if self.game.players == 2 and self.game.utility_sum is not None else float(value)

    def thrown(self, found: Result) -> list[dict[str, Any]]:
        """The outcomes of chance, each with its probability, and its value where that is known."""
        said = []
        for outcome, probability in self.game.chance(self.state):
            entry: dict[str, Any] = {
                "move": self.text(outcome),
                "probability": float(probability),
                "merit": float(probability),
            }
            if outcome in found.outcomes:
                entry["value"] = worth(self.game, found.outcomes[outcome], found.player, proven=bool(found.exact))
            said.append(entry)
            if len(said) == MOST_TOLD:
                break
        return said

    # ------------------------------------------------------------ mixes
    def mixes(self, found: MixedResult) -> list[dict[str, Any]]:
        """Everybody's choices with their probabilities."""
        return [
            {
                "player": player,
                "name": short_name(self.game, player),
                "choices": [{"choice": text, "probability": float(part)} for text, part in policy.items()],
            }
            for player, policy in enumerate(found.policy_text())
            if policy
        ]


__all__ = ["Teller"]
