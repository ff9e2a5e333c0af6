"""Offers of a draw: in which games they make sense, and what an algorithm answers.

Where two people play, they agree or they don't. An algorithm goes by what it thought: it accepts if the search behind
its last move expects no more for it than a draw brings, and declines if that expects more, or if there is no such
search.

Invariant: what it goes by is about the position on the board. A search of its own move counts only as long as that move
is the last turn of the game; after the other side's move, a throw of the dice or a turn that was taken back it has to
think again before it can agree.
"""

from __future__ import annotations

from dataclasses import dataclass

from plyforge.contract import Game, defines, drawn_payoffs
from plyforge.play.players.player import worth_to
from plyforge.play.session import GameSession, Turn, player_name
from plyforge.play.words import value_words
from plyforge.search import Result

EVEN = 1e-9
"""Values this close to a draw's count as one: averages are rounded."""


@dataclass(frozen=True)
class Thought:
    """A turn that an algorithm has taken, and the search behind it."""

    turn: Turn
    found: Result


@dataclass(frozen=True)
class Answer:
    """What somebody says to an offer of a draw."""

    accepted: bool
    words: str
    """Who accepts or declines, and why."""


def can_agree(game: Game) -> bool:
    """True if the players of a game may agree on a draw: two take turns for what one of them wins and the other
    loses, and the rules know draws, which are even."""
    even = game.utility_sum is not None and game.min_utility + game.max_utility == game.utility_sum
    return bool(
        game.history.draws_possible
        and game.players == 2
        and even
        and not defines(game, "legal_actions")
        and not game.has_rewards
    )


def expects_no_more(found: Result, player: int) -> bool:
    """True if a search expects no more for a player than a draw brings."""
    assert found.game is not None
    return worth_to(found, player) <= drawn_payoffs(found.game)[player] + EVEN


def thought_of(session: GameSession, found: Result | None) -> Thought | None:
    """What an algorithm that has just moved thought; None if it did not search, or nobody may know what was played."""
    if found is None or session.sealed or not session.history:
        return None
    return Thought(session.history[-1], found)


def answer(session: GameSession, player: int, thought: Thought | None) -> Answer:
    """What the algorithm in the seat of `player` says to a draw; see the module's text."""
    name = player_name(session.game, player)
    fresh = thought is not None and bool(session.history) and session.history[-1] is thought.turn
    if thought is None or not fresh or thought.turn.player != player:
        return Answer(False, f"{name} declines the draw: it has not searched this position")
    found = thought.found
    if found.depth == 0 and not found.exact:
        return Answer(False, f"{name} declines the draw: it had no time to look ahead")
    if not expects_no_more(found, player):
        return Answer(False, f"{name} declines the draw: {value_words(found, player)}")
    return Answer(True, f"{name} accepts the draw: {value_words(found, player)}")


__all__ = ["Answer", "Thought", "answer", "can_agree", "expects_no_more", "thought_of"]
