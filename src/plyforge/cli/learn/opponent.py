"""`plyforge opponent`: a model of somebody, from their games."""

from __future__ import annotations

import click

from plyforge.cli import options


@click.command("opponent")
@options.GAME
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("-o", "--output", required=True, metavar="MODEL", help="Where the model goes, as JSON.")
@click.option(
    "--of", default="", metavar="NAME", help="Whose choices count: a part of the player's name. Default: all."
)
@options.JSON
def command(game: str, files: tuple[str, ...], output: str, of: str, as_json: bool) -> None:
    """Learn from recorded games of GAME what an opponent does in each state.

    FILE is a saved game (plyforge play --save) or the record of a match (plyforge match --record). The model says how
    often each action was played in each state; expectimax, safe_response and a player that plays like it take it from
    there:

    \b
      plyforge match tic_tac_toe random alpha_beta:depth=2 --games 200 --opening-plies 0 --record games.jsonl
      plyforge opponent tic_tac_toe games.jsonl --of alpha_beta -o model.json
      plyforge search tic_tac_toe --against learned:model.json --to-the-end
      plyforge play tic_tac_toe --against model:learned:model.json
    """
    import plyforge as pf
    from plyforge.play.players.opponent_model import OpponentModel, require_model

    require_model(output)
    model = OpponentModel.learn(pf.load(game), files, of)
    model.save(output)
    if as_json:
        options.print_json(
            {
                "file": output,
                "of": of,
                "games": model.games,
                "states": len(model.counts),
                "choices": model.choices,
            }
        )
    else:
        click.echo(f"{output}: {model.choices:,} choices in {len(model.counts):,} states, from {model.games:,} games")
