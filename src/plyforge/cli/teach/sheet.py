"""`plyforge sheet`: exercises with solutions, to print."""

from __future__ import annotations

from pathlib import Path

import click

from plyforge.teach.quiz import SIZES, TOPICS


@click.command("sheet")
@click.option("--topic", type=click.Choice(list(TOPICS)), default="alpha_beta", show_default=True)
@click.option("--seed", type=int, default=1, show_default=True, help="The same seed gives the same sheet.")
@click.option("--exercises", type=int, default=4, show_default=True, help="How many trees.")
@click.option(
    "--level",
    type=click.IntRange(min(SIZES), max(SIZES)),
    default=2,
    show_default=True,
    help="How large they are.",
)
@click.option("--ties", is_flag=True, help="Trees with equal values, and cuts at equality.")
@click.option("-o", "--output", metavar="FILE", help="A .html, .tex or .txt file. Default: print as text.")
def command(topic: str, seed: int, exercises: int, level: int, ties: bool, output: str | None) -> None:
    """Print a sheet of exercises about game trees, and its solutions.

    \b
    plyforge sheet --topic alpha_beta --seed 7 -o sheet.html     print it from a browser
    plyforge sheet --topic expectimax --exercises 6 -o sheet.tex
    """
    from plyforge.teach import make_sheet
    from plyforge.writing import require_writable, write_file

    if output is not None:
        require_writable(output)
    sheet = make_sheet(seed, exercises, topic, level, ties)
    if output is None:
        click.echo(sheet.written("txt"))
        return
    path = Path(output)
    text = sheet.written(path.suffix.lower().removeprefix("."))
    write_file(path, text)
    click.echo(f"{path}: {exercises} exercises with solutions", err=True)
