"""`plyforge games`: what there is."""

from __future__ import annotations

from typing import Any

import click

from plyforge.cli import options


def traits(name: str) -> dict[str, Any]:
    """What a game is: the record that searches check."""
    import inspect

    import plyforge as pf

    game = pf.load(name)
    parameters = [
        str(p).split(":")[0] + (f"={p.default!r}" if p.default is not p.empty else "")
        for p in inspect.signature(type(game)).parameters.values()
    ]
    return {
        "name": name,
        "about": (type(game).__doc__ or "").strip().splitlines()[0],
        "parameters": parameters,
        "players": game.players,
        "chance": game.has_chance,
        "simultaneous": game.simultaneous,
        "constant_sum": game.total is not None,
        "lowest": game.lowest,
        "highest": game.highest,
        "search": pf.search.suitable(game),  # type: ignore[attr-defined]
    }


@click.command("games")
@options.JSON
def command(as_json: bool) -> None:
    """What games there are, each with its traits: players, dice, choosing at once, bounds, and the search that suits it."""
    import plyforge as pf

    rows = [traits(name) for name in pf.names()]
    if as_json:
        options.print_json({"games": rows})
        return
    from rich.console import Console
    from rich.table import Table

    table = Table(box=None, header_style="bold", padding=(0, 1))
    for title in ("game", "what it is", "players", "moves", "utility", "search"):
        table.add_column(title, justify="right" if title == "players" else "left", overflow="fold")
    for row in rows:
        table.add_row(
            f"[bold]{row['name']}[/bold]",
            row["about"].split(": `")[0].rstrip(".").replace("[", r"\["),
            str(row["players"]),
            ", ".join(
                word for word, there in (("dice", row["chance"]), ("at once", row["simultaneous"])) if there
            )
            or "-",
            f"{row['lowest']:g} .. {row['highest']:g}"
            + ("" if row["constant_sum"] else ", not constant-sum"),
            row["search"],
        )
    console = Console(highlight=False)
    console.print(table)
    console.print(
        '\nArguments go in brackets: "connect4(width=6, height=5)". Your own rules: the path of a .py file.'
    )
