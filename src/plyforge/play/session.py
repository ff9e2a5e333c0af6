"""A game in progress, without a face: the terminal drives it, and so can a web page.

A session holds the start state and the turns taken since. It checks every action against the rules, takes turns back
and plays them again, and lets chance decide where chance is to move. Players may end it themselves: one resigns, or all
agree on a draw.

Invariant: `state` is the start state with the actions of `history` applied in order, and every one of them was legal
where it was taken.

Hidden information: the session is the referee, and has the true state alone. Until the game is over nobody else gets
it: `state`, `history` and the record raise WrongMoment, and players and faces ask for `observation(player)`.

Chance: the event at ply k is decided by the k-th number of the random stream that starts at `seed`. So the same seed
and the same actions give the same dice, a saved game goes on with the dice it would have had, and taking a
move back does not buy another throw.
"""

from __future__ import annotations

import copy
import secrets
from dataclasses import dataclass
from html import escape
from typing import Any

from plyforge.contract import (
    CHANCE,
    MAX,
    MIN,
    PUBLIC,
    SIMULTANEOUS,
    Game,
    defines,
    drawn_payoffs,
    format_action,
    legal_moves,
    parse_action,
    parse_state,
    payoffs,
)
from plyforge.errors import BadLimits, BadRules, IllegalAction, WrongMoment
from plyforge.games import load
from plyforge.grids.hooks import board_of, ways_of
from plyforge.kernel import new_stream, uniform
from plyforge.kernel.bits import GOLDEN

LARGEST_SEED = (1 << 64) - 1
SHOWN_ACTIONS = 40
"""How many legal actions an error lists before it says "and so many more"."""


@dataclass(frozen=True)
class Turn:
    """One action, and where it was taken."""

    state: Any
    """The state before the action."""
    action: Any
    """What was played; where chance moved, the outcome."""
    player: int
    """Who played it; CHANCE for dice and the like, SIMULTANEOUS where all chose at once."""


@dataclass(frozen=True)
class Event:
    """What chance decided; where parts of states are hidden, nothing of it: observations tell what may be known."""

    outcome: Any
    """One of the outcomes that the rules list."""
    probability: float
    """How likely it was."""
    text: str
    """The outcome as text."""


@dataclass(frozen=True)
class Outcome:
    """How a game ended."""

    winners: tuple[int, ...]
    """Whoever has the largest payoff; nobody after a draw, or where there is only one player."""
    utilities: tuple[float, ...] | None
    """What each player gets; None where the rules don't say (somebody of three resigned)."""
    reason: str
    """Why it ended, in words: "by the rules", "by repetition", "by agreement", "MIN resigned", "MIN ran out of
    time"."""
    resigned: int | None = None
    """Who gave up; None if nobody did."""

    @property
    def draw(self) -> bool:
        """True if several players got the same."""
        return not self.winners and self.utilities is not None and len(self.utilities) > 1

    def text(self, game: Game) -> str:
        """Who won, in words."""
        if self.draw:
            return "a draw"
        names = [player_name(game, player) for player in self.winners]
        if not names:
            return "the end" if self.resigned is None else self.reason
        if len(names) == 1:
            return f"{names[0]} wins"
        return f"{', '.join(names[:-1])} and {names[-1]} share the win"


def player_name(game: Game, player: int) -> str:
    """What to call a player: by the name that the rules give (`player_names`), and MAX or MIN where there are two."""
    if player == CHANCE:
        return "chance"
    if player == SIMULTANEOUS:
        return "everybody"
    role = {MAX: "MAX", MIN: "MIN"}[player] if game.players == 2 else f"player {player}"
    given = game.notation.player_names
    if player < len(given):
        return f"{given[player]} ({role})" if game.players == 2 else str(given[player])
    return "the player" if game.players == 1 else role


