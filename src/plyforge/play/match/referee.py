"""One game between two players or many: the referee keeps the clocks and the rules, and says how it ended.

Invariants:
- Every action that counts was legal where it was taken, by the rules themselves, and not forbidden by
  `game.history.forbidden` for the game's past.
- Time runs only while a player chooses: not while rules are compiled, programs started, other actions told, or dice
  rolled.
- A move that comes later than its limit plus the tolerance loses the game; so do an illegal action, a crash, a stall
  (no answer at all: the player is stopped) and an answer that is none. These are forfeits, and kept apart from results
  on the board: see `FORFEITS`.
- Play without end is a draw: as soon as `game.history.draw_reason` says so, or at the limit of plies.
- Who resigns has lost. A draw is agreed where one player offers it with a move and the other accepts it at its next
  one, before it moves; or, where a match asks for that, by what both say that they expect (`adjudication.py`).
- Where something is hidden, a player is given its observations, and told nothing else; what was played is on record
  when the game is over. Where all choose at once, each is asked for its own choice, and hears of the others' after.

Dice are rolled by the referee, from the game's seed: see `GameSession.draw`.
"""

from __future__ import annotations

import contextlib
import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from plyforge.contract import CHANCE, SIMULTANEOUS, Game, format_action, legal_moves
from plyforge.errors import BadLimits
from plyforge.kernel import mix
from plyforge.play.match.adjudication import Adjudication, Adjudicator
from plyforge.play.match.draw_offers import can_agree
from plyforge.play.match.openings import Opening
from plyforge.play.match.played import AGREED, BY_THE_RULES, OUT_OF_PLIES, RESIGNED, PlayedGame
from plyforge.play.players.player import Budget, Choice, Forfeit, Player, Resigned
from plyforge.play.session import GameSession
from plyforge.search import Clock

PLIES_LIMIT = 1000
"""Plies, dice counted, after which a game is drawn."""
TOLERANCE = 0.25
"""Seconds that a move may come late: for starting and stopping a search, and for sending the move on a busy machine."""
PATIENCE = 10.0
"""Seconds after its time is up in which a player may still answer, and lose on time; after that it has stalled."""
PATIENCE_UNTIMED = 600.0
"""The same for a player without a time limit, from the beginning of its move."""
LONGEST_MESSAGE = 500


@dataclass(frozen=True)
class TimeRules:
    """What the referee allows."""

    seconds: float | None = None
    """For each move of a player with no limits of its own."""
    clock: Clock | None = None
    """Or for all its moves."""
    tolerance: float = TOLERANCE
    """A move may be late by this much."""
    patience: float | None = None
    """See PATIENCE and PATIENCE_UNTIMED, which hold where this is None."""
    plies_limit: int = PLIES_LIMIT
    """See PLIES_LIMIT."""
    adjudication: Adjudication | None = None
    """When it ends a game by what players expect; None: never."""

    def __post_init__(self) -> None:
        if self.seconds is not None and self.clock is not None:
            raise BadLimits("give seconds for each move or a clock for all of them, not both")
        for name in ("seconds", "tolerance", "patience"):
            value = getattr(self, name)
            if value is not None and not (0 <= value < math.inf if name == "tolerance" else 0 < value < math.inf):
                raise BadLimits(f"{name} is {value!r}; it must be a positive number of seconds")
        if self.plies_limit < 1:
            raise BadLimits(f"the limit of plies is {self.plies_limit}; it must be at least 1")


@dataclass
class Watch:
    """The time of one player in one game."""

    rules: TimeRules
    limited: bool
    """True if the player has limits of its own."""
    own_seconds: float | None
    """Its own time for a move."""
    remaining: float = field(init=False, default=math.inf)
    """Seconds on its clock."""
    moves: int = field(init=False, default=0)
    """Moves it has made."""

    def __post_init__(self) -> None:
        if self.clock is not None:
            self.remaining = self.clock.remaining

    @property
    def clock(self) -> Clock | None:
        return None if self.limited else self.rules.clock

    @property
    def seconds(self) -> float | None:
        """For one move."""
        return self.own_seconds if self.limited else self.rules.seconds

    @property
    def limit(self) -> float | None:
        """When the next move has to be there; None: whenever."""
        return self.remaining if self.clock is not None else self.seconds

    def budget(self, offered: bool = False) -> Budget:
        """For the next move; `offered` if there is the offer of a draw to answer."""
        limit, patience = self.limit, self.rules.patience
        if limit is None:
            return Budget(patience=PATIENCE_UNTIMED if patience is None else patience, draw_offered=offered)
        patience = limit + self.rules.tolerance + (PATIENCE if patience is None else patience)
        if self.clock is None:
            return Budget(seconds=limit, patience=patience, draw_offered=offered)
        to_go = self.clock.moves_to_go
        left = None if to_go is None else to_go - self.moves % to_go
        clock = Clock(self.remaining, self.clock.increment, left)
        return Budget(clock=clock, patience=patience, draw_offered=offered)

    def spend(self, used: float) -> float:
        """A move took so long; how much later than its limit it came (negative: how much earlier)."""
        self.moves += 1
        if self.limit is None:
            return -math.inf
        late = used - self.limit
        if self.clock is not None:
            # what the tolerance forgave is not owed: the next move begins with something on the clock
            self.remaining = max(self.remaining - used, 1e-3) + self.clock.increment
            if self.clock.moves_to_go is not None and self.moves % self.clock.moves_to_go == 0:
                self.remaining += self.clock.remaining
        return late


