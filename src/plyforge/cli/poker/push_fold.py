"""`plyforge push-fold`: the last chips of a heads-up tournament."""

from __future__ import annotations

import click

from plyforge.cli import options


@click.command("push-fold")
@click.option("--stack", type=float, required=True, metavar="BB", help="What each has before blinds, in big blinds.")
@click.option("--ante", type=float, default=0.0, show_default=True, metavar="BB", help="What each posts besides.")
@click.option("--push", "pushed", default=None, metavar="RANGE", help="What this range costs, in place of the best.")
@click.option("--call", "called", default=None, metavar="RANGE", help="The same for the big blind.")
@options.JSON
def command(stack: float, ante: float, pushed: str | None, called: str | None, as_json: bool) -> None:
    """Heads-up hold'em with few chips: which hands the small blind pushes, and with which the big blind calls.

    The small blind moves all in or folds; the equilibrium is exact, by one linear program. With --push or --call it is
    told what a range of yours gives away.

    \b
    plyforge push-fold --stack 10
    plyforge push-fold --stack 6.5 --ante 0.125 --json
    plyforge push-fold --stack 10 --push "22+,A2+,K2s+,K7o+"
    """
    from plyforge.poker.push_fold import judged, push_fold, read_range

    found = best = push_fold(stack, ante)
    if pushed is not None or called is not None:
        push = found.push if pushed is None else read_range(pushed)
        call = found.call if called is None else read_range(called)
        found = judged(stack, ante, push, call)
    if as_json:
        options.print_json(found.to_json())
        return
    click.echo(f"Stack {stack:g}, ante {ante:g}: worth {found.value:+.6f} big blinds a hand to the small blind")
    if found is not best:
        click.echo(
            f"Best play is worth {best.value:+.6f}; what can be gained against these ranges is "
            f"{found.exploitability:.6f} a hand, the mean of both sides"
        )
    click.echo(f"\nThe small blind pushes {100 * found.share_pushed:.1f} % of hands (suited above, offsuit below):\n")
    click.echo(found.chart())
    click.echo(f"\nThe big blind calls with {100 * found.share_called:.1f} %:\n")
    click.echo(found.chart(call=True))
    click.echo("\n## always   . never   else how often, in percent")
