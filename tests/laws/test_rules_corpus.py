"""Rules as people write them, each file using one thing of Python whose compiled meaning could differ: equal at both
speeds, or refused with a sentence.

`tests/laws/rules_corpus/` holds the files; the first line of each says what it is about. Interpreted Python is the truth.
Compiled code is looked at in a child process (`rule_speeds.py`), so that a crash fails the one file that crashed.
`make test` compiles those in `ALWAYS`, `make test-full` all of them.

    PYTHONPATH=tests:tests/support python tests/laws/test_rules_corpus.py [NAME ...]

prints a table: file, compiled or refused, equal or not, seconds, the reason. That is how `REFUSED` is filled.
"""  # noqa: E501

from __future__ import annotations

import ast
import functools
import re
import sys
from typing import Any

import pytest

import plyforge as pf
from child import Child
from conftest import compiles
from paths import RULES_CORPUS
from patience import FOR_A_PROCESS

FILES = {path.stem: path for path in sorted(RULES_CORPUS.glob("*.py"))}
COMPILED_SHARE = 0.75
"""So much runs compiled at the least."""

REFUSED: dict[str, str] = {
    "aliasing": "it changes a list that may have another name, too",
    "answers_of_a_set": "a loop through a set gives one answer or another, by what comes first",
    "cached_helper": "it keeps its answers with a cache and calls itself",
    "class_members": "self.price is a class method, which has no compiled form",
    "closures_shadowed": "the name 'k', which plus reads, means something else here",
    "columns_of_text": "it makes a tuple of something whose length is not known beforehand",
    "dict_that_counts": "it changes a dict that it has written out",
    "dict_with_two_names": "it changes a list that may have another name, too",
    "exceptions": "it uses try/except, which is not compiled",
    "index_past_the_end": "it uses try/except, which is not compiled",
    "inheritance": "'super' has no compiled form",
    "int_enum": "it asks with `is` whether two numbers are one object",
    "int_or_float_beyond": "OverflowError: a whole number beyond 2**53 meets a float",
    "matching_leaves": "is bound by a `case` with an `if`, and used elsewhere",
    "mathematics": "math.hypot is computed in another way by compiled code",
    "negative_power": "OverflowError",
    "order_of_a_frozenset": "it goes through a set, whose order compiled code does not",
    "order_of_a_set": "it goes through a set, whose order compiled code does not",
    "order_of_a_set_listed": "it goes through a set, whose order compiled code does not",
    "own_operators": "has a `__contains__` of its own",
    "recursion_each_other": "even and odd call each other",
    "recursion_too_deep": "RecursionError",
    "rounding_digits": "'round' has no compiled form",
    "rows_with_two_names": "it changes a list that may have another name, too",
    "walrus": "the type of a value in this line can't be found out, often",
}
"""The files that run interpreted, each with a part of the sentence that says why. All others run compiled."""

ALWAYS = {
    "whole numbers": ["floor_division", "changing_items"],
    "beyond 64 bits": ["row70", "modular_hash"],
    "floats": ["int_or_float", "min_max_mixed"],
    "tuples": ["comprehensions", "slices", "star_unpacking"],
    "texts, None, records": ["text_board", "none_pair"],
    "lists": ["growing_lists", "deep_copy"],
    "sets, dicts and members": ["sets_of_stones", "dict_of_pieces"],
    "ways through a function": ["closures_late", "matching_parts"],
    "builtins": ["any_and_all"],
    "chance and players": ["dice", "three_players"],
    "refused before it is compiled": ["aliasing"],
    "refused by the compiler": ["walrus"],
    "stopped while it runs": ["negative_power", "recursion_too_deep"],
}
"""The files that are compiled in every run, a few of each kind."""
CHOSEN = [name for names in ALWAYS.values() for name in names]


compiled_files = pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=() if name in CHOSEN else pytest.mark.full) for name in FILES],
)


@functools.cache
def child() -> Child:
    return Child("rule_speeds.py")


