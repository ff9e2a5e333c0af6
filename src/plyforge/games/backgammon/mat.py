"""Files of backgammon matches: Jellyfish's MAT format, which GNU Backgammon and most others read, both ways.

     5 point match                                          0 points, or no such line: games for money

     Game 1
     Anna : 0                            Bert : 0           names, and the scores before the game
      1) 31: 8/5 6/5                     66: 24/18(2) 13/7(2)
      2)  Doubles => 2                    Takes
      3) 42: 8/4 6/4                     ...
                                          Wins 2 points     below whoever wins

The left one is X, the right one O. Points 25 and 0 are the bar and off the board; whoever can't move has dice and
nothing after them. Lines that begin with `;` are remarks and are left out.

Claim: every play read was legal where it was made, turns and the cube are as the rules want them, and points are what
cube and position say, unless somebody resigned; what is wrong is said with its line. What `write_mat` writes,
`read_mat` reads back as the same match.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import pairwise

from plyforge.contract import MAX, MIN, parse_action
from plyforge.errors import BadText, PlyforgeError
from plyforge.games.backgammon.board import O_BEGINS, OPENING, Position
from plyforge.games.backgammon.notation import steps_of, ways_of
from plyforge.games.backgammon.plays import PASS
from plyforge.games.backgammon.rules import Backgammon

COLUMN = 33
"""Where the right player's part of a line begins, in letters."""
_RULES = Backgammon()
LONGEST_TEXT, LONGEST_LINE = 1 << 18, 1000
"""Letters of a file, more than a hundred games, and of a line: more are refused."""
LARGEST_CUBE = 1 << 20
# No pattern looks back over what it has taken (`++`, `*+`), and none is tried at every place of a run of blanks: a line
# takes time in proportion to its length.
_MATCH = re.compile(r"\s*+(\d{1,6})\s++point\s++match\s*+", re.IGNORECASE | re.ASCII)
_GAME = re.compile(r"\s*+Game\s++\d++\s*+", re.IGNORECASE | re.ASCII)
_SCORE = re.compile(r":\s*+(\d{1,6})\s{2,}+", re.ASCII)
"""The left player's, and the blanks before the right one's name."""
_NUMBERED = re.compile(r"\s*+\d++\)", re.ASCII)
_TURN = re.compile(r"(?<!\S)(?:[1-6][1-6]\s*+:|Doubles|Takes|Drops|Wins)", re.IGNORECASE | re.ASCII)
"""How a turn begins."""
_PART = re.compile(
    r"(?P<dice>[1-6][1-6])\s*+:(?P<play>[^:]*+)|Doubles\s*+=>\s*+(?P<doubles>\d{1,9})|(?P<takes>Takes)|(?P<drops>Drops)"
    r"|Wins\s++(?P<points>\d{1,9})\s++points?(?:\s++and\s++the\s++match)?",
    re.IGNORECASE | re.ASCII,
)


@dataclass(frozen=True)
class MatTurn:
    """What one player did: played a roll, or turned the cube."""

    player: int
    dice: int = 0
    """The roll, the larger die in the tens; 0 for the cube."""
    action: int = PASS
    """The play, as the rules of backgammon give it."""
    cube: str = ""
    """`doubles`, `takes` or `drops`; empty for a play."""


@dataclass(frozen=True)
class MatGame:
    """A game of a match."""

    names: tuple[str, str] = ("X", "O")
    score: tuple[int, int] = (0, 0)
    """Before the game."""
    turns: tuple[MatTurn, ...] = ()
    winner: int | None = None
    """MAX, MIN, or None if it was not finished."""
    points: int = 0
    """What the winner got, the cube counted."""

    @property
    def cube(self) -> int:
        """What the cube showed at the end."""
        return int(2 ** sum(turn.cube == "takes" for turn in self.turns))

    def states(self) -> list[Position]:
        """Every position in which somebody has played a roll, and the last."""
        found, s = [], _RULES.start()
        for turn in self.turns:
            if turn.dice:
                s = _rolled(s, turn)
                found.append(s)
                s = _RULES.result(s, turn.action)
        return [*found, s]


@dataclass(frozen=True)
class MatMatch:
    """A file."""

    length: int = 0
    """Points to be won; 0 for games for money."""
    games: tuple[MatGame, ...] = field(default_factory=tuple)


def _rolled(s: Position, turn: MatTurn) -> Position:
    roll = turn.dice
    if s.dice == OPENING:
        roll += O_BEGINS if turn.player == MIN else 0
    return _RULES.result(s, roll)


