"""Goofspiel, the game of pure strategy: bid for prizes, both at once.

Each of two players has the cards 1 to n, and so does the pile of prizes. A prize is turned up, both choose a card of
their hands at the same time, and the higher card wins the prize; equal cards win nothing, and the prize is gone. All
three cards are out of the game. So it goes on until the hands are empty.

Prizes come in a random order (chance turns them up), or in a fixed one that both know: `order` is "random",
"descending" or "ascending". What counts is `scoring`:

    "difference"    MAX's points minus MIN's: zero-sum
    "win"           who has more points: 1, 0 or -1, zero-sum
    "points"        each player's own points: not constant-sum

Points are paid when they are won (`rewards`), so that states don't hold them, except with "win", which hangs on the
lead.

Ross, "Goofspiel: the game of pure strategy", Journal of Applied Probability 8 (1971); Rhoads and Bartholdi, "Computer
solution to the game of pure strategy", Games 3 (2012), solved it for 13 cards as `solve/graph/stage_equilibrium.py`
solves it for a few.

Text of a state: MAX's hand, MIN's hand, the prize that is up (`-` while it is being turned up), the prizes to come, the
lead: `1,3 2,3 2 3 +1`. An empty hand is `-`. A bid is the card; an outcome of chance the prize.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from plyforge.board import Board, Place, Words
from plyforge.contract import CHANCE, SIMULTANEOUS, BoardView, Game, Heuristics, Notation
from plyforge.errors import BadRules, BadText
from plyforge.kernel import inline
from plyforge.kernel.function import where

MAX_CARDS = 20
ORDERS = ("random", "descending", "ascending")
SCORINGS = ("difference", "win", "points")


class Round(NamedTuple):
    """How the game stands. Cards are bits: card c is 1 << (c - 1)."""

    mine: int
    """MAX's hand."""
    theirs: int
    """MIN's hand."""
    prize: int
    """The prize that is up; 0 while the next one is to be turned up."""
    prizes: int
    """The prizes to come."""
    lead: int
    """MAX's points minus MIN's, where who wins hangs on it; else 0."""


@inline
def one_number(game, number):
    return number


@where("by_points", otherwise=one_number)
def in_form(game, number):
    """A utility as the scoring wants it: MAX's number, or with "points", where everything is paid on the way,
    nothing for both."""
    return (0.0, 0.0)


class GoofspielHeuristics(Heuristics):
    """What searches may know."""

    def plies_left(self, game: Goofspiel, s: Round) -> int:
        rounds = 0
        for card in range(game.cards):
            rounds += s.mine >> card & 1
        if game.has_chance:
            return 2 * rounds - int(s.prize != 0)
        return rounds


class GoofspielNotation(Notation):
    """States and actions as text."""

    def format_state(self, game: Goofspiel, s: Round) -> str:
        prize = str(s.prize) if s.prize else "-"
        return f"{_hand(s.mine)} {_hand(s.theirs)} {prize} {_hand(s.prizes)} {s.lead:+d}"

    def parse_state(self, game: Goofspiel, text: str) -> Round:
        words = text.split()
        number = r"(?:[1-9]\d?)"
        hand = rf"(?:-|{number}(?:,{number})*)"
        if len(words) != 5 or not re.fullmatch(
            rf"{hand} {hand} (?:-|{number}) {hand} [+-]\d{{1,3}}", " ".join(words), re.ASCII
        ):
            raise BadText(
                f"{text!r} is not a state of goofspiel: MAX's hand, MIN's hand, the prize that is up or -, "
                "the prizes to come, the lead, as in '1,3 2,3 2 3 +1'"
            )
        mine, theirs, prizes = (game._cards(word, text) for word in (words[0], words[1], words[3]))
        prize = 0 if words[2] == "-" else int(words[2])
        s = Round(mine, theirs, prize, prizes, int(words[4]))
        game._require(s, text)
        return s

    def format_action(self, game: Goofspiel, s: Round, action: tuple[int, int]) -> str:
        return str(action[0]) if s.prize == 0 else f"{action[0]}, {action[1]}"


