"""`plyforge learn GAME --output FILE`: a network over the inputs that a game's own encoding has, in one file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from plyforge.cli import options

if TYPE_CHECKING:
    from plyforge.learn import Lesson


GAMES = 100_000
"""Where nobody says how many."""


class LessonLine(options.ProgressLine):
    """How far learning has come, on one line."""

    def __init__(self, batch: int, wanted: int) -> None:
        super().__init__()
        self.batch, self.wanted = batch, wanted

    def text(self, progress: Lesson) -> str:
        rate = f"{self.batch / progress.seconds:,.0f} a second, estimates off by {progress.error:.3f}"
        return f"{progress.games:,} of {self.wanted:,} games, {rate} (Ctrl-C stops)"


def learn_network(
    game: str,
    output: str,
    *,
    games: int | None,
    judge: int,
    native: str | None,
    as_json: bool,
    **given: Any,
) -> None:
    """Learn the network of one file; what is not given is as the learner has it."""
    from plyforge.learn import TemporalDifferences

    games = GAMES if games is None else games
    said = {name: value for name, value in given.items() if value is not None}
    learner = TemporalDifferences(game, output, games=games, native=options.as_native(native), **said)
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
