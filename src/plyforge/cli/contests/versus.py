"""`plyforge versus`: what assumptions about an opponent are worth against real ones."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any

import click

from plyforge.cli import options
from plyforge.cli.contests.progress import GamesProgress

if TYPE_CHECKING:
    from plyforge.play.contests.versus import Cell, Versus


@click.command("versus", short_help="Assumptions about an opponent against real ones, as a table.")
@options.GAME
@click.option("--assume", default="minimax,expectimax", show_default=True, metavar="LIST", help="How the hero plans.")
@click.option(
    "--against", default="adversarial,random,mixed", show_default=True, metavar="LIST", help="Who the opponent is."
)
@click.option("--games", type=int, default=100, show_default=True, metavar="N", help="In each cell.")
@click.option("--depth", type=int, metavar="PLIES", help="The hero looks so far ahead. Default: 4 rounds.")
@click.option("--rounds", type=int, metavar="N", help="The same in rounds: every agent once.")
@click.option("--against-depth", type=int, metavar="PLIES", help="An adversary looks so far. Default: 2 rounds.")
@click.option("--against-rounds", type=int, metavar="N", help="The same in rounds.")
@click.option(
    "--share",
    type=float,
    default=0.5,
    show_default=True,
    metavar="P",
    help="How often a mixed opponent plays as an adversary; at random otherwise.",
)
@click.option("--as", "seat", type=click.Choice(["first", "second"]), default="first", help="Who the hero is.")
@click.option(
    "--opening-plies",
    type=int,
    metavar="K",
    help="Begin each game with K random plies. Default: one round; with dice none.",
)
@click.option("--seed", type=int, default=0, show_default=True, metavar="N", help="Of openings, dice and players.")
@options.crew_for_games
@click.option("--record", metavar="FILE", help="Keep every game there; if it is there, go on from it.")
@options.speed
@options.JSON
def command(
    game: str,
    assume: str,
    against: str,
    games: int,
    depth: int | None,
    rounds: int | None,
    against_depth: int | None,
    against_rounds: int | None,
    share: float,
    seat: str,
    opening_plies: int | None,
    seed: int,
    workers: int | None,
    where: tuple[str, ...],
    record: str | None,
    native: str | None,
    as_json: bool,
) -> None:
    """Let a hero who assumes something about the opponent play GAME against opponents of several kinds.

    An assumption is one of

    \b
      minimax       the opponent does the worst for me (with dice: expectiminimax)
      expectimax    every action of the opponent is equally likely
      reflex        no opponent at all: the best next state

    An opponent is one of

    \b
      adversarial   minimax with its own depth
      random        any legal action
      mixed         the one or the other, by --share

    Either may also be a player as in a match, with its limits: uct:simulations=1000, alpha_beta:depth=3. A mixed one
    may name its share: mixed:share=0.8,depth=4.

    Each cell has wins, draws and losses of the hero, and what the hero got on average, with the 95 % interval. Ctrl-C
    prints what there is; with --record the same command goes on with the others, and may ask for more games or other
    players.

    Examples:

    \b
      plyforge versus "pacman(maze='trap')" --against adversarial,random      the lectures' table
      plyforge versus tic_tac_toe --games 200
      plyforge versus connect4 --assume minimax,expectimax,uct:simulations=500 --rounds 2
      plyforge versus "pig(goal=30)" --depth 5 --games 50
    """
    from plyforge.games import load
    from plyforge.play.contests.versus import Versus

    rules = load(game)
    table = Versus(
        rules,
        _players(assume),
        _players(against),
        games=games,
        depth=_plies(rules, depth, rounds, "--depth", "--rounds"),
        against_depth=_plies(rules, against_depth, against_rounds, "--against-depth", "--against-rounds"),
        share=share,
        seat=0 if seat == "first" else 1,
        opening_plies=opening_plies,
        seed=seed,
        workers=workers,
        where=where,
        record=record,
        native=options.as_native(native),
    )
    interrupted = False
    try:
        with VersusProgress(table) as progress:
            table.run(progress)
    except KeyboardInterrupt:
        interrupted = True
    for note in table.notes:
        click.echo(f"note: {note}", err=True)
    if as_json:
        options.print_json(_json(table, interrupted))
    else:
        print_table(table)
    if interrupted:
        played = sum(len(cell.standing.games) for cell in table.cells)
        again = "" if record is None else ": the same command goes on with the others"
        click.echo(f"stopped after {played} of {games * len(table.cells)} games{again}", err=True)
        raise click.exceptions.Exit(130)


def _players(text: str) -> list[str]:
    """Parts of a list. A comma before `name=` goes on with the options of a player: mixed:share=0.8,depth=4."""
    parts: list[str] = []
    for part in text.split(","):
        if parts and "=" in part and ":" not in part and ":" in parts[-1]:
            parts[-1] += f",{part}"
        else:
            parts.append(part)
    return parts


def _plies(rules: Any, depth: int | None, rounds: int | None, *names: str) -> int | None:
    if depth is not None and rounds is not None:
        raise click.UsageError(f"{names[0]} and {names[1]} say the same: give one", click.get_current_context())
    return depth if rounds is None else rounds * rules.notation.agents(rules)


def _json(table: Versus, interrupted: bool) -> dict[str, Any]:
    from plyforge.play.formats.record import game_text

    agents = table.game.notation.agents(table.game)
    return {
        "game": game_text(table.game), "games": table.wanted, "seed": table.seed, "seat": table.seat,
        "agents": agents,
        "depth": {"plies": table.depth, "rounds": table.depth / agents},
        "against_depth": {"plies": table.against_depth, "rounds": table.against_depth / agents},
        "share": table.share, "opening_plies": table.opening_plies, "interrupted": interrupted,
        "record": None if table.record is None else str(table.record),
        "cells": [cell.to_json() for cell in table.cells],
    }  # fmt: skip


class VersusProgress(GamesProgress):
    """The cell that is being played."""

    def __init__(self, table: Versus) -> None:
        super().__init__(table.wanted * len(table.cells))
        self.table = table

    def __call__(self, cell: Cell) -> None:
        played = sum(len(each.standing.games) for each in self.table.cells)
        self.tell(played, f"{cell.assume} against {cell.against}: {cell.standing.results.text()}")


def print_table(table: Versus) -> None:
    """Assumptions down, opponents across."""
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    from plyforge.contract.naming import in_rounds

    console = Console(highlight=False)
    assumptions = list(dict.fromkeys(cell.assume for cell in table.cells))
    opponents = list(dict.fromkeys(cell.against for cell in table.cells))
    shown = Table(box=None, padding=(0, 2), header_style="bold")
    shown.add_column("assumes", no_wrap=True)
    for name in opponents:
        shown.add_column(escape(f"v. {name}"), no_wrap=True)
    for assume in assumptions:
        cells = [cell for cell in table.cells if cell.assume == assume]
        shown.add_row(escape(assume), *(escape(_cell_text(cell)) for cell in cells))
        shown.add_row("")
    said = (
        f"{table.wanted} games a cell, after {table.opening_plies} random plies; the hero looks {table.depth}"
        f" plies{in_rounds(table.game, table.depth)} ahead, an adversary"
        f" {table.against_depth}{in_rounds(table.game, table.against_depth)}. Mean utility with its 95 % interval."
    )
    with contextlib.suppress(BrokenPipeError):
        console.print(shown)
        console.print(escape(said), style="dim")


def _cell_text(cell: Cell) -> str:
    results = cell.standing.results
    if cell.mean is None:
        return "not played" if not cell.standing.forfeited else f"{cell.standing.forfeited} forfeited"
    drawn = f", {results.draws} drawn" if results.draws else ""
    error = "" if cell.error is None else f" ± {cell.error:.3g}"
    lines = [f"{results.wins} of {results.games} won{drawn}", f"mean {cell.mean:.4g}{error}"]
    if cell.standing.forfeited:
        lines.append(f"{cell.standing.forfeited} forfeited")
    if cell.distinct < len(cell.standing.games):
        lines.append(f"{cell.distinct} different games")
    return "\n".join(lines)
