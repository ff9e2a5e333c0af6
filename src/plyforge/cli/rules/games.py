"""`plyforge games`: what there is."""

from __future__ import annotations

from typing import Any

import click

from plyforge.cli import options

WIDE = 10_000
"""Columns: no row is longer."""
ROOMY = 110
"""Columns from which on everything has room."""


def traits(name: str) -> dict[str, Any]:
    """What a game is: the record that searches check."""
    import inspect

    import plyforge as pf
    from plyforge.contract import defines
    from plyforge.contract.naming import about

    game = pf.load(name)
    parameters = [
        str(p).split(":")[0] + (f"={p.default!r}" if p.default is not p.empty else "")
        for p in inspect.signature(type(game)).parameters.values()
    ]
    return {
        "name": name,
        "about": about(game),
        "parameters": parameters,
        "players": game.players,
        "chance": game.has_chance,
        "simultaneous": defines(game, "legal_actions"),
        "constant_sum": game.utility_sum is not None,
        "min_utility": game.min_utility,
        "max_utility": game.max_utility,
        "hidden": game.hidden_information,
        "search": None if game.hidden_information and defines(game, "legal_actions") else pf.search.suitable(game),  # type: ignore[attr-defined]
    }


@click.command("games")
@click.option("--ladder", is_flag=True, help="Our opponents from beginner to full strength, with measured ratings.")
@options.JSON
def command(ladder: bool, as_json: bool) -> None:
    """What games there are, each with its traits: players, dice, choosing at once, bounds, and the search that suits
    it."""
    import plyforge as pf

    if ladder:
        _print_ladders(as_json)
        return
    rows = [traits(name) for name in pf.names()]
    if as_json:
        options.print_json({"games": rows})
        return
    from rich.console import Console
    from rich.table import Table

    console = Console(highlight=False)
    if not console.is_terminal:  # whoever reads a pipe looks for lines
        console.width = WIDE
    titles = ["game", "what it is", "players", "moves", "utility", "search"]
    if console.width < ROOMY:
        titles = [title for title in titles if title not in ("moves", "utility")]
    table = Table(box=None, header_style="bold", padding=(0, 1))
    for title in titles:
        name = title in ("game", "search")  # a name in two pieces is none
        justify: Any = "right" if title == "players" else "left"
        table.add_column(title, justify=justify, overflow="fold", no_wrap=name)
    for row in rows:
        shown = _row(row)
        table.add_row(*(shown[title] for title in titles))
    console.print(table)
    console.print('\nArguments go in brackets: "connect4(width=6, height=5)". Your own rules: the path of a .py file.')
    if len(titles) < len(_row(rows[0])):
        console.print(f"From {ROOMY} columns on also: dice, choosing at once, bounds of the utility.")


def _print_ladders(as_json: bool) -> None:
    """The rungs of each game that has a ladder."""
    from plyforge.play.players.ladder import GAMES
    from plyforge.play.players.ladder import ladder as ladder_of

    if as_json:
        rungs = {
            game: [{"text": rung.text, **rung._asdict(), "rating": rung.rating} for rung in ladder_of(game)]
            for game in GAMES
        }
        options.print_json({"ladders": rungs})
        return
    for game in GAMES:
        click.echo(f"plyforge play {game} --against ...")
        for rung in ladder_of(game):
            rating = rung.rating or "not measured"
            click.echo(f"  {rung.text:<22} {rating:<33} {rung.player}")
    click.echo("Ratings are relative to the mean of a game's ladder, with 95 % intervals.")


def _row(row: dict[str, Any]) -> dict[str, str]:
    """What the table says of a game, by the title of its column."""
    traits = (("dice", row["chance"]), ("at once", row["simultaneous"]), ("hidden", row["hidden"]))
    moves = [word for word, there in traits if there]
    bounds = f"{row['min_utility']:g} .. {row['max_utility']:g}"
    return {
        "game": f"[bold]{row['name']}[/bold]",
        "what it is": row["about"].split(": `")[0].rstrip(".").replace("[", r"\["),
        "players": str(row["players"]),
        "moves": ", ".join(moves) or "-",
        "utility": bounds + ("" if row["constant_sum"] else ", not constant-sum"),
        "search": row["search"] or "-",
    }
