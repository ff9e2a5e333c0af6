"""Whoever sits at the referee's table: our searches, other players of ours, and outside programs, behind one interface.

    engine:seconds=0.2    uct:simulations=1000    random    strategy:plan.json    gtp:gtp-rhino --level=3
    python:agent.py:Agent    talk:./bot                     uci:stockfish;UCI_Elo=1500    gnubg:gnubg;plies=0

An opponent is made ready before any clock runs (`prepare`: rules are compiled, programs started), is told of every new
game, and of every action that it did not choose itself. It keeps what it learns from move to move, and forgets it
between games.

Claim: with the same seed an opponent without time limits or threads plays the same game again: what it draws is decided
by the seed that `new_game` gives, not by what it played before.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from plyforge.contract import CHANCE, SIMULTANEOUS, Game, payoffs
from plyforge.errors import BadText, Unsuitable
from plyforge.games.backgammon import Backgammon
from plyforge.games.chess import Chess
from plyforge.kernel import mix, new_stream
from plyforge.play.describe import parse_player
from plyforge.play.players.agent import PYTHON, TALK, AgentOpponent, TalkOpponent
from plyforge.play.players.external import GNUBG, GTP, UCI, GnubgOpponent, GtpOpponent, UciOpponent, time_settings
from plyforge.play.players.model_player import ModelPlayer
from plyforge.play.players.opponent import HOPELESS_MOVES, SIMULATIONS_TO_RESIGN, Allowance, Forfeit, Opponent, Resigned
from plyforge.play.players.player import (
    Human,
    MixedPlayer,
    Player,
    RandomPlayer,
    SearchPlayer,
    drawn_choice,
    own_choice,
)
from plyforge.search import Clock, MixedResult, Result

MIXING = 0x6D6978
"""Of a game's seed: what draws a choice from a mix."""
SOON = 1.0
"""Seconds in which a search that was told to stop should have stopped."""


class SearchOpponent:
    """One of our searches."""

    def __init__(self, text: str, player: SearchPlayer, limited: bool) -> None:
        self.text, self.limited = text, limited
        self.seconds = player.seconds if limited else None
        self.threads = int(player.options.get("threads", 1))
        self.spoilt = False
        self.thought: dict[str, float] = {}
        self._player = self._current = player
        self._game: Game | None = None

    def prepare(self, game: Game) -> None:
        self._game = game
        engine = self._player.engine(game)
        start = _first_choice(game)
        if start is None:
            return
        monte_carlo = hasattr(engine.search, "simulations")
        small: list[dict[str, Any]] = [{"simulations": 1}] if monte_carlo else [{"nodes": 1}, {"depth": 1}]
        for limits in small:
            engine.start(start, **limits)
            found = engine.wait()
        if self._player.native is None and not found.native:  # trying again in every game would cost time on the clock
            self._player = replace(self._player, native=False)

    def new_game(self, seat: int, start: Any, seed: int) -> None:
        assert self._game is not None
        options = dict(self._player.options)
        if "seed" in options:
            options["seed"] = _seed(seed, options["seed"])
        # another object, whose engine knows nothing; what is compiled stays so, and its memory is used again
        before, self._current = self._current, replace(self._player, options=options)
        engine = self._current.engine(self._game)
        engine.take_over(before.engine(self._game))
        engine.make_ready()
        self._seat, self._hopeless = seat, 0
        self._stream = new_stream(_seed(seed, MIXING))

    def told(self, state: Any, action: Any, player: int) -> None:
        pass

    def choose(self, state: Any, allowance: Allowance, history: Sequence[Any] = ()) -> Any:
        assert self._game is not None
        player = self._current
        engine = player.engine(self._game)
        engine.start(
            state,
            depth=player.depth,
            nodes=player.nodes,
            seconds=player.seconds if self.limited else allowance.seconds,
            clock=None if self.limited else allowance.clock,
            simulations=player.simulations(self._game) if self.limited else None,
            history=history,
            here=not self.limited and allowance.clock is not None,
        )
        try:
            found = engine.wait(None if math.isinf(allowance.patience) else allowance.patience)
        except TimeoutError:
            engine.stop()
            with contextlib.suppress(Exception):
                engine.wait(SOON)
            self.spoilt = engine.running
            raise Forfeit("stall", f"no answer in {allowance.patience:g} s") from None
        engine.sent()
        self.thought = thought_of(found)
        if self._gives_up(found):
            raise Resigned(f"{self.text} resigned")
        if isinstance(found, MixedResult):
            return drawn_choice(found.policies[self._seat], self._stream)
        return found.action

    def _gives_up(self, found: Result) -> bool:
        """True after a few moves in a row at which it expects too little, where it was told what that is."""
        game, least = self._game, self._current.resign
        if least is None or (
            not found.exact and getattr(found, "simulations", SIMULATIONS_TO_RESIGN) < SIMULATIONS_TO_RESIGN
        ):
            return False
        assert game is not None
        own, low, high = (payoffs(game, v)[self._seat] for v in (found.value, game.min_utility, game.max_utility))
        if found.player == self._seat:  # some searches say what the state is worth to the mover
            own = float(found.value)
        if own - min(low, high) < least * abs(high - low):
            self._hopeless += 1
        else:
            self._hopeless = 0
        return self._hopeless >= HOPELESS_MOVES

    def close(self) -> None:
        pass


