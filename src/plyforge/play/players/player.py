"""Players: whatever chooses an action when its turn comes.

    SearchPlayer("alpha_beta", depth=6)    RandomPlayer(seed=3)    StrategyPlayer(plan)    Human()

A player is an object with `choose(game, state)`, which returns a `Choice`: the action, and a note that says in words
what the player thought. A `Human` has no `choose`: whoever runs the game (a terminal, a web page) asks the person.
`describe.py` makes players from text.

Invariant: what a player has learned in a game (a tree, a table) is its own. It is kept from move to move, and forgotten
when it is asked about another game; no two players share it.
"""

from __future__ import annotations

import contextlib
import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol, runtime_checkable

from plyforge.contract import Game, format_choice, format_state, legal_moves
from plyforge.contract.naming import in_rounds
from plyforge.errors import BadLimits, IllegalAction
from plyforge.kernel import below, new_stream, uniform
from plyforge.play.engine import Engine, strongest
from plyforge.play.explain import counted, explain
from plyforge.search import (
    AT_ONCE,
    BEST,
    HIDDEN,
    MONTE_CARLO,
    HiddenResult,
    Limits,
    MixedResult,
    Progress,
    Result,
)
from plyforge.search.core.limits import DEFAULT_SIMULATIONS
from plyforge.search.core.parameters import in_play
from plyforge.search.registry import searches

LIMITS = ("depth", "nodes", "seconds")
"""What a search of a player can be limited by."""
SOON = 0.5
"""Seconds that a player who was interrupted waits for its engine to end."""


@dataclass(frozen=True)
class Choice:
    """What a player has chosen."""

    action: Any
    """One of the legal actions."""
    note: str = ""
    """What the player thought, in words; empty if it did not."""
    result: Result | None = None
    """The search behind it, if there was one."""


@runtime_checkable
class Player(Protocol):
    """Whatever chooses actions."""

    @property
    def description(self) -> str:
        """The player as text; `parse_player` reads it back, where the player can be described by text."""
        ...

    def choose(
        self,
        game: Game,
        state: Any,
        *,
        on_progress: Callable[[Progress], None] | None = None,
        history: Sequence[Any] = (),
    ) -> Choice:
        """An action for the player to move in `state`, which is neither terminal nor chance's. `history`: the states
        before it."""
        ...


@dataclass(frozen=True)
class Human:
    """A person. Whoever runs the game asks them."""

    @property
    def description(self) -> str:
        return "human"


