"""THE interface: a game is six functions.

    class Heap(NamedTuple):
        sticks: int
        player: int

    @dataclass(frozen=True)
    class Sticks(Game):
        '''Take one to three sticks; whoever takes the last one wins.'''
        sticks: int = 21

        def start(self):           return Heap(self.sticks, MAX)
        def player(self, s):       return s.player
        def actions(self, s):
            for n in range(1, min(3, s.sticks) + 1):
                yield n
        def result(self, s, n):    return Heap(s.sticks - n, 1 - s.player)
        def terminal(self, s):     return s.sticks == 0
        def utility(self, s):      return -1.0 if s.player == MAX else 1.0

From those six every algorithm works. States are immutable; NamedTuples of numbers compile to machine
code, any other object runs interpreted. Whoever moves is what `player` says: the same player may move
twice, and nothing anywhere assumes that turns alternate.

Values are always MAX's, that is player 0's, or a tuple with one number for each player. The laws that
rules must keep are in `plyforge.check`, which tests them on anyone's game.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterable, Sequence
from typing import Any

from plyforge.board import Board, Piece
from plyforge.contract.companion import Companion, defines
from plyforge.contract.heuristics import Heuristics
from plyforge.contract.history_rules import HistoryRules
from plyforge.contract.joint_actions import count_joint, nth_joint
from plyforge.contract.path_costs import PathCosts
from plyforge.contract.payoffs import no_opinion
from plyforge.contract.players import CHANCE, MAX, SIMULTANEOUS
from plyforge.contract.tablebase_index import TablebaseIndex
from plyforge.errors import BadRules, BadText, IllegalAction
from plyforge.grids import found_board, found_text, found_ways
from plyforge.kernel import Constant, below, hash_state
from plyforge.kernel.buffer import ACTION_LIMIT
from plyforge.plain_text import format_value, loosely, parse_like, quoted, require_length

MOST_LISTED = 1 << 20
"""Actions of one state that are listed: more would fill the memory, and no search looks at so many."""

LONGEST_STATE, LONGEST_ACTION = 1 << 14, 1 << 13
"""Letters of texts that our own games read: a board of 100 by 100 fits."""
LONGEST_NAME = 1 << 16
"""Letters of an action's text in any game without a notation of its own."""


