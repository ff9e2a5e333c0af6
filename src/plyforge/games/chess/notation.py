"""Moves as text: standard algebraic notation (SAN), as people and files of games write it, and the squares alone, as
programs do (UCI).

    Nf3  exd5  O-O  e8=Q+  R1a3  Qh4e1#      SAN: piece, what tells it from its like, x for a capture, where to,
                                             promotion, check or mate
    g1f3  e1g1  e7e8q                        UCI: from and to; in Chess960 a king that castles goes to the square of its
                                             rook, e1h1

Written is the shortest text that the PGN standard allows. Read is also: 0-0 for O-O, more than is needed (Ng1f3,
Ng1-f3, e2-e4), no mark for capture or check, praise (!?), promotion without the sign (e8Q, e8(Q)), the figure of a pawn
(Pe4). What fits no legal move, or several, is refused, with those that it might be.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from plyforge.contract import Notation, legal_moves
from plyforge.errors import IllegalAction
from plyforge.games.chess.attacks import attackers
from plyforge.games.chess.board import (
    CASTLING,
    EN_PASSANT,
    FILES,
    KIND,
    RANKS,
    SQUARE,
    TARGET,
    TO_KNIGHT,
    Position,
    square_name,
    square_number,
    squares_in,
)
from plyforge.games.chess.fen import format_fen, parse_fen, piece_letter

if TYPE_CHECKING:
    from plyforge.games.chess.rules import Chess

PROMOTED = "NBRQ"
_SQUARES = re.compile(r"([a-h][1-8])([a-h][1-8])([nbrqNBRQ]?)")
_CASTLES = re.compile(r"([O0o])-\1(-\1)?")
_SAN = re.compile(r"([PKQRBN]?)([a-h]?)([1-8]?)[-x:]?([a-h][1-8])(?:=?\(?([QRBNqrbn])\)?)?(?:e\.?p\.?)?")
_MARKS = "+#!?"


# ------------------------------------------------------------------ the squares alone
def uci_text(s: Position, action: int, chess960: bool = False) -> str:
    """An action as UCI writes it."""
    source, target, kind = action & SQUARE, action >> TARGET & SQUARE, action >> KIND
    if kind == CASTLING and not chess960:
        target = king_goal(action)
    promoted = PROMOTED[kind - TO_KNIGHT].lower() if kind >= TO_KNIGHT else ""
    return square_name(source) + square_name(target) + promoted


def king_goal(action: int) -> int:
    """Where the king comes to when it castles."""
    source, target = action & SQUARE, action >> TARGET & SQUARE
    return source & 56 | (6 if target > source else 2)


def parse_uci(game: Any, s: Position, text: str) -> int:
    """The legal action that UCI's text names. Raises IllegalAction."""
    found = _SQUARES.fullmatch(text.strip())
    if found is None:
        raise IllegalAction(f"{_short(text)} is not a move: write two squares, as in e2e4 or e7e8q")
    return _one_of(game, s, text, _with_squares(game, s, found))


def _with_squares(game: Any, s: Position, found: re.Match[str]) -> list[int]:
    """The legal actions from one square to another. A king's step is meant before castling to the same square."""
    source, target = square_number(found[1]), square_number(found[2])
    promoted = found[3].upper()
    plain, castles = [], []
    for action in legal_moves(game, s):
        kind = action >> KIND
        if action & SQUARE != source or promoted != (PROMOTED[kind - TO_KNIGHT] if kind >= TO_KNIGHT else ""):
            continue
        if action >> TARGET & SQUARE == target:
            plain.append(action)
        elif kind == CASTLING and king_goal(action) == target and not game.chess960:
            castles.append(action)
    return plain or castles


# ------------------------------------------------------------------ standard algebraic notation
def san(game: Any, s: Position, action: int) -> str:
    """A legal action in standard algebraic notation."""
    after = game.result(s, action)
    mark = ""
    if game.in_check(after):
        mark = "#" if game.terminal(after) else "+"
    return _san_without_mark(game, s, action) + mark


def _san_without_mark(game: Any, s: Position, action: int) -> str:
    source, target, kind = action & SQUARE, action >> TARGET & SQUARE, action >> KIND
    if kind == CASTLING:
        return "O-O" if target > source else "O-O-O"
    letter = piece_letter(s, source).upper()
    captures = kind == EN_PASSANT or int(s.white | s.black) >> target & 1
    goal = square_name(target)
    if letter == "P":
        promotion = f"={PROMOTED[kind - TO_KNIGHT]}" if kind >= TO_KNIGHT else ""
        return (f"{FILES[source & 7]}x" if captures else "") + goal + promotion
    return letter + _told_apart(game, s, action, letter) + ("x" if captures else "") + goal