# ------------------------------------------------------------------ reading
class _Reader:
    """Takes one line after the other."""

    def __init__(self) -> None:
        self.length = 0
        self.games: list[MatGame] = []
        self.names: tuple[str, str] | None = None
        self.open = False

    def line(self, number: int, text: str) -> None:
        if not text.strip() or text.lstrip().startswith(";"):
            return
        if match := _MATCH.fullmatch(text):
            if self.games or self.open:
                raise BadText(f"line {number}: the length of the match stands before its games")
            self.length = int(match[1])
        elif _GAME.fullmatch(text):
            self.end()
            self.begin(number)
        elif not self.open:
            raise BadText(f"line {number}: {text.strip()[:60]!r} stands before the first game: 'Game 1' is missing")
        elif self.names is None:
            self.names_of(number, text)
        else:
            self.turns_of(number, text)

    def names_of(self, number: int, text: str) -> None:
        """The line with names and scores. A name may have a colon in it, but not behind it a number and two blanks."""
        match = _SCORE.search(text)
        left = text[: match.start()].strip() if match else ""
        right, _, score = text[match.end() :].rpartition(":") if match else ("", "", "")
        score = score.strip()
        if not (left and right.strip() and score.isascii() and score.isdigit() and len(score) <= 6):
            raise BadText(
                f"line {number}: {text.strip()[:60]!r} should be the names and scores, as in 'Anna : 0     Bert : 0'"
            )
        assert match is not None
        self.names, self.score = (left, right.strip()), (int(match[1]), int(score))

    def begin(self, number: int) -> None:
        self.open, self.names, self.score = True, None, (0, 0)
        self.began = number
        self.state = _RULES.start()
        self.turns: list[MatTurn] = []
        self.cube = 1
        self.offered = False
        self.winner: int | None = None
        self.points = 0

    def end(self) -> None:
        if not self.open:
            return
        if self.names is None:
            raise BadText(f"line {self.began}: the game has no line with names and scores")
        self.games.append(MatGame(self.names, self.score, tuple(self.turns), self.winner, self.points))
        self.open = False

    def turns_of(self, number: int, text: str) -> None:
        """One line of a game: what the left one did, then the right one."""
        numbered = _NUMBERED.match(text)
        body = " " * numbered.end() + text[numbered.end() :] if numbered else text
        first = len(body) - len(body.lstrip())
        starts = [turn.start() for turn in _TURN.finditer(body)]
        parts = []
        for start, end in pairwise(sorted({first, *starts, len(body)})):
            match = _PART.fullmatch(body[start:end].rstrip())
            if match is None:
                raise BadText(
                    f"line {number}: {body[start:].strip()[:40]!r} is neither a roll with its play, as in '31: 8/5"
                    " 6/5', nor 'Doubles => 2', 'Takes', 'Drops' or 'Wins 1 point'"
                )
            parts.append((start, match))
        if len(parts) > 2:
            raise BadText(f"line {number}: there are {len(parts)} turns in one line, and two players")
        for place, (start, match) in enumerate(parts):
            right = place == 1 or (len(parts) == 1 and start >= COLUMN // 2 + 4)
            self.turn(number, MIN if right else MAX, match)

    def turn(self, number: int, player: int, match: re.Match[str]) -> None:
        if self.winner is not None:
            raise BadText(f"line {number}: the game was over before")
        name = self.names[player] if self.names else "?"
        if match["points"]:
            self.wins(number, player, int(match["points"]))
            return
        if match["takes"] or match["drops"]:
            if not self.offered or self.turns[-1].player == player:
                raise BadText(f"line {number}: {name} answers a double that was not offered")
            self.offered = False
            self.cube *= 2 if match["takes"] else 1
            self.turns.append(MatTurn(player, cube="takes" if match["takes"] else "drops"))
            return
        if self.offered:
            raise BadText(f"line {number}: the double is not answered: 'Takes' or 'Drops' is missing")
        if self.turns and self.turns[-1].cube == "drops":
            raise BadText(f"line {number}: the game was over when the double was dropped")
        if self.state.dice != OPENING and self.state.player != player:
            raise BadText(f"line {number}: it is not {name}'s turn")
        if match["doubles"]:
            value = 2 * self.cube
            if value > LARGEST_CUBE:
                raise BadText(f"line {number}: the cube is not doubled beyond {LARGEST_CUBE:,}")
            if int(match["doubles"]) != value:
                raise BadText(f"line {number}: the cube is doubled to {value}, not to {match['doubles']}")
            if self.state.dice == OPENING:
                raise BadText(f"line {number}: nobody may double before the first roll")
            self.offered = True
            self.turns.append(MatTurn(player, cube="doubles"))
            return
        self.play(number, player, match)

    def play(self, number: int, player: int, match: re.Match[str]) -> None:
        larger, smaller = sorted((int(die) for die in match["dice"]), reverse=True)
        if self.state.dice == OPENING and larger == smaller:
            raise BadText(f"line {number}: the opening roll is never a double")
        if _RULES.terminal(self.state):
            raise BadText(f"line {number}: the game was over before")
        turn = MatTurn(player, 10 * larger + smaller)
        s = _rolled(self.state, turn)
        text = match["play"].strip()
        try:
            action = parse_action(_RULES, s, text or "pass")
        except PlyforgeError as error:
            raise BadText(f"line {number}: {error}") from None
        self.turns.append(MatTurn(player, turn.dice, action))
        self.state = _RULES.result(s, action)

    def wins(self, number: int, player: int, points: int) -> None:
        cube = self.cube
        if self.offered:
            raise BadText(f"line {number}: the double is not answered: 'Takes' or 'Drops' is missing")
        if _RULES.terminal(self.state):
            value = _RULES.utility(self.state)
            winner, most = (MAX if value > 0 else MIN), int(abs(value)) * cube
            if (player, points) != (winner, most):
                raise BadText(
                    f"line {number}: {self.names and self.names[winner]} has won {most}: the position and the cube"
                    " say so"
                )
        elif self.turns and self.turns[-1].cube == "drops":
            if player == self.turns[-1].player or points != cube:
                raise BadText(f"line {number}: whoever doubled has won {cube}, since the double was dropped")
        elif points not in (cube, 2 * cube, 3 * cube):
            raise BadText(f"line {number}: with the cube at {cube} nobody wins {points}")
        self.winner, self.points = player, points


def read_mat(text: str) -> MatMatch:
    """The match of a MAT file. Raises BadText, with the line."""
    if len(text) > LONGEST_TEXT:
        raise BadText(f"a text of {len(text):,} letters is too long: a match is read up to {LONGEST_TEXT:,}")
    reader = _Reader()
    for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), 1):
        if len(line) > LONGEST_LINE:
            raise BadText(f"line {number}: it has {len(line):,} letters; {LONGEST_LINE:,} are read at most")
        reader.line(number, line.rstrip().expandtabs())
    reader.end()
    if not reader.games:
        raise BadText("there is no game in the file: a game begins with 'Game 1'")
    return MatMatch(reader.length, tuple(reader.games))


