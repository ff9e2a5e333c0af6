"""Small functions of what rules do with dataclasses, None, texts, tuples of any length and floats: compiled they give
what Python gives, or stop, or are refused.

Those whose names begin with `no_` have to be refused: Python raises there, or compiled code would have to guess.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import InitVar, dataclass
from typing import Any, NamedTuple

import pytest

from conftest import compiles
from plyforge.errors import CannotCompile
from random_programs import same

INPUTS = [(1, 2), (3, 4), (2, 2), (5, 1), (0, 0), (-1, 7), (60, 3)]
WORDS = ("", "a", "ab", "abc", "ba", "aab", "b")
LARGE = 2**53
PRICES = {1: LARGE + 1, 2: 5}


@dataclass(frozen=True)
class Move:
    pile: int
    count: int = 1


@dataclass(frozen=True)
class Other:
    pile: int
    count: int = 1


class Sub(Move):
    pass


@dataclass(frozen=True, order=True)
class Ranked:
    rank: int
    suit: str = "c"


@dataclass
class Loose:
    x: int


class Pair(NamedTuple):
    x: int
    y: int = 5


@dataclass(frozen=True)
class Operators:
    a: int

    def __getitem__(self, i: int) -> int:
        return 100 + i

    def __len__(self) -> int:
        return 0


class Overridden(NamedTuple):
    a: int

    def __bool__(self) -> bool:
        return False


@dataclass(frozen=True)
class Scaled:
    x: int
    scale: InitVar[int] = 1
    y: int = 0


@dataclass(frozen=True)
class Holder:
    move: Move = Move(1, 2)
    z: int = 0


# ------------------------------------------------------------ dataclasses
def equal_to_nothing_else(a, b):
    move = Move(a, b)
    return (
        move == Move(a, b),
        move == (a, b),
        (a, b) == move,
        move == Pair(a, b),
        move != Other(a, b),
        Sub(a, b) == move,
    )


def in_order(a, b):
    return (
        Ranked(a, "d") < Ranked(b),
        Ranked(a) <= Ranked(b),
        Ranked(a, "d") > Ranked(b),
        Ranked(a) >= Ranked(b),
    )


def by_default(a, b):
    return (
        Holder(z=a).move.count,
        Pair(a).y,
        dataclasses.replace(Move(a, b), count=9).count,
        Pair(a, b)._replace(y=3),
    )


def of_a_class(a, b):
    return (
        isinstance(Move(a, b), tuple),
        isinstance(Sub(a, b), Move),
        isinstance(Pair(a, b), tuple),
        isinstance((a, b), Move),
    )


def in_sets(a, b):
    moves = {Move(a, b)}
    moves.add(Move(b, a))
    return len(moves), Move(1, 2) in moves


def no_order(a, b):
    return Move(a, b) < Move(b, a)


def no_order_with_a_tuple(a, b):
    return Ranked(a) < (b, "c")


def no_items(a, b):
    return Move(a, b)[0]


def no_length(a, b):
    return len(Move(a, b))


def no_unpacking(a, b):
    x, y = Move(a, b)
    return x - y


def no_slices(a, b):
    return Move(a, b)[:1]


def no_items_of_its_own(a, b):
    return Operators(a)[b]


def no_truth_of_its_own(a, b):
    return 1 if Overridden(a) else 2


def no_init_var(a, b):
    return Scaled(a, b).y


def no_more_than_the_fields(a, b):
    return Pair(a, b, 3)


def no_field_twice(a, b):
    return Pair(a, b, x=3).x


def no_replacing_as_a_tuple(a, b):
    return Move(a, b)._replace(count=9).count


def no_hash(a, b):
    return len({Loose(a)})


# ------------------------------------------------------------ None
def or_none(a, b):
    one, other = (a if a > 2 else None), (b if b > 2 else None)
    return one == other, one == 3, one is None, not one, one != None, other  # noqa: E711


def none_is_no_number(a, b):
    one = a if a > 2 else None
    return one + 1 < 9


def a_pair_or_none(a, b):
    pair = Pair(a, b) if a > 2 else None
    return pair, pair == (a, b), pair is None, pair != Pair(3, 4)


# ------------------------------------------------------------ tuples and texts of any length
def row(a, b):
    cells = tuple([v for v in (a, b, a + b, 3)])  # noqa: C416 - a board
    return cells[: a % 4] + cells[2 : b % 4]


def rows(a, b):
    made = row(a, b)
    return (
        made,
        len(made),
        made == row(b, a),
        made == (b, a),
        made == (),
        a in made,
        sum(made),
        made + (7,),  # noqa: RUF005
        made[:-1] + (b,),  # noqa: RUF005
    )


def rows_in_sets(a, b):
    seen = {row(a, b)}
    seen.add(row(b, a))
    return len(seen), (3, 2) in seen, () in seen


def an_item_of_a_row(a, b):
    return row(a, b)[-2]


def text(a, b):
    made = "a" if a > 2 else "xyz"
    return made + "ab" if b > 1 else made


def texts(a, b):
    made = text(a, b)
    return (
        made,
        len(made),
        made[-1],
        made == "aab",
        made == "a",
        "ab" in made,
        "" in made,
        made.count("a"),
        made.count(""),
    )


def looked_through(a, b):
    made = text(a, b)
    thrice = made + made + made
    return (
        made.find("ab"),
        made.find("z"),
        thrice.count("aa"),
        made.startswith("a"),
        made.endswith("ab"),
        made.endswith("zz" * 9),
    )


def words(a, b):
    return (
        WORDS[a % 7] in WORDS,
        WORDS[a % 7] == WORDS[b % 7],
        WORDS[a % 7] + WORDS[b % 7],
        1 if WORDS[a % 7] else 0,
    )


# ------------------------------------------------------------ whole numbers and floats
def in_a_tuple(a, b):
    pair = (LARGE + a, 1) if a > 2 else (0.5, 1.5)
    return pair[0]


def in_a_list(a, b):
    made = [0.5]
    made.append(LARGE + a)
    return made[1]


def in_place_of_a_float(a, b):
    made = [0.5, 1.5]
    made[1] = LARGE + a
    return made[1]


def or_nothing(a, b):
    x = None
    if a > 2:
        x = LARGE + a
    if a > 4:
        x = 0.5
    return x


def nested(a, b):
    made = ((LARGE + a, 1), (1, 2)) if a > 2 else ((0.5, 1.5), (1.5, 2.5))
    return made[0][0]


def wide_and_float(a, b):
    wide = 1 << (a % 70)
    return 7.75 + wide, wide - 0.5, wide * 0.5, wide < 0.5, wide / 2.0, 2.0**-2


def zeros(a, b):
    one, other = [v * 0.0 for v in (a, b, 1)], [v * 0.0 for v in (b, a, 1)]
    return one == other, tuple(one) == tuple(other), tuple(one) == (0.0, 0.0, 0.0)


def computed_from_either(a, b):
    x = 2**30 + a if a > 4 else a * 0.5
    return x * x


def powers_of_floats(a, b):
    return (-8.0) ** (a / 3), 0.0 ** (3 - a), 10.0 ** (a * 10)


def no_float_among_whole_numbers(a, b):
    made = [1]
    made.append(2)
    made[1] = a * 0.5
    return made[1]


def a_price(a, b):
    return PRICES.get(a, b)


def wide_numbers_and_floats_in_ranges(a, b):
    large = 2**70
    near = large - large + a
    return (
        near in range(0, 9, 2),
        large in range(10),
        a * 1.0 in range(5),
        a * 0.5 in range(5),
        near in range(6, -1, -2),
    )


def wide_numbers_as_values_of_and_and_or(a, b):
    large = 2**70 * a
    return (large and b), (b or large), bool(large) + 1


def a_dict_written_out(a, b):
    return {1: 5, 2: 7}.get(a, 0) + {(1, 2): 3, (3, 4): 5}.get((a, b), 2) + (a in {2: 0, 5: 1})


def no_dict_of_two_kinds(a, b):
    return {1: 5, 2: 0.5}[a]


def no_chain_with_a_change(a, b):
    made = [a, b, a + b]
    return -100 < made.pop() < made[0]


def no_price_of_two_kinds(a, b):
    return PRICES.get(a, 0.5)


def no_range_of_a_float(a, b):
    return sum(i for i in range(a * 0.5))


def no_number_among_truths(a, b):
    made = [True]
    made.append(a > 2)
    made[1] = a
    return made[1]


FUNCTIONS: dict[str, Callable[..., Any]] = {
    name: value
    for name, value in list(globals().items())
    if getattr(value, "__module__", "") == __name__
    and getattr(value, "__code__", None)
    and value.__code__.co_argcount == 2
}


def equal(one: Any, other: Any) -> bool:
    if isinstance(one, tuple) and isinstance(other, tuple):
        return type(one) is type(other) and len(one) == len(other) and all(map(equal, one, other))
    return same(one, other)


@compiles
def test_a_chain_ends_where_it_fails() -> None:
    """What comes after a comparison that is false is not asked: it may not be there."""
    from plyforge.kernel.translate import compile_function

    def chain(a: int, b: int) -> Any:
        row = (4, 5, 6)
        return 100 < a < row[b + 7], 0 <= b % 3 < row[b % 3] < 9

    compiled = compile_function(chain)
    assert [compiled(*inputs) for inputs in INPUTS] == [chain(*inputs) for inputs in INPUTS]


@compiles
@pytest.mark.parametrize("name", [name for name in FUNCTIONS if name != "equal"])
def test_equal_or_refused(name: str) -> None:
    from plyforge.kernel.translate import compile_function

    function = FUNCTIONS[name]
    compiled, compared = None, 0
    try:
        compiled = compile_function(function)
        for inputs in INPUTS:
            try:
                found = compiled(*inputs)
            except CannotCompile:
                raise
            except Exception:  # stopped: it goes on interpreted
                continue
            assert equal(found, function(*inputs)), (inputs, found, function(*inputs))
            compared += 1
    except CannotCompile:
        assert name.startswith("no_"), f"{name} is refused"
        return
    assert not name.startswith("no_"), f"{name} is compiled"
    assert compared, f"{name} always stops"
