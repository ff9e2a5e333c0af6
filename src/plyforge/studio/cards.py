"""What the home page shows of a game: its name, what it is, its traits in words, and the board at the start."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from plyforge.errors import PlyforgeError
from plyforge.game import Game

GROUPS = {
    "Your rules": (),
    "Boards for two": (
        *("chess", "checkers", "othello", "go", "connect4", "hex", "tic_tac_toe", "mnk", "three_mens_morris"),
        *("hexapawn", "domineering", "dots_and_boxes", "kalah", "nim"),
    ),
    "With dice": ("backgammon", "pig"),
    "Three or more": ("chinese_checkers", "three_nim", "pacman_rivals"),
    "For one": ("pacman", "slider", "slippery"),
    "All at once": ("goofspiel", "pursuit", "matrix", "repeated_prisoners_dilemma"),
    "Trees": ("tree", "random_tree"),
}
"""Headings of the home page, and what stands under each, in this order. What is not named here goes by its traits."""

TITLES = {
    "connect4": "Connect Four",
    "mnk": "m,n,k",
    "tic_tac_toe": "Tic-tac-toe",
    "three_mens_morris": "Three Men's Morris",
    "three_nim": "Nim for three",
    "dots_and_boxes": "Dots and Boxes",
    "chinese_checkers": "Chinese Checkers",
    "pacman": "Pacman",
    "pacman_rivals": "Pacman rivals",
    "repeated_prisoners_dilemma": "Repeated prisoner's dilemma",
    "random_tree": "Random tree",
    "tree": "A tree of your own",
    "matrix": "Payoff table",
    "slider": "Sliding tiles",
    "slippery": "Slippery grid",
}
"""Where a game is called otherwise than its file."""


def title(name: str) -> str:
    """What people call a game."""
    return TITLES.get(name, name.replace("_", " ").capitalize())


def group(name: str, game: Game) -> str:
    """The heading that a game stands under."""
    for heading, members in GROUPS.items():
        if name in members:
            return heading
    if game.players == 1:
        return "For one"
    if game.simultaneous:
        return "All at once"
    if game.players > 2:
        return "Three or more"
    return "With dice" if game.has_chance else "Boards for two"


def traits(game: Game) -> list[str]:
    """What a game is, in words."""
    words = ["one player" if game.players == 1 else f"{game.players} players"]
    if game.has_chance:
        words.append("chance")
    if game.simultaneous:
        words.append("choose at once")
    if game.players > 1 and game.total is None:
        words.append("not a constant sum")
    if game.has_costs:
        words.append("path costs")
    return words


def board_json(game: Game, state: Any) -> dict[str, Any] | None:
    """The state as a picture; None where the rules have none."""
    board = game.board(state) if callable(getattr(game, "board", None)) else None
    return None if board is None else board.to_json()


def card(name: str, load: Callable[[], Game], own: bool) -> dict[str, Any]:
    """A card's fields. A file that can't be loaded has an `error` in place of most of them."""
    fields: dict[str, Any] = {"name": name, "title": title(name), "own": own, "group": "Your rules"}
    try:
        game = load()
        state = game.start()
        fields |= {
            "about": _about(game),
            "traits": traits(game),
            "players": [*game.player_names] or [str(player) for player in range(game.players)],
            "board": board_json(game, state),
            "text": game.show(state),
        }
        if not own:
            fields["group"] = group(name, game)
    except PlyforgeError as error:
        fields["error"] = str(error)
    except Exception as error:  # own rules can fail in any way
        fields["error"] = f"the rules raised {type(error).__name__}: {error}"
    return fields


def _about(game: Game) -> str:
    """The first sentence of the rules' text, without the arguments that some name there."""
    lines = (type(game).__doc__ or "").strip().splitlines()
    return lines[0].split(": `")[0].split(". `")[0].rstrip(".") if lines else ""


__all__ = ["GROUPS", "board_json", "card", "group", "title", "traits"]
