"""`plyforge equity`: how much of the pot hands and ranges of hold'em have."""

from __future__ import annotations

import click

from plyforge.cli import options


@click.command("equity")
@click.argument("ranges", nargs=-1, required=True, metavar="HAND HAND...")
@click.option("--board", default="", metavar="CARDS", help="Up to five cards that lie open, as in 'Qh7d2s'.")
@click.option("--samples", type=int, default=None, metavar="N", help="So many deals at random, in place of all.")
@click.option("--seed", type=int, default=1, show_default=True, metavar="N", help="Of the deals at random.")
@options.JSON
def command(ranges: tuple[str, ...], board: str, samples: int | None, seed: int, as_json: bool) -> None:
    """What part of the pot each hand or range of Texas hold'em has, if nobody bets any more.

    A range is hands separated by commas: AhKh, QQ+ (queens and better), A9s+ (A9s to AKs), KQo, 22-77, A2s-A5s, any,
    AQo:0.5 (half of them). Exact where all deals can be gone through; otherwise deals are drawn, with standard errors.

    \b
    plyforge equity AhKh QQ+
    plyforge equity AhKh QQ+ --board Qh7h2s
    plyforge equity "22+,A2s+,KTo+" any --json
    """
    from plyforge.poker.equity import equity

    found = equity(ranges, board, samples=samples, seed=seed)
    if as_json:
        options.print_json(found.to_json())
        return
    width = max(len(text) for text in found.ranges)
    click.echo(f"{'':<{width}}   equity      win      tie")
    for place, text in enumerate(found.ranges):
        error = "" if found.exact else f"   ± {100 * found.errors[place]:.3f} %"
        shares = (found.equity[place], found.win[place], found.tie[place])
        click.echo(f"{text:<{width}} {' '.join(f'{100 * share:7.3f}%' for share in shares)}{error}")
    board_text = f" on {found.board}" if found.board else ""
    click.echo(
        f"{'all' if found.exact else 'of'} {found.deals:,} deals{board_text}{'' if found.exact else ', at random'}"
    )
