"""The river: the linear program over the same game on 20 hands, showdowns counted pair by pair, full ranges."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pytest

import plyforge as pf
from plyforge.errors import BadLimits, BadText, PlyforgeError
from plyforge.poker.cards import parse_cards
from plyforge.poker.evaluator import evaluate
from plyforge.poker.ranges import parse_range
from plyforge.poker.river import Node, Table, solve_river, tree_of
from plyforge.solve.hidden import hidden_equilibrium

BOARD = "Qh7h2sKd9c"
TWENTY = "AhKh AsQs KcQc JhTh 7c7d 2c2d Ah5h 6h5h JcTc AcAd QcQd 9h8h Kh3h Td8d 6c5c 4c4d AdJd Qs8s KsJs 5d4d"


class Hand(NamedTuple):
    first: int
    second: int
    node: int


class SmallRiver(pf.Game):
    """The same bets as a game in the contract, hand by hand."""

    pot, stack, min_utility, max_utility = 10.0, 15.0, -20.0, 20.0

    def __init__(self) -> None:
        self.hands = [parse_cards(text) for text in TWENTY.split()]
        self.strength = [evaluate((*parse_cards(BOARD), *hand)) for hand in self.hands]
        self.nodes: list[Node] = []
        self.begins: list[int] = []
        waiting = [tree_of(self.pot, self.stack, (0.5, 1.0))]
        while waiting:
            node = waiting.pop(0)
            self.begins.append(len(self.nodes) + len(waiting) + 1)
            self.nodes.append(node)
            waiting += node.children

    def start(self) -> Hand:
        return Hand(-1, -1, 0)

    def player(self, s: Hand) -> int:
        return pf.CHANCE if s.second == -1 else self.nodes[s.node].player

    def chance(self, s: Hand) -> Any:
        deals = [
            (a, b)
            for a, one in enumerate(self.hands)
            for b, other in enumerate(self.hands)
            if not set(one) & set(other)
        ]
        for a, b in deals:
            yield 100 * a + b, 1.0 / len(deals)

    def actions(self, s: Hand) -> Any:
        yield from range(len(self.nodes[s.node].actions))

    def result(self, s: Hand, action: int) -> Hand:
        if s.second == -1:
            return Hand(action // 100, action % 100, 0)
        return s._replace(node=self.begins[s.node] + action)

    def terminal(self, s: Hand) -> bool:
        return not self.nodes[s.node].actions

    def utility(self, s: Hand) -> float:
        node = self.nodes[s.node]
        if node.player >= 0:
            lost = self.pot / 2 + node.paid[node.player]
            return -lost if node.player == pf.MAX else lost
        one, other = self.strength[s.first], self.strength[s.second]
        return (self.pot / 2 + node.paid[0]) * ((one > other) - (one < other))

    def observe(self, s: Hand, player: int) -> Hand:
        if s.second == -1:
            return s
        return s._replace(first=s.first if player == pf.MAX else -2, second=s.second if player == pf.MIN else -2)


def test_on_twenty_hands_it_is_the_linear_program() -> None:
    exact = hidden_equilibrium(SmallRiver(), using="lp", native=False)
    found = solve_river(BOARD, TWENTY, TWENTY, pot=10, stack=15, goal=1e-5, iterations=4000)
    assert exact.exploitability < 1e-9 and found.exploitability <= 1e-5
    assert found.value == pytest.approx(exact.value, abs=3e-4), "both are within their exploitability"


def test_ends_are_what_going_through_all_pairs_gives() -> None:
    ranges = [parse_range("QQ+,AK,JTs,22"), parse_range("77+,A2s+,KQ")]
    board = parse_cards(BOARD)
    table = Table(board, ranges, 8.0)
    chosen = np.random.default_rng(1)
    for player in (0, 1):
        own, other = table.hands[player], table.hands[1 - player]
        reach = chosen.random(len(other))
        ends = (Node(-1, (3.0, 3.0)), Node(player, (3.0, 5.0)), Node(1 - player, (3.0, 5.0)))
        for node in ends:
            slow = []
            for hand in own:
                total = 0.0
                for part, against in zip(reach, other, strict=True):
                    if set(hand) & set(against):
                        continue
                    won = (evaluate((*board, *hand)) > evaluate((*board, *against))) * 7.0
                    won -= (evaluate((*board, *hand)) < evaluate((*board, *against))) * 7.0
                    if node.player >= 0:
                        won = (4.0 + node.paid[node.player]) * (-1.0 if node.player == player else 1.0)
                    total += part * won
                slow.append(total)
            assert table.end(node, player, reach) == pytest.approx(slow)


def test_full_ranges_come_below_three_thousandths_of_the_pot() -> None:
    seen: list[float] = []
    found = solve_river(BOARD, "any", "any", pot=10, stack=20, on_progress=lambda n, far: seen.append(far))
    assert found.exploitability < 0.003 and seen[-1] == found.exploitability < seen[0]
    assert len(found.hands[0]) == 1081 and sum(found.strategy()["AhAd"].values()) == pytest.approx(1.0)
    assert found.strategy(("check",))["KsKh"]["check"] < 0.5, "three kings bet"
    with pytest.raises(BadText, match="can't be done there"):
        found.strategy(("call",))


def test_nuts_are_not_folded() -> None:
    found = solve_river("AsKsQsJs2d", "Ts9s", "AhAd,KhKd", pot=10, stack=10)
    assert found.strategy()["Ts9s"].get("fold", 0.0) == 0.0 and found.value >= 5.0 - 1e-6


@pytest.mark.parametrize(
    ("board", "first", "pot", "says"),
    [
        ("Qh7h2s", "any", 10.0, "5 cards; this one has 3"),
        (BOARD, "QhQs", 10.0, "no hand of 'QhQs' is left"),
        (BOARD, "any", -1.0, "the pot is -1"),
        (BOARD, "any", float("nan"), "the pot is nan"),
    ],
)
def test_bad_input_is_refused(board: str, first: str, pot: float, says: str) -> None:
    with pytest.raises(PlyforgeError, match=says):
        solve_river(board, first, "any", pot=pot, stack=10)
    with pytest.raises(BadLimits, match="bet sizes"):
        solve_river(BOARD, "any", "any", pot=1, stack=1, sizes=())


@pytest.mark.parametrize(
    "limit", [{"seconds": float("nan")}, {"seconds": -1.0}, {"goal": float("nan")}, {"goal": -1.0}, {"iterations": 0}]
)
def test_limits_that_are_none_are_refused(limit: dict[str, Any]) -> None:
    """Nothing is compared with them in vain: that would be an answer after no iteration at all."""
    with pytest.raises(BadLimits, match=f"{next(iter(limit))}.* must be"):
        solve_river(BOARD, "AsAd", "QcQd", pot=1, stack=1, **limit)
