"""`pytest --quick`, which is `make quick`: the tests that were short when `make test` last ran here.

How long each test takes, set-up included, is noted in pytest's own cache by every run without `--quick`. A test that
is not noted there, a new one, say, is taken. So there is no list to keep, and nothing new is left out unseen.

A fresh clone has noted nothing. There the shortest files are taken, whole, as many as take `FRESH` seconds by the table
that comes with the tests (`order.py`), and files that are not in it.
"""

from __future__ import annotations

import collections
import json
from collections.abc import Mapping
from pathlib import Path

import pytest

NOTED = "plyforge/seconds"
SHORT = 0.1
"""Seconds. What compiles, starts a process or opens a page takes longer."""
TABLE = Path(__file__).with_name("seconds_by_file.json")
FRESH = 120.0
"""Seconds of one core: with two of them, and with finding all tests, less than two minutes."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--quick", action="store_true", help="only tests that were short when they last ran")


def pytest_configure(config: pytest.Config) -> None:
    if hasattr(config, "workerinput"):  # one of several processes: the first one notes for all
        return
    if not hasattr(config, "cache"):  # pytest -p no:cacheprovider
        return
    if not config.getoption("quick"):
        config.pluginmanager.register(Stopwatch(config), "stopwatch")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not config.getoption("quick"):
        return
    seconds = config.cache.get(NOTED, {})
    table = json.loads(TABLE.read_text())
    files = short_files(table) | {item.nodeid.partition("::")[0] for item in items} - set(table)
    long = [
        item
        for item in items
        if (seconds.get(item.nodeid, 0.0) > SHORT if seconds else item.nodeid.partition("::")[0] not in files)
    ]
    config.hook.pytest_deselected(items=long)
    left_out = set(long)
    items[:] = [item for item in items if item not in left_out]


def short_files(table: Mapping[str, float]) -> set[str]:
    """The shortest ones of a table, as many as take `FRESH` seconds together."""
    chosen: set[str] = set()
    for file in sorted(table, key=lambda file: (table[file], file)):
        if sum(table[each] for each in chosen) + table[file] > FRESH:
            break
        chosen.add(file)
    return chosen


class Stopwatch:
    """Notes how long each test takes, and keeps what is known of tests that did not run this time."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.seconds: collections.Counter[str] = collections.Counter()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.seconds[report.nodeid] += report.duration

    def pytest_sessionfinish(self) -> None:
        rounded = {name: round(seconds, 3) for name, seconds in self.seconds.items()}
        self.config.cache.set(NOTED, {**self.config.cache.get(NOTED, {}), **rounded})
