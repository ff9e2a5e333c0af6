"""Kuhn poker: sizes from Kuhn's paper and OpenSpiel, and what each player sees."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import plyforge as pf
from plyforge.contract import CHANCE, MAX, MIN, PUBLIC
from plyforge.contract.information import NOTHING, information_set, remember
from plyforge.errors import BadText
from plyforge.games.hidden.kuhn_poker import HIDDEN, UNDEALT, Deal, KuhnPoker
from plyforge.kernel import new_stream

GAME = KuhnPoker()


def histories(s: Any, memories: tuple[Any, ...] = (NOTHING, NOTHING)) -> Iterator[tuple[Any, tuple[Any, ...]]]:
    """All sequences of actions and outcomes: the state at the end of each, with what both players remember."""
    yield s, memories
    if GAME.terminal(s):
        return
    chance = GAME.player(s) == CHANCE
    for action in [card for card, _ in GAME.chance(s)] if chance else list(GAME.actions(s)):
        after = GAME.result(s, action)
        remembered = (remember(GAME, memories[player], s, action, after, player) for player in (MAX, MIN))
        yield from histories(after, tuple(remembered))


def movers() -> Iterator[tuple[Any, int]]:
    """The information sets in which a player moves, once for each history."""
    for s, memories in histories(GAME.start()):
        if not GAME.terminal(s) and GAME.player(s) != CHANCE:
            yield information_set(GAME, memories[GAME.player(s)], s, GAME.player(s)), GAME.player(s)


def test_it_has_58_histories_30_ends_and_12_information_sets() -> None:
    """Counted by OpenSpiel, too."""
    everything = [s for s, _ in histories(GAME.start())]
    assert len(everything) == 58
    assert sum(map(GAME.terminal, everything)) == 30
    sets = list(movers())
    assert len(sets) == 24, "each information set has the two cards that the other may hold"
    assert len({chain for chain, player in sets if player == MAX}) == 6
    assert len({chain for chain, player in sets if player == MIN}) == 6


def test_perft_counts_the_histories() -> None:
    counts = [pf.perft("kuhn_poker", depth, native=False).nodes for depth in range(6)]
    assert counts == [1, 3, 6, 12, 24, 12] and sum(counts) == 58


def uniform(s: Any) -> float:
    """The value if everybody passes or bets with equal chances."""
    if GAME.terminal(s):
        return GAME.utility(s)
    actions = [(a, p) for a, p in GAME.chance(s)] if GAME.player(s) == CHANCE else [(0, 0.5), (1, 0.5)]
    return sum(p * uniform(GAME.result(s, a)) for a, p in actions)


def test_uniform_play_is_worth_an_eighth_of_a_chip_to_max() -> None:
    assert uniform(GAME.start()) == pytest.approx(0.125)


@pytest.mark.parametrize(
    ("text", "worth"),
    [
        ("K J check check", 1.0),
        ("J K check check", -1.0),
        ("J K bet fold", 1.0),
        ("Q J bet call", 2.0),
        ("K J check bet fold", -1.0),
        ("Q K check bet call", -2.0),
    ],
)
def test_what_ends_are_worth(text: str, worth: float) -> None:
    s = pf.parse_state(GAME, text)
    assert GAME.terminal(s) and GAME.utility(s) == worth and pf.format_state(GAME, s) == text


def test_each_sees_the_own_card_and_nobody_sees_both() -> None:
    s = Deal(1, 2, 0b10)
    assert GAME.observe(s, MAX) == Deal(1, HIDDEN, 0b10)
    assert GAME.observe(s, MIN) == Deal(HIDDEN, 2, 0b10)
    assert GAME.observe(s, PUBLIC) == Deal(HIDDEN, HIDDEN, 0b10)
    assert GAME.observe(Deal(1, UNDEALT, 1), MIN) == Deal(HIDDEN, UNDEALT, 1)
    assert GAME.observe(Deal(1, 2, 0b111), PUBLIC) == Deal(1, 2, 0b111), "both cards are shown"
    assert GAME.observe(Deal(1, 2, 0b110), MAX) == Deal(1, HIDDEN, 0b110), "after a fold they are not"


def test_a_determinized_state_looks_the_same_and_each_card_comes() -> None:
    stream, seen = new_stream(1), Deal(HIDDEN, 2, 0b11)
    drawn = [GAME.determinize(seen, MIN, stream) for _ in range(200)]
    assert {GAME.observe(s, MIN) for s in drawn} == {seen}
    assert sorted({s.first for s in drawn}) == [0, 1]
    assert 60 < sum(s.first == 0 for s in drawn) < 140


def test_observations_have_texts_that_read_back_and_a_picture_in_text() -> None:
    seen = GAME.observe(pf.parse_state(GAME, "Q K check bet"), MAX)
    assert pf.format_state(GAME, seen) == "Q ? check bet"
    assert pf.parse_state(GAME, "q ?  Check bet") == seen
    cards = "     ╭───╮\nMAX  │ Q │\n     ╰───╯\n     ╭───╮\nMIN  │▒▒▒│\n     ╰───╯"
    assert GAME.show(seen) == f"{cards}\npot  3   done: check, bet"
    assert [pf.format_action(GAME, seen, action) for action in GAME.actions(seen)] == ["fold", "call"]


@pytest.mark.parametrize(
    "text",
    ["", "Q", "Q Q", "- K", "Q - bet", "A K", "Q K fold", "Q K check bet call fold", "Q K check  raise"],
)
def test_bad_text_is_refused(text: str) -> None:
    with pytest.raises(BadText, match=r"Kuhn poker|can't arise"):
        pf.parse_state(GAME, text)


def test_the_start_is_the_deal() -> None:
    assert pf.format_state(GAME, GAME.start()) == "- -"
    assert dict(GAME.chance(GAME.start())) == pytest.approx({0: 1 / 3, 1: 1 / 3, 2: 1 / 3})
    assert GAME.hidden_information and GAME.has_chance and not pf.load("pig").hidden_information
