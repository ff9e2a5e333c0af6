"""THE interface: `Game`. Six functions that every game has, a few facts, what it may add, and its companions."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from plyforge.contract.companions.board_view import BoardView
from plyforge.contract.companions.companion import Companion
from plyforge.contract.companions.encoding import Encoding
from plyforge.contract.companions.heuristics import Heuristics
from plyforge.contract.companions.history_rules import HistoryRules
from plyforge.contract.companions.notation import Notation
from plyforge.contract.companions.path_costs import PathCosts
from plyforge.contract.companions.tablebase_index import TablebaseIndex
from plyforge.contract.joint_actions import count_joint, nth_joint
from plyforge.contract.payoffs import no_opinion
from plyforge.contract.traits import Traits
from plyforge.grids import found_text
from plyforge.kernel import below, hash_state
from plyforge.kernel.storage.buffer import ACTION_LIMIT


class Game(Traits):
    """A game is six functions. A whole one:

        class Heap(NamedTuple):
            sticks: int
            player: int

        @dataclass(frozen=True)
        class Sticks(Game):
            '''Take one to three sticks; whoever takes the last one wins.'''

            sticks: int = 21

            def start(self):           return Heap(self.sticks, MAX)
            def player(self, s):       return s.player
            def actions(self, s):      return range(1, min(3, s.sticks) + 1)
            def result(self, s, n):    return Heap(s.sticks - n, 1 - s.player)
            def terminal(self, s):     return s.sticks == 0
            def utility(self, s):      return -1.0 if s.player == MAX else 1.0

    From those every algorithm works. States are never changed: `result` makes a new one. A state is any value that can
    be compared and hashed; NamedTuples of numbers and tuples compile to machine code, other objects run interpreted.
    Whoever moves is what `player` says: the same player may move twice. Values are MAX's, that is player 0's, or a
    tuple with one number for each player. Points instead of won and lost? Say `min_utility` and `max_utility`.

    Dice: where they are rolled, `player(s)` is CHANCE, and `chance(s)` gives each outcome with its probability;
    `result` takes an outcome as it takes an action.

    `plyforge check my_game.py` tells whether rules are lawful. What a class needs not say is below, each with a
    default.
    """

    # ------------------------------------------------------------ what the game is
    players: int = 2
    """How many players there are, chance not counted."""
    utility_sum: float | None = 0.0
    """What the players' utilities add up to in every terminal state; None if that differs (not constant-sum)."""
    min_utility: float = -1.0
    """No utility is below this."""
    max_utility: float = 1.0
    """No utility is above this."""
    max_actions: int = ACTION_LIMIT
    """No state has more actions than this. A small number keeps searches in the processor's nearest memory."""

    # ------------------------------------------------------------ the six functions
    def start(self) -> Any:
        """The state in which the game begins."""
        raise NotImplementedError(f"{type(self).__name__} has no start()")

    def player(self, s: Any) -> int:
        """Who moves: MAX, MIN, 2, 3 ... or CHANCE, or SIMULTANEOUS. Not asked in terminal states."""
        raise NotImplementedError(f"{type(self).__name__} has no player(s)")

    def actions(self, s: Any) -> Iterable[Any]:
        """The legal actions, each once, always in the same order. Not asked in terminal or chance states.

        Where all choose at once, the joint actions: tuples with one of `legal_actions` for each player, all
        combinations, the last player's changing fastest. Rules with `legal_actions` need not write this.
        """
        for number in range(count_joint(self, s)):
            yield nth_joint(self, s, number)

    def result(self, s: Any, action: Any) -> Any:
        """The state after `action`; `s` itself must not change."""
        raise NotImplementedError(f"{type(self).__name__} has no result(s, action)")

    def terminal(self, s: Any) -> bool:
        """True if the game is over."""
        raise NotImplementedError(f"{type(self).__name__} has no terminal(s)")

    def utility(self, s: Any) -> Any:
        """What a terminal state is worth to MAX; with three or more players, or `utility_sum` None, a tuple: to
        each."""
        raise NotImplementedError(f"{type(self).__name__} has no utility(s)")

    # ------------------------------------------------------------ what it may add
    def legal_actions(self, s: Any, player: int) -> Iterable[Any]:
        """Where `player(s)` is SIMULTANEOUS: the actions that this player can choose from, at least one. Who has
        nothing to decide has one."""
        raise NotImplementedError(f"{type(self).__name__} has no legal_actions(s, player)")

    def rewards(self, s: Any, action: Any) -> tuple[float, ...]:
        """What an action (or an outcome of chance) brings each player at once. In the end all of them and the utility
        add up.

        Where `utility_sum` is a number, they sum to 0; `min_utility` and `max_utility` then bound the sum over a game,
        and `evaluate` what is still to come.
        """
        raise NotImplementedError(f"{type(self).__name__} has no rewards(s, action)")

    def chance(self, s: Any) -> Iterable[tuple[Any, float]]:
        """Where CHANCE moves: each outcome with its probability.

        By default the actions, equally likely; rules that want just that say so with `has_chance = True`.
        """
        number = 0
        for _ in self.actions(s):
            number += 1
        for action in self.actions(s):
            yield action, 1.0 / number

    def observe(self, s: Any, player: int) -> Any:
        """Hidden information: what `player` sees in `s`, a state of the same type with a mark where something is
        hidden; for PUBLIC, what everybody sees. What players remember is derived (`contract/information.py`)."""
        return s

    def determinize(self, observation: Any, player: int, stream: Any) -> Any:
        """A state that looks so to `player`, the hidden parts drawn as chance draws them. All that is random comes
        from `stream`. The true state is never given, so it can't leak."""
        raise NotImplementedError(f"{type(self).__name__} has no determinize(observation, player, stream)")

    def evaluate(self, s: Any) -> Any:
        """An estimate of the utility where a search stops looking. By default the middle of the bounds; with three or
        more players an equal share of `utility_sum`.

        With three or more players a single number is MAX's, and the others share the rest of `utility_sum`; where that
        is None, it is everybody's.
        """
        return no_opinion(self)

    # ------------------------------------------------------------ companions, each in a file of its own
    _companions: tuple[str, ...]
    """The names of those that follow."""
    heuristics: Heuristics = Heuristics()
    """What a search may know: move ordering, tactical moves, bounds, symmetries, a null move ..."""
    history: HistoryRules = HistoryRules()
    """What depends on the past: repetition, superko, draws by rule."""
    tablebase: TablebaseIndex = TablebaseIndex()
    """The states of endings by number, for endgame tablebases."""
    notation: Notation = Notation()
    """Text of states and actions, and the names of players."""
    view: BoardView = BoardView()
    """A picture to point at."""
    costs: PathCosts = PathCosts()
    """What a path costs, and h(s), where one player moves alone."""
    encoding: Encoding = Encoding()
    """What evaluations see of a state: named features, the game phase, inputs of a network."""

    # ------------------------------------------------------------ what searches like to have quicker
    def count(self, s: Any) -> int:
        """How many actions there are."""
        number = 0
        for _ in self.actions(s):
            number += 1
        return number

    def sample(self, s: Any, stream: Any) -> Any:
        """A random action, each equally likely. All that is random comes from `stream`, by `below(stream, n)`."""
        left = below(stream, self.count(s))
        for action in self.actions(s):
            chosen = action
            if left == 0:
                break
            left -= 1
        return chosen

    def key(self, s: Any) -> Any:
        """A 64-bit hash: equal states must have equal keys, different ones should have different keys."""
        return hash_state(s)

    def show(self, s: Any) -> str:
        """The state as a picture in text. Never compiled. By default the grid that is found in it
        (`plyforge.grids`), or the state as Python writes it."""
        drawn = found_text(self, s)
        return str(s) if drawn is None else drawn


Game._companions = tuple(name for name, value in vars(Game).items() if isinstance(value, Companion))
