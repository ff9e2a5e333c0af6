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
import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from plyforge.board import Board, Piece
from plyforge.errors import BadRules, BadText, IllegalAction
from plyforge.grids import found_board, found_text, found_ways
from plyforge.joint import count_joint, nth_joint
from plyforge.kernel import MAX_PLY, Constant, below, hash_state
from plyforge.kernel.buffer import ACTION_LIMIT
from plyforge.kernel.function import when_compiling
from plyforge.plain_text import format_value, loosely, parse_like, quoted, require_length

MOST_LISTED = 1 << 20
"""Actions of one state that are listed: more would fill the memory, and no search looks at so many."""

MAX, MIN, CHANCE, TOGETHER = 0, 1, -1, -2
"""Whose turn it is: `player(s)` is 0 for MAX, 1 for MIN, 2, 3 ... for further players, -1 for dice and the like, -2 if all choose at once."""


LONGEST_STATE, LONGEST_ACTION = 1 << 14, 1 << 13
"""Letters of texts that our own games read: a board of 100 by 100 fits."""
LONGEST_NAME = 1 << 16
"""Letters of an action's text in any game without a notation of its own."""


class Game(Constant):
    """Six functions that every game has, then what it may add. A whole game is in the text of `plyforge.game`."""

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
    total: float | None = 0.0
    """What the players' utilities add up to in every terminal state; None if that differs (not constant-sum)."""
    lowest: float = -1.0
    """No utility is below this."""
    highest: float = 1.0
    """No utility is above this."""
    player_names: tuple[str, ...] = ()
    """What people call the players: ("X", "O"). Empty: MAX and MIN, or their numbers."""
    most_actions: int = ACTION_LIMIT
    """No state has more actions than this. A small number keeps searches in the processor's nearest memory."""

    @property
    def agents(self) -> int:
        """How many move in one round, each once: what the lectures count as a depth of 1. More than `players` where a side moves several pieces in turn."""
        return self.players

    worth_compiling: bool = True
    """False: run interpreted unless asked otherwise (a tree of a dozen nodes)."""

    machine_words: bool = False
    """True: whole numbers are meant as machine words of 64 bits. The rules and the functions of their file are then compiled as they are written, without the checks that make compiled code give
    what Python gives: `1 << 70` wraps around, an index out of range is not noticed. It is up to the rules that nothing leaves 64 bits; `check` compares both speeds. Plyforge's own games mean it, and need not say it."""

    @property
    def has_chance(self) -> bool:
        """True if `player` may be CHANCE. By default: if the rules define `chance`."""
        return type(self).chance is not Game.chance

    @property
    def simultaneous(self) -> bool:
        """True if `player` may be TOGETHER. By default: if the rules define `choices`."""
        return type(self).choices is not Game.choices

    @property
    def has_rewards(self) -> bool:
        """True if actions bring payoffs on the way. By default: if the rules define `rewards`."""
        return type(self).rewards is not Game.rewards

    ends_when_stuck: bool = False
    """True: a state is terminal exactly if it has no action. `actions` and `count` may then be asked anywhere, and `terminal`, if it is the dearer one, not at all."""

    finished_games_count: bool = False
    """Perft only: True if the published counts of this game count a game that ended earlier as one sequence, not as none."""

    # ------------------------------------------------------------ the six functions
    def start(self) -> Any:
        """The state in which the game begins."""
        raise NotImplementedError(f"{type(self).__name__} has no start()")

    def player(self, s: Any) -> int:
        """Who moves: MAX, MIN, 2, 3 ... or CHANCE, or TOGETHER. Not asked in terminal states."""
        raise NotImplementedError(f"{type(self).__name__} has no player(s)")

    def actions(self, s: Any) -> Iterable[Any]:
        """The legal actions, each once, always in the same order. Not asked in terminal or chance states.

        Where all choose at once, the joint actions: tuples with one of `choices` for each player, all combinations, the last player's
        changing fastest. Rules with `choices` need not write this.
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
        """What a terminal state is worth to MAX; with three or more players, or `total` None, a tuple: to each."""
        raise NotImplementedError(f"{type(self).__name__} has no utility(s)")

    # ------------------------------------------------------------ what it may add
    def choices(self, s: Any, player: int) -> Iterable[Any]:
        """Where `player(s)` is TOGETHER: the actions that this player can choose from, at least one. Who has nothing to decide has one."""
        raise NotImplementedError(f"{type(self).__name__} has no choices(s, player)")

    def rewards(self, s: Any, action: Any) -> tuple[float, ...]:
        """What an action (or an outcome of chance) brings each player at once. In the end all of them and the utility add up.

        Where `total` is a number, they sum to 0; `lowest` and `highest` then bound the sum over a game, and `evaluate` what is still to come.
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

    def evaluate(self, s: Any) -> Any:
        """An estimate of the utility where a search stops looking. By default the middle of the bounds; with three or more players an equal share of `total`.

        With three or more players a single number is MAX's, and the others share the rest of `total`; where that is None, it is everybody's.
        """
        return no_opinion(self)

    # ------------------------------------------------------------ what a path costs, where one player moves alone
    @property
    def has_costs(self) -> bool:
        """True if the rules say what actions cost. Then path searches suit the game: A* and its kin."""
        return type(self).cost is not Game.cost

    def cost(self, s: Any, action: Any) -> float:
        """What it costs to take `action` in `s`, at least 0. A path is worth the utility of its end less what it cost.

        Path searches count it. All others go by the utilities of ends alone.
        """
        return 0.0

    def to_go(self, s: Any) -> float:
        """The heuristic h(s) of a path search: by how much the best path from `s` will stay below `highest`, at a guess. At least 0.

        That is what its actions cost, and what its end is worth less than `highest`. Not asked in terminal states.
        """
        return 0.0

    admissible: bool = True
    """`to_go` is never more than the truth, so that a path found with it is a best one. False: paths are good, not proven."""

    consistent: bool = False
    """True: no action lowers `to_go` by more than it costs. A* then looks at every state once."""

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
        """What a network is told of `s`: the numbers of the inputs that are not 0, each once, with their values. By default the features.

        As `viewer(s)` sees it, who calls "mine" what is theirs: a network then learns for both sides at once.
        """
        for number, value in enumerate(self.features(s)):
            yield number, value

    def viewer(self, s: Any) -> int:
        """MAX or MIN: from whose side `inputs` shows the state. By default always MAX."""
        return MAX

    levels: tuple[float, ...] = ()
    """All utilities that there are, from the lowest on, if they are few: a network then learns how likely each is. Empty: just `lowest` and `highest`, and means of them."""

    def stage(self, s: Any) -> float:
        """How far the game has come, from 0 to 1: features may count differently early and late."""
        return 0.0

    def count(self, s: Any) -> int:
        """How many actions there are."""
        number = 0
        for _ in self.actions(s):
            number += 1
        return number

    @property
    def has_sample(self) -> bool:
        """True if the rules draw a random action faster than by listing all of them."""
        return type(self).sample is not Game.sample

    def sample(self, s: Any, stream: Any) -> Any:
        """A random action, each equally likely. All that is random comes from `stream`, by `below(stream, n)`."""
        left = below(stream, self.count(s))
        for action in self.actions(s):
            chosen = action
            if left == 0:
                break
            left -= 1
        return chosen

    @property
    def has_rollout(self) -> bool:
        """True if the rules play a game to its end faster than state by state."""
        return type(self).rollout is not Game.rollout

    def rollout(self, s: Any, stream: Any, skilled: bool, log: Any, memory: Any, most_plies: int) -> Any:
        """Play on at random from `s`, which is not terminal, and return the utility at the end; after `most_plies` plies, an estimate of it.

        Who moves how is up to the rules: simply, or with `skilled` as well as they can without search. All that is random comes from `stream`;
        arrays to play on come from `kernel.scratch`. For each action whose place in the game matters to searches that learn from rollouts,
        `log.note(memory, player, action)` is called.
        """
        raise NotImplementedError(
            f"{type(self).__name__} has no rollout(s, stream, skilled, log, memory, most_plies)"
        )

    def promise(self, s: Any, action: Any) -> float:
        """How good `action` looks before it is searched: what to look at first. Never negative; only ratios matter."""
        return 1.0

    def manner(self, s: Any, action: Any) -> int:
        """What kind of action it is, from 0 to 511, in games that are `selective`: what follows well on what is remembered by kinds. In chess: which piece goes where."""
        return int(hash_state(action) & np.uint64(511))

    @property
    def has_noisy(self) -> bool:
        """True if the rules say which actions are too violent to stop before."""
        return type(self).noisy is not Game.noisy

    def noisy(self, s: Any) -> Iterable[Any]:
        """The actions that a search still follows at its depth limit, until nothing violent is left (quiescence)."""
        for action in self.actions(s):
            if s is None:
                yield action

    @property
    def has_gain(self) -> bool:
        """True if the rules say what an action wins at once."""
        return type(self).gain is not Game.gain

    def gain(self, s: Any, action: Any) -> float:
        """What `action` can win for its mover at once, at the most, on the scale of `evaluate`: noisy actions that win too little to matter are left out."""
        return float(self.highest - self.lowest)

    @property
    def has_risk(self) -> bool:
        """True if the rules say what an action may lose at once."""
        return type(self).risk is not Game.risk

    def risk(self, s: Any, action: Any) -> float:
        """What `action` loses for its mover at once if it is answered well, on the scale of `evaluate`, at least 0: selective searches leave out late actions that risk much."""
        return 0.0

    @property
    def has_bounds(self) -> bool:
        """True if the rules know bounds of what a state is worth."""
        return type(self).bounds is not Game.bounds or type(self).bounds_near is not Game.bounds_near

    def bounds(self, s: Any) -> tuple[float, float]:
        """Proven limits: what `s`, which is not terminal, is worth to MAX at least and at most. Searches cut with them."""
        return (float(self.lowest), float(self.highest))

    def bounds_near(self, s: Any, alpha: float, beta: float) -> tuple[float, float]:
        """`bounds` for a search that asks only whether the value is above alpha and below beta: what can't tell needn't be computed."""
        return self.bounds(s)

    @property
    def has_finish(self) -> bool:
        """True if the rules come with a search of their own for the end of the game."""
        return type(self).finish is not Game.finish

    def finishes(self, s: Any) -> bool:
        """True if the end is so near that `finish` is to be used. Not asked in terminal states."""
        return False

    def finish(self, s: Any, alpha: float, beta: float, tally: Any) -> float:
        """The value to MAX: exact if it is between alpha and beta; what is at most alpha is an upper bound, at least beta a lower one.

        The states that it looks at are added to `tally.nodes`.
        """
        raise NotImplementedError(f"{type(self).__name__} has no finish(s, alpha, beta, tally)")

    @property
    def has_candidates(self) -> bool:
        """True if the rules can tell actions that need no search."""
        return type(self).candidates is not Game.candidates

    def candidates(self, s: Any) -> Iterable[Any]:
        """Actions among which a best one is sure to be, at least one. The others are not searched, except at the root."""
        for action in self.actions(s):
            yield action

    @property
    def sees_ahead(self) -> bool:
        """True if the rules know values before the end of the game: how far away that is, searches then don't see."""
        return self.has_bounds or self.has_candidates or self.has_finish

    def plies_left(self, s: Any) -> int:
        """How many plies the game can still last at most. Solving is faster where this is known."""
        return MAX_PLY

    def by_distance(self) -> Game | None:
        """The same game with utilities that also tell how soon it ends: the same states, players, actions and ends. By default None: there is none.

        Its ends are in the order of this game's; of those that are worth the same here, one side's sooner wins are worth more to that side, and draws are worth the same. Where nothing but a proof is asked for,
        the engine then solves that game in place of this one, with all that its rules know (`bounds`, `candidates`, `plies_left`). Give the same object each time: what was compiled is found by it.
        """
        return None

    @property
    def has_symmetries(self) -> bool:
        """True if the rules name states that are the same but for a mirror or a turn of the board."""
        return type(self).symmetries is not Game.symmetries

    def symmetries(self, s: Any) -> Iterable[Any]:
        """States with the same value as `s`, for the same player to move: its mirror images. All of them, or none."""
        yield s

    selective: bool = False
    """True: searches may look less deep where actions look poor, deeper where there is no choice. Depth is no promise then."""

    @property
    def has_pass(self) -> bool:
        """True if the rules say what state would arise if the mover could pass."""
        return type(self).passed is not Game.passed

    def passed(self, s: Any) -> Any:
        """`s` as if the mover had passed: rules that have this say that passing is never better than the best action."""
        return s

    def may_pass(self, s: Any) -> bool:
        """False where passing could be better than any action after all (zugzwang), or would break the rules."""
        return True

    @property
    def has_turns(self) -> bool:
        """True if the rules say what state it would be if it were another player's turn."""
        return type(self).with_turn is not Game.with_turn

    def with_turn(self, s: Any, player: int) -> Any:
        """`s`, which is not terminal, as if it were the turn of `player`: whoever is between has passed. For searches that skip players (`best_reply`)."""
        return s

    @property
    def has_urgency(self) -> bool:
        """True if the rules can tell when a player is under a threat."""
        return type(self).urgent is not Game.urgent

    def urgent(self, s: Any) -> bool:
        """True if the mover has to answer a threat, as in check. Searches don't stand still there: `noisy` must give every action."""
        return False

    swing: float = 0.0
    """By how much an action that is not noisy seldom changes the estimate; selective searches leave out what would need more. 0: unknown."""

    @property
    def has_structure(self) -> bool:
        """True if the rules name what states have in common whose estimates err alike."""
        return type(self).structure is not Game.structure

    def structure(self, s: Any) -> Any:
        """A 64-bit hash of what lasts in `s`, as in chess the pawns: selective searches learn from what they find by how much estimates err with it."""
        return np.uint64(0)

    def key(self, s: Any) -> Any:
        """A 64-bit hash: equal states must have equal keys, different ones should have different keys."""
        return hash_state(s)

    key_leaves_out: tuple[str, ...] = ()
    """Fields of the state that `key` doesn't tell: neither actions nor values depend on them."""

    # ------------------------------------------------------------ endings by number, for databases of them
    @property
    def has_index(self) -> bool:
        """True if the rules number the states of the game's endings."""
        return type(self).index is not Game.index

    def slices(self, pieces: int) -> list[Any]:
        """The kinds of endings with up to `pieces` pieces, each a NamedTuple of ints. Actions lead into the same one or into earlier ones."""
        raise NotImplementedError(f"{type(self).__name__} has no slices(pieces)")

    def slice_size(self, kind: Any) -> int:
        """How many numbers a slice of that kind has."""
        raise NotImplementedError(f"{type(self).__name__} has no slice_size(kind)")

    def slice_code(self, kind: Any) -> int:
        """The small number by which compiled code knows the slice."""
        raise NotImplementedError(f"{type(self).__name__} has no slice_code(kind)")

    def format_slice(self, kind: Any) -> str:
        """The slice as a word that can be part of a file's name."""
        return "-".join(str(part) for part in kind)

    def canonical(self, s: Any) -> tuple[Any, bool]:
        """The state that stands for `s` in the index, and whether the players have changed sides in it."""
        return s, False

    def slice_of(self, s: Any) -> int:
        """The code of the slice of a canonical state; -1 if it is in none."""
        return -1

    def index(self, s: Any) -> int:
        """The number of a canonical state in its slice, from 0 on."""
        return -1

    def state_at(self, code: int, index: int) -> Any:
        """The state with that number. Where a number has none: a state that `index_valid` refuses."""
        raise NotImplementedError(f"{type(self).__name__} has no state_at(code, index)")

    def index_valid(self, s: Any) -> bool:
        """False for what `state_at` gives where a number has no state."""
        return True

    # Two facts that rules may declare for the checker (`plyforge check`) to hold them to. They say again, in the words
    # of the game, what `utility` and `result` compute: two ways to one fact seldom share a mistake.
    #   winner(s) -> int | None          the player who has won in a terminal state, None if nobody has
    #   moves_again(s, action) -> bool   True if whoever takes `action` moves next, too
    # A field of the state called `player` is taken to be who moves.

    # ------------------------------------------------------------ in play; never compiled
    draws: bool = True
    """False if no game can end in a draw: then none is offered in play."""
    repeats: bool = False
    """True if play can come back to a state. The engine and, where two play without luck, Monte Carlo trees then take coming back to one for a draw."""

    @property
    def return_draws(self) -> bool:
        """True if coming back to a state is a draw to simulations: two play, without luck, and nothing forbids it."""
        return self.repeats and not self.forbids_repeats and self.players == 2 and not self.has_chance

    @property
    def has_standstill(self) -> bool:
        """True if the rules can tell from a state alone that play is drawn there."""
        return type(self).drawn_here is not Game.drawn_here

    def drawn_here(self, s: Any) -> bool:
        """True if play ends in a draw here by a rule that needs nothing but the state, such as too many plies without progress. The state is not terminal
        for that: the engine and Monte Carlo searches take it for a draw, which proves nothing; searches by the book, counts of sequences, proofs and databases go on. Compiled."""
        return False

    def reversible(self, s: Any) -> int:
        """For so many plies back play may have been in this state before; earlier it can't have been. Compiled."""
        return 1 << 30

    def drawn(self, history: list[Any]) -> str:
        """Why play ends here in a draw for what happened before, such as "repetition"; "" if it goes on.

        `history` is every state of the game so far, this one included. A state doesn't know its past, so this is for referees. Searches are told by `repeats` and
        `drawn_here`; solvers go by the state alone.
        """
        return ""

    forbids_repeats: bool = False
    """True if no action may bring an earlier board back (superko): `forbidden` tells it in play, `board_key` to the engine."""

    def board_key(self, s: Any) -> Any:
        """A 64-bit hash of that which may not come back. An action that leaves it as it is, a pass, is allowed. Compiled."""
        return self.key(s)

    def forbidden(self, history: list[Any], action: Any) -> str:
        """Why an action of `actions` may not be taken for what happened before, such as Go's superko; "" if it may.

        `history` is every state of the game so far, the one to act in included. At least one action must be left. This, too, is for whoever plays.
        """
        return ""

    # ------------------------------------------------------------ text and pictures; never compiled
    steering: tuple[tuple[str, str], ...] = ()
    """Keys and the actions they stand for, as text: `(("up", "north"), ...)`. A game that is steered is shown as a moving picture, one state in place of the other."""

    def show(self, s: Any) -> str:
        """The state as a picture in text. By default the grid that is found in it (`plyforge.grids`), or the state as Python writes it."""
        drawn = found_text(self, s)
        return str(s) if drawn is None else drawn

    def board(self, s: Any) -> Board | None:
        """The state as a picture to point at: see `plyforge.board`. None: pages show `show`, and a button for each action.

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
        """What can be put on a place by who sets up a position by hand; a count of more than one means up to so many. Only where the text of a state does not show its board: there pages find out alone."""
        return ()

    def placed(self, pieces: Sequence[Piece], player: int) -> Any:
        """The state with just these pieces, in which `player` moves, or would after chance. Raises BadText. Asked where there is a `palette`."""
        raise NotImplementedError(f"{type(self).__name__} has a palette but no placed(pieces, player)")

    def format_state(self, s: Any) -> str:
        """The state as one line of text that `parse_state` reads back."""
        return self.format_default_state(s)

    def parse_state(self, text: str) -> Any:
        """The state that a line of text describes. Raises BadText."""
        return self.parse_default_state(text)

    def format_action(self, s: Any, action: Any) -> str:
        """An action as text, in the state where it is taken. A joint action: everybody's choice, with commas between."""
        if self.simultaneous and self.player(s) == TOGETHER:
            return ", ".join(self.format_choice(s, player, choice) for player, choice in enumerate(action))
        return format_value(action)

    def format_choice(self, s: Any, player: int, choice: Any) -> str:
        """What one player chooses where all choose at once, as text."""
        return format_value(choice)

    def parse_choice(self, s: Any, player: int, text: str) -> Any:
        """The choice of that player that `text` names, where all choose at once. Raises IllegalAction."""
        return _named(text, [(self.format_choice(s, player, each), each) for each in self.choices(s, player)])

    def parse_action(self, s: Any, text: str) -> Any:
        """The legal action that `text` names. Raises IllegalAction."""
        require_length(text, LONGEST_NAME, "action", IllegalAction)
        parts = text.split(",", self.players)
        if (
            self.simultaneous
            and len(parts) == self.players
            and not self.terminal(s)
            and self.player(s) == TOGETHER
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


def payoffs(game: Game, utility: Any) -> tuple[float, ...]:
    """A utility or an estimate as a tuple, one number for each player, whatever form the game gives it in. They add up to the total, where there is one."""
    if isinstance(utility, tuple):
        return tuple(float(part) for part in utility)
    if game.players == 2 and game.total is not None:
        return (float(utility), float(game.total - utility))
    if game.players > 2 and game.total is not None:
        rest = (float(game.total) - float(utility)) / (game.players - 1)
        return (float(utility), *(rest,) * (game.players - 1))
    return (float(utility),) * game.players


def no_opinion(game: Game) -> Any:
    """What is said of a state of which nothing is known: nobody is ahead, and what the players get adds up to the total."""
    if game.players > 2 and game.total is not None:
        return (float(game.total) / game.players,) * game.players
    return 0.5 * (game.lowest + game.highest)


def other_side(game: Game, value: float) -> float:
    """What is left for the opponent of whoever has `value`, in a constant-sum game of two."""
    return (game.total or 0.0) - value


def drawn_payoffs(game: Game) -> tuple[float, ...]:
    """What a draw in play brings each player: two have the middle of the bounds, several an equal share of the total."""
    if game.players > 2 and game.total is not None:
        return (game.total / game.players,) * game.players
    middle = 0.5 * (float(game.lowest) + float(game.highest))
    if not math.isfinite(middle):
        middle = 0.5 * (game.total or 0.0)
    if game.players == 2 and game.total is not None:
        return (middle, game.total - middle)
    return (middle,) * game.players


def worst_payoffs(game: Game) -> tuple[float, ...]:
    """Below anything that can happen, for each player."""
    return (-math.inf,) * game.players


@when_compiling
def _natively() -> None:
    from numba import types
    from numba.extending import overload

    def floats(items):
        """Only a name to overload."""

    @overload(floats)
    def _floats(items):
        if len(items) == 1:
            return lambda items: (float(items[0]),)
        return lambda items: (float(items[0]), *floats(items[1:]))

    @overload(other_side)
    def _other_side(game, value):
        total = float(game.instance.total or 0.0)
        return lambda game, value: total - value

    @overload(worst_payoffs)
    def _worst_payoffs(game):
        values = worst_payoffs(game.instance)
        return lambda game: values

    @overload(drawn_payoffs)
    def _drawn_payoffs(game):
        values = drawn_payoffs(game.instance)
        return lambda game: values

    @overload(no_opinion)
    def _no_opinion(game):
        value = no_opinion(game.instance)
        return lambda game: value

    @overload(payoffs)
    def _payoffs(game, utility):
        players, total = game.instance.players, game.instance.total
        if isinstance(utility, types.BaseTuple):
            return lambda game, utility: floats(utility)
        if players == 2 and total is not None:
            return lambda game, utility: (float(utility), float(total - utility))
        if players == 1:
            return lambda game, utility: (float(utility),)
        if total is not None:
            whole, number, others = float(total), players - 1, (0.0,) * (players - 1)
            return lambda game, utility: (
                float(utility),
                *_add_to_each(others, (whole - float(utility)) / number),
            )
        everyone = (0.0,) * players
        return lambda game, utility: _add_to_each(everyone, float(utility))

    def _add_to_each(items, amount):
        """Only a name to overload."""

    @overload(_add_to_each)
    def _native_add_to_each(items, amount):
        if len(items) == 1:
            return lambda items, amount: (items[0] + amount,)
        return lambda items, amount: (items[0] + amount, *_add_to_each(items[1:], amount))
