"""`plyforge check`: are these rules a lawful game?"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from plyforge.cli import options

if TYPE_CHECKING:
    from plyforge.check import Progress, Report
    from plyforge.contract import Game


@click.command("check")
@options.GAME
@click.option("--seconds", type=float, default=10.0, show_default=True, help="How long to look at most.")
@click.option("--states", type=int, default=6000, show_default=True, help="How many states to look at.")
@click.option("--seed", type=int, default=0, show_default=True, help="Of the random play.")
@click.option("--interpreted", is_flag=True, help="Don't compile, so don't compare the two speeds.")
@click.option(
    "--hooks",
    is_flag=True,
    help="Don't check: list what the rules say beyond the six functions, and who asks.",
)
@click.option(
    "--walks",
    type=int,
    metavar="N",
    help="With workers: N walks, of so many seconds and states each. Default: a walk for each.",
)
@options.crew
@options.JSON
def command(
    game: str,
    seconds: float,
    states: int,
    seed: int,
    interpreted: bool,
    hooks: bool,
    walks: int | None,
    workers: int | None,
    where: tuple[str, ...],
    as_json: bool,
) -> None:
    """Walk and fuzz the rules of GAME, and report every law they break, with the state that shows it.

    \b
    plyforge check my_rules.py
    plyforge check "kalah(houses=3, seeds=2)" --states 10000
    plyforge check chess --walks 20 --workers 2
    plyforge check chess --hooks

    With --workers, --on or --walks the check is shared out among processes: the first walk looks at states in order
    from the start, the others from somewhere in random games.

    Exit code 0: no law was seen broken. 1: some were. 2: the rules could not be run at all. Ctrl-C shows what was found
    so far; the exit code is then 130.
    """
    from plyforge.check import check
    from plyforge.errors import Interrupted
    from plyforge.games.catalog import find
    from plyforge.games.checked_by_workers import check_by_workers

    rules = find(game)
    if hooks:
        list_hooks(rules, as_json)
        return
    progress = Line()
    try:
        how: dict[str, Any] = {"walks": walks, "workers": workers, "where": where}
        shared = any(how.values())
        checks: Callable[..., Report] = check_by_workers if shared else check
        report = checks(
            rules,
            seconds=seconds,
            states=states,
            seed=seed,
            native=False if interpreted else None,
            on_progress=None if as_json else progress,
            **(how if shared else {}),
        )
    except Interrupted as stop:
        report = stop.found
    finally:
        progress.clear()
    if as_json:
        options.print_json(report.to_json())
    else:
        click.echo(str(report))
    if report.stopped:
        raise click.exceptions.Exit(130)
    if not report.ok:
        raise click.exceptions.Exit(1)


def list_hooks(game: Game, as_json: bool) -> None:
    """What the rules define of what they may be asked, what is left, and which modules ask."""
    from plyforge.contract.collisions import require_names
    from plyforge.contract.hooks import HOOKS, askers

    require_names(game)
    rows = [
        {
            "hook": hook.path,
            "arguments": list(hook.arguments),
            "defined": hook.defined_by(game),
            "compiled": hook.compiled,
            "says": hook.says,
            "asked_by": list(askers(hook)) if hook.companion else [],
        }
        for hook in HOOKS
        if hook.companion or hook.defined_by(game)
    ]
    if as_json:
        options.print_json({"game": type(game).__name__, "hooks": rows})
        return
    for defined, title in ((True, "The rules define:"), (False, "They could also say:")):
        click.echo(title)
        for row in rows:
            if row["defined"] is defined:
                call = f"{row['hook']}({', '.join(row['arguments'])})"  # type: ignore[arg-type]
                click.echo(f"  {call:<44} {row['says']}")
                if defined and row["asked_by"]:
                    click.echo(f"  {'':<44} asked by {', '.join(row['asked_by'])}")  # type: ignore[arg-type]


class Line(options.ProgressLine):
    """The line of progress of a check."""

    def text(self, progress: Progress) -> str:
        """Seconds, what is being done, and how many states were seen."""
        return f"{progress.seconds:.0f} s (Ctrl-C stops), {progress.phase}, {progress.states:,} states"