@dataclass
class SearchPlayer:
    """Plays the first best action that a search finds, with an engine of its own that it keeps from move to move."""

    using: str | None = None
    """The search's name; None for the strongest for the game, `best`."""
    depth: int | None = None
    """Plies to look ahead. Without any limit: to the end of the game, which only small games allow (Monte Carlo:
    10,000 simulations)."""
    nodes: int | None = None
    """States to visit for one move."""
    seconds: float | None = None
    """Time for one move."""
    native: bool | None = None
    """As in `search`: True insists on compiled code, False declines it, None takes it where it can be had."""
    evaluate: Any = None
    """A function of a state for the depth limit; None for the game's own, and for the engine the best opinion that
    comes with the game."""
    policy: Any = None
    """What expectimax takes opponents to do."""
    against: str = ""
    """That as text, where it was given as text."""
    network: str = ""
    """The file of the network that `evaluate` is, or "own", where it was given as text."""
    bear_off: bool = False
    """True if `evaluate` looks up the end of a race in backgammon's databases, where that was given as text."""
    resign: float | None = None
    """In a match: gives up where it expects less than this part of what can be had, several moves in a row. None:
    never."""
    options: Mapping[str, Any] = field(default_factory=dict)
    """Parameters of the search: threads, table_mib, simulations, seed ..."""
    _engine: Engine | None = field(default=None, init=False, repr=False, compare=False)
    """For the game that it was asked about last."""
    _luck: Any = field(default=None, init=False, repr=False, compare=False)
    """Random numbers for where its search mixes."""

    def __post_init__(self) -> None:
        Limits(depth=self.depth, nodes=self.nodes, seconds=self.seconds)
        if self.depth is not None and self.depth < 1:
            raise BadLimits("depth is 0; a player has to look at least 1 ply ahead to choose an action")
        if self.resign is not None and not 0.0 < self.resign < 1.0:
            raise BadLimits(f"resign is {self.resign:g}; it must be a part of what can be had, between 0 and 1")

    @property
    def description(self) -> str:
        limits = {"depth": self.depth, "nodes": self.nodes, "seconds": self.seconds}
        options = [
            f"{name}={value:g}" if isinstance(value, float) else f"{name}={value}"
            for name, value in (limits | dict(self.options)).items()
            if value is not None
        ]
        options += [f"against={self.against}"] if self.against else []
        options += [f"network={self.network}"] if self.network else []
        options += ["bear_off=yes"] if self.bear_off else []
        options += [f"resign={self.resign:g}"] if self.resign is not None else []
        name = self.using or BEST
        return f"{name}:{','.join(options)}" if options else name

    def words(self, game: Game) -> str:
        """The player as a person would describe it: `alpha_beta, 6 plies ahead`."""
        limits = []
        if self.depth is not None:
            limits.append(f"{counted(self.depth, 'ply', 'plies')}{in_rounds(game, self.depth)} ahead")
        if self.nodes is not None:
            limits.append(f"{counted(self.nodes, 'node')} a move")
        if self.seconds is not None:
            limits.append(f"{self.seconds:g} second{'' if self.seconds == 1 else 's'} a move")
        simulations = self.simulations(game)
        if simulations is not None:
            limits.append(f"{counted(simulations, 'simulation')} a move")
        if self.options.get("threads", 1) > 1:
            limits.append(f"{self.options['threads']} threads")
        return f"{self.search_name(game)}, {', '.join(limits) or 'to the end of the game'}"

    def search_name(self, game: Game) -> str:
        """The name of its search; of `best` the one that it stands for."""
        return strongest(game) if self.using in (None, BEST) else str(self.using)

    def simulations(self, game: Game) -> int | None:
        """How many simulations a move takes; None for a search without any, or with another limit."""
        given: int | None = self.options.get("simulations")
        if given is not None or self.search_name(game) not in MONTE_CARLO | AT_ONCE | HIDDEN:
            return given
        limited = self.nodes is not None or self.seconds is not None
        return None if limited else DEFAULT_SIMULATIONS

    def engine(self, game: Game) -> Engine:
        """The player's engine for `game`; raises Unsuitable if its search is not sound for it. Another game gets
        another engine."""
        if self._engine is None or self._engine.game is not game:
            self._engine = Engine(
                game,
                self.using,
                native=self.native,
                evaluate=self.evaluate,
                policy=self.policy,
                **(for_play(self.search_name(game)) | dict(self.options)),
            )
        return self._engine

    def stop(self) -> None:
        """Let it choose soon, if it thinks; from another thread, returns at once."""
        if self._engine is not None:
            self._engine.stop()

    def with_seconds(self, seconds: float) -> SearchPlayer:
        """The same player, with what it has learned, and this much time for a move instead of its limits."""
        options = {name: value for name, value in self.options.items() if name != "simulations"}
        other = replace(self, depth=None, nodes=None, seconds=seconds, options=options)
        if options == dict(self.options):
            other._engine = self._engine
        return other

    def choose(
        self,
        game: Game,
        state: Any,
        *,
        on_progress: Callable[[Progress], None] | None = None,
        history: Sequence[Any] = (),
    ) -> Choice:
        engine = self.engine(game)
        if on_progress is not None:
            engine.on_progress(on_progress)
        try:
            engine.start(
                state,
                depth=self.depth,
                nodes=self.nodes,
                seconds=self.seconds,
                simulations=self.simulations(game),
                history=history,
            )
            found = engine.wait()
        except KeyboardInterrupt:  # what the engine has learned is kept, if it ends soon
            engine.stop()
            with contextlib.suppress(Exception):
                engine.wait(SOON)
            raise
        finally:
            if engine.running:
                self._engine = None
            if on_progress is not None:
                engine.off_progress(on_progress)
        if isinstance(found, HiddenResult):
            found = found.drawn(self.luck)
        return Choice(found.action, explain(found, speaker=int(game.player(state))), found)

    @property
    def luck(self) -> Any:
        """A stream of its own: where nobody gave a seed, of one that nobody knows."""
        if self._luck is None:
            self._luck = new_stream(self.options.get("seed", secrets.randbits(63)))
        return self._luck


def for_play(search: str) -> dict[str, Any]:
    """The options that a search has in play, where nobody says otherwise: there it makes its move as soon as that is
    decided."""
    return in_play(searches()[search])


