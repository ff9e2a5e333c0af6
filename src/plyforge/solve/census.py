"""Census: how big is a game? Its states, the nodes of its tree, its complete games by outcome.

Each distinct state is visited once, however often the tree holds it. The tree is then counted without being walked: in
an order in which every state comes before its successors, the number of ways to reach a state is the sum over its
predecessors. So tic-tac-toe's 549,946 nodes cost 5,478 visits, and trees far too large for any search are counted
exactly.

Claim: `nodes` and `outcomes` are what a walk of the whole tree would count, root included; the outcomes of chance are
branches like any action. Needs states that can be compared and hashed, and a game that can't come back to a
state: such a tree is infinite, and is refused.

Also here, for whoever needs every state: `reachable`, breadth first, and `post_order`, successors first.
"""

from __future__ import annotations

import math
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from plyforge.contract import CHANCE, MAX, Game, format_action, payoffs
from plyforge.contract.naming import as_state, name_of, text_of
from plyforge.errors import BadLimits, BadRules, PlyforgeError, Unsuitable
from plyforge.games import load
from plyforge.search.core.requirements import TWO_PLAYERS
from plyforge.search.running.control import Control
from plyforge.search.running.runner import Progress
from plyforge.solve.graph.distinct import require_distinct

STATE_LIMIT = 2_000_000
"""How many distinct states are held in memory unless more are allowed: about a gigabyte."""

Follow = Callable[[Any], Iterable[Any] | None]
"""Given a state where a player moves: the actions to go along, or None for all of them."""


@dataclass(frozen=True)
class Census:
    """The size of a game."""

    states: int
    """Distinct states, the first one and terminal ones among them."""
    terminal_states: int
    """Distinct states in which the game is over."""
    moves: int
    """Pairs of a distinct state and an action (or outcome) in it."""
    nodes: int
    """Nodes of the game tree, the root among them."""
    outcomes: dict[Any, int]
    """How many complete games end with each utility, best for MAX first: MAX's payoff, or a tuple with everyone's."""
    shortest: int
    """Plies of the shortest complete game."""
    longest: int
    """Plies of the longest complete game: the depth of the tree."""
    seconds: float
    """Wall-clock time of counting."""

    @property
    def games(self) -> int:
        """How many complete games there are: the leaves of the tree."""
        return sum(self.outcomes.values())

    @property
    def branching(self) -> float:
        """Actions per node of the tree that is not a leaf, on average; 0 for a tree that is one leaf."""
        inner = self.nodes - self.games
        return (self.nodes - 1) / inner if inner else 0.0

    def to_json(self) -> dict[str, Any]:
        """The fields as plain JSON values."""
        return {
            "states": self.states,
            "terminal_states": self.terminal_states,
            "moves": self.moves,
            "nodes": self.nodes,
            "games": self.games,
            "outcomes": [{"utility": utility, "games": games} for utility, games in self.outcomes.items()],
            "shortest": self.shortest,
            "longest": self.longest,
            "branching": self.branching,
            "seconds": self.seconds,
        }

    def __str__(self) -> str:
        ends = ", ".join(f"{games:,} end with {_short(utility)}" for utility, games in self.outcomes.items())
        return (
            f"{self.states:,} distinct states ({self.terminal_states:,} terminal); "
            f"tree of {self.nodes:,} nodes, {self.branching:.2f} actions each; "
            f"{self.games:,} games of {self.shortest} to {self.longest} plies: {ends}"
        )


def census(
    game: Game | str,
    state: Any = None,
    limit: int | None = STATE_LIMIT,
    on_progress: Callable[[Progress], None] | None = None,
) -> Census:
    """Count the game from `state`: a state, its text, or None for the start. More than `limit` states are refused."""
    game = load(game)
    began = time.perf_counter()
    index: dict[Any, int] = {}
    successors: list[tuple[int, ...]] = []
    utilities: dict[int, Any] = {}
    one_number = replace(TWO_PLAYERS, nothing_hidden=False).missing(game) is None
    for node in post_order(game, as_state(game, state), limit, on_progress):
        number = index[node.state] = len(successors)
        successors.append(tuple(index[successor] for successor in node.successors))
        if node.player is None:
            utility = utility_of(game, node.state)
            utilities[number] = utility[MAX] if one_number else utility

    # The root was finished last. Counting down, every state comes before its successors.
    size = len(successors)
    ways = [0] * (size - 1) + [1]
    shortest = [size] * (size - 1) + [0]
    longest = [0] * size
    for number in reversed(range(size)):
        for successor in successors[number]:
            ways[successor] += ways[number]
            shortest[successor] = min(shortest[successor], shortest[number] + 1)
            longest[successor] = max(longest[successor], longest[number] + 1)

    outcomes: dict[Any, int] = {}
    for number, utility in utilities.items():
        outcomes[utility] = outcomes.get(utility, 0) + ways[number]
    return Census(
        states=size,
        terminal_states=len(utilities),
        moves=sum(map(len, successors)),
        nodes=sum(ways),
        outcomes=dict(sorted(outcomes.items(), reverse=True)),
        shortest=min(shortest[number] for number in utilities),
        longest=max(longest[number] for number in utilities),
        seconds=time.perf_counter() - began,
    )


# ------------------------------------------------------------------ every state
class Node(NamedTuple):
    """A state and what leads out of it."""

    state: Any
    player: int | None
    """Who moves; None where the game is over."""
    actions: list[Any]
    """The actions that are followed, or all outcomes of chance."""
    chances: list[float]
    """The outcomes' probabilities; empty unless chance moves."""
    successors: list[Any]
    """The state after each action."""


