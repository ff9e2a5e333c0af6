"""Random functions over sets, dicts and lists of states: compiled they give what Python gives, or stop, or are refused.

    PYTHONPATH=tests:tests/support python tests/support/random_containers.py FIRST LAST

judges a range of numbers, and prints what was wrong and what was refused. A function costs about a second.
"""

from __future__ import annotations

import pytest

from conftest import compiles
from random_containers import compared, source

A_FEW, ALL = 5, 400
REFUSED_SHARE = 0.4
"""Loops whose answer depends on the order are many of those that are written at random."""


def test_a_number_always_names_the_same_function() -> None:
    assert source(3) == source(3) != source(4)


@compiles
@pytest.mark.parametrize("count", [A_FEW, pytest.param(ALL, marks=pytest.mark.full)])
def test_random_functions_are_equal_or_refused(count: int) -> None:
    found = compared(range(count))
    assert not found["wrong"], "\n\n".join(found["wrong"])
    assert len(found["refused"]) <= REFUSED_SHARE * count, "\n".join(found["refused"])
    assert found["equal"], "nothing was compared"
