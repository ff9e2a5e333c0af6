"""Blackjack: what hands are worth, by tables that combinatorial analysis has published, and basic strategy."""

from __future__ import annotations

import functools
from collections import defaultdict
from fractions import Fraction
from typing import Any

import pytest

import plyforge as pf
from conftest import thinned
from plyforge.errors import BadRules, BadText
from plyforge.games.hidden.blackjack import DEALER, DOUBLE, HIDDEN, HIT, NAMES, OVER, PLAYER, STAND, Blackjack, Round

ONE = Blackjack()
ENDLESS = Blackjack(decks=0)
PUBLISHED = [
    ("6A", "A", {STAND: -0.482815, DOUBLE: -0.527213}),
    ("32", "A", {STAND: -0.659375, DOUBLE: -1.318751}),
    ("62", "A", {STAND: -0.639160, DOUBLE: -0.799095}),
    ("64", "A", {STAND: -0.636118, DOUBLE: 0.048615}),
    ("65", "A", {STAND: -0.634013, DOUBLE: 0.240259}),
    ("7A", "A", {STAND: -0.101015, DOUBLE: -0.357778}),
    ("72", "A", {STAND: -0.645559, DOUBLE: -0.402057}),
]
"""wizardofodds.com, Blackjack appendix 9, one deck, dealer stands on soft 17, no blackjack of the dealer."""
PUBLISHED_HITS = [("65", "A", 0.172946), ("64", "A", 0.081506), ("7A", "A", -0.108386)]


def worlds_of(game: Blackjack, text: str) -> dict[Any, float]:
    """The states behind what the player sees: any card of one pack that was not seen and is no blackjack."""
    seen = pf.parse_state(game, text)
    mine, shown = text.split()[:2]
    weights = {}
    for name in NAMES:
        left = (16 if name == "T" else 4) - (mine + shown).count(name)
        if {name, shown} != {"A", "T"}:
            weights[seen._replace(hole=NAMES.index(name) + 1)] = float(left)
    total = sum(weights.values())
    return {s: weight / total for s, weight in weights.items()}


class Expectimax:
    """Best play for one player, by what the player sees alone."""

    def __init__(self, game: Blackjack, same: Any = lambda s: s) -> None:
        self.game, self.same = game, same
        self.kept: dict[Any, float] = {}

    def of_actions(self, worlds: dict[Any, float]) -> dict[int, float]:
        """What each action is worth where the player can't tell these worlds apart."""
        total = sum(worlds.values())
        actions = list(self.game.actions(next(iter(worlds))))
        return {
            a: sum(w * self.by_chance(self.game.result(s, a)) for s, w in worlds.items()) / total
            if a != HIT
            else self.after_hit({self.game.result(s, a): w / total for s, w in worlds.items()})
            for a in actions
        }

    def after_hit(self, worlds: dict[Any, float]) -> float:
        """A card comes, and all that look the same afterwards are one."""
        value, seen = 0.0, defaultdict(lambda: defaultdict(float))
        for s, weight in worlds.items():
            for card, likely in self.game.chance(s):
                after = self.game.result(s, card)
                if after.phase == PLAYER:
                    seen[self.game.observe(after, 0)][after] += weight * likely
                else:
                    value += weight * likely * self.by_chance(after)
        return value + sum(sum(each.values()) * self.best(o, each) for o, each in seen.items())

    def best(self, observation: Any, worlds: dict[Any, float]) -> float:
        key = self.same(observation)
        if key not in self.kept:
            self.kept[key] = max(self.of_actions(worlds).values())
        return self.kept[key]

    def by_chance(self, s: Any) -> float:
        """Where nobody chooses any more."""
        if self.game.terminal(s):
            return self.game.utility(s)
        key = self.same(s)
        if key not in self.kept:
            self.kept[key] = sum(p * self.by_chance(self.game.result(s, card)) for card, p in self.game.chance(s))
        return self.kept[key]


