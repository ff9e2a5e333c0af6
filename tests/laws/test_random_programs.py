"""Random programs over the arithmetic that rules use: compiled they give what Python gives, or are refused. Ten
thousand in `make test-full`.

    PYTHONPATH=tests:tests/support python tests/laws/test_random_programs.py FIRST [LAST]

judges a range of numbers and prints what was wrong, what was refused and why, and how long it took;
`PYTHONPATH=tests:tests/support python tests/support/random_programs.py NUMBER` prints a program.

A program costs two thirds of a second of a processor, nine tenths of it Numba's typing and lowering, which are Python:
LLVM without its optimisations (NUMBA_OPT=0) would save a seventh, and leave untested what rules run as. So all are
compiled as rules are, by a child for each core.
"""

from __future__ import annotations

import collections
import inspect
import os
import re
import sys
import warnings
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from child import Child
from conftest import compiles
from plyforge.errors import CannotCompile
from random_programs import Program, Verdict, judge, program, same

A_FEW = 20
ALL = 10_000
CHUNKS = 10
REFUSED_SHARE = 0.25
MOST_CRASHES = 10
"""After so many there is no need for more."""
FEW = 200
"""Programs of one child: what is compiled is never freed, and takes three megabytes each."""
SECONDS = 120.0
"""For one program, compiling included, however busy the machine is."""


def verdicts(numbers: range) -> tuple[list[dict[str, Any]], list[str]]:
    """What became of each program, and all that was wrong, in words."""
    few = [numbers[at : at + FEW] for at in range(0, len(numbers), FEW)]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        found = [verdict for some in pool.map(verdicts_of_few, few) for verdict in some]
    wrong = []
    for verdict in found:
        sentences = [verdict["crashed"]] if "crashed" in verdict else verdict["wrong"]
        wrong += [f"program {verdict['number']}: {sentence}" for sentence in sentences[:1]]
    return found, wrong


def verdicts_of_few(numbers: range) -> list[dict[str, Any]]:
    """By one child, and another one where it dies."""
    child = Child("program_speeds.py")
    found: list[dict[str, Any]] = []
    try:
        for number in numbers:
            found.append({**child.ask({"number": number}, SECONDS), "number": number})
            if child.started > MOST_CRASHES:
                break
    finally:
        child.close()
    return found


def hold(numbers: range) -> None:
    """All are equal or refused, and not too many refused."""
    found, wrong = verdicts(numbers)
    refused = [verdict for verdict in found if verdict.get("refused")]
    print(f"{len(refused)} of {len(found)} refused")
    assert not wrong, f"{len(wrong)} of {len(numbers)} programs: " + "\n".join(wrong[:20])
    assert len(refused) <= REFUSED_SHARE * len(found), collections.Counter(map(reason, refused)).most_common(9)
    assert sum(verdict["equal"] for verdict in found) > len(found), "hardly anything was compared"


def reason(verdict: dict[str, Any]) -> str:
    """Why it was refused, without what differs from program to program."""
    return re.sub(r"\d+", "N", verdict["refused"])


# ------------------------------------------------------------ equal or refused
@compiles
def test_a_few_random_programs() -> None:
    hold(range(A_FEW))


@compiles
@pytest.mark.full
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_ten_thousand_random_programs(chunk: int) -> None:
    size = ALL // CHUNKS
    hold(range(chunk * size, (chunk + 1) * size))


# ------------------------------------------------------------ the generator
def test_a_number_is_a_program_for_ever() -> None:
    assert program(17) == program(17) != program(18)
    assert len({program(n).source for n in range(100)}) == 100
    assert all(len(program(n).inputs) >= 5 for n in range(40))
    for number in (17, 18):
        assert program(number).source.endswith(inspect.getsource(program(number).function()))


# ------------------------------------------------------------ the judge finds what is wrong
def judged(compiler: Callable[[Program], Callable[[Any], Any]], numbers: range) -> list[Verdict]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        programs = [program(number) for number in numbers]
        return [judge(each, compiler(each)) for each in programs]


def test_python_itself_is_equal_everywhere() -> None:
    found = judged(lambda program: lambda function: function, range(300))
    assert not any(verdict.wrong or verdict.refused or verdict.stopped or verdict.otherwise for verdict in found)
    assert sum(verdict.equal for verdict in found) > 1500
    assert sum(verdict.raised for verdict in found) > 10


def wrapped(value: Any) -> Any:
    """What a machine word keeps of an int."""
    if isinstance(value, int) and not isinstance(value, bool):
        return (value + 2**63) % 2**64 - 2**63
    return value


def test_machine_words_are_found_wrong() -> None:
    """Ints cut off at 64 bits: what rules compiled to before they were checked."""
    found = judged(lambda program: lambda function: program.function(wrapped), range(300))
    assert sum(1 for verdict in found if verdict.wrong) > 10


def test_checked_words_are_right() -> None:
    """A compiler that stops wherever an int leaves 64 bits is exact or refused."""

    def checked(value: Any) -> Any:
        if wrapped(value) != value:
            raise OverflowError("beyond 64 bits")
        return value

    found = judged(lambda program: lambda function: program.function(checked), range(300))
    assert not [verdict for verdict in found if verdict.wrong]
    assert sum(verdict.stopped for verdict in found) > 10


def test_a_compiler_that_raises_without_need_is_found_out() -> None:
    def never(*inputs: Any) -> Any:
        raise OverflowError("better safe than sorry")

    found = judged(lambda program: lambda function: never, range(40))
    assert sum(1 for verdict in found if verdict.wrong) > 20


def test_a_refusal_is_no_error_but_counted() -> None:
    def refuse(function: Any) -> Any:
        raise CannotCompile("not today")

    assert [verdict.refused for verdict in judged(lambda program: refuse, range(3))] == ["not today"] * 3


def test_equal_means_of_one_kind() -> None:
    assert same((1, 2.5, True), (1, 2.5, True)) and same(float("nan"), float("nan"))
    assert same(1, 1.0) and same((2.0,), (2,))
    for one, other in (
        (1, 1.5),
        (1, True),
        (1.0, True),
        (0.0, -0.0),
        (2**54, 2.0**54),
        ((1, 2), (1, 3)),
        (2**64, 0),
    ):
        assert not same(one, other) and not same(other, one)


# ------------------------------------------------------------ the table
def main(first: int, last: int) -> None:
    found, wrong = verdicts(range(first, last + 1))
    print("\n".join(wrong))
    refused = [verdict for verdict in found if verdict.get("refused")]
    for why, count in collections.Counter(map(reason, refused)).most_common():
        print(f"{count:6} refused: {why}")
    kinds = ("equal", "stopped", "raised", "otherwise")
    print(", ".join(f"{sum(verdict.get(kind, 0) for verdict in found)} {kind}" for kind in kinds), "(inputs)")
    seconds = sum(verdict.get("seconds", 0.0) for verdict in found)
    print(
        f"{len(found)} programs: {len(wrong)} wrong, {len(refused)} refused ({len(refused) / len(found):.1%}),"
        f" {seconds / len(found):.3f} s each"
    )


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[-1]))
