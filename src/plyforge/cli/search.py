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
    the answer of the last finished depth. With no limit at all, 5 seconds. Values are MAX's, the first player's.
    """
    import plyforge as pf

    if depth is None and nodes is None and seconds is None:
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
                on_progress=progress,
            )
        finally:
            progress.clear()
    if as_json:
        options.print_json(found.to_json())
        return
    from plyforge.cli.report import print_result

    print_result(found)
