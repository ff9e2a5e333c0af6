"""Which cells an action is about: read from its numbers or its text, and held to what the action does.

There are many ways to write a cell: its index, (row, column), (x, y), counted from 0 or from 1, "e5" with the first
row at the bottom or at the top. A `Reading` is one of them. The one that is chosen is the one whose cells change
when the action is taken; where none does, cells are told by the change alone, or not at all.
"""

from __future__ import annotations

import dataclasses
import enum
import itertools
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from plyforge.grids.fields import is_int
from plyforge.grids.grid import Cell, Rows

SQUARE = re.compile(r"([a-zA-Z])(\d{1,2})(?!\d)")
SQUARES = re.compile(r"(?:[^a-zA-Z\d]*[a-zA-Z]\d{1,2}x?)+[^a-zA-Z\d]*")
ENOUGH = 0.6  # the mean agreement from which on a reading is believed
NEARLY = 0.25  # what a reading may lack to the best one if it tells more actions apart
FEW = 0.2  # of the actions of a state, the share that may name the same cells
ALL, ENDS, SOME, NONE, OUTSIDE = (
    1.0,
    0.8,
    0.4,
    0.0,
    -1.0,
)  # how far an action's cells agree with what it changes
KINDS = (
    "squares",
    "text",
    "pairs",
    "pairs_tail",
    "pairs_head",
    "pair_last",
    "pair_first",
    "index",
    "index_first",
    "index_last",
)

Spot = tuple[Any, ...]
"""A cell as it is written: ("i", index), ("p", first, second) or ("s", column, number)."""


@dataclass(frozen=True)
class Reading:
    """A way to read the cells of an action."""

    kind: str
    """Which of its numbers are meant, one of KINDS."""
    turned: bool
    """True: the column comes first, or an index counts down the columns."""
    base: int
    """What counting begins with: 0 or 1."""
    upwards: bool
    """True: rows are counted from the bottom."""
    rows: int
    columns: int
    widths: tuple[int, ...] = ()
    """How long each row is, where they differ."""

    def cells(self, action: Any, text: str) -> tuple[Cell, ...] | None:
        """The cells in their order; None where the action names none."""
        return self.of(list(_spots(self.kind, action, text)))

    def of(self, spots: Sequence[Spot]) -> tuple[Cell, ...] | None:
        """The cells of what is written."""
        return tuple([self.cell(spot) for spot in spots]) if spots else None

    def cell(self, spot: Spot) -> Cell:
        """Row and column; outside the board where they are."""
        if spot[0] == "i":
            number = spot[1] - self.base
            if self.widths:
                return self.counted(number)
            if not 0 <= number < self.rows * self.columns:
                return (-1, -1)
            row, column = divmod(number, self.rows if self.turned else self.columns)
        elif spot[0] == "s":
            return self.row(spot[2] - 1), spot[1]
        else:
            row, column = spot[1] - self.base, spot[2] - self.base
        if self.turned:
            row, column = column, row
        return self.row(row), column

    def counted(self, number: int) -> Cell:
        """The cell of an index where rows differ in length."""
        for row, width in enumerate(self.widths):
            if 0 <= number < width:
                return row, number
            number -= width
        return -1, -1

    def row(self, number: int) -> int:
        return self.rows - 1 - number if self.upwards else number


def readings(rows: int, columns: int, widths: tuple[int, ...] = ()) -> Iterator[Reading]:
    """All that may be meant, the most usual first."""
    for kind in KINDS:
        if kind == "squares":
            yield Reading(kind, False, 1, True, rows, columns)
            yield Reading(kind, False, 1, False, rows, columns)
            continue
        for upwards, base, turned in itertools.product((False, True), (0, 1), (False, True)):
            if not (widths and kind.startswith("index") and (upwards or turned)):
                yield Reading(kind, turned, base, upwards, rows, columns, widths)


def is_square(text: Any) -> bool:
    """True for "e5" and the like."""
    return isinstance(text, str) and SQUARE.fullmatch(text) is not None


def square_of(text: str) -> tuple[int, int]:
    """Column from 0 and number of "e5"."""
    found = SQUARE.fullmatch(text)
    assert found is not None
    return ord(found[1].lower()) - ord("a"), int(found[2])


# ---------------------------------------------------------------- what is written in an action
def _spots(kind: str, action: Any, text: str) -> Iterable[Spot]:
    if kind == "squares":
        written = action if isinstance(action, str) else text
        if not SQUARES.fullmatch(written):
            return _inner_squares(action)
        return [("s", *square_of("".join(found.groups()))) for found in SQUARE.finditer(written)]
    if kind == "text":
        numbers = [int(number) for number in re.findall(r"(?<!\d)\d{1,3}(?!\d)", text)]
        if len(numbers) % 2 or numbers == _all_numbers(action):
            return ()
        return _pairs(numbers)
    plain = _plain(action)
    if kind == "pairs":
        return _nested_pairs(plain)
    if kind == "index" and is_int(plain):
        return [("i", plain)]
    flat = [item for item in plain if is_int(item)] if isinstance(plain, tuple) else []
    if len(flat) < 2 or len(flat) != len(plain):
        return [("i", flat[0])] if len(flat) == 1 and kind == "index" else ()
    return _flat(kind, flat)


