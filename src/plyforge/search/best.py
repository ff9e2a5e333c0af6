"""The player called `best`: the strongest that there is for a game, where nobody says otherwise.

    choose(game).search        the search object        choose(game).text    "guarded_uct:exploration=0.4"
                                                        choose(game).why    a sentence

It is no algorithm of its own: it is a name for another one, decided by what the game is.

    players don't see everything                          is_mcts
    players choose at once, or actions bring rewards      regret_matching
    one player, and actions cost something                real_time_a_star
    the rules play games to their end themselves          uct, with their skill
    two sides, no chance, an estimate is known            engine
    two sides and dice, an estimate is known              dice_engine
    anything else                                         guarded_uct: simulations need no estimate

An estimate is the rules' own `evaluate`, or weights or a network that come with the game. Where there is none, a
network may have learned the rules in seconds, and candidates may have played a short contest (`contest.py`); whoever
won it is taken instead. So the answer depends on the game alone, and on what is kept on this machine; everything that
plays asks here.
"""

from __future__ import annotations

import dataclasses
from typing import Any

from plyforge.contract import Game, defines, knows_priors
from plyforge.evaluate import OwnEvaluation, opinion
from plyforge.evaluate.installed import INSTALLED, installed_network
from plyforge.evaluate.ntuples import NTUPLES, NTupleNetwork
from plyforge.search.chance_engine.engine import DiceEngine
from plyforge.search.contest import contestable, verdict
from plyforge.search.core.base import Search
from plyforge.search.core.requirements import (
    ANY_GAME,
    HIDDEN_GAME,
    ONE_PLAYER_NO_CHANCE,
    TWO_PLAYERS,
    TWO_PLAYERS_NO_CHANCE,
)
from plyforge.search.engine.engine import Engine
from plyforge.search.hidden import IsMcts
from plyforge.search.mcts import GuardedUct, Uct
from plyforge.search.paths import RealTimeAStar
from plyforge.search.simultaneous import RegretMatching

BEST = "best"
"""The name."""
SKILLED = {"rave": 1000.0, "exploration": 0.1, "weighted": True}
"""Where the rules play on by themselves, with skill: all-moves-as-first, and little exploration."""
PRIORS = 20
"""And where they say what is promising: for so many simulations that counts."""
STRONGER = "These rules have no evaluate(s): with an estimate of what a state is worth, the opponent would be stronger"
"""What to say to whoever wrote rules without one."""


@dataclasses.dataclass(frozen=True)
class Chosen:
    """What `best` stands for in a game."""

    search: Search
    why: str
    """In a sentence."""
    contested: bool = False
    """True if a contest decides between several, or could."""
    network: str = ""
    """The network that it judges by, as descriptions of players have it, where its name alone does not say so."""

    @property
    def text(self) -> str:
        """The search as a description of a player has it, with all that differs from its defaults."""
        text = described(self.search)
        return f"{text}{',' if ':' in text else ':'}network={self.network}" if self.network else text


def informed(game: Game) -> bool:
    """True if something better than the middle of the bounds is known about states that are not terminal."""
    return type(game).evaluate is not Game.evaluate or opinion(game) is not None


def choose(game: Game, estimated: bool = False) -> Chosen:
    """The strongest search for a game, and why it is that one. `estimated`: whoever asks brings an estimate along.
    Raises Unsuitable where there is none."""
    if game.hidden_information:
        HIDDEN_GAME.check(game, "searching")
        return Chosen(IsMcts(), "players don't see everything, and simulations of worlds that fit need no more")
    if ANY_GAME.missing(game) is not None:
        return Chosen(RegretMatching(), f"{ANY_GAME.missing(game)}, so it mixes")
    if defines(game.costs, "cost") and ONE_PLAYER_NO_CHANCE.missing(game) is None:
        return Chosen(RealTimeAStar(), "one player looks for the cheapest path")
    if defines(game.heuristics, "rollout"):
        priors = PRIORS if knows_priors(game) else 0
        return Chosen(Uct(**SKILLED, priors=priors), "the rules play games to their end themselves")  # type: ignore[arg-type]
    if estimated or informed(game):
        if TWO_PLAYERS_NO_CHANCE.missing(game) is None:
            knows = opinion(game) or OwnEvaluation()
            installed = INSTALLED if installed_network(game) is not None else ""
            return Chosen(Engine(evaluation=knows, seed=1), "an estimate of its states is known", network=installed)
        if TWO_PLAYERS.missing(game) is None and _bounded(game):
            learned = opinion(game)
            return Chosen(
                DiceEngine(evaluation=learned or OwnEvaluation()),
                "an estimate of its states is known, and there are dice",
                network="" if learned is None else INSTALLED if installed_network(game) is not None else "own",
            )
    if not _bounded(game):
        return _without_bounds(game)
    found = verdict(game)
    if found is not None:
        network = NTUPLES if isinstance(found.evaluation, NTupleNetwork) else ""
        why = "what was learned in seconds of these rules, which have no estimate, won a contest"
        return Chosen(
            found, why if network else "it won a contest on these rules, which have no estimate", True, network
        )
    reason = "there are more than two sides" if game.players > 2 else "the rules have no estimate"
    return Chosen(GuardedUct(), f"{reason}, and simulations need none", contestable(game))


def _bounded(game: Game) -> bool:
    return float(game.max_utility) - float(game.min_utility) < float("inf")


def _without_bounds(game: Game) -> Chosen:
    """Who explores by the range of the utility needs one."""
    from plyforge.search.mcts.flat import Flat

    if TWO_PLAYERS_NO_CHANCE.missing(game) is None:
        return Chosen(Engine(seed=1), "its utility has no bounds")
    return Chosen(Flat(), "its utility has no bounds")


def described(search: Search) -> str:
    """A search as text: its name, and each parameter that is not as usual. What it judges by is not told: a name
    means what play takes with it."""
    usual = type(search)()
    parts = []
    for field in dataclasses.fields(search):
        value = getattr(search, field.name)
        if value != getattr(usual, field.name) and isinstance(value, (bool, int, float, str)):
            parts.append(f"{field.name}={written(value)}")
    return f"{search.name}:{','.join(parts)}" if parts else search.name


def written(value: Any) -> str:
    """A parameter as descriptions of players have it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:g}" if isinstance(value, float) else str(value)


__all__ = ["BEST", "STRONGER", "Chosen", "choose", "described", "informed"]