class GameSession:
    """A game in progress; see the module's text."""

    def __init__(self, game: Game | str, state: Any = None, seed: int | None = None) -> None:
        """Begin `game` (or what `load` takes) at `state`: a state, its text, or None for the start of the game.

        `seed` decides what chance does; None takes one at random.
        """
        game = load(game)
        if isinstance(state, str):
            state = parse_state(game, state)
        if seed is not None and not 0 <= seed <= LARGEST_SEED:
            raise BadLimits(f"seed is {seed}; it must be a whole number from 0 to 2**64 - 1")
        self.game = game
        self._hides = bool(game.hidden_information)
        self.start = game.start() if state is None else state
        self.seed = secrets.randbits(32) if seed is None else seed
        self.seats: tuple[str, ...] = ()
        """Who plays, as text, one for each player; empty where nobody said. Kept with the saved game."""
        self.resigned: int | None = None
        """Who gave up, or ran out of time; None if nobody did."""
        self.late = False
        """True if that was for want of time."""
        self.agreed = False
        """True if a draw was agreed."""
        self.drawn_from = 0
        """After fewer turns than this nobody claims a draw for what happened before; see `play_on`."""
        self._turns: list[Turn] = []
        self._undone: list[Turn] = []
        self._state = self.start

    def __repr__(self) -> str:
        return f"<{type(self.game).__name__} after {len(self._turns)} plies>"

    def _repr_html_(self) -> str:
        """What a notebook shows: the board with the last turn ringed, or the state as text, and whose turn it is."""
        state = self.observation(PUBLIC)
        board = board_of(self.game, state)
        last = self._turns[-1] if self._turns and not self.sealed else None
        ways = [] if last is None or last.player < 0 else ways_of(self.game, last.state, last.action)
        picture = (
            f"<pre>{escape(self.game.show(state))}</pre>" if board is None else board.to_svg(ways[0] if ways else ())
        )
        outcome, player = self.outcome, self.player
        says = outcome.text(self.game) if outcome is not None else ""
        if outcome is None and player is not None:
            says = f"{player_name(self.game, player)} to move"
        return f"<div>{picture}<p>{escape(says)}</p></div>"

    # ------------------------------------------------------------ how it stands
    @property
    def sealed(self) -> bool:
        """True while nobody but the session may have the state: parts are hidden, and the game is not over."""
        return self._hides and not self.over

    @property
    def state(self) -> Any:
        """The state now. Raises WrongMoment while it is sealed."""
        self._require_open()
        return self._state

    @property
    def history(self) -> tuple[Turn, ...]:
        """The turns taken so far, chance's among them. Raises WrongMoment while the state is sealed."""
        self._require_open()
        return tuple(self._turns)

    @property
    def states(self) -> list[Any]:
        """The states before this one, from the first on. Raises WrongMoment while the state is sealed."""
        self._require_open()
        return self._before()

    @property
    def ply(self) -> int:
        """How many turns were taken, chance's among them."""
        return len(self._turns)

    def observation(self, player: int) -> Any:
        """What `player` sees now, or PUBLIC: the state itself where nothing is hidden, and when the game is over."""
        return self.game.observe(self._state, player) if self.sealed else self._state

    def observations(self, player: int) -> list[Any]:
        """What `player` has seen before now, from the first on; where nothing is hidden, the states. A turn of
        somebody else that changed nothing for the player is not told."""
        if not self.sealed:
            return self._before()
        seen: list[Any] = []
        for number, turn in enumerate(self._turns):
            here = self.game.observe(turn.state, player)
            own = number > 0 and self._turns[number - 1].player in (player, SIMULTANEOUS)
            if not seen or own or here != seen[-1]:
                seen.append(here)
        return seen

    def view(self, player: int) -> list[tuple[Any, Any]]:
        """What `player` has seen so far, up to now, each with the own action that was taken there, None where others
        moved on. Of a game that is over, too, it is what was seen while it went on."""
        found: list[list[Any]] = []
        for turn in [*self._turns, None]:
            state = self._state if turn is None else turn.state
            here = self.game.observe(state, player) if self._hides else state
            if not found or found[-1][1] is not None or here != found[-1][0]:
                found.append([here, None])
            if turn is not None and turn.player in (player, SIMULTANEOUS):
                found[-1][1] = turn.action[player] if turn.player == SIMULTANEOUS else turn.action
        return [(here, action) for here, action in found]

    @property
    def seen(self) -> Any:
        """The state as who is to move sees it; as everybody does, where chance moves or all choose at once."""
        if not self.sealed:
            return self._state
        mover = int(self.game.player(self._state))
        return self.observation(mover if mover >= 0 else PUBLIC)

    def _before(self) -> list[Any]:
        return [turn.state for turn in self._turns]

    def _require_open(self) -> None:
        if self.sealed:
            raise WrongMoment(
                f"the state of {type(self.game).__name__} is hidden until the game is over, and so is what was played: "
                "observation(player) is what a player sees"
            )

    @property
    def over(self) -> bool:
        """True if the game has ended: by the rules, in a draw for what happened before, or by the players
        themselves."""
        return self.settled or bool(self.game.terminal(self._state)) or bool(self.drawn)

    @property
    def settled(self) -> bool:
        """True if the players have ended it themselves: somebody resigned or ran out of time, or a draw was agreed."""
        return self.resigned is not None or self.agreed

    @property
    def drawn(self) -> str:
        """Why the game is drawn for what happened before, such as "repetition"; "" if it is not, or nobody claims
        it."""
        if not defines(self.game.history, "draw_reason") or len(self._turns) < self.drawn_from:
            return ""
        return self.game.history.draw_reason(self.game, [*self._before(), self._state])

    @property
    def player(self) -> int | None:
        """Who moves: MAX, MIN, 2 ... or CHANCE, or SIMULTANEOUS; None when the game is over."""
        return None if self.over else int(self.game.player(self._state))

    @property
    def legal(self) -> list[Any]:
        """The actions allowed now (at a chance node: the outcomes, unless the state is sealed); none when the game is
        over."""
        if self.over or (self._hides and self.player == CHANCE):
            return []
        actions = legal_moves(self.game, self.seen)
        if not actions:
            raise BadRules(
                f"{type(self.game).__name__} has no action in {self.seen}, though it says that the game is not over. "
                "`plyforge check` says more about such rules"
            )
        return [action for action in actions if not self.forbidden(action)]

    def forbidden(self, action: Any) -> str:
        """Why an action that the state allows may not be taken for what happened before, such as superko; "" if it
        may."""
        if not defines(self.game.history, "forbidden"):
            return ""
        return self.game.history.forbidden(self.game, [*self._before(), self._state], action)

    @property
    def outcome(self) -> Outcome | None:
        """Who won, and why; None while the game goes on."""
        if self.resigned is not None:
            return _after_resigning(self.game, self.resigned, self.late)
        if self.agreed:
            return Outcome((), drawn_payoffs(self.game), "by agreement")
        if not self.over:
            return None
        if not self.game.terminal(self._state):
            return Outcome((), drawn_payoffs(self.game), f"by {self.drawn}")
        ends = payoffs(self.game, self.game.utility(self._state))
        utilities = tuple(end + paid for end, paid in zip(ends, self.paid, strict=True))
        return Outcome(_winners(utilities), utilities, "by the rules")

    @property
    def paid(self) -> tuple[float, ...]:
        """What the turns so far have brought each player on the way; nothing in games without rewards."""
        sums = [0.0] * self.game.players
        if self.game.has_rewards:
            for turn in self._turns:
                for player, reward in enumerate(self.game.rewards(turn.state, turn.action)):
                    sums[player] += reward
        return tuple(sums)

    @property
    def can_redo(self) -> bool:
        """True if a turn that was taken back can be played again."""
        return bool(self._undone)

    @property
    def undone(self) -> int:
        """How many turns that were taken back can be played again."""
        return len(self._undone)

    def copy(self) -> GameSession:
        """The same game at the same place, to be looked at while this one goes on."""
        other = copy.copy(self)
        other._turns, other._undone = list(self._turns), list(self._undone)
        return other

    # ------------------------------------------------------------ moving
    def play(self, action: Any) -> Any:
        """Take an action; the new state. Where chance is to move, an outcome may be given like an action."""
        if self.over:
            raise IllegalAction(f"{self._text(action)} can't be played: the game is over")
        if action not in legal_moves(self.game, self._state):
            raise IllegalAction(f"{self._text(action)} is not a legal action here; legal: {self.legal_text()}")
        why = self.forbidden(action)
        if why:
            raise IllegalAction(f"{self._text(action)} is forbidden: {why}")
        self._begin_branch()
        return self._advance(action)

    def play_text(self, text: str) -> Any:
        """Take the action that `text` names; the new state."""
        return self.play(self.read_action(text))

    def read_action(self, text: str) -> Any:
        """The legal action that `text` names. Raises IllegalAction or BadText."""
        if self.over:
            raise IllegalAction(f"{text!r} can't be played: the game is over")
        wanted = text.strip()
        named = (action for action in legal_moves(self.game, self._state) if self._text(action) == wanted)
        action = next(named, None)
        if action is None:
            given = self._state if self.player == CHANCE else self.seen
            action = parse_action(self.game, given, text)
        why = self.forbidden(action)  # asked of this one alone: to ask it of all can take long
        if why:
            raise IllegalAction(f"{wanted} is forbidden: {why}")
        return action

    def draw(self) -> Event:
        """Let chance decide, where it is to move."""
        if self.player != CHANCE:
            raise IllegalAction("chance is not to move here")
        # Splitmix64 adds a constant at each step, so its k-th number can be had at once.
        number = uniform(new_stream(self.seed + len(self._turns) * GOLDEN))
        passed = 0.0
        event = None
        for outcome, probability in self.game.chance(self._state):
            event = Event(outcome, float(probability), "" if self._hides else self._text(outcome))
            passed += probability
            if number < passed:
                break
        if event is None:
            raise BadRules(f"{type(self.game).__name__} lists no outcome of chance in {self.seen}")
        self._begin_branch()
        self._advance(event.outcome)
        return Event(None, 1.0, "") if self._hides else event

    def resign(self, player: int, late: bool = False) -> None:
        """`player` gives up, or has no time left (`late`), which ends the game."""
        if self.over:
            raise IllegalAction("nobody can resign: the game is over")
        if not 0 <= player < self.game.players:
            raise IllegalAction(f"there is no player {player}: players are 0 to {self.game.players - 1}")
        self.resigned, self.late = player, late

    def agree(self) -> None:
        """All players agree on a draw, which ends the game."""
        if self.over:
            raise IllegalAction("no draw can be agreed: the game is over")
        if self.game.players < 2:
            raise IllegalAction("no draw can be agreed: there is only one player")
        self.agreed = True

    def play_on(self) -> None:
        """Nobody claims the draw for what happened before, if there is one here: the game goes on. It is a draw
        again as soon as the rules say so of a later turn."""
        if self.drawn:
            self.drawn_from = len(self._turns) + 1

    def undo(self, n: int = 1) -> None:
        """Take back `n` turns. A resignation counts as one, and so does an agreed draw. Not where parts of states are
        hidden: what was seen can't be taken back."""
        if self._hides:
            raise IllegalAction("nothing is taken back where something is hidden: what was seen stays seen")
        there_are = len(self._turns) + self.settled
        if not 0 <= n <= there_are:
            raise IllegalAction(f"can't take back {n} turns: there are {there_are}")
        for _ in range(n):
            if self.settled:
                self.resigned, self.late, self.agreed = None, False, False
            else:
                turn = self._turns.pop()
                self._undone.append(turn)
                self._state = turn.state

    def redo(self, n: int = 1) -> None:
        """Play again `n` turns that were taken back."""
        if self.settled or not 0 <= n <= len(self._undone):
            raise IllegalAction(f"can't play {n} turns again: {len(self._undone)} were taken back")
        for _ in range(n):
            self._advance(self._undone.pop().action)

    def _begin_branch(self) -> None:
        """What was taken back is given up, with the draws in it that nobody claimed."""
        self._undone.clear()
        self.drawn_from = min(self.drawn_from, len(self._turns) + 1)

    def _advance(self, action: Any) -> Any:
        self._turns.append(Turn(self._state, action, int(self.game.player(self._state))))
        self._state = self.game.result(self._state, action)
        return self._state

    # ------------------------------------------------------------ text
    def _text(self, action: Any) -> str:
        try:
            return format_action(self.game, self.seen, action)
        except Exception:  # not an action of this game at all: it still has to be named in an error
            return repr(action)

    def legal_text(self, most: int = SHOWN_ACTIONS) -> str:
        """The legal actions in one line, at most so many of them."""
        actions = self.legal
        shown = ", ".join(self._text(action) for action in actions[:most])
        return f"{shown} and {len(actions) - most} more" if len(actions) > most else shown or "none"

    def actions_text(self) -> list[str]:
        """The actions so far as text, each written in the state where it was taken. Raises WrongMoment while the state
        is sealed."""
        self._require_open()
        return self.actions_to_keep()

    def actions_to_keep(self) -> list[str]:
        """The same for a file from which the game goes on. While the state is sealed, for that alone: it tells all."""
        return [format_action(self.game, turn.state, turn.action) for turn in self._turns]

    def to_json(self) -> dict[str, Any]:
        """The session as plain JSON values; see `plyforge.play.formats.record` for the format."""
        from plyforge.play.formats.record import Record

        return Record.of(self).to_json()

    @classmethod
    def from_json(cls, data: Any, game: Game | None = None) -> GameSession:
        """The session that `to_json` described, every action checked. Raises BadText."""
        from plyforge.play.formats.record import Record

        return Record.from_json(data).session(game)


def _winners(utilities: tuple[float, ...]) -> tuple[int, ...]:
    most = max(utilities)
    winners = tuple(player for player, utility in enumerate(utilities) if utility == most)
    return () if len(winners) == len(utilities) else winners


def _after_resigning(game: Game, player: int, late: bool) -> Outcome:
    """With two players the other one wins, as high as the rules allow; otherwise nobody is said to have won."""
    how = "ran out of time" if late else "gave up" if game.players == 1 else "resigned"
    reason = f"{player_name(game, player)} {how}"
    if game.players != 2:
        return Outcome((), None, reason, player)
    utilities: tuple[float, ...]
    if game.utility_sum is None:
        utilities = (game.min_utility, game.max_utility) if player == MAX else (game.max_utility, game.min_utility)
    else:
        utilities = payoffs(game, game.min_utility if player == MAX else game.max_utility)
    return Outcome((1 - player,), tuple(float(utility) for utility in utilities), reason, player)


__all__ = ["Event", "GameSession", "Outcome", "Turn", "player_name"]
