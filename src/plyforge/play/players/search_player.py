"""Our searches as players: with limits of their own or within a referee's budget, always right or now and then not.

Invariant: an engine is one player's, and is kept from move to move; a new game begins with one that knows nothing.
"""

from __future__ import annotations

import contextlib
import copy
import math
import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from plyforge.contract import CHANCE, Game, drawn_payoffs, format_choice, payoffs
from plyforge.contract.naming import in_rounds
from plyforge.errors import BadLimits
from plyforge.kernel import new_stream, uniform
from plyforge.play.engine import Engine, strongest
from plyforge.play.match.draw_offers import can_agree, expects_no_more
from plyforge.play.players.player import (
    Budget,
    Choice,
    Forfeit,
    Player,
    RandomPlayer,
    Resigned,
    own_part,
    seed_in_game,
    worth_to,
)
from plyforge.play.words import counted, explain
from plyforge.search import (
    AT_ONCE,
    BEST,
    HIDDEN,
    MONTE_CARLO,
    Clock,
    HiddenResult,
    Limits,
    MixedResult,
    Progress,
    Result,
)
from plyforge.search.core.limits import DEFAULT_SIMULATIONS
from plyforge.search.core.parameters import in_play
from plyforge.search.protection.threads import has_deep_stack
from plyforge.search.registry import searches

LIMITS = ("depth", "nodes", "seconds")
"""What a search of a player can be limited by."""
SOON = 1.0
"""Seconds that a player who was told to stop waits for its engine to end."""
MIXING = 0x6D6978
"""Of a game's seed: what draws a choice from a mix."""
EVEN_MOVES = 8
"""A player of ours that offers draws does so after so many moves in a row at which it expects one."""
HOPELESS_MOVES = 3
"""A player of ours resigns after so many moves in a row that seem hopeless,"""
SIMULATIONS_TO_RESIGN = 200
"""and, if it simulates, when so many simulations say so, or a proof."""


