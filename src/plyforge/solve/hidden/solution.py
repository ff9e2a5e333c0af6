"""An equilibrium of a small game of hidden information: by which algorithm, how good it is, what is found.

Claim: what each player gets by the profile and could get at best against it is measured on the whole tree, whatever
algorithm found the profile. With two players and a constant sum, MAX gets at least `lower` against any opponent, and at
most `upper` against MIN's part: the value lies between them. NashConv is the sum of what all could gain by answering
as well as can be, exploitability its mean: 0 in an equilibrium.

Lanctot et al., "A unified game-theoretic approach to multiagent reinforcement learning", NIPS 2017 (NashConv).
"""

from __future__ import annotations

import functools
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from plyforge.contract import MAX, MIN, Game, format_action
from plyforge.contract.naming import name_of, text_of
from plyforge.contract.value_words import short_name, whose
from plyforge.errors import BadLimits, Interrupted, Unsuitable
from plyforge.games import load
from plyforge.search.core.requirements import Needs
from plyforge.solve.hidden.checkpoint import Keeper, digest_of
from plyforge.solve.hidden.history_tree import HISTORY_LIMIT, HistoryTree, Root, history_tree
from plyforge.solve.hidden.linear_program import linear_program
from plyforge.solve.hidden.regret import RULES, Learner
from plyforge.solve.hidden.sampling import SAMPLERS, Sampler
from plyforge.solve.hidden.sequence_form import locked, sequence_form
from plyforge.solve.solution import Rows, Solution, plain

NEEDS = Needs(nothing_hidden=False)
WAYS = (*RULES, "lp", *SAMPLERS)
"""The algorithms, by name."""
NAMES = {
    **{name: rule.name for name, rule in RULES.items()},
    "lp": "the sequence-form linear program",
    "external": "external sampling",
    "outcome": "outcome sampling",
}
ITERATIONS = {**dict.fromkeys(RULES, 1000), "lp": 0, "external": 100_000, "outcome": 1_000_000}
"""Unless something else is asked for."""
BATCH_SECONDS = 0.1
"""Between two looks at the clock, and at Ctrl-C."""
MEASURE_EVERY = 1.0
"""Seconds between two measurements of the exploitability, and at least ten times what one takes."""
WORTH_COMPILING = 100_000
"""Histories times iterations: with fewer, compiling takes longer."""
MOST_LISTED = 60
"""Information sets whose mixes are listed."""
NO_GUARANTEE = "with these payoffs, or so many players, no algorithm here is sure to find an equilibrium"


class InformationSet(NamedTuple):
    """What a player does where these things look the same."""

    player: int
    observation: Any
    """What the player sees."""
    policy: dict[Any, float]
    """How often to take each action."""
    cost: dict[Any, float] | None
    """What taking each action costs the player who goes on as well as can be, once this information set is reached,
    against the others' mixes; None where they never let it come to this."""
    key: int
    """The information set's number: the same in every process, for these rules."""


class Standing(NamedTuple):
    """How a solve stands."""

    iterations: int
    seconds: float
    exploitability: float | None
    """As last measured; None: not yet, or there is no tree."""

    def words(self) -> str:
        """For a line of progress."""
        rate = self.iterations / max(self.seconds, 1e-9)
        measured = "" if self.exploitability is None else f", exploitability {self.exploitability:.3g}"
        return f"{self.seconds:.0f} s (Ctrl-C stops), {self.iterations:,} iterations, {rate:,.0f} a second{measured}"


