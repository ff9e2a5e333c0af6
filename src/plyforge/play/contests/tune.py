"""Tuning: numbers of a search, changed together and judged by games of the search against itself (SPSA).

    tuning = Tuning("connect4", "uct:simulations=200", ["exploration=0.2..4", "rave=0..2000"], iterations=200)
    print(tuning.run().player)

In iteration k every parameter is moved by its own step c_k, up or down as a coin says; the two players that lie on
either side play a pair of games, and all parameters go a little, a_k, towards the side that got more points:

    x += a_k / c_k * flip * (points of plus - points of minus)      c_k = c / k^0.101    a_k = a / (A + k)^0.602

(Spall, "Multivariate stochastic approximation using a simultaneous perturbation gradient approximation", 1992; the
exponents and A, a tenth of the iterations, are those that he recommends.) Parameters are counted in parts of their
range, so c is the same for all.

Invariant: iteration k has its coins, its opening and its seeds from the tuning's seed and k alone, and a finished one
is on disk before it counts. So one that was stopped goes on as if it had not been. The sequence a_k depends on the
number of iterations, which is part of its identity.

Claim: none for games in general; on a noisy quadratic it finds the maximum (`tests/play/contests/test_tune.py`).
Whether the result is stronger, fresh games say: play it against the defaults, with `plyforge match ... --sprt`.
"""

from __future__ import annotations

import contextlib
import dataclasses
import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from plyforge.contract import Game
from plyforge.errors import BadLimits, BadText, Unsuitable
from plyforge.games import load
from plyforge.games.as_text import game_text, rules_files
from plyforge.kernel import mix, new_stream, uniform
from plyforge.play.match.openings import opening_at, suitable_plies
from plyforge.play.match.record import MatchRecord, sources_of
from plyforge.play.match.referee import Referee, TimeRules
from plyforge.play.players.given import contestant
from plyforge.play.players.search_player import SearchPlayer
from plyforge.play.players.spec import explicit, parse_player
from plyforge.search import searches
from plyforge.search.core.parameters import Parameter, parameters_of
from plyforge.search.core.requirements import ANY_GAME
from plyforge.work import Coordinator, Order, Terms, hire, undisturbed

FORMAT = "plyforge tune"
ALPHA, GAMMA, STABLE = 0.602, 0.101, 0.1
"""Exponents of a_k and c_k; A as a part of the iterations."""
STEP = 0.1
"""c at the last iteration, as a part of a parameter's range."""
REACH = 10.0
"""How many ranges a parameter would go over all iterations if every pair were won by the same side: this sets a."""
UNTUNED = ("seed", "threads", "table_mib", "memory_mib", "simulations")
"""Numbers of a search that are no opinions of it."""
RANGE = re.compile(r"\s*(\w+)\s*(?:=\s*(-?[\d.e+-]+?)\s*\.\.\s*(-?[\d.e+-]+)\s*)?")


@dataclass(frozen=True)
class Tuned:
    """A parameter, and within which bounds it may move."""

    name: str
    start: float
    low: float
    high: float
    whole: bool = False

    def at(self, place: float) -> float | int:
        """Its value at a place from 0 to 1."""
        value = self.low + min(1.0, max(0.0, place)) * (self.high - self.low)
        return round(value) if self.whole else float(f"{value:.6g}")

    @property
    def begins(self) -> float:
        """The place of its first value."""
        return (self.start - self.low) / (self.high - self.low)


