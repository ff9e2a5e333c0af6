"""Files of checkers games: Portable Draughts Notation (PDN), read and written.

    [Event "Match"]                               tags, in any order; FEN gives another start than the usual one
    [Black "Chinook"]
    [White "Tinsley, Marion"]
    [Result "1/2-1/2"]
    1. 11-15 23-19 {the usual reply} 2. 8-11 ...  moves, with comments in braces
    1/2-1/2                                       the result ends a game

Read are also: `;` and `%` before comments up to the end of the line, marks of praise (`!`, `(?)`, `$3`), captures by
their first and last square; results of international draughts (2-0, 1-1). Scores are White's, then Black's, whoever
moves first: `1-0` is a win for White (the PDN 3.0 standard, like chess). Files that put Black's first, as some English
ones do, are read with `first=MAX`. What is common to such files, and what is kept of them, says
`plyforge.games.portable`.

Claim: what `write_pdn` writes, `read_pdn` reads back as the same games, but for the white space of comments and for
tags that every game has.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, ClassVar

from plyforge.contract import MAX, MIN
from plyforge.errors import BadText
from plyforge.games.checkers import Checkers
from plyforge.games.checkers.board import Board
from plyforge.games.portable import TAG, UNKNOWN, PortableGame, Reader, Token, all_games, written

RESULTS = ("1-0", "0-1", "1/2-1/2", "2-0", "0-2", "1-1", "0-0", UNKNOWN)
ENGLISH_DRAUGHTS = "21"
"""The number of the game among all kinds of draughts, in the tag GameType."""
_RULES = Checkers()


@dataclass(frozen=True)
class PdnGame(PortableGame):
    """A game of a file."""

    results: ClassVar[tuple[str, ...]] = RESULTS
    white: ClassVar[int] = MIN

    start: Board = field(default_factory=_RULES.start)

    @property
    def rules(self) -> Checkers:
        return _RULES

    def number(self, ply: int, state: Any) -> str:
        pairs, second = divmod(ply + self.start.player, 2)  # White may begin: with the second move of the first pair
        return f"{pairs + 1}{'...' if second else '.'}"

    def more_tags(self) -> dict[str, str]:
        return {"GameType": ENGLISH_DRAUGHTS}


class _Reader(Reader[PdnGame]):
    results = RESULTS
    usual = _RULES
    pattern = re.compile(
        TAG
        + r"""|(?P<space>[\s\ufeff]+)
        |(?P<remark>[;%][^\n\r]*)
        |\{(?P<comment>[^}]*)\}
        |(?P<praise>\([!?]+\)|[!?]+|\$[0-9]+)
        |(?P<result>1/2-1/2|1-0|0-1|2-0|0-2|1-1|0-0|\*)(?![-x:0-9])
        |(?P<number>[0-9]+\.(?:\.\.)?|\.\.\.)
        |(?P<move>[0-9]{1,2}(?:[-x:][0-9]{1,2})++)(?![-x:0-9])
        |(?P<bracket>[()])
        |(?P<setup>/[^/\n]*/)""",
        re.VERBOSE | re.IGNORECASE,
    )

    def __init__(self, first: int) -> None:
        super().__init__()
        self.first = first

    def check_tag(self, name: str, value: str, line: int) -> None:
        if name == "GameType" and value.split(",")[0].strip() != ENGLISH_DRAUGHTS:
            raise BadText(f"line {line}: GameType {value} is another kind of draughts; checkers is {ENGLISH_DRAUGHTS}")

    def move(self, token: Token) -> None:
        super().move(token._replace(text=token.text.replace(":", "x")))

    def made(self, result: str, tags: dict[str, str]) -> PdnGame:
        if self.first == MAX and result != UNKNOWN:
            result = "-".join(reversed(result.split("-")))
        return PdnGame(tuple(self.actions), result, tags, self.start, self.comments)


def games_in(text: str, first: int = MIN) -> Iterator[PdnGame]:
    """The games of a PDN file, one after the other as they are asked for; see `read_pdn`."""
    return _Reader(first).games_in(text)


def read_pdn(text: str, first: int = MIN) -> list[PdnGame]:
    """The games of a PDN file that is not too long; longer ones are for `games_in`. `first` says whose score a
    result gives first: MIN (White's) or MAX (Black's). Raises BadText, with the line."""
    return all_games(text, games_in(text, first))


def write_pdn(games: Iterable[PdnGame]) -> str:
    """Games as the text of a PDN file."""
    return "\n".join(written(game) for game in games)
