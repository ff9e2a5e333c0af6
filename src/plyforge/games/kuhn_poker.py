"""Kuhn poker: three cards, one bet. The smallest game in which it pays to bluff.

The cards are a jack, a queen and a king. Both players put one chip into the pot and get one card each, which only they
see. MAX checks or bets a chip. After a check MIN checks, too, or bets; whoever is bet against calls, with a chip more,
or folds. A fold gives the pot to the other player; otherwise both show their cards, and the higher one wins.

    a check and a check    show, for 1 chip        a bet and a fold    1 chip to who bet
    a bet and a call       show, for 2 chips

Best play mixes: MAX bets a jack one time in three at the most, as a bluff. The value is -1/18 of a chip (Kuhn, "A
simplified two-person poker", Contributions to the Theory of Games 1, 1950). 58 histories, 30 of them ends, and 12
information sets.

Text of a state: MAX's card, MIN's card, what was done: `Q K check bet`. A card is `J`, `Q` or `K`; `-` before it is
dealt, `?` if it is hidden from who looks. Actions are `check`, `bet`, `call` and `fold`, outcomes of the deal the
cards.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from plyforge.board import Board, Place, Words
from plyforge.contract import CHANCE, MAX, MIN, BoardView, Game, Notation
from plyforge.errors import BadText
from plyforge.kernel import below

CARDS = 3
UNDEALT, HIDDEN = -1, -2
PASS, BET = 0, 1
"""To check or to fold; to bet or to call."""
NAMES = {UNDEALT: "-", HIDDEN: "?", 0: "J", 1: "Q", 2: "K"}
NOTHING, CHECK, RAISED, CHECK_BET = 1, 0b10, 0b11, 0b101
CHECK_CHECK, BET_FOLD, BET_CALL, CHECK_BET_FOLD, CHECK_BET_CALL = 0b100, 0b110, 0b111, 0b1010, 0b1011
DONE = (NOTHING, CHECK, RAISED, CHECK_BET, CHECK_CHECK, BET_FOLD, BET_CALL, CHECK_BET_FOLD, CHECK_BET_CALL)
"""All that can have been done: a bit for each action behind a leading 1."""


class Deal(NamedTuple):
    """The cards and the bets."""

    first: int
    """MAX's card: 0, 1, 2, or UNDEALT, or HIDDEN from who looks."""
    second: int
    """MIN's card."""
    bets: int
    """What was done, one of DONE."""


class KuhnNotation(Notation):
    """States, observations and actions as text."""

    def format_state(self, game: KuhnPoker, s: Deal) -> str:
        return " ".join((NAMES[s.first], NAMES[s.second], *_done(s.bets)))

    def parse_state(self, game: KuhnPoker, text: str) -> Deal:
        words = text.split()
        cards = [_CARDS.get(word.upper()) for word in words[:2]]
        bets = _BETS.get(tuple(word.lower() for word in words[2:]))
        if len(cards) < 2 or None in cards or bets is None:
            raise BadText(
                f"{text!r} is not a state of Kuhn poker: MAX's card, MIN's card (J, Q, K, - or ?), and what was done, "
                "as in 'Q K check bet'"
            )
        first, second = cards[0], cards[1]
        assert first is not None and second is not None
        if first >= 0 and first == second:
            raise BadText(f"{text!r} can't arise: there is one {NAMES[first]}")
        if (first == UNDEALT and second != UNDEALT) or (second == UNDEALT and bets != NOTHING):
            raise BadText(f"{text!r} can't arise: MAX's card is dealt first, then MIN's, and then they bet")
        return Deal(first, second, bets)

    def format_action(self, game: KuhnPoker, s: Deal, action: int) -> str:
        if s.second == UNDEALT:
            return NAMES[action]
        return _word(s.bets, action)


class KuhnView(BoardView):
    """The table as a picture."""

    def board(self, game: KuhnPoker, s: Deal) -> Board:
        """MIN's card above, MAX's below, the pot between them."""
        places = [
            Place(name, 0.0, y, "card", 0.9, 1.3, tone, _face(card))
            for name, y, tone, card in (("MIN", 0.0, 3, s.second), ("MAX", 2.2, 2, s.first))
        ]
        done = ", ".join(_done(s.bets))
        words = [Words(-1.2, 0.0, "MIN", 0.3), Words(-1.2, 2.2, "MAX", 0.3)]
        words += [Words(0.0, 1.1, f"pot {_pot(s.bets)}", 0.3), Words(0.0, 3.2, done or "no bets yet", 0.3)]
        return Board(places, words=words, surface="felt")


