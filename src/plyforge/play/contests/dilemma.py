"""Strategies for the repeated prisoner's dilemma, and the tournament that made them famous.

A strategy is a function of the own choices so far, the other's, and a source of random numbers; it says what to do
next. In a tournament everybody meets everybody, and itself, for so many rounds; the score is the average number of
points a round over all meetings. With `noise` each choice turns into its opposite with that probability, after it was
made: a trembling hand, which tells the forgiving from the others.

Claim: two strategies that use no random numbers, without noise, always score the same; what is drawn comes from `seed`
alone. Where something is drawn, `repeats` meetings are averaged.

Axelrod and Hamilton, "The evolution of cooperation", Science 211 (1981). Payoffs are the game's: 3 and 3, 0 and 4, 1
and 1.
"""

from __future__ import annotations

import difflib
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from plyforge.errors import BadLimits, BadText
from plyforge.games.simultaneous.repeated_prisoners_dilemma import COOPERATE, DEFECT, MAX_ROUNDS, payoff
from plyforge.kernel import mix, new_stream, uniform

Past = Sequence[int]
Strategy = Callable[[Past, Past, Any], int]


def always_cooperate(mine: Past, theirs: Past, stream: Any) -> int:
    """Cooperate, whatever happens."""
    return COOPERATE


def always_defect(mine: Past, theirs: Past, stream: Any) -> int:
    """Defect, whatever happens."""
    return DEFECT


def tit_for_tat(mine: Past, theirs: Past, stream: Any) -> int:
    """Cooperate first, then do what the other did last."""
    return theirs[-1] if theirs else COOPERATE


def suspicious_tit_for_tat(mine: Past, theirs: Past, stream: Any) -> int:
    """Defect first, then do what the other did last."""
    return theirs[-1] if theirs else DEFECT


def tit_for_two_tats(mine: Past, theirs: Past, stream: Any) -> int:
    """Defect only after the other has defected twice in a row."""
    return DEFECT if list(theirs[-2:]) == [DEFECT, DEFECT] else COOPERATE


def two_tits_for_tat(mine: Past, theirs: Past, stream: Any) -> int:
    """Answer each defection with two."""
    return DEFECT if DEFECT in theirs[-2:] else COOPERATE


def generous_tit_for_tat(mine: Past, theirs: Past, stream: Any) -> int:
    """Tit for tat that forgives every third defection, on average."""
    if theirs and theirs[-1] == DEFECT:
        return COOPERATE if uniform(stream) < 1 / 3 else DEFECT
    return COOPERATE


def grim(mine: Past, theirs: Past, stream: Any) -> int:
    """Cooperate until the other defects once, then never again."""
    return DEFECT if DEFECT in theirs else COOPERATE


def pavlov(mine: Past, theirs: Past, stream: Any) -> int:
    """Win, stay; lose, shift: repeat a choice that brought 3 or 4, else change it."""
    if not mine:
        return COOPERATE
    return mine[-1] if theirs[-1] == COOPERATE else 1 - mine[-1]


def alternate(mine: Past, theirs: Past, stream: Any) -> int:
    """Cooperate, defect, cooperate, defect ..."""
    return len(mine) % 2


def majority(mine: Past, theirs: Past, stream: Any) -> int:
    """Do what the other has done more often; cooperate if both equally."""
    return DEFECT if 2 * sum(theirs) > len(theirs) else COOPERATE


def joss(mine: Past, theirs: Past, stream: Any) -> int:
    """Tit for tat that sneaks in a defection once in ten rounds, on average."""
    if tit_for_tat(mine, theirs, stream) == DEFECT:
        return DEFECT
    return DEFECT if uniform(stream) < 0.1 else COOPERATE


def random(mine: Past, theirs: Past, stream: Any) -> int:
    """Toss a coin."""
    return int(uniform(stream) < 0.5)


STRATEGIES: dict[str, Strategy] = {
    strategy.__name__: strategy
    for strategy in (
        always_cooperate,
        always_defect,
        tit_for_tat,
        suspicious_tit_for_tat,
        tit_for_two_tats,
        two_tits_for_tat,
        generous_tit_for_tat,
        grim,
        pavlov,
        alternate,
        majority,
        joss,
        random,
    )
}
"""The classics, by name."""


@dataclass(frozen=True)
class Meeting:
    """Two strategies, so many rounds, once."""

    choices: tuple[tuple[int, int], ...]
    """What was done in each round."""
    points: tuple[float, float]
    """What each got in all."""


