"""What the home page shows of a game: its name, what it is, its traits in words, and a board to recognise it by."""

from __future__ import annotations

import random
import zlib
from collections.abc import Sequence
from typing import Any

from plyforge.board import Board
from plyforge.contract import CHANCE, SIMULTANEOUS, Game, defines, legal_moves
from plyforge.contract.naming import about
from plyforge.games.catalog import catalog_name
from plyforge.grids.hooks import board_of

OWN = "Your rules"
GROUPS: dict[str, tuple[str, ...]] = {
    "Classics": ("chess", "go", "checkers", "othello", "connect4", "hex", "kalah"),
    "With dice": ("backgammon", "backgammon_match", "pig"),
    "Small enough to see through": (
        *("tic_tac_toe", "three_mens_morris", "hexapawn", "mnk", "nim", "domineering", "dots_and_boxes"),
    ),
    "Three or more": ("chinese_checkers", "three_nim", "pacman_rivals"),
    "One player, or one against the world": ("pacman", "slider", "slippery"),
    "Hidden cards": (
        *("kuhn_poker", "leduc_poker", "liars_dice", "hidden_goofspiel", "oh_hell", "blackjack"),
        *("phantom_tic_tac_toe", "dark_hex"),
    ),
    "All at once": ("goofspiel", "pursuit", "matrix", "repeated_prisoners_dilemma"),
    "Trees of the lectures": ("tree", "random_tree"),
}
"""Headings of the home page, in order, and what stands under each. What is not named here goes by its traits."""

TITLES = {
    "connect4": "Connect Four",
    "mnk": "m, n, k",
    "tic_tac_toe": "Tic-tac-toe",
    "kuhn_poker": "Kuhn poker",
    "leduc_poker": "Leduc poker",
    "liars_dice": "Liar's dice",
    "hidden_goofspiel": "Goofspiel, bids face down",
    "phantom_tic_tac_toe": "Phantom tic-tac-toe",
    "three_mens_morris": "Three Men's Morris",
    "three_nim": "Nim for three",
    "dots_and_boxes": "Dots and Boxes",
    "chinese_checkers": "Chinese Checkers",
    "pacman_rivals": "Pacman's rivals",
    "repeated_prisoners_dilemma": "Prisoner's dilemma, repeated",
    "random_tree": "Random tree",
    "tree": "A tree, node by node",
    "matrix": "Payoff table",
    "slider": "Sliding tiles",
    "slippery": "Slippery wheels",
}
"""Where a game is called otherwise than its file."""

ABOUT = {
    "blackjack": "Closer to 21 than a dealer whose second card lies face down",
    "checkers": "English draughts: jump when you can, and leave the other without a move",
    "chess": "Checkmate the king",
    "chinese_checkers": "Race your men across the star, hopping over whoever stands in the way",
    "connect4": "Drop stones into columns; four in a row wins",
    "dark_hex": "Hex in which nobody sees the other's stones",
    "domineering": "One lays dominoes upright, the other across; who can't, loses",
    "go": "Surround more than the other",
    "hex": "Connect your two sides of the rhombus",
    "hexapawn": "Pawns only: get one across, or block them all",
    "kuhn_poker": "Three cards and one bet: the smallest game in which it pays to bluff",
    "leduc_poker": "Six cards, two rounds of bets, one open card",
    "liars_dice": "Bid on what all dice show together, or call the last bid a lie",
    "hidden_goofspiel": "Bid for prizes, and never see what the other bid",
    "kalah": "Sow seeds around the board, and collect the most",
    "matrix": "Both choose once, at the same time, from a table of payoffs",
    "mnk": "So many in a row, on a board of any size",
    "nim": "Take any number of sticks from one heap; who takes the last one wins",
    "oh_hell": "Bid tricks, and take just as many",
    "othello": "Turn the other's discs over; most discs win",
    "phantom_tic_tac_toe": "Tic-tac-toe in which nobody sees the other's marks",
    "pursuit": "One hunts the other, and both step at once",
    "slider": "Slide the tiles into order, in as few moves as can be",
    "three_nim": "One heap, three players, a payoff for each",
}
"""Where the first sentence of the rules is for programmers."""

