"""`plyforge talk`: any game for any program, by lines of JSON."""

from __future__ import annotations

import sys
from contextlib import redirect_stdout

import click

from plyforge.cli import options


@click.command("talk", short_help="Any game for any program, by lines of JSON.")
@options.GAME
@options.speed
def command(game: str, native: str | None) -> None:
    """Read requests from standard input and write answers to standard output, an object of JSON on each line.

    What UCI is for chess, this is for every game in which one player moves at a time, your own rules included. Searches
    run in the background: progress comes as events, `stop` is heard at any time, and each request has one answer with
    its `id`. What rules print goes to standard error.

    \b
      {"id": 1, "do": "hello"}                                        which game, which verbs
      {"id": 2, "do": "position", "state": null, "actions": ["4"]}    set it up
      {"id": 3, "do": "legal"}                                        the actions
      {"id": 4, "do": "play", "action": "4"}                          also: undo, roll, status, show
      {"id": 5, "do": "go", "using": "engine", "seconds": 1}          search; depth, nodes, clock, lines ...
      {"id": 6, "do": "stop"}
      {"id": 7, "do": "quit"}

    Examples:

    \b
      plyforge talk connect4
      echo '{"id": 1, "do": "legal"}' | plyforge talk my_rules.py
    """
    from plyforge.check.trial.process import limit_memory
    from plyforge.play.protocols.json_lines.server import Talk, end_process
    from plyforge.play.protocols.lines import standard_streams
    from plyforge.search.protection.trust import is_somebodys_own
    from plyforge.studio.server.limits import OWN_BYTES

    requests, answers = standard_streams()
    with redirect_stdout(sys.stderr):
        talk = Talk(requests, answers, game, native=options.as_native(native))
        if is_somebodys_own(talk.game):
            limit_memory(OWN_BYTES)
        try:
            talk.run()
        finally:
            end_process(talk)
