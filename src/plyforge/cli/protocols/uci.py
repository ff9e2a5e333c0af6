"""`plyforge uci`: chess for user interfaces, servers and other programs, by the Universal Chess Interface."""

from __future__ import annotations

import click

from plyforge.cli import options


@click.command("uci", short_help="Chess over UCI, for chess programs and servers.")
@click.option("--prepare", is_flag=True, help="Only compile the search, so that later starts are quick.")
@click.option("--using", metavar="SEARCH", default="engine", show_default=True, help="The search that plays.")
@options.speed
def command(native: str | None, prepare: bool, using: str) -> None:
    """Speak UCI on standard input and output: name this command as an engine in any chess program.

    A program such as Cutechess, or a Lichess bot, wants the command line `plyforge uci`. The first start compiles the
    search in the background, which takes about half a minute, in which it plays interpreted, and weaker; later ones are
    ready in a second or two. Run `plyforge uci --prepare` once before a match. You can also type the commands yourself:

    \b
      uci                                    who are you, and what can be set?
      setoption name Hash value 256          also Threads, MultiPV, UCI_Chess960, UCI_LimitStrength ...
      isready                                answered when all is loaded
      position startpos moves e2e4 e7e5      or: position fen FEN moves ...
      go movetime 1000                       or: depth, nodes, infinite, clocks (wtime, btime, winc, binc), ponder
      stop                                   bestmove, now
      d                                      show the board
      quit

    Examples:

    \b
      plyforge uci --prepare
      plyforge uci --using uct
      cutechess-cli -engine cmd=plyforge arg=uci proto=uci -engine cmd=stockfish proto=uci -each tc=10+0.1
      plyforge match chess "uci:plyforge uci" uci:stockfish --games 10 --clock 10+0.1
    """
    from plyforge.play.protocols.lines import standard_streams
    from plyforge.play.protocols.uci.server import Uci, end_process

    uci = Uci(*standard_streams(), native=options.as_native(native), alone=True, using=options.search_name(using))
    try:
        uci.prepare() if prepare else uci.run()
    finally:
        end_process(uci)