@dataclass(frozen=True, eq=False, repr=False)
class HiddenSolution(Solution):
    """A profile, and how good it is. See the module's text."""

    game: Game
    using: str
    values: tuple[float, ...]
    """What each player gets if all play the profile."""
    at_best: tuple[float, ...]
    """What each player gets at best against the others' parts of it."""
    iterations: int
    tree: HistoryTree
    profile: np.ndarray
    """The mixes, by the tree's slots."""
    locks: frozenset[int]
    """Information sets in which the players did not choose."""
    seconds: float
    native: bool
    """True if it ran as machine code."""
    learner: Learner

    @property
    def method(self) -> str:  # type: ignore[override]
        """The algorithm in words."""
        return NAMES[self.using]

    @property
    def state(self) -> Any:
        """Where it begins; of several states that look the same, one."""
        return self.tree.roots[0].state

    @property
    def histories(self) -> int:
        return self.tree.histories

    @property
    def exact(self) -> bool:
        """True if the profile is an equilibrium; False if it is near one, as far as `exploitability` says."""
        return self.using == "lp"

    def value_of(self, state: Any = None) -> Any:
        """What MAX gets if all play the profile; a tuple with everybody's where that does not say everything."""
        self._only_the_start(state)
        return self.values[MAX] if is_zero_sum(self.game) else self.values

    def best_of(self, state: Any = None) -> tuple[Any, ...]:
        """None: whoever moves has a mix for each thing that may be known, in `information_sets`."""
        self._only_the_start(state)
        return ()

    def _only_the_start(self, state: Any) -> None:
        if self._state(state) != self.state:
            raise Unsuitable(
                "what a state is worth means nothing to players who don't see it: ask `policies_of(observation,"
                " player)`, or `information_sets`"
            )

    @property
    def upper(self) -> float:
        """What MAX gets at most against the others' parts of the profile."""
        return self.at_best[MAX]

    @property
    def lower(self) -> float | None:
        """What MAX gets at least, whatever MIN does; None if what one wins is not what one other loses."""
        return float(self.game.utility_sum or 0.0) - self.at_best[MIN] if is_zero_sum(self.game) else None

    @property
    def nash_conv(self) -> float:
        """What all could gain together, each alone, by answering the profile as well as can be."""
        return sum(self.at_best) - sum(self.values)

    @property
    def exploitability(self) -> float:
        """The mean of what the players could gain so."""
        return self.nash_conv / len(self.values)

    @functools.cached_property
    def information_sets(self) -> tuple[InformationSet, ...]:
        """All of them, with mixes and costs."""
        tree, costs, found = self.tree, self.costs, []
        for number, actions in enumerate(tree.actions):
            slots = range(int(tree.offset[number]), int(tree.offset[number + 1]))
            policy = {action: float(self.profile[slot]) for action, slot in zip(actions, slots, strict=True)}
            cost = {action: float(costs[slot]) for action, slot in zip(actions, slots, strict=True)}
            found.append(
                InformationSet(
                    int(tree.owner[number]), tree.observations[number], policy,
                    None if np.isnan(costs[slots[0]]) else cost, int(tree.keys[number]),
                )
            )  # fmt: skip
        return tuple(found)

    @functools.cached_property
    def costs(self) -> np.ndarray:
        """What each slot's action costs, as in `InformationSet.cost`; not a number where nobody comes."""
        tree, found = self.tree, np.zeros(self.tree.slots)
        for player in range(self.game.players):
            worth = self.learner.worth(player, self.profile, True)[1]
            likely = others_reach(tree, self.profile, player)
            for number in np.flatnonzero(tree.owner == player).tolist():
                slots = slice(int(tree.offset[number]), int(tree.offset[number + 1]))
                if number in self.locks or likely[number] <= 0.0:
                    found[slots] = np.nan
                else:
                    found[slots] = (worth[slots].max() - worth[slots]) / likely[number]
        return found

    def policies_of(self, observation: Any, player: int) -> list[dict[Any, float]]:
        """The mixes of a player who sees this; several, where what is remembered makes a difference."""
        return [
            each.policy for each in self.information_sets if each.player == player and each.observation == observation
        ]

    @property
    def mixed(self) -> bool:
        return True

    @property
    def words(self) -> str:
        return whose(self.game, MAX if is_zero_sum(self.game) else None)

    def number_text(self) -> str:
        numbers = [self.value] if is_zero_sum(self.game) else self.values
        return ", ".join(f"{number:.6f}" for number in numbers)

    @property
    def proof(self) -> str:  # type: ignore[override]
        """What the profile guarantees."""
        if self.lower is None:
            return f"NashConv {self.nash_conv:.2g}, measured; {NO_GUARANTEE}"
        return "the best responses to everybody's mixes were measured on the whole tree: the value lies between theirs"

    def work(self) -> str:
        many = "" if self.using == "lp" else f"{self.iterations:,} iterations, "
        return f"{many}{self.histories:,} histories, {self.tree.sets:,} information sets, {self.seconds:.2f} s"

    def details(self) -> Rows:
        rows = []
        if self.lower is not None:
            between = f"{self.lower:.6f} and {self.upper:.6f}: exploitability {self.exploitability:.2g}"
            rows.append(("between", between))
        if self.locks:
            rows.append(("locked", f"{len(self.locks):,} information sets: all know what is done there"))
        return rows + (self._mixes() if self.tree.sets <= MOST_LISTED else [])

    def _mixes(self) -> Rows:
        """Of each information set: what is seen, and how often to do what."""
        sets = [(each.player, text_of(self.game, each.observation), each) for each in self.information_sets]
        return [
            (
                f"{short_name(self.game, player)} who sees {seen}",
                "  ".join(
                    f"{format_action(self.game, each.observation, action)} {share:.4f}"
                    for action, share in each.policy.items()
                ),
            )
            for player, seen, each in sorted(sets, key=lambda entry: entry[:2])
        ]

    def more(self) -> dict[str, Any]:
        from plyforge.solve.hidden.strategy_file import set_to_json  # which imports this module

        listed = self.tree.sets <= MOST_LISTED
        return {
            "value": plain(self.value), "values": list(self.values), "lower": self.lower, "upper": self.upper,
            "exploitability": self.exploitability, "nash_conv": self.nash_conv, "information_sets": self.tree.sets,
            "histories": self.histories, "iterations": self.iterations, "locked": len(self.locks),
            "mixes": [set_to_json(self.game, each) for each in self.information_sets] if listed else None,
        }  # fmt: skip


