"""`plyforge rollout`: what actions are worth, by playing on many times."""

from __future__ import annotations

import click

from plyforge.cli import options
from plyforge.contract import format_action


@click.command("rollout")
@options.GAME
@options.STATE
@click.option("--games", type=int, default=1000, show_default=True, metavar="N", help="Games for each action.")
@click.option("--plies", type=int, metavar="N", help="Follow play for N plies; an estimate stands for the rest.")
@click.option("--best", type=int, metavar="N", help="Only the N actions that look best.")
@click.option("--only", metavar="ACTION", multiple=True, help="Only this action. May be repeated.")
@click.option("--adjust", is_flag=True, help="Subtract the luck of the dice: smaller errors, slower games.")
@click.option("--seed", type=int, default=1, show_default=True, metavar="N", help="Of the dice.")
@options.crew
@options.speed
@options.JSON
@options.stopped_like_ctrl_c
def command(
    game: str,
    state: str | None,
    games: int,
    plies: int | None,
    best: int | None,
    only: tuple[str, ...],
    adjust: bool,
    seed: int,
    workers: int | None,
    where: tuple[str, ...],
    native: str | None,
    as_json: bool,
) -> None:
    """Play on from a position of GAME many times, and tell what each action brings on average, with its error.

    Players look one ply ahead, and all actions get the same dice.

    \b
    plyforge rollout backgammon --state "4HPwATDgc/ABMA X 31" --best 4
    plyforge rollout pig --state "80 85 10 max" --games 10000
    plyforge rollout backgammon --games 46656 --best 2 --workers 2

    With --workers the games are shared out among processes: the same games, and the same values. Ctrl-C stops it and
    shows what was played until then; the exit code is then 130.
    """
    if best is not None and only:
        raise click.UsageError("--best and --only both say which actions: give one of them")
    import plyforge as pf
    from plyforge.errors import Interrupted
    from plyforge.solve import rollouts

    rules = pf.load(game)
    progress = options.ProgressLine()
    with options.quiet_fallback():
        try:
            found = rollouts(
                rules,
                state,
                games=games,
                plies=plies,
                actions=list(only) or best,
                adjust=adjust,
                seed=seed,
                native=options.as_native(native),
                on_progress=None if as_json else progress,
                workers=workers,
                where=where,
            )
        except Interrupted as stop:
            found = stop.found
        finally:
            progress.clear()
    if as_json:
        options.print_json({"game": str(rules), **found.to_json()})
        _end(found.unplayed)
        return
    whose = "X's" if rules.notation.player_names[:1] == ("X",) else "MAX's"
    click.echo(f"{whose} value, {games:,} games each, {found.seconds:.1f} s")
    for place, entry in enumerate(found.entries):
        name = "as it is" if entry.action is None else format_action(rules, found.state, entry.action)
        row = f"{name:>20}  {entry.value:+.4f} +- {entry.error:.4f}"
        if place:
            worse, error = found.difference(place)
            row += f"   worse by {worse:.4f} +- {error:.4f}"
        if entry.games < games:
            row += f"   ({entry.games:,} games)"
        click.echo(row)
    if found.unplayed:
        actions = "1 action" if found.unplayed == 1 else f"{found.unplayed} actions"
        click.echo(f"stopped: what was played until then; {actions} had games left to play")
    _end(found.unplayed)


def _end(unplayed: int) -> None:
    if unplayed:
        raise click.exceptions.Exit(130)
