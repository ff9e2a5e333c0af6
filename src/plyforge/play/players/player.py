"""Whoever plays: the one protocol of people's programs, our searches, and everything between.

    SearchPlayer("alpha_beta", depth=6)    RandomPlayer(seed=3)    StrategyPlayer(plan)    Human()

A player is made ready before any clock runs (`prepare`), hears of every new game (`new_game`) and of what others do in
it (`observe`), chooses within a budget (`choose`), and is let go (`close`). Only `choose` has to be there. It is given
all states so far, so that a game can be played with it alone: whoever runs a single game, in which moves may be taken
back, tells a player nothing else.

A `Human` chooses nothing: whoever runs the game (a terminal, a web page) asks the person. `spec.py` makes players
from text, `given.py` takes objects.

Invariants:
- What a player has learned in a game (a tree, a table) is its own. It is kept from move to move, and forgotten when it
  is asked about another game; no two players share it.
- With the same seed a player without time limits or threads plays the same game again: what it draws is decided by the
  seed that `new_game` gives, not by what it played before.
"""

from __future__ import annotations

import inspect
import math
import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from plyforge.contract import SIMULTANEOUS, Game, format_state, legal_moves, payoffs
from plyforge.errors import IllegalAction, PlyforgeError
from plyforge.kernel import below, mix, new_stream
from plyforge.search import Clock, Progress, Result


class Forfeit(PlyforgeError):
    """A player lost its game by something other than its play."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind
        """One of FORFEITS."""


FORFEITS = ("time", "illegal", "crash", "stall", "protocol")
"""A move that came too late; an action that the rules don't allow; an error or an end of the player; no answer at
all; an answer that is none."""


class Resigned(PlyforgeError):
    """A player gave up."""


@dataclass(frozen=True)
class Budget:
    """The time for one move, as a referee gives it."""

    seconds: float | None = None
    """For this move; None: as long as it takes."""
    clock: Clock | None = None
    """Or a clock."""
    patience: float = math.inf
    """After so many seconds without an answer the player has stalled."""
    draw_offered: bool = False
    """True if the other side has offered a draw with its last move: see `Choice.draw`."""


@dataclass(frozen=True)
class Choice:
    """What a player has chosen."""

    action: Any
    """One of the legal actions; where all choose at once, of the player's own."""
    note: str = ""
    """What the player thought, in words; empty if it did not, and where a referee waits."""
    result: Result | None = None
    """The search behind it, if there was one."""
    said: Mapping[str, float] = field(default_factory=dict)
    """What a program says of its choice: value (the first player's), depth, nodes, simulations."""
    draw: bool = False
    """Offers a draw with this move; where the other side has just offered one, accepts it, and makes no move."""

    @property
    def thought(self) -> dict[str, float]:
        """Numbers about the choice, for a record: value, depth, nodes, simulations, visits, soft and hard limit."""
        found = self.result
        if found is None:
            return dict(self.said)
        numbers = {"value": found.value, "depth": found.depth, "nodes": found.nodes}
        numbers["simulations"] = getattr(found, "simulations", None)
        visits = getattr(found, "visits", None)
        if isinstance(visits, dict):
            numbers["visits"] = visits.get(found.action)
        if found.timing is not None:
            numbers |= {"soft": found.timing.soft, "hard": found.timing.hard}
        return {
            name: round(float(value), 6) if isinstance(value, float) else int(value)
            for name, value in numbers.items()
            if isinstance(value, (int, float)) and math.isfinite(value)
        }

    def worth(self, game: Game, seat: int) -> float | None:
        """What the player expects for itself; None where it says nothing of that. In games of two."""
        if self.result is not None:
            unsure = self.result.depth == 0 and not self.result.exact and not hasattr(self.result, "simulations")
            return None if unsure else worth_to(self.result, seat)
        value = self.said.get("value")
        return None if value is None else float(payoffs(game, value)[seat])


def worth_to(found: Result, player: int) -> float:
    """What a search of a game of two expects for one of them."""
    assert found.game is not None
    if found.player is None:
        return float(found.value[player])
    own, others = payoffs(found.game, found.value)
    return own if found.player == player else others


class Player:
    """Whoever chooses actions; see the module's text. What is here holds for a player that says nothing else."""

    description: str = "player"
    """The player as text; `parse_player` reads it back, where the player can be described by text."""
    limited: bool = True
    """True if it has limits of its own, or needs none: then the time of a match is not for it."""
    seconds: float | None = None
    """Its own time for a move."""
    threads: int = 1
    """How many cores it keeps busy."""
    spoilt: bool = False
    """True if it can't be stopped: the process it is in should be ended."""
    files: Sequence[Path] = ()
    """Whose content makes this player what it is."""

    def prepare(self, game: Game) -> None:
        """Compile, start; before any clock runs."""

    def new_game(self, seat: int, start: Any, seed: int) -> None:
        """A game of what was prepared begins in the state `start` (None: that of the rules); this is player `seat`."""

    def observe(self, state: Any, action: Any, player: int) -> None:
        """`player` (or CHANCE) has taken `action` in `state`. Not told of what it chose itself, and of nothing where
        something is hidden: it is shown what it may see when it chooses."""

    def choose(
        self,
        game: Game,
        state: Any,
        *,
        history: Sequence[Any] = (),
        budget: Budget | None = None,
        on_progress: Callable[[Progress], None] | None = None,
        seat: int | None = None,
    ) -> Choice:
        """An action in `state`, which is neither terminal nor chance's; `history` is the states before it. Where
        something is hidden, all are observations.

        `budget` is a referee's; without one the player keeps the limits that it has. Where all choose at once, `seat`
        says whose choice is wanted; None: everybody's. Raises Forfeit, or Resigned.
        """
        raise NotImplementedError

    def stop(self) -> None:
        """Let it choose soon, if it thinks; from another thread, returns at once."""

    def close(self) -> None:
        """No more games."""