@dataclass(frozen=True)
class Tournament:
    """How everybody did against everybody."""

    names: tuple[str, ...]
    """In the order of the standing, the best first."""
    table: dict[tuple[str, str], float]
    """Points a round that the first got against the second, on average."""
    scores: dict[str, float]
    """Points a round over all meetings, each opponent and itself counted once."""
    errors: dict[str, float]
    """The standard error of each score; 0 where nothing is random."""
    cooperation: dict[str, float]
    """How often each cooperated."""
    rounds: int
    repeats: int
    noise: float
    seed: int

    def to_json(self) -> dict[str, Any]:
        """The fields as plain JSON values."""
        return {
            "standing": [
                {
                    "name": n,
                    "score": self.scores[n],
                    "error": self.errors[n],
                    "cooperation": self.cooperation[n],
                }
                for n in self.names
            ],
            "table": {one: {other: self.table[one, other] for other in self.names} for one in self.names},
            "rounds": self.rounds,
            "repeats": self.repeats,
            "noise": self.noise,
            "seed": self.seed,
        }


def meet(first: Strategy, second: Strategy, rounds: int, stream: Any, noise: float = 0.0) -> Meeting:
    """Let two strategies play so many rounds."""
    one: list[int] = []
    other: list[int] = []
    points = [0.0, 0.0]
    for _ in range(rounds):
        chosen = [first(one, other, stream), second(other, one, stream)]
        if noise > 0.0:
            chosen = [1 - choice if uniform(stream) < noise else choice for choice in chosen]
        points[0] += payoff(*chosen)
        points[1] += payoff(*chosen[::-1])
        one.append(chosen[0])
        other.append(chosen[1])
    return Meeting(tuple(zip(one, other, strict=True)), (points[0], points[1]))


def tournament(
    names: Sequence[str] = (), rounds: int = 200, repeats: int = 20, noise: float = 0.0, seed: int = 1
) -> Tournament:
    """Everybody against everybody and against itself. No names: all strategies there are."""
    chosen = [find(name) for name in names] or list(STRATEGIES)
    if len(set(chosen)) != len(chosen):
        raise BadText(f"a strategy is named twice: {', '.join(chosen)}")
    if not 1 <= rounds <= MAX_ROUNDS:
        raise BadLimits(f"rounds is {rounds}; it must be from 1 to {MAX_ROUNDS}")
    if not 1 <= repeats <= 10_000:
        raise BadLimits(f"repeats is {repeats}; it must be from 1 to 10,000")
    if not 0.0 <= noise <= 0.5:
        raise BadLimits(f"noise is {noise}; it must be from 0 to 0.5")
    samples: dict[tuple[str, str], list[float]] = {}
    cooperated: dict[str, list[float]] = {name: [] for name in chosen}
    places = list(STRATEGIES)
    order = sorted(chosen, key=places.index)
    for number, one in enumerate(order):
        for other in order[number:]:
            # A stream for each pair: who else plays does not change a meeting.
            stream = new_stream(int(mix(mix(seed, places.index(one)), places.index(other))))
            for _ in range(repeats):
                met = meet(STRATEGIES[one], STRATEGIES[other], rounds, stream, noise)
                samples.setdefault((one, other), []).append(met.points[0] / rounds)
                if one != other:
                    samples.setdefault((other, one), []).append(met.points[1] / rounds)
                for name, place in ((one, 0), (other, 1)):
                    cooperated[name].append(sum(c[place] == COOPERATE for c in met.choices) / rounds)
    table = {pair: math.fsum(points) / len(points) for pair, points in samples.items()}
    scores = {name: math.fsum(table[name, other] for other in chosen) / len(chosen) for name in chosen}
    errors = {name: _error([samples[name, other] for other in chosen]) for name in chosen}
    standing = sorted(chosen, key=lambda name: (-scores[name], chosen.index(name)))
    shares = {name: math.fsum(parts) / len(parts) for name, parts in cooperated.items()}
    return Tournament(tuple(standing), table, scores, errors, shares, rounds, repeats, noise, seed)


def find(name: str) -> str:
    """The strategy that is meant. Raises BadText."""
    wanted = name.strip().lower().replace("-", "_").replace(" ", "_")
    if wanted in STRATEGIES:
        return wanted
    near = difflib.get_close_matches(wanted, STRATEGIES, n=1, cutoff=0.5)
    hint = f"did you mean {near[0]}? " if near else ""
    raise BadText(f"there is no strategy called {name!r}: {hint}there are {', '.join(STRATEGIES)}")


def _error(groups: list[list[float]]) -> float:
    """The standard error of the mean of the groups' means."""
    total = 0.0
    for points in groups:
        number = len(points)
        if number > 1:
            mean = math.fsum(points) / number
            total += math.fsum((point - mean) ** 2 for point in points) / (number - 1) / number
    return math.sqrt(total) / len(groups)