def is_zero_sum(game: Game) -> bool:
    """True if two play, and what one wins the other loses, or both share a constant."""
    return game.players == 2 and game.utility_sum is not None


def others_reach(tree: HistoryTree, profile: np.ndarray, player: int) -> np.ndarray:
    """How likely chance and the others make each information set of `player`, who wants to go there."""
    reach = history_reach(tree, profile, player)
    mine = tree.mover == player
    return np.bincount(tree.information[mine], reach[mine], tree.sets)


def history_reach(tree: HistoryTree, profile: np.ndarray, player: int | None = None) -> np.ndarray:
    """How likely each history is by the profile; of a `player` who wants to go there, all actions are sure."""
    share = tree.probability.copy()
    moved = np.flatnonzero(tree.parent >= 0)
    above = tree.parent[moved]
    theirs = tree.mover[above] >= 0
    if player is not None:
        theirs &= tree.mover[above] != player
    nodes, above = moved[theirs], above[theirs]
    share[nodes] = profile[tree.offset[tree.information[above]] + (nodes - tree.child[above])]
    reach = np.ones(tree.histories)
    parents, shares = tree.parent.tolist(), share.tolist()
    likely = reach.tolist()
    for node in range(1, tree.histories):
        likely[node] = likely[parents[node]] * shares[node]
    return np.array(likely)


# ------------------------------------------------------------------ solving
def hidden_equilibrium(
    game: Game | str,
    state: Any = None,
    using: str = "cfr_plus",
    iterations: int | None = None,
    native: bool | None = None,
    limit: int | None = HISTORY_LIMIT,
    seed: int = 0,
    roots: list[Root] | None = None,
    locks: Callable[[HistoryTree], dict[int, np.ndarray]] | None = None,
    keep: str | None = None,
    on_progress: Callable[[Standing], None] | None = None,
) -> HiddenSolution:
    """Solve the game from `state` (a state, its text, or None for the start) or from `roots` on.

    `using` is one of WAYS; more than `limit` histories are refused (`TooManyHistories`; `sampled.py` learns
    without a tree). `locks` says, of the grown tree, what is done in
    some information sets: the rest is solved (`sequence_form.locked`). With `keep` what is learned is in that file, and
    goes on from there to the bit. `native=False` runs interpreted, `native=True` insists on compiled code.

    Ctrl-C raises `Interrupted`, with what there is so far in its `found`.
    """
    game = load(game)
    NEEDS.check(game, "solving by regret")
    iterations = checked(game, using, iterations)
    began = time.perf_counter()
    if using in SAMPLERS and locks is not None:
        raise Unsuitable(f"{NAMES[using]} plays by the rules, and knows no locks: use cfr, cfr_plus, dcfr or lp")
    if using in SAMPLERS and roots is not None:
        raise Unsuitable(f"{NAMES[using]} begins at one state, not at an observation: use cfr, cfr_plus, dcfr or lp")
    tree = history_tree(game, state, limit, native, roots)
    if native is None and tree.histories * iterations < WORTH_COMPILING:
        native = False
    form = sequence_form(tree)
    fixed = {} if locks is None else locks(tree)
    solve = Solve(tree, using, native, began, on_progress, fixed)
    solve.learner = Learner(tree, native, locked(form, fixed) if fixed else form)
    if using == "lp":
        profile = solve.learner.shares(linear_program(solve.learner.form)[:-1])
        return solve.solution(0, profile)
    if using in SAMPLERS:
        solve.sampler = Sampler(game, state, using, seed, native)
    return solve.run(
        iterations, None if keep is None else Keeper(keep, solve.pupil, game, digest_of(tree, fixed), using, seed)
    )


