"""`plyforge table`: many games of many players."""

from __future__ import annotations

import sys
from typing import Any

import click

from plyforge.cli import options


@click.command("table")
@options.GAME
@click.argument("players", nargs=-1, required=True, metavar="PLAYER...")
@click.option(
    "--rounds", type=int, default=10, show_default=True, metavar="N", help="Openings, each played with every seating."
)
@click.option(
    "--opening-plies",
    type=int,
    metavar="N",
    help="Random plies at the beginning of a round. Default: one for each seat.",
)
@click.option("--seed", type=int, default=0, show_default=True, metavar="N", help="Of openings and players.")
@click.option("--record", metavar="FILE", help="Keep every game there; if it is there, go on from it.")
@options.crew
@options.speed
@options.JSON
@options.stopped_like_ctrl_c
def command(
    game: str,
    players: tuple[str, ...],
    rounds: int,
    opening_plies: int | None,
    seed: int,
    record: str | None,
    workers: int | None,
    where: tuple[str, ...],
    native: str | None,
    as_json: bool,
) -> None:
    """Play GAME, of any number of players, with every PLAYER in every seat.

    Name a player for each seat; they are described as in plyforge match, with limits that are not time (depth, nodes,
    simulations). A round is one opening, played with all orders of the players round the table (with more than four
    players, all rotations). The percentage of a player is its mean payoff on the way from the game's lowest (0 %) to
    its highest (100 %); intervals are those of 95 %, taken over rounds. With --record every finished game is kept: the
    same command, perhaps with more --rounds, goes on after a stop.

    \b
      plyforge table chinese_checkers max_n:nodes=20000 paranoid:nodes=20000 best_reply:nodes=20000
      plyforge table "three_nim(sticks=20)" max_n:depth=6 random random --rounds 5 --workers 2
    """
    from plyforge.play.match.multiplayer import TableMatch, to_json

    table = TableMatch(
        game,
        players,
        rounds=rounds,
        opening_plies=opening_plies,
        seed=seed,
        record=record,
        workers=workers,
        where=where,
        native=options.as_native(native),
    )
    shown = Counter(table.wanted)
    interrupted = False
    with options.quiet_fallback():
        try:
            table.run(shown)
        except KeyboardInterrupt:
            interrupted = True
        finally:
            shown.clear()
    standing = table.standing
    for note in table.notes:
        click.echo(f"note: {note}", err=True)
    if as_json:
        options.print_json(to_json(table, standing) | {"interrupted": interrupted})
    else:
        click.echo(f"{len(standing.games)} of {table.wanted} games, {len(table.seatings())} seatings of each opening")
        if standing.games:
            low, high = table.game.min_utility, table.game.max_utility
            click.echo(f"mean payoff, 0 % is {low:g} and 100 % is {high:g}, with its interval of 95 %:")
        for line in standing.lines if standing.games else ():
            seats = " ".join("-" if part != part else f"{100 * part:.0f}" for part in line.by_seat)
            click.echo(
                f"{line.player:30}  {line.payoff.score_text():28}  {line.wins:g} {'win' if line.wins == 1 else 'wins'}"
                f" of {line.games}; by seat {seats} %"
            )
    if interrupted:
        again = "" if record is None else ": the same command goes on with the others"
        click.echo(f"stopped after {len(standing.games)} of {table.wanted} games{again}", err=True)
        raise click.exceptions.Exit(130)


class Counter:
    """How many games are finished, on standard error; only for a terminal."""

    def __init__(self, wanted: int) -> None:
        self.wanted = wanted

    def __call__(self, standing: Any) -> None:
        if sys.stderr.isatty():
            sys.stderr.write(f"\r\x1b[K{len(standing.games)} of {self.wanted} games")
            sys.stderr.flush()

    def clear(self) -> None:
        if sys.stderr.isatty():
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
