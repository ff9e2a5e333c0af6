"""What sampling has learned of a game whose tree is too large to be held: nothing can be measured on it.

A profile is shown by games that it plays: what each player got, with standard errors, and the information sets that
were met. In a part of the games one player takes any action, so that the others' answers to what the profile does not
do are met as well; these games count for no value. An information set that nobody has met in sampling is played as
sampling itself begins: all actions alike.

Claim: `values` are means over independent games of the average profile, unbiased, within about two standard errors 19
times of 20. How far the profile is from an equilibrium is not known. The same seed gives the same games.
"""

from __future__ import annotations

import functools
import hashlib
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from plyforge.contract import CHANCE, MAX, Game
from plyforge.contract.information import NOTHING, remember_seen
from plyforge.contract.naming import text_of
from plyforge.contract.payoffs import payoffs
from plyforge.contract.value_words import short_name, whose
from plyforge.errors import Unsuitable
from plyforge.games import load
from plyforge.kernel import hash_state, new_stream
from plyforge.kernel.entry import coerce
from plyforge.kernel.random import uniform
from plyforge.search.hidden.regret_table import key_of
from plyforge.search.simultaneous.simulate import draw_outcome
from plyforge.solve.hidden.checkpoint import Keeper
from plyforge.solve.hidden.sampling import SAMPLERS, Sampler
from plyforge.solve.hidden.solution import NAMES, InformationSet, Solve, Standing, checked, is_zero_sum
from plyforge.solve.solution import Rows, Solution, plain

GAMES = 1000
"""Games that the profile plays against itself, and as many in which each player in turn takes any action."""
NO_TREE = "the tree is too large to measure how far this is from an equilibrium; values are means of games"


class Played(NamedTuple):
    """What came of the games."""

    values: tuple[float, ...]
    errors: tuple[float, ...]
    sets: dict[int, InformationSet]


@dataclass(frozen=True, eq=False, repr=False)
class SampledSolution(Solution):
    """A profile that was learned without a tree. See the module's text."""

    game: Game
    state: Any
    using: str
    iterations: int
    sampler: Sampler
    seconds: float
    native: bool

    exploitability = None
    """Nobody knows."""

    @property
    def method(self) -> str:  # type: ignore[override]
        """The algorithm in words."""
        return NAMES[self.using]

    @property
    def exact(self) -> bool:
        return False

    @property
    def mixed(self) -> bool:
        return True

    @property
    def proof(self) -> str:  # type: ignore[override]
        return NO_TREE

    @functools.cached_property
    def played(self) -> Played:
        """Games by the profile: values, and the information sets that came up in them."""
        game, stream = self.game, new_stream(0)
        found: dict[int, InformationSet] = {}
        profile = Profile(self.sampler)
        results = np.array([_play(game, self.state, profile, stream, None, found) for _ in range(GAMES)])
        for explorer in range(game.players):
            for _ in range(GAMES):
                _play(game, self.state, profile, stream, explorer, found)
        errors = results.std(axis=0, ddof=1) / np.sqrt(GAMES)
        return Played(tuple(results.mean(axis=0).tolist()), tuple(errors.tolist()), found)

    @property
    def values(self) -> tuple[float, ...]:
        """What each player got on average."""
        return self.played.values

    @property
    def information_sets(self) -> tuple[InformationSet, ...]:
        """Those that came up in the games; what actions cost is not known."""
        return tuple(self.played.sets.values())

    def value_of(self, state: Any = None) -> Any:
        """What MAX got on average; a tuple with everybody's where that does not say everything."""
        if self._state(state) != self.state:
            raise Unsuitable("what a state is worth means nothing to players who don't see it: ask `information_sets`")
        return self.values[MAX] if is_zero_sum(self.game) else self.values

    def best_of(self, state: Any = None) -> tuple[Any, ...]:
        """None: whoever moves has a mix for each thing that may be known."""
        return ()

    @property
    def words(self) -> str:
        return whose(self.game, MAX if is_zero_sum(self.game) else None)

    def number_text(self) -> str:
        numbers = [self.value] if is_zero_sum(self.game) else self.values
        return ", ".join(f"{number:.3f}" for number in numbers)

    def work(self) -> str:
        return f"{self.iterations:,} iterations, {self.met:,} information sets met, {self.seconds:.2f} s"

    @property
    def met(self) -> int:
        """Information sets of which something was learned."""
        return len(self.sampler.learned.contents.sets)

    def details(self) -> Rows:
        shares = zip(range(self.game.players), self.played.errors, strict=True)
        errors = ", ".join(f"{short_name(self.game, player)} ± {error:.3f}" for player, error in shares)
        return [("in games", f"{GAMES:,} by the profile; standard errors: {errors}"), ("exploitability", "not known")]

    def more(self) -> dict[str, Any]:
        return {
            "value": plain(self.value), "values": list(self.values), "errors": list(self.played.errors),
            "lower": None, "upper": None, "exploitability": None, "nash_conv": None, "information_sets": self.met,
            "histories": None, "iterations": self.iterations, "locked": 0, "mixes": None,
        }  # fmt: skip


