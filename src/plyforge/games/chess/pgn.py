"""Files of chess games: Portable Game Notation (PGN), read and written.

    [Event "Match"]                                 tags, in any order; FEN gives another start than the usual one
    [White "Deep Blue"]
    [Black "Kasparov, Garry"]
    [Result "1-0"]
    1. e4 c6 {the Caro-Kann} 2. d4 d5 (2... g6) ...  moves, with comments in braces and variations in parentheses
    1-0                                             the result ends a game

Read are also: `;` before comments and `%` before remarks up to the end of the line, marks of praise (`!`, `$3`), moves in all the ways of `notation.py`. Comments of the game
itself are kept, variations and all in them left out, however deep they are nested: nothing here calls itself. The tag `Variant` with Chess960 or Fischerandom
changes how FEN and castling are read.

Claim: every move read was legal where it was made; what is wrong is said with its line. What `write_pgn` writes, `read_pgn` reads back as the same games.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from plyforge.errors import BadText, PlyforgeError
from plyforge.game import MAX, MIN
from plyforge.games.chess.board import Position
from plyforge.games.chess.rules import Chess

UNKNOWN = "*"
RESULTS = ("1-0", "0-1", "1/2-1/2", UNKNOWN)
ROSTER = {"Event": "?", "Site": "?", "Date": "????.??.??", "Round": "?", "White": "?", "Black": "?"}
"""The tags that every game has, with what stands for unknown."""
LINE_LENGTH = 80
LONGEST_TEXT, LONGEST_GAME = 1 << 28, 12_000
"""More characters in a file, and more moves in a game, are refused: by the rule of seventy-five moves no game has as many."""
_RULES = {False: Chess(), True: Chess(chess960=True)}


@dataclass(frozen=True)
class PgnGame:
    """A game of a file."""

    actions: tuple[int, ...] = ()
    """The moves, as the rules of chess give them."""
    result: str = UNKNOWN
    """`1-0`, `0-1`, `1/2-1/2`, or `*` if it is not known."""
    tags: dict[str, str] = field(default_factory=dict)
    """What is said about the game: Event, White, Black ... without Result, FEN, SetUp and Variant, which the other fields tell."""
    start: Position = field(default_factory=_RULES[False].start)
    """Where it began."""
    comments: dict[int, str] = field(default_factory=dict)
    """By how many moves come before: what was remarked there."""
    chess960: bool = False
    """True for Fischer's chess."""

    @property
    def winner(self) -> int | None:
        """MAX if White won, MIN if Black did, None if nobody."""
        return {"1-0": MAX, "0-1": MIN}.get(self.result)

    def states(self) -> list[Position]:
        """All positions of the game, the start first."""
        found = [self.start]
        for action in self.actions:
            found.append(_RULES[self.chess960].result(found[-1], action))
        return found

    def moves(self) -> list[str]:
        """The moves in standard algebraic notation."""
        game = _RULES[self.chess960]
        return [game.format_action(s, action) for s, action in zip(self.states(), self.actions, strict=False)]


# ------------------------------------------------------------------ reading
class Token(NamedTuple):
    """A piece of a file."""

    kind: str
    text: str
    line: int


_TOKENS = re.compile(
    r"""(?P<space>\s+)
    |(?P<remark>(?m:^)%[^\n]*)
    |\[\s*(?P<tag>\w+)\s*"(?P<value>(?:[^"\\\n]|\\.)*)"\s*\]
    |\{(?P<comment>[^}]*)\}
    |;(?P<rest>[^\n]*)
    |(?P<praise>\$\d+|[!?]+)
    |(?P<result>1/2-1/2|1-0|0-1|\*)(?![\w/-])
    |(?P<number>\d+(?:\.+|(?=\s))|\.+)
    |(?P<move>0-0(?:-0)?[+\#]*|[A-Za-z][\w+\#=:-]*)
    |(?P<bracket>[()])""",
    re.VERBOSE | re.ASCII,
)