class PlainOpponent:
    """A player that takes no time to speak of: random, or a strategy."""

    limited = True
    seconds: float | None = None
    threads = 1
    spoilt = False

    def __init__(self, text: str, player: Player) -> None:
        self.text = text
        self._player = player
        self._game: Game | None = None

    def prepare(self, game: Game) -> None:
        self._game = game

    def new_game(self, seat: int, start: Any, seed: int) -> None:
        self._current, self._seat = self._player, seat
        self._stream = new_stream(_seed(seed, MIXING))
        if isinstance(self._player, RandomPlayer):
            self._current = RandomPlayer(_seed(seed, self._player.seed))
        elif isinstance(self._player, ModelPlayer):
            self._current = self._player.reseeded(_seed(seed, self._player.seed))

    def told(self, state: Any, action: Any, player: int) -> None:
        pass

    def choose(self, state: Any, allowance: Allowance, history: Sequence[Any] = ()) -> Any:
        assert self._game is not None
        if int(self._game.player(state)) == SIMULTANEOUS:
            return own_choice(self._game, state, self._seat, self._current, self._stream, history=history)[0]
        return self._current.choose(self._game, state, history=history).action

    def close(self) -> None:
        pass


class MixedOpponent(SearchOpponent):
    """One of our searches that now and then plays anything."""

    def __init__(self, text: str, player: MixedPlayer) -> None:
        super().__init__(text, player.skilled, limited=True)
        self._mixed = player

    def new_game(self, seat: int, start: Any, seed: int) -> None:
        super().new_game(seat, start, seed)
        self._luck = self._mixed.reseeded(_seed(seed, self._mixed.seed))

    def choose(self, state: Any, allowance: Allowance, history: Sequence[Any] = ()) -> Any:
        assert self._game is not None
        lapse = self._luck.lapse(self._game, state, history)
        self.thought = {}
        return super().choose(state, allowance, history) if lapse is None else lapse.action


def make_opponent(
    text: str,
    game: Game,
    *,
    seconds: float | None = None,
    clock: Clock | None = None,
    native: bool | None = None,
    player: Player | None = None,
) -> Opponent:
    """The opponent that `text` describes, or `player`, an object of that name, checked against the game. `seconds`
    and `clock` are the match's: for opponents with no limits of their own."""
    text = text.strip()
    if player is not None:
        return _opponent(text, player)
    if text.lower().startswith(GTP):
        if game.has_chance:
            raise Unsuitable(f"GTP has no dice: {type(game).__name__} can't be played over it")
        return GtpOpponent(text, time_settings(seconds, clock))
    if text.lower().startswith(UCI):
        if not isinstance(game, Chess):
            raise Unsuitable(f"UCI is for chess: {type(game).__name__} can't be played over it")
        return UciOpponent(text, timed=seconds is not None or clock is not None)
    if text.lower().startswith(PYTHON):
        return AgentOpponent(text)
    if text.lower().startswith(TALK):
        return TalkOpponent(text, timed=seconds is not None or clock is not None)
    if text.lower().startswith(GNUBG):
        if not isinstance(game, Backgammon):
            raise Unsuitable(f"GNU Backgammon plays backgammon, not {type(game).__name__}")
        return GnubgOpponent(text)
    default = seconds if clock is None else clock.remaining
    programs = (f"{GTP}COMMAND", f"{UCI}COMMAND", f"{GNUBG}COMMAND", f"{PYTHON}FILE:CLASS", f"{TALK}COMMAND")
    parsed = parse_player(text, game, seconds=default, native=native, seed=1, further=programs, resigns=True)
    if isinstance(parsed, Human):
        raise BadText(
            "a person can't play in a match: plyforge play is for that. Name an algorithm, or a program as in"
            " gtp:COMMAND or uci:COMMAND"
        )
    if not isinstance(parsed, SearchPlayer):
        return _opponent(text, parsed)
    own = parsed.depth is not None or parsed.nodes is not None or "simulations" in parsed.options
    limited = default is None or own or parsed.seconds != default
    return SearchOpponent(text, parsed if limited else replace(parsed, seconds=None), limited)


def _opponent(text: str, player: Player) -> Opponent:
    """A player at the referee's table, with the limits that it has."""
    if isinstance(player, MixedPlayer):
        return MixedOpponent(text, player)
    if isinstance(player, SearchPlayer):
        return SearchOpponent(text, player, limited=True)
    return PlainOpponent(text, player)


def thought_of(found: Result) -> dict[str, float]:
    """What a search says of the action that it chose."""
    said = {"value": found.value, "depth": found.depth, "nodes": found.nodes}
    said["simulations"] = getattr(found, "simulations", None)
    visits = getattr(found, "visits", None)
    if isinstance(visits, dict):
        said["visits"] = visits.get(found.action)
    plain = (int, float)
    return {
        name: round(float(value), 6) if isinstance(value, float) else int(value)
        for name, value in said.items()
        if isinstance(value, plain) and math.isfinite(value)
    }


def _seed(game_seed: int, own: int) -> int:
    return int(mix(game_seed, own)) >> 1


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


__all__ = ["MixedOpponent", "PlainOpponent", "SearchOpponent", "make_opponent"]
