"""What a search requires of a game, so that its answer is sound; and what to use where it isn't met."""

from __future__ import annotations

from dataclasses import dataclass

from plyforge.contract import Game, defines
from plyforge.errors import Unsuitable

HIDDEN = "players don't see everything in it (hidden information)"
INSTEAD = (
    "Use 'is_mcts', 'pimc' or another search of what a player sees; `plyforge solve`"
    " (`plyforge.solve.hidden_equilibrium`) finds an equilibrium of a small one, and `plyforge check` counts its"
    " information sets"
)


@dataclass(frozen=True)
class Needs:
    """Requirements, each with the reason that is given when it is not met."""

    at_most_players: int | None = None
    constant_sum: bool = False
    no_chance: bool = False
    one_at_a_time: bool = True
    no_rewards: bool = True
    nothing_hidden: bool = True
    """A search looks at states, and whoever plays a game of hidden information sees none."""
    something_hidden: bool = False
    """Where everything is seen, other searches do better."""

    def missing(self, game: Game) -> str | None:
        """What `game` lacks, in words; None if it has everything."""
        if self.nothing_hidden and game.hidden_information:
            return HIDDEN
        if self.something_hidden and not game.hidden_information:
            return "players see everything in it"
        if self.one_at_a_time and type(game).legal_actions is not Game.legal_actions:
            return "players choose at the same time in it"
        if self.no_rewards and game.has_rewards:
            return "actions bring rewards on the way in it"
        if self.at_most_players is not None and game.players > self.at_most_players:
            return f"it has {game.players} players"
        if self.constant_sum and game.players > 1 and game.utility_sum is None:
            return "what one player wins is not what the others lose (total is None)"
        if self.no_chance and game.has_chance:
            return "chance moves in it"
        return None

    def check(self, game: Game, name: str) -> None:
        """Raise Unsuitable, naming searches that suit the game."""
        if not isinstance(game, Game):
            raise Unsuitable(
                f"{name} searches a Game, and {game!r} is none: pf.load finds games by their names, as pf.search does"
            )
        problem = self.missing(game)
        if problem == HIDDEN:
            raise Unsuitable(f"{name} is not sound for {type(game).__name__}: {HIDDEN}. {INSTEAD}")
        if problem:
            others = " or ".join(map(repr, dict.fromkeys(sound(game))))
            exact = (
                ""
                if ANY_GAME.missing(game) is None
                else ", or for the exact value `plyforge solve` (`plyforge.solve.graph.stage_equilibrium`)"
            )
            raise Unsuitable(f"{name} is not sound for {type(game).__name__}: {problem}. Use {others} instead{exact}")


def unbounded(game: Game) -> str | None:
    """Says that a game's utility has no bounds, for searches that go by them; None if it has."""
    bounded = float(game.max_utility) - float(game.min_utility) < float("inf")
    return None if bounded else "its utility has no bounds"


TWO_PLAYERS_NO_CHANCE = Needs(at_most_players=2, constant_sum=True, no_chance=True)
TWO_PLAYERS = Needs(at_most_players=2, constant_sum=True)
ONE_PLAYER_NO_CHANCE = Needs(at_most_players=1, no_chance=True)
NO_CHANCE = Needs(no_chance=True)
ANY_GAME = Needs()
ALSO_AT_ONCE = Needs(one_at_a_time=False, no_rewards=False)
HIDDEN_GAME = Needs(nothing_hidden=False, something_hidden=True)


def suitable(game: Game) -> str:
    """The search to use for a game where nothing else was said."""
    return sound(game)[0]


def sound(game: Game) -> tuple[str, str]:
    """Two searches that suit a game: the textbook's, and the strongest. Raises Unsuitable where there is none."""
    if game.hidden_information:
        HIDDEN_GAME.check(game, "searching")
        return "is_mcts", "is_mcts"
    if ANY_GAME.missing(game) is not None:
        return "regret_matching", "regret_matching"
    if defines(game.costs, "cost") and ONE_PLAYER_NO_CHANCE.missing(game) is None:
        return "a_star", "real_time_a_star"
    if TWO_PLAYERS_NO_CHANCE.missing(game) is None:
        return "alpha_beta", "engine"
    if TWO_PLAYERS.missing(game) is None:
        return "expectiminimax", "dice_engine"
    return "max_n", "uct"
