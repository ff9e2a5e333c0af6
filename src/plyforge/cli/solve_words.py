"""What the ways of solving say: who wins, in words, and the rows of an answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from plyforge.contract import Game


def in_words(game: Game, value: Any) -> str:
    """Who wins, or what the number means."""
    if isinstance(value, tuple):
        return "one number for each player"
    if game.has_chance:
        return "to MAX on average, the first player"
    if game.players < 2 or game.utility_sum is None:
        return "to the player"
    first, second = (
        (*game.notation.player_names, "MAX", "MIN")[:2] if len(game.notation.player_names) >= 2 else ("MAX", "MIN")
    )
    if value == even(game):
        return "a draw"
    return f"{first if value > even(game) else second} wins"


def even(game: Game) -> float:
    """MAX's payoff in a draw."""
    return 0.5 * (game.utility_sum or 0.0)


def state_text(game: Game, root: Any) -> str:
    from plyforge.contract.naming import text_of

    return text_of(game, root)


def print_rows(game: Game, root: Any, rows: list[tuple[str, str]]) -> None:
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    console = Console(highlight=False)
    console.print(game.show(root), markup=False)
    console.print()
    table = Table.grid(padding=(0, 2))
    table.add_column(style="dim")
    table.add_column()
    for name, text in rows:
        table.add_row(name, escape(text))
    console.print(table)
