"""Files of Go games: the Smart Game Format (SGF, FF[4]), read and written.

    (;GM[1]FF[4]SZ[9]KM[7.5]PB[MoGo]PW[GNU Go]RE[B+R]     a game: its first node says what it is about
     ;B[ee];W[ce]C[the usual reply]                       moves, with comments
     (;B[cc];W[])(;B[gc]))                                variations: the first of each is the main line

A point is its column and row as letters, rows from the top: `aa` is A9 on 9x9. A pass is `[]`, or `[tt]` as older
programs write it. Stones are put down without a move by AB and AW (handicap, problems) and taken away by AE; rectangles
(`aa:cc`) are read, too. `PL` says who moves.

Read is the main line; variations are checked for their form and skipped. Two moves of one colour in a row have a pass
between them, which is no move of the file (`inserted`) and none of the two that end a game. Stones put down in the
middle of a game begin it anew: what came before is left out. Nothing recurses, so brackets may be as deep as DEEPEST.

Komi is a number of points. Read is also what servers and people write: a decimal comma, a word behind it (`6.5目`,
`6目半`, `7.5 points`), and hundredths, as the Fox server has them: a whole number above 150 is divided by 100 (`KM[650]`
is 6.5), and if that leaves quarters it was counted in stones, two points each (`KM[375]` is 7.5). So is `3.75子`. What
we write ourselves has a point where it is that large.

Files are bytes in any encoding: `decoded` makes text of them. CA says which one it is; where it says nothing that can
be believed it is UTF-8 if most signs beyond ASCII are, GB18030 if all are and most have no byte of ASCII, else Latin-1,
the standard's default. Elsewhere a byte of a sign may look like `]` or a backslash and end a value too early or too
late.

Claim: every move read was legal where it was made (superko aside, which not all rules have); what is wrong is said with
its line. What `write_sgf` writes, `read_sgf` reads back as the same games, but for how lines are broken in texts.

Reference: Hollosi, "SGF File Format FF[4]", red-bean.com/sgf.
"""  # noqa: E501

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import NamedTuple

from plyforge.contract import MAX, MIN, format_action, parse_action
from plyforge.errors import BadText, PlyforgeError, Unsuitable
from plyforge.games.go.notation import format_points
from plyforge.games.go.points import has, joined, split
from plyforge.games.go.rules import LARGEST, NO_POINT, SMALLEST, Go, Position

LARGEST_TEXT = 1 << 22
"""Characters of a file: a collection of some two thousand games."""
LARGEST_FILE = 4 * LARGEST_TEXT
"""Bytes of a file: no sign takes more than four."""
DEEPEST = 1000
"""Variations inside variations."""
MOST_VALUES = 1 << 14
"""Values of one property: a board has 361 points."""
MOST_NODES = 1 << 16
"""Nodes of one game, variations and all."""
DEFAULT_SIZE = 19
LARGEST_KOMI = 150
"""Points: whole numbers beyond it are hundredths."""
LONGEST_KOMI = 40
"""Characters of one that is read."""
HALVES, STONES = ("半", "目半"), "子"
"""Behind a komi: and a half; stones, each of which is worth two points."""
LETTERS = "abcdefghijklmnopqrs"
COLOURS = {"B": MAX, "W": MIN}
TOLD_ELSEWHERE = frozenset({"B", "W", "AB", "AW", "AE", "PL", "SZ", "KM", "C", "GM", "FF", "CA", "AP"})
"""Properties that are no tags: the other fields tell what they say."""


