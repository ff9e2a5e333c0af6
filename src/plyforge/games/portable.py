"""Portable notation: what files of chess games (PGN) and of checkers games (PDN) have in common. How either looks is in
`chess/pgn.py` and `checkers/pdn.py`.

A file is a sequence of games: tags in brackets, then moves with comments in braces and variations in parentheses, then
a result. Comments of the game itself are kept, variations and all in them left out, however deep they are nested and
whatever they hold: nothing here calls itself.

Claim: every move read was legal where it was made; what is wrong is said with its line.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar

from plyforge.contract import MAX, MIN, Game, format_action, format_state, parse_action, parse_state
from plyforge.errors import BadText, PlyforgeError

UNKNOWN = "*"
ROSTER = {"Event": "?", "Site": "?", "Date": "????.??.??", "Round": "?", "White": "?", "Black": "?"}
"""The tags that every game has, with what stands for unknown."""
FIRST_TAG = "Event"
"""Where it comes again, another game begins, though neither moves nor a result have ended the one before."""
LINE_LENGTH = 80
LONGEST_GAME = 12_000
"""More moves in a game are refused: by the rule of seventy-five moves no game of chess has as many."""
LONGEST_TEXT, LONGEST_FILE, LONGEST_GAME_TEXT = 1 << 28, 1 << 22, 1 << 19
"""More characters are refused: in a file whose games are asked for one after the other, in one whose games are all
read at once, and in one game with its comments and variations. So no single step takes long, nor much memory,
whatever the file is."""


@dataclass(frozen=True)
class PortableGame:
    """A game of a file."""

    results: ClassVar[tuple[str, ...]]
    """How a game may end; UNKNOWN among them."""
    white: ClassVar[int]
    """Which player is White, whose score a result gives first."""

    actions: tuple[int, ...] = ()
    """The moves, as the rules give them."""
    result: str = UNKNOWN
    """White's score, then Black's; `*` if it is not known."""
    tags: dict[str, str] = field(default_factory=dict)
    """What is said about the game: Event, White, Black ... without those that the other fields tell."""
    start: Any = None
    """Where it began."""
    comments: dict[int, str] = field(default_factory=dict)
    """By how many moves come before: what was remarked there."""

    @property
    def rules(self) -> Game:
        """By which it is played."""
        raise NotImplementedError

    @property
    def winner(self) -> int | None:
        """MAX or MIN; None if nobody has won."""
        white, _, black = self.result.partition("-")
        if white == black or self.result == UNKNOWN:
            return None
        return self.white if black == "0" else MAX + MIN - self.white

    @property
    def drawn(self) -> bool:
        """True if it is known to be a draw."""
        return self.result in ("1/2-1/2", "1-1")

    def states(self) -> list[Any]:
        """All positions of the game, the first and the last included."""
        found = [self.start]
        for action in self.actions:
            found.append(self.rules.result(found[-1], action))
        return found

    def moves(self) -> list[str]:
        """The moves as text."""
        states = zip(self.states(), self.actions, strict=False)
        return [format_action(self.rules, s, action) for s, action in states]

    def number(self, ply: int, state: Any) -> str:
        """What stands before a move: `3.`, or `3...` if it is the second of its pair."""
        raise NotImplementedError

    told_elsewhere: ClassVar[tuple[str, ...]] = ("FEN", "SetUp")
    """Tags that are written from the game itself, and can't be given."""
    rest_of_line: ClassVar[bool] = False
    """True if a comment may also stand between `;` and the end of the line; it may have a } in it."""

    def more_tags(self) -> dict[str, str]:
        """Tags that its kind of file has beside the roster."""
        return {}


# ------------------------------------------------------------------ reading
class Token(NamedTuple):
    """A piece of a file."""

    kind: str
    text: str
    line: int
    at: int
    """How many characters come before it."""


TAG = r"""\[\s*(?P<tag>[A-Za-z0-9_]+)\s*"
    (?P<value>(?:[^"\\\n\r]+|\\["\\]?|"(?!\s*\]))*+(?="\s*\])|(?:[^"\n\r]+|"(?!\s*\]))*+)
    "\s*\]"""
"""A tag. A quote ends its value only before the closing bracket, since many programs write quotes and backslashes as
they are; so a backslash that would leave the value without an end stands for itself."""
LEFT_OUT = frozenset(("space", "skipped", "remark", "praise", "number"))
_SKIPPED = re.compile(r"[^\s(){}\[\];]+")


