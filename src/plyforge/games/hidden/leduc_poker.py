"""Leduc poker: six cards, two rounds of bets, one card on the table. The common small test of poker programs.

The cards are jack, queen and king, in two suits. Both players put one chip into the pot and get one card each, which
only they see. MAX bets first in each round: check or raise; whoever is raised folds, calls, or raises again. A raise is
of 2 chips in the first round and of 4 in the second, and there are two in each round at the most. After the first round
a card is laid open. In the end a pair with it wins, then the higher card; equal cards share the pot.

Southey et al., "Bayes' bluff: opponent modelling in poker", UAI 2005. 9,457 histories, 936 information sets; the value
to the first player is -0.085606424078 (Lanctot et al., 2017, appendix E.2; OpenSpiel).

Text of a state: MAX's card, MIN's card, the open card, what was done, with a `/` between the rounds:
`Js ? Qh raise call / check`. A card is a rank (J, Q, K) and a suit (s, h), `-` before it is dealt, `?` if it is hidden
from who looks.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from plyforge.board import Board, Place, Words
from plyforge.contract import CHANCE, MAX, MIN, BoardView, Game, Notation
from plyforge.errors import BadText
from plyforge.games.hidden.cards import deal, pretty
from plyforge.kernel import below

CARDS = 6
UNDEALT, HIDDEN = -1, -2
FOLD, CALL, RAISE = 0, 1, 2
"""To call is to check, where nothing was raised."""
NOBODY = -1
RAISES = 2
"""In one round, at the most."""
FIRST_RAISE, SECOND_RAISE = 2, 4
NAMES = {UNDEALT: "-", HIDDEN: "?", **{card: "JQK"[card // 2] + "sh"[card % 2] for card in range(CARDS)}}


class Hand(NamedTuple):
    """The cards and the bets. Bets of a round are bits behind a leading 1: 0 for a call, 1 for a raise."""

    first: int
    """MAX's card: 0 to 5, or UNDEALT, or HIDDEN from who looks."""
    second: int
    """MIN's card."""
    board: int
    """The open card."""
    opening: int
    """The bets of the first round, once it is over; 0 before."""
    bets: int
    """The bets of this round."""
    folded: int
    """Who folded, or NOBODY."""


class LeducNotation(Notation):
    """States, observations and actions as text."""

    def format_state(self, game: LeducPoker, s: Hand) -> str:
        return " ".join((NAMES[s.first], NAMES[s.second], NAMES[s.board], *_done(s)))

    def parse_state(self, game: LeducPoker, text: str) -> Hand:
        words = text.split()
        cards = [_CARDS.get(word.lower()) for word in words[:3]]
        done = _DONE.get(tuple(word.lower() for word in words[3:]))
        if len(cards) < 3 or None in cards or done is None:
            raise BadText(
                f"{text!r} is not a state of Leduc poker: MAX's card, MIN's, the open one (Js to Kh, - or ?), and what "
                "was done, as in 'Js ? Qh raise call / check'"
            )
        first, second, board = (card for card in cards if card is not None)
        s = Hand(first, second, board, done.opening, done.bets, done.folded)
        dealt = [card for card in (first, second, board) if card >= 0]
        if len(set(dealt)) < len(dealt):
            raise BadText(f"{text!r} can't arise: there is one of each card")
        begun = s.bets != 1 or s.opening != 0
        if (first == UNDEALT and second != UNDEALT) or (second == UNDEALT and begun):
            raise BadText(f"{text!r} can't arise: MAX's card is dealt first, then MIN's, and then they bet")
        if board == HIDDEN or (board != UNDEALT and not s.opening):
            raise BadText(f"{text!r} can't arise: the third card is laid open after the first round")
        if board == UNDEALT and s.opening and (s.bets != 1 or s.folded != NOBODY):
            raise BadText(f"{text!r} can't arise: in the second round a card lies open")
        return s

    def format_action(self, game: LeducPoker, s: Hand, action: int) -> str:
        return NAMES[action] if game.player(s) == CHANCE else _word(s.bets, action)


class LeducView(BoardView):
    """The table as a picture."""

    def board(self, game: LeducPoker, s: Hand) -> Board:
        """MIN's card above, MAX's below, the open one between them."""
        places = [
            Place(name, x, y, "card", 0.9, 1.3, tone, "" if card == UNDEALT else pretty(NAMES[card]))
            for name, x, y, tone, card in (
                ("MIN", 0.0, 0.0, 3, s.second),
                ("open", 0.0, 1.6, 0, s.board),
                ("MAX", 0.0, 3.2, 2, s.first),
            )
        ]
        words = [Words(-1.2, 0.0, "MIN", 0.3), Words(-1.2, 3.2, "MAX", 0.3)]
        words += [
            Words(1.8, 1.6, f"pot {sum(_paid(s))}", 0.3),
            Words(0.0, 4.3, " ".join(_done(s)) or "no bets yet", 0.3),
        ]
        return Board(places, words=words, surface="felt")


