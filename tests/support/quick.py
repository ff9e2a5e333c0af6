"""`pytest --quick`, which is `make quick`: the tests that were short when `make test` last ran here.

How long each test takes, set-up included, is noted in pytest's own cache by every run without `--quick`. A test that
is not noted there, a new one, say, is taken. So there is no list to keep, and nothing new is left out unseen.
"""

from __future__ import annotations

import collections

import pytest

NOTED = "plyforge/seconds"
SHORT = 0.15
"""Seconds. What compiles, starts a process or opens a page takes longer."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--quick", action="store_true", help="only tests that were short when they last ran")


def pytest_configure(config: pytest.Config) -> None:
    if hasattr(config, "workerinput"):  # one of several processes: the first one notes for all
        return
    if not hasattr(config, "cache"):  # pytest -p no:cacheprovider
        return
    if config.getoption("quick") and not config.cache.get(NOTED, {}):
        raise pytest.UsageError("--quick takes what was short the last time: run `make test` first, once")
    if not config.getoption("quick"):
        config.pluginmanager.register(Stopwatch(config), "stopwatch")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not config.getoption("quick"):
        return
    seconds = config.cache.get(NOTED, {})
    long = [item for item in items if seconds.get(item.nodeid, 0.0) > SHORT]
    config.hook.pytest_deselected(items=long)
    left_out = set(long)
    items[:] = [item for item in items if item not in left_out]


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
