"""`plyforge check`: are these rules a lawful game?"""

from __future__ import annotations

import click

from plyforge.cli import options


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

    Exit code 0: no law was seen broken. 1: some were. 2: the rules could not be run at all.
    """
    import plyforge as pf
    from plyforge.check import check

    report = check(
        pf.load(game), seconds=seconds, states=states, seed=seed, native=False if interpreted else None
    )
    if as_json:
        options.print_json(report.to_json())
    else:
        click.echo(str(report))
    if not report.ok:
        raise click.exceptions.Exit(1)