class Game(Constant):
    """Six functions that every game has, then what it may add. A whole game is in the text of this file."""

    def __init_subclass__(cls, **more: Any) -> None:
        super().__init_subclass__(**more)
        if cls.__module__.startswith(
            "plyforge.games."
        ):  # in rules of one's own, notation may be of any length
            for name, longest in (("parse_state", LONGEST_STATE), ("parse_action", LONGEST_ACTION)):
                if name in vars(cls):
                    setattr(cls, name, _within(longest, vars(cls)[name]))

    # ------------------------------------------------------------ what the game is
    players: int = 2
    """How many players there are, chance not counted."""
    utility_sum: float | None = 0.0
    """What the players' utilities add up to in every terminal state; None if that differs (not constant-sum)."""
    min_utility: float = -1.0
    """No utility is below this."""
    max_utility: float = 1.0
    """No utility is above this."""
    player_names: tuple[str, ...] = ()
    """What people call the players: ("X", "O"). Empty: MAX and MIN, or their numbers."""
    max_actions: int = ACTION_LIMIT
    """No state has more actions than this. A small number keeps searches in the processor's nearest memory."""

    @property
    def agents(self) -> int:
        """How many move in one round, each once: what the lectures count as a depth of 1. More than `players` where
        a side moves several pieces in turn."""
        return self.players

    worth_compiling: bool = True
    """False: run interpreted unless asked otherwise (a tree of a dozen nodes)."""

    machine_words: bool = False
    """True: whole numbers are meant as machine words of 64 bits. The rules and the functions of their file are then
    compiled as they are written, without the checks that make compiled code give what Python gives: `1 << 70` wraps
    around, an index out of range is not noticed. It is up to the rules that nothing leaves 64 bits; `check` compares
    both speeds. Plyforge's own games mean it, and need not say it."""

    @property
    def has_chance(self) -> bool:
        """True if `player` may be CHANCE. By default: if the rules define `chance`."""
        return defines(self, "chance")

    @property
    def simultaneous(self) -> bool:
        """True if `player` may be SIMULTANEOUS. By default: if the rules define `legal_actions`."""
        return defines(self, "legal_actions")

    @property
    def has_rewards(self) -> bool:
        """True if actions bring payoffs on the way. By default: if the rules define `rewards`."""
        return defines(self, "rewards")

    @property
    def hidden_information(self) -> bool:
        """True if players don't see the whole state. By default: if the rules define `observe`."""
        return defines(self, "observe")

    finished_games_count: bool = False
    """Perft only: True if the published counts of this game count a game that ended earlier as one sequence, not as
    none."""

    # ------------------------------------------------------------ the six functions
    def start(self) -> Any:
        """The state in which the game begins."""
        raise NotImplementedError(f"{type(self).__name__} has no start()")

    def player(self, s: Any) -> int:
        """Who moves: MAX, MIN, 2, 3 ... or CHANCE, or SIMULTANEOUS. Not asked in terminal states."""
        raise NotImplementedError(f"{type(self).__name__} has no player(s)")

    def actions(self, s: Any) -> Iterable[Any]:
        """The legal actions, each once, always in the same order. Not asked in terminal or chance states.

        Where all choose at once, the joint actions: tuples with one of `legal_actions` for each player, all combinations, the
        last player's changing fastest. Rules with `legal_actions` need not write this.
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
        """What a terminal state is worth to MAX; with three or more players, or `utility_sum` None, a tuple: to each."""
        raise NotImplementedError(f"{type(self).__name__} has no utility(s)")

    # ------------------------------------------------------------ what it may add
    def legal_actions(self, s: Any, player: int) -> Iterable[Any]:
        """Where `player(s)` is SIMULTANEOUS: the actions that this player can choose from, at least one. Who has nothing
        to decide has one."""
        raise NotImplementedError(f"{type(self).__name__} has no legal_actions(s, player)")

    def rewards(self, s: Any, action: Any) -> tuple[float, ...]:
        """What an action (or an outcome of chance) brings each player at once. In the end all of them and the utility
        add up.

        Where `utility_sum` is a number, they sum to 0; `min_utility` and `max_utility` then bound the sum over a game, and `evaluate`
        what is still to come.
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

        With three or more players a single number is MAX's, and the others share the rest of `utility_sum`; where that is
        None, it is everybody's.
        """
        return no_opinion(self)

    # ------------------------------------------------------------ companions: what it may tell besides, each in a file of its own
    _companions: tuple[str, ...]
    """The names of those that follow."""
    heuristics: Heuristics = Heuristics()
    """What a search may know: move ordering, tactical moves, bounds, symmetries, a null move ..."""
    history: HistoryRules = HistoryRules()
    """What depends on the past: repetition, superko, draws by rule."""
    tablebase: TablebaseIndex = TablebaseIndex()
    """The states of endings by number, for endgame tablebases."""
    costs: PathCosts = PathCosts()
    """What a path costs, and h(s), where one player moves alone."""

    # ------------------------------------------------------------ what a weighted sum sees
    feature_names: tuple[str, ...] = ()
    """What `features` counts, by name. A weighted sum of them is an evaluation: `plyforge.evaluate.Linear`."""

    def features(self, s: Any) -> tuple[float, ...]:
        """One number for each of `feature_names`: what may matter for the value, seen from MAX."""
        return ()

    # ------------------------------------------------------------ what a network sees, for games of two sides
    @property
    def input_count(self) -> int:
        """How many inputs a network has. By default the features."""
        return len(self.feature_names)

    def inputs(self, s: Any) -> Iterable[tuple[int, float]]:
        """What a network is told of `s`: the numbers of the inputs that are not 0, each once, with their values. By
        default the features.

        As `viewer(s)` sees it, who calls "mine" what is theirs: a network then learns for both sides at once.
        """
        for number, value in enumerate(self.features(s)):
            yield number, value

    def viewer(self, s: Any) -> int:
        """MAX or MIN: from whose side `inputs` shows the state. By default always MAX."""
        return MAX

    levels: tuple[float, ...] = ()
    """All utilities that there are, from the lowest on, if they are few: a network then learns how likely each is.
    Empty: just `min_utility` and `max_utility`, and means of them."""

    def stage(self, s: Any) -> float:
        """How far the game has come, from 0 to 1: features may count differently early and late."""
        return 0.0

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

    # Two facts that rules may declare for the checker (`plyforge check`) to hold them to. They say again, in the words
    # of the game, what `utility` and `result` compute: two ways to one fact seldom share a mistake.
    #   winner(s) -> int | None          the player who has won in a terminal state, None if nobody has
    #   moves_again(s, action) -> bool   True if whoever takes `action` moves next, too
    # A field of the state called `player` is taken to be who moves.

    # ------------------------------------------------------------ text and pictures; never compiled
    steering: tuple[tuple[str, str], ...] = ()
    """Keys and the actions they stand for, as text: `(("up", "north"), ...)`. A game that is steered is shown as a
    moving picture, one state in place of the other."""

    def show(self, s: Any) -> str:
        """The state as a picture in text. By default the grid that is found in it (`plyforge.grids`), or the state
        as Python writes it."""
        drawn = found_text(self, s)
        return str(s) if drawn is None else drawn

    def board(self, s: Any) -> Board | None:
        """The state as a picture to point at: see `plyforge.board`. None: pages show `show`, and a button for each
        action.

        By default the grid that is found in the state, or in what `show` gives (`plyforge.grids`).
        """
        return found_board(self, s)

    def ways(self, s: Any, action: Any) -> Iterable[tuple[str, ...]]:
        """How a person may point at `action` on the board: names of places in order, each a way. None: a button.

        Actions with the same way are told apart by their text. Where all choose at once, pages ask `choice_ways`.
        By default, on a board that was found, the cells that the action names or changes.
        """
        if type(self).board is Game.board:
            yield from found_ways(self, s, action)

    def choice_ways(self, s: Any, player: int, choice: Any) -> Iterable[tuple[str, ...]]:
        """The same for what one player chooses where all choose at once."""
        yield from ()

    def palette(self, place: str) -> Sequence[Piece]:
        """What can be put on a place by who sets up a position by hand; a count of more than one means up to so
        many. Only where the text of a state does not show its board: there pages find out alone."""
        return ()

    def placed(self, pieces: Sequence[Piece], player: int) -> Any:
        """The state with just these pieces, in which `player` moves, or would after chance. Raises BadText. Asked
        where there is a `palette`."""
        raise NotImplementedError(f"{type(self).__name__} has a palette but no placed(pieces, player)")

    def format_state(self, s: Any) -> str:
        """The state as one line of text that `parse_state` reads back."""
        return self.format_default_state(s)

    def parse_state(self, text: str) -> Any:
        """The state that a line of text describes. Raises BadText."""
        return self.parse_default_state(text)

    def format_action(self, s: Any, action: Any) -> str:
        """An action as text, in the state where it is taken. A joint action: everybody's choice, with commas
        between."""
        if self.simultaneous and self.player(s) == SIMULTANEOUS:
            return ", ".join(self.format_choice(s, player, choice) for player, choice in enumerate(action))
        return format_value(action)

    def format_choice(self, s: Any, player: int, choice: Any) -> str:
        """What one player chooses where all choose at once, as text."""
        return format_value(choice)

    def parse_choice(self, s: Any, player: int, text: str) -> Any:
        """The choice of that player that `text` names, where all choose at once. Raises IllegalAction."""
        return _named(
            text, [(self.format_choice(s, player, each), each) for each in self.legal_actions(s, player)]
        )

    def parse_action(self, s: Any, text: str) -> Any:
        """The legal action that `text` names. Raises IllegalAction."""
        require_length(text, LONGEST_NAME, "action", IllegalAction)
        parts = text.split(",", self.players)
        if (
            self.simultaneous
            and len(parts) == self.players
            and not self.terminal(s)
            and self.player(s) == SIMULTANEOUS
        ):
            return tuple(self.parse_choice(s, player, part) for player, part in enumerate(parts))
        return _named(text, [(self.format_action(s, action), action) for action in self.legal(s)])

    # ------------------------------------------------------------ conveniences; not to be overridden
    def legal(self, s: Any) -> list[Any]:
        """All actions (at a chance node: all outcomes); none in a terminal state."""
        if self.terminal(s):
            return []
        if self.player(s) == CHANCE:
            return [outcome for outcome, _ in self.chance(s)]
        listed = list(itertools.islice(self.actions(s), MOST_LISTED + 1))
        if len(listed) > MOST_LISTED:
            raise BadRules(
                f"{type(self).__name__} has a state with more than {MOST_LISTED:,} actions: too many to list"
            )
        return listed

    def play(self, *texts: str, state: Any = None) -> Any:
        """The state after actions given as text, from `state` or the start."""
        s = self.start() if state is None else state
        for text in texts:
            s = self.result(s, self.parse_action(s, text))
        return s

    def format_default_state(self, s: Any) -> str:
        """A tuple of numbers and tuples as text: `(3, (1, 0), 1)`."""
        return format_value(s)

    def parse_default_state(self, text: str) -> Any:
        """Read what `format_default_state` wrote, with the types of the start state."""
        return parse_like(self.start(), text)


def _within(longest: int, parse: Any) -> Any:
    """`parse_state` or `parse_action`, for texts of at most so many letters."""

    @functools.wraps(parse)
    def bounded(self: Any, *given: Any) -> Any:
        is_state = parse.__name__ == "parse_state"
        require_length(
            given[-1], longest, "state" if is_state else "action", BadText if is_state else IllegalAction
        )
        return parse(self, *given)

    return bounded


def _named(text: str, legal: list[tuple[str, Any]]) -> Any:
    """The action with that name; upper and lower case, blanks, commas and parentheses count only where they have to."""
    wanted = text.strip()
    for name, action in legal:
        if name == wanted:
            return action
    for name, action in legal:
        if name.lower() == wanted.lower():
            return action
    words = loosely(wanted)
    meant = [action for name, action in legal if loosely(name) == words]
    if len(meant) == 1 and words:
        return meant[0]
    shown = ", ".join(name for name, _ in legal[:40]) or "none: the game is over"
    more = f" and {len(legal) - 40} more" if len(legal) > 40 else ""
    raise IllegalAction(f"{quoted(wanted)} is not a legal action here; legal: {shown}{more}")


Game._companions = tuple(name for name, value in vars(Game).items() if isinstance(value, Companion))