@pytest.mark.parametrize(("mine", "shown", "worth"), PUBLISHED)
def test_standing_and_doubling_are_worth_what_is_published(mine: str, shown: str, worth: dict[int, float]) -> None:
    search, worlds = Expectimax(ONE), worlds_of(ONE, f"{mine} {shown} ? - player")
    for action, value in worth.items():
        found = sum(w * search.by_chance(ONE.result(s, action)) for s, w in worlds.items())
        assert found == pytest.approx(value, abs=1.5e-6)


@pytest.mark.full
@pytest.mark.parametrize(("mine", "shown", "worth"), PUBLISHED_HITS)
def test_a_hit_is_worth_what_is_published(mine: str, shown: str, worth: float) -> None:
    found = Expectimax(ONE).of_actions(worlds_of(ONE, f"{mine} {shown} ? - player"))
    assert found[HIT] == pytest.approx(worth, abs=1.5e-6)


# ------------------------------------------------------------------ cards without end
def kind_of_hand(s: Round) -> Any:
    """All that matters of a state where cards have no end."""

    def hand(cards: int) -> tuple[int, bool, int]:
        total = ENDLESS.total(cards)
        hard = sum(kind * ENDLESS.number(cards, kind) for kind in range(1, 11))
        return total, total != hard, min(3, ENDLESS.size(cards))

    theirs = ENDLESS.dealers(s)
    return hand(s.mine), hand(theirs), s.shown if s.hole == HIDDEN or s.phase < DEALER else 0, s.phase, s.stake, s.hole


CHANCE_OF = {kind: Fraction(4 if kind == 10 else 1, 13) for kind in range(1, 11)}


@functools.cache
def dealer_ends(total: int, soft: bool) -> dict[int, Fraction]:
    """How likely the dealer ends with what, by totals alone; 22 stands for too much."""
    if total >= 17:
        return {min(total, 22): Fraction(1)}
    found: dict[int, Fraction] = defaultdict(Fraction)
    for kind, likely in CHANCE_OF.items():
        for end, share in dealer_ends(*drawn(total, soft, kind)).items():
            found[end] += likely * share
    return found


def drawn(total: int, soft: bool, kind: int) -> tuple[int, bool]:
    """A total with one card more; soft: an ace counts 11."""
    total += kind
    if kind == 1 and total + 10 <= 21:
        total, soft = total + 10, True
    return (total - 10, False) if total > 21 and soft else (total, soft)


@functools.cache
def textbook(shown: int, total: int, soft: bool, two: bool) -> dict[str, Fraction]:
    """What hit, stand and double are worth against that card, by totals and fractions alone."""
    likely = {k: p for k, p in CHANCE_OF.items() if {k, shown} != {1, 10}}
    ends: dict[int, Fraction] = defaultdict(Fraction)
    for hole, p in likely.items():
        first = drawn(0, False, shown)
        for end, share in dealer_ends(*drawn(*first, hole)).items():
            ends[end] += p * share / sum(likely.values())

    def stand(mine: int) -> Fraction:
        if mine > 21:
            return Fraction(-1)
        return sum(
            (p * (1 if end > 21 or mine > end else 0 if mine == end else -1) for end, p in ends.items()), Fraction()
        )

    after = [(p, *drawn(total, soft, kind)) for kind, p in CHANCE_OF.items()]
    hit = sum((p * (max(textbook(shown, t, s, False).values()) if t <= 21 else -1) for p, t, s in after), Fraction())
    found = {"hit": hit, "stand": stand(total)}
    if two:
        found["double"] = 2 * sum((p * stand(t) for p, t, _ in after), Fraction())
    return found


