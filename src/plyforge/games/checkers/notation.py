"""Checkers as text: positions in the FEN of Portable Draughts Notation, moves by the numbers of squares, and a picture.

    B:W21,22,23,K31:B1,K2        who moves (B or W), then a list for each side: men, and kings with a K before them
    W:WK3:B2                     a range such as 1-12 stands for all squares from 1 to 12
    11-15                        a step
    22x15x8                      a capture, with every square that it lands on; 22x8 will do where only one set of
                                 pieces can be meant

Claim: what is read is a position that the rules allow: pieces on different squares of the board, at most twelve a side,
no man on the rank where it would have been crowned, and pieces on the side that has just moved. Whether a game leads
there is not asked.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from plyforge.contract import MAX, MIN, Notation, format_action, legal_moves
from plyforge.errors import BadText, IllegalAction
from plyforge.games.checkers.board import BOTTOM, LIFTED, MOST_PIECES, TOP, Board, bit_of, squares_in
from plyforge.kernel import popcount

if TYPE_CHECKING:
    from plyforge.games.checkers.rules import Checkers

NAMES = ("Black", "White")
LETTERS = "BW"
EXAMPLE = "B:W18,24,27,K10:B12,16,K22"
LONGEST = 400
"""Longer text is no position's."""
_ITEM = re.compile(r"(K?)(\d{1,3})(?:-(\d{1,3}))?", re.IGNORECASE | re.ASCII)
_MOVE = re.compile(r"\d{1,2}(?:[-x]\d{1,2})++", re.IGNORECASE | re.ASCII)


# ------------------------------------------------------------------ positions
def format_fen(s: Board) -> str:
    """The position as FEN: White's pieces, then Black's; men, then kings; each in the order of the squares."""
    lists = []
    for letter, pieces in (("W", s.white), ("B", s.black)):
        men = [str(square) for square in squares_in(pieces & ~s.kings)]
        kings = [f"K{square}" for square in squares_in(pieces & s.kings)]
        lists.append(letter + ",".join(men + kings))
    return ":".join((LETTERS[s.player], *lists))


def parse_fen(text: str) -> Board:
    """The position that a line of FEN describes. Raises BadText."""
    if len(text) > LONGEST:
        raise BadText(f"{_short(text)} has {len(text):,} letters, too many for a position")
    parts = [part.strip() for part in text.strip().rstrip(".").split(":")]
    if len(parts) != 3 or parts[0].upper() not in ("B", "W"):
        raise BadText(
            f"{_short(text)} is not a position: write who moves, B or W, then the squares of both sides, as in"
            f" {EXAMPLE}"
        )
    sides = [0, 0]
    kings, given = 0, ""
    for part in parts[1:]:
        letter = part[:1].upper()
        if letter not in ("B", "W"):
            raise BadText(f"{_short(part)} in {_short(text)} names no side: begin it with B or W, as in {EXAMPLE}")
        if letter in given:
            raise BadText(f"{_short(text)} lists {NAMES[LETTERS.index(letter)]} twice, and the other side not at all")
        given += letter
        side = LETTERS.index(letter)
        for square, is_king in _squares(part[1:], text):
            bit = 1 << bit_of(square)
            if (sides[MAX] | sides[MIN]) & bit:
                raise BadText(f"square {square} is taken twice in {_short(text)}")
            sides[side] |= bit
            kings |= bit if is_king else 0
    s = Board(sides[MAX], sides[MIN], kings, LETTERS.index(parts[0].upper()))
    why = impossible(s)
    if why:
        raise BadText(f"{_short(text)} is impossible: {why}")
    return s


def _squares(items: str, text: str) -> list[tuple[int, bool]]:
    """The squares of one side, each with whether a king is on it."""
    found: list[tuple[int, bool]] = []
    for item in items.split(",") if items.strip() else []:
        match = _ITEM.fullmatch(item.strip())
        if match is None:
            raise BadText(f"{_short(item)} in {_short(text)} is no square: write 18, K10 for a king, or 1-12")
        first = int(match[2])
        last = int(match[3] or match[2])
        for square in (first, last):
            if not 1 <= square <= 32:
                raise BadText(f"{_short(text)} has a piece on square {square}: squares are numbered from 1 to 32")
        if last < first:
            raise BadText(f"{_short(item)} in {_short(text)} goes backwards: write {last}-{first}")
        found += [(square, bool(match[1])) for square in range(first, last + 1)]
    return found


