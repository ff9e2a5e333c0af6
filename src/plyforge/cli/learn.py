"""`plyforge learn`: a network that learns a game by playing against itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from plyforge.cli import options

if TYPE_CHECKING:
    from plyforge.learn import Lesson


class LessonLine(options.ProgressLine):
    """How far learning has come, on one line."""

    def __init__(self, batch: int, wanted: int) -> None:
        super().__init__()
        self.batch, self.wanted = batch, wanted

    def text(self, progress: Lesson) -> str:
        rate = f"{self.batch / progress.seconds:,.0f} a second, estimates off by {progress.error:.3f}"
        return f"{progress.games:,} of {self.wanted:,} games, {rate} (Ctrl-C stops)"


@click.command("learn")
@options.GAME
@click.option(
    "--output", "-o", required=True, metavar="FILE", help="The network's file; if it is there, go on from it."
)
@click.option(
    "--games", type=int, default=100_000, show_default=True, metavar="N", help="In all, earlier runs counted."
)
@click.option("--units", type=int, metavar="N", help="Of the hidden layer. Default: 48.")
@click.option("--rate", type=float, default=0.1, show_default=True, metavar="R", help="Of the first games' steps.")
@click.option("--last-rate", type=float, default=0.01, show_default=True, metavar="R", help="Of the last games'.")
@click.option("--trace", type=float, default=0.7, show_default=True, metavar="L", help="Lambda, from 0 to 1.")
@click.option("--explore", type=float, metavar="P", help="The part of random actions. Default: 0.1; with dice 0.")
@click.option("--seed", type=int, default=1, show_default=True, metavar="N", help="Of weights and games.")
@click.option(
    "--until-late", is_flag=True, help="Leave late states, in backgammon races, to the game's own evaluation."
)
@click.option(
    "--from", "start", metavar="FILE", help="Begin with the weights of this network, with settings of one's own."
)
@click.option(
    "--judge",
    type=int,
    default=0,
    metavar="N",
    help="Then play N games against the game's own evaluation, both one ply deep.",
)
@click.option(
    "--shards",
    type=int,
    metavar="N",
    help="Learn from N games side by side. Default: one for each worker; of a file that is there, as it is.",
)
@options.crew
@options.speed
@options.JSON
@options.stopped_like_ctrl_c
def command(
    game: str,
    output: str,
    games: int,
    units: int | None,
    rate: float,
    last_rate: float,
    trace: float,
    explore: float | None,
    seed: int,
    until_late: bool,
    start: str | None,
    judge: int,
    shards: int | None,
    workers: int | None,
    where: tuple[str, ...],
    native: str | None,
    as_json: bool,
) -> None:
    """Learn a small neural network for GAME by temporal differences, from games against itself.

    The file is written after every 1000 games, whole or not at all. Stopped by Ctrl-C, or killed, the same command goes
    on where the file is; with more --games too. A player uses the network as in star2:depth=3,network=FILE.

    \b
    plyforge learn backgammon --games 200000 --output network.npz
    plyforge learn backgammon --games 200000 --output network.npz --workers 2
    plyforge match backgammon star2:depth=1,network=network.npz star2:depth=1 --games 100
    """
    from plyforge.learn import TemporalDifferences

    learner = TemporalDifferences(
        game,
        output,
        games=games,
        units=units,
        rate=rate,
        last_rate=last_rate,
        trace=trace,
        explore=explore,
        seed=seed,
        until_late=until_late,
        start=start,
        native=options.as_native(native),
        shards=shards,
        workers=workers,
        where=where,
    )
    line = LessonLine(learner.batch, games)
    interrupted = False
    try:
        learner.run(line)
    except KeyboardInterrupt:
        interrupted = True
    finally:
        line.clear()
    judged = learner.judge(judge) if judge and not interrupted else None
    if as_json:
        options.print_json(
            {
                "game": game,
                "output": str(learner.output),
                "games": learner.games,
                "wanted": games,
                "units": learner.layers.units,
                "interrupted": interrupted,
                "judged": None if judged is None else {"games": judge, "mean": judged[0], "error": judged[1]},
            }
        )
    else:
        click.echo(f"{learner.games:,} games learned from, {learner.layers.units} units: {learner.output}")
        if judged is not None:
            click.echo(
                f"against the game's own evaluation, one ply deep: {judged[0]:+.3f} ± {judged[1]:.3f} a game, {judge:,}"
                " games"
            )
    if interrupted:
        click.echo(
            f"stopped after {learner.games:,} of {games:,} games: the same command goes on with the others", err=True
        )
        raise click.exceptions.Exit(130)
