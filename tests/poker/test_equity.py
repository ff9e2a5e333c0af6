"""Equities, ranges and push or fold: Selby's exact table, published charts and values, all deals gone through."""

from __future__ import annotations

import gzip
import json
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from conftest import compiles
from known import poker as known
from paths import DATA
from plyforge.cli import plyforge_command
from plyforge.errors import BadLimits, BadText, PlyforgeError
from plyforge.poker import equity as asked
from plyforge.poker.cards import CLASS_NUMBERS, RANKS
from plyforge.poker.matchups import BOARDS, net, pairs, wins
from plyforge.poker.push_fold import judged, push_fold
from plyforge.poker.ranges import parse_range

POKER = DATA / "poker"
needs_data = pytest.mark.skipif(not POKER.exists(), reason="the shared data are not here")
DEALS = 1326 * 1225


def hands_of(text: str) -> int:
    return int((parse_range(text).weights > 0).sum())


# ------------------------------------------------------------------ the table of match-ups
def furthest(rows: list[tuple[str, str, float]]) -> float:
    """By how much our table is off at most: wins less losses, by share of deals, times 169 squared."""
    ours = net() * pairs() * 169**2 / DEALS

    def number(text: str) -> int:
        high, low = sorted(text[:2], key=RANKS.index, reverse=True)
        return CLASS_NUMBERS[high + low + ("" if high == low else text[2])]

    return float(max(abs(ours[number(one), number(other)] - value) for one, other, value in rows))


def test_match_ups_are_selbys() -> None:
    """To the six digits that are published."""
    assert furthest([(one, other, value) for (one, other), value in known.MATCH_UPS.items()]) < 5.1e-7


@needs_data
def test_the_whole_table_is_selbys() -> None:
    lines = gzip.decompress((POKER / "selby-169x169.gz").read_bytes()).decode().splitlines()
    rows = [(one, other, float(value)) for one, other, value in map(str.split, lines)]
    assert len(rows) == 28_561 and furthest(rows) < 5.1e-7


def test_the_table_counts_whole_deals() -> None:
    assert pairs().sum() == DEALS and (wins() + wins().T <= pairs() * BOARDS).all()
    assert pairs()[CLASS_NUMBERS["AA"], CLASS_NUMBERS["AA"]] == 6


@pytest.mark.full
@compiles
def test_the_table_is_what_going_through_all_deals_gives() -> None:
    given = [parse_range("AKs"), parse_range("22")]
    numbers = [each.without(()) for each in given]
    slow = asked._enumerated(given, numbers, (), BOARDS)
    quick = asked.equity(["AKs", "22"])
    assert slow.deals == quick.deals == 24 * BOARDS and slow.equity == pytest.approx(quick.equity, abs=1e-12)


# ------------------------------------------------------------------ equities
@compiles
def test_of_hands_it_is_exact() -> None:
    """AA against KK of other suits: 81.9 % or so in every table; here against the sum over both ways of suits."""
    found = asked.equity(["AhKh", "QsQd", "7c7d"])
    assert found.exact and found.deals == 1_370_754 and sum(found.equity) == pytest.approx(1.0)
    royal = asked.equity(["AhKh", "any"], "QhJhTh")
    assert royal.equity == (1.0, 0.0) and royal.win == (1.0, 0.0)
    split = asked.equity(["2c2d", "3c3d"], "AsKsQsJsTs")
    assert split.equity == (0.5, 0.5) and split.tie == (1.0, 1.0) and split.deals == 1


@compiles
def test_what_is_drawn_agrees_with_what_is_exact() -> None:
    exact = asked.equity(["AhKh", "QQ+"], "Qh7h2s")
    drawn = asked.equity(["AhKh", "QQ+"], "Qh7h2s", samples=200_000)
    assert exact.exact and not drawn.exact and drawn.deals == 200_000
    assert 0.0 < drawn.errors[0] < 0.002
    assert drawn.equity[0] == pytest.approx(exact.equity[0], abs=4 * drawn.errors[0])
    assert drawn.equity == asked.equity(["AhKh", "QQ+"], "Qh7h2s", samples=200_000).equity


