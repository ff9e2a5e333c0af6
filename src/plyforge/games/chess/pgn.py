"""Files of chess games: Portable Game Notation (PGN), read and written.

    [Event "Match"]                                 tags, in any order; FEN gives another start than the usual one
    [White "Deep Blue"]
    [Black "Kasparov, Garry"]
    [Result "1-0"]
    1. e4 c6 {the Caro-Kann} 2. d4 d5 (2... g6) ...  moves, with comments in braces and variations in parentheses
    1-0                                             the result ends a game

Read are also: `;` before comments and `%` before remarks up to the end of the line, marks of praise (`!`, `$3`), moves
in all the ways of `notation.py`. The tag `Variant` with Chess960 or Fischerandom changes how FEN and castling are read.
What is common to such files, and what is kept of them, says `plyforge.games.portable`.

Claim: what `write_pgn` writes, `read_pgn` reads back as the same games, but for the white space of comments and for
tags that every game has.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, ClassVar

from plyforge.contract import MAX
from plyforge.errors import BadText
from plyforge.games.chess.board import Position
from plyforge.games.chess.rules import Chess
from plyforge.games.portable import TAG, UNKNOWN, PortableGame, Reader, all_games, written

RESULTS = ("1-0", "0-1", "1/2-1/2", UNKNOWN)
FISCHERS = ("chess960", "fischerandom", "fischerrandom")
VARIANTS = ("standard", "chess", "normal", "fromposition", *FISCHERS)
"""What the tag Variant may say, but for capitals and spaces."""
_RULES = {False: Chess(), True: Chess(chess960=True)}


@dataclass(frozen=True)
class PgnGame(PortableGame):
    """A game of a file."""

    results: ClassVar[tuple[str, ...]] = RESULTS
    white: ClassVar[int] = MAX

    start: Position = field(default_factory=_RULES[False].start)
    chess960: bool = False
    """True for Fischer's chess."""

    @property
    def rules(self) -> Chess:
        return _RULES[self.chess960]

    told_elsewhere: ClassVar[tuple[str, ...]] = ("FEN", "SetUp", "Variant")
    rest_of_line: ClassVar[bool] = True

    def number(self, ply: int, state: Any) -> str:
        return _number(state)

    def more_tags(self) -> dict[str, str]:
        return {"Variant": "Chess960"} if self.chess960 else {}


def _number(s: Position) -> str:
    return f"{s.moves}{'.' if s.player == MAX else '...'}"


class _Reader(Reader[PgnGame]):
    results = RESULTS
    usual = _RULES[False]
    pattern = re.compile(
        TAG
        + r"""|(?P<space>[\s\ufeff]+)
        |(?P<remark>(?m:^)%[^\n\r]*)
        |\{(?P<comment>[^}]*)\}
        |;(?P<rest>[^\n\r]*)
        |(?P<praise>\$[0-9]+|[!?]+|e\.p\.)
        |(?P<result>1/2-1/2|1-0|0-1|\*)(?![A-Za-z0-9_/-])
        |(?P<number>[0-9]+(?:\.+|(?=[\s(){};])|\Z)|\.+)
        |(?P<move>0-0(?:-0)?[+\#]*
            |P?[a-h]?[1-8]?[x:-]?[a-h][18]=?\([QRBNqrbn]\)[+\#]*  # after any other move (N) is praise for a novelty
            |[A-Za-z][A-Za-z0-9_+\#=:-]*(?:\.p\.)?)
        |(?P<bracket>[()])""",
        re.VERBOSE,
    )

    def check_tag(self, name: str, value: str, line: int) -> None:
        if name != "Variant":
            return
        plain = re.sub(r"[\W_]", "", value.lower())
        if plain not in VARIANTS:
            raise BadText(f"line {line}: the variant {value!r} is not played here: there are Standard and Chess960")
        self.game = _RULES[plain in FISCHERS]

    def number(self, state: Position) -> str:
        return _number(state)

    def made(self, result: str, tags: dict[str, str]) -> PgnGame:
        tags.pop("Variant", None)
        fischers = self.game == _RULES[True]
        return PgnGame(tuple(self.actions), result, tags, self.start, self.comments, fischers)


def games_in(text: str) -> Iterator[PgnGame]:
    """The games of a PGN file, one after the other as they are asked for. Raises BadText, with the line."""
    return _Reader().games_in(text)


def read_pgn(text: str) -> list[PgnGame]:
    """All games of a PGN file that is not too long; longer ones are for `games_in`. Raises BadText, with the line."""
    return all_games(text, games_in(text))


def write_pgn(games: Iterable[PgnGame]) -> str:
    """Games as the text of a PGN file."""
    return "\n".join(written(game) for game in games)
