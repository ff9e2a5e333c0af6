"""What stands on a grid: which value means that a cell is empty, whose the others are, and which letters they have.

Nothing is taken from the names of values alone where play tells it: a piece is whose turn it was when more of them
came, or when one of them moved.
"""

from __future__ import annotations

import enum
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from plyforge.grids.fields import is_int
from plyforge.grids.grid import Cell, Rows, cells

BLANK = (None, "", " ", ".", "_", "-", "·", "empty", "EMPTY", "none")
"""What people write for nothing, whatever else there is."""
MARK = 0.9  # of the turns in which a piece came or moved, the share that makes it somebody's
MIXED = 0.5  # if more kinds of pieces than this share are moved by everybody, kinds are nobody's
NAMES = {
    *(
        "X",
        "O",
        "EMPTY",
        "NONE",
        "WHITE",
        "BLACK",
        "RED",
        "BLUE",
        "YELLOW",
        "GREEN",
        "WALL",
        "ARROW",
        "BLOCK",
        "BLOCKED",
    ),
    *(
        "KING",
        "QUEEN",
        "ROOK",
        "BISHOP",
        "KNIGHT",
        "PAWN",
        "MAN",
        "ATTACKER",
        "DEFENDER",
        "FOX",
        "GOOSE",
        "HOUND",
        "HARE",
    ),
    *(
        "STONE",
        "CROSS",
        "NOUGHT",
        "CIRCLE",
        "HOLE",
        "FIRE",
        "WATER",
        "TREE",
        "TREASURE",
        "HERO",
        "MONSTER",
        "BOX",
        "GOAL",
    ),
    *(
        "TOAD",
        "FROG",
        "SHEEP",
        "WOLF",
        "CAT",
        "MOUSE",
        "TIGER",
        "GOAT",
        "SOLDIER",
        "GENERAL",
        "HORSE",
        "DRAGON",
    ),
}
"""Constants of the rules whose first letter may stand for a piece."""
LETTERS = ("X", "O", "A", "B", "C", "D")


@dataclass(frozen=True)
class Sign:
    """How a value is shown."""

    letter: str
    """In text."""
    look: str
    """On a page: one of `plyforge.board.LOOKS`, or the letter."""
    owner: int
    name: str
    """What to call it aloud; empty: its look."""


@dataclass(frozen=True)
class Turn:
    """A player's step on the grid."""

    player: int
    before: Rows
    after: Rows
    changed: list[Cell]


def key(value: Any) -> Any:
    """A value as a key: 1, True and 1.0 are three."""
    return (type(value).__name__, value)


def empty_value(grids: Sequence[Rows], turns: Sequence[Turn], constants: dict[str, Any]) -> Any:
    """The value that means nothing stands there, as a key; None where every cell has a piece."""
    start = Counter(key(value) for _, value in cells(grids[0]))
    everywhere = Counter(key(value) for grid in grids for _, value in cells(grid))
    left = Counter(key(turn.after[r][c]) for turn in turns for (r, c) in _left_behind(turn))
    number = max(1, sum(start.values()))
    named = [value for name, value in constants.items() if name in ("EMPTY", "NONE", "BLANK", "FREE")]
    best: tuple[float, Any] = (0.7, None)
    for each in everywhere:
        score = start[each] / number + 1.5 * left[each] / max(1, sum(left.values()))
        score += _blankness(each[1]) + (3.0 if any(key(value) == each for value in named) else 0.0)
        if score > best[0]:
            best = (score, each)
    return best[1]


def _blankness(value: Any) -> float:
    if isinstance(value, enum.Enum):
        return 3.0 if str(value.name).upper() in ("EMPTY", "NONE", "BLANK", "FREE") else _blankness(value.value) / 2
    if value is None or (isinstance(value, str) and value in BLANK):
        return 3.0
    if isinstance(value, bool) or is_int(value):
        return 0.75 if value == 0 else 0.2 if value == -1 else 0.0
    return 0.3 if value == "0" else 0.0


def _left_behind(turn: Turn) -> list[Cell]:
    """Cells that a piece has left for another cell."""
    if len(turn.changed) > 4:
        return []
    arrived = {key(turn.after[r][c]) for r, c in turn.changed}
    return [
        (r, c)
        for r, c in turn.changed
        if key(turn.before[r][c]) in arrived
        and any(key(turn.after[i][j]) == key(turn.before[r][c]) for i, j in turn.changed if (i, j) != (r, c))
    ]


