"""The tree of folders is an outline: no folder is a heap, no file more than one idea, no function more than a page."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from paths import ROOT

SOURCES = ROOT / "src" / "plyforge"
FILES_OF_A_FOLDER = 15
"""Modules, beside `__init__.py`."""
LINES_OF_A_FILE = 500
LINES_OF_A_FUNCTION = 80
"""Without its docstring, which may be the help of a verb."""

LARGER_FOLDERS = {
    "tests/laws/broken_rules": "a file for each mistake that the checker finds, by the name of the law",
    "tests/laws/rules_corpus": "a file for each thing of Python that rules use",
    "tests/support": "helpers that tests import by their names alone",
}
LONGER_FILES: dict[str, str] = {}
LONGER_FUNCTIONS = {
    "search/textbook/star2.py: star2": "a textbook's search is one piece, as a lecture shows it",
}


def modules(folder: Path) -> list[Path]:
    return sorted(file for file in folder.rglob("*.py") if "__pycache__" not in file.parts)


def folders() -> dict[str, int]:
    """How many modules are in each folder of sources and tests."""
    counted: dict[str, int] = {}
    for file in [*modules(SOURCES), *modules(ROOT / "tests")]:
        name = file.parent.relative_to(ROOT).as_posix()
        counted[name] = counted.get(name, 0) + (file.name != "__init__.py")
    page = SOURCES / "studio" / "page"
    for folder in (page, *(each for each in page.rglob("*") if each.is_dir())):
        counted[folder.relative_to(ROOT).as_posix()] = sum(each.is_file() for each in folder.iterdir())
    return counted


def lines_of(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """From `def` to the end, without the docstring."""
    lines = (function.end_lineno or 0) - function.lineno + 1
    if ast.get_docstring(function, clean=False) is not None:
        text = function.body[0]
        lines -= (text.end_lineno or 0) - text.lineno + 1
    return lines


def functions() -> dict[str, int]:
    """The lines of each function, by file and name."""
    found: dict[str, int] = {}
    for file in modules(SOURCES):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                name = f"{file.relative_to(SOURCES).as_posix()}: {node.name}"
                found[name] = max(found.get(name, 0), lines_of(node))
    return found


def files() -> dict[str, int]:
    return {
        file.relative_to(SOURCES).as_posix(): file.read_text(encoding="utf-8").count("\n") for file in modules(SOURCES)
    }


@pytest.mark.parametrize(
    ("counted", "most", "excused"),
    [
        (folders, FILES_OF_A_FOLDER, LARGER_FOLDERS),
        (files, LINES_OF_A_FILE, LONGER_FILES),
        (functions, LINES_OF_A_FUNCTION, LONGER_FUNCTIONS),
    ],
    ids=["folders", "files", "functions"],
)
def test_nothing_is_larger_than_one_can_take_in(counted, most, excused):
    larger = {name: size for name, size in counted().items() if size > most}
    assert {name: size for name, size in larger.items() if name not in excused} == {}, f"at most {most}: split it"
    assert set(excused) <= set(larger), "this is an exception no longer: take it off the list"


def test_a_docstring_is_no_part_of_a_function_and_what_stands_in_it_is():
    text = 'def f(a):\n    """One.\n\n    Two.\n    """\n    def g():\n        pass\n    return g\n'
    [function] = ast.parse(text).body
    assert isinstance(function, ast.FunctionDef)
    assert lines_of(function) == 4
