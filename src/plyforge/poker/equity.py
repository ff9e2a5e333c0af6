"""Equity: what part of the pot each player has, on average, if nobody bets any more.

Exact where all deals can be gone through: every way to deal hands from the ranges (all cards different, each as likely
as its weights say) with every board. Two ranges that don't tell suits apart, without a board, are looked up in
`matchups.py`, which is exact, too. Otherwise deals are drawn, and the standard errors are told.

Claim: an exact answer is exact up to rounding; a sampled one is unbiased, within about two standard errors 19 times of
20.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from plyforge.errors import BadLimits, BadText
from plyforge.kernel import below, bind, inline, kernel, new_stream, uniform
from plyforge.poker.cards import DECK, HANDS, cards_text, parse_cards
from plyforge.poker.evaluator import is_flush, strength_by_ranks, strength_of, tables
from plyforge.poker.matchups import BOARDS, pairs, wins
from plyforge.poker.ranges import Range, as_range

MOST_PLAYERS = 9
MOST_EVALUATIONS = 60_000_000
"""More than that are sampled: some seconds."""
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
@inline
def strength_on(board_code, codes, hands, player, hand, cards, low, high, strength, flush):
    """Of a player's two cards with the five of `hand`; the codes are the sums of the cards' codes."""
    code = board_code + codes[player]
    if not is_flush(code):
        return np.int64(strength_by_ranks(code, 7, low, high, strength))
    hand[5], hand[6] = hands[player, 0], hands[player, 1]
    return np.int64(strength_of(hand, 7, cards, low, high, strength, flush))


@inline
def share_pot(strengths, best, weight, sums):
    """Add who gets what."""
    winners = 0
    for player in range(len(strengths)):
        winners += 1 if strengths[player] == best else 0
    share = weight / winners
    for player in range(len(strengths)):
        if strengths[player] == best:
            sums[player, 0] += share
            sums[player, 3] += share * share / weight
            sums[player, 1 if winners == 1 else 2] += weight


@inline
def note_codes(hands, cards, codes):
    """The sum of each player's two cards."""
    for player in range(len(codes)):
        codes[player] = cards[hands[player, 0]] + cards[hands[player, 1]]


@kernel
def all_deals(deals, weights, board, shown, cards, low, high, strength, flush, sums):
    """Every deal of hands with every board. The sum of their weights."""
    hand, strengths, codes = (
        np.zeros(7, np.int64),
        np.zeros(deals.shape[1], np.int64),
        np.zeros(deals.shape[1], np.uint64),
    )
    taken, so_far = np.zeros(52, np.int64), np.zeros(6, np.uint64)
    so_far[0] = np.uint64(0x3333_0000_0000)
    for place in range(shown):
        so_far[place + 1] = so_far[place] + cards[board[place]]
    looked_at = 0
    for deal in range(deals.shape[0]):
        hands = deals[deal]
        taken[:] = 0
        for place in range(shown):
            hand[place] = board[place]
            taken[board[place]] = 1
        for player in range(hands.shape[0]):
            taken[hands[player, 0]] = 1
            taken[hands[player, 1]] = 1
        note_codes(hands, cards, codes)
        weight = weights[deal]
        depth, card = shown, 0
        if shown == 5:
            best = -1
            for player in range(len(codes)):
                found = strength_on(so_far[5], codes, hands, player, hand, cards, low, high, strength, flush)
                strengths[player], best = found, max(best, found)
            share_pot(strengths, best, weight, sums)
            looked_at += 1
            continue
        while depth >= shown:
            while card < 52 and taken[card] == 1:
                card += 1
            if card >= 52:
                depth -= 1
                card = hand[depth] + 1
                continue
            hand[depth] = card
            so_far[depth + 1] = so_far[depth] + cards[card]
            if depth == 4:
                best = -1
                for player in range(len(codes)):
                    found = strength_on(so_far[5], codes, hands, player, hand, cards, low, high, strength, flush)
                    strengths[player], best = found, max(best, found)
                share_pot(strengths, best, weight, sums)
                looked_at += 1
            else:
                depth += 1
            card += 1
    return looked_at


