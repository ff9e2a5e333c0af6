"""`plyforge match`: many games between two players, and what they say about strength."""

from __future__ import annotations

import contextlib
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from plyforge.cli import options
from plyforge.cli.contests.progress import GamesProgress

if TYPE_CHECKING:
    from plyforge.play.contests.tournament import Tournament, TournamentStanding
    from plyforge.play.match.match import Match
    from plyforge.play.match.score import Standing


class MatchCommand(click.Command):
    """Whoever names a third player is told where there is room for it."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        try:
            return super().parse_args(ctx, args)
        except click.UsageError as error:
            if "extra argument" not in error.message:
                raise
            hint = "a match is between two players; plyforge table takes three and more"
            raise click.UsageError(f"{error.message.rstrip('.')}: {hint}", ctx) from None


@click.command(
    "match",
    cls=MatchCommand,
    short_help="Play a match between two players: score and Elo, with their errors.",
)
@options.GAME
@click.argument("a", metavar="A")
@click.argument("b", metavar="B")
@click.option("--games", type=int, metavar="N", help="How many: an even number. Default: 100.")
@click.option("--seconds", type=float, metavar="S", help="Time for a move, for players with no limit of their own.")
@click.option(
    "--clock",
    metavar="T",
    help="Or a clock for all their moves: 60, 60+1 (increment), 300/40 (for 40 moves).",
)
@click.option(
    "--opening-plies",
    type=int,
    metavar="K",
    help="Begin each pair with K random plies; 0: at the start. Default: as few as give enough openings.",
)
@click.option("--openings", metavar="FILE", help="Or with the openings of a file: moves or a state a line.")
@click.option("--seed", type=int, default=0, show_default=True, metavar="N", help="Of openings, dice and players.")
@options.crew_for_games
@click.option(
    "--plies-limit",
    type=int,
    default=1000,
    show_default=True,
    metavar="N",
    help="A game this long is drawn, and counted apart.",
)
@click.option(
    "--tolerance",
    type=float,
    default=0.25,
    show_default=True,
    metavar="S",
    help="A move may be late by this much.",
)
@click.option(
    "--patience",
    type=float,
    metavar="S",
    help="Without an answer for so long after its time, a player has stalled. Default: 10; untimed 600.",
)
@options.ADJUDICATE
@click.option(
    "--sprt",
    metavar="TEST",
    help="Stop as soon as a sequential test is decided: elo0=0,elo1=10[,alpha=0.05,beta=0.05].",
)
@click.option("--explain-time", is_flag=True, help="Also say how the players have used their time.")
@click.option("--record", metavar="FILE", help="Keep every game there; if it is there, go on from it.")
@click.option("--resume", is_flag=True, help="Go on with the last match of these settings that had no --record.")
@options.speed
@options.JSON
@options.stopped_like_ctrl_c
def command(
    game: str,
    a: str,
    b: str,
    games: int | None,
    seconds: float | None,
    clock: str | None,
    opening_plies: int | None,
    openings: str | None,
    seed: int,
    workers: int | None,
    where: tuple[str, ...],
    plies_limit: int,
    tolerance: float,
    patience: float | None,
    adjudicate: str | None,
    sprt: str | None,
    explain_time: bool,
    record: str | None,
    resume: bool,
    native: str | None,
    as_json: bool,
) -> None:
    """Play a match of GAME between the players A and B.

    Every opening is played twice, with A and with B as the first player, so that neither luck nor colour decides. The
    referee keeps the clocks. A PLAYER is one of

    \b
      best                           the strongest search for the game
      engine, uct, alpha_beta ...    that search, for --seconds a move (1 if nobody says)
      engine:seconds=0.2             limits of its own; also depth, nodes, threads
      uct:simulations=1000           so many simulations a move
      random                         any legal action
      strategy:plan.json             a plan that plyforge strategy saved
      "gtp:gtp-rhino --level=3"      an outside program that speaks GTP
      "uci:stockfish;Threads=2"      a chess program that speaks UCI, with its options;
                                     depth=, nodes=, seconds= are limits of its own
      "gnubg:gnubg;plies=0"          GNU Backgammon, looking so far ahead
      python:agent.py:Agent          a class of your own with choose(game, state)
      "talk:./bot --fast"            any program that answers lines of JSON

    Searches resign and offer draws where they are told when (engine:resign=0.4,draw=0.01), agents where they have
    methods for it; programs that can't are ended by --adjudicate, from what they say that they expect.

    Late moves, illegal moves, crashes and stalls lose the game, and are counted apart from results. Intervals are those
    of 95 %, taken over pairs. Every finished game is on disk at once, as a line of JSON: the same command goes on
    with a match that was stopped or killed, and no game is lost or played twice.

    With --sprt the match ends by itself as soon as it is clear, with errors of alpha and beta, which is likelier: that
    A is elo0 Elo stronger than B, or elo1; --games is then the most (2,000 if nobody says).

    Examples:

    \b
      plyforge match tic_tac_toe alpha_beta random --games 20
      plyforge match connect4 engine uct --games 40 --seconds 0.1 --record engine-uct.jsonl
      plyforge match othello engine:seconds=0.2 "gtp:gtp-rhino --level=3" --games 100
      plyforge match connect4 engine engine:threads=2 --clock 10+0.1
      plyforge match chess engine "uci:stockfish;UCI_LimitStrength=true;UCI_Elo=1500" --clock 5+0.05
      plyforge match pig dice_engine:depth=3 random --games 10
      plyforge match connect4 engine:nodes=2000 engine:nodes=1000 --sprt elo0=0,elo1=50
    """
    from plyforge.play.match.adjudication import Adjudication
    from plyforge.play.match.match import Match
    from plyforge.play.match.sprt import Sprt
    from plyforge.search import Clock

    test = None if sprt is None else Sprt.parse(sprt)
    if games is None:
        games = 100 if test is None else SPRT_GAMES
    if record is not None and resume:
        raise click.UsageError(
            "--record FILE goes on with FILE by itself: --resume is for matches without it",
            click.get_current_context(),
        )

    def make(kept: str | Path | None) -> Match:
        return Match(
            game,
            a,
            b,
            games=games,
            seconds=seconds,
            clock=None if clock is None else Clock.parse(clock),
            opening_plies=opening_plies,
            openings=openings,
            seed=seed,
            workers=workers,
            where=where,
            plies_limit=plies_limit,
            tolerance=tolerance,
            patience=patience,
            record=kept,
            native=options.as_native(native),
            sprt=test,
            adjudication=None if adjudicate is None else Adjudication.parse(adjudicate),
        )

    _tell_of_learning(game, (a, b), options.as_native(native))
    match = make(record)
    if record is None:
        from plyforge.play.match.folder import new_record, newest_record

        place = newest_record(match) if resume else new_record(match)
        match = make(place)
    again = "the same command" if record is not None else "the same command with --resume"
    _run(match, as_json, explain_time, again)


def _run(match: Match, as_json: bool, explain_time: bool, again: str) -> None:
    """Play it, and tell how it stands at the end, or where Ctrl-C stopped it; `again` goes on with it."""
    progress = MatchProgress(match)
    interrupted = False
    try:
        with progress:
            match.run(progress)
    except KeyboardInterrupt:
        interrupted = True
    standing = match.standing
    progress.tell_notes()
    if as_json:
        said = {name: value for name, value in match.identity().items() if name != "sources"}
        said |= standing.to_json()
        if explain_time:
            said |= {"time_use": {name: asdict(standing.time_use(name)) for name in "AB"}}
        said |= {} if match.verdict is None else {"sprt": match.verdict.to_json()}
        said |= {
            "interrupted": interrupted, "record": str(match.record), "seconds_in_all": progress.seconds,
            "workers": match.workers,
        }  # fmt: skip
        options.print_json(said)
    else:
        print_standing(match, standing, explain_time)
    if interrupted:
        click.echo(
            f"stopped after {len(standing.games)} of {standing.wanted} games: {again} goes on with the others",
            err=True,
        )
        raise click.exceptions.Exit(130)


def _tell_of_learning(game: Any, players: tuple[str, str], native: bool | None) -> None:
    """Say why nothing happens for a while, where `best` is yet to be found out."""
    from plyforge.games import load
    from plyforge.play.players.spec import awaits_contest

    rules = load(game)
    if rules.players == 2 and any(awaits_contest(text, rules, native) for text in players):
        said = "they have no estimate, and a network learns one; once, a minute or so"
        click.echo(f"note: finding out who plays these rules best: {said}", err=True)


class MatchProgress(GamesProgress):
    """The score so far."""

    def __init__(self, match: Match | Tournament) -> None:
        super().__init__(match.wanted)
        self.match = match

    def __call__(self, standing: Standing | TournamentStanding) -> None:
        self.tell(len(standing.games), self.text(standing))

    def text(self, standing: Any) -> str:
        """How it stands, in one line."""
        verdict = getattr(self.match, "verdict", None)
        return standing.short() if verdict is None else f"{standing.short()}, LLR {verdict.llr:+.2f}"

    def tell_notes(self) -> None:
        """What the match has to say beside its result."""
        for note in self.match.notes:
            click.echo(f"note: {note}", err=True)


def print_standing(match: Match, standing: Standing, explain_time: bool = False) -> None:
    """The table at the end."""
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table
    from rich.text import Text

    console = Console(highlight=False)
    table = Table.grid(padding=(0, 2))
    table.add_column(style="dim", min_width=LABEL, no_wrap=True)
    table.add_column(overflow="fold")

    def row(name: str, text: str) -> None:
        table.add_row(name, escape(text))

    row("A", match.players[0])
    row("B", match.players[1])
    row("games", f"{len(standing.games)} of {standing.wanted}, {match.openings_words}")
    row("results of A", standing.results.text())
    if standing.estimate is not None:
        table.add_row("score of A", f"[bold]{escape(standing.estimate.score_text())}[/bold]")
        table.add_row("Elo of A - B", f"[bold]{escape(standing.estimate.elo_text())}[/bold]")
    if match.verdict is not None:
        row("test", match.verdict.text())
    row("A plays first", standing.as_first.text())
    row("A plays second", standing.as_second.text())
    if standing.drawn_by_limit:
        row("draws by limit", f"{standing.drawn_by_limit}, after {match.time_rules.plies_limit} plies")
    if standing.forfeited:
        for name in "AB":
            kinds = [f"{count} {FORFEIT_WORDS[kind]}" for kind, count in standing.forfeits[name].items()]
            row(f"forfeits of {name}", ", ".join(kinds) or "none")
        assert standing.with_forfeits is not None
        row("as losses", f"score of A {standing.with_forfeits.score_text()}")
        last = next(game for game in reversed(standing.games) if game.forfeited is not None)
        row("the last one", f"game {last.number}, {last.forfeited}, {last.reason}: {last.message}")
    for name in "AB":
        times = standing.times(name)
        late = ""
        if times.late is not None:
            late = f", latest move {1000 * times.late:+.0f} ms against its limit" if times.late > 0 else ", never late"
        row(f"time of {name}", f"{times.mean:.3f} s a move on average, {times.moves:,} moves{late}")
        if explain_time:
            row(f"of that, {name}", standing.time_use(name).text())
    with contextlib.suppress(BrokenPipeError):
        console.print(table)
        if match.record is not None:  # in one piece, so that it can be copied
            kept = Text.assemble((f"{'kept in':<{LABEL + 2}}", "dim"), str(match.record))
            console.print(kept, soft_wrap=True)


SPRT_GAMES = 2000
"""The most games of a sequential test where nobody says."""
LABEL = len("A plays second")
"""Columns of the table's first column, at least."""

FORFEIT_WORDS = {
    "time": "on time",
    "illegal": "by an illegal move",
    "crash": "by a crash",
    "stall": "by a stall",
    "protocol": "by an answer that is none",
}
