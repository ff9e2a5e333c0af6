"""The same game with its actions in another order: best first, worst first, or shuffled.

    game = reordered(game, "best", depth=4)        # then record(game, using="alpha_beta", depth=4)

How much alpha-beta cuts depends on the order in which it meets the actions, and on nothing else. Here the order is the
only thing that is changed: the algorithm, the values and the rules are those of the game. "Best" and "worst" are what a
search that cuts nothing says, within the same depth; actions that are worth the same stay in the order of the rules.
What chance does keeps its order.

A state remembers how many plies are still looked at, since that is what a child's value depends on. These games run
interpreted only.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from plyforge.board import Board
from plyforge.contract import MAX, BoardView, Game, Notation, format_action, format_state, parse_action, parse_state
from plyforge.contract.naming import as_state
from plyforge.errors import BadLimits, Unsuitable
from plyforge.games import load
from plyforge.grids.hooks import board_of
from plyforge.search import make_search
from plyforge.search.trace.recorder import record
from plyforge.search.trace.tree import count_nodes
from plyforge.teach.comparison import reference_search

ORDERS = ("given", "best", "worst", "shuffled")
MOST_NODES = 100_000
"""Up to this size a tree is searched whole, to know what comes first."""


class Standing(NamedTuple):
    """A state, and how far a search still looks from it."""

    state: Any
    left: int | None
    """Plies; None to the end of the game."""


class ReorderedNotation(Notation):
    """States and actions as text."""

    def agents(self, game: Reordered) -> int:
        return game.game.notation.agents(game.game)

    def format_state(self, game: Reordered, s: Standing) -> str:
        return format_state(game.game, s.state)

    def parse_state(self, game: Reordered, text: str) -> Standing:
        return game.standing(parse_state(game.game, text))

    def format_action(self, game: Reordered, s: Standing, action: Any) -> str:
        return format_action(game.game, s.state, action)

    def parse_action(self, game: Reordered, s: Standing, text: str) -> Any:
        return parse_action(game.game, s.state, text)


class ReorderedView(BoardView):
    """The picture to point at."""

    def board(self, game: Reordered, s: Standing) -> Board | None:
        return board_of(game.game, s.state)


@dataclass(frozen=True)
class Reordered(Game):
    """A game whose actions come in another order; `reordered` makes one."""

    view = ReorderedView()

    notation: Notation = field(init=False, compare=False, repr=False)
    game: Game
    order: str
    depth: int | None
    seed: int = 0
    values: dict[Any, Any] = field(default_factory=dict, repr=False, compare=False)
    """What each state is worth, with so many plies still to look."""
    worth_compiling = False

    def __post_init__(self) -> None:
        for name in ("players", "utility_sum", "min_utility", "max_utility"):
            object.__setattr__(self, name, getattr(self.game, name))
        object.__setattr__(self, "notation", ReorderedNotation(self.game.notation.player_names))

    @property
    def has_chance(self) -> bool:
        return self.game.has_chance

    def standing(self, state: Any) -> Standing:
        """A state of the game itself, as a root."""
        return Standing(state, self.depth)

    # ------------------------------------------------------------ the rules
    def start(self) -> Standing:
        return self.standing(self.game.start())

    def player(self, s: Standing) -> int:
        return self.game.player(s.state)

    def actions(self, s: Standing) -> Iterator[Any]:
        actions = list(self.game.actions(s.state))
        if self.order == "shuffled":
            draw = random.Random(f"{self.seed} {format_state(self.game, s.state)}")
            actions.sort(key=lambda action: draw.random())
        elif s.left != 0:
            actions.sort(key=lambda action: self.rank(s, action), reverse=True)
        yield from actions

    def rank(self, s: Standing, action: Any) -> float:
        """Large for what comes first."""
        value = self.values[self.result(s, action)]
        mover = self.game.player(s.state)
        good = value[mover] if isinstance(value, tuple) else value if mover == MAX else -value
        return float(good if self.order == "best" else -good)

    def chance(self, s: Standing) -> Iterator[tuple[Any, float]]:
        yield from self.game.chance(s.state)

    def result(self, s: Standing, action: Any) -> Standing:
        return Standing(self.game.result(s.state, action), None if s.left is None else s.left - 1)

    def terminal(self, s: Standing) -> bool:
        return self.game.terminal(s.state)

    def utility(self, s: Standing) -> Any:
        return self.game.utility(s.state)

    def evaluate(self, s: Standing) -> Any:
        return self.game.evaluate(s.state)

    # ------------------------------------------------------------ text and pictures

    def show(self, s: Standing) -> str:
        return self.game.show(s.state)


def reordered(
    game: Game | str, order: str, state: Any = None, using: str | None = None, depth: int | None = None, seed: int = 0
) -> Game:
    """The game with its actions in this order, for searches from `state` to `depth` with the algorithm `using`."""
    if order not in ORDERS:
        raise BadLimits(f"order is {order!r}; it must be one of {', '.join(ORDERS)}")
    game = load(game)
    if order == "given":
        return game
    values: dict[Any, Any] = {}
    if order != "shuffled":
        values = _values(game, as_state(game, state), using, depth)
    return Reordered(game, order, depth, seed, values)


def _values(game: Game, state: Any, using: str | None, depth: int | None) -> dict[Any, Any]:
    try:
        hash(state)
    except TypeError:
        raise Unsuitable(
            f"the states of {type(game).__name__} can't be told apart by hashing: shuffle instead"
        ) from None
    if count_nodes(game, state, depth, MOST_NODES) is None:
        raise Unsuitable(
            f"there are more than {MOST_NODES:,} nodes, too many to look at all to know which actions are best: look"
            " less deep, or shuffle"
        )
    plain = record(game, state, using=make_search(reference_search(game, using), game), depth=depth, limit=None)
    sign = _sign(game, plain.result.player)
    return {Standing(node.state, node.depth): sign(node.value) for node in plain.nodes()}


def _sign(game: Game, player: int | None) -> Any:
    """Values as MAX's, or tuples; expectimax in a game of several players knows one player's only."""
    if player in (None, MAX):
        return lambda value: value
    return lambda value: tuple(value if p == player else -value for p in range(game.players))