@dataclass(frozen=True)
class SgfGame:
    """A game of a file."""

    game: Go = field(default_factory=Go)
    """The rules: size and komi."""
    actions: tuple[int, ...] = ()
    """The moves of the main line, as the rules give them."""
    tags: dict[str, str] = field(default_factory=dict)
    """What the first node says about the game: PB, PW, RE, DT, HA ..."""
    start: Position | None = None
    """Where it began; None: on the empty board."""
    comments: dict[int, str] = field(default_factory=dict)
    """By how many moves come before: what was remarked there."""
    lists: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """What the first node says with several values, each as it stands in the file: LB, TR ..."""
    inserted: frozenset[int] = frozenset()
    """Which of the actions, by number from 0, are passes that the file doesn't have, between two moves of one
    colour."""

    @property
    def first(self) -> Position:
        """The position in which it began."""
        return self.game.start() if self.start is None else self.start

    @property
    def result(self) -> str:
        """Who won and how: `B+3.5`, `W+R`, `0` for a draw; "" if it is not known."""
        return self.tags.get("RE", "")

    @property
    def winner(self) -> int | None:
        """MAX if Black won, MIN if White did, None if nobody, or nobody knows."""
        return COLOURS.get(self.result[:1].upper()) if self.result[1:2] == "+" else None

    def states(self) -> list[Position]:
        """Every position of the game, the first and the last included."""
        found = [self.first]
        for number, action in enumerate(self.actions):
            before = found[-1]
            found.append(_turned(before) if number in self.inserted else self.game.result(before, action))
        return found

    def before(self, number: int) -> list[Position]:
        """The positions up to the one in which the move of that number, from 1, is made: one for each move of the
        file, and the first."""
        states = self.states()
        moves = [ply for ply in range(len(self.actions)) if ply not in self.inserted]
        found = [states[0], *(states[ply + 1] for ply in moves[: number - 1])]
        if number <= len(moves):
            found[-1] = states[moves[number - 1]]
        return found

    def moves(self) -> list[str]:
        """The moves as vertices."""
        return [format_action(self.game, self.first, action) for action in self.actions]


# ------------------------------------------------------------------ reading
class Node(NamedTuple):
    """A node of the main line."""

    line: int
    properties: dict[str, list[str]]


_PROPERTY = re.compile(r"\s*([A-Za-z][A-Za-z0-9_]*)\s*(?=\[)", re.ASCII)
_NAME = re.compile(r"[A-Z][A-Z0-9_]*")
_VALUE = re.compile(r"\s*\[((?:[^\]\\]+|\\.)*+)\]", re.DOTALL)  # never looks back: long values need no memory
_NUMBER = re.compile(r"([+-]?(?:\d+(?:[.,]\d*)?|[.,]\d+)(?:[eE][+-]?\d+)?)\s*(\D*?)\.?", re.ASCII)
_SPACE = re.compile(r"\s+")
_BEGIN = re.compile(r"\(\s*;")
"""How a game begins: other brackets may stand in what comes before and between."""


def read_sgf(text: str, most: int | None = None) -> list[SgfGame]:
    """The games of a file, or so many of them. Raises BadText, which says where."""
    if len(text) > LARGEST_TEXT:
        raise BadText(f"the file has {len(text):,} characters; {LARGEST_TEXT:,} are read at most")
    games = [_game_of(nodes) for nodes in islice(_main_lines(text), most)]
    if not games:
        raise BadText("there is no game in it: one begins with (; and ends with )")
    return games


