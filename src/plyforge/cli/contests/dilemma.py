"""`plyforge dilemma`: a tournament of the repeated prisoner's dilemma."""

from __future__ import annotations

import click

from plyforge.cli import options


@click.command("dilemma")
@click.argument("strategies", nargs=-1, metavar="[STRATEGY ...]")
@click.option("--rounds", type=int, default=200, show_default=True, metavar="N", help="Rounds of a meeting.")
@click.option(
    "--repeats", type=int, default=20, show_default=True, metavar="N", help="Meetings of each pair, averaged."
)
@click.option(
    "--noise",
    type=float,
    default=0.0,
    metavar="P",
    help="Each choice turns into its opposite with probability P.",
)
@click.option("--seed", type=int, default=1, show_default=True, metavar="N", help="Of what is random.")
@click.option("--list", "only_list", is_flag=True, help="What strategies there are.")
@options.JSON
def command(
    strategies: tuple[str, ...],
    rounds: int,
    repeats: int,
    noise: float,
    seed: int,
    only_list: bool,
    as_json: bool,
) -> None:
    """The repeated prisoner's dilemma: everybody meets everybody, and itself; points a round, the best first.

    In every round both cooperate (3 points each), both defect (1 each), or one defects alone (4, and 0 for the other).
    Without STRATEGY, all that there are take part.

    \b
    plyforge dilemma                                           all strategies
    plyforge dilemma tit_for_tat always_defect grim pavlov     only these
    plyforge dilemma --noise 0.05                              with trembling hands, who forgives does better
    plyforge dilemma --list                                    what they do
    """
    from plyforge.plain_text import first_paragraph
    from plyforge.play.contests.dilemma import STRATEGIES, tournament

    if only_list:
        about = {name: first_paragraph(strategy.__doc__) for name, strategy in STRATEGIES.items()}
        if as_json:
            options.print_json({"strategies": about})
            return
        for name, words in about.items():
            click.echo(f"{name:<24}{words}")
        return
    played = tournament(strategies, rounds, repeats, noise, seed)
    if as_json:
        options.print_json(played.to_json())
        return
    click.echo(f"    {'':<24}points a round   cooperates")
    for number, name in enumerate(played.names, 1):
        error = f" ± {played.errors[name]:.3f}" if played.errors[name] >= 0.0005 else ""
        cooperates = f"{100 * played.cooperation[name]:.0f} %"
        click.echo(f"{number:>2}  {name:<24}{played.scores[name]:.3f}{error:<12}{cooperates:>10}")
    click.echo("\nPoints a round of each row against each column:")
    click.echo("    " + "".join(f"{number:>5}" for number in range(1, len(played.names) + 1)))
    for number, name in enumerate(played.names, 1):
        against = "".join(f"{played.table[name, other]:>5.2f}" for other in played.names)
        click.echo(f"{number:>4}{against}")
    noisy = f", noise {played.noise:g}" if played.noise else ""
    click.echo(f"\n{played.rounds} rounds, {played.repeats} meetings a pair{noisy}, seed {played.seed}")
