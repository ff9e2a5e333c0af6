"""`plyforge search`: what to play, and why."""

from __future__ import annotations

import click

from plyforge.cli import options


@click.command("search")
@options.GAME
@options.STATE
@options.USING
@options.DEPTH
@options.NODES
@options.SECONDS
@click.option("--simulations", type=int, metavar="N", help="For flat, uct and puct: make N simulations.")
@click.option(
    "--to-the-end", is_flag=True, help="No limit: search to the end of the game, however long it takes."
)
@click.option("--all-best", is_flag=True, help="Find every best action, also with searches that prune.")
@options.speed
@options.JSON
def command(
    game: str,
    state: str | None,
    using: str | None,
    depth: int | None,
    nodes: int | None,
    seconds: float | None,
    simulations: int | None,
    to_the_end: bool,
    all_best: bool,
    native: str | None,
    as_json: bool,
) -> None:
    """Search a position of GAME: the best action, its value, the line it rests on.

    \b
    plyforge search connect4 --using alpha_beta --depth 12
    plyforge search connect4 --state 4455 --seconds 3
    plyforge search "nim(heaps=(3, 4, 5))" --using minimax --all-best
    plyforge search my_rules.py --nodes 100000 --json

    With --depth alone, one search to that depth. With --nodes or --seconds, depth after depth until the limit, and
    the answer of the last finished depth. With --to-the-end, one search to the end of the game. With nothing, 5 seconds. Values are MAX's, the first player's.
    """
    import plyforge as pf

    if to_the_end and (depth, nodes, seconds) != (None, None, None):
        raise click.UsageError("--to-the-end goes with no other limit", click.get_current_context())
    if (depth, nodes, seconds, simulations) == (None, None, None, None) and not to_the_end:
        seconds = 5.0
    rules = pf.load(game)
    progress = options.ProgressLine()
    with options.quiet_fallback():
        try:
            found = pf.search(
                rules,
                state,
                using,
                depth=depth,
                nodes=nodes,
                seconds=seconds,
                native=options.as_native(native),
                all_best=all_best,
                simulations=simulations,
                on_progress=progress,
            )
        finally:
            progress.clear()
    if as_json:
        options.print_json(found.to_json())
        return
    from plyforge.cli.report import print_result

    print_result(found)