def _main_lines(text: str) -> Iterator[list[Node]]:
    """The nodes of each game, the first variation taken wherever there are several."""
    found = False
    nodes: list[Node] = []
    # For each open bracket: is it on the main line, and has it had a variation?
    open_ones: list[list[bool]] = []
    number = 0
    begin = _BEGIN.search(text)
    at = begin.start() if begin else text.find("(") if "(" in text else len(text)  # headers may come first
    line = 1 + text.count("\n", 0, at)
    while at < len(text):
        space = _SPACE.match(text, at)
        if space:
            line += space[0].count("\n")
            at = space.end()
            continue
        sign = text[at]
        at += 1
        text_follows = found and not open_ones and sign != ")" and not _BEGIN.match(text, at - 1)
        if sign == "(" and not text_follows:
            if len(open_ones) >= DEEPEST:
                raise BadText(f"line {line}: variations are more than {DEEPEST} deep")
            main = not open_ones or (open_ones[-1][0] and not open_ones[-1][1])
            if open_ones:
                open_ones[-1][1] = True
            else:
                nodes, number = [], 0
            open_ones.append([main, False])
        elif sign == ")":
            if not open_ones:
                raise BadText(f"line {line}: ) closes nothing")
            open_ones.pop()
            if not open_ones:
                if not nodes:
                    raise BadText(f"line {line}: a game has no node: one begins with ;")
                found = True
                yield nodes
        elif sign == ";" and open_ones:
            number += 1
            if number > MOST_NODES:
                raise BadText(f"line {line}: a game has more than {MOST_NODES:,} nodes")
            node = Node(line, {})
            at, line = _properties(text, at, line, node.properties)
            if open_ones[-1][0] and not open_ones[-1][1]:
                nodes.append(node)
        elif not open_ones:
            begin = _BEGIN.search(text, at)
            if begin is None:
                break  # what follows the last game
            line += text.count("\n", at, begin.start())
            at = begin.start()
        else:
            rest = text[at - 1 :].split(maxsplit=1)[0][:40]
            raise BadText(f"line {line}: {rest!r} is neither a node (;), a variation nor a property with a value")
    if open_ones:
        raise BadText(f"line {line}: {len(open_ones)} brackets are open at the end: ) is missing")


def _properties(text: str, at: int, line: int, properties: dict[str, list[str]]) -> tuple[int, int]:
    """Read what a node says, from `at` on; where it ends, and in which line."""
    while match := _PROPERTY.match(text, at):
        line += match[0].count("\n")
        name = "".join(sign for sign in match[1] if not sign.islower())  # older files write SiZe
        if not name[:1].isupper():
            name = match[1].upper()
        values = properties.setdefault(name, [])
        at = match.end()
        while value := _VALUE.match(text, at):
            values.append(value[1])
            line += value[0].count("\n")
            at = value.end()
            if len(values) > MOST_VALUES:
                raise BadText(f"line {line}: {name} has more than {MOST_VALUES:,} values")
        if text[at : at + 1] == "[":
            raise BadText(f"line {line}: a value of {name} has no end: ] is missing")
    return at, line


def plain_text(value: str) -> str:
    """A value without its escapes: a backslash takes the next sign as it is, and hides a line break."""
    return re.sub(r"\\(\r\n|\n\r|.)", lambda m: "" if m[1][0] in "\r\n" else m[1], value, flags=re.DOTALL)