def tokens(text: str, pattern: re.Pattern[str], skipping: Callable[[], bool]) -> Iterator[Token]:
    """The pieces of a file. The pattern names the kinds of them; what it does not know is skipped where `skipping()`
    says so. None is longer than a game may be."""
    at, line = 0, 1
    while at < len(text):
        end = at + LONGEST_GAME_TEXT
        match = pattern.match(text, at, end)
        if match is None:
            unknown = _SKIPPED.match(text, at, end) if skipping() else None
            if unknown is None:
                raise BadText(f"line {line}: {_what_is_wrong(text[at : at + 200])}")
            yield Token("skipped", "", line, at)
            at = unknown.end()
            continue
        kind = "tag" if match["tag"] else str(match.lastgroup)
        yield Token(kind, match[0] if kind == "tag" else match[kind], line, at)
        line += match[0].count("\n")
        at = match.end()


def _what_is_wrong(rest: str) -> str:
    if rest[0] == "{":
        return "a comment begins with { and has no end: } is missing"
    if rest[0] == "[":
        return f'{rest.splitlines()[0][:60]!r} is not a tag: write it like [Event "Match"]'
    return f"{(rest.split(maxsplit=1) or [rest])[0][:40]!r} is neither a move, a tag, a comment nor a result"


Kept = TypeVar("Kept", bound=PortableGame)


class Reader(Generic[Kept]):
    """Collects one game after the other. Each kind of file says what it looks like, and what its tags mean."""

    pattern: re.Pattern[str]
    results: tuple[str, ...]
    usual: Game
    """The rules, as long as no tag says otherwise."""

    def __init__(self) -> None:
        self.begin()

    def begin(self) -> None:
        self.tags: dict[str, str] = {}
        self.game = self.usual
        self.start: Any = None
        self.state: Any = None
        """Where the moves have led; None before the first one."""
        self.actions: list[int] = []
        self.remarks: dict[int, list[str]] = {}
        self.variations = 0
        """How many variations we are in."""
        self.opened = 0
        """The line on which the outermost one begins."""
        self.fen_line = 0
        self.empty = True

    # what differs from file to file
    def check_tag(self, name: str, value: str, line: int) -> None:
        """Raises BadText if a tag makes no sense here; takes from it what it says about the rules."""

    def number(self, state: Any) -> str:
        """How a message calls the next move."""
        return str(len(self.actions) + 1)

    def made(self, result: str, tags: dict[str, str]) -> Kept:
        """The game that was read."""
        raise NotImplementedError

    # what does not
    @property
    def comments(self) -> dict[int, str]:
        """By how many moves come before: what was remarked there."""
        return {ply: " ".join(words) for ply, words in self.remarks.items()}

    def games_in(self, text: str) -> Iterator[Kept]:
        """The games of a file, one after the other as they are asked for. Raises BadText, with the line."""
        if len(text) > LONGEST_TEXT:
            raise BadText(f"a text of {len(text):,} characters is too long: give one of at most {LONGEST_TEXT:,}")
        line, began = 1, 0
        text = text.rstrip("\x1a")  # old files end so
        for token in tokens(text, self.pattern, lambda: self.variations > 0):
            line = token.line
            if token.at - began > LONGEST_GAME_TEXT:
                raise BadText(f"line {line}: a game of more than {LONGEST_GAME_TEXT:,} characters is not read")
            if token.kind in LEFT_OUT:
                continue
            for game in self.take(token):
                began = token.at
                yield game
        if not self.empty or self.variations:
            yield self.end(UNKNOWN, line)

    def take(self, token: Token) -> Iterator[Kept]:
        """A game, if the token ends one."""
        if token.kind == "bracket":
            self.bracket(token)
        elif token.kind == "tag":
            match = self.pattern.match(token.text)
            assert match is not None
            name, value = match["tag"], re.sub(r'\\(["\\])', r"\1", match["value"])
            if self.actions or (name == FIRST_TAG and name in self.tags):
                yield self.end(UNKNOWN, token.line)
            self.tag(name, value, token.line)
        elif self.variations:
            return
        elif token.kind in ("comment", "rest"):
            self.remarks.setdefault(len(self.actions), []).extend(token.text.split())
        elif token.kind == "setup":
            raise BadText(
                f"line {token.line}: {token.text!r} sets up a position in the middle of a game, which is not read"
            )
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

    def tag(self, name: str, value: str, line: int) -> None:
        if self.variations:
            self.unclosed()
        if name in self.tags:
            raise BadText(f"line {line}: the game has a second tag {name}")
        self.tags[name] = value
        self.empty = False
        if name == "FEN":
            self.fen_line = line
        elif name == "Result" and value not in (*self.results, "?", ""):
            raise BadText(f"line {line}: {value!r} is not a result: there are {', '.join(self.results)}")
        self.check_tag(name, value, line)

    def set_up(self) -> Any:
        """The first position, once all tags are known."""
        if self.start is None:
            try:
                self.start = parse_state(self.game, self.tags["FEN"]) if "FEN" in self.tags else self.game.start()
            except BadText as error:
                raise BadText(f"line {self.fen_line}: {error}") from None
        return self.start

    def move(self, token: Token) -> None:
        state = self.state or self.set_up()
        if len(self.actions) == LONGEST_GAME:
            raise BadText(f"line {token.line}: more than {LONGEST_GAME:,} moves in one game")
        try:
            action = parse_action(self.game, state, token.text)
        except PlyforgeError as error:
            raise BadText(f"line {token.line}: move {self.number(state)}: {error}") from None
        self.actions.append(action)
        self.state = self.game.result(state, action)
        self.empty = False

    def unclosed(self) -> None:
        raise BadText(f"line {self.opened}: a variation begins with ( and has no end: ) is missing")

    def end(self, result: str, line: int) -> Kept:
        if self.variations:
            self.unclosed()
        if self.empty:
            raise BadText(f"line {line}: the result {result} of a game that has neither tags nor moves")
        claimed = self.tags.get("Result", UNKNOWN)
        claimed = claimed if claimed in self.results else UNKNOWN
        if result == UNKNOWN:
            result = claimed
        elif claimed not in (UNKNOWN, result):
            raise BadText(f"line {line}: the game ends with {result}, and its tag Result says {claimed}")
        self.set_up()
        found = self.made(
            result, {name: told for name, told in self.tags.items() if name not in ("Result", "FEN", "SetUp")}
        )
        self.begin()
        return found