class Profile:
    """The averages of a table, by the numbers of information sets."""

    def __init__(self, sampler: Sampler) -> None:
        sets, _, self.average = sampler.learned.contents
        self.places = {
            key: (begin, begin + width)
            for key, begin, width in zip(
                sets["key"].tolist(), sets["offset"].tolist(), sets["width"].tolist(), strict=True
            )
        }

    def mix(self, key: int, actions: list[Any]) -> list[float]:
        """How often to take each action; all alike where nothing was learned."""
        begin, end = self.places.get(key, (0, 0))
        shares = self.average[begin:end].tolist()
        total = sum(shares)
        return [share / total for share in shares] if total > 0.0 else [1.0 / len(actions)] * len(actions)


def _play(
    game: Game, state: Any, profile: Profile, stream: Any, explorer: int | None, found: dict[int, InformationSet]
) -> tuple[float, ...]:
    """One game. What everybody gets; `found` is told of the information sets."""
    players = range(game.players)
    memory = [NOTHING] * len(players)
    seen = [hash_state(game.observe(state, player)) for player in players]
    while not game.terminal(state):
        mover = int(game.player(state))
        if mover == CHANCE:
            taken, _ = draw_outcome(game, stream, state)
        else:
            actions, key = list(game.actions(state)), int(key_of(memory[mover], seen[mover], mover))
            mix = profile.mix(key, actions)
            if key not in found:
                observation = coerce(game.observe(state, mover))
                found[key] = InformationSet(mover, observation, dict(zip(actions, mix, strict=True)), None, key)
            shares = [1.0 / len(actions)] * len(actions) if mover == explorer else mix
            taken = actions[min(int(np.searchsorted(np.cumsum(shares), uniform(stream), "right")), len(actions) - 1)]
        after = coerce(game.result(state, taken))
        for player in players:
            then = hash_state(game.observe(after, player))
            now = seen[player]
            memory[player] = remember_seen(game, memory[player], state, taken, mover, now, then, player)
            seen[player] = then
        state = after
    return tuple(float(amount) for amount in payoffs(game, game.utility(state)))


class WithoutTree(Solve):
    """One call that samples, and measures nothing."""

    sampler: Sampler

    def __init__(self, sampler: Sampler, began: float, on_progress: Any) -> None:
        self.sampler, self.using, self.began, self.on_progress = sampler, sampler.using, began, on_progress

    def keeper(self, path: str, seed: int) -> Keeper:
        """The file of what is learned from here on."""
        begins = hashlib.sha256(text_of(self.sampler.game, self.sampler.state).encode()).hexdigest()
        return Keeper(path, self.sampler, self.sampler.game, begins, self.using, seed)

    def profile(self) -> Any:
        return None

    def tell(self) -> None:
        if self.on_progress is not None:
            self.on_progress(Standing(self.pupil.iterations, time.perf_counter() - self.began, None))

    def solution(self, iterations: int, profile: Any) -> Any:
        sampler, seconds = self.sampler, time.perf_counter() - self.began
        return SampledSolution(sampler.game, sampler.state, self.using, iterations, sampler, seconds, sampler.native)


def sampled_equilibrium(
    game: Game | str,
    state: Any = None,
    using: str = "external",
    iterations: int | None = None,
    native: bool | None = None,
    seed: int = 0,
    keep: str | None = None,
    on_progress: Callable[[Standing], None] | None = None,
) -> SampledSolution:
    """Learn without a tree, as `hidden_equilibrium` does with one: `using` is "external" or "outcome"."""
    game = load(game)
    if using not in SAMPLERS:
        raise Unsuitable(f"{using!r} does not sample; {' and '.join(SAMPLERS)} do")
    iterations = checked(game, using, iterations)
    solve = WithoutTree(Sampler(game, state, using, seed, native), time.perf_counter(), on_progress)
    found: Any = solve.run(iterations, None if keep is None else solve.keeper(keep, seed))
    assert isinstance(found, SampledSolution)
    return found


__all__ = ["GAMES", "SampledSolution", "WithoutTree", "sampled_equilibrium"]
