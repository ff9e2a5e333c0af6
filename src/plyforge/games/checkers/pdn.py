"""Files of checkers games: Portable Draughts Notation (PDN), read and written.

    [Event "Match"]                               tags, in any order; FEN gives another start than the usual one
    [Black "Chinook"]
    [White "Tinsley, Marion"]
    [Result "1/2-1/2"]
    1. 11-15 23-19 {the usual reply} 2. 8-11 ...  moves, with comments in braces
    1/2-1/2                                       the result ends a game

Read are also: `;` and `%` before comments up to the end of the line, marks of praise (`!`, `(?)`, `$3`), variations in parentheses, all but comments left
out; captures by their first and last square; results of international draughts (2-0, 1-1). Scores are White's, then Black's, whoever moves first: `1-0` is a win for
White (the PDN 3.0 standard, like chess). Files that put Black's first, as some English ones do, are read with `first=MAX`.

Claim: every move read was legal where it was made; what is wrong is said with its line. What `write_pdn` writes, `read_pdn` reads back as the same games.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from plyforge.errors import BadText, PlyforgeError
from plyforge.game import MAX, MIN
from plyforge.games.checkers import Checkers
from plyforge.games.checkers.board import Board

UNKNOWN = "*"
RESULTS = ("1-0", "0-1", "1/2-1/2", "2-0", "0-2", "1-1", "0-0", UNKNOWN)
ROSTER = {"Event": "?", "Site": "?", "Date": "????.??.??", "Round": "?", "White": "?", "Black": "?"}
"""The tags that every game has, with what stands for unknown."""
ENGLISH_DRAUGHTS = "21"
"""The number of the game among all kinds of draughts, in the tag GameType."""
LINE_LENGTH = 80
_RULES = Checkers()


@dataclass(frozen=True)
class PdnGame:
    """A game of a file."""

    actions: tuple[int, ...] = ()
    """The moves, as the rules of checkers give them."""
    result: str = UNKNOWN
    """White's score, then Black's; `*` if it is not known."""
    tags: dict[str, str] = field(default_factory=dict)
    """What is said about the game: Event, White, Black ... without Result, FEN and SetUp, which the other fields tell."""
    start: Board = field(default_factory=_RULES.start)
    """Where it began."""
    comments: dict[int, str] = field(default_factory=dict)
    """By how many moves come before: what was remarked there."""

    @property
    def winner(self) -> int | None:
        """MAX if Black won, MIN if White did, None if nobody."""
        if self.result in ("1-0", "2-0"):
            return MIN
        return MAX if self.result in ("0-1", "0-2") else None

    @property
    def drawn(self) -> bool:
        """True if it is known to be a draw."""
        return self.result in ("1/2-1/2", "1-1")

    def states(self) -> list[Board]:
        """Every position of the game, the first and the last included."""
        found = [self.start]
        for action in self.actions:
            found.append(_RULES.result(found[-1], action))
        return found

    def moves(self) -> list[str]:
        """The moves as text."""
        return [
            _RULES.format_action(s, action) for s, action in zip(self.states(), self.actions, strict=False)
        ]


# ------------------------------------------------------------------ reading
class Token(NamedTuple):
    """A piece of a file."""

    kind: str
    text: str
    line: int


_TOKENS = re.compile(
    r"""(?P<space>\s+)
    |(?P<remark>[;%][^\n]*)
    |\[\s*(?P<tag>\w+)\s*"(?P<value>(?:[^"\\\n]|\\.)*)"\s*\]
    |\{(?P<comment>[^}]*)\}
    |(?P<praise>\([!?]+\)|[!?]+|\$\d+)
    |(?P<result>1/2-1/2|1-0|0-1|2-0|0-2|1-1|0-0|\*)(?![-x:\d])
    |(?P<number>\d+\.(?:\.\.)?|\.\.\.)
    |(?P<move>\d{1,2}(?:[-x:]\d{1,2})+)(?![-x:\d])
    |(?P<bracket>[()])
    |(?P<setup>/[^/\n]*/)""",
    re.VERBOSE | re.IGNORECASE | re.ASCII,
)


def _tokens(text: str) -> Iterator[Token]:
    at, line = 0, 1
    while at < len(text):
        match = _TOKENS.match(text, at)
        if match is None:
            raise BadText(f"line {line}: {_what_is_wrong(text[at:])}")
        kind = "tag" if match["tag"] else str(match.lastgroup)
        content = match[0] if kind in ("tag", "comment") else match[kind]
        yield Token(kind, content, line)
        line += match[0].count("\n")
        at = match.end()


def _what_is_wrong(rest: str) -> str:
    if rest[0] == "{":
        return "a comment begins with { and has no end: } is missing"
    if rest[0] == "[":
        return f'{rest.splitlines()[0][:60]!r} is not a tag: write it like [Event "Match"]'
    return f"{rest.split(maxsplit=1)[0][:40]!r} is neither a move, a tag, a comment nor a result"


class _Reader:
    """Collects one game after the other."""

    def __init__(self, first: int) -> None:
        self.first = first
        self.games: list[PdnGame] = []
        self.begin()

    def begin(self) -> None:
        self.tags: dict[str, str] = {}
        self.start: Board | None = None
        self.state = _RULES.start()
        self.actions: list[int] = []
        self.comments: dict[int, str] = {}
        self.variations: list[int] = []
        """The lines on which the variations begin that we are in."""
        self.claimed = UNKNOWN
        self.empty = True

    def take(self, token: Token) -> None:
        if token.kind in ("space", "remark", "praise", "number"):
            return
        if token.kind == "tag":
            if self.actions:
                self.end(UNKNOWN, token.line)
            self.tag(token)
        elif token.kind == "comment":
            if not self.variations:
                words = " ".join(token.text[1:-1].split())
                before = self.comments.get(len(self.actions))
                self.comments[len(self.actions)] = f"{before} {words}" if before else words
        elif token.kind == "bracket":
            if token.text == "(":
                self.variations.append(token.line)
            elif self.variations:
                self.variations.pop()
            else:
                raise BadText(f"line {token.line}: ) closes a variation that was not opened")
        elif token.kind == "setup":
            raise BadText(
                f"line {token.line}: {token.text!r} sets up a position in the middle of a game, which is not read"
            )
        elif not self.variations:
            if token.kind == "result":
                self.end(token.text, token.line)
            else:
                self.move(token)

    def tag(self, token: Token) -> None:
        match = _TOKENS.match(token.text)
        assert match is not None
        name, value = match["tag"], re.sub(r"\\(.)", r"\1", match["value"])
        if name in self.tags:
            raise BadText(f"line {token.line}: the game has a second tag {name}")
        self.tags[name] = value
        self.empty = False
        if name == "FEN":
            try:
                self.start = self.state = _RULES.parse_state(value)
            except BadText as error:
                raise BadText(f"line {token.line}: {error}") from None
        elif name == "Result":
            if value not in (*RESULTS, "?", ""):
                raise BadText(f"line {token.line}: {value!r} is not a result: there are {', '.join(RESULTS)}")
            self.claimed = value if value in RESULTS else UNKNOWN
        elif name == "GameType" and value.split(",")[0].strip() != ENGLISH_DRAUGHTS:
            raise BadText(
                f"line {token.line}: GameType {value} is another kind of draughts; checkers is {ENGLISH_DRAUGHTS}"
            )

    def move(self, token: Token) -> None:
        text = token.text.replace(":", "x")
        try:
            action = _RULES.parse_action(self.state, text)
        except PlyforgeError as error:
            raise BadText(f"line {token.line}: move {len(self.actions) + 1}: {error}") from None
        self.actions.append(action)
        self.state = _RULES.result(self.state, action)
        self.empty = False

    def end(self, result: str, line: int) -> None:
        if self.variations:
            raise BadText(
                f"line {self.variations[-1]}: a variation begins with ( and has no end: ) is missing"
            )
        if self.empty:
            raise BadText(f"line {line}: the result {result} of a game that has neither tags nor moves")
        if result == UNKNOWN:
            result = self.claimed
        elif self.claimed not in (UNKNOWN, result):
            raise BadText(f"line {line}: the game ends with {result}, and its tag Result says {self.claimed}")
        if self.first == MAX and result != UNKNOWN:
            result = "-".join(reversed(result.split("-")))
        tags = {name: value for name, value in self.tags.items() if name not in ("Result", "FEN", "SetUp")}
        start = self.start or _RULES.start()
        self.games.append(PdnGame(tuple(self.actions), result, tags, start, self.comments))
        self.begin()


def read_pdn(text: str, first: int = MIN) -> list[PdnGame]:
    """The games of a PDN file. `first` says whose score a result gives first: MIN (White's) or MAX (Black's). Raises BadText, with the line."""
    reader = _Reader(first)
    line = 1
    for token in _tokens(text.removeprefix("\ufeff")):
        reader.take(token)
        line = token.line
    if not reader.empty or reader.variations:
        reader.end(UNKNOWN, line)
    return reader.games


# ------------------------------------------------------------------ writing
def write_pdn(games: Iterable[PdnGame]) -> str:
    """Games as the text of a PDN file."""
    return "\n".join(_written(game) for game in games)


def _written(game: PdnGame) -> str:
    if game.result not in RESULTS:
        raise BadText(f"{game.result!r} is not a result: there are {', '.join(RESULTS)}")
    tags = {name: game.tags.get(name, unknown) for name, unknown in ROSTER.items()}
    tags["Result"] = game.result
    tags["GameType"] = ENGLISH_DRAUGHTS
    tags |= {name: value for name, value in game.tags.items() if name not in tags}
    if game.start != _RULES.start():
        tags |= {"SetUp": "1", "FEN": _RULES.format_state(game.start)}
    lines = [f'[{name} "{_escaped(name, value)}"]' for name, value in tags.items()]

    words: list[str] = []
    shift = game.start.player  # White may begin: then the first number stands before White's move
    numbered = False
    for ply, move in enumerate([*game.moves(), None]):
        if ply in game.comments:
            words += _comment(game.comments[ply])
            numbered = False
        if move is not None:
            number, second = divmod(ply + shift, 2)
            if not second:
                words.append(f"{number + 1}.")
            elif not numbered:
                words.append(f"{number + 1}...")
            words.append(move)
            numbered = True
    words.append(game.result)
    moves = textwrap.wrap(" ".join(words), LINE_LENGTH, break_long_words=False, break_on_hyphens=False)
    return "\n".join([*lines, "", *moves, ""])


def _escaped(name: str, value: str) -> str:
    if not re.fullmatch(r"\w+", name, re.ASCII) or "\n" in value:
        raise BadText(f"the tag {name!r} = {value!r} can't be written: names are one word, values one line")
    return value.replace("\\", "\\\\").replace('"', '\\"')


def _comment(text: str) -> list[str]:
    if "}" in text:
        raise BadText(f"the comment {text[:40]!r} can't be written: it has a }} in it, which would end it")
    return f"{{{text}}}".split()
