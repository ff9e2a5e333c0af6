"""What a search thought, in words: `+0.3 for MAX (an estimate: MAX is ahead); looked 6 plies ahead; ...`"""

from __future__ import annotations

from plyforge.contract import Game
from plyforge.contract.naming import in_rounds
from plyforge.play.session import player_name
from plyforge.search import (
    HiddenResult,
    MixedResult,
    MonteCarloResult,
    Result,
)

LINE_SHOWN = 10
"""How many actions of the expected line a note shows."""
EVEN = 1e-9
"""Values this close to the middle count as even: averages are rounded."""


def explain(found: Result, speaker: int | None = None) -> str:
    """A result in one line: the value and whose it is, how far and how long it looked, what it expects next.

    A player that speaks of itself says "I".
    """
    if found.depth == 0 and not found.exact:
        return "no time to look ahead: the first legal action"
    took = "under 0.01 s" if found.seconds < 0.01 else f"{found.seconds:.2f} s"
    if isinstance(found, (MixedResult, MonteCarloResult, HiddenResult)):
        looked = f"{counted(found.simulations, 'simulation')} in {took}, {counted(found.nodes, 'node')} in the tree"
    else:
        # what is proven need not be the whole game: a shortest win ends before the rest of it is seen
        proven = "to the end of the game" if distance(found) is None else "as far as the proof needs"
        assert found.game is not None
        ahead = f"{counted(found.depth, 'ply', 'plies')}{in_rounds(found.game, found.depth)} ahead"
        looked = f"looked {proven if found.exact else ahead}; {counted(found.nodes, 'node')} in {took}"
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
    if game.players != 2 or game.utility_sum is None:
        return f"{value} ({'exact' if found.exact else 'an estimate'})"
    lead = found.value - game.utility_sum / 2
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
    """A proven win: `X (MAX) wins in 5 plies at the latest`; `I win ...`, `I lose ...` where the speaker is one of
    the two."""
    assert found.game is not None
    plies = distance(found)
    when = "with best play" if plies is None else f"in {counted(plies, 'ply', 'plies')} at the latest"
    if speaker is None:
        return f"{player_name(found.game, winner)} wins {when}"
    if winner == speaker:
        return f"I win {when}"
    return f"I lose {when}" if plies is None else f"I lose {when}, against best play"


def each(game: Game, values: tuple[float, ...]) -> str:
    """One number for each player: `+1 for MAX, -1 for MIN`."""
    return ", ".join(f"{signed(value)} for {player_name(game, player)}" for player, value in enumerate(values))


def signed(value: float) -> str:
    """A number with its sign, short; zero has none."""
    text = f"{value:+.4g}"
    return "0" if float(text) == 0 else text


def counted(count: int, one: str, several: str = "") -> str:
    """A number of things: `1 node`, `2,000 nodes`."""
    return f"{count:,} {one if count == 1 else several or one + 's'}"


__all__ = ["counted", "distance", "each", "explain", "signed", "value_words"]
