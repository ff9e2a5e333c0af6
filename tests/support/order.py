"""Which files of tests begin first: the longest, so that no core waits at the end for one that began late.

A file goes to one process, since its tests share what they compile. How long each took is known from the last run here
(`quick.py` notes it), for a fresh clone from `seconds_by_file.json`, which this file as a program writes from what was
noted here:

    .venv/bin/python tests/support/order.py
"""

from __future__ import annotations

import collections
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest

from quick import NOTED, TABLE

NEW = 20.0
"""Seconds: what a file is taken to need of which nobody knows."""


def by_file(seconds: Mapping[str, float]) -> dict[str, float]:
    total: collections.Counter[str] = collections.Counter()
    for test, took in seconds.items():
        total[test.partition("::")[0]] += took
    return dict(total)


def first_to_last(files: Iterable[str], noted: Mapping[str, float], table: Mapping[str, float]) -> list[str]:
    """The longest first."""
    known = {**table, **by_file(noted)}
    return sorted(files, key=lambda file: (-known.get(file, NEW), file))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    if config.getoption("dist") != "loadfile":
        return None
    from xdist.scheduler import LoadFileScheduling

    class LongestFirst(LoadFileScheduling):
        def _assign_work_unit(self, node: Any) -> None:
            left = first_to_last(self.workqueue, noted, table)
            self.workqueue.move_to_end(left[0], last=False)
            super()._assign_work_unit(node)

    noted = config.cache.get(NOTED, {}) if hasattr(config, "cache") else {}
    table = json.loads(TABLE.read_text())
    return LongestFirst(config, log)


def main() -> None:
    noted = json.loads(Path(".pytest_cache/v", NOTED).read_text())
    rounded = {file: round(took, 1) for file, took in sorted(by_file(noted).items())}
    TABLE.write_text(json.dumps(rounded, indent=1) + "\n")


if __name__ == "__main__":
    main()
