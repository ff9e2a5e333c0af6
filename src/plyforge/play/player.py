"""Players: whatever chooses an action when its turn comes.

    SearchPlayer("alpha_beta", depth=6)    RandomPlayer(seed=3)    StrategyPlayer(plan)    Human()

A player is an object with `choose(game, state)`, which returns a `Choice`: the action, and a note that says in words
what the player thought. A `Human` has no `choose`: whoever runs the game (a terminal, a web page) asks the person.

`parse_player` reads the descriptions that the command line takes: `human`, `random`, `random:seed=3`, `minimax`,
`alpha_beta:depth=6`, `expectiminimax:seconds=2`, `engine` (the strongest search for the game), `engine:depth=8,threads=2`,
`uct:simulations=10000`, `mixed:share=0.8,depth=4` (a search in 4 of 5 moves, any action in the others), `strategy:plan.json` (a plan that was saved), `model:epsilon:0.2`
(an opponent who errs), `expectimax:depth=4,against=epsilon:0.2` (whoever knows that), `safe_response:risk=1,against=learned:her.json` (with care). A search named without any limit thinks for one second a
move: the end of most games is out of reach, and where it is not, deepening gets there.

Invariant: what a player has learned in a game (a tree, a table) is its own. It is kept from move to move, and forgotten when
it is asked about another game; no two players share it.
"""

from __future__ import annotations

import contextlib
import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, Protocol, runtime_checkable

from plyforge.errors import BadLimits, BadText, IllegalAction
from plyforge.evaluate import opinion
from plyforge.game import Game
from plyforge.kernel import below, new_stream, uniform
from plyforge.naming import in_rounds
from plyforge.play.engine import Engine, strongest
from plyforge.play.session import player_name
from plyforge.search import (
    AT_ONCE,
    MONTE_CARLO,
    PATHS,
    SEARCHES,
    Limits,
    MixedResult,
    MonteCarloResult,
    Progress,
    Result,
    suitable,
)
from plyforge.search.mcts.tree import DEFAULT_SIMULATIONS

