"""`plyforge tune`: better numbers for a search, by games against itself."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING

import click

from plyforge.cli import options

if TYPE_CHECKING:
    from plyforge.play.contests.tune import TuningState


@click.command("tune")
@options.GAME
@click.option("--player", required=True, metavar="PLAYER", help="The search, with a limit that is not time.")
@click.option(
    "--parameters", required=True, metavar="A,B,...", help="Its numbers, each with a range: exploration=0.2..4."
)
@click.option("--iterations", type=int, default=200, show_default=True, metavar="N", help="How many steps.")
@click.option("--pairs", type=int, default=1, show_default=True, metavar="N", help="Pairs of games in each of them.")
@click.option("--opening-plies", type=int, metavar="K", help="Begin each pair with K random plies.")
@click.option("--seed", type=int, default=0, show_default=True, metavar="N", help="Of coins, openings and players.")
@click.option("--record", metavar="FILE", help="Keep every iteration there; if it is there, go on from it.")
@options.crew
@options.speed
@options.JSON
@options.stopped_like_ctrl_c
def command(
    game: str,
    player: str,
    parameters: str,
    iterations: int,
    pairs: int,
    opening_plies: int | None,
    seed: int,
    record: str | None,
    workers: int | None,
    where: tuple[str, ...],
    native: str | None,
    as_json: bool,
) -> None:
    """Tune numbers of a search for GAME by SPSA: all of them are moved at once, up or down, two players on either side
    play, and all go a little towards the winner.

    Hundreds of iterations are few, tens of thousands usual where differences are small. The answer is a player; whether
    it is better, say fresh games. With --record a tuning goes on after a stop: the same command again. An
    iteration ends when its games do, so more --workers than it has games (twice --pairs) do not help.

    \b
      plyforge tune connect4 --player uct:simulations=200 --parameters exploration=0.2..4 --record tune.jsonl
      plyforge match connect4 uct:simulations=200,exploration=0.9 uct:simulations=200 --sprt elo0=0,elo1=20
    """
    from plyforge.play.contests.tune import Tuning

    tuning = Tuning(
        game,
        player,
        parameters.split(","),
        iterations=iterations,
        pairs=pairs,
        opening_plies=opening_plies,
        seed=seed,
        record=record,
        native=options.as_native(native),
        workers=workers,
        where=where,
    )
    shown = Shown()
    interrupted = False
    with options.quiet_fallback():
        try:
            tuning.run(shown)
        except KeyboardInterrupt:
            interrupted = True
        finally:
            shown.clear()
    for note in tuning.notes:
        click.echo(f"note: {note}", err=True)
    state = tuning.state
    if as_json:
        options.print_json(state.to_json() | {"interrupted": interrupted, "record": record})
    else:
        click.echo(f"after {state.done} of {state.wanted} iterations, {2 * pairs * state.done} games:")
        click.echo(state.player)
    if interrupted:
        click.echo("stopped" if record is None else "stopped: the same command goes on", err=True)
        raise click.exceptions.Exit(130)


class Shown:
    """One line on standard error that is written over; where that is no terminal, a line a minute."""

    def __init__(self) -> None:
        self.logged = time.perf_counter()

    def __call__(self, state: TuningState) -> None:
        text = f"{state.done} of {state.wanted}: " + ", ".join(
            f"{key}={value:g}" for key, value in state.values.items()
        )
        if sys.stderr.isatty():
            sys.stderr.write(f"\r\x1b[K{text[:100]}")
            sys.stderr.flush()
        elif time.perf_counter() - self.logged >= options.LOG_EVERY:
            self.logged = time.perf_counter()
            click.echo(text, err=True)

    def clear(self) -> None:
        """Remove the line."""
        if sys.stderr.isatty():
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