def _told_apart(game: Any, s: Position, action: int, letter: str) -> str:
    """What tells the piece from others of its kind that can go to the same square: its file, its rank, or both."""
    source, target = action & SQUARE, action >> TARGET & SQUARE
    own = s.black if s.player else s.white
    near = squares_in(attackers(s, target, s.white | s.black) & own & ~np.uint64(1 << source))
    if not any(piece_letter(s, square).upper() == letter for square in near):
        return ""
    others = [
        other & SQUARE
        for other in legal_moves(game, s)
        if other >> TARGET & SQUARE == target
        and other >> KIND != CASTLING
        and other & SQUARE != source
        and piece_letter(s, other & SQUARE).upper() == letter
    ]
    if not others:
        return ""
    if all(other & 7 != source & 7 for other in others):
        return FILES[source & 7]
    if all(other >> 3 != source >> 3 for other in others):
        return RANKS[source >> 3]
    return square_name(source)


def parse_move(game: Any, s: Position, text: str) -> int:
    """The legal action that SAN or two squares name. Raises IllegalAction."""
    wanted = text.strip().removesuffix("e.p.").rstrip().rstrip(_MARKS)
    squares = _SQUARES.fullmatch(wanted)
    if squares is not None:
        return _one_of(game, s, text, _with_squares(game, s, squares))
    castles = _CASTLES.fullmatch(wanted)
    if castles is not None:
        short = castles[2] is None
        found = [
            action
            for action in legal_moves(game, s)
            if action >> KIND == CASTLING and (action >> TARGET & SQUARE > action & SQUARE) == short
        ]
        return _one_of(game, s, text, found)
    parts = _SAN.fullmatch(wanted)
    if parts is None:
        return _one_of(game, s, text, [])
    letter, file, rank, goal, promoted = parts.groups()
    found = [
        action
        for action in legal_moves(game, s)
        if action >> TARGET & SQUARE == square_number(goal)
        and action >> KIND != CASTLING
        and piece_letter(s, action & SQUARE).upper() == (letter or "P")
        and file in ("", FILES[action & 7])
        and rank in ("", RANKS[(action & SQUARE) >> 3])
        and (promoted is None or action >> KIND == TO_KNIGHT + PROMOTED.index(promoted.upper()))
    ]
    return _one_of(game, s, text, found)


def _one_of(game: Any, s: Position, text: str, found: Sequence[int]) -> int:
    """The one action that fits; otherwise the reason why there is none."""
    if len(found) == 1:
        return found[0]
    if found:
        shown = ", ".join(_san_without_mark(game, s, action) for action in found)
        raise IllegalAction(f"{_short(text)} can mean several moves here: {shown}")
    legal = [_san_without_mark(game, s, action) for action in legal_moves(game, s)]
    shown = ", ".join(legal[:40]) or "none: the game is over"
    more = f" and {len(legal) - 40} more" if len(legal) > 40 else ""
    raise IllegalAction(f"{_short(text)} is not a legal move here; legal: {shown}{more}")


def _short(text: str) -> str:
    return repr(text.strip() if len(text) <= 40 else f"{text.strip()[:40]}...")


# ------------------------------------------------------------------ pictures
def picture(s: Position) -> str:
    """The board as White sees it, white pieces in capitals."""
    rows = []
    for rank in range(7, -1, -1):
        cells = " ".join(piece_letter(s, 8 * rank + file) or "." for file in range(8))
        rows.append(f"{RANKS[rank]} {cells}")
    return "\n".join([*rows, f"  {' '.join(FILES)}"])


class ChessNotation(Notation):
    """States and actions as text."""

    player_names = ("White", "Black")

    def format_action(self, game: Chess, s: Position, action: int) -> str:
        """In standard algebraic notation: `Nf3`, `O-O`, `exd8=Q#`."""
        return san(game, s, action)

    def parse_action(self, game: Chess, s: Position, text: str) -> int:
        """The legal move that `text` names, in standard algebraic notation or as two squares: `Nf3`, `g1f3`."""
        return parse_move(game, s, text)

    def format_state(self, game: Chess, s: Position) -> str:
        return format_fen(s, game.chess960)

    def parse_state(self, game: Chess, text: str) -> Position:
        return parse_fen(text, game.chess960)
