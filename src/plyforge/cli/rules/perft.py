"""`plyforge perft`: count positions, to prove that rules are right."""

from __future__ import annotations

from typing import Any

import click

from plyforge.cli import options
from plyforge.contract import parse_state


@click.command("perft")
@options.GAME
@click.option("--depth", type=int, required=True, metavar="PLIES", help="How many plies.")
@options.STATE
@click.option("--divide", is_flag=True, help="Show the count below each first action: where two programs differ.")
@options.speed
@options.JSON
def command(game: str, depth: int, state: str | None, divide: bool, native: str | None, as_json: bool) -> None:
    """Count the action sequences of exactly so many plies from a position of GAME.

    The standard test of rules: the counts of many games are published, and a wrong rule shows as a wrong count.

    \b
    plyforge perft connect4 --depth 8          5,673,234
    plyforge perft my_rules.py --depth 5 --divide
    """
    import plyforge as pf
    from plyforge.solve import perft

    rules = pf.load(game)
    position = None if state is None else parse_state(rules, state)
    progress = options.ProgressLine()
    with options.quiet_fallback():
        try:
            found = perft(rules, depth, position, native=options.as_native(native), divide=divide, on_progress=progress)
        finally:
            progress.clear()
    if as_json:
        result: dict[str, Any] = {
            "nodes": found.nodes,
            "seconds": found.seconds,
            "depth": depth,
            "native": found.native,
        }
        if divide:
            result["divide"] = dict(found.divide)
        options.print_json(result)
        return
    for action, count in (found.divide or {}).items() if divide else ():
        click.echo(f"{action:>8}  {count:,}")
    rate = found.nodes / max(found.seconds, 1e-9)
    click.echo(f"{found.nodes:,} positions at depth {depth}, {found.seconds:.3f} s, {rate:,.0f} a second")