def impossible(s: Board) -> str:
    """Why a position can't be; "" if nothing speaks against it."""
    if s.black | s.white == 0:
        return "there are no pieces at all"
    for name, pieces, last_rank in ((NAMES[0], s.black, BOTTOM), (NAMES[1], s.white, TOP)):
        if pieces.bit_count() > MOST_PIECES:
            return f"{name} has {pieces.bit_count()} pieces, and nobody begins with more than {MOST_PIECES}"
        uncrowned = squares_in(pieces & ~s.kings & last_rank)
        if uncrowned:
            return f"{name}'s man on square {uncrowned[0]} would have been crowned there; write K{uncrowned[0]}"
    if (s.white if s.player == MAX else s.black) == 0:
        return f"{NAMES[1 - s.player]} has no pieces, but it is {NAMES[s.player]}'s turn: the game was over before"
    return ""


def _short(text: str) -> str:
    return repr(text if len(text) <= 80 else f"{text[:80]}...")


# ------------------------------------------------------------------ moves
def squares_of_move(text: str) -> tuple[list[int], bool] | None:
    """The squares that a move's text names, and whether it is written as a capture; None if it is not a move's text."""
    text = text.strip()
    if _MOVE.fullmatch(text) is None:
        return None
    return [int(number) for number in re.findall(r"\d+", text)], "x" in text.lower()


# ------------------------------------------------------------------ pictures
def picture(s: Board) -> str:
    """The board as White sees it: men are b and w, kings B and W; the numbers of each row's squares on the right."""
    rows = []
    for row in range(8):
        signs = []
        for square in range(4 * row + 1, 4 * row + 5):
            bit = 1 << bit_of(square)
            sign = "b" if s.black & bit else "w" if s.white & bit else "."
            signs.append(sign.upper() if s.kings & bit else sign)
        indent = "  " if row % 2 == 0 else ""
        rows.append(f"{indent}{'   '.join(signs)}".ljust(17) + f"{4 * row + 1:>2}-{4 * row + 4}")
    return "\n".join(rows)


class CheckersNotation(Notation):
    """States and actions as text."""

    player_names = ("Black", "White")

    def format_state(self, game: Checkers, s: Board) -> str:
        return format_fen(s)

    def parse_state(self, game: Checkers, text: str) -> Board:
        return parse_fen(text)

    def format_action(self, game: Checkers, s: Board, action: int) -> str:
        is_capture = popcount(action & LIFTED) > 1
        return ("x" if is_capture else "-").join(map(str, game.squares(s, action)))

    def parse_action(self, game: Checkers, s: Board, text: str) -> int:
        """The legal action that `text` names: `11-15`, `22x15x8`, or `22x8` if all such captures take the same
        pieces."""
        legal = {tuple(game.squares(s, action)): action for action in legal_moves(game, s)}
        captures = any(popcount(action & LIFTED) > 1 for action in legal.values())
        named = squares_of_move(text)
        if named is not None and (captures or not named[1]):
            squares = tuple(named[0])
            if squares in legal:
                return legal[squares]
            if len(squares) == 2:
                meant = [action for route, action in legal.items() if (route[0], route[-1]) == squares]
                if len({action & LIFTED for action in meant}) == 1:
                    return meant[0]
                if meant:
                    shown = ", ".join(format_action(game, s, action) for action in meant)
                    raise IllegalAction(f"{text.strip()!r} can mean several captures: {shown}")
        shown = ", ".join(format_action(game, s, action) for action in legal.values()) or "none: the game is over"
        forced = " (whoever can capture must)" if captures else ""
        raise IllegalAction(f"{text.strip()[:40]!r} is not a legal move here; legal{forced}: {shown}")