@kernel
def drawn_deals(
    numbers, begins, cumulative, all_hands, board, shown, samples, stream, cards, low, high, strength, flush, sums
):
    """So many deals at random. How many could be dealt."""
    players = len(begins) - 1
    hands = np.zeros((players, 2), np.int64)
    hand, strengths, taken = np.zeros(7, np.int64), np.zeros(players, np.int64), np.zeros(52, np.int64)
    codes = np.zeros(players, np.uint64)
    done = 0
    for _ in range(samples):
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
                    hands[player, each] = card
                    if taken[card] == 1:
                        fits = False
                    taken[card] = 1
        if not fits:
            return done
        board_code = np.uint64(0x3333_0000_0000)
        for place in range(5):
            card = board[place]
            if place >= shown:
                card = below(stream, 52)
                while taken[card] == 1:
                    card = below(stream, 52)
                taken[card] = 1
            hand[place] = card
            board_code += cards[card]
        note_codes(hands, cards, codes)
        best = -1
        for player in range(players):
            found = strength_on(board_code, codes, hands, player, hand, cards, low, high, strength, flush)
            strengths[player], best = found, max(best, found)
        share_pot(strengths, best, 1.0, sums)
        done += 1
    return done


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
    if samples is None and deals * boards * len(given) <= MOST_EVALUATIONS:
        return _enumerated(given, numbers, shown, boards)
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


def _enumerated(given: list[Range], numbers: list[np.ndarray], shown: tuple[int, ...], boards: int) -> Equity:
    """All deals."""
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
    deals, weights = np.ascontiguousarray(deals[apart]), weights[apart]
    sums = np.zeros((len(given), 4))
    board = np.array([*shown, *(0,) * (5 - len(shown))])
    rest = (board, len(shown), *tables()[:5], sums)
    run, looked_at = bind(all_deals, deals, weights, *rest), 0
    some = max(1, AT_A_TIME // (boards * len(given)))
    for at in range(0, len(deals), some):
        looked_at += int(run(deals[at : at + some], weights[at : at + some], *rest))
    return _read(given, shown, sums, float(weights.sum()) * boards, True, looked_at)


def _sampled(given: list[Range], numbers: list[np.ndarray], shown: tuple[int, ...], samples: int, seed: int) -> Equity:
    begins = np.cumsum([0, *(len(left) for left in numbers)])
    parts = [np.cumsum(each.weights[left]) for each, left in zip(given, numbers, strict=True)]
    cumulative = np.concatenate([part / part[-1] for part in parts])
    sums = np.zeros((len(given), 4))
    board = np.array([*shown, *(0,) * (5 - len(shown))])
    hands = np.array(HANDS)
    before = (np.concatenate(numbers), begins, cumulative, hands, board, len(shown))
    after = (new_stream(seed), *tables()[:5], sums)
    run, done = bind(drawn_deals, *before, AT_A_TIME, *after), 0
    while done < samples:
        some = min(AT_A_TIME, samples - done)
        if int(run(*before, some, *after)) < some:
            raise _cannot_be_dealt(given)
        done += some
    return _read(given, shown, sums, float(done), False, done)


def _read(
    given: list[Range], shown: tuple[int, ...], sums: np.ndarray, total: float, exact: bool, deals: int
) -> Equity:
    means = sums / total
    errors = np.sqrt(np.maximum(means[:, 3] - means[:, 0] ** 2, 0.0) / max(1, deals - 1))
    return Equity(
        _texts(given),
        cards_text(shown),
        tuple(means[:, 0].tolist()),
        tuple(means[:, 1].tolist()),
        tuple(means[:, 2].tolist()),
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
