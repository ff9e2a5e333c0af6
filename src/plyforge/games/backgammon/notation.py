"""Plays of backgammon as text: `8/5 6/5*`, `bar/20`, `6/off`, `24/18*/13`, `13/11(2)`.

From point to point, each from the mover's own end; a star where a checker is hit; `bar` is where checkers come in from
and `off` where they go; `(2)` says that so many checkers do the same. A checker that moves on is written once, with its
first point and its last, and every point between where it hits. Whoever can't move writes `pass`.

What is read may be in any order, step by step or not, with stars or without, as long as one play only can be meant.
`8/5*` where nothing is hit is refused.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Any

from plyforge.contract import Notation, legal_moves
from plyforge.errors import IllegalAction
from plyforge.games.backgammon.board import BAR, O_BEGINS, OPENING, TO_ROLL, Position, blots_of, sides, turned
from plyforge.games.backgammon.plays import FROM, PASS, SMALLER_FIRST, STEP
from plyforge.games.backgammon.text import format_position, parse_position

if TYPE_CHECKING:
    from plyforge.games.backgammon.rules import Backgammon

OFF = 0
PASSES = ("pass", "cannot move", "no move", "no play")
_MOVE = re.compile(r"(bar|\d{1,2})((?:/(?:bar|off|\d{1,2})\*?)+)(?:\(([1-4])\))?", re.IGNORECASE)
SHOWN = 40


class Way:
    """Where one checker goes: the points it touches, and on which of them it hits."""

    def __init__(self, points: list[int], hits: list[int]) -> None:
        self.points, self.hits = points, hits

    def text(self) -> str:
        """As people write it."""
        shown = [self.points[0], *(p for p in self.points[1:-1] if p in self.hits), self.points[-1]]
        return "/".join(_name(p) + ("*" if place and p in self.hits else "") for place, p in enumerate(shown))


def steps_of(s: Position, action: int) -> list[tuple[int, int]]:
    """The steps of a play, each from a point to a point, OFF being 0."""
    larger, smaller = s.dice // 10, s.dice % 10
    die, other = (smaller, larger) if action & SMALLER_FIRST else (larger, smaller)
    steps, found = action & SMALLER_FIRST - 1, []
    while steps:
        point = steps & FROM
        found.append((point, max(OFF, point - die)))
        steps >>= STEP
        die, other = other, die
    return found


def ways_of(s: Position, action: int) -> list[Way]:
    """The steps of a play, put together to the ways of single checkers, the highest first."""
    _, _, low, high = sides(s)
    blots = turned(blots_of(low, high))
    ways: list[Way] = []
    for start, end in sorted(steps_of(s, action), reverse=True):
        hits = [end] if end != OFF and blots >> end & 1 else []
        for way in ways:
            if way.points[-1] == start:
                way.points.append(end)
                way.hits += hits
                break
        else:
            ways.append(Way([start, end], hits))
    # The same point is hit once, whoever comes to it first.
    seen: set[int] = set()
    for way in ways:
        way.hits = [p for p in way.hits if p not in seen]
        seen.update(way.hits)
    return ways


def format_play(s: Position, action: int) -> str:
    """A play, or a roll where chance moves."""
    if s.dice == OPENING:
        return f"O{action - O_BEGINS}" if action >= O_BEGINS else f"X{action}"
    if s.dice == TO_ROLL:
        return str(action)
    if action == PASS:
        return "pass"
    texts = [way.text() for way in ways_of(s, action)]
    repeated = Counter(texts)
    return " ".join(text if number == 1 else f"{text}({number})" for text, number in repeated.items())


def parse_play(game: Any, s: Position, text: str) -> int:
    """The legal play, or the roll, that a text means. Raises IllegalAction."""
    wanted = " ".join(text.split())
    legal = legal_moves(game, s)
    if s.dice <= TO_ROLL or legal == [PASS]:
        return _named(game, s, wanted, legal)
    moves = [_MOVE.fullmatch(word) for word in wanted.split()]
    if not moves or None in moves:
        raise IllegalAction(f"{text.strip()!r} is not a play; {_legal(game, s, legal)}")
    touched: list[tuple[list[int], set[int]]] = []
    for move in moves:
        assert move is not None
        names = [move[1], *move[2].split("/")[1:]]
        points = [_point(name.rstrip("*")) for name in names]
        starred = {point for point, name in zip(points, names, strict=True) if name.endswith("*")}
        touched += [(points, starred)] * int(move[3] or 1)
    net = Counter[int]()
    for points, _ in touched:
        net[points[0]] -= 1
        net[points[-1]] += 1
    stars = set().union(*(starred for _, starred in touched))
    between = {point for points, _ in touched for point in points[1:-1]}
    between |= {points[-1] for points, _ in touched} & {points[0] for points, _ in touched}
    found = [action for action in legal if _same(net, _net(s, action))]
    if stars:
        found = [action for action in found if stars <= _hits(s, action)]
    if len(found) > 1:  # the same checkers, and something is hit on the way, or not
        through = [a for a in found if between and between <= {p for w in ways_of(s, a) for p in w.points}]
        quiet = min(len(_hits(s, action)) for action in found)
        found = through or [action for action in found if len(_hits(s, action)) == quiet]
        if stars:
            found = [action for action in found if _hits(s, action) == stars] or found
    if len(found) == 1:
        return int(found[0])
    trouble = "can mean several plays" if found else "is not a legal play here"
    raise IllegalAction(f"{text.strip()!r} {trouble}; {_legal(game, s, found or legal)}")


def _named(game: Any, s: Position, wanted: str, legal: list[int]) -> int:
    """A roll, or a pass."""
    if legal == [PASS] and s.dice > TO_ROLL:
        if wanted.lower() in PASSES:
            return PASS
    else:
        name = wanted.upper().replace("-", "").replace(" ", "")
        name = name if name[-2:-1] >= name[-1:] else f"{name[:-2]}{name[-1:]}{name[-2:-1]}"
        for action in legal:
            if format_play(s, action) == name:
                return action
    raise IllegalAction(f"{wanted!r} is not legal here; {_legal(game, s, legal)}")


def _legal(game: Any, s: Position, legal: list[int]) -> str:
    if not legal:
        return "legal: none: the game is over"
    shown = ", ".join(format_play(s, action) for action in legal[:SHOWN])
    more = f" and {len(legal) - SHOWN} more" if len(legal) > SHOWN else ""
    return f"legal: {shown}{more}"


def _net(s: Position, action: int) -> Counter[int]:
    net = Counter[int]()
    for start, end in steps_of(s, action):
        net[start] -= 1
        net[end] += 1
    return net


def _same(one: Counter[int], other: Counter[int]) -> bool:
    return all(one[point] == other[point] for point in range(BAR + 1))


def _hits(s: Position, action: int) -> set[int]:
    return {point for way in ways_of(s, action) for point in way.hits}


def _name(point: int) -> str:
    return "bar" if point == BAR else "off" if point == OFF else str(point)


def _point(name: str) -> int:
    return {"bar": BAR, "off": OFF}.get(name.lower(), -1) if not name.isdigit() else int(name)


class BackgammonNotation(Notation):
    """States and actions as text."""

    player_names = ("X", "O")

    def format_state(self, game: Backgammon, s: Position) -> str:
        """GNU Backgammon's position ID, who moves, and the dice."""
        return format_position(s)

    def parse_state(self, game: Backgammon, text: str) -> Position:
        return parse_position(text)

    def format_action(self, game: Backgammon, s: Position, action: int) -> str:
        return format_play(s, action)

    def parse_action(self, game: Backgammon, s: Position, text: str) -> int:
        return parse_play(game, s, text)
