"""Nim: Bouton's theorem, both variants, and the text form."""

from __future__ import annotations

import functools
import itertools
import random
from typing import Any

import pytest

import plyforge as pf
from plyforge.games.two_players.nim import Heaps, Nim, Take

NORMAL = Nim((3, 4, 5))
MISERE = Nim((3, 4, 5), misere=True)


def states(game: Nim) -> list[Heaps]:
    """Every state with something left, both players to move."""
    sizes = itertools.product(*(range(most + 1) for most in game.heaps))
    texts = [" ".join(map(str, size)) for size in sizes if any(size)]
    return [pf.parse_state(game, f"{text} {player}") for text in texts for player in ("max", "min")]


def mover_wins(sizes: list[int], misere: bool) -> bool:
    """Bouton 1901: the sum without carry decides; in misere play not when all heaps have one stick at most."""
    if misere and max(sizes) <= 1:
        return sum(sizes) % 2 == 0
    return functools.reduce(lambda a, b: a ^ b, sizes) != 0


def value_by_the_rules(game: Nim, state: Heaps) -> float:
    """Plain minimax with a memory, from the six functions alone."""

    @functools.cache
    def value(s: Heaps) -> float:
        if game.terminal(s):
            return game.utility(s)
        choose = max if game.player(s) == pf.MAX else min
        return choose(value(game.result(s, action)) for action in game.actions(s))

    return value(state)


def playout(game: Nim, seed: int) -> list[tuple[Heaps, Take | None]]:
    """A random game: each state with the action taken there."""
    dice, s, seen = random.Random(seed), game.start(), []
    while not game.terminal(s):
        action = dice.choice(pf.legal_moves(game, s))
        seen.append((s, action))
        s = game.result(s, action)
    return [*seen, (s, None)]


@pytest.mark.parametrize("game", [NORMAL, MISERE, Nim((1, 1, 1, 2), misere=True), Nim((9,)), Nim((2, 2, 2, 2))])
def test_boutons_theorem_holds_in_every_state(game: Nim) -> None:
    for s in states(game):
        sizes = [game.size(s, heap) for heap in range(len(game.heaps))]
        wins_for_max = mover_wins(sizes, game.misere) == (s.player == pf.MAX)
        assert value_by_the_rules(game, s) == (1.0 if wins_for_max else -1.0), pf.format_state(game, s)


@pytest.mark.parametrize("game", [NORMAL, MISERE])
def test_the_evaluation_always_names_the_winner(game: Nim) -> None:
    for s in states(game):
        assert game.evaluate(s) == 0.5 * value_by_the_rules(game, s), pf.format_state(game, s)


def test_search_finds_the_winning_move_of_3_4_5() -> None:
    found = pf.search(Nim((3, 4, 5)), using="alpha_beta", depth=3, all_best=True, native=False)
    assert [found.text(action) for action in found.best] == ["a2"]


def test_one_two_three_is_lost_for_the_player_to_move_in_both_variants() -> None:
    for misere in (False, True):
        assert pf.search(Nim((1, 2, 3), misere), native=False).value == -1.0


@pytest.mark.full
@pytest.mark.parametrize(("using", "misere"), [("alpha_beta", False), ("minimax", False), ("alpha_beta", True)])
def test_native_and_interpreted_searches_are_the_same(using: str, misere: bool) -> None:
    game = Nim((2, 3, 2), misere)
    for depth in (None, 4):
        native = pf.search(game, using=using, depth=depth, all_best=True, native=True)
        plain = pf.search(game, using=using, depth=depth, all_best=True, native=False)
        assert native.native and not plain.native
        for field in ("value", "values", "best", "line", "nodes", "reason"):
            assert getattr(native, field) == getattr(plain, field), field


def test_heaps_that_fill_all_63_bits_are_the_same_natively() -> None:
    game = Nim((511, 1, 2, 3, 4, 5, 511))
    state = pf.parse_state(game, "0 1 0 0 1 0 3 min")
    native = pf.search(game, state, native=True)
    plain = pf.search(game, state, native=False)
    assert (native.value, native.best, native.line, native.nodes) == (
        plain.value,
        plain.best,
        plain.line,
        plain.nodes,
    )
    assert native.value == -1.0  # 1 xor 1 xor 3 is not zero: MIN wins


@pytest.mark.parametrize("game", [NORMAL, MISERE, Nim((1,)), Nim((511,) * 7), Nim((60, 1))])
def test_text_read_back_is_the_same_in_random_games(game: Nim) -> None:
    for seed in range(5):
        for s, action in playout(game, seed):
            assert pf.parse_state(game, pf.format_state(game, s)) == s
            if action is not None:
                assert pf.parse_action(game, s, pf.format_action(game, s, action)) == action
                assert game.count(s) == len(list(game.actions(s)))


def test_a_state_is_written_as_heaps_and_mover() -> None:
    s = pf.state_after(NORMAL, "b3", "c5")
    assert pf.format_state(NORMAL, s) == "3 1 0 max"
    assert pf.parse_state(NORMAL, "3, 1, 0") == pf.parse_state(NORMAL, "  3 1 0 MAX ") == s
    assert pf.parse_state(NORMAL, "3 1 0 min") == s._replace(player=pf.MIN)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "0 heaps"),
        ("3 4", "2 heaps"),
        ("3 4 5 6", "4 heaps"),
        ("3 4 6", "began with 5"),
        ("3 4 -1", "not a number"),
        ("3 4 x", "not a number"),
        ("3 4 ٣", "not a number"),
        ("3 4 99999999999999999999999", "began with 5"),
        ("max 3 4 5", "4 heaps"),
    ],
)
def test_text_that_is_no_state_is_refused_with_the_reason(text: str, says: str) -> None:
    with pytest.raises(pf.BadText, match=says):
        pf.parse_state(NORMAL, text)


def test_an_action_that_is_not_legal_is_refused() -> None:
    for text in ("a4", "d1", "a0", "1"):
        with pytest.raises(pf.IllegalAction, match="a1, a2, a3"):
            pf.parse_action(NORMAL, NORMAL.start(), text)


def test_the_picture_says_what_to_type() -> None:
    s = pf.parse_state(Nim((7, 1, 2, 80)), "7 1 0 80 max")
    assert Nim((7, 1, 2, 80)).show(s).splitlines() == [
        "a  ||||| ||   a1 to a7",
        "b  |          b1",
        "c             empty",
        "d  80 sticks  d1 to d80",
    ]


def test_load_takes_heaps_as_a_tuple_or_a_list() -> None:
    for text in ("nim(heaps=(1, 2, 3))", "nim((1,2,3))", "nim([1, 2, 3])"):
        assert pf.load(text) == Nim((1, 2, 3))
    assert pf.load("nim((1, 2), misere=True)") == Nim((1, 2), misere=True)
    assert isinstance(Nim([1, 2]).heaps, tuple)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("heaps", "says"),
    [
        ((), "at least one stick"),
        ((0, 1), "at least one stick"),
        ((1, -2), "at least one stick"),
        ((1.5,), "at least one stick"),
        ((True,), "at least one stick"),
        (5, "as in nim"),
        ("345", "as in nim"),
        ((1,) * 27, "26 heaps"),
        ((511,) * 8, "63 bits"),
        ((1 << 63,), "63 bits"),
    ],
)
def test_heaps_that_make_no_game_are_refused(heaps: Any, says: str) -> None:
    with pytest.raises(pf.BadRules, match=says):
        Nim(heaps)