def drawn_choice(policy: Mapping[Any, float], stream: Any) -> Any:
    """A choice of a mix."""
    left, picked = uniform(stream), None
    for choice, share in policy.items():
        if share > 0.0:
            picked = choice
            left -= share
            if left < 0.0:
                break
    return picked


def own_choice(game: Game, state: Any, player: int, seat: Player, stream: Any, **more: Any) -> tuple[Any, str]:
    """What an algorithm chooses where all choose at once, and what it thought: drawn from its mix, if it has found
    one."""
    choose_own = getattr(seat, "choose_own", None)
    if choose_own is not None:
        return choose_own(game, state, player, history=more.get("history", ())), ""
    chosen = seat.choose(game, state, **more)
    if not isinstance(chosen.result, MixedResult):
        return chosen.action[player], chosen.note
    policy = chosen.result.policies[player]
    picked = drawn_choice(policy, stream)
    mix = ", ".join(
        f"{format_choice(game, state, player, each)} {share:.2f}" for each, share in policy.items() if share >= 0.005
    )
    return picked, f"mix: {mix}; {chosen.note}"


class RandomPlayer:
    """Plays any legal action, each equally likely. The same seed makes the same choices."""

    def __init__(self, seed: int | None = None) -> None:
        self.seed = secrets.randbits(32) if seed is None else seed
        self._stream = new_stream(self.seed)

    @property
    def description(self) -> str:
        return f"random:seed={self.seed}"

    def choose(
        self,
        game: Game,
        state: Any,
        *,
        on_progress: Callable[[Progress], None] | None = None,
        history: Sequence[Any] = (),
    ) -> Choice:
        past = [*history, state]
        legal = [action for action in legal_moves(game, state) if not game.history.forbidden(game, past, action)]
        return Choice(legal[below(self._stream, len(legal))])


class MixedPlayer:
    """Plays as a search says with probability `share`, and any legal action otherwise: an opponent who is good, but
    not always."""

    def __init__(self, skilled: SearchPlayer, share: float, seed: int | None = None) -> None:
        if not 0.0 <= share <= 1.0:
            raise BadLimits(f"share is {share:g}; it must be a probability, from 0 to 1")
        self.skilled, self.share = skilled, share
        self._random = RandomPlayer(seed)

    @property
    def seed(self) -> int:
        return self._random.seed

    @property
    def description(self) -> str:
        limits = [f"{name}={value:g}" for name in LIMITS if (value := getattr(self.skilled, name)) is not None]
        return f"mixed:share={self.share:g},{''.join(limit + ',' for limit in limits)}seed={self.seed}"

    def reseeded(self, seed: int) -> MixedPlayer:
        """The same player with other luck."""
        return MixedPlayer(self.skilled, self.share, seed)

    def lapse(self, game: Game, state: Any, history: Sequence[Any] = ()) -> Choice | None:
        """A random action, if this is a move of that kind."""
        if uniform(self._random._stream) < self.share:
            return None
        return self._random.choose(game, state, history=history)

    def choose(
        self,
        game: Game,
        state: Any,
        *,
        on_progress: Callable[[Progress], None] | None = None,
        history: Sequence[Any] = (),
    ) -> Choice:
        chosen = self.lapse(game, state, history)
        return chosen or self.skilled.choose(game, state, on_progress=on_progress, history=history)


class StrategyPlayer:
    """Plays what a strategy says: any object with `move(state)`, or a function of a state."""

    def __init__(self, strategy: Any, description: str = "strategy") -> None:
        self._move: Callable[[Any], Any] = getattr(strategy, "move", strategy)
        if not callable(self._move):
            raise TypeError(f"a strategy has move(state), or is a function of a state; {strategy!r} is neither")
        self._description = description

    @property
    def description(self) -> str:
        return self._description

    def choose(
        self,
        game: Game,
        state: Any,
        *,
        on_progress: Callable[[Progress], None] | None = None,
        history: Sequence[Any] = (),
    ) -> Choice:
        action = self._move(state)
        if action is None:
            raise IllegalAction(f"the strategy has no move for {format_state(game, state)}")
        return Choice(action, "as the strategy says")


__all__ = [
    "Choice",
    "Human",
    "MixedPlayer",
    "Player",
    "RandomPlayer",
    "SearchPlayer",
    "StrategyPlayer",
    "drawn_choice",
    "for_play",
    "own_choice",
]
