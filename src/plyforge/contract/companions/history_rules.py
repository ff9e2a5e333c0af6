"""What depends on the past of a game: repetition, superko, draws by rule.

A state does not know how it came about, and searches by the book go by states alone. What a rule says about the past is
told here, once for whoever plays (`draw_reason`, `forbidden`: Python, with the states of the game so far) and once for
the engine and Monte Carlo searches (`repetition`, `superko`, `rule_draw` ...: facts and compiled hooks).
"""

from __future__ import annotations

from typing import Any

from plyforge.contract.companions.companion import Action, Companion, Key, State
from plyforge.kernel.function import known_while_compiling


class HistoryRules(Companion):
    """The rules of a game about its past."""

    python_only = ("draw_reason", "forbidden")

    draws_possible: bool = True
    """False if no game can end in a draw: then none is offered in play."""
    repetition: bool = False
    """True if play can come back to a state. The engine, and Monte Carlo trees where two play without luck, take
    that for a draw."""
    superko: bool = False
    """True if no action may bring an earlier board back: `forbidden` tells it in play, `superko_key` to searches."""

    # ------------------------------------------------------------ compiled
    def rule_draw(self, game: Any, s: State) -> bool:
        """True if play ends in a draw here by a rule that needs nothing but the state, such as too many plies without
        progress.

        The state is not terminal for that: the engine and Monte Carlo searches take it for a draw, which proves
        nothing; searches by the book, counts of sequences, proofs and databases go on.
        """
        return False

    def reversible_plies(self, game: Any, s: State) -> int:
        """For so many plies back play may have been in this state before; earlier it can't have been."""
        return 1 << 30

    def superko_key(self, game: Any, s: State) -> Key:
        """A 64-bit hash of that which may not come back. An action that leaves it as it is, a pass, is allowed."""
        return game.key(s)

    # ------------------------------------------------------------ for whoever plays; never compiled
    def draw_reason(self, game: Any, history: list[State]) -> str:
        """Why play ends here in a draw for what happened before, such as "repetition"; "" if it goes on.

        `history` is every state of the game so far, this one included.
        """
        return ""

    def forbidden(self, game: Any, history: list[State], action: Action) -> str:
        """Why an action of `actions` may not be taken for what happened before, such as superko; "" if it may.

        `history` is every state of the game so far, the one to act in included. At least one action must be left.
        """
        return ""


@known_while_compiling
def repetition_draws(game: Any) -> bool:
    """True if coming back to a state is a draw to simulations: two play, without luck, and nothing forbids it."""
    rules = game.history
    return bool(rules.repetition and not rules.superko and game.players == 2 and not game.has_chance)


def key_in_play(game: Any, s: State) -> Key:
    """By which a state of the game so far is known again: the board where superko forbids one, else the state."""
    return game.history.superko_key(game, s) if game.history.superko else game.key(s)


__all__ = ["HistoryRules", "key_in_play", "repetition_draws"]
