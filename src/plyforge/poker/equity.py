"""Equity: what part of the pot each player has, on average, if nobody bets any more.

Exact where all deals can be gone through: every way to deal hands from the ranges (all cards different, each as likely
as its weights say) with every board; of deals that differ by the names of suits alone, one is looked at. Two ranges
that don't tell suits apart, without a board, are looked up in `matchups.py`, which is exact, too. Otherwise deals are
drawn, and the standard errors are told.

Claim: an exact answer is exact up to rounding; a sampled one is unbiased, within about two standard errors 19 times of
20.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Any

import numpy as np

from plyforge.errors import BadLimits, BadText
from plyforge.kernel import below, bind, kernel, new_stream, uniform
from plyforge.poker.cards import DECK, HANDS, cards_text, parse_cards
from plyforge.poker.evaluator import evaluate_all, is_flush, strength_by_ranks, strength_of, tables
from plyforge.poker.matchups import BOARDS, pairs, wins
from plyforge.poker.ranges import Range, as_range

MOST_PLAYERS = 9
MOST_EVALUATIONS = 500_000_000
"""More than that are sampled: some seconds."""
MOST_DEALS = 4_000_000
"""Of hands, without boards: all of them are laid out at once."""
SUITS = 24
"""Ways to name the suits: so many deals at most are alike."""
MOST_KEYED = 5
"""Of so many players the cards of all hands make one number."""
SAMPLES = 1_000_000
AT_A_TIME = 1 << 19
"""Evaluations, or deals at random, between two looks whether somebody has pressed Ctrl-C: less than half a second."""
MOST_SAMPLES = 10**12
"""Weeks."""


@dataclass(frozen=True)
class Equity:
    """The answer; lists are by player."""

    ranges: tuple[str, ...]
    board: str
    equity: tuple[float, ...]
    """The part of the pot."""
    win: tuple[float, ...]
    """How often the whole of it."""
    tie: tuple[float, ...]
    """How often a part of it."""
    errors: tuple[float, ...]
    """Standard errors of the equities; 0 if they are exact."""
    exact: bool
    deals: int
    """How many deals were looked at, or stand behind the table."""

    def to_json(self) -> dict[str, Any]:
        return {
            "board": self.board,
            "exact": self.exact,
            "deals": self.deals,
            "players": [
                {"range": text, "equity": equity, "win": win, "tie": tie, "error": error}
                for text, equity, win, tie, error in zip(
                    self.ranges, self.equity, self.win, self.tie, self.errors, strict=True
                )
            ],
        }


# ------------------------------------------------------------------ kernels
@kernel
def all_deals(deals, board, shown, cards, low, high, strength, flush, tally):
    """Every deal of hands with every board: how often each player was among so many winners. How many there were.

    What is done for every board stands here in one piece: a helper would count references to all these arrays."""
    players = deals.shape[1]
    hand, strengths, codes = np.zeros(7, np.int64), np.zeros(players, np.int64), np.zeros(players, np.uint64)
    taken, so_far, looked_at = np.zeros(52, np.int64), np.zeros(6, np.uint64), 0
    so_far[0] = np.uint64(0x3333_0000_0000)
    for place in range(shown):
        so_far[place + 1] = so_far[place] + cards[board[place]]
    for deal in range(deals.shape[0]):
        taken[:] = 0
        for place in range(shown):
            hand[place] = board[place]
            taken[board[place]] = 1
        for player in range(players):
            codes[player] = cards[deals[deal, player, 0]] + cards[deals[deal, player, 1]]
            taken[deals[deal, player, 0]] = 1
            taken[deals[deal, player, 1]] = 1
        depth, card, whole = shown, 0, shown == 5
        while whole or depth >= shown:
            if not whole:
                while card < 52 and taken[card] == 1:
                    card += 1
                if card >= 52:
                    depth -= 1
                    card = hand[depth] + 1
                    continue
                hand[depth] = card
                so_far[depth + 1] = so_far[depth] + cards[card]
                card += 1
                if depth < 4:
                    depth += 1
                    continue
            best, winners = np.int64(-1), 0
            for player in range(players):
                code = so_far[5] + codes[player]
                if is_flush(code):
                    hand[5], hand[6] = deals[deal, player, 0], deals[deal, player, 1]
                    found = np.int64(strength_of(hand, 7, cards, low, high, strength, flush))
                else:
                    found = np.int64(strength_by_ranks(code, 7, low, high, strength))
                strengths[player] = found
                winners = 1 if found > best else winners + (1 if found == best else 0)
                best = max(best, found)
            for player in range(players):
                if strengths[player] == best:
                    tally[deal, player, winners] += 1
            looked_at += 1
            if whole:
                break
    return looked_at


@kernel
def drawn_deals(numbers, begins, cumulative, all_hands, board, shown, stream, drawn):
    """Deals at random, into rows: for each player the board and then the own cards. How many could be dealt."""
    players = len(begins) - 1
    taken = np.zeros(52, np.int64)
    for row in range(len(drawn)):
        fits, tries = False, 0
        while not fits and tries < 1000:
            fits, tries = True, tries + 1
            taken[:] = 0
            for place in range(shown):
                taken[board[place]] = 1
            for player in range(players):
                begin, end = begins[player], begins[player + 1]
                place = begin + np.searchsorted(cumulative[begin:end], uniform(stream), side="right")
                number = numbers[min(place, end - 1)]
                for each in range(2):
                    card = all_hands[number, each]
                    drawn[row, player, 5 + each] = card
                    if taken[card] == 1:
                        fits = False
                    taken[card] = 1
        if not fits:
            return row
        for place in range(5):
            card = board[place]
            if place >= shown:
                card = below(stream, 52)
                while taken[card] == 1:
                    card = below(stream, 52)
                taken[card] = 1
            for player in range(players):
                drawn[row, player, place] = card
    return len(drawn)


# ------------------------------------------------------------------ the answer
def equity(
    ranges: Sequence[Any],
    board: str | tuple[int, ...] = "",
    *,
    samples: int | None = None,
    seed: int = 1,
) -> Equity:
    """The equities of two or more ranges, or texts of them, on a board of up to five cards. `samples` asks for so many
    deals at random, exact or not. Raises BadText and BadLimits."""
    given = [as_range(each) for each in ranges]
    if not 2 <= len(given) <= MOST_PLAYERS:
        raise BadLimits(f"there are {len(given)} hands or ranges; there must be 2 to {MOST_PLAYERS}")
    if samples is not None and not 2 <= samples <= MOST_SAMPLES:
        raise BadLimits(f"samples is {samples}; it must be from 2 to {MOST_SAMPLES:,}")
    shown = parse_cards(board) if isinstance(board, str) else tuple(board)
    if len(shown) > 5:
        raise BadText(f"a board has at most 5 cards, and this one has {len(shown)}")
    numbers = [each.without(shown) for each in given]
    for each, left in zip(given, numbers, strict=True):
        if len(left) == 0:
            raise BadText(f"no hand of {each.text!r} is left: the board {cards_text(shown)} has their cards")
    if samples is None and not shown and len(given) == 2:
        classes = [each.by_number for each in given]
        if classes[0] is not None and classes[1] is not None:
            return _looked_up(given, classes[0], classes[1])
    boards = math.comb(DECK - len(shown) - 2 * len(given), 5 - len(shown))
    deals = math.prod(len(left) for left in numbers)
    if samples is None and deals <= MOST_DEALS and deals * boards <= SUITS * MOST_EVALUATIONS:
        exact = _enumerated(given, numbers, shown, boards)
        if exact is not None:
            return exact
    return _sampled(given, numbers, shown, samples or SAMPLES, seed)


def _looked_up(given: list[Range], one: np.ndarray, other: np.ndarray) -> Equity:
    """Two ranges of whole classes."""
    weight = one[:, None] * other[None, :]
    total = (weight * pairs()).sum() * BOARDS
    if total == 0.0:
        raise _cannot_be_dealt(given)
    first, second = (float((weight * table).sum() / total) for table in (wins(), wins().T))
    tie = 1.0 - first - second
    deals = int((pairs() * (weight > 0.0)).sum() * BOARDS)
    halves = (first + tie / 2, second + tie / 2)
    return Equity(_texts(given), "", halves, (first, second), (tie, tie), (0.0, 0.0), True, deals)


def _enumerated(given: list[Range], numbers: list[np.ndarray], shown: tuple[int, ...], boards: int) -> Equity | None:
    """All deals; None if there are too many."""
    cards = np.array(HANDS)
    chosen, weights = np.zeros((1, 0), np.int64), np.ones(1)
    for each, left in zip(given, numbers, strict=True):
        chosen = np.hstack([np.repeat(chosen, len(left), axis=0), np.tile(left, len(chosen))[:, None]])
        weights = np.repeat(weights, len(left)) * np.tile(each.weights[left], len(weights))
    deals = cards[chosen]
    flat = np.sort(deals.reshape(len(deals), -1), axis=1)
    apart = (np.diff(flat, axis=1) > 0).all(axis=1)
    if not apart.any():
        raise _cannot_be_dealt(given)
    deals, weights = _but_for_suits(deals[apart], weights[apart], shown)
    if len(deals) * boards * len(given) > MOST_EVALUATIONS:
        return None
    board = np.array([*shown, *(0,) * (5 - len(shown))])
    tally = np.zeros((len(deals), len(given), len(given) + 1), np.int64)
    deals, known = np.ascontiguousarray(deals), (board, len(shown), *tables()[:5])
    run, some = bind(all_deals, deals, *known, tally), max(1, AT_A_TIME // (boards * len(given)))
    for at in range(0, len(deals), some):
        run(deals[at : at + some], *known, tally[at : at + some])
    shares = np.tensordot(weights, tally, 1) / (float(weights.sum()) * boards)
    return _read(given, shown, shares, True, int(apart.sum()) * boards)


def _but_for_suits(deals: np.ndarray, weights: np.ndarray, shown: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray]:
    """One deal of those that differ by what suits are called alone, with the weight of all of them."""
    if deals.shape[1] > MOST_KEYED:
        return deals, weights
    least = np.full(len(deals), np.iinfo(np.int64).max)
    for order in permutations(range(4)):
        renamed = np.array([card // 4 * 4 + order[card % 4] for card in range(DECK)])
        if {int(renamed[card]) for card in shown} == set(shown):
            hands = np.sort(renamed[deals], axis=2)
            keys = np.zeros(len(deals), np.int64)
            for card in hands.reshape(len(deals), -1).T:
                keys = keys * DECK + card
            least = np.minimum(least, keys)
    _, first, which = np.unique(least, return_index=True, return_inverse=True)
    return deals[first], np.bincount(which, weights)


def _sampled(given: list[Range], numbers: list[np.ndarray], shown: tuple[int, ...], samples: int, seed: int) -> Equity:
    parts = [np.cumsum(each.weights[left]) for each, left in zip(given, numbers, strict=True)]
    board = np.array([*shown, *(0,) * (5 - len(shown))])
    begins = np.cumsum([0, *(len(left) for left in numbers)])
    known = (np.concatenate(numbers), begins, np.concatenate([part / part[-1] for part in parts]), np.array(HANDS))
    stream, players = new_stream(seed), len(given)
    tally = np.zeros((players, players + 1), np.int64)
    for begin in range(0, samples, AT_A_TIME):
        drawn = np.zeros((min(AT_A_TIME, samples - begin), players, 7), np.uint8)
        args = (*known, board, len(shown), stream, drawn)
        if int(bind(drawn_deals, *args)(*args)) < len(drawn):
            raise _cannot_be_dealt(given)
        strengths = evaluate_all(drawn.reshape(-1, 7)).reshape(-1, players)
        best = strengths == strengths.max(axis=1)[:, None]
        winners = best.sum(axis=1)
        for player in range(players):
            tally[player] += np.bincount(winners[best[:, player]], minlength=players + 1)
    return _read(given, shown, tally / samples, False, samples)


def _read(given: list[Range], shown: tuple[int, ...], shares: np.ndarray, exact: bool, deals: int) -> Equity:
    """`shares` says how often each player is one of so many winners."""
    parts = np.append(0.0, 1.0 / np.arange(1, len(given) + 1))
    means = shares @ parts
    errors = np.sqrt(np.maximum(shares @ parts**2 - means**2, 0.0) / max(1, deals - 1))
    return Equity(
        _texts(given),
        cards_text(shown),
        tuple(means.tolist()),
        tuple(shares[:, 1].tolist()),
        tuple(shares[:, 2:].sum(axis=1).tolist()),
        (0.0,) * len(given) if exact else tuple(errors.tolist()),
        exact,
        deals,
    )


def _texts(given: list[Range]) -> tuple[str, ...]:
    return tuple(each.text for each in given)


def _cannot_be_dealt(given: list[Range]) -> BadText:
    return BadText(
        f"{' and '.join(repr(each.text) for each in given)} can't be dealt together: they need the same cards"
    )


__all__ = ["Equity", "equity"]
