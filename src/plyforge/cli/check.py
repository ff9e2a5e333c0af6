"""`plyforge check`: are these rules a lawful game?"""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from plyforge.cli import options

if TYPE_CHECKING:
    from plyforge.check import Progress


@click.command("check")
@options.GAME
@click.option("--seconds", type=float, default=10.0, show_default=True, help="How long to look at most.")
@click.option("--states", type=int, default=6000, show_default=True, help="How many states to look at.")
@click.option("--seed", type=int, default=0, show_default=True, help="Of the random play.")
@click.option("--interpreted", is_flag=True, help="Don't compile, so don't compare the two speeds.")
@options.JSON
def command(game: str, seconds: float, states: int, seed: int, interpreted: bool, as_json: bool) -> None:
    """Walk and fuzz the rules of GAME, and report every law they break, with the state that shows it.

    \b
    plyforge check my_rules.py
    plyforge check "kalah(houses=3, seeds=2)" --states 10000

    Exit code 0: no law was seen broken. 1: some were. 2: the rules could not be run at all. Ctrl-C shows what was found so far; the
    exit code is then 130.
    """
    from plyforge.check import check
    from plyforge.errors import Interrupted
    from plyforge.games.catalog import find

    rules = find(game)
    progress = Line()
    try:
        report = check(
            rules,
            seconds=seconds,
            states=states,
            seed=seed,
            native=False if interpreted else None,
            on_progress=None if as_json else progress,
        )
    except Interrupted as stop:
        report = stop.found
    finally:
        progress.clear()
    if as_json:
        options.print_json(report.to_json())
    else:
        click.echo(str(report))
    if report.stopped:
        raise click.exceptions.Exit(130)
    if not report.ok:
        raise click.exceptions.Exit(1)


class Line(options.ProgressLine):
    """The line of progress of a check."""

    def text(self, progress: Progress) -> str:
        """Seconds, what is being done, and how many states were seen."""
        return f"{progress.seconds:.0f} s (Ctrl-C stops), {progress.phase}, {progress.states:,} states"
