"""Positions as text: Forsyth-Edwards notation (FEN), strictly read.

    rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1

    the ranks from the eighth down, white pieces in capitals, digits for empty squares
    who moves, w or b
    who may castle: K and Q for White on the king's and the queen's side, k and q for Black, - for nobody
    the square behind a pawn that has just made two steps, or -
    moves without capture or pawn move, and the number of the move; both may be left out, as in EPD

In Chess960, K is the outermost rook on the side of the h-file (X-FEN), and a rook may be named by its file
(Shredder-FEN): `w HAha -`.

Claim: what is read is a position in which the rules make sense: one king a side, no more pieces than promotions allow,
no pawn on its first or last rank, the side that has just moved not in check. Whether a game leads there is not asked.
Two things are put right instead of refused, as files in use need it: castling without king and rook in their places is
no right, and a square for en passant where nothing can legally capture is none. So equal positions have equal text.
"""

from __future__ import annotations

import re
from itertools import combinations

import numpy as np

from plyforge.contract import MAX
from plyforge.errors import BadText
from plyforge.games.chess.attacks import attackers, passant_takers
from plyforge.games.chess.board import FILES, Position, square_name, square_number, squares_in

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
NAMES = ("White", "Black")
LETTERS = "PNBRQK"
LONGEST, MOST_MOVES = 200, 9999
"""Longer text and greater numbers are no position's."""
_USUAL = {"P": 8, "N": 2, "B": 2, "R": 2, "Q": 1}
_WORDS = {"P": "pawns", "N": "knights", "B": "bishops", "R": "rooks", "Q": "queens"}


# ------------------------------------------------------------------ reading
def parse_fen(text: str, chess960: bool = False) -> Position:
    """The position that a line of FEN describes. Raises BadText."""
    fields = _fields(text)
    pieces = _pieces(fields[0])
    if fields[1] not in ("w", "b"):
        raise BadText(f"{_short(fields[1])} is not who moves: after the board comes w or b, as in {START}")
    player = "wb".index(fields[1])
    quiet, moves = _numbers(fields[4:])
    why = _impossible_pieces(pieces)
    if why:
        raise BadText(f"{_short(text)} is impossible: {why}")

    def of(letters: str) -> np.uint64:
        return np.uint64(sum(1 << square for square, letter in pieces.items() if letter in letters))

    s = Position(
        white=of(LETTERS),
        black=of(LETTERS.lower()),
        pawns=of("Pp"),
        knights=of("Nn"),
        diagonals=of("BbQq"),
        straights=of("RrQq"),
        kings=of("Kk"),
        castling=_castling(fields[2], pieces, chess960),
        passant=np.uint64(0),
        player=player,
        quiet=quiet,
        moves=moves,
    )
    waiting = s.black if player == MAX else s.white
    if attackers(s, squares_in(s.kings & waiting)[0], s.white | s.black) & ~waiting:
        raise BadText(
            f"{_short(text)} is impossible: {NAMES[1 - player]}'s king is in check, but it is {NAMES[player]}'s turn"
        )
    return s._replace(passant=_passant(fields[3], s))


def _fields(text: str) -> list[str]:
    if len(text) > LONGEST:
        raise BadText(f"{_short(text)} has {len(text)} characters, too many for a position")
    fields = text.split()
    if len(fields) > 3 and re.fullmatch(r"-\d+", fields[3], re.ASCII):  # "w - -0 1", as some programs write it
        fields[3:4] = ["-", fields[3][1:]]
    if not 4 <= len(fields) <= 6:
        raise BadText(
            f"{_short(text)} has {len(fields)} parts: a position has six, board, mover, castling, en passant and two"
            f" numbers, as in {START}"
        )
    return fields