@dataclass(frozen=True)
class KuhnPoker(Game):
    """Kuhn poker: a jack, a queen, a king, and one bet. Each sees only the own card."""

    notation = KuhnNotation()
    view = KuhnView()

    min_utility = -2.0
    max_utility = 2.0

    # ------------------------------------------------------------ the rules
    def start(self) -> Deal:
        return Deal(UNDEALT, UNDEALT, NOTHING)

    def player(self, s: Deal) -> int:
        if s.second == UNDEALT:
            return CHANCE
        return MIN if s.bets == CHECK or s.bets == RAISED else MAX

    def chance(self, s: Deal) -> Iterator[tuple[int, float]]:
        """MAX's card, then MIN's."""
        for card in range(CARDS):
            if s.first == UNDEALT:
                yield card, 1.0 / CARDS
            elif card != s.first:
                yield card, 1.0 / (CARDS - 1)

    def actions(self, s: Deal) -> Iterator[int]:
        yield PASS
        yield BET

    def result(self, s: Deal, action: int) -> Deal:
        """`action` is PASS or BET; while cards are dealt, the card."""
        if s.first == UNDEALT:
            return Deal(action, UNDEALT, s.bets)
        if s.second == UNDEALT:
            return Deal(s.first, action, s.bets)
        return Deal(s.first, s.second, 2 * s.bets + action)

    def terminal(self, s: Deal) -> bool:
        return s.bets > RAISED and s.bets != CHECK_BET

    def utility(self, s: Deal) -> float:
        if s.bets == BET_FOLD:
            return 1.0
        if s.bets == CHECK_BET_FOLD:
            return -1.0
        stake = 1.0 if s.bets == CHECK_CHECK else 2.0
        return stake if s.first > s.second else -stake

    # ------------------------------------------------------------ who sees what
    def shows(self, s: Deal) -> bool:
        """True if both cards lie open: nobody folded."""
        return s.bets == CHECK_CHECK or s.bets == BET_CALL or s.bets == CHECK_BET_CALL

    def observe(self, s: Deal, player: int) -> Deal:
        if self.shows(s):
            return s
        first = s.first if player == MAX or s.first == UNDEALT else HIDDEN
        second = s.second if player == MIN or s.second == UNDEALT else HIDDEN
        return Deal(first, second, s.bets)

    def determinize(self, observation: Deal, player: int, stream: Any) -> Deal:
        """The other card is one of the two that are left, equally likely."""
        first, second = observation.first, observation.second
        if second == HIDDEN:
            second = (first + 1 + below(stream, CARDS - 1)) % CARDS
        elif first == HIDDEN and second == UNDEALT:
            first = below(stream, CARDS)
        elif first == HIDDEN:
            first = (second + 1 + below(stream, CARDS - 1)) % CARDS
        return Deal(first, second, observation.bets)

    # ------------------------------------------------------------ text
    def show(self, s: Deal) -> str:
        done = ", ".join(_done(s.bets)) or "nothing yet"
        return f"MAX  {NAMES[s.first]}\nMIN  {NAMES[s.second]}\npot  {_pot(s.bets)}   done: {done}"


def _face(card: int) -> str:
    return "" if card == UNDEALT else NAMES[card]


def _word(bets: int, action: int) -> str:
    """What an action is called after these bets."""
    if bets in (RAISED, CHECK_BET):
        return "call" if action == BET else "fold"
    return "bet" if action == BET else "check"


def _done(bets: int) -> tuple[str, ...]:
    """The words for what was done."""
    return () if bets == NOTHING else (*_done(bets >> 1), _word(bets >> 1, bets & 1))


def _pot(bets: int) -> int:
    """The chips on the table: one from each, and one for each bet and call."""
    return 2 + bin(bets).count("1") - 1


_CARDS = {name: card for card, name in NAMES.items()}
_BETS = {_done(bets): bets for bets in DONE}
