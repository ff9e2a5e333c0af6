"""The laws about hidden information that only the whole game shows: what an information set holds.

All histories of a small game are walked, each with what the players remember (`contract/information.py`). So every
information set is known with its states and how likely chance makes each; that is what `determinize` has to draw. In a
larger game random games are walked, and their information sets are counted: there are at least so many.

Claim: what is reported as broken is so, but for one law, whose test draws: a right `determinize` fails it once in some
ten billion checks.
"""

from __future__ import annotations

import math
import random
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from plyforge.check import laws
from plyforge.check.examiners.hidden import Hidden
from plyforge.check.ledger import Broken
from plyforge.check.objects import shorten
from plyforge.check.rules import describe
from plyforge.contract import CHANCE, PUBLIC, SIMULTANEOUS
from plyforge.contract.information import NOTHING, information_set, remember
from plyforge.kernel.random import new_stream

MOST_HISTORIES = 20_000
"""Of a game with more than that, random games are looked at."""
GAMES = 300
LONGEST = 400
"""Plies of a random game."""
ENOUGH = 10
"""Times that what is seen together has to be met in random games, on average: with fewer, mutual information is
overestimated."""
DRAWN = 1000
"""So many states are drawn from one observation to see how often each comes."""
MOST_DRAWN = 60
"""From so many observations of each player."""
DEVIATIONS = 6.5
"""Standard deviations by which a count may be off: one in ten billion is."""


class History(NamedTuple):
    """A sequence of actions and outcomes, by where it ends and how it came."""

    state: Any
    memories: tuple[Any, ...]
    """What each player remembers."""
    deeds: tuple[Any, ...]
    """What the players did, chance's outcomes left out."""
    chance: float
    """How likely chance is to do what it did."""
    reached: float
    """The same, if players choose at random, too."""


class Held:
    """What was found behind one observation of a player: the states, and by what the player remembers, too."""

    def __init__(self, observation: Any) -> None:
        self.observation = observation
        self.states: dict[Any, Any] = {}
        """By identity."""
        self.chance: dict[Any, float] = defaultdict(float)
        self.deeds: dict[Any, set[Any]] = defaultdict(set)
        self.by_memory: dict[int, set[Any]] = defaultdict(set)
        """The information sets: the identities of the states in each."""

    def add(self, identity: Any, history: History, information: int) -> None:
        self.states[identity] = history.state
        self.chance[identity] += history.chance
        self.deeds[identity].add(history.deeds)
        self.by_memory[information].add(identity)

    @property
    def by_chance_alone(self) -> bool:
        """True if the states differ by what chance did, and by nothing that players did."""
        return len({frozenset(deeds) for deeds in self.deeds.values()}) == 1


