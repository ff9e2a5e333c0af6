"""`plyforge convert`: games from one format into another."""

from __future__ import annotations

import click


@click.command("convert")
@click.argument("source", metavar="FILE")
@click.argument("target", metavar="TO")
@click.option("--number", type=int, metavar="N", help="Only the N-th game of the file, from 1. Default: all of them.")
def command(source: str, target: str, number: int | None) -> None:
    """Read the games of FILE and write them to TO.

    What either is, its name says: .pgn (chess), .pdn (checkers), .sgf (Go), .mat (backgammon), and .json, which every
    game has. A .json holds one game: name its number where there are several. Every move is checked by the rules.

    \b
      plyforge convert game.sgf game.json
      plyforge convert games.pgn third.json --number 3
      plyforge convert game.json game.pgn
    """
    from plyforge.play.formats import registry
    from plyforge.writing import write_file

    place = registry.require_savable(target)
    kind = registry.kind_of(place)
    found = [registry.restore(source, number=number)] if number is not None else registry.restore_all(source)
    if kind == registry.JSON and len(found) == 1:
        registry.save(found[0], place)
    else:
        write_file(place, registry.write(found, kind))
    told = "" if place.suffix.lower() == f".{kind}" else f", as {kind}: {place.suffix or 'no ending'} names no format"
    click.echo(f"{len(found)} {'game' if len(found) == 1 else 'games'} to {place}{told}")
