"""What a search requires of a game, so that its answer is sound; and what to use where it isn't met."""

from __future__ import annotations

from dataclasses import dataclass

from plyforge.errors import Unsuitable
from plyforge.game import Game


@dataclass(frozen=True)
class Needs:
    """Requirements, each with the reason that is given when it is not met."""

    at_most_players: int | None = None
    constant_sum: bool = False
    no_chance: bool = False

    def missing(self, game: Game) -> str | None:
        """What `game` lacks, in words; None if it has everything."""
        if self.at_most_players is not None and game.players > self.at_most_players:
            return f"it has {game.players} players"
        if self.constant_sum and game.players > 1 and game.total is None:
            return "what one player wins is not what the others lose (total is None)"
        if self.no_chance and game.has_chance:
            return "chance moves in it"
        return None

    def check(self, game: Game, name: str) -> None:
        """Raise Unsuitable, naming searches that suit the game."""
        problem = self.missing(game)
        if problem:
            raise Unsuitable(
                f"{name} is not sound for {type(game).__name__}: {problem}. Use {' or '.join(map(repr, sound(game)))} instead"
            )


TWO_PLAYERS_NO_CHANCE = Needs(at_most_players=2, constant_sum=True, no_chance=True)
TWO_PLAYERS = Needs(at_most_players=2, constant_sum=True)
ONE_PLAYER_NO_CHANCE = Needs(at_most_players=1, no_chance=True)
NO_CHANCE = Needs(no_chance=True)
ANY_GAME = Needs()


def suitable(game: Game) -> str:
    """The search to use for a game where nothing else was said."""
    return sound(game)[0]


def sound(game: Game) -> tuple[str, str]:
    """Two searches that suit a game: the textbook's, and the strongest."""
    if game.has_costs and ONE_PLAYER_NO_CHANCE.missing(game) is None:
        return "a_star", "real_time_a_star"
    if TWO_PLAYERS_NO_CHANCE.missing(game) is None:
        return "alpha_beta", "engine"
    if TWO_PLAYERS.missing(game) is None:
        return "expectiminimax", "dice_engine"
    return "max_n", "uct"