@dataclass(frozen=True)
class Iteration:
    """One that is finished."""

    number: int
    flips: tuple[int, ...]
    points: float
    """Of plus less those of minus, as a part of all: from -1 to 1."""

    def to_json(self) -> dict[str, Any]:
        return {"number": self.number, "flips": list(self.flips), "points": self.points}

    @classmethod
    def from_json(cls, data: Any) -> Iteration:
        if not isinstance(data, dict) or set(data) != {"number", "flips", "points"}:
            raise BadText("it does not have the fields of an iteration")
        flips, points = data["flips"], data["points"]
        if not isinstance(flips, list) or not all(flip in (-1, 1) for flip in flips):
            raise BadText(f"flips can't be {str(flips)[:60]!r}")
        if type(data["number"]) is not int or type(points) not in (int, float) or not -1 <= points <= 1:
            raise BadText(f"number and points can't be {str(data['number'])[:20]!r} and {str(points)[:20]!r}")
        return cls(data["number"], tuple(flips), float(points))


def _usual_range(declared: Parameter, value: float) -> tuple[float, float]:
    """From a quarter to four times the value, within what the search takes."""
    low, high = sorted((value / 4, value * 4))
    least = declared.at_least if declared.at_least is not None else -math.inf
    most = declared.at_most if declared.at_most is not None else math.inf
    return max(low, least), min(high, most)


Measure = Callable[[int, Mapping[str, float], Mapping[str, float]], float]
"""Iteration, values of plus, values of minus: the points of plus less those of minus, from -1 to 1."""


class Spsa:
    """The method alone, over any measure of two settings."""

    def __init__(self, tuned: Sequence[Tuned], iterations: int, seed: int = 0) -> None:
        if not tuned:
            raise BadLimits("there is nothing to tune: name at least one parameter")
        if iterations < 1:
            raise BadLimits(f"there are {iterations} iterations; there must be at least 1")
        self.tuned, self.iterations, self.seed = tuple(tuned), iterations, seed
        self.stable = STABLE * iterations
        self.step = STEP * iterations**GAMMA
        self.rate = REACH / sum(self._gain(number) for number in range(1, iterations + 1))
        self.places = [each.begins for each in tuned]

    def _gain(self, number: int) -> float:
        """a_k / c_k, but for a."""
        return float(number**GAMMA / (self.step * (self.stable + number) ** ALPHA))

    def flips(self, number: int) -> tuple[int, ...]:
        """Up or down, for each parameter."""
        stream = new_stream(int(mix(mix(self.seed, 0x73707361), number)))
        return tuple(1 if uniform(stream) < 0.5 else -1 for _ in self.tuned)

    def sides(self, number: int) -> tuple[dict[str, float], dict[str, float]]:
        """The values of plus and of minus in an iteration, from 1."""
        size, flips = self.step / number**GAMMA, self.flips(number)
        plus, minus = (
            {
                each.name: each.at(place + side * size * flip)
                for each, place, flip in zip(self.tuned, self.places, flips, strict=True)
            }
            for side in (1, -1)
        )
        return plus, minus

    def take(self, done: Iteration) -> None:
        """Go where an iteration says."""
        gain = self.rate * self._gain(done.number)
        for index, flip in enumerate(done.flips):
            moved = self.places[index] + gain * flip * done.points
            self.places[index] = min(1.0, max(0.0, moved))

    @property
    def values(self) -> dict[str, float]:
        """The parameters as they are now."""
        return {each.name: each.at(place) for each, place in zip(self.tuned, self.places, strict=True)}


@dataclass(frozen=True)
class TuningState:
    """How far a tuning is."""

    done: int
    wanted: int
    values: dict[str, float]
    player: str
    """The player with these values, as text."""

    def to_json(self) -> dict[str, Any]:
        return {
            "iterations": self.done, "wanted": self.wanted, "finished": self.done >= self.wanted,
            "values": self.values, "player": self.player,
        }  # fmt: skip