@compiles
def test_it_looks_up_now_and_then_and_the_answer_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C is heard between two calls of compiled code, so none may be long."""
    whole = [asked.equity(["AhKh", "QQ+"], "Qh7h2s"), asked.equity(["AhKh", "QQ+"], "Qh7h2s", samples=2500)]
    monkeypatch.setattr(asked, "AT_A_TIME", 1000)
    calls: list[int] = []
    real = asked.bind

    def counted(*args: Any) -> Any:
        run = real(*args)
        return lambda *given: calls.append(1) or run(*given)

    monkeypatch.setattr(asked, "bind", counted)
    again = [asked.equity(["AhKh", "QQ+"], "Qh7h2s"), asked.equity(["AhKh", "QQ+"], "Qh7h2s", samples=2500)]
    assert again == whole and len(calls) == 6 + 3, "six deals that differ by more than the names of suits"
    for samples in (1, -5, 10**20):
        with pytest.raises(BadLimits, match="it must be from 2 to"):
            asked.equity(["AhKh", "QQ+"], samples=samples)


@pytest.mark.parametrize(
    ("text", "hands"),
    [
        ("AhKh", 1), ("AKs", 4), ("AKo", 12), ("AK", 16), ("TT", 6), ("TT+", 30), ("22-77", 36), ("77-22", 36),
        ("A9s+", 20), ("KTo+", 36), ("A2s-A5s", 16), ("any", 1326), ("QQ+, AK", 34), ("22+ A2s+", 78 + 48),
    ],
)  # fmt: skip
def test_ranges_hold_what_they_say(text: str, hands: int) -> None:
    assert hands_of(text) == hands


def test_parts_of_hands() -> None:
    assert parse_range("AQo:0.5").weights.sum() == 6.0 and parse_range("AQo:0.5").by_class()["AQo"] == 0.5


@pytest.mark.parametrize(
    ("ranges", "board", "says"),
    [
        (["AhKh"], "", "2 to 9"),
        (["AhKh", "QQ++"], "", "no part of a range"),
        (["AhKh", "A2s-K5s"], "", "no run of hands"),
        (["AhKh", "TTs"], "", "no part of a range"),
        (["AhKh", "AQo:2"], "", "is no weight"),
        (["AhKh", ""], "", "a range is empty"),
        (["AhAd", "AhKc"], "", "can't be dealt together"),
        (["AhAd", "KK"], "Ah2c3c", "no hand of 'AhAd' is left"),
        (["AhAd", "KK"], "2c3c4c5c6c7c", "at most 5 cards, and this one has 6"),
        (["AhAd", "KK"], "hh" * 30, "can't be read as cards|not a card"),
    ],
)
def test_bad_input_is_refused_in_sentences(ranges: list[str], board: str, says: str) -> None:
    with pytest.raises(PlyforgeError, match=says):
        asked.equity(ranges, board)


# ------------------------------------------------------------------ push or fold
def test_values_are_the_known_ones() -> None:
    for stack, (value, pushed, called) in known.PUSH_FOLD.items():
        found = push_fold(stack)
        assert found.value == pytest.approx(value, abs=1e-6)
        assert found.share_pushed == pytest.approx(pushed, abs=1e-5)
        assert found.share_called == pytest.approx(called, abs=1e-5)
        assert found.exploitability < 1e-9


GAPS = {"63s", "53s", "43s"}
"""Hands that are pushed, then not, then pushed again: the charts have no number for them."""


def chart(text: str) -> dict[str, float]:
    """Up to which stack each hand is pushed, or called with."""
    found = {}
    for line in text.split("\n")[1:-1]:
        row, *cells = line.split()
        for column, cell in zip("AKQJT98765432", cells, strict=True):
            high, low = sorted(row + column, key=RANKS.index, reverse=True)
            suited = RANKS.index(row) > RANKS.index(column)
            name = high + low + ("" if row == column else "s" if suited else "o")
            if "*" not in cell:
                found[name] = float(cell.rstrip("+"))
    return found


def test_published_charts_agree() -> None:
    """Asked at the stacks of the values."""
    charts = {"push": chart(known.PUSH), "call": chart(known.CALL)}
    assert len(charts["push"]) == 166 and len(charts["call"]) == 91
    wrong = set()
    for stack in (1.5, *range(2, 20)):
        found = push_fold(stack)
        for kind, shares in (("push", found.push), ("call", found.call)):
            for name, most in charts[kind].items():
                share = shares[CLASS_NUMBERS[name]]
                if name not in GAPS and ((stack < most - 0.1 and share < 0.5) or (stack > most + 0.1 and share > 0.5)):
                    wrong.add((kind, name))
    assert len(wrong) <= 3, sorted(wrong)


def test_what_a_range_costs() -> None:
    best = push_fold(10)
    everything = judged(10, 0.0, np.ones(169), best.call)
    assert everything.value < best.value and everything.exploitability > 0.01
    assert best.push_gain[CLASS_NUMBERS["AA"]] > 1.0 > 0.0 > best.push_gain[CLASS_NUMBERS["32o"]]


@pytest.mark.parametrize(("stack", "ante", "says"), [(-1, 0, "the stack is -1"), (1, 0, "more than"), (5, -1, "ante"),
                                                     (float("nan"), 0, "number of big blinds")])  # fmt: skip
def test_stacks_that_cannot_be(stack: float, ante: float, says: str) -> None:
    with pytest.raises(BadLimits, match=says):
        push_fold(stack, ante)


def test_the_command_line() -> None:
    run = CliRunner()
    told = run.invoke(plyforge_command, ["push-fold", "--stack", "10"]).output
    assert "worth -0.045371 big blinds" in told and "pushes 58.3 %" in told and "calls with 37.4 %" in told
    found = json.loads(run.invoke(plyforge_command, ["push-fold", "--stack", "10", "--json"]).output)
    assert found["push"]["AA"] == 1.0 and found["push"]["32o"] == 0.0
    cost = run.invoke(plyforge_command, ["push-fold", "--stack", "10", "--push", "22+,A2+"]).output
    assert "Best play is worth -0.045371" in cost
    who = json.loads(run.invoke(plyforge_command, ["equity", "22+", "any", "--json"]).output)
    assert who["exact"] and who["players"][0]["equity"] == pytest.approx(0.68625, abs=1e-5)
    shown = run.invoke(plyforge_command, ["equity", "AKs", "22"]).output
    assert "all 41,095,296 deals" in shown
    assert isinstance(run.invoke(plyforge_command, ["equity", "AKs", "QQ++"]).exception, BadText)