def _tokens(text: str) -> Iterator[Token]:
    at, line = 0, 1
    while at < len(text):
        match = _TOKENS.match(text, at)
        if match is None:
            raise BadText(f"line {line}: {_what_is_wrong(text[at : at + 200])}")
        kind = "tag" if match["tag"] else str(match.lastgroup)
        if kind != "space":
            yield Token(kind, match[0] if kind == "tag" else match[kind], line)
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

    def __init__(self) -> None:
        self.begin()

    def begin(self) -> None:
        self.tags: dict[str, str] = {}
        self.game = _RULES[False]
        self.start: Position | None = None
        self.state: Position | None = None
        """Where the moves have led; None before the first one."""
        self.actions: list[int] = []
        self.comments: dict[int, str] = {}
        self.variations = 0
        """How many variations we are in."""
        self.opened = 0
        """The line on which the outermost one begins."""
        self.fen_line = 0
        self.empty = True

    def take(self, token: Token) -> Iterator[PgnGame]:
        """A game, if the token ends one."""
        if token.kind in ("remark", "praise", "number"):
            return
        if token.kind == "bracket":
            self.bracket(token)
        elif token.kind == "tag":
            if self.actions:
                yield self.end(UNKNOWN, token.line)
            self.tag(token)
        elif self.variations:
            return
        elif token.kind in ("comment", "rest"):
            words = " ".join(token.text.split())
            before = self.comments.get(len(self.actions))
            self.comments[len(self.actions)] = f"{before} {words}" if before else words
        elif token.kind == "result":
            yield self.end(token.text, token.line)
        else:
            self.move(token)

    def bracket(self, token: Token) -> None:
        if token.text == "(":
            self.opened = self.opened if self.variations else token.line
            self.variations += 1
        elif self.variations:
            self.variations -= 1
        else:
            raise BadText(f"line {token.line}: ) closes a variation that was not opened")

    def tag(self, token: Token) -> None:
        if self.variations:
            self.unclosed()
        match = _TOKENS.match(token.text)
        assert match is not None
        name, value = match["tag"], re.sub(r"\\(.)", r"\1", match["value"])
        if name in self.tags:
            raise BadText(f"line {token.line}: the game has a second tag {name}")
        self.tags[name] = value
        self.empty = False
        if name == "FEN":
            self.fen_line = token.line
        elif name == "Result" and value not in (*RESULTS, "?", ""):
            raise BadText(f"line {token.line}: {value!r} is not a result: there are {', '.join(RESULTS)}")
        elif name == "Variant":
            plain = re.sub(r"[\W_]", "", value.lower())
            if plain not in (
                "standard",
                "chess",
                "normal",
                "fromposition",
                "chess960",
                "fischerandom",
                "fischerrandom",
            ):
                raise BadText(
                    f"line {token.line}: the variant {value!r} is not played here: there are Standard and Chess960"
                )
            self.game = _RULES[plain in ("chess960", "fischerandom", "fischerrandom")]

    def set_up(self) -> Position:
        """The first position, once all tags are known."""
        if self.start is None:
            try:
                self.start = (
                    self.game.parse_state(self.tags["FEN"]) if "FEN" in self.tags else self.game.start()
                )
            except BadText as error:
                raise BadText(f"line {self.fen_line}: {error}") from None
        return self.start

    def move(self, token: Token) -> None:
        state = self.state or self.set_up()
        if len(self.actions) == LONGEST_GAME:
            raise BadText(f"line {token.line}: more than {LONGEST_GAME:,} moves in one game")
        try:
            action = self.game.parse_action(state, token.text)
        except PlyforgeError as error:
            raise BadText(f"line {token.line}: move {_number(state)}: {error}") from None
        self.actions.append(action)
        self.state = self.game.result(state, action)
        self.empty = False

    def unclosed(self) -> None:
        raise BadText(f"line {self.opened}: a variation begins with ( and has no end: ) is missing")

    def end(self, result: str, line: int) -> PgnGame:
        if self.variations:
            self.unclosed()
        if self.empty:
            raise BadText(f"line {line}: the result {result} of a game that has neither tags nor moves")
        claimed = self.tags.get("Result", UNKNOWN)
        claimed = claimed if claimed in RESULTS else UNKNOWN
        if result == UNKNOWN:
            result = claimed
        elif claimed not in (UNKNOWN, result):
            raise BadText(f"line {line}: the game ends with {result}, and its tag Result says {claimed}")
        kept = {
            name: value
            for name, value in self.tags.items()
            if name not in ("Result", "FEN", "SetUp", "Variant")
        }
        found = PgnGame(tuple(self.actions), result, kept, self.set_up(), self.comments, self.game.chess960)
        self.begin()
        return found


def _number(s: Position) -> str:
    return f"{s.moves}{'.' if s.player == MAX else '...'}"


def games_in(text: str) -> Iterator[PgnGame]:
    """The games of a PGN file, one after the other as they are asked for. Raises BadText, with the line."""
    if len(text) > LONGEST_TEXT:
        raise BadText(f"a text of {len(text):,} characters is too long: give one of at most {LONGEST_TEXT:,}")
    reader = _Reader()
    line = 1
    for token in _tokens(text.removeprefix("\ufeff")):
        yield from reader.take(token)
        line = token.line
    if not reader.empty or reader.variations:
        yield reader.end(UNKNOWN, line)


def read_pgn(text: str) -> list[PgnGame]:
    """All games of a PGN file. Raises BadText, with the line."""
    return list(games_in(text))


# ------------------------------------------------------------------ writing
def write_pgn(games: Iterable[PgnGame]) -> str:
    """Games as the text of a PGN file."""
    return "\n".join(_written(game) for game in games)


def _written(game: PgnGame) -> str:
    if game.result not in RESULTS:
        raise BadText(f"{game.result!r} is not a result: there are {', '.join(RESULTS)}")
    rules = _RULES[game.chess960]
    tags = {name: game.tags.get(name, unknown) for name, unknown in ROSTER.items()}
    tags["Result"] = game.result
    tags |= {name: value for name, value in game.tags.items() if name not in tags}
    if game.chess960:
        tags["Variant"] = "Chess960"
    if game.start != rules.start():
        tags |= {"SetUp": "1", "FEN": rules.format_state(game.start)}
    lines = [f'[{name} "{_escaped(name, value)}"]' for name, value in tags.items()]

    words: list[str] = []
    numbered = False
    for ply, (state, move) in enumerate(zip(game.states(), [*game.moves(), None], strict=True)):
        if ply in game.comments:
            words += _comment(game.comments[ply])
            numbered = False
        if move is not None:
            if state.player == MAX or not numbered:
                words.append(_number(state))
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