@functools.cache
def both_speeds(name: str) -> dict[str, Any]:
    """What became of one file, asked once."""
    return child().ask({"file": str(FILES[name])}, seconds=FOR_A_PROCESS)


@pytest.fixture(scope="module", autouse=True)
def no_child_left():
    yield
    child().close()


def functions_of(name: str) -> set[str]:
    """The names of functions and classes that a file defines."""
    kinds = (ast.FunctionDef, ast.ClassDef)
    return {node.name for node in ast.walk(ast.parse(FILES[name].read_text())) if isinstance(node, kinds)}


# ------------------------------------------------------------ the corpus itself
def test_the_corpus_is_large_enough() -> None:
    assert len(FILES) >= 48
    for name, path in FILES.items():
        first = ast.get_docstring(ast.parse(path.read_text()))
        assert first and first.splitlines()[0].endswith("."), f"{name} does not say what it is about"


@pytest.mark.parametrize("name", FILES)
def test_each_file_is_a_lawful_little_game(name: str) -> None:
    report = pf.check(pf.load(str(FILES[name])), seconds=FOR_A_PROCESS, states=80, native=False)
    assert report.ok, str(report)


# ------------------------------------------------------------ equal, or refused with a sentence
@compiles
@compiled_files
def test_both_speeds_find_the_same(name: str) -> None:
    found = both_speeds(name)
    assert "crashed" not in found, found["crashed"]
    assert not found["differences"], "\n".join(found["differences"])
    assert len(found["worth"]) > 1, "all that is searched is worth the same: this shows little"


@compiles
@compiled_files
def test_exactly_the_listed_files_are_refused_each_with_a_sentence(name: str) -> None:
    found = both_speeds(name)
    assert "crashed" not in found, found["crashed"]
    if name not in REFUSED:
        assert found["compiled"], f"runs interpreted: {found['reasons']}"
        return
    assert not found["compiled"], f"{name} is listed as refused, but runs compiled: take it off the list"
    assert found["reasons"], "it ran interpreted, and nobody was told"
    for reason in found["reasons"]:
        assert names_its_place(name, reason), f"names neither line nor function of {name}.py: {reason}"
    assert any(REFUSED[name] in reason for reason in found["reasons"]), found["reasons"]


def names_its_place(name: str, reason: str) -> bool:
    """True if the sentence names a line of the file, or one of its functions."""
    if re.search(rf"\b{name}\.py, line \d+", reason):
        return True
    return bool(functions_of(name) & set(re.findall(r"\w+", reason)))


def test_most_of_the_corpus_runs_compiled() -> None:
    """Exactly the listed files are refused, as the test above says: so the list tells how many."""
    assert set(REFUSED) <= set(FILES)
    assert len(REFUSED) <= (1 - COMPILED_SHARE) * len(FILES), f"{len(REFUSED)} of {len(FILES)} are refused"


def test_every_kind_is_compiled_in_every_run() -> None:
    assert set(CHOSEN) <= set(FILES) and len(set(CHOSEN)) == len(CHOSEN)
    for kind, names in ALWAYS.items():
        assert all((name in REFUSED) == kind.startswith(("refused", "stopped")) for name in names), kind


# ------------------------------------------------------------ the table
def main(names: list[str]) -> None:
    counts = {"compiled": 0, "refused": 0, "partly": 0, "crashed": 0, "wrong": 0}
    for name in names or FILES:
        found = both_speeds(name)
        if "crashed" in found:
            what, why = "crashed", found["crashed"]
        elif found["differences"]:
            what, why = "wrong", found["differences"][0]
        else:
            what = "compiled" if found["compiled"] else "partly" if found["at times"] else "refused"
            why = "; ".join(found["reasons"])
        counts[what] += 1
        print(f"{name:20} {what:8} {found.get('seconds', 0.0):6.1f} s  {why}", flush=True)
    print(", ".join(f"{count} {what}" for what, count in counts.items()))
    child().close()


if __name__ == "__main__":
    main(sys.argv[1:])