class GoofspielView(BoardView):
    """The picture to point at."""

    def board(self, game: Goofspiel, s: Round) -> Board:
        """MAX's hand below, MIN's above, the prizes between them: the one that is up is the dark one."""
        shown = s.prizes | (1 << s.prize - 1 if s.prize else 0)
        places, words = [], []
        for name, cards, y, tone in (
            ("MIN", s.theirs, 0.0, 3),
            ("prize", shown, 1.7, 0),
            ("MAX", s.mine, 3.4, 2),
        ):
            words.append(Words(-1.2, y, name, 0.3))
            for card in range(1, game.cards + 1):
                x, left = (card - 1) * 1.05, cards >> (card - 1) & 1
                up = name == "prize" and card == s.prize
                places.append(
                    Place(f"{name} {card}", x, y, "card", 0.9, 1.3, 1 if up else tone, str(card))
                    if left
                    else Place(f"{name} {card}", x, y, "tray", 0.9, 1.3)
                )
        if game.by_wins:
            words.append(Words((game.cards - 1) * 0.525, 4.5, f"lead {s.lead:+d}"))
        return Board(places, words=words, surface="felt", turns=True)

    def choice_ways(self, game: Goofspiel, s: Round, player: int, card: int) -> Iterator[tuple[str, ...]]:
        yield (f"{('MAX', 'MIN')[player]} {card}",)


