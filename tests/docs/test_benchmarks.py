"""Benchmarks are run by hand and for hours: that they start at all, and find their files, is seen here."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

from paths import ROOT

BENCHMARKS = sorted((ROOT / "benchmarks").glob("*.py"))
TO_COMPARE_WITH = ("bitbully", "chess", "easyAI", "pyspiel", "rust_reversi")


@pytest.mark.parametrize("path", BENCHMARKS, ids=lambda path: path.stem)
def test_a_benchmark_starts_and_finds_its_files(path, monkeypatch):
    monkeypatch.syspath_prepend(path.parent)
    try:
        names = runpy.run_path(str(path), run_name="not_main")
    except ImportError as error:
        if error.name not in TO_COMPARE_WITH:
            raise
        pytest.skip(f"a library to compare with is not here: {error}")
    missing = [
        name for name, value in names.items() if name.isupper() and isinstance(value, Path) and not value.exists()
    ]
    assert not missing
    assert callable(names["main"])
