"""Shared by all tests: where the known truths are, whether code is compiled, and what is left to longer runs."""

from __future__ import annotations

import gc
import os
import signal
import threading
from collections.abc import Container, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from paths import DATA
from plyforge.search.protection.threads import WAITING
from plyforge.search.time.timekeeper import NAME

# The fixtures `studio`, `browser` and `page`; the option `--quick`; the longest files first.
pytest_plugins = ("studio_browser", "quick", "order")

# A shell starts what it puts into the background deaf to Ctrl-C, and so are the programs that tests start from there.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Own rules are tried at both speeds before they are trusted, which takes a process each: tests compare the speeds
# themselves. `test_trust.py` has it on.
os.environ.setdefault("PLYFORGE_TRIALS", "0")

# How long an example takes says more about the machine than about the code.
settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("patient")

compiles = pytest.mark.skipif(
    os.environ.get("NUMBA_DISABLE_JIT") == "1", reason="NUMBA_DISABLE_JIT=1: nothing is compiled"
)


def thinned(values: Iterable[Any], keep: Container[Any]) -> list[Any]:
    """Parameters of a test, of which `make test` takes those in `keep` and `make test-full` all."""
    return [value if value in keep else pytest.param(value, marks=pytest.mark.full) for value in values]


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder of known truths, or a skip."""
    if not DATA.is_dir():
        pytest.skip("the folder of known truths (../shared/data) is not here")
    return DATA


def pytest_configure(config: pytest.Config) -> None:
    if os.environ.get("NUMBA_DISABLE_JIT") == "1":
        config.addinivalue_line("markers", "interpreted: the whole run is interpreted")


def pytest_collection_finish() -> None:
    """What has been collected stays: the collector of garbage need not go through it again and again."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


@pytest.fixture(scope="session", autouse=True)
def one_worker_where_nobody_says_how_many() -> Iterator[None]:
    """A worker is a process that imports what it needs for a second, and two processes of tests have two cores."""
    with pytest.MonkeyPatch.context() as patch:
        for place in ("plyforge.work.where.cores", "plyforge.play.match.match.cores"):
            patch.setattr(place, lambda: 1)
        yield


@pytest.fixture(scope="module", autouse=True)
def what_a_file_leaves_is_not_gone_through_again() -> Iterator[None]:
    """Compiled kernels stay for as long as the process. Without this, each `gc.collect()` of a later file goes through
    all that the files before have compiled: seconds, near the end of a run."""
    yield
    gc.collect()
    gc.freeze()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave the long tests to `make test-full`, which sets PLYFORGE_TEST_FULL=1."""
    if os.environ.get("PLYFORGE_TEST_FULL") == "1":
        return
    skip = pytest.mark.skip(reason="longer than `make test` allows: run `make test-full`")
    for item in items:
        if item.get_closest_marker("full"):
            item.add_marker(skip)


def working_threads() -> int:
    """How many threads there are but for those that only wait for more to search, or for the time."""
    return sum(thread.name not in (WAITING, NAME) for thread in threading.enumerate())
