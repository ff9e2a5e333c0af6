"""`plyforge tournament`: several players, many games, a crosstable and ratings."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

import click

from plyforge.cli import options
from plyforge.cli.contests.match import MatchProgress

if TYPE_CHECKING:
    from plyforge.play.contests.tournament import Tournament


@click.command("tournament")
@options.GAME
@click.argument("players", nargs=-1, required=True, metavar="PLAYER...")
@click.option("--games", type=int, default=20, show_default=True, metavar="N", help="For each pairing: an even number.")
@click.option("--gauntlet", is_flag=True, help="The first player against all others, who don't meet.")
@click.option("--seconds", type=float, metavar="S", help="Time for a move, for players with no limit of their own.")
@click.option("--clock", metavar="T", help="Or a clock for all their moves: 60, 60+1 (increment), 300/40.")
@click.option("--opening-plies", type=int, metavar="K", help="Begin each pair with K random plies; 0: at the start.")
@click.option("--openings", metavar="FILE", help="Or with the openings of a file: moves or a state a line.")
@click.option("--seed", type=int, default=0, show_default=True, metavar="N", help="Of openings, dice and players.")
@options.ADJUDICATE
@options.crew_for_games
@click.option("--record", metavar="FILE", help="Keep every game there; if it is there, go on from it.")
@click.option(
    "--pgn", "written", metavar="FILE", help="At the end write all games there: .pgn, .pdn, .sgf or .mat, by the game."
)
@options.speed
@options.JSON
@options.stopped_like_ctrl_c
def command(
    game: str,
    players: tuple[str, ...],
    games: int,
    gauntlet: bool,
    seconds: float | None,
    clock: str | None,
    opening_plies: int | None,
    openings: str | None,
    seed: int,
    workers: int | None,
    adjudicate: str | None,
    where: tuple[str, ...],
    record: str | None,
    written: str | None,
    native: str | None,
    as_json: bool,
) -> None:
    """Let several players of GAME play a tournament: everybody against everybody, or a gauntlet.

    Players are described as in plyforge match; programs and agents of your own among them. Every opening is played
    twice, with seats exchanged, and all pairings have the same openings.

    Ratings are those of Bradley and Terry on the scale of Elo, 0 their mean, with 95 % intervals; "open" where somebody
    has won or lost everything, so that the games set no bound. With --record every finished game is on disk at once,
    with value, depth, nodes, visits and time of every move: the same command goes on after a stop, and may name more
    players or more games.

    \b
      plyforge tournament tic_tac_toe alpha_beta:depth=2 alpha_beta:depth=4 random --games 10
      plyforge tournament connect4 engine:nodes=1000 uct:simulations=300 python:agent.py:Agent --record t.jsonl
      plyforge tournament chess engine:nodes=2000 uct:simulations=200 random --pgn games.pgn
      plyforge tournament othello python:mine.py:Agent engine:depth=4 random --gauntlet
    """
    from plyforge.play.contests.tournament import Tournament
    from plyforge.play.formats import registry
    from plyforge.play.match.adjudication import Adjudication
    from plyforge.search import Clock
    from plyforge.writing import write_file

    tournament = Tournament(
        game,
        players,
        games=games,
        gauntlet=gauntlet,
        opening_plies=opening_plies,
        openings=openings,
        record=record,
        seconds=seconds,
        clock=None if clock is None else Clock.parse(clock),
        seed=seed,
        workers=workers,
        where=where,
        native=options.as_native(native),
        adjudication=None if adjudicate is None else Adjudication.parse(adjudicate),
    )
    if written is not None:
        kind, known = registry.kind_of(written), registry.formats_of(tournament.game)
        if kind == registry.JSON or kind not in known:
            own = f"it has {known[0]}" if len(known) > 1 else "it has none; --record keeps every game"
            raise click.UsageError(
                f"--pgn {written}: name a file in a format of the game's own for several games: {own}",
                click.get_current_context(),
            )
        registry.require_savable(written)
    progress = MatchProgress(tournament)
    interrupted = False
    try:
        with progress:
            tournament.run(progress)
    except KeyboardInterrupt:
        interrupted = True
    progress.tell_notes()
    standing = tournament.standing
    if written is not None and standing.games:
        write_file(written, registry.write(tournament.sessions(), registry.kind_of(written)))
    if as_json:
        said = {name: value for name, value in tournament.identity().items() if name != "sources"}
        options.print_json(said | standing.to_json() | {"interrupted": interrupted, "record": record})
    else:
        print_crosstable(tournament)
    if interrupted:
        again = "; --record FILE would have kept them" if record is None else ": the same command goes on"
        click.echo(f"stopped after {len(standing.games)} of {standing.wanted} games{again}", err=True)
        raise click.exceptions.Exit(130)


def print_crosstable(tournament: Tournament) -> None:
    """The table at the end."""
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    standing = tournament.standing
    head, *rows = standing.table()
    table = Table(box=None, pad_edge=False)
    for name in head:
        table.add_column(name, justify="left" if name == "player" else "right", overflow="fold")
    for row in rows:
        table.add_row(*map(escape, row))
    console = Console(highlight=False)
    with contextlib.suppress(BrokenPipeError):
        console.print(table)
        said = f"{len(standing.games)} of {standing.wanted} games, {tournament.openings_words}"
        forfeits = sum(standing.forfeits)
        console.print(said + (f", {forfeits} forfeited, counted as lost" if forfeits else ""), style="dim")
