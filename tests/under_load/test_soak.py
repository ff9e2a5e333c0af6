"""Analysis, play and pages for ten minutes, with memory flat; for hours: `PYTHONPATH=tests:tests/support python
tests/under_load/soak.py --hours 3`."""

from __future__ import annotations

import pytest
from soak import MOST, Soaked, soak

from conftest import compiles

MINUTES = 10.0


@compiles
@pytest.mark.full
def test_ten_minutes_of_analysis_and_play_take_no_memory(capsys: pytest.CaptureFixture[str]) -> None:
    soaked = soak(MINUTES)
    with capsys.disabled():
        print(f"\n{soaked}")
    assert soaked.growth <= MOST, soaked.points


def test_growth_is_what_comes_after_the_warm_up() -> None:
    flat = Soaked([(minute, 100.0 * minute if minute < 3 else 300.0) for minute in range(15)], warm=3.0)
    assert flat.growth == 0.0
    leaking = Soaked([(minute, 300.0 + 10.0 * minute) for minute in range(15)], warm=3.0)
    assert leaking.growth > MOST
