"""The signature: node counts of fixed searches. They change only with a change that means to change them."""

from __future__ import annotations

from plyforge.cli.search.bench import SEARCHES, run

SIGNATURE = 2_043_701
"""What `plyforge bench` prints. A commit that changes it says so in its message."""


def test_the_signature_is_the_one_that_was_written_down():
    found = [run(fixed) for fixed in SEARCHES]
    assert sum(result.nodes for result in found) == SIGNATURE