@pytest.mark.parametrize("mine", thinned(["T6", "72", "A7", "65", "84", "A2"], ["T6", "A7", "65"]))
def test_with_cards_without_end_it_is_the_textbook_s_game(mine: str) -> None:
    search = Expectimax(ENDLESS, kind_of_hand)
    for shown in NAMES:
        seen = pf.parse_state(ENDLESS, f"{mine} {shown} ? - player")
        holes = {kind: p for kind, p in CHANCE_OF.items() if {kind, seen.shown} != {1, 10}}
        worlds = {seen._replace(hole=kind): float(p / sum(holes.values())) for kind, p in holes.items()}
        found = search.of_actions(worlds)
        total = ENDLESS.total(seen.mine)
        expected = textbook(seen.shown, total, "A" in mine, True)
        assert {pf.format_action(ENDLESS, seen, a): v for a, v in found.items()} == pytest.approx(
            {name: float(v) for name, v in expected.items()}, abs=1e-12
        )


@pytest.mark.parametrize(
    ("hand", "shown", "action"),
    [
        *((f"hard {n}", "2 3 4 5 6", "stand") for n in (13, 14, 15, 16)),
        *((f"hard {n}", "7 8 9 T A", "hit") for n in (12, 13, 14, 15, 16)),
        ("hard 12", "2 3", "hit"),
        ("hard 12", "4 5 6", "stand"),
        ("hard 17", "2 3 4 5 6 7 8 9 T A", "stand"),
        ("hard 11", "2 3 4 5 6 7 8 9 T", "double"),
        ("hard 10", "2 3 4 5 6 7 8 9", "double"),
        ("hard 10", "T A", "hit"),
        ("hard 9", "3 4 5 6", "double"),
        ("hard 9", "2 7 8 9 T A", "hit"),
        ("hard 8", "2 3 4 5 6 7 8 9 T A", "hit"),
        ("soft 18", "3 4 5 6", "double"),
        ("soft 18", "2 7 8", "stand"),
        ("soft 18", "9 T", "hit"),
        ("soft 17", "2 7 8 9 T A", "hit"),
        ("soft 19", "2 3 4 5 6 7 8 9 T A", "stand"),
    ],
)
def test_the_textbook_s_game_has_the_published_basic_strategy(hand: str, shown: str, action: str) -> None:
    """Baldwin, Cantey, Maisel and McDermott, 1956, as every table of basic strategy for many decks has it."""
    kind, total = hand.split()
    for card in shown.split():
        worth = textbook(NAMES.index(card) + 1, int(total), kind == "soft", True)
        assert max(worth, key=lambda each: worth[each]) == action, card


# ------------------------------------------------------------------ the rest
def test_nobody_sees_the_hidden_card_before_the_dealer_s_turn() -> None:
    s = pf.parse_state(ONE, "6T 9 7 - player")
    assert pf.format_state(ONE, ONE.observe(s, 0)) == "6T 9 ? - player"
    waiting = ONE.result(s, STAND)
    assert waiting.phase == DEALER and ONE.observe(waiting, 0) == waiting
    ended = ONE.result(waiting, 5)
    assert ended.phase == OVER and ONE.utility(ended) == -1.0 and "│ 9 │ │ 7 │ │ 5 │" in ONE.show(ended)


def test_a_blackjack_ends_the_round_before_anybody_chooses() -> None:
    for text, worth in (
        ("TA 9 T - over", 1.5),
        ("TA A T - over", 0.0),
        ("T9 T A - over", -1.0),
        ("T9 A T - over", -1.0),
    ):
        s = pf.parse_state(ONE, text)
        assert ONE.terminal(s) and ONE.utility(s) == worth


@pytest.mark.parametrize(
    "text", ["", "T6 9 ?", "XX 9 ? - player", "TA 9 7 - player", "T6 9 ? 5 player", "TTT 9 7 - player"]
)
def test_bad_blackjack_is_refused(text: str) -> None:
    with pytest.raises(BadText, match=r"is not a state|can't arise"):
        pf.parse_state(ONE, text)
    with pytest.raises(BadRules, match="0 to 8 decks"):
        Blackjack(decks=9)
