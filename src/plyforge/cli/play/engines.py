"""`plyforge engines`: outside programs by names of the user's own."""

from __future__ import annotations

import click

from plyforge.cli import options


@click.group("engines", invoke_without_command=True, short_help="Outside programs by names of your own.")
@options.JSON
@click.pass_context
def command(context: click.Context, as_json: bool) -> None:
    """List the programs that you have named, add one, or remove one. Their names are players wherever players are
    named: in play, match, versus and tournament, and in the studio.

    \b
      plyforge engines add fish "stockfish;Threads=1" --protocol uci
      plyforge engines add mine python:agent.py:Agent
      plyforge engines
      plyforge engines remove fish
    """
    if context.invoked_subcommand is not None:
        return
    from plyforge.play.players.engines import engines, file

    known = engines()
    if as_json:
        said = {each.name: {"protocol": each.protocol, "command": each.command} for each in known.values()}
        options.print_json({"file": str(file()), "engines": said})
        return
    for each in known.values():
        click.echo(f"{each.name:<12} {each.text}")
    if not known:
        click.echo("none yet: plyforge engines add NAME COMMAND --protocol uci")


@command.command("add")
@click.argument("name")
@click.argument("start", metavar="COMMAND")
@click.option("--protocol", metavar="P", help="uci, gtp, gnubg, talk or python; may stand before the command: uci:...")
def add(name: str, start: str, protocol: str | None) -> None:
    """Call a program NAME. COMMAND is how it is started, its settings after semicolons. A program has to be there."""
    from plyforge.play.players.engines import add as keep

    before, colon, rest = start.partition(":")
    if protocol is None:
        if not colon:
            raise click.UsageError("say what the program speaks, as in --protocol uci", click.get_current_context())
        protocol, start = before.strip(), rest
    if protocol in ("uci", "gtp", "gnubg", "talk"):
        from plyforge.play.protocols.process import split_command

        split_command(start.partition(";")[0])
    named = keep(name, start, protocol)
    click.echo(f"{named.name} is {named.text}")


@command.command("remove")
@click.argument("name")
def remove(name: str) -> None:
    """Forget NAME."""
    from plyforge.play.players.engines import remove as forget

    forget(name)
    click.echo(f"{name} is no player any more")
