"""`plyforge solve` where something is hidden: an equilibrium, with what it guarantees, and what actions cost."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from plyforge.cli import options
from plyforge.cli.solve_words import print_rows, state_text

if TYPE_CHECKING:
    from plyforge.contract import Game
    from plyforge.solve.hidden import HiddenSolution, HistoryTree, Root

MOST_LISTED = 60
"""Information sets whose mixes are listed."""


@dataclass(frozen=True)
class HiddenCall:
    """What was asked for."""

    using: str
    iterations: int | None
    seed: int
    observation: str | None
    player: int | None
    lock: str | None
    strategy: str | None
    keep: str | None
    native: bool | None
    as_json: bool


def print_hidden(game: Game, root: Any, call: HiddenCall) -> None:
    """Solve, and show the value, the bounds and everybody's mixes."""
    from plyforge.errors import Interrupted
    from plyforge.solve.hidden import hidden_equilibrium
    from plyforge.solve.hidden.strategy_file import MixedStrategy, read_locks
    from plyforge.writing import require_writable

    if call.strategy is not None:
        require_writable(call.strategy)

    def locks(tree: HistoryTree) -> Any:
        return read_locks(call.lock or "", tree)

    progress, stopped = RegretLine(), False
    try:
        with options.quiet_fallback():
            solved = hidden_equilibrium(
                game, root, call.using, call.iterations, call.native, seed=call.seed,
                roots=_roots(game, root, call), locks=None if call.lock is None else locks, keep=call.keep,
                on_progress=progress,
            )  # fmt: skip
    except Interrupted as interrupted:
        solved, stopped = interrupted.found, True
    finally:
        progress.clear()
    if call.strategy is not None:
        MixedStrategy.of(solved).save(call.strategy)
    if call.as_json:
        options.print_json(_json(game, root, solved, stopped))
    else:
        _print(game, root, solved, call, stopped)
    if stopped:
        raise click.exceptions.Exit(130)


def _roots(game: Game, root: Any, call: HiddenCall) -> list[Root] | None:
    """Where it begins, if that is an observation."""
    if call.observation is None:
        return None
    from plyforge.contract import PUBLIC
    from plyforge.solve.hidden import history_tree
    from plyforge.solve.hidden.advice import roots_seeing
    from plyforge.solve.hidden.strategy_file import observation_of

    eyes = PUBLIC if call.player is None else call.player
    seen = observation_of(game, call.observation, eyes)
    return roots_seeing(history_tree(game, root, native=call.native), seen, eyes)


class RegretLine(options.ProgressLine):
    """The progress line: iterations, and how exploitable what was found is."""

    def text(self, progress: Any) -> str:
        rate = progress.iterations / max(progress.seconds, 1e-9)
        parts = [
            f"{progress.seconds:.0f} s (Ctrl-C stops)",
            f"{progress.iterations:,} iterations, {rate:,.0f} a second",
        ]
        if progress.exploitability is not None:
            parts.append(f"exploitability {progress.exploitability:.3g}")
        return ", ".join(parts)


def _print(game: Game, root: Any, solved: HiddenSolution, call: HiddenCall, stopped: bool) -> None:
    from plyforge.solve.hidden.solution import NAMES, NO_GUARANTEE

    if game.players == 2:
        rows = [("value", f"{solved.value:.6f}  to MAX, the first player")]
    else:
        rows = [("value", ", ".join(f"{value:.6f}" for value in solved.values) + "  one number for each player")]
    if call.observation is not None:
        rows.append(("from", f"{call.observation}: the states that look so, as likely as chance makes them"))
    if solved.lower is not None:
        rows.append(
            ("between", f"{solved.lower:.6f} and {solved.upper:.6f}: exploitability {solved.exploitability:.2g}")
        )
    else:
        rows.append(("NashConv", f"{solved.nash_conv:.2g}, measured; {NO_GUARANTEE}"))
    if solved.locks:
        rows.append(("locked", f"{len(solved.locks):,} information sets: all know what is done there"))
    rows += _mixes(game, solved) if solved.tree.sets <= MOST_LISTED else []
    many = "" if solved.using == "lp" else f"{solved.iterations:,} iterations of "
    rows.append(
        (
            "stopped" if stopped else "solved",
            f"{many}{NAMES[solved.using]}, {solved.histories:,} histories, "
            f"{solved.tree.sets:,} information sets, {solved.seconds:.2f} s",
        )
    )
    if call.strategy is not None:
        rows.append(("strategy", f"kept in {call.strategy}"))
    if call.keep is not None and solved.using != "lp":
        rows.append(("checkpoint", f"kept in {call.keep}: the same command with more iterations goes on"))
    print_rows(game, root, rows)


def _mixes(game: Game, solved: HiddenSolution) -> list[tuple[str, str]]:
    """Of each information set: what is seen, and how often to do what."""
    from plyforge.cli.report import mixer

    rows = []
    order = sorted(solved.information_sets, key=lambda each: (each.player, state_text(game, each.observation)))
    for each in order:
        mix = "  ".join(f"{text} {share:.4f}" for text, share in action_texts(game, each).items())
        rows.append((f"{mixer(game, each.player)} who sees {state_text(game, each.observation)}", mix))
    return rows


def action_texts(game: Game, each: Any) -> dict[str, float]:
    """The mix of an information set, by the actions' texts."""
    from plyforge.contract import format_action

    return {format_action(game, each.observation, action): share for action, share in each.policy.items()}


def _json(game: Game, root: Any, solved: HiddenSolution, stopped: bool) -> dict[str, Any]:
    from plyforge.solve.hidden.strategy_file import set_to_json

    listed = solved.tree.sets <= MOST_LISTED
    return {
        "game": str(game), "state": state_text(game, root), "using": solved.using, "value": solved.value,
        "values": list(solved.values), "lower": solved.lower, "upper": solved.upper,
        "exploitability": solved.exploitability, "nash_conv": solved.nash_conv, "information_sets": solved.tree.sets,
        "histories": solved.histories, "iterations": solved.iterations, "locked": len(solved.locks),
        "seconds": solved.seconds, "stopped": stopped,
        "mixes": [set_to_json(game, each) for each in solved.information_sets] if listed else None,
    }  # fmt: skip