def checked(game: Game, using: str, iterations: int | None) -> int:
    """How many iterations. Raises for what can't be done so."""
    if using not in WAYS:
        raise Unsuitable(f"there is no way {using!r} to solve hidden information; there are {', '.join(WAYS)}")
    if using == "lp" and not is_zero_sum(game):
        raise Unsuitable(
            "the sequence-form linear program is for two players with a constant sum; "
            f"{name_of(game)} has {game.players} players: use cfr or cfr_plus, which promise nothing here"
        )
    iterations = ITERATIONS[using] if iterations is None else iterations
    if not isinstance(iterations, int) or isinstance(iterations, bool) or iterations < (using != "lp"):
        raise BadLimits(f"iterations is {iterations!r}; it must be a whole number of at least 1")
    return iterations


class Solve:
    """One call."""

    learner: Learner
    sampler: Sampler | None = None

    def __init__(
        self, tree: HistoryTree, using: str, native: bool | None, began: float,
        on_progress: Callable[[Standing], None] | None, locks: dict[int, np.ndarray],
    ) -> None:  # fmt: skip
        self.tree, self.using, self.native, self.began = tree, using, native, began
        self.on_progress, self.locks = on_progress, locks
        self.exploitability: float | None = None
        self.measured, self.pause = 0.0, MEASURE_EVERY

    @property
    def pupil(self) -> Learner | Sampler:
        """Who learns."""
        return self.sampler or self.learner

    def run(self, iterations: int, keeper: Keeper | None) -> HiddenSolution:
        pupil = self.pupil
        if keeper is not None:
            keeper.read()
        batch = 1
        try:
            while pupil.iterations < iterations:
                start = time.perf_counter()
                many = min(batch, iterations - pupil.iterations)
                if isinstance(pupil, Learner):
                    pupil.learn(RULES[self.using], many)
                else:
                    pupil.learn(many)
                took = time.perf_counter() - start
                batch = max(1, min(2 * batch, int(batch * BATCH_SECONDS / max(took, 1e-6))))
                self.tell()
                if keeper is not None:
                    keeper.now_and_then()
        except KeyboardInterrupt:
            if keeper is not None:
                keeper.write()
            raise Interrupted(self.solution(pupil.iterations, self.profile())) from None
        if keeper is not None:
            keeper.write()
        return self.solution(pupil.iterations, self.profile())

    def profile(self) -> np.ndarray:
        return self.learner.profile() if self.sampler is None else self.learner.shares(self.sampler.profile(self.tree))

    def tell(self) -> None:
        """Of progress, with the exploitability where it is time to measure it again."""
        now = time.perf_counter()
        if self.on_progress is None:
            return
        if now - self.measured > self.pause and now - self.began > MEASURE_EVERY:
            self.exploitability = self.solution(self.pupil.iterations, self.profile()).exploitability
            self.measured = time.perf_counter()
            self.pause = max(MEASURE_EVERY, 10.0 * (self.measured - now))
        self.on_progress(Standing(self.pupil.iterations, now - self.began, self.exploitability))

    def solution(self, iterations: int, profile: np.ndarray) -> HiddenSolution:
        """How it stands."""
        learner, players = self.learner, range(self.tree.game.players)
        values = tuple(learner.worth(player, profile)[0] for player in players)
        best = tuple(learner.best(player, profile) for player in players)
        native = learner.native and (self.sampler is None or self.sampler.native)
        return HiddenSolution(
            self.tree.game, self.using, values, best, iterations, self.tree, profile, frozenset(self.locks),
            time.perf_counter() - self.began, native, learner,
        )  # fmt: skip


def evaluated(tree: HistoryTree, profile: np.ndarray, native: bool | None = None, using: str = "cfr") -> HiddenSolution:
    """A profile that comes from elsewhere, measured: what it is worth, what it loses, what actions cost."""
    if native is None and tree.histories < WORTH_COMPILING:
        native = False
    solve = Solve(tree, using, native, time.perf_counter(), None, {})
    solve.learner = Learner(tree, native)
    return solve.solution(0, profile)


def cfr_plus(
    game: Game | str,
    state: Any = None,
    iterations: int = ITERATIONS["cfr_plus"],
    native: bool | None = None,
    limit: int | None = HISTORY_LIMIT,
) -> HiddenSolution:
    """Solve the game by CFR+: see `hidden_equilibrium`."""
    return hidden_equilibrium(game, state, "cfr_plus", iterations, native, limit)


__all__ = [
    "NAMES", "NO_GUARANTEE", "WAYS", "HiddenSolution", "InformationSet", "Solve", "Standing", "cfr_plus", "checked",
    "evaluated", "hidden_equilibrium", "history_reach", "is_zero_sum", "others_reach",
]  # fmt: skip
