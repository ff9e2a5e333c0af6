"""Positions with remarks: Extended Position Description (EPD), as test suites have them.

    1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - bm Qd1+; id "BK.01";

The first four parts of a FEN, then operations: a name, what it says, and a semicolon. `bm` and `am` are the moves to
find and to avoid, `id` is the position's name; `pv` and `sv` are lines, in which each move follows the one before. In
texts, which stand in quotes, \\" is a quote and \\\\ a backslash. The two numbers of a FEN may stand before the
operations, as many files have them; `hmvc` and `fmvn` say the same the proper way. The last semicolon may be missing.

Claim: what `format_epd` writes, `parse_epd` reads back as the same position and operations, but for `hmvc` and `fmvn`,
which are written where the position has them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from plyforge.errors import BadText, PlyforgeError
from plyforge.games.chess.board import Position
from plyforge.games.chess.fen import format_fen, parse_fen
from plyforge.games.chess.notation import parse_move

MOVES = frozenset(("bm", "am", "pm", "sm", "pv", "sv"))
"""Operations that name moves."""
LINES = frozenset(("pv", "sv"))
"""Those whose moves follow each other; the others name moves of the position itself."""
LONGEST = 4096
"""A longer line is no position's."""
_NAME = re.compile(r'[A-Za-z]\w{0,14}(?=[\s;"]|$)', re.ASCII)
_OPERAND = re.compile(r'\s*(?:"((?:[^"\\]+|\\["\\]?)*+)"|([^\s";]+))')


@dataclass(frozen=True)
class Epd:
    """A position and what is remarked about it."""

    state: Position
    """The position."""
    operations: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """By name, what each operation says: `{"bm": ("Qd1+",), "id": ("BK.01",)}`."""

    def text(self, name: str, otherwise: str = "") -> str:
        """What an operation says, as one text."""
        return " ".join(self.operations[name]) if name in self.operations else otherwise

    def actions(self, game: Any, name: str) -> list[int]:
        """The moves that an operation names, such as `bm`: each legal where it is made, or BadText."""
        found = []
        state = self.state
        for text in self.operations.get(name, ()):
            try:
                found.append(parse_move(game, state, text))
            except PlyforgeError as error:
                raise BadText(f"{name} of {self.text('id') or format_fen(self.state)}: {error}") from None
            if name in LINES:
                state = game.result(state, found[-1])
        return found


def parse_epd(text: str, chess960: bool = False) -> Epd:
    """The position and the operations of a line. Raises BadText."""
    if len(text) > LONGEST:
        raise BadText(f"a line of {len(text)} characters is no EPD: it begins with {text[:40]!r}")
    text = re.sub(r"^(\s*(?:\S+\s+){3}-)(\d)", r"\1 \2", text)  # "w - -0 1", as some programs write it
    parts = text.split(None, 4)
    if len(parts) < 4:
        raise BadText(f"{text[:80]!r} is not EPD: it begins with board, mover, castling and en passant, as a FEN does")
    rest = parts[4].strip() if len(parts) > 4 else ""
    numbers = re.match(r"(\d+)(?:\s+(\d+))?\s*(?=;|$|[A-Za-z])", rest, re.ASCII)
    quiet, moves = ("0", "1") if numbers is None else (numbers[1], numbers[2] or "1")
    operations = _operations(rest[numbers.end() if numbers else 0 :].removeprefix(";"))
    for name in ("hmvc", "fmvn"):
        if name in operations and len(operations[name]) != 1:
            raise BadText(f"the operation {name} has one number, not {len(operations[name])}")
    quiet, moves = (operations.get(name, (given,))[0] for name, given in (("hmvc", quiet), ("fmvn", moves)))
    fen = " ".join([*parts[:3], parts[3].rstrip(";"), quiet, moves])
    return Epd(parse_fen(fen, chess960), operations)


def _operations(text: str) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    at = 0
    while text[at:].strip():
        begin = at + len(text[at:]) - len(text[at:].lstrip())
        name = _NAME.match(text, begin)
        if name is None:
            raise BadText(
                f"{text[begin:][:40]!r} is no operation: it begins with a name of at most 15 letters and digits, such"
                " as bm or id"
            )
        if name[0] in found:
            raise BadText(f"the operation {name[0]} is there twice")
        at = name.end()
        operands = []
        while (operand := _OPERAND.match(text, at)) is not None:
            operands.append(operand[2] if operand[1] is None else re.sub(r'\\(["\\])', r"\1", operand[1]))
            at = operand.end()
        found[name[0]] = tuple(operands)
        left = text[at:].lstrip()
        if left and not left.startswith(";"):
            raise BadText(f'the operation {name[0]} has a text that begins with " and has no end: {left[:40]!r}')
        at += len(text[at:]) - len(left) + 1
    return found


def format_epd(epd: Epd, chess960: bool = False) -> str:
    """The line of EPD, without the numbers of a FEN but with `hmvc` and `fmvn` where they are not 0 and 1."""
    operations = dict(epd.operations)
    if (epd.state.quiet, epd.state.moves) != (0, 1):
        operations |= {"hmvc": (str(epd.state.quiet),), "fmvn": (str(epd.state.moves),)}
    words = format_fen(epd.state, chess960).split()[:4]
    for name, operands in operations.items():
        one_line = all(operand.splitlines() in ([], [operand]) for operand in operands)
        if _NAME.fullmatch(name) is None or not one_line:
            raise BadText(f"the operation {name!r} can't be written: names are one word, texts one line")
        shown = [_operand(name, operand) for operand in operands]
        words.append(" ".join([name, *shown]) + ";")
    return " ".join(words)


def _operand(name: str, operand: str) -> str:
    """Moves and numbers as they are; what is text, in quotes."""
    plain = name in MOVES or re.fullmatch(r"[+-]?[0-9.]+", operand)
    if plain and re.fullmatch(r'[^\s;"]+', operand):
        return operand
    escaped = operand.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
