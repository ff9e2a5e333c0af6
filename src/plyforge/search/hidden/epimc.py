"""Extended PIMC: the cards stay closed for some plies more, and are opened only below them.

Worlds that fit are drawn, and from each the game goes on for `postponed` plies with information sets as they are: whose
worlds look the same must act the same in them. Only what lies below is solved with all cards open. That small game is
solved by CFR+, so the answer may be a mix. With one ply it is PIMC.

Claim: with the plies of the whole game and enough worlds and iterations, best play against who draws worlds as chance
makes them; with fewer, strategy fusion is only where the cards are open. What the others' earlier actions told is left
out, but for `plausible`.

Arjonilla, Saffidine and Cazenave, "Perfect information Monte Carlo with postponing reasoning", arXiv 2408.02380, 2024.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

from plyforge.contract import CHANCE, Game, payoffs
from plyforge.contract.information import NOTHING, information_set, remember
from plyforge.errors import Unsuitable
from plyforge.kernel import new_stream
from plyforge.search.core.parameters import parameter
from plyforge.search.core.requirements import Needs
from plyforge.search.core.searcher import Asked
from plyforge.search.hidden.pimc import WORLDS, OpenSolver, Pimc, Score
from plyforge.search.hidden.result import HiddenResult
from plyforge.search.hidden.simulate import draw_world
from plyforge.search.running.runner import blaming_the_rules, coerce

TREMBLE = 1e-3
"""As likely an action is at least, to who has to answer it: else nobody would learn to."""
MOST_NODES = 2_000_000
"""Of the small game."""


@dataclass
class Choices:
    """One information set of the small game."""

    player: int
    actions: list[Any]
    regrets: list[float] = field(default_factory=list)
    average: list[float] = field(default_factory=list)
    policy: list[float] = field(default_factory=list)

    def __post_init__(self) -> None:
        number = len(self.actions)
        self.regrets, self.average, self.policy = [0.0] * number, [0.0] * number, [1.0 / number] * number

    def match_regrets(self) -> None:
        """In proportion to regrets, which never fall below 0."""
        self.regrets = [max(0.0, regret) for regret in self.regrets]
        self.policy = shares(self.regrets)

    def mean(self) -> list[float]:
        return shares(self.average)


def shares(weights: list[float]) -> list[float]:
    """Weights as parts of one; all alike where there is none."""
    total = sum(weights)
    return [weight / total for weight in weights] if total > 0.0 else [1.0 / len(weights)] * len(weights)


@dataclass
class Node:
    """A history of the small game: a leaf with its payoffs, a draw of chance, or a choice."""

    payoffs: tuple[float, ...] = ()
    chances: list[float] = field(default_factory=list)
    choices: Choices | None = None
    children: list[Node] = field(default_factory=list)


class OutOfTime(Exception):
    """The small game could not be finished."""


@dataclass
class SmallGame:
    """The plies that are thought about with closed cards."""

    game: Game
    plies: int
    solver: OpenSolver
    sets: dict[tuple[int, int], Choices] = field(default_factory=dict)
    nodes: int = 0

    def grow(self, state: Any, recall: tuple[Any, ...], plies: int) -> Node:
        """The tree below a state, where players remember so much."""
        game = self.game
        self.nodes += 1
        if self.nodes > MOST_NODES:
            raise Unsuitable(
                f"epimc would need more than {MOST_NODES:,} nodes: postpone fewer plies, or draw less worlds"
            )
        if game.terminal(state):
            return Node(payoffs(game, game.utility(state)))
        mover = int(game.player(state))
        if mover == CHANCE:
            drawn = list(game.chance(state))
            children = [self.after(state, outcome, recall, plies) for outcome, _ in drawn]
            return Node(chances=[float(chance) for _, chance in drawn], children=children)
        if plies == 0:
            value = self.solver.value(state)
            if value is None:
                raise OutOfTime
            return Node(value)
        key = (mover, int(information_set(game, recall[mover], state, mover)))
        if key not in self.sets:
            self.sets[key] = Choices(mover, list(game.actions(state)))
        choices = self.sets[key]
        return Node(choices=choices, children=[self.after(state, a, recall, plies - 1) for a in choices.actions])

    def opened(self, state: Any, plies: int) -> Iterator[Any]:
        """The states below one at which cards are opened."""
        game = self.game
        if game.terminal(state):
            return
        chance = int(game.player(state)) == CHANCE
        if plies == 0 and not chance:
            yield state
            return
        for action in [each for each, _ in game.chance(state)] if chance else list(game.actions(state)):
            yield from self.opened(coerce(game.result(state, action)), plies - (not chance))

    def after(self, state: Any, action: Any, recall: tuple[Any, ...], plies: int) -> Node:
        game = self.game
        after = coerce(game.result(state, action))
        knows = tuple(remember(game, memory, state, action, after, p) for p, memory in enumerate(recall))
        return self.grow(after, knows, plies)

    def learn(self, roots: list[Node], weights: list[float], iterations: int) -> None:
        """CFR+ over the worlds."""
        players = {choices.player for choices in self.sets.values()}
        for iteration in range(1, iterations + 1):
            for player in players:
                for root, weight in zip(roots, weights, strict=True):
                    self.walk(root, player, 1.0, weight, iteration)
                for choices in self.sets.values():
                    if choices.player == player:
                        choices.match_regrets()

    def walk(self, node: Node, player: int, own: float, others: float, iteration: int) -> float:
        """What a node is worth to `player`, who learns."""
        choices = node.choices
        if choices is None:
            if not node.children:
                return node.payoffs[player]
            return sum(
                chance * self.walk(child, player, own, others * chance, iteration)
                for chance, child in zip(node.chances, node.children, strict=True)
            )
        policy = choices.policy
        if choices.player != player:
            return sum(
                share * self.walk(child, player, own, others * max(share, TREMBLE), iteration)
                for share, child in zip(policy, node.children, strict=True)
            )
        values = [
            self.walk(child, player, own * share, others, iteration)
            for share, child in zip(policy, node.children, strict=True)
        ]
        mean = sum(share * value for share, value in zip(policy, values, strict=True))
        for place, (share, value) in enumerate(zip(policy, values, strict=True)):
            choices.regrets[place] += others * (value - mean)
            choices.average[place] += iteration * own * share
        return mean

    def value(self, node: Node, player: int) -> float:
        """What a node is worth if everybody plays the average."""
        if node.choices is None and not node.children:
            return node.payoffs[player]
        parts = node.chances if node.choices is None else node.choices.mean()
        return sum(part * self.value(child, player) for part, child in zip(parts, node.children, strict=True))


@dataclass(frozen=True)
class Epimc(Pimc):
    """PIMC that opens the cards some plies later."""

    name: ClassVar[str] = "epimc"
    title: ClassVar[str] = "EPIMC"
    needs: ClassVar[Needs] = Needs(at_most_players=2, constant_sum=True, nothing_hidden=False, something_hidden=True)

    postponed: int = parameter(
        3,
        at_least=1,
        unit="plies",
        help="So many plies are thought about with closed cards, the choice itself the first.",
    )
    iterations: int = parameter(200, at_least=1, help="Of CFR+ over them.")

    def answer(self, game: Game, asked: Asked, native: bool | None) -> HiddenResult:
        """Search from `state`, what the player sees who is to move."""
        limits, control = asked.limits, asked.control
        observation, player = self.asked(game, asked.state)
        if asked.watch is not None:
            raise Unsuitable(f"{self.name} can't be watched: it searches many worlds")
        solver = self.open_solver(game, asked, native, self.postponed)
        began = solver.make_ready(observation, player)
        small = SmallGame(game, self.postponed, solver)
        stream, reason = new_stream(self.seed), "simulations"
        roots: dict[Any, Node] = {}
        weights: dict[Any, float] = {}
        drawn, wanted = 0, self.simulations or WORLDS
        while drawn < wanted:
            with blaming_the_rules():
                world = coerce(draw_world(game, observation, player, stream))
                if world not in roots:
                    if solver.threads > 1:
                        solver.values(small.opened(world, self.postponed))
                    try:
                        roots[world] = small.grow(world, (NOTHING,) * game.players, self.postponed)
                    except OutOfTime:
                        reason = "stopped" if control is not None and control.stopped else "seconds"
                        break
            weights[world] = weights.get(world, 0.0) + 1.0
            drawn += 1
            if limits.nodes is not None and solver.nodes >= limits.nodes:
                reason = "nodes"
                break
        worlds = list(weights)
        small.learn(
            [roots[world] for world in worlds], [weights[world] / max(1, drawn) for world in worlds], self.iterations
        )
        return self.read(game, observation, player, small, [(roots[w], int(weights[w])) for w in worlds], reason, began)

    def read(
        self,
        game: Game,
        observation: Any,
        player: int,
        small: SmallGame,
        worlds: list[tuple[Node, int]],
        reason: str,
        began: float,
    ) -> HiddenResult:
        """The mix at the root, and what its actions are worth over the worlds."""
        actions = list(game.actions(observation))
        scores = {action: Score() for action in actions}
        for root, number in worlds:
            for action, child in zip(actions, root.children, strict=True):
                value = small.value(child, player)
                for _ in range(number):
                    scores[action].add(value)
        drawn = sum(number for _, number in worlds)
        nodes = small.nodes + small.solver.nodes
        found = self.result(game, observation, player, scores, drawn, nodes, reason, began)
        if not worlds:
            return found
        choices = worlds[0][0].choices
        assert choices is not None
        policy = dict(zip(actions, choices.mean(), strict=True))
        action = max(policy, key=lambda each: policy[each])
        value = sum(share * found.values[each] for each, share in policy.items())
        others = tuple(each for each in actions if each != action and policy[each] == policy[action])
        return replace(found, action=action, best=(action, *others), line=(action,), policy=policy, value=value)


__all__ = ["Epimc"]