# ------------------------------------------------------------------ writing
def write_mat(match: MatMatch) -> str:
    """A match as the text of a MAT file."""
    lines = [f" {match.length} point match", ""]
    for number, game in enumerate(match.games, 1):
        for name in game.names:
            if not name.strip() or ":" in name or "\n" in name or "  " in name:
                raise BadText(f"the name {name!r} can't be written: it is empty, or has a colon or two blanks in it")
        left = f" {game.names[0]} : {game.score[0]}"
        lines += [f" Game {number}", f"{left:<{COLUMN - 2}}  {game.names[1]} : {game.score[1]}"]
        lines += [*_written(game), ""]
    return "\n".join(lines)


def _written(game: MatGame) -> list[str]:
    states = iter(game.states())
    cube, parts = 1, []
    for turn in game.turns:
        if turn.dice:
            text = f"{turn.dice}: {_steps(next(states), turn.action)}"
        elif turn.cube == "doubles":
            text = f" Doubles => {2 * cube}"
        else:
            text = f" {turn.cube.capitalize()}"
            cube *= 2 if turn.cube == "takes" else 1
        parts.append((turn.player, text.rstrip()))
    rows: list[list[str]] = []
    for player, text in parts:
        if player == MAX or not rows or rows[-1][1]:
            rows.append(["", ""])
        rows[-1][player] = text
    lines = [
        f"{f'{number:>3}) {left}':<{COLUMN - 2}}  {right}".rstrip() for number, (left, right) in enumerate(rows, 1)
    ]
    if game.winner is not None:
        said = f" Wins {game.points} point{'' if game.points == 1 else 's'}"
        lines.append(" " * (COLUMN if game.winner == MIN else 5) + said)
    return lines


def _steps(s: Position, action: int) -> str:
    """A play step by step, the bar being 25 and off 0, with a star at every hit: as the programs that know this
    format write it."""
    hit: set[int] = set()
    words = []
    struck = {point for way in ways_of(s, action) for point in way.hits}
    for start, end in steps_of(s, action):
        star = "*" if end in struck and end not in hit else ""
        hit.add(end)
        words.append(f"{start}/{end}{star}")
    return " ".join(words)


__all__ = ["MatGame", "MatMatch", "MatTurn", "read_mat", "write_mat"]
