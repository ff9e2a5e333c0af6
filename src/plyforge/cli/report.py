"""A search's result for people to read."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from rich.console import Console
from rich.table import Table

from plyforge.contract import CHANCE
from plyforge.contract.naming import in_rounds
from plyforge.contract.value_words import short_name, value_text, whose
from plyforge.play.players.programs.result import ProgramResult
from plyforge.play.words import ended_because, value_words
from plyforge.search import MixedResult, MonteCarloResult, PathResult

PICTURE_SECONDS = 2.0
"""For drawing a state."""


def error_text(error: Any, proven: bool = False) -> str:
    """What a value rests on: that it is proven, its standard error, or one for each player, "?" where one visit
    tells none; nothing for values without any."""
    if proven:
        return " (proven)"
    if error is None:
        return ""
    parts = error if isinstance(error, tuple) else (error,)
    return " ± " + ", ".join(f"{part:.2g}" if math.isfinite(part) else "?" for part in parts)


def picture(game: Any, state: Any) -> str:
    """The state as the rules show it; where they don't come back, in plain text. Boards that nobody drew are found
    by playing."""
    from plyforge.errors import BadRules
    from plyforge.plain_text import format_value
    from plyforge.search.protection.leash import back_in

    try:
        with back_in(PICTURE_SECONDS):
            return str(game.show(state))
    except BadRules:
        return format_value(state)


def print_rows(game: Any, state: Any, rows: list[tuple[str, str]]) -> None:
    """A position, and what is said about it: a name and a text each. No game: the rows alone."""
    console = Console(highlight=False)
    if game is not None:
        console.print(picture(game, state), markup=False)
        console.print()
    table = Table.grid(padding=(0, 2))
    table.add_column(style="dim")
    table.add_column()
    for name, text in rows:
        table.add_row(name, _escape(text))
    console.print(table)


def print_result(found: Any) -> None:
    """The position, then what was found."""
    console = Console(highlight=False)
    console.print(picture(found.game, found.state), markup=False)
    console.print()
    table = Table.grid(padding=(0, 2))
    table.add_column(style="dim")
    table.add_column()

    def row(name: str, text: str) -> None:
        table.add_row(name, text)

    game = found.game
    nothing = "there is nothing to choose"
    if found.game.terminal(found.state):
        nothing = "the game is over"
    elif found.game.player(found.state) == CHANCE:
        nothing = "chance moves here"
    elif found.depth == 0:
        nothing = "a search of depth 0 chooses nothing, it only estimates"
    action = f"none: {nothing}" if found.action is None else found.text(found.action)
    if isinstance(found, MixedResult) and found.policies:
        for player, policy in enumerate(found.policy_text()):
            shares = "  ".join(
                f"{_escape(text)} [bold]{share:.3f}[/bold]" for text, share in policy.items() if share >= 0.0005
            )
            row(_escape(f"mix of {short_name(game, player)}"), shares)
    else:
        row("best action", f"[bold]{_escape(action)}[/bold]")
    if len(found.best) > 1 and not isinstance(found, MixedResult):
        row("as good", _escape(", ".join(found.text(a) for a in found.best[1:])))
    row("value", f"{value_text(found.value)}  {whose(found.game, found.player)}: {value_words(found)}")
    if found.line:
        row("line", _escape(" ".join(found.line_text())))
    if len(found.values) > 1 and not isinstance(found, MixedResult):
        errors, proven = (found.errors, found.proven) if isinstance(found, MonteCarloResult) else ({}, ())
        values = (
            f"{found.text(a)} {value_text(v)}{error_text(errors.get(a), a in proven)}" for a, v in found.values.items()
        )
        row("values", _escape("  ".join(values)))
    for value, actions in getattr(found, "lines", ())[1:]:
        row("then", _escape(f"{value_text(value)}  {' '.join(replace(found, line=actions).line_text())}"))
    rate = found.nodes / max(found.seconds, 1e-9)
    searched = (
        f"{found.nodes:,} nodes, depth {found.depth}{in_rounds(found.game, found.depth)}, {found.seconds:.3f} s,"
        f" {rate:,.0f} nodes a second"
    )
    if isinstance(found, MonteCarloResult):
        rate = found.simulations / max(found.seconds, 1e-9)
        searched = (
            f"{found.simulations:,} simulations, {found.seconds:.3f} s, {rate:,.0f} a second; {found.nodes:,} nodes in"
            " the tree"
        )
        row("visits", _escape("  ".join(f"{found.text(a)} {n:,}" for a, n in found.visits.items())))
    if isinstance(found, MixedResult):
        rate = found.simulations / max(found.seconds, 1e-9)
        searched = (
            f"{found.simulations:,} simulations, {found.seconds:.3f} s, {rate:,.0f} a second; {found.nodes:,} nodes in"
            " the tree"
        )
    if isinstance(found, PathResult):
        row("cost", f"{found.cost:g}, {len(found.line):,} actions{'' if found.exact else ', not to the end'}")
        searched = f"{found.nodes:,} nodes, {found.seconds:.3f} s, {rate:,.0f} nodes a second"
        if found.states:
            searched += f"; {found.states:,} states held, room of {found.memory_mib:,.1f} MiB"
    if found.reason == "answered":
        searched = f"{found.seconds:.3f} s"
    row("searched", searched)
    speed = "compiled" if found.native else "interpreted"
    row("using", f"{found.using}, {'a program' if isinstance(found, ProgramResult) else speed}")
    row("ended by", ended_because(found))
    console.print(table)


def _escape(text: str) -> str:
    from rich.markup import escape

    return escape(text)
