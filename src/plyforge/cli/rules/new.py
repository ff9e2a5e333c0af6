"""`plyforge new`: a rules file to begin with."""

from __future__ import annotations

import keyword
import re
import shlex
import sys
from pathlib import Path

import click

SKELETONS = Path(__file__).with_name("skeletons")
KINDS = {
    (2, False): "two_players",
    (3, False): "three_players",
    (2, True): "with_chance",
    (3, True): "three_with_chance",
}
"""By the number of players, and whether there is a die: the skeleton."""
TAKEN = {"Game", "State", "Board", "BoardView", "Notation", "Piece", "Place", "NamedTuple"}
"""Names that the skeletons use themselves."""
SHADOWING = sys.stdlib_module_names | {"plyforge", "numpy", "numba", "scipy", "click", "rich"}
"""A file of such a name would be imported in place of the module that is meant."""


@click.command("new")
@click.argument("name", metavar="NAME")
@click.option(
    "--players",
    type=click.Choice(["2", "3"]),
    default="2",
    show_default=True,
    help="How many play; three is a start for any number above two.",
)
@click.option("--chance", is_flag=True, help="With a die.")
@click.option("--board", is_flag=True, help="On a board of rows and columns.")
@click.option("--hidden", is_flag=True, help="Hidden information: with dice that only their owners see.")
def command(name: str, players: str, chance: bool, board: bool, hidden: bool) -> None:
    """Write a rules file to begin with: a small game that is complete, runs at once, and explains itself.

    \b
    plyforge new my_game                  writes my_game.py
    plyforge new games/fox_and_geese.py
    plyforge new my_game --players 3
    plyforge new my_game --chance         with --players 3, too
    plyforge new my_game --board
    plyforge new my_game --hidden         players don't see everything

    A file that is there already is left as it is.
    """
    from plyforge.errors import PlyforgeError

    if board and (chance or players != "2"):
        raise click.UsageError(
            "--board is a game for two without a die: begin with --board alone, or without it, and add the other",
            click.get_current_context(),
        )
    if hidden and (board or players != "2"):
        raise click.UsageError(
            "--hidden is a game for two with dice, without a board: begin with it alone, and add the other",
            click.get_current_context(),
        )
    path = file_for(name)
    kind = "on_a_board" if board else "hidden" if hidden else KINDS[int(players), chance]
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(skeleton(kind, path))
    except FileExistsError:
        raise PlyforgeError(f"{path} is there already, and is left as it is: choose another name") from None
    except OSError as error:
        raise PlyforgeError(f"can't write {path}: {error.strerror or error}") from None
    shown = shlex.quote(str(path))
    width = len(shown) + len("plyforge studio ")
    click.echo(f"{path} is a small game that runs. Open it in an editor, make it yours, and meanwhile:\n")
    for verb, words in (
        ("check", "are these rules a lawful game? if not, what is wrong?"),
        ("play", "pass the screen on; nobody sees what is hidden")
        if hidden
        else ("play", "against the engine, in the terminal"),
        ("solve", "how often to do what") if hidden else ("studio", "play and analyse in a browser"),
    ):
        click.echo(f"  {f'plyforge {verb} {shown}':<{width}}    {words}")


def file_for(name: str) -> Path:
    """The file that a name means: `Fox and Geese` is fox_and_geese.py. Raises BadText."""
    from plyforge.errors import BadText

    given = Path(name)
    stem = re.sub(r"[\s-]+", "_", given.name.removesuffix(".py").strip())
    if given.name != f"{stem}.py":  # a title, not a file's name
        stem = stem.lower()
    if not re.fullmatch(r"\w+", stem) or not re.search(r"[^\W_]", stem):
        raise BadText(f"{name!r} is no name for a game: letters, digits and _, as in my_game or my_game.py")
    if stem in SHADOWING:
        raise BadText(f"a file {stem}.py would stand in the way of Python's own {stem}: try {stem}_game")
    return given.with_name(f"{stem}.py")


def class_name(stem: str) -> str:
    """What the class in that file is called: `fox_and_geese` is FoxAndGeese."""
    name = "".join(word[:1].upper() + word[1:] for word in stem.split("_"))
    if not name.isidentifier():
        name = f"Game{name}"
    return f"{name}Game" if name in TAKEN or keyword.iskeyword(name) else name


def skeleton(kind: str, path: Path) -> str:
    """The text of the file."""
    text = (SKELETONS / f"{kind}.py").read_text(encoding="utf-8")
    return text.replace("MyGame", class_name(path.stem)).replace("my_game.py", path.name)