class InformationSets:
    """One game's; what is wrong goes into the ledger."""

    def __init__(self, hidden: Hidden, late: Callable[[float], bool], seed: int) -> None:
        """`late` tells whether more than a share of the time is gone."""
        self.hidden, self.rules, self.game = hidden, hidden.rules, hidden.game
        self.ledger, self.late = hidden.ledger, late
        self.seed = seed
        self.held: list[dict[Any, Held]] = [{} for _ in range(self.game.players)]
        """By player and observation."""
        self.joint: dict[tuple[Any, ...], float] = defaultdict(float)
        """What PUBLIC and all players see where somebody moves, with how likely that is in random games."""
        self.histories = 0

    def look(self, root: Any) -> None:
        """All of it."""
        whole = False
        try:
            whole = self.walk_all(root)
            if not whole:
                self.walk_some(root)
        except Exception as error:  # in a state that was not visited before
            self.ledger.broken(laws.RULES_RUN, f"where histories were walked, the rules raised {describe(error)}")
            return
        try:
            self.hides_something(whole)
            if whole:
                self.one_future()
                self.keeps_secrets()
                if self.hidden.draws:
                    self.drawn()
        except Broken as broken:
            self.ledger.broken(broken.law, broken.sentence)
        if not self.ledger.violations:
            self.say(whole)

    # ------------------------------------------------------------ walking
    def walk_all(self, root: Any) -> bool:
        """All histories; False if they are too many, and then nothing is kept."""
        waiting = [History(root, (NOTHING,) * self.game.players, (), 1.0, 1.0)]
        while waiting:
            history = waiting.pop()
            self.meet(history)
            if self.histories > MOST_HISTORIES or self.late(0.95):
                self.held, self.joint = [{} for _ in range(self.game.players)], defaultdict(float)
                self.histories = 0
                return False
            waiting += self.after(history)
        return True

    def walk_some(self, root: Any) -> None:
        """Random games."""
        for number in range(GAMES):
            rng = random.Random(f"{self.seed} hidden {number}")
            history: History | None = History(root, (NOTHING,) * self.game.players, (), 1.0, 1.0)
            for _ in range(LONGEST):
                if history is None or self.late(1.0):
                    break
                self.meet(history._replace(reached=1.0))
                following = list(self.after(history))
                weights = [each.reached for each in following]
                history = rng.choices(following, weights)[0] if following else None

    def after(self, history: History) -> Iterator[History]:
        """The histories that are one action longer."""
        game, s = self.game, history.state
        if game.terminal(s):
            return
        mover = game.player(s)
        if mover == CHANCE:
            outcomes = [(outcome, float(probability)) for outcome, probability in game.chance(s)]
        else:
            actions = list(game.actions(s))
            outcomes = [(action, 1.0 / len(actions)) for action in actions]
        for action, probability in outcomes:
            state = game.result(s, action)
            memories = tuple(
                remember(game, memory, s, action, state, player) for player, memory in enumerate(history.memories)
            )
            by_chance = mover == CHANCE
            yield History(
                state,
                memories,
                history.deeds if by_chance else (*history.deeds, action),
                history.chance * (probability if by_chance else 1.0),
                history.reached * probability,
            )

    def meet(self, history: History) -> None:
        """Write down where a history ends, for whoever moves there."""
        game, s = self.game, history.state
        self.histories += 1
        if game.terminal(s) or (mover := game.player(s)) == CHANCE:
            return
        identity = self.rules.identity
        seen = [game.observe(s, player) for player in range(game.players)]
        for player in range(game.players):
            if mover in (player, SIMULTANEOUS):
                key = identity(seen[player])
                held = self.held[player].setdefault(key, Held(seen[player]))
                information = int(information_set(game, history.memories[player], s, player))
                held.add(identity(s), history, information)
        self.joint[(identity(game.observe(s, PUBLIC)), *map(identity, seen))] += history.reached

    # ------------------------------------------------------------ laws
    def hides_something(self, whole: bool) -> None:
        """Rules that hide nothing are of perfect information."""
        self.ledger.tested[laws.HIDES] += 1
        if self.hidden.hides:
            return
        sentence = (
            "observe(s, player) is the state itself, for everybody, wherever it was asked: the game is of perfect "
            "information. Leave observe out, and every search plays it"
        )
        if whole:
            raise Broken(laws.HIDES, sentence)
        self.ledger.warn(laws.HIDES, sentence)

    def one_future(self) -> None:
        """Behind one observation are the same states, whatever the player remembers."""
        for player, found in enumerate(self.held):
            for held in found.values():
                self.ledger.tested[laws.ONE_FUTURE] += 1
                first, *others = held.by_memory.values()
                for other in others:
                    if other != first:
                        raise Broken(laws.ONE_FUTURE, self.merged(player, held, first, other))

    def merged(self, player: int, held: Held, one: set[Any], other: set[Any]) -> str:
        told = next(iter(one ^ other))
        knows = "the one" if told in one else "the other"
        states = [held.states[each] for each in sorted(one | other, key=repr)]
        fields = ", ".join(f"`{name}`" for name in _differing(states)) or "what tells them apart"
        return (
            f"player {player} sees {shorten(held.observation)} in two information sets, and remembers which it is: in"
            f" {knows} alone the state may be {shorten(held.states[told])}. Who is given the observation can't know:"
            f" keep in the state what the player has seen, and show it to the player; what it tells about is {fields}"
        )

    def keeps_secrets(self) -> None:
        """What is blanked can't be told from the rest, each time."""
        for player, found in enumerate(self.held):
            blanked = [
                held
                for held in found.values()
                if any(not self.rules.same(s, held.observation) for s in held.states.values())
            ]
            self.ledger.tested[laws.SECRET] += len(blanked)
            public = {self.rules.identity(self.game.observe(held.observation, PUBLIC)) for held in blanked}
            if len(blanked) > len(public) and all(len(held.states) == 1 for held in blanked):
                state, seen = next(iter(blanked[0].states.values())), blanked[0].observation
                raise Broken(
                    laws.SECRET,
                    f"observe blanks something for player {player}, and yet each of the {len(blanked)} observations "
                    f"belongs to one state: who sees {shorten(seen)} knows that it is {shorten(state)}. Blank what "
                    "tells it, too",
                )

    def drawn(self) -> None:
        """What `determinize` draws, held against what is there."""
        for player, found in enumerate(self.held):
            for held in list(found.values())[:MOST_DRAWN]:
                if self.late(1.0):
                    return
                self.counted(player, held)

    def counted(self, player: int, held: Held) -> None:
        rules, stream = self.rules, new_stream(self.seed)
        counts: Counter[Any] = Counter()
        for _ in range(DRAWN):
            s = rules.ask("determinize", held.observation, player, stream)
            self.ledger.tested[laws.CAN_ARISE] += 1
            if rules.identity(s) not in held.states:
                sentence = (
                    f"player {player} sees {shorten(held.observation)}, and determinize draws {shorten(s)}, which "
                    "can't arise in the game"
                )
                raise Broken(laws.CAN_ARISE, sentence)
            counts[rules.identity(s)] += 1
        total, even = math.fsum(held.chance.values()), 1.0 / len(held.states)
        for identity, state in held.states.items():
            self.ledger.tested[laws.AS_CHANCE] += 1
            share = held.chance[identity] / total if held.by_chance_alone else even
            expected, number = DRAWN * share, counts[identity]
            seen = (
                f"player {player} sees {shorten(held.observation)}, and in {DRAWN} draws determinize gives"
                f" {shorten(state)}"
            )
            if held.by_chance_alone:
                spread = DEVIATIONS * math.sqrt(expected * (1.0 - share)) + 3.0
                if abs(number - expected) > spread:
                    raise Broken(laws.AS_CHANCE, f"{seen} {number} times; chance makes it {expected:.0f}")
            elif number == 0 and expected > DEVIATIONS**2:
                raise Broken(laws.AS_CHANCE, f"{seen} never, though it may be so")

    # ------------------------------------------------------------ what is told
    def say(self, whole: bool) -> None:
        """How many information sets there are, and what observations tell of each other."""
        sizes = [sum(len(held.by_memory) for held in found.values()) for found in self.held]
        each = ", ".join(f"{size:,} of player {player}" for player, size in enumerate(sizes))
        where = f"in {self.histories:,} histories" if whole else "met in random games, the game has more"
        self.ledger.note(f"{sum(sizes):,} information sets ({each}) {where}")
        if not whole and math.fsum(self.joint.values()) < ENOUGH * len(self.joint):
            self.ledger.note("what players' observations tell of each other was not measured: too few games for it")
            return
        for player in range(self.game.players):
            for other in range(self.game.players):
                if player != other:
                    self.say_what_is_told(player, other)

    def say_what_is_told(self, player: int, other: int) -> None:
        """Mutual information of two players' observations, given what is public."""
        public = self.entropy(0)
        own, theirs = self.entropy(0, player + 1) - public, self.entropy(0, other + 1) - public
        told = own + theirs - (self.entropy(0, player + 1, other + 1) - public)
        if theirs > 1e-9:
            self.ledger.note(
                f"what player {player} sees tells {max(0.0, told):.2f} of the {theirs:.2f} bits that player {other} "
                "sees beyond what is public (mutual information over random games)"
            )

    def entropy(self, *places: int) -> float:
        """Bits of what is seen by these eyes together."""
        parts: dict[Any, float] = defaultdict(float)
        for seen, weight in self.joint.items():
            parts[tuple(seen[place] for place in places)] += weight
        total = math.fsum(parts.values())
        return -math.fsum(part / total * math.log2(part / total) for part in parts.values() if part)


def _differing(states: list[Any]) -> list[str]:
    """The fields in which states differ."""
    names: Any = getattr(states[0], "_fields", None) or getattr(states[0], "__dataclass_fields__", ())
    return [name for name in names if len({repr(getattr(each, name)) for each in states}) > 1]


__all__ = ["InformationSets"]