class Tuning:
    """See the module's text."""

    def __init__(
        self,
        game: Game | str,
        player: str,
        parameters: Sequence[str],
        *,
        iterations: int = 200,
        pairs: int = 1,
        opening_plies: int | None = None,
        seed: int = 0,
        record: str | Path | None = None,
        native: bool | None = None,
        workers: int | None = None,
        where: str | Sequence[str] = (),
        measure: Measure | None = None,
    ) -> None:
        """`player` is the search that is tuned, with a limit that is not time; `parameters` are names of its numbers,
        each with its range where that is not from a quarter to four times what it is: `exploration=0.2..4`. `pairs` of
        games are played in each iteration, here, or by so many `workers`, or at the places `where` (as `--on` has
        them): the same games. `measure` replaces them, for tests."""
        self.game = load(game)
        ANY_GAME.check(self.game, "tuning")
        if self.game.players != 2:
            raise Unsuitable(f"tuning needs a game of two players; {type(self.game).__name__} has {self.game.players}")
        if pairs < 1:
            raise BadLimits(f"there are {pairs} pairs of games in an iteration; there must be at least 1")
        self.base = explicit(player.strip(), self.game, 1)
        parsed = parse_player(self.base, self.game, native=native)
        if not isinstance(parsed, SearchPlayer):
            raise BadText(f"{player!r} has no parameters: name a search, as in uct:simulations=200")
        if parsed.seconds is not None:
            raise BadText(f"{player}: give it a limit that is not time, such as nodes=1000 or simulations=200")
        self.tuned = [self._tuned(text, parsed) for text in parameters]
        names = [each.name for each in self.tuned]
        if len(set(names)) < len(names):
            raise BadText(f"a parameter was named twice: {', '.join(names)}")
        self.spsa = Spsa(self.tuned, iterations, seed)
        self.pairs, self.seed, self.record, self.native = pairs, seed, record, native
        self.workers, self.where = workers, where
        self.plies = suitable_plies(self.game, 50) if opening_plies is None else opening_plies
        for values in self.spsa.sides(1):
            parse_player(self.text(values), self.game, native=native)
        self.notes: list[str] = []
        self._measure = measure

    def _tuned(self, text: str, player: SearchPlayer) -> Tuned:
        """A parameter as it was named, with its value now."""
        found = RANGE.fullmatch(text)
        if found is None:
            raise BadText(f"{text!r} is not understood: write a parameter as in exploration or exploration=0.2..4")
        name = found[1]
        cls = searches()[player.search_name(self.game)]
        numbers = {
            key: each
            for key, each in parameters_of(cls).items()
            if each.kind in ("whole", "number") and key not in UNTUNED and not each.internal
        }
        if name not in numbers:
            raise BadText(f"{cls.name} has no number {name!r} to tune; it has {', '.join(numbers) or 'none'}")
        declared = numbers[name]
        value, whole = player.options.get(name, declared.default), declared.kind == "whole"
        if value is None:
            raise BadText(f"{name} is off where nobody sets it: begin with a value, as in {cls.name}:{name}=...")
        try:
            low, high = (float(found[2]), float(found[3])) if found[2] else _usual_range(declared, value)
        except ValueError:
            raise BadText(f"{text!r}: a range is two numbers, as in 0.2..4") from None
        if whole and math.isfinite(high - low):
            low, high = math.floor(low), math.ceil(high)
        if not low < high or not math.isfinite(high - low) or not low <= value <= high:
            raise BadLimits(f"{name} is {value:g}, which has to lie within {low:g}..{high:g}, a range from low to high")
        return Tuned(name, float(value), low, high, whole)

    def text(self, values: Mapping[str, float]) -> str:
        """The player with these values."""
        name, _, rest = self.base.partition(":")
        kept = [part for part in rest.split(",") if part and part.partition("=")[0].strip() not in values]
        return f"{name}:{','.join([*kept, *(f'{key}={value:g}' for key, value in values.items())])}"

    def identity(self) -> dict[str, Any]:
        """What makes it this tuning and no other: the first line of its record."""
        return {
            "game": game_text(self.game),
            "player": self.base,
            "parameters": [dataclasses.asdict(each) for each in self.tuned],
            "iterations": self.spsa.iterations,
            "pairs": self.pairs,
            "opening_plies": self.plies,
            "seed": self.seed,
            "native": self.native,
            "sources": sources_of(self.game),
        }

    @property
    def state(self) -> TuningState:
        """How far it is."""
        values = self.spsa.values
        return TuningState(self._done, self.spsa.iterations, values, self.text(values))

    _done = 0

    def run(self, on_progress: Callable[[TuningState], object] | None = None) -> TuningState:
        """Play the iterations that are not on record yet. Ctrl-C is raised as KeyboardInterrupt; `state` has what was
        finished."""
        self.spsa, self._done = Spsa(self.tuned, self.spsa.iterations, self.seed), 0
        with contextlib.ExitStack() as stack:
            kept = None
            if self.record is not None:
                kept = stack.enter_context(MatchRecord(self.record, self.identity(), kind=Iteration, name=FORMAT))
                self.notes += kept.notes
            measure = self._measure or self._by_games(stack)
            for number in range(1, self.spsa.iterations + 1):
                done = None if kept is None else kept.games.get(number)
                if done is None:
                    points = measure(number, *self.spsa.sides(number))
                    done = Iteration(number, self.spsa.flips(number), points)
                    with undisturbed():
                        if kept is not None:
                            kept.add(done)
                        self._count(done)
                else:
                    self._count(done)
                if on_progress is not None:
                    on_progress(self.state)
        return self.state

    def _count(self, done: Iteration) -> None:
        self.spsa.take(done)
        self._done = done.number

    def _by_games(self, stack: contextlib.ExitStack) -> Measure:
        """Games here, or by workers that stay for all iterations."""
        data = {
            "game": game_text(self.game), "seed": self.seed, "plies": self.plies, "native": self.native,
        }  # fmt: skip
        if self.workers in (None, 1) and not self.where:
            play = GamesOfTuning(data, self.game)
            return lambda number, plus, minus: self._points(play(order) for order in self._orders(number, plus, minus))
        terms = Terms.of("plyforge.play.contests.tune:GamesOfTuning", data, rules_files(self.game))
        crew = stack.enter_context(hire(terms, self.where or "local", self.workers))
        crew.notes = self.notes

        def measure(number: int, plus: Mapping[str, float], minus: Mapping[str, float]) -> float:
            orders = {order.number: order.given for order in self._orders(number, plus, minus)}
            return self._points(points for _, points in Coordinator(crew, one="game").results(orders))

        return measure

    def _orders(self, number: int, plus: Mapping[str, float], minus: Mapping[str, float]) -> list[Order]:
        """The games of an iteration; no two of a tuning have the same number."""
        games = 2 * self.pairs
        return [
            Order(number * games + game, [number, game, self.text(plus), self.text(minus)]) for game in range(games)
        ]

    def _points(self, games: Iterable[float]) -> float:
        """Of plus less those of minus, from what plus got in each game."""
        return sum(games) / self.pairs - 1.0


class GamesOfTuning:
    """Plays games between two sides of an iteration: what plus gets, from 0 to 1. Given are the numbers of the
    iteration and of the game in it, and the two players."""

    def __init__(self, data: dict[str, Any], game: Game | None = None) -> None:
        self.data, self.game = data, load(data["game"]) if game is None else game

    def __call__(self, order: Order) -> float:
        number, place, *texts = order.given
        game, native = self.game, self.data["native"]
        players = [contestant(text, game, native=native) for text in texts]
        for player in players:
            player.prepare(game)
        seed = int(mix(mix(mix(self.data["seed"], 0x74756E65), number), place // 2)) >> 1
        opening = opening_at(game, self.data["plies"], seed)
        referee = Referee(game, players, TimeRules())
        played = referee.play(place, "AB"[place % 2], opening, seed)
        for player in players:
            player.close()
        won = played.points()
        return (0.0 if played.forfeited == "A" else 1.0) if won is None else won


__all__ = ["GamesOfTuning", "Iteration", "Spsa", "Tuned", "Tuning", "TuningState"]
