"""States as text where rules have none of their own: what is shown and what is written both read back, and nothing
is evaluated."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import pytest

import plyforge as pf
from command import plyforge
from plyforge.check import check
from plyforge.errors import BadText
from plyforge.plain_text import format_value, parse_like
from sticks import RULES


class Heap(NamedTuple):
    sticks: int
    player: int


class Nest(NamedTuple):
    heap: Heap
    cells: tuple[int, ...]
    share: float
    done: bool
    word: str
    board: np.uint64


@dataclass(frozen=True)
class Table:
    heap: Heap
    cards: list[int]
    last: int | None = None
    seen: frozenset[int] = field(default_factory=frozenset)

    def __str__(self) -> str:
        return "a\ntable"


NEST = Nest(Heap(3, 0), (1, 2), 0.5, False, "word", np.uint64(7))


@pytest.mark.parametrize(
    ("example", "value"),
    [
        (Heap(7, 0), Heap(3, 1)),
        (NEST, Nest(Heap(-1, 1), (0, 9), float("inf"), True, "other", np.uint64(2**64 - 1))),
        (Table(Heap(7, 0), [1, 2]), Table(Heap(3, 1), [5], 4, frozenset({2, 3}))),
        (Table(Heap(7, 0), [1, 2]), Table(Heap(3, 1), [])),
        ([[0, 0], 0], [[1, 2], 1]),
        ({"a": 1}, {"a": 2, "b": (3, 4)}),
        ({1}, set()),
        ((0, None), (1, (2, 3))),
        ((0, ()), (1, ((2, 0.5), (3,), ()))),
    ],
    ids=str,
)
def test_what_is_written_and_what_python_shows_read_back(example: Any, value: Any) -> None:
    for text in (format_value(value), repr(value)):
        back = parse_like(example, text)
        assert back == value and type(back) is type(value)
        if isinstance(value, tuple):
            assert [type(item) for item in back] == [type(item) for item in value]


@pytest.mark.parametrize(
    "text",
    [
        "Heap(sticks=3)",
        "Heap(sticks=3, player=1, more=2)",
        "Heap(3, sticks=3)",
        "Heap(sticks=3, player=1",
        "Heap(sticks=3, player=1) 4",
        "Heap(sticks=3, player=(1, 2))",
        "Heap(sticks=3.5, player=1)",
        "Heap(sticks=True, player=1)",
        "Heap(sticks='3', player=1)",
        "Heap(sticks=print(3), player=1)",
        "Heap(sticks=1 + 2, player=1)",
        "Heap(**{'sticks': 3, 'player': 1})",
        "Heap(*(3, 1))",
        "Pile(sticks=3, player=1)",
        "Heap",
        "__import__('os').getcwd()",
        "Heap(sticks=" + "(" * 5000 + ", player=1)",
        "Heap(sticks=" + "9" * 5000 + ", player=1)",
    ],
)
def test_anything_else_is_refused_in_words(text: str) -> None:
    with pytest.raises(pf.BadText, match="is not a state: expected"):
        parse_like(Heap(7, 0), text)


def test_a_dataclass_may_refuse_values() -> None:
    @dataclass(frozen=True)
    class Small:
        number: int

        def __post_init__(self) -> None:
            if self.number > 9:
                raise ValueError("more than 9")

    assert parse_like(Small(1), format_value(Small(9))) == Small(9)
    with pytest.raises(pf.BadText, match="more than 9"):
        parse_like(Small(1), "Small(number=10)")


class Sticks(pf.Game):
    """States are dataclasses with a list."""

    def start(self) -> Table:
        return Table(Heap(5, 0), [])

    def player(self, s: Table) -> int:
        return s.heap.player

    def actions(self, s: Table) -> list[int]:
        return [1, 2][: s.heap.sticks]

    def result(self, s: Table, n: int) -> Table:
        return Table(Heap(s.heap.sticks - n, 1 - s.heap.player), [*s.cards, n], n)

    def terminal(self, s: Table) -> bool:
        return s.heap.sticks == 0

    def utility(self, s: Table) -> float:
        return -1.0 if s.heap.player == 0 else 1.0


def test_such_states_keep_the_laws_about_text() -> None:
    report = check(Sticks(), native=False)
    assert report.ok and report.laws["state text reads back"] > 10, str(report)
    assert not any("no text that reads back" in note for note in report.notes)


def test_the_state_that_is_shown_can_be_given(tmp_path) -> None:
    rules = tmp_path / "rules.py"
    rules.write_text(RULES)
    shown = plyforge("search", rules, "--interpreted").stdout.splitlines()[0]
    assert shown == "Heap(sticks=7, player=0)"
    text = plyforge("search", rules, "--interpreted", "--state", shown.replace("7", "6")).stdout
    assert text.startswith("Heap(sticks=6, player=0)") and "best action  2" in text


@pytest.mark.parametrize(
    "text", ["(1, " + "(" * 100_000 + ")" * 100_000 + ")", "(" * 100_000, "-" * 100_000 + "1", "1," * 100_000]
)
@pytest.mark.parametrize("example", [(1, ()), (1, (2, 3)), (1, None), [1]])
def test_endless_text_is_refused_in_few_words(text: str, example: object) -> None:
    with pytest.raises(BadText) as refused:
        parse_like(example, text)
    assert len(str(refused.value)) < 2000
