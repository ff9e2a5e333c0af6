"""Nim for three: the values follow a pattern that is proven in the rules' own text."""

from __future__ import annotations

import pytest

from plyforge.contract import format_action, format_state, legal_moves, parse_action, parse_state, payoffs
from plyforge.errors import BadRules, BadText, Unsuitable
from plyforge.games import load
from plyforge.games.several_players.three_nim import Heap, ThreeNim
from plyforge.search import search

SAME = ("action", "value", "values", "best", "line", "nodes", "depth", "reason", "player")


@pytest.mark.parametrize("take", [1, 2, 3, 4])
def test_the_value_of_a_heap_depends_on_its_size_modulo_twice_the_take_and_one(take: int) -> None:
    for sticks in range(1, 13):
        rest = sticks % (2 * take + 1)
        mover = 0.0 if rest == 0 else 1.0 if rest <= take else 0.5
        following = {0.0: 0.5, 1.0: 0.0, 0.5: 1.0}[mover]
        found = search(ThreeNim(sticks, take), using="max_n", native=False)
        assert found.value == (mover, following, 1.5 - mover - following), (sticks, take)


def test_the_values_are_of_whoever_moves_first_not_of_player_0() -> None:
    game = ThreeNim()
    assert search(game, "3 0", native=False).value == (1.0, 0.0, 0.5)
    assert search(game, "3 1", native=False).value == (0.5, 1.0, 0.0)
    assert search(game, "3 2", native=False).value == (0.0, 0.5, 1.0)


def test_against_an_alliance_a_player_is_sure_of_less_than_against_rivals() -> None:
    """With 5 sticks max^n promises 1/2: leave 2, and the next player takes them. An ally would take only one."""
    game = ThreeNim(5, 3)
    assert search(game, using="max_n", native=False).value[0] == 0.5
    assert search(game, using="paranoid", native=False).value == 0.0


def test_payoffs_always_add_up() -> None:
    game = ThreeNim()
    for player in range(3):
        end = Heap(0, player)
        assert game.terminal(end)
        assert sum(payoffs(game, game.utility(end))) == game.utility_sum
        assert sum(game.evaluate(end)) == game.utility_sum
        assert game.utility(end)[player] == 0.0
        assert game.utility(end)[player - 1] == 1.0


@pytest.mark.full
@pytest.mark.parametrize("using", ["max_n", "paranoid", "expectimax"])
def test_native_is_interpreted(using: str) -> None:
    game = ThreeNim(10, 3)
    for state, depth in ((None, None), ("9 1", None), ("10 2", 3)):
        slow = search(game, state, using, depth=depth, native=False)
        fast = search(game, state, using, depth=depth, native=True)
        assert [getattr(slow, name) for name in SAME] == [getattr(fast, name) for name in SAME]


def test_searches_for_two_refuse_it() -> None:
    with pytest.raises(Unsuitable, match="3 players"):
        search(ThreeNim(), using="minimax")


def test_text_is_read_back() -> None:
    game = ThreeNim()
    for sticks in range(8):
        for player in range(3):
            s = Heap(sticks, player)
            assert parse_state(game, format_state(game, s)) == s
            for action in legal_moves(game, s):
                assert parse_action(game, s, format_action(game, s, action)) == action
    assert parse_state(game, "7 sticks, player 0 to move") == game.start()
    assert game.show(game.start()) == "|||||||  7 sticks, player 0 to move"


@pytest.mark.parametrize("sticks, take", [(0, 3), (-1, 3), (7, 0), (10_000, 3)])
def test_heaps_that_make_no_game_are_refused(sticks: int, take: int) -> None:
    with pytest.raises(BadRules, match="three_nim"):
        ThreeNim(sticks, take)


@pytest.mark.parametrize("text", ["", "7", "7 3", "8 0", "-1 0", "seven 0", "7 0 0"])
def test_text_that_is_no_state_is_refused(text: str) -> None:
    with pytest.raises(BadText):
        parse_state(ThreeNim(), text)


def test_it_is_in_the_catalog() -> None:
    assert load("three_nim(sticks=9, take=2)") == ThreeNim(9, 2)
    assert load("three_nim").players == 3
