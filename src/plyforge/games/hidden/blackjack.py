"""Blackjack: one player against a dealer who has no choice, and a card that lies face down.

The player and the dealer get two cards each; one of the dealer's lies face down. Cards count what they show, faces 10,
an ace 11 or, where that would be more than 21, 1. The player hits (takes a card) or stands; with two cards the stake
may be doubled for exactly one card more. Above 21 the stake is lost. Who stands waits for the dealer, who turns the
card up and draws up to 17, stands on every 17, and loses above 21; else the higher total wins, equal ones win nothing.

An ace and a ten are a blackjack: it wins one and a half times the stake, and against another one nothing. A dealer who
shows an ace or a ten looks at once whether it is one, and then the round is over. So whoever still plays knows more
about the hidden card than that nobody has seen it. Nothing is split, and there is no insurance.

Cards are dealt from `decks` packs of 52, none twice; with `decks=0` from so many that what was dealt says nothing.

Text of a state: the player's cards, the card the dealer shows, the hidden one, the dealer's other cards, what is going
on: `6T 9 ? - player`. A card is `A`, `2` to `9` or `T`; `-` stands for none, `?` for the one that is hidden. What goes
on is `deal`, `player`, `double` (one card more), `dealer`, `over`, the last three with `x2` behind them if the stake
was doubled. Actions are `hit`, `stand` and `double`, outcomes are cards.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from plyforge.board import Board, Words
from plyforge.contract import CHANCE, MAX, BoardView, Game, Notation
from plyforge.errors import BadRules, BadText
from plyforge.games.hidden.cards import deal, row_of_cards
from plyforge.kernel import below

MOST_DECKS = 8
KINDS = 10
"""Ace, 2 to 9, ten: kind k counts k, an ace 1 or 11."""
ACE, TEN = 1, 10
NAMES = "A23456789T"
BITS = 5
"""Of a number of cards of one kind in a hand."""
NO_CARD, HIDDEN = 0, -1
HIT, STAND, DOUBLE = 0, 1, 2
DEAL, PLAYER, LAST_CARD, DEALER, OVER = range(5)
GOING_ON = ("deal", "player", "double", "dealer", "over")
STANDS_ON = 17
"""The dealer."""
BLACKJACK = 1.5
"""What it wins."""
WORDS = ("hit", "stand", "double")


class Round(NamedTuple):
    """Cards on the table."""

    mine: int
    """How many cards of each kind the player has, BITS bits each."""
    shown: int
    """The card that the dealer shows, or NO_CARD."""
    hole: int
    """The one that lies face down: NO_CARD before it is dealt, HIDDEN from who looks."""
    drawn: int
    """The dealer's other cards."""
    phase: int
    """What is going on: DEAL, PLAYER, LAST_CARD, DEALER or OVER."""
    stake: int
    """1 or 2."""


class BlackjackNotation(Notation):
    """States and actions as text."""

    player_names = ("the player",)

    def format_state(self, game: Blackjack, s: Round) -> str:
        hole = {NO_CARD: "-", HIDDEN: "?"}.get(s.hole) or NAMES[s.hole - 1]
        shown = NAMES[s.shown - 1] if s.shown else "-"
        stake = "x2" if s.stake == 2 else ""
        return f"{_cards(s.mine) or '-'} {shown} {hole} {_cards(s.drawn) or '-'} {GOING_ON[s.phase]}{stake}"

    def parse_state(self, game: Blackjack, text: str) -> Round:
        words = text.split()
        found = re.fullmatch(r"(deal|player|double|dealer|over)(x2)?", words[-1].lower()) if len(words) == 5 else None
        cards = [_read(word.upper()) for word in words[:4]]
        if found is None or None in (cards[0], cards[1], cards[3]) or (cards[2] is None and words[2] != "?"):
            raise BadText(
                f"{text!r} is not a state of blackjack: the player's cards, the dealer's card, the hidden one, the "
                "dealer's others, what is going on, as in '6T 9 ? - player'"
            )
        mine, shown, hole, drawn = ([] if each is None else each for each in cards)
        s = Round(
            _counts(mine), shown[0] if shown else NO_CARD, HIDDEN if words[2] == "?" else hole[0] if hole else NO_CARD,
            _counts(drawn), GOING_ON.index(found[1]), 2 if found[2] else 1,
        )  # fmt: skip
        if len(shown) > 1 or len(hole) > 1 or not self.can_be(game, s, len(mine)):
            raise BadText(f"{text!r} can't arise: cards and what is going on don't fit each other")
        return s

    def can_be(self, game: Blackjack, s: Round, cards: int) -> bool:
        """True if the round can stand so."""
        for kind in range(1, KINDS + 1):
            if game.in_shoe(s, kind) < 0:
                return False
        if s.phase == DEAL:
            order = cards, int(s.shown != NO_CARD), int(s.hole != NO_CARD), s.drawn, s.stake
            if order in ((0, 0, 0, 0, 1), (1, 0, 0, 0, 1), (2, 0, 0, 0, 1), (2, 1, 0, 0, 1)):
                return True
        total, seen = game.total(s.mine), s.hole > 0
        if cards < 2 or s.shown == NO_CARD or s.hole == NO_CARD or (s.drawn and not seen):
            return False
        if s.phase in (DEAL, PLAYER):
            return total <= 21 and s.stake == 1 and not s.drawn and not game.settled(s)
        if s.phase == LAST_CARD:
            return cards == 2 and s.stake == 2 and not s.drawn and not game.settled(s)
        if not seen or (s.stake == 2 and cards != 3):
            return False
        theirs = game.dealers(s)
        if s.phase == DEALER:
            return total <= 21 and game.total(theirs) < STANDS_ON and not game.settled(s)
        return total > 21 or game.settled(s) or game.total(theirs) >= STANDS_ON

    def format_action(self, game: Blackjack, s: Round, action: int) -> str:
        return WORDS[action] if s.phase == PLAYER else NAMES[action - 1]