# ---------------------------------------------------------------- whose they are
def owners(
    turns: Sequence[Turn],
    empty: Any,
    values: Sequence[Any],
    players: int,
    could: Sequence[tuple[int, Any]] = (),
) -> dict[Any, int]:
    """By value: whose piece it is. What everybody moves is nobody's, and not in it. `could`: who might have moved
    what, for pieces that never did."""
    votes: dict[Any, Counter[int]] = defaultdict(Counter)
    for turn in turns:
        for each in _came(turn, empty):
            votes[each][turn.player] += 1
    still = {value for _, value in could} - set(votes) - {empty}
    for player, value in could:
        if value in still:
            votes[value][player] += 1
    found: dict[Any, int] = {}
    mixed = 0
    for each, by in votes.items():
        player, number = by.most_common(1)[0]
        if number >= MARK * sum(by.values()) and 0 <= player < players:
            found[each] = player
        else:
            mixed += 1
    if players < 2 or mixed > MIXED * len(votes):
        return {}
    return found | _by_kind(found, [each for each in values if each not in votes and each != empty], players)


def _came(turn: Turn, empty: Any) -> set[Any]:
    """The values of which there are more after a step, and those that moved."""
    new = Counter(key(turn.after[r][c]) for r, c in turn.changed)
    old = Counter(key(turn.before[r][c]) for r, c in turn.changed)
    return {each for each in new if each != empty and (new[each] > old[each] or each in old)}


def _by_kind(known: dict[Any, int], others: Sequence[Any], players: int) -> dict[Any, int]:
    """Pieces that did nothing in the sample, by their sign (+3, -3) or their case (R, r), where all that is known
    goes by it."""
    found: dict[Any, int] = {}
    for each in others:
        side = _side(each[1])
        same = {owner for other, owner in known.items() if _side(other[1]) == side}
        opposite = {owner for other, owner in known.items() if _side(other[1]) == -side}
        if not side or len(same) > 1 or len(opposite) > 1 or (same and same == opposite):
            continue
        if same:
            found[each] = same.pop()
        elif opposite and players == 2:
            found[each] = 1 - opposite.pop()
    return found


def _side(value: Any) -> int:
    """1 for a positive number or a capital, -1 for a negative one or a small letter, 0 for anything else."""
    if is_int(value) and not isinstance(value, enum.Enum):
        return (value > 0) - (value < 0)
    if isinstance(value, str) and len(value) == 1 and value.isalpha():
        return 1 if value.isupper() else -1 if value.islower() else 0
    return 0


# ---------------------------------------------------------------- how they look
def signs(
    values: Sequence[Any],
    empty: Any,
    owned: dict[Any, int],
    game: Any,
    constants: dict[str, Any],
    given: dict[Any, str],
) -> dict[Any, Sign]:
    """By value: how it is shown. `given` are letters that the rules' own text has for them."""
    pieces = [each for each in values if each != empty]
    names = {each: given.get(each) or _name(each[1], constants) for each in pieces}
    player_names = [str(name) for name in game.notation.player_names or ()]
    single = len(owned) == len(pieces) == len(set(owned.values()))
    found: dict[Any, Sign] = {}
    for each in pieces:
        owner = owned.get(each, -1)
        name = names[each]
        letter = "" if each in given else _letter_of_member(each[1])
        letter = letter or _letter(name, [other for which, other in names.items() if which != each])
        if single and owner >= 0 and not name.strip("-0123456789") and each not in given:
            letter = _player_letter(owner, player_names)
        elif isinstance(each[1], bool):
            letter = "#"
        look = {"X": "cross", "O": "ring"}.get(letter.upper(), "disc") if single and owner >= 0 else letter
        if not single and name.lower() in FIGURES:
            look = name.lower()
        if single and not name.strip("-0123456789") and not player_names:
            look = "disc"
        found[each] = Sign(letter, look, owner, name if len(name) > 1 and look != name else "")
    return found


FIGURES = ("king", "queen", "rook", "bishop", "knight", "pawn")


def _player_letter(owner: int, names: Sequence[str]) -> str:
    if owner < len(names) and names[owner]:
        initials = [name[0] for name in names if name]
        if len(set(initials)) == len(initials):
            return names[owner][0]
    return LETTERS[owner] if owner < len(LETTERS) else str(owner)


def _name(value: Any, constants: dict[str, Any]) -> str:
    """A value in a word."""
    if isinstance(value, enum.Enum):
        return str(value.name)
    if isinstance(value, tuple):
        return "".join(_name(item, {}) if not isinstance(item, str) else item[:1] for item in value)
    if is_int(value):
        named = [name for name, constant in constants.items() if name in NAMES and key(constant) == key(value)]
        return named[0] if len(named) == 1 else str(int(value))
    return str(value)


def _letter_of_member(value: Any) -> str:
    """What the rules themselves write for a member: `GONE = "#"`; empty where that is no letter or two."""
    own = value.value if isinstance(value, enum.Enum) else ""
    return own if isinstance(own, str) and len(own) <= 2 and own.isprintable() and not own.isspace() else ""


def _letter(name: str, others: Sequence[str]) -> str:
    """As few letters of a name as tell it from the others, at most three; a number whole."""
    if not name.strip("-0123456789."):
        return name[:5] or "?"
    for length in (1, 2):
        if all(other[:length] != name[:length] for other in others):
            return name[:length]
    return name[:3]