@dataclass
class SearchPlayer(Player):
    """Plays the first best action that a search finds, with an engine of its own that it keeps from move to move.
    Where a search mixes, the action is drawn."""

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
    draw: float | None = None
    """In a match: offers a draw where it expects one, within this part of what can be had, several moves in a row.
    None: never. It accepts one where it expects no more."""
    options: Mapping[str, Any] = field(default_factory=dict)
    """Parameters of the search: threads, table_mib, simulations, seed ..."""
    limited: bool = True
    """False for one that plays within the time of a match."""
    clock: Clock | None = None
    """How its clock stands before its next move, for one that plays by a clock."""
    _engine: Engine | None = field(default=None, init=False, repr=False, compare=False)
    """For the game that it was asked about last."""
    _seed: int | None = field(default=None, init=False, repr=False, compare=False)
    """Of the game in progress, where somebody said it."""
    _luck: Any = field(default=None, init=False, repr=False, compare=False)
    """Random numbers for where its search mixes."""
    _hopeless: int = field(default=0, init=False, repr=False, compare=False)
    """Moves in a row that seemed hopeless,"""
    _even: int = field(default=0, init=False, repr=False, compare=False)
    """and at which it expected a draw."""

    def __post_init__(self) -> None:
        Limits(depth=self.depth, nodes=self.nodes, seconds=self.seconds)
        if self.depth is not None and self.depth < 1:
            raise BadLimits("depth is 0; a player has to look at least 1 ply ahead to choose an action")
        if self.resign is not None and not 0.0 < self.resign < 1.0:
            raise BadLimits(f"resign is {self.resign:g}; it must be a part of what can be had, between 0 and 1")
        if self.draw is not None and not 0.0 <= self.draw < 0.5:
            raise BadLimits(f"draw is {self.draw:g}; it must be a part of what can be had, from 0 to less than 0.5")

    def __copy__(self) -> SearchPlayer:
        """The same player, which has learned nothing."""
        return replace(self)

    @property
    def threads(self) -> int:  # type: ignore[override]
        return int(self.options.get("threads", 1))

    @property
    def description(self) -> str:  # type: ignore[override]
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
        options += [f"draw={self.draw:g}"] if self.draw is not None else []
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
        limited = self.nodes is not None or self.seconds is not None or self.clock is not None
        return None if limited else DEFAULT_SIMULATIONS

    def engine(self, game: Game) -> Engine:
        """The player's engine for `game`; raises Unsuitable if its search is not sound for it. Another game gets
        another engine."""
        if self._engine is None or self._engine.game is not game:
            self._engine = self._new_engine(game)
        return self._engine

    def _new_engine(self, game: Game) -> Engine:
        options = dict(self.options)
        if self._seed is not None and "seed" in options:
            options["seed"] = seed_in_game(self._seed, options["seed"])
        return Engine(
            game,
            self.using,
            native=self.native,
            evaluate=self.evaluate,
            policy=self.policy,
            **(for_play(self.search_name(game)) | options),
        )

    def prepare(self, game: Game) -> None:
        engine = self.engine(game)
        start = _first_choice(game)
        if start is None:
            return
        monte_carlo = hasattr(engine.search, "simulations")
        small: list[dict[str, Any]] = [{"simulations": 1}] if monte_carlo else [{"nodes": 1}, {"depth": 1}]
        for limits in small:
            engine.start(start, **limits)
            found = engine.wait()
        if self.native is None and not found.native:  # trying again in every game would cost time on the clock
            self.native = False

    def new_game(self, seat: int, start: Any, seed: int) -> None:
        """Begin with an engine that knows nothing; what is compiled stays so, and its memory is used again."""
        assert self._engine is not None, "a player is prepared before its games"
        before, self._seed, self._hopeless, self._even = self._engine, seed, 0, 0
        self._engine = self._new_engine(before.game)
        self._engine.take_over(before)
        self._engine.make_ready()
        self._luck = new_stream(seed_in_game(seed, MIXING))

    def stop(self) -> None:
        """Let it choose soon, if it thinks; from another thread, returns at once."""
        if self._engine is not None:
            self._engine.stop()

    def with_seconds(self, seconds: float) -> SearchPlayer:
        """The same player, with what it has learned, and this much time for a move instead of its limits."""
        return self._timed(seconds, None)

    def on_clock(self, clock: Clock) -> SearchPlayer:
        """The same player, with what it has learned, on a clock instead of its limits; its seconds for a move still
        hold."""
        return self._timed(self.seconds, clock)

    def _timed(self, seconds: float | None, clock: Clock | None) -> SearchPlayer:
        options = {name: value for name, value in self.options.items() if name != "simulations"}
        other = replace(self, depth=None, nodes=None, seconds=seconds, clock=clock, options=options)
        if options == dict(self.options):
            other._engine = self._engine
        return other

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
        found = self._searched(game, state, history, budget, on_progress)
        own = int(game.player(state)) if seat is None else seat
        if budget is not None and self._gives_up(game, found, own):
            raise Resigned(f"{self.description} resigned")
        draw = budget is not None and self._agrees(game, found, own, budget.draw_offered)
        if isinstance(found, HiddenResult):
            found = found.drawn(self.luck(own))
        note = "" if budget is not None else explain(found, speaker=int(game.player(state)))
        if not isinstance(found, MixedResult) or seat is None:
            return Choice(own_part(game, state, found.action, seat), note, found, draw=draw)
        policy = found.policies[seat]
        if note:
            texts = [(format_choice(game, state, seat, each), share) for each, share in policy.items()]
            note = f"mix: {', '.join(f'{text} {share:.2f}' for text, share in texts if share >= 0.005)}; {note}"
        return Choice(drawn_choice(policy, self.luck(seat)), note, found)

    def _searched(
        self, game: Game, state: Any, history: Sequence[Any], budget: Budget | None, on_progress: Any
    ) -> Result:
        """What its search finds, within its own limits or those of a budget."""
        engine = self.engine(game)
        given = Budget() if self.limited or budget is None else budget
        if on_progress is not None:
            engine.on_progress(on_progress)
        try:
            engine.start(
                state,
                depth=self.depth,
                nodes=self.nodes,
                seconds=self.seconds if given.seconds is None else given.seconds,
                clock=given.clock or self.clock,
                simulations=self.simulations(game) if self.limited else None,
                history=history,
                here=given.clock is not None or (budget is None and has_deep_stack()),
            )
            found = engine.wait(None if budget is None or math.isinf(budget.patience) else budget.patience)
            engine.sent()
            return found
        except TimeoutError:
            assert budget is not None
            self._end_soon(engine)
            self.spoilt = engine.running
            raise Forfeit("stall", f"no answer in {budget.patience:g} s") from None
        except KeyboardInterrupt:  # what the engine has learned is kept, if it ends soon
            self._end_soon(engine)
            raise
        finally:
            if engine.running:
                self._engine = None
            if on_progress is not None:
                engine.off_progress(on_progress)

    @staticmethod
    def _end_soon(engine: Engine) -> None:
        engine.stop()
        with contextlib.suppress(Exception):
            engine.wait(SOON)

    def _gives_up(self, game: Game, found: Result, seat: int) -> bool:
        """True after a few moves in a row at which it expects too little, where it was told what that is."""
        least = self.resign
        if least is None or (
            not found.exact and getattr(found, "simulations", SIMULATIONS_TO_RESIGN) < SIMULATIONS_TO_RESIGN
        ):
            return False
        own, low, high = (payoffs(game, v)[seat] for v in (found.value, game.min_utility, game.max_utility))
        if found.player == seat:  # some searches say what the state is worth to the mover
            own = float(found.value)
        if own - min(low, high) < least * abs(high - low):
            self._hopeless += 1
        else:
            self._hopeless = 0
        return self._hopeless >= HOPELESS_MOVES

    def _agrees(self, game: Game, found: Result, seat: int, offered: bool) -> bool:
        """True if it offers a draw, or accepts the one that was offered."""
        looked = found.depth > 0 or found.exact or hasattr(found, "simulations")
        if not looked or not (offered or self.draw is not None) or not can_agree(game):
            return False
        if offered and expects_no_more(found, seat):
            return True
        within = -1.0 if self.draw is None else self.draw * abs(game.max_utility - game.min_utility)
        apart = abs(worth_to(found, seat) - drawn_payoffs(game)[seat])
        self._even = self._even + 1 if apart <= within else 0
        return self._even >= EVEN_MOVES

    def luck(self, seat: int) -> Any:
        """A stream of its own: of the game's seed, or of the player's; where there is none, of one that nobody
        knows."""
        if self._luck is None:
            seed = self.options.get("seed")
            self._luck = new_stream(secrets.randbits(63) if seed is None else seed_in_game(seed, seat))
        return self._luck


