"""The interpreted engine runs a kernel that is written out for one game: it visits the nodes that the kernel itself
does."""

from __future__ import annotations

import pytest

import plyforge as pf
from plyforge.kernel.entry import coerce
from plyforge.kernel.hashing import hash_number, hash_state
from plyforge.search import Engine, Limits
from plyforge.search.core.requirements import TWO_PLAYERS_NO_CHANCE
from plyforge.search.engine.interpreted.specialise import specialised
from plyforge.search.engine.interpreted.steps import plain_find, plain_pack, plain_store
from plyforge.search.engine.principal_variation import principal_variation
from plyforge.search.engine.steps.watch import Unwatched
from plyforge.search.engine.thinking.deepening import Thinking
from plyforge.search.engine.transposition_table import (
    Table,
    action_of,
    bound_of,
    depth_of,
    find,
    high_of,
    low_of,
    pack,
    store,
)
from small_games import SMALL

FIELDS = (
    "action",
    "value",
    "values",
    "best",
    "line",
    "nodes",
    "depth",
    "reason",
    "proven",
    "distance",
    "lines",
)


class Watching(Unwatched):
    """Watches nothing, but is watched for: the kernel itself runs."""


NAMES = [name for name, (text, *_) in SMALL.items() if TWO_PLAYERS_NO_CHANCE.missing(pf.load(text)) is None]

SLOW = ("checkers", "chess", "go", "othello", "chinese_checkers", "dots_and_boxes")
"""Here one set of parameters is enough for `make test`."""


def told(found):
    return {name: getattr(found, name) for name in FIELDS}


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        pytest.param(name, parameters, marks=pytest.mark.full if parameters and name in SLOW else ())
        for parameters in ({}, {"lines": 2, "table_mib": 0.01}, {"all_best": True, "table_mib": 0})
        for name in NAMES
    ],
)
def test_it_visits_the_same_nodes(name, parameters):
    text, depth, moves = SMALL[name]
    game, engine = pf.load(text), Engine(**parameters)
    state = coerce(pf.state_after(game, *moves))
    for limits in (Limits(depth=min(depth or 4, 4)), Limits(nodes=400)):
        plain = Thinking(engine, game, state, False, watch=Watching()).think(limits)
        assert told(engine.search(game, state, limits, native=False)) == told(plain)


def test_it_goes_on_with_a_table_that_was_kept():
    game, tables = pf.load("connect4(width=5, height=4)"), (Table(0.01), Table(0.01))
    engine, state = Engine(), game.start()
    for _ in range(4):
        plain = Thinking(engine, game, coerce(state), False, table=tables[0], watch=Watching()).think(Limits(depth=5))
        found = engine.start(game, False, table=tables[1]).think(state, Limits(depth=5))
        assert told(found) == told(plain)
        state = game.result(state, found.action)


def test_games_with_the_same_traits_share_a_function():
    first = specialised(principal_variation, pf.load("connect4"))
    assert specialised(principal_variation, pf.load("connect4(width=6, height=5)")) is first
    assert specialised(principal_variation, pf.load("chess")) is not first


def test_the_tables_replace_alike():
    table, rows = Table(0.0001), {}
    assert table.buckets == 1
    generator = iter(range(10**6))
    for round_ in range(200):
        number = next(generator)
        key = hash_state((number * 7919 % 11,))
        fields = (number % 5, 1 + number % 3, number % 4 - 1, number % 3 - 1, number % 7 - 1, round_ // 40)
        store(table.address, table.buckets, key, number / 8, pack(*fields))
        plain_store(rows, table.buckets, int(key), number / 8, plain_pack(*fields))
        for other in range(11):
            key = hash_state((other,))
            value, meta = find(table.address, table.buckets, key)
            plain_value, plain_meta = plain_find(rows, table.buckets, int(key))
            read = tuple(int(part(meta)) for part in (depth_of, bound_of, low_of, high_of, action_of))
            assert (value, read) == (plain_value, plain_meta[:5])


def test_a_hash_is_kept_only_of_what_can_not_change():
    class Thing:
        def __init__(self):
            self.cells = 1

    thing = Thing()
    first = hash_number((thing, 3))
    thing.cells = 2
    assert hash_number((thing, 3)) != first
    assert hash_number([1, 2]) != hash_number([2, 1])
    assert hash_number((1, "a")) == hash_number((1, "a"))