@dataclass(frozen=True)
class Turn:
    """What the referee says before it waits for a player, so that whoever watches the process can end it."""

    player: str
    """The name of a player: "A" or "B" in a match."""
    patience: float
    """Seconds in which something has to happen."""


@dataclass(frozen=True)
class Ending:
    """How a game of any number of players has ended."""

    winners: tuple[int, ...]
    """Seats; nobody after a draw, and after a forfeit."""
    reason: str
    utilities: tuple[float, ...] | None = None
    """By the rules, by seat; None where they don't say."""
    forfeited: int | None = None
    """The seat of who lost otherwise than by play."""
    message: str = ""
    """What happened then."""


class Referee:
    """Runs one game between players, one for each seat: of two in a match, or of any number."""

    def __init__(
        self,
        game: Game,
        players: Sequence[Player],
        rules: TimeRules,
        on_turn: Callable[[Turn], object] = lambda turn: None,
        on_action: Callable[[str, float | None], object] = lambda text, seconds: None,
        names: Sequence[str] = "AB",
    ) -> None:
        """`players` have these names. The callbacks are told before a player is asked, and after every action: of a
        game in which something is hidden, that there was one."""
        self.game, self.rules = game, rules
        self.players = dict(zip(names, players, strict=True))
        self.on_turn, self.on_action = on_turn, on_action

    def play(self, number: int, first: str, opening: Opening, seed: int) -> PlayedGame:
        """Play a game of a match to its end, which has two seats."""
        seats = (first, "B" if first == "A" else "A")
        end = self.run(seats, opening, seed, [int(mix(mix(seed, number), "AB".index(name))) for name in seats])
        lost = None if end.forfeited is None else seats[end.forfeited]
        return PlayedGame(
            number=number,
            first=first,
            seed=seed,
            start=opening.start,
            opening=len(opening.actions),
            actions=tuple(self.actions),
            seconds=tuple(self.seconds),
            winner=None if lost is not None else seats[end.winners[0]] if end.winners else "draw",
            reason=end.reason,
            utilities=end.utilities,
            forfeited=lost,
            message=end.message,
            late=(_rounded(self.late["A"]), _rounded(self.late["B"])),
            used=(round(self.used["A"], 6), round(self.used["B"], 6)),
            moves=(self.moves["A"], self.moves["B"]),
            thoughts=tuple(self.thoughts),
        )

    def run(self, seats: Sequence[str], opening: Opening, seed: int, own_seeds: Sequence[int]) -> Ending:
        """Play a game to its end: who sits where, where it begins, its dice, and what each seat draws from."""
        self.seats = tuple(seats)
        self.session = GameSession(self.game, opening.start, seed)
        self.hides = bool(self.game.hidden_information)
        self.actions: list[str] = []
        self.seconds: list[float | None] = []
        self.thoughts: list[dict[str, float] | None] = []
        self.watches = {
            name: Watch(self.rules, self.players[name].limited, self.players[name].seconds) for name in seats
        }
        self.late = dict.fromkeys(seats, -math.inf)
        self.used = dict.fromkeys(seats, 0.0)
        self.moves = dict.fromkeys(seats, 0)
        self._blamed = 0
        self._offered = False
        """True if the player who moved last has offered a draw."""
        self._agreeable = can_agree(self.game)
        rule = self.rules.adjudication
        self._adjudicator = None if rule is None else Adjudicator(self.game, rule)
        try:
            end = self._play(opening, own_seeds)
        except Forfeit as forfeit:
            message = " ".join(str(forfeit).split())[:LONGEST_MESSAGE]
            end = Ending((), forfeit.kind, forfeited=self._blamed, message=message)
        except Resigned:
            others = tuple(seat for seat in range(len(self.seats)) if seat != self._blamed)
            end = Ending(others if len(others) == 1 else (), RESIGNED)
        if self.hides:
            if self.session.sealed:  # it has ended otherwise than by the rules: nothing is hidden any more
                self.session.resign(self._blamed)
            self.actions = self.session.actions_text()
        return end

    def _play(self, opening: Opening, own_seeds: Sequence[int]) -> Ending:
        session = self.session
        start = None if opening.start is None else session.start
        for seat, name in self._each():
            self.on_turn(Turn(name, PATIENCE_UNTIMED))
            self.players[name].new_game(seat, start, own_seeds[seat])
        self._opening = len(opening.actions)
        for text in opening.actions:
            action = session.read_action(text)
            state, player = session.state, session.player
            self._take(action, None)
            self._tell(state, action, player)
        while (end := self._end()) is None:
            player = session.player
            assert player is not None
            state = None if self.hides else session.state
            if player == CHANCE:
                event = session.draw()
                self._note(event.text, None)
                self._tell(state, event.outcome, CHANCE)
                continue
            if player == SIMULTANEOUS:
                chosen = [self._ask(seat) for seat, _ in self._each()]
                action = tuple(choice.action for choice, _ in chosen)
                self._take(action, max(used for _, used in chosen))
            else:
                self._blamed = player
                choice, used = self._ask(player)
                if self._offered and choice.draw:
                    return Ending((), AGREED)
                self._offered = choice.draw and self._agreeable
                action = choice.action
                thought = choice.thought
                if "soft" in thought:
                    thought["by"] = "AB".index(self.seats[player]) if self.seats[player] in "AB" else player
                self._take(action, used, thought)
                end = self._end() or self._adjudicated(player, choice)
                if end is not None:
                    return end
            self._tell(state, action, player)
        return end

    def _each(self) -> Iterator[tuple[int, str]]:
        """All seats with who sits there; who is asked something is to blame for what happens then."""
        for seat, name in enumerate(self.seats):
            self._blamed = seat
            yield seat, name

    # ------------------------------------------------------------ one move
    def _ask(self, seat: int) -> tuple[Choice, float]:
        """A legal action of a player, in time, and what it took. Raises Forfeit."""
        name, session = self.seats[seat], self.session
        player, watch = self.players[name], self.watches[name]
        limit, budget = watch.limit, watch.budget(self._offered)
        self.on_turn(Turn(name, budget.patience))
        seen, history = session.observation(seat), session.observations(seat)
        began = time.perf_counter()
        try:
            choice = player.choose(self.game, seen, history=history, budget=budget, seat=seat)
        except (Forfeit, Resigned):
            self.used[name] += time.perf_counter() - began
            raise
        except Exception as error:
            raise Forfeit("crash", f"{type(error).__name__}: {error}") from None
        used, action = time.perf_counter() - began, choice.action
        self.used[name] += used
        self.moves[name] += 1
        late = watch.spend(used)
        self.late[name] = max(self.late[name], late)
        if late > self.rules.tolerance:
            raise Forfeit("time", f"a move took {used:.3f} s, allowed were {limit:.3f} s")
        if session.player == SIMULTANEOUS:
            if action not in list(self.game.legal_actions(seen, seat)):
                raise Forfeit("illegal", f"{str(action)[:100]} is not one of the player's own choices")
        elif action not in session.legal:
            why = session.forbidden(action) if action in legal_moves(self.game, seen) else "not legal"
            raise Forfeit("illegal", f"{self._text(action)} is {why}; legal: {session.legal_text()}")
        return choice, used

    def _tell(self, state: Any, action: Any, player: int | None) -> None:
        """Everybody but the mover hears of an action; of nothing where something is hidden: they have what they see.
        Of an opening, which nobody chose, the mover hears, too."""
        if self.hides or player is None:
            return
        in_opening = len(self.actions) <= self._opening
        for seat, name in self._each():
            if seat != player or in_opening:
                self.players[name].observe(state, action, player)

    def _take(self, action: Any, used: float | None, thought: dict[str, float] | None = None) -> None:
        text = "" if self.hides else format_action(self.game, self.session.state, action)
        self.session.play(action)
        self._note(text, used, thought)

    def _note(self, text: str, used: float | None, thought: dict[str, float] | None = None) -> None:
        self.actions.append(text)
        self.thoughts.append(thought or None)
        self.seconds.append(None if used is None else round(used, 6))
        self.on_action(text, used)

    def _text(self, action: Any) -> str:
        with contextlib.suppress(Exception):
            return format_action(self.game, self.session.seen, action)
        return repr(action)

    # ------------------------------------------------------------ the end
    def _adjudicated(self, player: int, choice: Choice) -> Ending | None:
        """The end by what players expect, where a match asks for that."""
        if self._adjudicator is None:
            return None
        verdict = self._adjudicator.hear(player, choice.worth(self.game, player))
        if verdict is None:
            return None
        reason, loser = verdict
        return Ending(() if loser is None else (1 - loser,), reason)

    def _end(self) -> Ending | None:
        """How the game has ended; None if it goes on."""
        session = self.session
        if session.over:
            if self.game.terminal(session.state):
                outcome = session.outcome
                assert outcome is not None
                return Ending(outcome.winners, BY_THE_RULES, outcome.utilities)
            return Ending((), session.drawn)
        return Ending((), OUT_OF_PLIES) if len(self.actions) >= self.rules.plies_limit else None


def _rounded(late: float) -> float | None:
    return None if math.isinf(late) else round(late, 6)


__all__ = [
    "PATIENCE",
    "PATIENCE_UNTIMED",
    "PLIES_LIMIT",
    "TOLERANCE",
    "Ending",
    "Referee",
    "TimeRules",
    "Turn",
    "Watch",
]