def _pieces(board: str) -> dict[int, str]:
    """The letter of the piece on each square that has one."""
    ranks = board.split("/")
    if len(ranks) != 8:
        raise BadText(f"the board {_short(board)} has {len(ranks)} ranks, not 8: put / between them, the eighth first")
    pieces: dict[int, str] = {}
    for number, row in zip(range(8, 0, -1), ranks, strict=True):
        file = 0
        after_digit = False
        for letter in row:
            if letter in "12345678":
                if after_digit:
                    raise BadText(f"rank {number}, {_short(row)}, has two digits in a row: write their sum")
                file += int(letter)
            elif letter.upper() in LETTERS:
                if file < 8:
                    pieces[8 * (number - 1) + file] = letter
                file += 1
            else:
                raise BadText(
                    f"{letter!r} on rank {number}, {_short(row)}, is no piece: there are {LETTERS}, small for Black,"
                    " and digits 1 to 8"
                )
            after_digit = letter.isdigit()
        if file != 8:
            raise BadText(f"rank {number}, {_short(row)}, has {file} squares, not 8")
    return pieces


def _impossible_pieces(pieces: dict[int, str]) -> str:
    """Why these pieces can't be on the board; "" if nothing speaks against it."""
    letters = list(pieces.values())
    for name, case in zip(NAMES, (str.upper, str.lower), strict=True):
        kings = letters.count(case("K"))
        if kings != 1:
            return f"{name} has {kings or 'no'} king{'s' if kings > 1 else ''}, and each side has one"
        pawns = letters.count(case("P"))
        if pawns > 8:
            return f"{name} has {pawns} pawns, and nobody begins with more than 8"
        for square, letter in pieces.items():
            if letter == case("P") and square >> 3 in (0, 7):
                return (
                    f"{name}'s pawn on {square_name(square)} can't be there: pawns begin on the second rank and are"
                    " promoted on the last"
                )
        extra = {letter: max(0, letters.count(case(letter)) - usual) for letter, usual in _USUAL.items()}
        if sum(extra.values()) > 8 - pawns:
            most = max(extra, key=lambda letter: extra[letter])
            return (
                f"{name} has {letters.count(case(most))} {_WORDS[most]} and {pawns} pawns, "
                f"and so needs {sum(extra.values())} promotions where {8 - pawns} pawns are gone"
            )
    return ""


def _castling(text: str, pieces: dict[int, str], chess960: bool) -> np.uint64:
    """The rooks that may castle."""
    if text == "-":
        return np.uint64(0)
    letters = "KQkq" + (FILES.upper() + FILES if chess960 else "")
    if not text or any(letter not in letters for letter in text) or len(set(text)) != len(text):
        hint = "" if chess960 else "; files, as in HAha, are read with chess960=True"
        raise BadText(f"{_short(text)} does not say who may castle: it is - or some of KQkq, each once{hint}")
    found = 0
    for letter in text:
        rank = 0 if letter.isupper() else 56
        king, rook = ("K", "R") if letter.isupper() else ("k", "r")
        files = [file for file in range(8) if pieces.get(rank + file) == rook]
        home = [file for file in range(8) if pieces.get(rank + file) == king]
        if not home or not (chess960 or home == [4]):
            continue
        if letter in "Kk":
            places = [file for file in files if file > home[0] and (chess960 or file == 7)][-1:]
        elif letter in "Qq":
            places = [file for file in files if file < home[0] and (chess960 or file == 0)][:1]
        else:
            places = [file for file in files if FILES[file] == letter.lower()]
        found |= sum(1 << rank + file for file in places)
    return np.uint64(found)


def _passant(text: str, s: Position) -> np.uint64:
    """The square for en passant, if a pawn may capture there."""
    if text == "-":
        return np.uint64(0)
    square = square_number(text)
    if square < 0 or square >> 3 != (5 if s.player == MAX else 2):
        rank = 6 if s.player == MAX else 3
        raise BadText(
            f"{_short(text)} is no square for en passant: it is - or one on rank {rank} where {NAMES[s.player]} moves"
        )
    ahead = 8 if s.player == MAX else -8
    enemy = s.black if s.player == MAX else s.white
    if int(s.white | s.black) >> square & 1 or int(s.white | s.black) >> square + ahead & 1:
        raise BadText(f"no pawn can have passed {text}: there is a piece in its way")
    if not int(enemy & s.pawns) >> square - ahead & 1:
        raise BadText(
            f"no pawn of {NAMES[1 - s.player]} can have passed {text}: there is none on {square_name(square - ahead)}"
        )
    bit = np.uint64(1 << square)
    return bit if passant_takers(s, bit, s.player) else np.uint64(0)