class MixedPlayer(Player):
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

    def __copy__(self) -> MixedPlayer:
        return MixedPlayer(copy.copy(self.skilled), self.share, self.seed)

    @property
    def seconds(self) -> float | None:  # type: ignore[override]
        return self.skilled.seconds

    @property
    def spoilt(self) -> bool:  # type: ignore[override]
        return self.skilled.spoilt

    @property
    def description(self) -> str:  # type: ignore[override]
        limits = [f"{name}={value:g}" for name in LIMITS if (value := getattr(self.skilled, name)) is not None]
        return f"mixed:share={self.share:g},{''.join(limit + ',' for limit in limits)}seed={self.seed}"

    def prepare(self, game: Game) -> None:
        self.skilled.prepare(game)

    def new_game(self, seat: int, start: Any, seed: int) -> None:
        self.skilled.new_game(seat, start, seed)
        self._random.new_game(seat, start, seed)

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
        if uniform(self._random.stream) >= self.share:
            return self._random.choose(game, state, history=history, seat=seat)
        return self.skilled.choose(game, state, history=history, budget=budget, on_progress=on_progress, seat=seat)

    def stop(self) -> None:
        self.skilled.stop()


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


def _first_choice(game: Game) -> Any:
    """What is seen where a player moves first, or all do; None if nobody does."""
    state = game.start()
    for _ in range(1000):
        if game.terminal(state):
            return None
        mover = int(game.player(state))
        if mover != CHANCE:
            return game.observe(state, max(0, mover)) if game.hidden_information else state
        state = game.result(state, next(iter(game.chance(state)))[0])
    return None


__all__ = [
    "HOPELESS_MOVES",
    "LIMITS",
    "SIMULATIONS_TO_RESIGN",
    "MixedPlayer",
    "SearchPlayer",
    "drawn_choice",
    "for_play",
]
