"""`plyforge gtp`: Go, Othello and others for user interfaces and servers, by the Go Text Protocol."""

from __future__ import annotations

import sys
from contextlib import redirect_stdout

import click

from plyforge.cli import options


@click.command("gtp", short_help="Go and other games over GTP, for Go programs and servers.")
@click.argument("game", metavar="[GAME]", default="go")
@click.option(
    "--player",
    metavar="PLAYER",
    help="Who chooses: as in plyforge play. Its limits hold where no time is set. Default: the strongest, 2 s a move.",
)
@click.option("--never-resign", is_flag=True, help="Play on however hopeless it is.")
@options.speed
def command(game: str, player: str | None, never_resign: bool, native: str | None) -> None:
    """Speak GTP 2 on standard input and output: name this command as an engine in GoGui, Sabaki or a server's bot.

    GAME is Go on 9 x 9 unless you say otherwise; any game of two players without dice works as far as the commands make
    sense. The search is compiled for a game and its size, in the background: the first time takes about half a minute
    (for Go with a komi of whole points once more), and a move that is asked for earlier waits for it, unless a clock
    runs.

    \b
      boardsize 9            clear_board            komi 6.5
      play black E5          genmove white          undo
      showboard              final_score            time_settings 300 30 10
      list_commands          quit

    What rules print goes to standard error.

    Examples:

    \b
      plyforge gtp
      plyforge gtp "go(size=19, komi=6.5)"
      plyforge gtp othello --player engine:seconds=0.5
      plyforge match go uct "gtp:plyforge gtp" --games 10 --seconds 1
    """
    from plyforge.games import load
    from plyforge.play.players.search_player import SearchPlayer
    from plyforge.play.players.spec import parse_player
    from plyforge.play.protocols.gtp.server import end_process, make_gtp
    from plyforge.play.protocols.lines import standard_streams

    commands, answers = standard_streams()
    compiled = options.as_native(native)
    with redirect_stdout(sys.stderr):
        rules, choice = load(game), None
        if player is not None:
            parsed = parse_player(player, rules, native=compiled)
            if not isinstance(parsed, SearchPlayer):
                raise click.UsageError(
                    f"{player!r} is no search: name one, as in engine:seconds=1", click.get_current_context()
                )
            choice = parsed
        gtp = make_gtp(commands, answers, rules, choice, native=compiled, resigns=not never_resign)
        try:
            gtp.run()
        finally:
            end_process(gtp)