@dataclass(frozen=True)
class LeducPoker(Game):
    """Leduc poker: six cards, two rounds of bets, one open card. Each sees only the own hand."""

    notation = LeducNotation()
    view = LeducView()

    min_utility = -13.0
    max_utility = 13.0

    # ------------------------------------------------------------ the rules
    def start(self) -> Hand:
        return Hand(UNDEALT, UNDEALT, UNDEALT, 0, 1, NOBODY)

    def player(self, s: Hand) -> int:
        if s.second == UNDEALT or (s.opening != 0 and s.board == UNDEALT):
            return CHANCE
        return self.turn(s.bets)

    def turn(self, bets: int) -> int:
        """Whose turn it is after these bets: MAX's before the first."""
        turn = MAX
        while bets > 1:
            bets >>= 1
            turn = 1 - turn
        return turn

    def raises(self, bets: int) -> int:
        number = 0
        while bets > 1:
            number += bets & 1
            bets >>= 1
        return number

    def chance(self, s: Hand) -> Iterator[tuple[int, float]]:
        """MAX's card, MIN's, then the open one."""
        left = CARDS - int(s.first != UNDEALT) - int(s.second != UNDEALT)
        for card in range(CARDS):
            if card != s.first and card != s.second:
                yield card, 1.0 / left

    def actions(self, s: Hand) -> Iterator[int]:
        if s.bets > 1 and s.bets & 1:
            yield FOLD
        yield CALL
        if self.raises(s.bets) < RAISES:
            yield RAISE

    def result(self, s: Hand, action: int) -> Hand:
        """`action` is FOLD, CALL or RAISE; while cards are dealt, the card."""
        if s.first == UNDEALT:
            return Hand(action, UNDEALT, UNDEALT, 0, 1, NOBODY)
        if s.second == UNDEALT:
            return Hand(s.first, action, UNDEALT, 0, 1, NOBODY)
        if s.opening != 0 and s.board == UNDEALT:
            return Hand(s.first, s.second, action, s.opening, 1, NOBODY)
        if action == FOLD:
            return Hand(s.first, s.second, s.board, s.opening, s.bets, self.turn(s.bets))
        bets = 2 * s.bets + int(action == RAISE)
        if s.opening == 0 and self.over(bets):
            return Hand(s.first, s.second, UNDEALT, bets, 1, s.folded)
        return Hand(s.first, s.second, s.board, s.opening, bets, s.folded)

    def over(self, bets: int) -> bool:
        """True if a round is: both have acted, and the last one called."""
        return bets >= 4 and bets & 1 == 0

    def terminal(self, s: Hand) -> bool:
        return s.folded != NOBODY or (s.opening != 0 and self.over(s.bets))

    def utility(self, s: Hand) -> float:
        last = 0 if s.folded == NOBODY else 1
        stake = 1.0 + FIRST_RAISE * (self.raises(s.bets) - last)
        if s.opening != 0:
            stake = 1.0 + FIRST_RAISE * self.raises(s.opening) + SECOND_RAISE * (self.raises(s.bets) - last)
        if s.folded != NOBODY:
            return -stake if s.folded == MAX else stake
        mine, theirs = self.strength(s.first, s.board), self.strength(s.second, s.board)
        return stake if mine > theirs else -stake if mine < theirs else 0.0

    def strength(self, card: int, board: int) -> int:
        return CARDS if card // 2 == board // 2 else card // 2

    # ------------------------------------------------------------ who sees what
    def observe(self, s: Hand, player: int) -> Hand:
        if s.folded == NOBODY and self.terminal(s):
            return s
        first = s.first if player == MAX or s.first == UNDEALT else HIDDEN
        second = s.second if player == MIN or s.second == UNDEALT else HIDDEN
        return Hand(first, second, s.board, s.opening, s.bets, s.folded)

    def determinize(self, observation: Hand, player: int, stream: Any) -> Hand:
        """A hidden card is one of those that are left, equally likely."""
        first, second, board = observation.first, observation.second, observation.board
        if first == HIDDEN:
            first = self.left_card(second, board, stream)
        if second == HIDDEN:
            second = self.left_card(first, board, stream)
        return Hand(first, second, board, observation.opening, observation.bets, observation.folded)

    def left_card(self, one: int, other: int, stream: Any) -> int:
        """A card that is neither of these."""
        left = below(stream, CARDS - int(one >= 0) - int(other >= 0))
        found = 0
        for card in range(CARDS):
            if card != one and card != other:
                if left == 0:
                    found = card
                left -= 1
        return found

    # ------------------------------------------------------------ text
    def show(self, s: Hand) -> str:
        done = " ".join(_done(s)) or "nothing yet"
        cards = deal(("MAX", "MIN", "open"), [[NAMES[card]] for card in (s.first, s.second, s.board)])
        return f"{cards}\npot   {sum(_paid(s))}   done: {done}"


def _word(bets: int, action: int) -> str:
    """What an action is called after these bets of its round."""
    raised = bets > 1 and bets & 1
    return "fold" if action == FOLD else "raise" if action == RAISE else "call" if raised else "check"


def _round(bets: int) -> tuple[str, ...]:
    return () if bets <= 1 else (*_round(bets >> 1), _word(bets >> 1, CALL + (bets & 1)))


def _done(s: Hand) -> tuple[str, ...]:
    """The words for what was done."""
    before = (*_round(s.opening), "/") if s.opening else ()
    return (*before, *_round(s.bets), *(("fold",) if s.folded != NOBODY else ()))


def _paid(s: Hand) -> tuple[int, int]:
    """What both have put into the pot."""
    paid = [1, 1]
    for size, bets in ((FIRST_RAISE, s.opening or s.bets), (SECOND_RAISE, s.bets if s.opening else 1)):
        high, turn = max(paid), MAX
        for bit in bin(bets)[3:]:
            high += size * int(bit)
            paid[turn] = high
            turn = 1 - turn
    return paid[0], paid[1]


def _every_hand(game: LeducPoker, s: Hand) -> Iterator[Hand]:
    """All that can be done with these cards."""
    yield s
    if s.opening and s.board == UNDEALT:
        yield from _every_hand(game, s._replace(board=5))
    elif not game.terminal(s):
        for action in game.actions(s):
            yield from _every_hand(game, game.result(s, action))


_CARDS = {name.lower(): card for card, name in NAMES.items()}
_DONE = {_done(s): s for s in reversed(list(_every_hand(LeducPoker(), Hand(0, 2, UNDEALT, 0, 1, NOBODY))))}
