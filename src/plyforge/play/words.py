"""What a search found, in words: `about +0.30 for X; looked 6 plies ahead; ...`, and why it ended.

Every face takes them from here: the terminal, the studio, the command line, protocols. What a value means is
`contract/value_words.py`, which solutions say, too.
"""

from __future__ import annotations

from plyforge.contract.naming import in_rounds
from plyforge.contract.value_words import everyone, in_words
from plyforge.search import HiddenResult, MixedResult, MonteCarloResult, PathResult, Result

LINE_SHOWN = 10
"""How many actions of the expected line a note shows."""

REASONS = {
    "complete": ("proven", "searched to the end of the game, the value is exact"),
    "depth": ("the depth is reached", "beyond it, values are estimates"),
    "nodes": ("the node limit", "the answer of the last finished depth"),
    "simulations": ("the simulations are made", "values are averages of random play, unless proven"),
    "seconds": ("the time is over", "the answer of the last finished depth"),
    "decided": ("the choice is made", "the time that was left could not have changed it"),
    "stopped": ("stopped", "the best found so far"),
    "memory": ("the memory is full", "the best found so far"),
    "trials": ("the trials are made", "the path of the last one"),
    "heuristic": ("an end was found", "the heuristic may say too much, so a better path is possible"),
    "answered": ("it has answered", "what it says is its opinion"),
}
"""Why a search ended: in short, and what that means for its answer."""


def ended(found: Result) -> str:
    """Why a search ended, in short."""
    return REASONS["complete"][0] if found.exact else REASONS.get(found.reason, (found.reason, ""))[0]


def ended_because(found: Result) -> str:
    """The same, with what it means for the answer."""
    short, meaning = REASONS.get(found.reason, (found.reason, ""))
    if found.exact:
        short, meaning = REASONS["complete"]
        plies = distance(found)
        if isinstance(found, PathResult):
            meaning = "an end, and no path can be better: the value is exact"
        elif plies is not None or isinstance(found, MonteCarloResult):
            ahead = "" if plies is None else f"{counted(plies, 'ply', 'plies')} ahead, "
            meaning = f"{ahead}the value is exact"
    elif isinstance(found, PathResult) and found.reason in ("nodes", "seconds"):
        meaning = "the best found so far"
    elif isinstance(found, MixedResult) and found.reason == "simulations":
        meaning = "mixes and values are estimates"
    elif isinstance(found, (MixedResult, MonteCarloResult)) and found.reason in ("nodes", "seconds"):
        meaning = ""
    return f"{short}: {meaning}" if meaning else short


def explain(found: Result, speaker: int | None = None) -> str:
    """A result in one line: the value and whose it is, how far and how long it looked, what it expects next.

    A player that speaks of itself says "I".
    """
    took = "under 0.01 s" if found.seconds < 0.01 else f"{found.seconds:.2f} s"
    if isinstance(found, (MixedResult, MonteCarloResult, HiddenResult)):
        if found.simulations == 0 < found.nodes:  # alpha-beta, the guard, has seen all that there is to see
            looked = f"{counted(found.nodes, 'node')} in {took}"
        else:
            looked = f"{counted(found.simulations, 'simulation')} in {took}, {counted(found.nodes, 'node')} in the tree"
    elif found.depth == 0 and not found.exact:
        if found.reason != "answered":
            return "no time to look ahead: the first legal action"
        looked = f"answered in {took}"
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
    """Within how many plies a value is reached, where the search says so."""
    return getattr(found, "distance", None)


def on_average(found: Result) -> bool:
    """True if chance has its part in a value, or a model of an opponent: then even a proven one is an average."""
    assert found.game is not None
    return bool(found.game.has_chance) or found.using in ("expectimax", "safe_response")


def value_words(found: Result, speaker: int | None = None) -> str:
    """What the value of a search says: `X wins in 7 plies, proven`, `about +0.35 for X`."""
    game = found.game
    assert game is not None
    words = in_words(
        game,
        everyone(game, found.value, found.player),
        bool(found.exact),
        distance(found),
        on_average=on_average(found),
        speaker=speaker,
        said=getattr(found, "said", ""),
    )
    if found.using == "best_reply" and game.players > 2:
        return f"{words} (if one opponent replies and the others stand aside)"
    return words


def counted(count: int, one: str, several: str = "") -> str:
    """A number of things: `1 node`, `2,000 nodes`."""
    return f"{count:,} {one if count == 1 else several or one + 's'}"


__all__ = ["REASONS", "counted", "distance", "ended", "ended_because", "explain", "on_average", "value_words"]
