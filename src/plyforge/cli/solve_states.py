"""`plyforge solve` where all states are looked at: retrograde analysis, backward induction, value iteration."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from plyforge.cli import options
from plyforge.cli.solve_words import in_words, print_rows, state_text
from plyforge.contract import format_action

MOST_SHOWN = 4
"""So many of the farthest states are shown."""

if TYPE_CHECKING:
    from plyforge.contract import Game


def print_every_state(game: Game, root: Any, table: str | None, native: bool | None, as_json: bool) -> None:
    """Solve all states, or read the file in which they are."""
    from plyforge.cli.report import value_text
    from plyforge.solve import load_solution, strongly
    from plyforge.solve.table_file import is_there
    from plyforge.writing import require_writable

    if table is not None and not is_there(table):
        require_writable(table)
    read = table is not None and is_there(table)
    progress = options.ProgressLine()
    try:
        if read:
            assert table is not None
            solved = load_solution(table, game, root)
        else:
            with options.quiet_fallback():
                solved = strongly(game, root, native=native, on_progress=progress)
    finally:
        progress.clear()
    if table is not None and not read:
        solved.save(table)
    words = in_words(game, solved.value())
    if as_json:
        found = {"game": str(game), "state": state_text(game, root), "words": words, **solved.to_json()}
        options.print_json({**found, "using": "retrograde analysis", "table": table, "read": read})
        return
    line = " ".join(solved.line_text())
    distance = solved.distance()
    counts = ", ".join(f"{count:,} worth {value_text(value)}" for value, count in solved.counts.items())
    best = ", ".join(format_action(game, root, action) for action in solved.best())
    rows = [("value", f"{value_text(solved.value())}  {words}"), ("best", best or "none: the game is over")]
    if distance is not None:
        rows.append(("distance", f"{distance} plies to the end, if the winner hurries and the loser delays"))
    rows += [
        ("line", line or "-"),
        ("states", f"{solved.states:,}: {counts}"),
        ("farthest end", f"{solved.longest} plies away"),
        ("solved", f"in {solved.seconds:.2f} s, {'compiled' if solved.native else 'interpreted'}"),
    ]
    if table is not None:
        rows.append(("table", f"{'read from' if read else 'kept in'} {table}"))
    print_rows(game, root, rows)


# ------------------------------------------------------------ puzzles
def print_distances(game: Game, root: Any, native: bool | None, as_json: bool) -> None:
    """What the best path costs from every state, for one player."""
    import math

    from plyforge.solve import distances

    progress = options.ProgressLine()
    try:
        with options.quiet_fallback():
            found = distances(game, root, native=native, on_progress=progress)
    finally:
        progress.clear()
    length = found.distance_of(root)
    line: list[str] = []
    state = root
    for action in found.line():
        line.append(format_action(game, state, action))
        state = game.result(state, action)
    if as_json:
        words = "to the player" if math.isfinite(length) else "no end can be reached"
        said = {"game": str(game), "state": state_text(game, root), "words": words, **found.to_json()}
        options.print_json({**said, "line": line, "using": "a census of distances"})
        return
    from plyforge.cli.report import value_text

    best = ", ".join(format_action(game, root, action) for action in found.best_of())
    farthest = "  ".join(state_text(game, state) for state in found.farthest[:MOST_SHOWN])
    counts = ", ".join(f"{number:,} at {distance:g}" for distance, number in found.counts.items())
    number = len(found.farthest)
    rows = [
        ("value", f"{value_text(found.value)}  to the player" if math.isfinite(length) else "no end can be reached"),
        ("best", best or "none: the game is over"),
        ("line", " ".join(line) or "-"),
        ("cost", f"{length:g}"),
        ("states", f"{found.states:,}: {counts}"),
        ("farthest", f"{number:,} at {found.longest:g}: {farthest}{'' if number <= MOST_SHOWN else ' ...'}"),
        ("solved", f"in {found.seconds:.2f} s, {'compiled' if found.native else 'interpreted'}"),
    ]
    print_rows(game, root, rows)


# ------------------------------------------------------ games with chance, of several players, or without a certain end
def print_backwards(game: Game, root: Any, native: bool | None, as_json: bool) -> None:
    """Solve by backward induction, or by value iteration where states can come back."""
    import plyforge as pf
    from plyforge.errors import Unsuitable
    from plyforge.search.core.requirements import TWO_PLAYERS

    progress = options.ProgressLine()
    try:
        solution = pf.solve(game, root, on_progress=progress)
    except Unsuitable:
        if TWO_PLAYERS.missing(game) is not None:
            raise
        progress.clear()
        _iterate(game, root, native, as_json)
        return
    finally:
        progress.clear()
    best = [format_action(game, root, action) for action in solution.best_of(root)]
    _print_states(game, root, solution, solution.value, best, "backward induction", as_json)


def _iterate(game: Game, root: Any, native: bool | None, as_json: bool) -> None:
    """Solve by value iteration."""
    from plyforge.solve import value_iteration

    progress = options.ProgressLine()
    try:
        with options.quiet_fallback():
            found = value_iteration(game, root, native=native, on_progress=progress)
    finally:
        progress.clear()
    best = [format_action(game, root, action) for action in found.best]
    _print_states(game, root, found, found.value if found.converged else None, best, "value iteration", as_json)


def _print_states(game: Game, root: Any, found: Any, value: Any, best: list[str], using: str, as_json: bool) -> None:
    """What a method that looks at every state has found. No value: only bounds, since the game can go on for ever."""
    rate = found.states / max(found.seconds, 1e-9)
    bounds = getattr(found, "bounds", (value, value))
    said = "between these: it can go on for ever, and the rules don't say what that is worth"
    words = said if value is None else in_words(game, value)
    if as_json:
        options.print_json(
            {
                "game": str(game), "state": state_text(game, root), "words": words,
                "value": list(value) if isinstance(value, tuple) else value,
                "bounds": None if isinstance(value, tuple) else list(bounds), "best": best, "distance": None,
                "states": found.states, "seconds": found.seconds, "rate": rate, "using": using,
            }
        )  # fmt: skip
        return
    from plyforge.cli.report import value_text

    if isinstance(value, float):
        number = f"{value:.10g}"
    else:
        number = f"{bounds[0]:.10g} to {bounds[1]:.10g}" if value is None else value_text(value)
    rows = [
        ("value", f"{number}  {words}"),
        ("best", ", ".join(best) or "none: chance moves, or the game is over"),
        ("solved", f"{found.states:,} states, {found.seconds:.2f} s, {rate:,.0f} states a second, by {using}"),
    ]
    print_rows(game, root, rows)