SOLVED = {
    "checkers": "solved: a draw",
    "connect4": "solved: first player wins",
    "hex": "solved: first player wins",
    "hexapawn": "solved: second player wins",
    "kalah": "solved: first player wins",
    "kuhn_poker": "solved",
    "leduc_poker": "solved",
    "nim": "solved",
    "pig": "solved",
    "three_mens_morris": "solved: first player wins",
    "tic_tac_toe": "solved: a draw",
}
"""What is known of a game as it is by default; where from, its page under docs/games says."""

PLIES = {
    "go": 0.35,
    "hex": 0.5,
    "connect4": 0.4,
    "domineering": 0.3,
    "dots_and_boxes": 0.5,
}
"""Of a board that is empty at the start: what part of its places the picture shows filled."""


def title(name: str) -> str:
    """What people call a game."""
    return TITLES.get(name, name.replace("_", " ").capitalize())


def called(game: Game) -> str:
    """What people call this game; of rules of one's own, their class."""
    name = catalog_name(game)
    return type(game).__name__ if name is None else title(name)


def group(name: str, game: Game) -> str:
    """The heading that a game of the catalogue stands under."""
    for heading, members in GROUPS.items():
        if name in members:
            return heading
    if game.players == 1:
        return "One player, or one against the world"
    if game.hidden_information:
        return "Hidden cards"
    if defines(game, "legal_actions"):
        return "All at once"
    if game.players > 2:
        return "Three or more"
    return "With dice" if game.has_chance else "Classics"


def traits(name: str, game: Game) -> list[str]:
    """What a game is, in words."""
    words = ["one player" if game.players == 1 else f"{_number(game.players)} players"]
    if game.has_chance:
        words.append("chance")
    if defines(game, "legal_actions"):
        words.append("choose at once")
    if game.hidden_information:
        words.append("hidden information")
    if game.players > 1 and game.utility_sum is None:
        words.append("no constant sum")
    if name in SOLVED:
        words.append(SOLVED[name])
    return words


def _number(number: int) -> str:
    words = ("no", "one", "two", "three", "four", "five", "six")
    return words[number] if number < len(words) else str(number)


def card(name: str, game: Game, own: bool = False) -> dict[str, Any]:
    """What the home page shows of a game."""
    state = game.start()
    board = picture(name, game, state)
    return {
        "name": name,
        "title": title(name),
        "group": OWN if own else group(name, game),
        "own": own,
        "about": _about(name, game, own),
        "traits": traits("" if own else name, game),
        "board": None if board is None else board.to_json(),
        "text": game.show(state) if board is None else "",
    }


def picture(name: str, game: Game, state: Any) -> Board | None:
    """A board to recognise the game by: the start, or where that is empty a few moves on; None where the rules draw
    none."""
    board = board_of(game, state)
    if board is None or board.pieces or defines(game, "legal_actions"):
        return board
    stream = random.Random(zlib.crc32(name.encode()))  # the same at every start
    for _ in range(int(PLIES.get(name, 0.4) * len(board.places))):
        state = _moved_on(game, state, stream)
        if state is None:
            break
        board = board_of(game, state) or board
    return board


def _moved_on(game: Game, state: Any, stream: random.Random) -> Any:
    """A state after a random move that does not end the game; None if there is none."""
    if game.terminal(state) or game.player(state) in (CHANCE, SIMULTANEOUS):
        return None
    legal: Sequence[Any] = legal_moves(game, state)
    for action in stream.sample(legal, len(legal)):
        after = game.result(state, action)
        if not game.terminal(after):
            return after
    return None


def _about(name: str, game: Game, own: bool) -> str:
    """The first sentence of the rules' text, without the arguments that some name there."""
    if not own and name in ABOUT:
        return ABOUT[name]
    return about(game).split(": `")[0].split(". `")[0].rstrip(".")


__all__ = ["GROUPS", "OWN", "card", "group", "picture", "title", "traits"]
