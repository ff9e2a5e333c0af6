"""What closed pages leave behind: nothing. Freed at once, and not when Python next looks for what nobody can reach:
that is turned off here."""

from __future__ import annotations

import gc
import time
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from conftest import thinned
from patience import FOR_A_PROCESS, PATIENCE
from plyforge.play.engine import Engine
from plyforge.search.engine.transposition_table import Table
from plyforge.search.trace.tree import Node
from plyforge.studio.server.handler import Desk
from plyforge.studio.server.socket import Page
from studio_browser import running
from studio_client import Client
from studio_visits import VISITS, analyse, memory, play, tree

KINDS = (Page, Desk, Engine, Table, Node)


@pytest.fixture(scope="module")
def studio() -> Iterator[Any]:
    with running() as there:
        there.native = lambda room, game, using: False  # type: ignore[method-assign]
        yield there


@pytest.fixture
def without_collector() -> Iterator[None]:
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def alive() -> dict[str, int]:
    """How many of each kind there are; one pass, since other tests of this process may have left millions of
    objects."""
    types = Counter(map(type, gc.get_objects()))
    return {kind.__name__: sum(n for each, n in types.items() if issubclass(each, kind)) for kind in KINDS}


def no_more_than(before: dict[str, int]) -> None:
    """Soon: a search that was told to stop may still be at it."""
    end = time.monotonic() + PATIENCE
    while any(number > before[kind] for kind, number in alive().items()):
        assert time.monotonic() < end, f"{alive()}, and {before} before"
        time.sleep(0.05)


def visited(studio: Any, visits: list[Callable[[Client], None]]) -> None:
    before = alive()
    for visit in visits:
        with Client(studio.link, FOR_A_PROCESS) as client:
            visit(client)
    no_more_than(before)


@pytest.mark.parametrize("visit", thinned(VISITS, VISITS[:2]))
def test_a_closed_page_leaves_nothing(studio: Any, without_collector: None, visit: Any) -> None:
    with Client(studio.link, FOR_A_PROCESS) as client:  # what is made once, and kept
        visit(client)
    gc.collect()
    visited(studio, [visit] * 3)


@pytest.mark.full
def test_two_hundred_visits_take_no_memory(studio: Any, without_collector: None) -> None:
    visited(studio, [*VISITS, *VISITS])
    gc.collect()
    before = memory()
    visited(studio, [VISITS[number % len(VISITS)] for number in range(200)])
    assert memory() < before + 100, "MB more than before"


def test_another_game_at_the_same_table_leaves_nothing_of_the_one_before(studio: Any, without_collector: None) -> None:
    with Client(studio.link, FOR_A_PROCESS) as client:
        play(client)
        tree(client)
        analyse(client)
        before = alive()
        for _ in range(3):
            play(client)
            tree(client)
            analyse(client)
        no_more_than(before)