def escaped(text: str) -> str:
    """Text as a value; all line breaks are written alike. Colons are left alone: in a tag they may stand between two
    parts, as in LB[aa:1]."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text.replace("\\", "\\\\").replace("]", "\\]")


def _game_of(nodes: list[Node]) -> SgfGame:
    root = nodes[0].properties
    kind = _first(root, "GM", "1")
    if kind.strip() not in ("1", ""):
        raise BadText(f"line {nodes[0].line}: GM[{kind[:20]}] is another game than Go, which is GM[1]")
    game = Go(_size(nodes[0]), _komi(nodes[0]))
    tags = {
        name: plain_text(values[0]).replace("\r", "")
        for name, values in root.items()
        if len(values) == 1 and name not in TOLD_ELSEWHERE
    }
    lists = {name: tuple(values) for name, values in root.items() if len(values) > 1 and name not in TOLD_ELSEWHERE}
    start: Position | None = None
    state = game.start()
    actions: list[int] = []
    comments: dict[int, list[str]] = {}
    inserted: set[int] = set()
    for node in nodes:
        if any(name in node.properties for name in ("AB", "AW", "AE", "PL")):
            changed = _set_up(game, node, state)
            if changed != state:
                if actions:
                    actions, comments, inserted = [], {}, set()
                start = state = changed
        for name, values in node.properties.items():
            if name in COLOURS:
                player = COLOURS[name]
                place = _place(game.size, values[0], node.line, may_pass=True)
                if game.terminal(state):
                    if place != game.places:
                        raise BadText(
                            f"line {node.line}: {name}[{values[0][:20]}] comes after two passes, which end a game"
                        )
                    continue  # some programs write further passes
                if player != state.player:
                    if actions:
                        inserted.add(len(actions))
                        actions.append(game.places)
                        state = _turned(state)
                    else:
                        start = state = state._replace(player=player, last=NO_POINT)
                if place != game.places and not has(game.legal_points(state), place):
                    vertex = format_action(game, state, place)
                    raise BadText(f"line {node.line}: move {len(actions) + 1}, {vertex}: {_why(game, state, vertex)}")
                actions.append(place)
                state = game.result(state, place)
        if "C" in node.properties:
            remark = plain_text(node.properties["C"][0]).replace("\r\n", "\n")
            comments.setdefault(len(actions), []).append(remark)
    told = {ply: "\n".join(remarks) for ply, remarks in comments.items()}
    return SgfGame(game, tuple(actions), tags, start, told, lists, frozenset(inserted))


def _turned(state: Position) -> Position:
    """The same with the other player to move."""
    return state._replace(player=1 - state.player, ko=NO_POINT, passes=0, last=NO_POINT)


def _why(game: Go, state: Position, vertex: str) -> str:
    try:
        parse_action(game, state, vertex)
    except PlyforgeError as error:
        return str(error)
    return "it is not legal"


def _first(properties: dict[str, list[str]], name: str, otherwise: str) -> str:
    values = properties.get(name)
    return values[0] if values else otherwise


def _size(node: Node) -> int:
    text = _first(node.properties, "SZ", str(DEFAULT_SIZE)).strip()
    columns, _, rows = text.partition(":")
    if not (columns.isascii() and columns.isdigit() and len(columns) < 4) or (rows and rows != columns):
        raise BadText(f"line {node.line}: SZ[{text[:20]}] is no size of a square board")
    if not SMALLEST <= int(columns) <= LARGEST:
        raise BadText(f"line {node.line}: boards have sizes from {SMALLEST} to {LARGEST}, not {columns}")
    return int(columns)


def _komi(node: Node) -> float:
    text = plain_text(_first(node.properties, "KM", "")).strip()
    if not text:
        return Go.komi
    komi = _points(text)
    if not math.isfinite(komi):
        raise BadText(f"line {node.line}: KM[{text[:20]}] is no komi: write a number of points, as in KM[7.5]")
    return komi


def _points(text: str) -> float:
    """How many points a komi is, see the module's text; not a number if nobody can tell."""
    match = _NUMBER.fullmatch(text) if len(text) <= LONGEST_KOMI else None
    if match is None:
        return math.nan
    komi, unit = float(match[1].replace(",", ".")), match[2]
    if unit in HALVES:
        return komi + math.copysign(0.5, komi)
    if unit == STONES:
        return 2 * komi
    if unit and not unit.isalpha():
        return math.nan
    if abs(komi) > LARGEST_KOMI and match[1].lstrip("+-").isdigit():
        points = komi / 50 if komi % 50 == 25 else komi / 100
        return points if abs(points) <= LARGEST_KOMI else math.nan
    return komi


def _place(size: int, value: str, line: int, may_pass: bool = False) -> int:
    """The number of the point that two letters name."""
    text = value.strip()
    if may_pass and (text == "" or text == "tt"):
        return size * (size + 1)
    if len(text) == 2:
        column, row = LETTERS.find(text[0]), LETTERS.find(text[1])
        if 0 <= column < size and 0 <= row < size:
            return (size - 1 - row) * (size + 1) + column
    raise BadText(
        f"line {line}: [{text[:20]}] is no point of a board of {size} by {size}: write two letters, as in [cc]"
    )


def _places(size: int, values: list[str], line: int) -> int:
    """A set of points; `aa:cc` is all of a rectangle."""
    found = 0
    for value in values:
        one, colon, other = value.partition(":")
        place = _place(size, one, line)
        if not colon:
            found |= 1 << place
            continue
        (row, column), (last_row, last_column) = (divmod(p, size + 1) for p in (place, _place(size, other, line)))
        for r in range(min(row, last_row), max(row, last_row) + 1):
            for c in range(min(column, last_column), max(column, last_column) + 1):
                found |= 1 << r * (size + 1) + c
    return found