def all_games(text: str, games: Iterator[Kept]) -> list[Kept]:
    """All games of a text at once. Raises BadText, also if that may take too long."""
    if len(text) > LONGEST_FILE:
        raise BadText(
            f"a text of {len(text):,} characters is too long to read all its games at once, which is done up to"
            f" {LONGEST_FILE:,}: take one after the other, with games_in"
        )
    return list(games)


# ------------------------------------------------------------------ writing
def written(game: PortableGame) -> str:
    """A game as text."""
    if game.result not in game.results:
        raise BadText(f"{game.result!r} is not a result: there are {', '.join(game.results)}")
    for name in game.told_elsewhere:
        if name in game.tags:
            raise BadText(f"the tag {name} can't be given: it is written from the game itself")
    for ply, comment in game.comments.items():
        if not 0 <= ply <= len(game.actions):
            raise BadText(
                f"the comment {comment[:40]!r} can't be written: it stands after {ply} moves, and there are"
                f" {len(game.actions)}"
            )
    tags = {name: game.tags.get(name, unknown) for name, unknown in ROSTER.items()}
    tags["Result"] = game.result
    tags |= game.more_tags()
    tags |= {name: value for name, value in game.tags.items() if name not in tags}
    if game.start != game.rules.start():
        tags |= {"SetUp": "1", "FEN": format_state(game.rules, game.start)}
    lines = [f'[{name} "{_escaped(name, value)}"]' for name, value in tags.items()]
    lines.append("")

    words: list[str] = []
    numbered = False
    for ply, (state, move) in enumerate(zip(game.states(), [*game.moves(), None], strict=True)):
        if ply in game.comments:
            comment = game.comments[ply]
            if game.rest_of_line and "}" in comment:
                lines += [*_lines(words), *_lines(comment.split(), before="; ")]
                words = []
            else:
                words += _comment(comment)
            numbered = False
        if move is not None:
            number = game.number(ply, state)
            if not numbered or not number.endswith("..."):
                words.append(number)
            words.append(move)
            numbered = True
    words.append(game.result)
    return "\n".join([*lines, *_lines(words), ""])


def _lines(words: list[str], before: str = "") -> list[str]:
    return textwrap.wrap(
        " ".join(words),
        LINE_LENGTH,
        initial_indent=before,
        subsequent_indent=before,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _escaped(name: str, value: str) -> str:
    if not re.fullmatch(r"\w+", name, re.ASCII) or value.splitlines() not in ([], [value]):
        raise BadText(f"the tag {name!r} = {value!r} can't be written: names are one word, values one line")
    return value.replace("\\", "\\\\").replace('"', '\\"')


def _comment(text: str) -> list[str]:
    if "}" in text:
        raise BadText(f"the comment {text[:40]!r} can't be written: it has a }} in it, which would end it")
    return f"{{{text}}}".split()