class BlackjackView(BoardView):
    """The table as a picture."""

    def board(self, game: Blackjack, s: Round) -> Board:
        """The dealer's cards above, the player's below."""
        hole = [] if s.hole == NO_CARD else ["?" if s.hole == HIDDEN else NAMES[s.hole - 1]]
        shown = [NAMES[s.shown - 1]] if s.shown else []
        places = []
        for name, y, tone, cards in (
            ("dealer", 0.0, 3, [*shown, *hole, *_cards(s.drawn)]),
            ("player", 2.2, 2, [*_cards(s.mine)]),
        ):
            for number, place in enumerate(row_of_cards(name, cards, 0.0, y, tone)):
                places.append(place._replace(name=f"{name} {number + 1}"))
        theirs = f"dealer {game.total(game.dealers(s))}" if s.shown else "dealer"
        words = [Words(-1.4, 0.0, theirs, 0.3), Words(-1.4, 2.2, f"player {game.total(s.mine)}", 0.3)]
        return Board(places, words=[*words, Words(0.0, 1.1, f"stake {s.stake}", 0.3)], surface="felt")


@dataclass(frozen=True)
class Blackjack(Game):
    """Blackjack against a dealer whose second card is hidden: `blackjack(decks=1)`; `decks=0` deals without end."""

    notation = BlackjackNotation()
    view = BlackjackView()

    players = 1
    min_utility = -2.0
    max_utility = 2.0
    max_actions = 3

    decks: int = 1
    """Packs of 52 cards; 0: so many that no card is missed."""

    def __post_init__(self) -> None:
        if not 0 <= self.decks <= MOST_DECKS:
            raise BadRules(f"blackjack is played with 0 to {MOST_DECKS} decks, not {self.decks}")

    # ------------------------------------------------------------ cards
    def number(self, cards: int, kind: int) -> int:
        """How many cards of a kind are in a hand."""
        return cards >> BITS * (kind - 1) & 31

    def one(self, kind: int) -> int:
        """A hand of one card."""
        return 1 << BITS * (kind - 1)

    def size(self, cards: int) -> int:
        number = 0
        while cards:
            number += cards & 31
            cards >>= BITS
        return number

    def total(self, cards: int) -> int:
        """What a hand counts: one of its aces 11, where that is not too much."""
        total = 0
        for kind in range(1, KINDS + 1):
            total += kind * self.number(cards, kind)
        return total + 10 if self.number(cards, ACE) > 0 and total <= 11 else total

    def natural(self, cards: int) -> bool:
        """True for an ace and a ten alone."""
        return self.size(cards) == 2 and self.number(cards, ACE) == 1 and self.number(cards, TEN) == 1

    def dealers(self, s: Round) -> int:
        """The dealer's cards, as far as they are seen."""
        cards = s.drawn
        if s.shown > 0:
            cards += self.one(s.shown)
        if s.hole > 0:
            cards += self.one(s.hole)
        return cards

    def in_shoe(self, s: Round, kind: int) -> int:
        """How many cards of a kind are left; without end, how likely it is, in thirteenths."""
        share = 4 if kind == TEN else 1
        if self.decks == 0:
            return share
        return 4 * self.decks * share - self.number(s.mine, kind) - self.number(self.dealers(s), kind)

    def settled(self, s: Round) -> bool:
        """True if a blackjack ended it before the player could choose."""
        two = self.size(s.mine) == 2 and s.stake == 1
        return (two and self.natural(s.mine)) or (s.drawn == 0 and self.natural(self.dealers(s)))

    # ------------------------------------------------------------ the rules
    def start(self) -> Round:
        return Round(0, NO_CARD, NO_CARD, 0, DEAL, 1)

    def player(self, s: Round) -> int:
        return MAX if s.phase == PLAYER else CHANCE

    def chance(self, s: Round) -> Iterator[tuple[int, float]]:
        """The next card."""
        left = 0
        for kind in range(1, KINDS + 1):
            left += self.in_shoe(s, kind)
        for kind in range(1, KINDS + 1):
            if self.in_shoe(s, kind) > 0:
                yield kind, self.in_shoe(s, kind) / left

    def actions(self, s: Round) -> Iterator[int]:
        yield HIT
        yield STAND
        if self.size(s.mine) == 2:
            yield DOUBLE

    def result(self, s: Round, action: int) -> Round:
        """`action` is HIT, STAND or DOUBLE; where a card is dealt, the card. A hit is over once its card has come."""
        if s.phase == PLAYER:
            if action == STAND:
                return self.dealers_turn(s)
            return Round(
                s.mine, s.shown, s.hole, 0, LAST_CARD if action == DOUBLE else DEAL, 2 if action == DOUBLE else 1
            )
        if s.phase == DEALER:
            return self.dealers_turn(Round(s.mine, s.shown, s.hole, s.drawn + self.one(action), DEALER, s.stake))
        if s.phase == DEAL and s.hole == NO_CARD:
            return self.dealt(s, action)
        after = Round(s.mine + self.one(action), s.shown, s.hole, 0, PLAYER, s.stake)
        if self.total(after.mine) > 21:
            return Round(after.mine, s.shown, s.hole, 0, OVER, s.stake)
        return self.dealers_turn(after) if s.phase == LAST_CARD else after

    def dealt(self, s: Round, card: int) -> Round:
        """One of the first four cards: two for the player, the one that is shown, the one that is not."""
        if self.size(s.mine) < 2:
            return Round(s.mine + self.one(card), s.shown, s.hole, 0, DEAL, 1)
        if s.shown == NO_CARD:
            return Round(s.mine, card, s.hole, 0, DEAL, 1)
        after = Round(s.mine, s.shown, card, 0, PLAYER, 1)
        return Round(s.mine, s.shown, card, 0, OVER, 1) if self.settled(after) else after

    def dealers_turn(self, s: Round) -> Round:
        """The dealer draws, or has enough."""
        phase = OVER if self.total(self.dealers(s)) >= STANDS_ON else DEALER
        return Round(s.mine, s.shown, s.hole, s.drawn, phase, s.stake)

    def terminal(self, s: Round) -> bool:
        return s.phase == OVER

    def utility(self, s: Round) -> float:
        mine, theirs = self.total(s.mine), self.total(self.dealers(s))
        if self.settled(s):
            one, other = int(self.natural(s.mine)), int(self.natural(self.dealers(s)))
            return 0.0 if one == other else BLACKJACK if one > other else -1.0
        if mine > 21:
            return float(-s.stake)
        if theirs > 21 or mine > theirs:
            return float(s.stake)
        return 0.0 if mine == theirs else float(-s.stake)

    # ------------------------------------------------------------ who sees what
    def observe(self, s: Round, player: int) -> Round:
        """The hidden card is turned up when the dealer's turn comes, or when it is over."""
        if s.hole == NO_CARD or s.phase == DEALER or s.phase == OVER:
            return s
        return Round(s.mine, s.shown, HIDDEN, s.drawn, s.phase, s.stake)

    def determinize(self, observation: Round, player: int, stream: Any) -> Round:
        """Any card that is left, but none that would have been a blackjack."""
        s = observation
        if s.hole != HIDDEN:
            return s
        left = 0
        for kind in range(1, KINDS + 1):
            left += self.could_hide(s, kind)
        drawn, hole = below(stream, left), NO_CARD
        for kind in range(1, KINDS + 1):
            if hole == NO_CARD and drawn < self.could_hide(s, kind):
                hole = kind
            drawn -= self.could_hide(s, kind)
        return Round(s.mine, s.shown, hole, s.drawn, s.phase, s.stake)

    def could_hide(self, s: Round, kind: int) -> int:
        """How many cards of a kind may be the hidden one."""
        if (s.shown == ACE and kind == TEN) or (s.shown == TEN and kind == ACE):
            return 0
        return self.in_shoe(s, kind)

    # ------------------------------------------------------------ text
    def show(self, s: Round) -> str:
        hole = {NO_CARD: "", HIDDEN: "?"}.get(s.hole, NAMES[s.hole - 1])
        theirs = [NAMES[s.shown - 1] if s.shown else "-", *hole, *_cards(s.drawn)]
        cards = deal(("dealer", "player"), [theirs, [*_cards(s.mine)] or ["-"]])
        return f"{cards}\nstake   {s.stake}   {GOING_ON[s.phase]}"


def _cards(counts: int) -> str:
    """The cards of a hand."""
    return "".join(name * (counts >> BITS * place & 31) for place, name in enumerate(NAMES))


def _counts(kinds: list[int]) -> int:
    return sum(1 << BITS * (kind - 1) for kind in kinds)


def _read(word: str) -> list[int] | None:
    """Kinds of cards; None if they are none."""
    if word == "-":
        return []
    return [NAMES.index(card) + 1 for card in word] if word and set(word) <= set(NAMES) and len(word) <= 21 else None