ENGINE_SECONDS = 1.0
"""How long `engine`, or a search named in a description, thinks about a move where no limit is given."""
SOON = 0.5
"""Seconds that a player who was interrupted waits for its engine to end."""
LINE_SHOWN = 10
"""How many actions of the expected line a note shows."""
EVEN = 1e-9
"""Values this close to the middle count as even: averages are rounded."""


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
        """An action for the player to move in `state`, which is neither terminal nor chance's. `history`: the states before it."""
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
    """The search's name; None for the strongest for the game."""
    depth: int | None = None
    """Plies to look ahead. Without any limit: to the end of the game, which only small games allow (Monte Carlo: 10,000 simulations)."""
    nodes: int | None = None
    """States to visit for one move."""
    seconds: float | None = None
    """Time for one move."""
    native: bool | None = None
    """As in `search`: True insists on compiled code, False declines it, None takes it where it can be had."""
    evaluate: Any = None
    """A function of a state for the depth limit; None for the game's own, and for the engine the best opinion that comes with the game."""
    policy: Any = None
    """What expectimax takes opponents to do."""
    against: str = ""
    """That as text, where it was given as text."""
    options: Mapping[str, Any] = field(default_factory=dict)
    """Parameters of the search: threads, table_mib, simulations, seed ..."""
    _engine: Engine | None = field(default=None, init=False, repr=False, compare=False)
    """For the game that it was asked about last."""

    def __post_init__(self) -> None:
        Limits(depth=self.depth, nodes=self.nodes, seconds=self.seconds)
        if self.depth is not None and self.depth < 1:
            raise BadLimits("depth is 0; a player has to look at least 1 ply ahead to choose an action")

    @property
    def description(self) -> str:
        limits = {"depth": self.depth, "nodes": self.nodes, "seconds": self.seconds}
        options = [
            f"{name}={value:g}" if isinstance(value, float) else f"{name}={value}"
            for name, value in (limits | dict(self.options)).items()
            if value is not None
        ]
        options += [f"against={self.against}"] if self.against else []
        name = self.using or "engine"
        return f"{name}:{','.join(options)}" if options else name

    def words(self, game: Game) -> str:
        """The player as a person would describe it: `alpha_beta, 6 plies ahead`."""
        limits = []
        if self.depth is not None:
            limits.append(f"{_number(self.depth, 'ply', 'plies')}{in_rounds(game, self.depth)} ahead")
        if self.nodes is not None:
            limits.append(f"{_number(self.nodes, 'node')} a move")
        if self.seconds is not None:
            limits.append(f"{self.seconds:g} second{'' if self.seconds == 1 else 's'} a move")
        simulations = self._simulations(game)
        if simulations is not None:
            limits.append(f"{_number(simulations, 'simulation')} a move")
        if self.options.get("threads", 1) > 1:
            limits.append(f"{self.options['threads']} threads")
        return f"{self.using or strongest(game)}, {', '.join(limits) or 'to the end of the game'}"

    def _simulations(self, game: Game) -> int | None:
        """How many simulations a move takes; None for a search without any, or with another limit."""
        given: int | None = self.options.get("simulations")
        if given is not None or (self.using or strongest(game)) not in MONTE_CARLO | AT_ONCE:
            return given
        limited = self.nodes is not None or self.seconds is not None
        return None if limited else DEFAULT_SIMULATIONS

    def engine(self, game: Game) -> Engine:
        """The player's engine for `game`; raises Unsuitable if its search is not sound for it. Another game gets another engine."""
        if self._engine is None or self._engine.game is not game:
            plain = self.evaluate is not None or self.using not in (None, "engine")
            self._engine = Engine(
                game,
                self.using,
                native=self.native,
                evaluate=self.evaluate if plain else opinion(game),
                policy=self.policy,
                **self.options,
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
                simulations=self._simulations(game),
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
        return Choice(found.action, explain(found, speaker=int(game.player(state))), found)


def own_choice(
    game: Game, state: Any, player: int, seat: Player, stream: Any, **more: Any
) -> tuple[Any, str]:
    """What an algorithm chooses where all choose at once, and what it thought: drawn from its mix, if it has found one."""
    chosen = seat.choose(game, state, **more)
    if not isinstance(chosen.result, MixedResult):
        return chosen.action[player], chosen.note
    policy = chosen.result.policies[player]
    left, picked = uniform(stream), None
    for choice, share in policy.items():
        if share > 0.0:
            picked = choice
            left -= share
            if left < 0.0:
                break
    mix = ", ".join(
        f"{game.format_choice(state, player, each)} {share:.2f}"
        for each, share in policy.items()
        if share >= 0.005
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
        legal = [action for action in game.legal(state) if not game.forbidden(past, action)]
        return Choice(legal[below(self._stream, len(legal))])


class MixedPlayer:
    """Plays as a search says with probability `share`, and any legal action otherwise: an opponent who is good, but not always."""

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
        limits = [
            f"{name}={value:g}" for name in _LIMITS if (value := getattr(self.skilled, name)) is not None
        ]
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
            raise TypeError(
                f"a strategy has move(state), or is a function of a state; {strategy!r} is neither"
            )
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
            raise IllegalAction(f"the strategy has no move for {game.format_state(state)}")
        return Choice(action, "as the strategy says")


# ------------------------------------------------------------------ descriptions
_LIMITS = ("depth", "nodes", "seconds")


def _truth(text: str) -> bool:
    """Yes or no."""
    word = text.strip().lower()
    if word not in ("yes", "true", "1", "no", "false", "0"):
        raise ValueError(f"{text!r} is neither yes nor no")
    return word in ("yes", "true", "1")


_READERS: dict[str, Callable[[str], Any]] = {
    "depth": int,
    "nodes": int,
    "seconds": float,
    "seed": int,
    "share": float,
    "threads": int,
    "table_mib": float,
    "simulations": int,
    "rollouts": int,
    "rollout_depth": int,
    "expand_at": int,
    "exploration": float,
    "rave": float,
    "priors": int,
    "weighted": _truth,
    "legal": _truth,
    "memory_mib": int,
    "keep": _truth,
    "trials": int,
    "database": str,
    "risk": float,
    "gifts": _truth,
    "against": str,
}
_KINDS = {int: "a whole number", float: "a number", str: "a folder", _truth: "yes or no"}


def parse_player(
    text: str,
    game: Game | None = None,
    *,
    depth: int | None = None,
    nodes: int | None = None,
    seconds: float | None = None,
    native: bool | None = None,
    seed: int | None = None,
    further: Sequence[str] = (),
) -> Player | Human:
    """The player that `text` describes; see the module's text. With `game`, also checked against it.

    Limits and seed given here hold for a description that names none of its own. `further` are kinds of players that the caller also knows: an
    error names them.
    """
    name, colon, rest = text.strip().partition(":")
    name = name.strip().replace("-", "_").lower()
    if name not in player_kinds():
        raise BadText(
            f"{text!r} is not a player: {_did_you_mean(name)}there are {', '.join([*player_kinds(), *further])}"
        )
    if name == "strategy":
        return _strategy(text, rest.strip(), game)
    if name == "model":
        return _model(text, rest.strip(), game, seed)
    options = _read_options(text, rest, _allowed(name, game)) if colon else {}
    if name == "human":
        return Human()
    if name == "random":
        return RandomPlayer(options.get("seed", seed))
    limits = {key: options.pop(key) for key in _LIMITS if key in options}
    if not limits and "simulations" not in options:
        given = {"depth": depth, "nodes": nodes, "seconds": seconds}
        limits = {key: value for key, value in given.items() if value is not None}
        limits = limits or {"seconds": ENGINE_SECONDS}
    if name == "mixed":
        textbook = None if game is None else suitable(game)
        skilled = SearchPlayer(textbook, native=native, **limits)
        return MixedPlayer(skilled, options.get("share", 0.5), options.get("seed", seed))
    if seed is not None and "seed" not in options and "seed" in _allowed(name, game):
        options["seed"] = seed
    against = options.pop("against", "")
    policy = None
    if against:
        if game is None:
            raise BadText(
                f"{text!r} can't be read: a model of an opponent is one for a game, and none is given"
            )
        from plyforge.play.opponent_model import parse_model

        policy = parse_model(against, game)
    if name == "safe_response":
        return _safe(text, policy, limits, options, native)
    player = SearchPlayer(
        None if name == "engine" else name,
        native=native,
        policy=policy,
        against=against,
        options=options,
        **limits,
    )
    if game is not None:
        player.engine(game)
    return player


def player_kinds() -> list[str]:
    """The names that a description can begin with."""
    return [
        "human",
        "random",
        "engine",
        *(n for n in SEARCHES if n != "engine"),
        *MONTE_CARLO,
        *AT_ONCE,
        *PATHS,
        "mixed",
        "strategy",
        "model",
    ]


def _allowed(name: str, game: Game | None) -> tuple[str, ...]:
    """The options that a kind of player takes: limits, and those parameters of its search that are numbers."""
    if name in ("human", "random"):
        return ("seed",) if name == "random" else ()
    if name == "mixed":
        return (*_LIMITS, "share", "seed")
    search = strongest(game) if name == "engine" and game is not None else name
    parameters = {parameter.name for parameter in fields((SEARCHES | MONTE_CARLO | AT_ONCE | PATHS)[search])}
    if "policy" in parameters:
        parameters.add("against")
    limits = ("depth",) if name == "safe_response" else _LIMITS
    return (*limits, *(key for key in _READERS if key in parameters and key not in _LIMITS))


def _strategy(text: str, path: str, game: Game | None) -> Player:
    if not path or game is None:
        raise BadText(f"{text!r} is not a player: a strategy is read from a file, as in strategy:plan.json")
    from plyforge.solve.strategy import Strategy

    return StrategyPlayer(Strategy.load(path, game), f"strategy:{path}")


def _model(text: str, described: str, game: Game | None, seed: int | None) -> Player:
    from plyforge.play.model_player import ModelPlayer
    from plyforge.play.opponent_model import parse_model

    if game is None:
        raise BadText(f"{text!r} can't be read: a model of an opponent is one for a game, and none is given")
    return ModelPlayer(parse_model(described, game), seed, text.strip())


def _safe(
    text: str, policy: Any, limits: dict[str, Any], options: dict[str, Any], native: bool | None
) -> Player:
    """It has no clock: without a depth it looks to the end of the game."""
    from plyforge.play.model_player import SafePlayer
    from plyforge.search import SafeResponse

    given = options if policy is None else options | {"policy": policy}
    return SafePlayer(SafeResponse(**given), limits.get("depth"), native, text.strip())


def _read_options(text: str, rest: str, allowed: tuple[str, ...]) -> dict[str, Any]:
    options: dict[str, Any] = {}
    for part in rest.split(","):
        key, equals, value = (piece.strip() for piece in part.partition("="))
        if key not in allowed or not equals:
            takes = (
                f"it takes {', '.join(f'{key}=...' for key in allowed)}" if allowed else "it takes no options"
            )
            raise BadText(f"{text!r} is not a player: {part.strip()!r} is not understood, {takes}")
        if key in options:
            raise BadText(f"{text!r} is not a player: {key} is given twice")
        try:
            options[key] = _READERS[key](value)
        except ValueError:
            kind = _KINDS[_READERS[key]]
            raise BadLimits(f"{text!r}: {key} must be {kind}, not {value[:40]!r}") from None
    return options


def _did_you_mean(name: str) -> str:
    import difflib

    near = difflib.get_close_matches(name, player_kinds(), n=1, cutoff=0.6)
    return f"did you mean {near[0]}? " if near else ""


# ------------------------------------------------------------------ what a search thought, in words
def explain(found: Result, speaker: int | None = None) -> str:
    """A result in one line: the value and whose it is, how far and how long it looked, what it expects next.

    A player that speaks of itself says "I".
    """
    if found.depth == 0 and not found.exact:
        return "no time to look ahead: the first legal action"
    took = "under 0.01 s" if found.seconds < 0.01 else f"{found.seconds:.2f} s"
    if isinstance(found, (MixedResult, MonteCarloResult)):
        looked = f"{_number(found.simulations, 'simulation')} in {took}, {_number(found.nodes, 'node')} in the tree"
    else:
        # what is proven need not be the whole game: a shortest win ends before the rest of it is seen
        proven = "to the end of the game" if distance(found) is None else "as far as the proof needs"
        assert found.game is not None
        ahead = f"{_number(found.depth, 'ply', 'plies')}{in_rounds(found.game, found.depth)} ahead"
        looked = f"looked {proven if found.exact else ahead}; {_number(found.nodes, 'node')} in {took}"
    parts = [value_words(found, speaker), looked]
    expected = found.line_text()[1:]
    if expected:
        more = " ..." if len(expected) > LINE_SHOWN else ""
        parts.append(f"expects {' '.join(expected[:LINE_SHOWN])}{more}")
    return "; ".join(parts)


def distance(found: Result) -> int | None:
    """Within how many plies a proven value is reached, where the search says so."""
    return getattr(found, "distance", None)


def value_words(found: Result, speaker: int | None = None) -> str:
    """A value with its owner, and what it means: `+0.3 for MAX (an estimate: MAX is ahead)`."""
    game = found.game
    assert game is not None
    if found.player is None:
        return f"{each(game, found.value)} ({'exact' if found.exact else 'an estimate'})"
    value = f"{signed(found.value)} for {player_name(game, found.player)}"
    if found.using == "best_reply" and game.players > 2:
        return f"{value} (if one opponent replies and the others stand aside)"
    if game.players != 2 or game.total is None:
        return f"{value} ({'exact' if found.exact else 'an estimate'})"
    lead = found.value - game.total / 2
    leader = found.player if lead > 0 else 1 - found.player
    even = abs(lead) < EVEN
    name = player_name(game, leader)
    if not found.exact:
        ahead = "I am ahead" if leader == speaker else f"{name} is ahead"
        return f"{value} (an estimate: {'even' if even else ahead})"
    if game.has_chance or found.using in ("expectimax", "safe_response"):
        return f"{value} (exact, on average: {'even' if even else f'{name} is ahead'})"
    return f"{value} ({'a draw, proven' if even else _win_words(found, leader, speaker)})"


def _win_words(found: Result, winner: int, speaker: int | None) -> str:
    """A proven win: `X (MAX) wins in 5 plies at the latest`; `I win ...`, `I lose ...` where the speaker is one of the two."""
    assert found.game is not None
    plies = distance(found)
    when = "with best play" if plies is None else f"in {_number(plies, 'ply', 'plies')} at the latest"
    if speaker is None:
        return f"{player_name(found.game, winner)} wins {when}"
    if winner == speaker:
        return f"I win {when}"
    return f"I lose {when}" if plies is None else f"I lose {when}, against best play"


def each(game: Game, values: tuple[float, ...]) -> str:
    """One number for each player: `+1 for MAX, -1 for MIN`."""
    return ", ".join(
        f"{signed(value)} for {player_name(game, player)}" for player, value in enumerate(values)
    )


def signed(value: float) -> str:
    """A number with its sign, short; zero has none."""
    text = f"{value:+.4g}"
    return "0" if float(text) == 0 else text


def _number(count: int, one: str, several: str = "") -> str:
    return f"{count:,} {one if count == 1 else several or one + 's'}"


__all__ = [
    "Choice",
    "Human",
    "MixedPlayer",
    "Player",
    "RandomPlayer",
    "SearchPlayer",
    "StrategyPlayer",
    "explain",
    "parse_player",
    "player_kinds",
    "value_words",
]
