"""Joint actions by number, where all players choose at once: what everybody chooses, as a tuple.

The choices of each player come from the rules (`legal_actions(s, player)`), one after the other; a joint action is one
of each. They are counted from 0, and the last player's choice changes fastest, so that the same number is the same
joint action at both speeds.
"""

from __future__ import annotations

import math
from typing import Any

from plyforge.kernel.function import when_compiling


def count_choices(game: Any, s: Any, player: int) -> int:
    """How many choices a player has where all choose at once."""
    number = 0
    for _ in game.legal_actions(s, player):
        number += 1
    return number


def nth_choice(game: Any, s: Any, player: int, number: int) -> Any:
    """One of a player's choices where all choose at once, counted from 0."""
    for choice in game.legal_actions(s, player):
        chosen = choice
        if number == 0:
            break
        number -= 1
    return chosen


def count_joint(game: Any, s: Any) -> int:
    """How many joint actions there are: the product of everybody's choices."""
    try:
        return math.prod(count_choices(game, s, player) for player in range(game.players))
    except NotImplementedError:  # rules with neither: they lack what everybody writes
        raise NotImplementedError(f"{type(game).__name__} has no actions(s)") from None


def nth_joint(game: Any, s: Any, number: int) -> tuple[Any, ...]:
    """One of the joint actions, counted from 0; the last player's choice changes fastest."""
    joint = []
    for player in range(game.players - 1, -1, -1):
        number, choice = divmod(number, count_choices(game, s, player))
        joint.append(nth_choice(game, s, player, choice))
    return tuple(reversed(joint))


@when_compiling
def _natively() -> None:
    from numba.extending import overload

    @overload(count_choices)
    def _count_choices(game, s, player):
        def count(game, s, player):
            number = 0
            for _ in game.legal_actions(s, player):
                number += 1
            return number

        return count

    @overload(nth_choice)
    def _nth_choice(game, s, player, number):
        def nth(game, s, player, number):
            left = number
            for choice in game.legal_actions(s, player):
                chosen = choice
                if left == 0:
                    break
                left -= 1
            return chosen

        return nth

    @overload(count_joint)
    def _count_joint(game, s):
        players = game.instance.players

        def count(game, s):
            number = 1
            for player in range(players):
                number *= count_choices(game, s, player)
            return number

        return count

    @overload(nth_joint)
    def _nth_joint(game, s, number):
        everyone = tuple(range(game.instance.players))
        return lambda game, s, number: nth_of(game, s, number, everyone)

    def count_of(game, s, players):
        """Only a name to overload."""

    @overload(count_of)
    def _count_of(game, s, players):
        def count(game, s, players):
            number = 1
            for player in players:
                number *= count_choices(game, s, player)
            return number

        return count

    def nth_of(game, s, number, players):
        """Only a name to overload."""

    @overload(nth_of)
    def _nth_of(game, s, number, players):
        if len(players) == 1:
            return lambda game, s, number, players: (nth_choice(game, s, players[0], number),)

        def nth(game, s, number, players):
            rest = count_of(game, s, players[1:])
            first = nth_choice(game, s, players[0], number // rest)
            return (first, *nth_of(game, s, number % rest, players[1:]))

        return nth