def _flat(kind: str, flat: list[int]) -> Iterable[Spot]:
    """Cells among numbers in a row."""
    if kind == "index":
        return [("i", number) for number in flat]
    if kind == "index_first":
        return [("i", flat[0])]
    if kind == "index_last":
        return [("i", flat[-1])]
    if len(flat) < 3:
        return ()
    if kind == "pair_first":
        return _pairs(flat[:2])
    if kind == "pair_last":
        return _pairs(flat[-2:])
    if len(flat) % 2 == 0:
        return ()
    return _pairs(flat[1:] if kind == "pairs_tail" else flat[:-1])


def _pairs(numbers: Sequence[int]) -> list[Spot]:
    return [("p", a, b) for a, b in zip(numbers[::2], numbers[1::2], strict=False)]


def _nested_pairs(plain: Any) -> list[Spot]:
    """Pairs of numbers, as deep as they may lie; numbers beside pairs mean something else."""
    if not isinstance(plain, tuple):
        return []
    inner = [spot for item in plain if isinstance(item, tuple) for spot in _nested_pairs(item)]
    if inner:
        return inner
    numbers = [item for item in plain if is_int(item)]
    return _pairs(numbers) if numbers and len(numbers) % 2 == 0 and len(numbers) == len(plain) else []


def _inner_squares(action: Any) -> list[Spot]:
    """The squares of ("e2", "e4")."""
    if isinstance(action, (tuple, list)):
        return [("s", *square_of(item)) for item in action if is_square(item)]
    return []


def _all_numbers(action: Any) -> list[int]:
    """The numbers of an action in their order: a text with just these says nothing more."""
    if isinstance(action, (tuple, list)):
        return [number for item in action for number in _all_numbers(item)]
    return [int(action)] if is_int(action) else []


def _plain(action: Any) -> Any:
    """Numbers, and tuples of them; words and truth values inside a tuple are left out."""
    if is_int(action):
        return int(action)
    if dataclasses.is_dataclass(action) and not isinstance(action, type):
        action = tuple(getattr(action, field.name) for field in dataclasses.fields(action))
    if isinstance(action, (tuple, list)):
        kept = (item for item in action if not isinstance(item, (str, bool, float, enum.Enum)) and item is not None)
        return tuple(_plain(item) for item in kept)
    return ""


# ---------------------------------------------------------------- which reading it is
@dataclass(frozen=True)
class Taken:
    """An action, and what it did to the grid."""

    action: Any
    text: str
    legal: tuple[tuple[Any, str], ...]
    before: Rows
    after: Rows
    changed: frozenset[Cell]


@dataclass(frozen=True)
class Agreement:
    """How well a reading fits what actions do."""

    mean: float
    """From -1 to 1, over the actions that changed anything."""
    cells: float
    """How many different cells it sees in an action, on average."""
    always: bool
    """True if no action named cells without touching them."""


def agreement(reading: Reading, taken: Sequence[tuple[Taken, list[Spot]]], there: frozenset[Cell]) -> Agreement:
    """Hold a reading to what actions do; each comes with what is written in it."""
    score, seen, number, always = 0.0, 0, 0, True
    for each, spots in taken:
        cells = reading.of(spots)
        if cells is None:
            continue
        if not each.changed:
            always = False
            continue
        number += 1
        seen += len(set(cells))
        now = _fit(cells, each, there)
        always = always and now > SOME
        score += now
    return Agreement(score / number, seen / number, always) if number else Agreement(OUTSIDE, 0.0, False)


def _fit(cells: tuple[Cell, ...], taken: Taken, there: frozenset[Cell]) -> float:
    if not there.issuperset(cells):
        return OUTSIDE
    if taken.changed.issuperset(cells):
        return ALL
    (r, c), (i, j) = cells[0], cells[-1]
    if cells[-1] in taken.changed and (cells[0] in taken.changed or taken.before[r][c] == taken.after[i][j]):
        return ENDS  # a piece went from one to the other, or made another of its kind there
    return SOME if not taken.changed.isdisjoint(cells) else NONE


def alike(reading: Reading, taken: Sequence[Taken]) -> float:
    """The share of actions that name the same cells as another one of their state."""
    number = same = 0
    for each in taken:
        ways = [reading.cells(action, text) for action, text in each.legal]
        number += len(ways)
        same += len(ways) - len(set(ways))
    return same / max(1, number)


def best_reading(
    taken: Sequence[Taken], widths: tuple[int, ...], there: frozenset[Cell]
) -> tuple[Reading, Agreement] | None:
    """The reading that agrees best with what actions change. Of those that agree nearly as well, the one that tells
    most actions apart."""
    found: list[tuple[Reading, Agreement]] = []
    written: dict[str, list[tuple[Taken, list[Spot]]]] = {
        kind: [(each, list(_spots(kind, each.action, each.text))) for each in taken] for kind in KINDS
    }
    for reading in readings(len(widths), max(widths), () if len(set(widths)) == 1 else widths):
        if not any(spots for _, spots in written[reading.kind]):
            continue
        now = agreement(reading, written[reading.kind], there)
        if now.mean >= ENOUGH:
            found.append((reading, now))
    if not found:
        return None
    most = max(now.mean for _, now in found)
    near = [(reading, now) for reading, now in found if now.mean >= most - NEARLY]
    if len(near) > 1:
        shared = {reading: round(alike(reading, taken), 2) for reading, _ in near}
        near.sort(key=lambda each: (shared[each[0]] > FEW, -each[1].mean, -each[1].cells))
    return near[0]
