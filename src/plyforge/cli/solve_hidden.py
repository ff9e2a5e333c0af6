"""`plyforge solve` where something is hidden: an equilibrium by CFR+, with what it guarantees."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from plyforge.cli import options
from plyforge.cli.solve_words import print_rows, state_text

if TYPE_CHECKING:
    from plyforge.contract import Game
    from plyforge.solve.hidden import RegretSolution

MOST_LISTED = 60
"""Information sets whose mixes are listed."""


def print_hidden(game: Game, root: Any, iterations: int, native: bool | None, as_json: bool) -> None:
    """Solve, and show the value, the bounds and everybody's mixes."""
    from plyforge.solve.hidden import cfr_plus

    solved = cfr_plus(game, root, iterations, native=native)
    if as_json:
        options.print_json(_json(game, root, solved))
        return
    rows = [
        ("value", f"{solved.value:.6f}  to MAX, the first player"),
        ("between", f"{solved.lower:.6f} and {solved.upper:.6f}: exploitability {solved.exploitability:.2g}"),
    ]
    rows += _mixes(game, solved) if len(solved.information_sets) <= MOST_LISTED else []
    rows.append(
        (
            "solved",
            f"{solved.iterations:,} iterations of CFR+, {solved.histories:,} histories, "
            f"{len(solved.information_sets):,} information sets, {solved.seconds:.2f} s",
        )
    )
    print_rows(game, root, rows)


def _mixes(game: Game, solved: RegretSolution) -> list[tuple[str, str]]:
    """Of each information set: what is seen, and how often to do what."""
    from plyforge.cli.report import mixer

    rows = []
    order = sorted(solved.information_sets, key=lambda each: (each.player, state_text(game, each.observation)))
    for each in order:
        mix = "  ".join(f"{text} {share:.4f}" for text, share in _texts(game, each).items())
        rows.append((f"{mixer(game, each.player)} who sees {state_text(game, each.observation)}", mix))
    return rows


def _texts(game: Game, each: Any) -> dict[str, float]:
    from plyforge.contract import format_action

    return {format_action(game, each.observation, action): share for action, share in each.policy.items()}


def _json(game: Game, root: Any, solved: RegretSolution) -> dict[str, Any]:
    return {
        "game": str(game), "state": state_text(game, root), "value": solved.value, "lower": solved.lower,
        "upper": solved.upper, "exploitability": solved.exploitability, "iterations": solved.iterations,
        "histories": solved.histories, "seconds": solved.seconds, "using": "CFR+",
        "information_sets": [
            {"player": each.player, "observation": state_text(game, each.observation), "mix": _texts(game, each)}
            for each in solved.information_sets
        ],
    }  # fmt: skip