@dataclass(frozen=True)
class Human:
    """A person. Whoever runs the game asks them."""

    @property
    def description(self) -> str:
        return "human"


class RandomPlayer(Player):
    """Plays any legal action, each equally likely. The same seed makes the same choices."""

    def __init__(self, seed: int | None = None) -> None:
        self.seed = secrets.randbits(32) if seed is None else seed
        self.stream = new_stream(self.seed)

    @property
    def description(self) -> str:  # type: ignore[override]
        return f"random:seed={self.seed}"

    def new_game(self, seat: int, start: Any, seed: int) -> None:
        self.stream = new_stream(seed_in_game(seed, self.seed))

    def choose(
        self,
        game: Game,
        state: Any,
        *,
        history: Sequence[Any] = (),
        budget: Budget | None = None,
        on_progress: Callable[[Progress], None] | None = None,
        seat: int | None = None,
    ) -> Choice:
        legal = allowed(game, state, history)
        return Choice(own_part(game, state, legal[below(self.stream, len(legal))], seat))


class StrategyPlayer(Player):
    """Plays what somebody's own code says: a function of a state, an object with `move(state)`, or one with
    `choose(game, state)`.

    Of `choose` the parameters `player`, `seconds` and `history` are given what agents in files get
    (`docs/guides/agents.md`), and it may answer with a Choice. `observe(game, state)` is called with what it sees.
    Where there are such methods, `resigns(game, state)` says whether it gives up, `agrees_to_draw(game, state)`
    whether it offers a draw, or accepts one.
    """

    def __init__(self, strategy: Any, description: str = "strategy") -> None:
        chooses = callable(getattr(strategy, "choose", None))
        self._ask: Callable[..., Any] = strategy.choose if chooses else getattr(strategy, "move", strategy)
        if not callable(self._ask):
            raise TypeError(f"a strategy has move(state), or is a function of a state; {strategy!r} is neither")
        self._takes = parameters(self._ask) if chooses else None
        self._strategy = strategy
        self._observe = getattr(strategy, "observe", None) if chooses else None
        self.description = description

    def choose(
        self,
        game: Game,
        state: Any,
        *,
        history: Sequence[Any] = (),
        budget: Budget | None = None,
        on_progress: Callable[[Progress], None] | None = None,
        seat: int | None = None,
    ) -> Choice:
        if self._takes is None:
            action = self._ask(state)
            if action is None:
                raise IllegalAction(f"the strategy has no move for {format_state(game, state)}")
            return Choice(own_part(game, state, action, seat), "as the strategy says")
        if callable(self._observe):
            self._observe(game, state)
        if budget is not None and says_so(self._strategy, "resigns", game, state):
            raise Resigned(f"{self.description} resigned")
        draw = budget is not None and says_so(self._strategy, "agrees_to_draw", game, state)
        mover = int(game.player(state))
        given = {
            "player": mover if seat is None else seat,
            "seat": seat,
            "seconds": None if budget is None else budget.seconds,
            "history": history,
            "draw_offered": budget is not None and budget.draw_offered,
            "budget": budget,
            "on_progress": on_progress,
        }
        chosen = self._ask(game, state, **{name: value for name, value in given.items() if name in self._takes})
        if mover != SIMULTANEOUS or seat is None:
            return chosen if isinstance(chosen, Choice) else Choice(chosen, draw=draw)
        action = chosen.action if isinstance(chosen, Choice) else chosen
        own = action in list(game.legal_actions(state, seat))
        return Choice(action if own else own_part(game, state, action, seat))


def allowed(game: Game, state: Any, history: Sequence[Any]) -> list[Any]:
    """The legal actions that the game's past does not forbid."""
    past = [*history, state]
    return [action for action in legal_moves(game, state) if not game.history.forbidden(game, past, action)]


def own_part(game: Game, state: Any, action: Any, seat: int | None) -> Any:
    """Of what everybody chooses at once the choice of one player; any other action is what it is."""
    return action[seat] if seat is not None and int(game.player(state)) == SIMULTANEOUS else action


def says_so(agent: Any, verb: str, game: Game, state: Any) -> bool:
    """What an agent answers to a question that it may not know: then no."""
    ask = getattr(agent, verb, None)
    return callable(ask) and bool(ask(game, state))


def seed_in_game(game_seed: int, own: int) -> int:
    """What a player draws from in a game, if its own seed is this."""
    return int(mix(game_seed, own)) >> 1


def parameters(function: Any) -> Sequence[str]:
    """The names of what a function takes."""
    try:
        return list(inspect.signature(function).parameters)
    except (TypeError, ValueError):
        return []


__all__ = [
    "FORFEITS",
    "Budget",
    "Choice",
    "Forfeit",
    "Human",
    "Player",
    "RandomPlayer",
    "Resigned",
    "StrategyPlayer",
    "allowed",
    "own_part",
    "parameters",
    "says_so",
    "seed_in_game",
    "worth_to",
]
