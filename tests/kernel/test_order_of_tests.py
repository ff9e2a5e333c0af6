"""The longest files of tests begin first."""

from __future__ import annotations

import json

from order import TABLE, first_to_last
from paths import ROOT
from quick import short_files


def test_the_longest_file_begins_first_by_the_last_run_and_else_by_the_table() -> None:
    table = {"b.py": 9.0, "c.py": 40.0}
    assert first_to_last(["a.py", "b.py", "c.py"], {}, table) == ["c.py", "a.py", "b.py"]
    noted = {"a.py::test_one": 30.0, "a.py::test_two[x]": 31.0, "b.py::test": 1.0}
    assert first_to_last(["a.py", "b.py", "c.py", "new.py"], noted, table) == ["a.py", "c.py", "new.py", "b.py"]


def test_the_table_names_files_that_are_here() -> None:
    table = json.loads(TABLE.read_text())
    assert len(table) > 40
    assert [file for file in table if not (ROOT / file).is_file()] == []


def test_a_fresh_clone_takes_the_shortest_files_for_make_quick() -> None:
    assert short_files({"a.py": 100.0, "b.py": 30.0, "c.py": 40.0, "d.py": 500.0}) == {"b.py", "c.py"}
    table = json.loads(TABLE.read_text())
    assert 40 < len(short_files(table)) < len(table)
