"""`plyforge review`: games looked at afterwards."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any

import click

from plyforge.cli import options

if TYPE_CHECKING:
    from plyforge.play.review.whole_games import ReviewedGame, Turn

MARKS = {"slip": "?!", "mistake": "?", "blunder": "??"}
SHOWN_BEST = 3


@click.command("review")
@click.argument("file", metavar="FILE")
@click.option("--game", metavar="GAME", help="Of which game: for rules of your own, which a file never names.")
@click.option("--number", type=int, metavar="N", help="Only the N-th game of the file, from 1. Default: all of them.")
@click.option("--using", default="best", show_default=True, metavar="SEARCH", help="Who judges the states.")
@click.option("--seconds", type=float, metavar="S", help="For each state. Default: 0.25.")
@click.option("--nodes", type=int, metavar="N", help="Or so many nodes: the same judgements every time.")
@click.option("--depth", type=int, metavar="N", help="Or so many plies.")
@click.option("--record", metavar="FILE", help="Keep every judgement there; if it is there, go on from it.")
@options.crew
@options.speed
@options.JSON
@options.stopped_like_ctrl_c
def command(
    file: str,
    game: str | None,
    number: int | None,
    using: str,
    seconds: float | None,
    nodes: int | None,
    depth: int | None,
    record: str | None,
    workers: int | None,
    where: tuple[str, ...],
    native: str | None,
    as_json: bool,
) -> None:
    """Judge every turn of the games in FILE: what it was worth, what it cost, and what would have been better.

    FILE is a game or several, by its name .pgn, .pdn, .sgf, .mat or .json. The cost of a turn is the value before it
    less the value after it, for whoever took it; ?! is a slip, ? a mistake, ?? a blunder. Values are exact (=) where
    the search comes to the end of the game.

    States are shared out among processes, here or elsewhere. With --record the same command goes on after a stop.

    \b
      plyforge review games.pgn
      plyforge review game.json --nodes 100000 --workers 2
      plyforge review mine.json --game my_game.py --seconds 1
      plyforge review games.pgn --on local*2 --on 'command*8:ssh lab1 {worker}' --record review.jsonl
    """
    from plyforge.games import load
    from plyforge.play.formats import registry
    from plyforge.play.review import Review

    if game is not None or number is not None:
        sessions = [registry.restore(file, None if game is None else load(game), number or 1)]
    else:
        sessions = registry.restore_all(file)
    reviewing = Review(
        sessions,
        using=using,
        seconds=seconds,
        nodes=nodes,
        depth=depth,
        native=options.as_native(native),
        workers=workers,
        where=where,
        record=record,
    )
    interrupted = False
    progress = options.ProgressLine()
    try:
        reviewing.run(progress)
    except KeyboardInterrupt:
        interrupted = True
    finally:
        progress.clear()
    for note in reviewing.notes:
        click.echo(f"note: {note}", err=True)
    found = reviewing.games
    if as_json:
        said = [reviewed.to_json() for reviewed in found]
        options.print_json({"games": said, "wanted": len(sessions), "interrupted": interrupted})
    else:
        for place, reviewed in enumerate(found):
            print_review(reviewed, place + 1 if len(sessions) > 1 else None)
    if interrupted:
        kept = "" if record is None else ": the same command goes on with the others"
        click.echo(f"stopped after {len(found)} of {len(sessions)} games{kept}", err=True)
        raise click.exceptions.Exit(130)


def print_review(reviewed: ReviewedGame, number: int | None) -> None:
    """A game as a table, one line a turn, and a line for each player."""
    from rich.console import Console
    from rich.table import Table

    session = reviewed.session
    head = ", ".join(session.seats) or type(session.game).__name__
    table = Table(title=f"{f'{number}. ' if number else ''}{head}", title_justify="left", box=None, pad_edge=False)
    table.add_column("ply", justify="right", style="dim")
    for name in ("player", "turn", ""):
        table.add_column(name)
    table.add_column("value", justify="right")
    table.add_column("cost", justify="right")
    table.add_column("better", overflow="fold")
    for turn in reviewed.turns:
        table.add_row(*_cells(turn))
    summary = Table(box=None, pad_edge=False)
    for name in ("player", "turns", "cost a turn", "slips", "mistakes", "blunders"):
        summary.add_column(name, justify="left" if name == "player" else "right")
    for line in reviewed.summary():
        counts = [str(line[kind]) for kind in ("slip", "mistake", "blunder")]
        summary.add_row(line["player"], str(line["turns"]), f"{line['cost']:.3f}", *counts)
    console = Console(highlight=False)
    with contextlib.suppress(BrokenPipeError):
        for part in (table, "", summary, ""):
            console.print(part)


def _cells(turn: Turn) -> list[Any]:
    from rich.text import Text

    values = turn.values[:1] if len(turn.values) == 2 else turn.values
    value = " ".join(f"{value:+.3f}" for value in values) + ("=" if turn.exact else " ")
    cost = f"{turn.cost:.3f}" if turn.grade and turn.cost is not None else ""
    better = ", ".join(turn.best[:SHOWN_BEST]) + (" ..." if len(turn.best) > SHOWN_BEST else "")
    cells = (str(turn.ply + 1), turn.player, turn.text, MARKS.get(turn.grade, ""), value, cost, better)
    return [Text(cell) for cell in cells]
