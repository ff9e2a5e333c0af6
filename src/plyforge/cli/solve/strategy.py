"""`plyforge strategy`: a move for every eventuality."""

from __future__ import annotations

import click

from plyforge.cli import options
from plyforge.contract import parse_state


@click.command("strategy")
@options.GAME
@options.STATE
@click.option("--player", type=int, metavar="N", help="Whose plan: 0 is MAX, 1 is MIN. Default: 0; of a FILE all.")
@click.option("--observation", metavar="TEXT", help="Of a FILE: only where this is seen.")
@click.option("--of", metavar="GAME", help="Of a FILE: the game, where it is not one of Plyforge's own.")
@click.option(
    "--against",
    type=click.Choice(["any", "best"]),
    default="any",
    show_default=True,
    help="Cover every reply, or only best ones (every tied one of them).",
)
@click.option("--limit", type=int, default=2_000_000, show_default=True, help="Give up beyond so many states.")
@click.option("-o", "--output", metavar="FILE", help="Keep the plan as JSON.")
@options.JSON
def command(
    game: str,
    state: str | None,
    player: int | None,
    observation: str | None,
    of: str | None,
    against: str,
    limit: int,
    output: str | None,
    as_json: bool,
) -> None:
    """Solve GAME and give the full contingent plan of one player, proven from the rules alone.

    \b
    plyforge strategy tic_tac_toe --player 1 -o never_lose.json
    plyforge play tic_tac_toe --as first --against strategy:never_lose.json

    For games whose states fit in memory: every one of them is looked at.

    Of a game of hidden information everybody's mixes are kept by `plyforge solve --strategy FILE`. Given that file
    instead of a game, the verb shows it: a row for each information set, with what each action costs.

    \b
    plyforge solve kuhn_poker --strategy kuhn.json
    plyforge strategy kuhn.json --player 0
    plyforge strategy kuhn.json --observation "Q ? check bet"
    """
    from plyforge.cli.solve.strategy_hidden import is_kept, print_kept

    if is_kept(game):
        given = {"--state": state, "--output": output}
        for option, value in given.items():
            if value is not None:
                raise click.UsageError(f"{option} means nothing for a kept strategy", click.get_current_context())
        print_kept(game, of, player, observation, as_json)
        return
    if observation is not None or of is not None:
        raise click.UsageError("--observation and --of are for a kept strategy: a FILE", click.get_current_context())
    player = player or 0
    import plyforge as pf
    from plyforge.solve import make_strategy, verify
    from plyforge.writing import require_writable

    if output:
        require_writable(output)
    rules = pf.load(game)
    position = None if state is None else parse_state(rules, state)
    progress = options.ProgressLine()
    try:
        plan = make_strategy(rules, player, against, position, limit, on_progress=progress)
        verify(plan, limit)
    finally:
        progress.clear()
    if output:
        plan.save(output)
    if as_json:
        options.print_json(plan.to_json())
        return
    click.echo(f"{plan}; verified against the rules")
    if output:
        click.echo(f"kept in {output}")
