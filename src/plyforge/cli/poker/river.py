"""`plyforge river`: the last bets of hold'em."""

from __future__ import annotations

import click

from plyforge.cli import options


@click.command("river")
@click.option("--board", required=True, metavar="CARDS", help="The five cards, as in 'Qh7h2sKd9c'.")
@click.option("--range1", required=True, metavar="RANGE", help="Of the player who speaks first.")
@click.option("--range2", required=True, metavar="RANGE", help="Of the other.")
@click.option("--pot", type=float, required=True, metavar="CHIPS", help="What lies in the middle.")
@click.option("--stack", type=float, required=True, metavar="CHIPS", help="What each has left.")
@click.option("--sizes", default="0.5,1", show_default=True, metavar="PARTS", help="Bets, as parts of the pot.")
@click.option("--goal", type=float, default=0.003, show_default=True, metavar="PART", help="Exploitability to stop at.")
@click.option("--seconds", type=float, default=60.0, show_default=True, metavar="S", help="At most.")
@options.JSON
def command(
    board: str,
    range1: str,
    range2: str,
    pot: float,
    stack: float,
    sizes: str,
    goal: float,
    seconds: float,
    as_json: bool,
) -> None:
    """Solve the river of heads-up hold'em: all ranges at once, by CFR+ on the tree of bets.

    Ranges as in `plyforge equity`. Told is what the first player does with each hand at first, and how far from an
    equilibrium that is, as a part of the pot.

    \b
    plyforge river --board Qh7h2sKd9c --range1 any --range2 any --pot 10 --stack 20
    plyforge river --board Qh7h2sKd9c --range1 "QQ+,AK,KQ" --range2 "22+,A2s+" --pot 10 --stack 20 --json
    """
    from plyforge.errors import BadText
    from plyforge.poker.river import solve_river

    try:
        parts = [float(part) for part in sizes.split(",")]
    except ValueError:
        raise BadText(f"--sizes {sizes!r} can't be read: parts of the pot, as in '0.5,1'") from None

    def told(iterations: int, exploitability: float) -> None:
        click.echo(f"{iterations} iterations, exploitable by {100 * exploitability:.2f} % of the pot", err=True)

    found = solve_river(
        board, range1, range2, pot=pot, stack=stack, sizes=parts, goal=goal, seconds=seconds, on_progress=told
    )
    if as_json:
        options.print_json(found.to_json())
        return
    click.echo(
        f"Worth {found.value:+.4f} to the first player beside half the pot; exploitable by "
        f"{100 * found.exploitability:.3f} % of the pot, {found.iterations} iterations in {found.seconds:.1f} s"
    )
    actions = found.root.actions
    click.echo(f"{'':6}" + "".join(f"{action:>12}" for action in actions))
    for hand, mix in found.strategy().items():
        click.echo(f"{hand:6}" + "".join(f"{100 * mix[action]:>11.1f}%" for action in actions))