def _set_up(game: Go, node: Node, state: Position) -> Position:
    """The position after stones were put down and taken away."""
    sets = {name: _places(game.size, node.properties.get(name, []), node.line) for name in ("AB", "AW", "AE")}
    if sets["AB"] & sets["AW"] or (sets["AB"] | sets["AW"]) & sets["AE"]:
        raise BadText(f"line {node.line}: AB, AW and AE name the same point")
    gone = sets["AB"] | sets["AW"] | sets["AE"]
    words = len(game.full)
    black, white = (joined(stones) & ~gone for stones in (state.black, state.white))
    player = state.player
    if sets["AB"] and _first(node.properties, "HA", "").strip() not in ("", "0", "1"):
        player = MIN  # after a handicap; the first move says it better
    wanted = _first(node.properties, "PL", "").strip().upper()[:1]
    if wanted:
        if wanted not in COLOURS:
            raise BadText(f"line {node.line}: PL[{wanted}] is not B or W")
        player = COLOURS[wanted]
    changed = Position(
        split(black | sets["AB"], words), split(white | sets["AW"], words), NO_POINT, 0, NO_POINT, player
    )
    empty = game.empty(changed)
    if not game.alive(changed.black, empty) or not game.alive(changed.white, empty):
        raise BadText(f"line {node.line}: a chain that is put down has no liberty")
    if gone or player != state.player:
        return changed
    return state


# ------------------------------------------------------------------ writing
MOVES_A_LINE = 10


def write_sgf(games: Iterable[SgfGame]) -> str:
    """The games as a file."""
    return "".join(_text_of(game) for game in games)


def _text_of(played: SgfGame) -> str:
    game, first = played.game, played.first
    if first.ko != NO_POINT or first.passes:
        raise Unsuitable(
            "SGF can't say that a game begins with a ko or after a pass: write it from an earlier position"
        )
    komi = repr(float(game.komi)) if abs(game.komi) > LARGEST_KOMI else format_points(game.komi)
    head = f"(;GM[1]FF[4]CA[UTF-8]AP[Plyforge]SZ[{game.size}]KM[{komi}]"
    for name, stones in (("AB", first.black), ("AW", first.white)):
        points = [_letters(game, place) for place in range(game.places) if has(stones, place)]
        head += f"{name}{''.join(f'[{point}]' for point in points)}" if points else ""
    if first.player != MAX or "HA" in played.tags:
        head += f"PL[{'BW'[first.player]}]"
    head += "".join(f"{_name(name)}[{escaped(text)}]" for name, text in played.tags.items())
    head += "".join(f"{_name(name)}{_values(name, values)}" for name, values in played.lists.items())
    head += _comment(played, 0)
    lines, player = [head], first.player
    for number, action in enumerate(played.actions):
        if number % MOVES_A_LINE == 0:
            lines.append("")
        if number not in played.inserted or number + 1 in played.comments:
            lines[-1] += f";{'BW'[player]}[{_letters(game, action)}]{_comment(played, number + 1)}"
        player = 1 - player
    return "\n".join(lines) + ")\n"


def _name(name: str) -> str:
    if not _NAME.fullmatch(name):
        raise Unsuitable(f"{name[:40]!r} is no property of SGF: those are capital letters, as in PB")
    if name in TOLD_ELSEWHERE:
        raise Unsuitable(f"{name} is no tag: it is written from the game itself")
    return name


def _values(name: str, values: tuple[str, ...]) -> str:
    text = "".join(f"[{value}]" for value in values)
    if len(values) < 2 or any(not _VALUE.fullmatch(f"[{value}]") for value in values):
        raise Unsuitable(f"{name} is no list of values: it has several, with a backslash before each ]")
    return text


def _letters(game: Go, place: int) -> str:
    if place == game.places:
        return ""
    row, column = divmod(place, game.stride)
    return LETTERS[column] + LETTERS[game.size - 1 - row]


def _comment(played: SgfGame, number: int) -> str:
    return f"C[{escaped(played.comments[number])}]" if number in played.comments else ""