@dataclass(frozen=True)
class Goofspiel(Game):
    """Bid for prizes, both at once: `goofspiel(cards=4, order='random', scoring='difference')`."""

    notation = GoofspielNotation()
    view = GoofspielView()

    heuristics = GoofspielHeuristics()

    cards: int = 4
    """How many cards each hand has."""
    order: str = "random"
    """How the prizes come: "random", "descending" or "ascending"."""
    scoring: str = "difference"
    """What counts in the end: "difference", "win" or "points"."""

    def __post_init__(self) -> None:
        if not 1 <= self.cards <= MAX_CARDS:
            raise BadRules(f"goofspiel needs 1 to {MAX_CARDS} cards, not {self.cards}")
        if self.order not in ORDERS:
            raise BadRules(f"order is {self.order!r}; it must be one of {', '.join(ORDERS)}")
        if self.scoring not in SCORINGS:
            raise BadRules(f"scoring is {self.scoring!r}; it must be one of {', '.join(SCORINGS)}")

    # ------------------------------------------------------------ what the game is
    @property
    def sum_of_prizes(self) -> int:
        return self.cards * (self.cards + 1) // 2

    @property
    def by_wins(self) -> bool:
        return self.scoring == "win"

    @property
    def by_points(self) -> bool:
        return self.scoring == "points"

    @property
    def ascending(self) -> bool:
        return self.order == "ascending"

    @property
    def utility_sum(self) -> float | None:  # type: ignore[override]
        return None if self.by_points else 0.0

    @property
    def max_utility(self) -> float:  # type: ignore[override]
        return 1.0 if self.by_wins else float(self.sum_of_prizes)

    @property
    def min_utility(self) -> float:  # type: ignore[override]
        return 0.0 if self.by_points else -self.max_utility

    @property
    def has_chance(self) -> bool:
        return self.order == "random"

    @property
    def has_rewards(self) -> bool:
        return not self.by_wins

    @property
    def max_actions(self) -> int:  # type: ignore[override]
        return self.cards * self.cards

    # ------------------------------------------------------------ the rules
    def start(self) -> Round:
        everything = (1 << self.cards) - 1
        return self.turn_up(Round(everything, everything, 0, everything, 0))

    def turn_up(self, s: Round) -> Round:
        """The next prize, where it is known which."""
        if self.has_chance or s.prizes == 0:
            return s
        if self.ascending:
            card = 1
            while not s.prizes >> (card - 1) & 1:
                card += 1
        else:
            card = self.cards
            while not s.prizes >> (card - 1) & 1:
                card -= 1
        return Round(s.mine, s.theirs, card, s.prizes & ~(1 << (card - 1)), s.lead)

    def player(self, s: Round) -> int:
        return CHANCE if s.prize == 0 else SIMULTANEOUS

    def legal_actions(self, s: Round, player: int) -> Iterator[int]:
        hand = s.mine if player == 0 else s.theirs
        for card in range(1, self.cards + 1):
            if hand >> (card - 1) & 1:
                yield card

    def actions(self, s: Round) -> Iterator[tuple[int, int]]:
        """All pairs of bids; written out, it is faster than what the contract makes of `legal_actions`."""
        for bid in range(1, self.cards + 1):
            if s.mine >> (bid - 1) & 1:
                for other in range(1, self.cards + 1):
                    if s.theirs >> (other - 1) & 1:
                        yield bid, other

    def chance(self, s: Round) -> Iterator[tuple[tuple[int, int], float]]:
        """The prizes to come, equally likely. An outcome is the prize and a 0: a pair, as actions are, so that the
        rules compile."""
        left = 0
        for card in range(1, self.cards + 1):
            left += s.prizes >> (card - 1) & 1
        for card in range(1, self.cards + 1):
            if s.prizes >> (card - 1) & 1:
                yield (card, 0), 1.0 / left

    def result(self, s: Round, action: tuple[int, int]) -> Round:
        """`action` is both bids; while a prize is being turned up, that prize and 0."""
        first, second = action
        if s.prize == 0:
            return Round(s.mine, s.theirs, first, s.prizes & ~(1 << (first - 1)), s.lead)
        lead = s.lead
        if self.by_wins:
            lead += s.prize * (int(first > second) - int(first < second))
        mine, theirs = s.mine & ~(1 << (first - 1)), s.theirs & ~(1 << (second - 1))
        return self.turn_up(Round(mine, theirs, 0, s.prizes, lead))

    def rewards(self, s: Round, action: tuple[int, int]) -> tuple[float, float]:
        """The prize goes to the higher bid."""
        first, second = action
        won = float(s.prize) if first > second else 0.0
        lost = float(s.prize) if first < second else 0.0
        return (won, lost) if self.by_points else (won - lost, lost - won)

    def terminal(self, s: Round) -> bool:
        return s.mine == 0

    def utility(self, s: Round) -> float | tuple[float, float]:
        """The points were paid on the way; with "win" the lead decides."""
        return in_form(self, float(int(s.lead > 0) - int(s.lead < 0)))

    def evaluate(self, s: Round) -> float | tuple[float, float]:
        """Nothing is known of the bids to come; the lead, as a part of all prizes, where it counts."""
        return in_form(self, s.lead / self.sum_of_prizes)

    # ------------------------------------------------------------ text

    def _cards(self, word: str, text: str) -> int:
        cards = [] if word == "-" else [int(part) for part in word.split(",")]
        if len(set(cards)) != len(cards) or any(card > self.cards for card in cards):
            raise BadText(f"{text!r}: {word} is no set of cards from 1 to {self.cards}")
        return sum(1 << (card - 1) for card in cards)

    def _require(self, s: Round, text: str) -> None:
        """Raise BadText for a state that can't arise."""
        sizes = s.mine.bit_count(), s.theirs.bit_count(), s.prizes.bit_count() + (s.prize > 0)
        if len(set(sizes)) != 1:
            raise BadText(f"{text!r} can't arise: both hands and the prizes have the same number of cards")
        if s.prize > self.cards or (s.prize and s.prizes >> (s.prize - 1) & 1):
            raise BadText(f"{text!r} can't arise: the prize that is up is no card, or still to come")
        if s.prize == 0 and s.mine and not self.has_chance:
            raise BadText(f"{text!r} can't arise: in this order the next prize is always up")
        if s.prize and self.turn_up(Round(s.mine, s.theirs, 0, s.prizes | 1 << (s.prize - 1), s.lead)) not in (
            s,
            Round(s.mine, s.theirs, 0, s.prizes | 1 << (s.prize - 1), s.lead),
        ):
            raise BadText(f"{text!r} can't arise: the prizes come in {self.order} order")
        gone = self.sum_of_prizes - sum(card + 1 for card in range(self.cards) if s.prizes >> card & 1) - s.prize
        if abs(s.lead) > gone or (not self.by_wins and s.lead != 0):
            why = f"only {gone} points are gone" if self.by_wins else "points are paid at once here, the lead is +0"
            raise BadText(f"{text!r} can't arise: {why}")

    def show(self, s: Round) -> str:
        rows = [f"prize  {s.prize or '?'}   to come: {_hand(s.prizes)}" if s.mine else "no cards are left"]
        rows += [f"MAX    {_hand(s.mine)}", f"MIN    {_hand(s.theirs)}"]
        if self.by_wins:
            rows.append(f"lead   {s.lead:+d}")
        return "\n".join(rows)


def _hand(cards: int) -> str:
    return ",".join(str(card + 1) for card in range(MAX_CARDS) if cards >> card & 1) or "-"