def reachable(
    game: Game | str,
    state: Any = None,
    limit: int | None = STATE_LIMIT,
    on_progress: Callable[[Progress], None] | None = None,
    follow: Follow | None = None,
) -> Iterator[Any]:
    """Each distinct state that can arise, once, breadth first: in the order of the fewest plies that lead to it.

    Games that can come back to a state are fine here. `follow` restricts the actions of players.
    """
    game = load(game)
    tally = Tally(game, limit, on_progress)
    first = as_state(game, state)
    require_distinct(game, first)
    tally.add()
    seen = {first}
    waiting = deque(seen)
    while waiting:
        here = waiting.popleft()
        yield here
        for successor in expand(game, here, follow).successors:
            if successor not in seen:
                tally.add()
                seen.add(successor)
                waiting.append(successor)


def post_order(
    game: Game,
    state: Any,
    limit: int | None = STATE_LIMIT,
    on_progress: Callable[[Progress], None] | None = None,
    follow: Follow | None = None,
    control: Control | None = None,
) -> Iterator[Node]:
    """Each distinct state that can arise, once, after all of its successors; the given state comes last.

    Depth first, with a stack of its own: games of any length. A state that can come back raises Unsuitable. `control`
    ends it from another thread, with an error.
    """
    tally = Tally(game, limit, on_progress, control)
    tally.add()
    require_distinct(game, state)
    finished: set[Any] = set()
    path = [expand(game, state, follow)]
    taken = [0]  # how many actions of each node on the path have been taken; the last of them leads to the next node
    on_path = {state}
    while path:
        node = path[-1]
        while taken[-1] < len(node.successors):
            successor = node.successors[taken[-1]]
            taken[-1] += 1
            if successor in on_path:
                raise endless(game, path, taken, successor)
            if successor not in finished:
                tally.add()
                path.append(expand(game, successor, follow))
                taken.append(0)
                on_path.add(successor)
                break
        else:
            path.pop()
            taken.pop()
            on_path.remove(node.state)
            finished.add(node.state)
            yield node


def expand(game: Game, state: Any, follow: Follow | None = None) -> Node:
    """What leads out of one state."""
    try:
        if game.terminal(state):
            return Node(state, None, [], [], [])
        player = game.player(state)
        chances: list[float] = []
        if player == CHANCE:
            pairs = list(game.chance(state))
            actions = [outcome for outcome, _ in pairs]
            chances = [float(probability) for _, probability in pairs]
        else:
            chosen = None if follow is None else follow(state)
            actions = list(game.actions(state) if chosen is None else chosen)
        successors = [game.result(state, action) for action in actions]
    except PlyforgeError:
        raise
    except Exception as error:
        raise failed(game, state, error) from error
    if not actions:
        raise BadRules(f"{name_of(game)}: {text_of(game, state)} is not terminal, and has no actions")
    return Node(state, player, actions, chances, successors)


def utility_of(game: Game, state: Any) -> tuple[float, ...]:
    """What a terminal state is worth to each player."""
    try:
        utility = payoffs(game, game.utility(state))
    except PlyforgeError:
        raise
    except Exception as error:
        raise failed(game, state, error) from error
    if not all(map(math.isfinite, utility)):
        raise BadRules(f"{name_of(game)}: the utility of {text_of(game, state)} is {utility}, not finite")
    return utility


def failed(game: Game, state: Any, error: Exception) -> BadRules:
    """The rules raised something of their own."""
    return BadRules(f"{name_of(game)}: in {text_of(game, state)} the rules raised {type(error).__name__}: {error}")


class Tally:
    """Counts distinct states, holds them to the limit, and reports progress."""

    def __init__(
        self,
        game: Game,
        limit: int | None,
        on_progress: Callable[[Progress], None] | None,
        control: Control | None = None,
    ) -> None:
        if limit is not None and (not isinstance(limit, int) or isinstance(limit, bool) or limit < 1):
            raise BadLimits(
                f"limit is {limit!r}; it must be a whole number of states, at least 1, or None for no limit"
            )
        self.game = game
        self.limit = limit
        self.on_progress = on_progress
        self.control = control
        self.states = 0
        self.began = self.reported = time.perf_counter()

    def add(self) -> None:
        """One more state."""
        self.states += 1
        if self.limit is not None and self.states > self.limit:
            raise BadLimits(
                f"{name_of(self.game)} has more than {self.limit:,} distinct states, the limit: "
                "give a larger limit, or a state nearer to the end of the game"
            )
        if self.control is not None and self.control.stopped:
            raise PlyforgeError("it was stopped before it had an answer")
        if self.on_progress is not None and self.states % 512 == 0:
            now = time.perf_counter()
            if now - self.reported >= 0.25:
                self.reported = now
                self.on_progress(Progress(self.states, now - self.began))


def endless(game: Game, path: list[Node], taken: list[int], again: Any) -> PlyforgeError:
    """A state comes back: `taken` says how many actions of each node on the path have been taken."""
    first = next(i for i, node in enumerate(path) if node.state == again)
    loop = [
        format_action(game, node.state, node.actions[number - 1])
        for node, number in zip(path[first:], taken[first:], strict=True)
    ]
    shown = " ".join(loop[:20]) + (f" ... ({len(loop)} actions)" if len(loop) > 20 else "")
    return Unsuitable(
        f"{name_of(game)} can go on for ever: from {text_of(game, again)}, {shown} leads back to it. "
        "Enumeration and backward induction need a game that ends: count the plies in the state, "
        "or use a search with a depth"
    )


def _short(utility: Any) -> str:
    if isinstance(utility, tuple):
        return "(" + ", ".join(f"{part:g}" for part in utility) + ")"
    return f"{utility:g}"