def _numbers(fields: list[str]) -> tuple[int, int]:
    """Quiet moves, and the number of the move."""
    for field, what in zip(fields, ("moves without progress", "the number of the move"), strict=False):
        if not re.fullmatch(r"\d{1,5}", field, re.ASCII) or int(field) > MOST_MOVES:
            raise BadText(f"{_short(field)} is not {what}: it is a whole number from 0 to {MOST_MOVES}")
    quiet, moves = (*map(int, fields), *(0, 1)[len(fields) :])
    return quiet, max(moves, 1)


def _short(text: str) -> str:
    return repr(text if len(text) <= 90 else f"{text[:90]}...")


# ------------------------------------------------------------------ writing
def piece_letter(s: Position, square: int) -> str:
    """The letter of the piece on a square, small for Black; "" if it is empty."""
    bit = np.uint64(1 << square)
    if not (s.white | s.black) & bit:
        return ""
    if s.pawns & bit:
        letter = "P"
    elif s.knights & bit:
        letter = "N"
    elif s.kings & bit:
        letter = "K"
    elif s.diagonals & s.straights & bit:
        letter = "Q"
    else:
        letter = "B" if s.diagonals & bit else "R"
    return letter if s.white & bit else letter.lower()


def format_fen(s: Position, chess960: bool = False, shredder: bool = False) -> str:
    """The position as FEN; in Chess960 as X-FEN, or with castling rooks by their files (`shredder`)."""
    board = format_board(s)
    passant = square_name(squares_in(s.passant)[0]) if s.passant else "-"
    return f"{board} {'wb'[s.player]} {_rights(s, chess960, shredder)} {passant} {s.quiet} {s.moves}"


def format_board(s: Position) -> str:
    """The first part of a FEN."""
    ranks = []
    for rank in range(7, -1, -1):
        row = "".join(piece_letter(s, 8 * rank + file) or "1" for file in range(8))
        ranks.append(re.sub("1+", lambda gap: str(len(gap[0])), row))
    return "/".join(ranks)


def _rights(s: Position, chess960: bool, shredder: bool) -> str:
    found = ""
    for side, case in ((s.white, str.upper), (s.black, str.lower)):
        king = squares_in(s.kings & side)[0]
        rooks = [square for square in squares_in(s.straights & ~s.diagonals & side) if square >> 3 == king >> 3]
        for rook in reversed(squares_in(s.castling & side)):
            outermost = rooks[-1] if rook > king else rooks[0]
            if shredder or (chess960 and rook != outermost):
                found += case(FILES[rook & 7])
            else:
                found += case("K" if rook > king else "Q")
    return found or "-"


# ------------------------------------------------------------------ Fischer's starts
def chess960_start(number: int) -> str:
    """The FEN of a start of Chess960 by its usual number, 0 to 959; 518 is the start of chess (Scharnagl's
    numbering)."""
    if not 0 <= number < 960:
        raise BadText(f"there is no start {number} of Chess960: they are numbered from 0 to 959")
    rest, light = divmod(number, 4)
    rest, dark = divmod(rest, 4)
    knights, queen = divmod(rest, 6)
    row = [""] * 8
    row[2 * light + 1] = row[2 * dark] = "b"
    _put(row, queen, "q")
    first, second = list(combinations(range(5), 2))[knights]
    _put(row, second, "n")
    _put(row, first, "n")
    for piece in "rkr":
        _put(row, 0, piece)
    pieces = "".join(row)
    return f"{pieces}/pppppppp/8/8/8/8/PPPPPPPP/{pieces.upper()} w KQkq - 0 1"


def _put(row: list[str], place: int, piece: str) -> None:
    """On the empty square that comes after so many others."""
    free = [file for file in range(8) if not row[file]]
    row[free[place]] = piece
