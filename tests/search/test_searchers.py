"""What lives from move to move: one way to start any search, think, and go on."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

import plyforge as pf
from plyforge.contract import Game, legal_moves
from plyforge.search import Limits, Search
from plyforge.search.mcts import Flat, Uct
from plyforge.search.registry import searches
from plyforge.search.simultaneous import RegretMatching
from plyforge.search.simultaneous.subtree import find_node

GAMES = ("tic_tac_toe", "pig(goal=6)", "goofspiel(cards=3)", "slider(width=2, height=3)", "kuhn_poker")


def game_for(search: type[Search]) -> Game:
    """A small game that a search takes."""
    for text in GAMES:
        try:
            game = pf.load(text)
        except pf.PlyforgeError:
            continue
        if search.needs.missing(game) is None:
            return game
    pytest.skip(f"none of these games is for {search.name}")


@pytest.mark.parametrize("name", sorted(searches()))
def test_every_search_is_started_thinks_and_is_asked_once_in_the_same_way(name: str) -> None:
    cls = searches()[name]
    game = game_for(cls)
    limits = Limits(nodes=300) if cls.anytime else Limits(depth=3)
    root = game.start()
    while game.player(root) == pf.CHANCE:
        root = game.result(root, legal_moves(game, root)[0])
    names = {field.name for field in dataclasses.fields(cls)}
    search = cls(**({"simulations": 60} if "simulations" in names else {}))
    once = search.search(game, root, limits, native=False)
    searcher = search.start(game, False)
    first = searcher.think(root, limits)
    assert (first.action, first.value, first.nodes) == (once.action, once.value, once.nodes)
    if first.action is not None and not game.has_chance:
        after = game.result(root, first.action)
        if not game.terminal(after):
            assert searcher.think(after, limits, history=[root]).using == name
    searcher.forget()
    again = searcher.think(root, limits)
    assert (again.action, again.value) == (once.action, once.value)
    searcher.close()


def test_what_a_search_does_stands_in_one_place() -> None:
    with pytest.raises(TypeError, match="`answer`"):

        class Other(Search):
            def search(self, *args: Any, **more: Any) -> Any:
                return None


@pytest.mark.parametrize("search", [Uct(simulations=200, solve=False), Flat(simulations=200)], ids=["uct", "flat"])
def test_the_tree_of_a_search_by_simulation_is_kept(search: Any) -> None:
    game = pf.load("tic_tac_toe")
    searcher = search.start(game, False)
    searcher.think()
    assert sum(searcher.think().visits.values()) > 300
    searcher.forget()
    assert sum(searcher.think().visits.values()) <= 200


def choices(searcher: Any) -> list[Any]:
    """Everybody's options below the root, as far as the tree is visited: what a later search goes by."""
    blocks, found, waiting = searcher.blocks, [], [0]
    while waiting:
        index = waiting.pop(0)
        node = blocks.nodes[index]
        options = [
            [(option.visits, option.value, option.regret, option.weight) for option in blocks.options_of(index, player)]
            for player in range(blocks.players)
        ]
        shares = [blocks.share(index, player).value for player in range(blocks.players)]
        found.append((int(node.visits), int(node.mover), options if node.children else [], shares))
        waiting.extend(range(int(node.first), int(node.first) + int(node.children)))
    return found


@pytest.mark.parametrize("native", [False, pytest.param(True, marks=pytest.mark.full)])
def test_the_tree_of_simultaneous_choices_goes_on_from_a_later_state(native: bool) -> None:
    game = pf.load("goofspiel(cards=4)")
    searcher: Any = RegretMatching(simulations=3000).start(game, native)
    root = game.result(game.start(), legal_moves(game, game.start())[1])
    state = game.result(root, searcher.think(root).action)
    state = game.result(state, legal_moves(game, state)[0])
    index = find_node(game, searcher.blocks, root, state)
    assert index is not None and index > 0
    visits, before = int(searcher.blocks.nodes[index].visits), part_of(choices(searcher), searcher.blocks, index)
    searcher.blocks, searcher.state = searcher.moved_to(state, Limits()), state
    assert int(searcher.blocks.nodes[0].visits) == visits
    assert choices(searcher) == before
    assert searcher.blocks.used_nodes == len(before)
    more = searcher.think(state)
    assert sum(more.visits.values()) >= 3000 and int(searcher.blocks.nodes[0].visits) == visits + 3000


def part_of(whole: list[Any], blocks: Any, index: int) -> list[Any]:
    """What `choices` says of the part of a tree that begins at a node."""
    order, places = [0], {}
    for place, node in enumerate(order):
        places[node] = place
        order.extend(range(int(blocks.nodes[node].first), int(blocks.nodes[node].first + blocks.nodes[node].children)))
    part = [index]
    for node in part:
        part.extend(range(int(blocks.nodes[node].first), int(blocks.nodes[node].first + blocks.nodes[node].children)))
    return [whole[places[node]] for node in part]
